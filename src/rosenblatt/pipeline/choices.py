"""What a user can fix about the search."""

from __future__ import annotations

from dataclasses import dataclass, field

from rosenblatt.errors import SettingError
from rosenblatt.features import Wishes
from rosenblatt.learn.kernel.choice import check_kernel
from rosenblatt.learn.settings import LARGEST_SEED, Settings, check_seed, whole
from rosenblatt.learn.smoothing import NAMED_PRIORS, check_strength
from rosenblatt.loops.kernels import KERNELS
from rosenblatt.loops.ties import TIES
from rosenblatt.pipeline import families
from rosenblatt.pipeline.family import Candidate
from rosenblatt.pipeline.tries import ASKED_WEIGHTS, RUN_APART

MODELS = ("auto", *families.by_name())
COUNTINGS = ("presence", "counts")
DEVICES = ("cpu", "gpu", "auto")


@dataclass(frozen=True)
class Choices:
    """The choices of one call of `train`; None is left to the validation rows."""

    model: str = "auto"  # or "perceptron", "naive-bayes", "kernel"
    weights: str | None = None  # of a perceptron: "final", "averaged"; only where asked for "pocket", "voted"
    ties: str | None = None  # of a perceptron: whose a score of 0 is, "mistake" (the default), "positive", "negative"
    bias: bool = True  # of a perceptron: whether there is a constant feature
    margin: float | None = None  # of a perceptron, in multiples of the mean |f(x)|²
    passes: int | None = None  # of a perceptron
    k: float | None = None  # of naive Bayes: how much to smooth
    counting: str | None = None  # of naive Bayes over words: "presence" (0/1) or "counts"; otherwise both are tried
    kernel: str | None = None  # of a kernel: "rbf", "poly", "cosine"
    degree: int | None = None  # of poly and cosine
    gamma: float | None = None  # of rbf and poly
    device: str | None = None  # of a kernel: where it is learned, "cpu", "gpu" or "auto"
    priors: str | None = None  # of naive Bayes: "smoothed" by k, or "uniform"; otherwise the shares of the classes
    seed: int = 0  # decides the split and the order of the rows
    seeds: int = 1  # also fit in so many orders and report the spread
    shards: int = 1  # parts of the rows that a perceptron visits at the same time
    jobs: int | None = None  # threads for them, no part of the result; None: all processors
    record: bool = False  # keep the training rows behind a perceptron's weights; naive Bayes is then not tried
    wishes: Wishes = field(default_factory=Wishes)  # what columns are

    def __post_init__(self) -> None:
        known = families.by_name()
        if self.model != "auto" and self.model not in known:
            raise SettingError(f"model must be one of {', '.join(('auto', *known))}; got {self.model!r}.")
        named = known.get(self.model)
        if self.record and named is not None and named.unrecorded:
            raise SettingError(
                f"record keeps the updates of a perceptron, and {named.unrecorded}. "
                "Leave out record, or choose model perceptron."
            )
        self._refuse_others()
        words = {
            "weights": ASKED_WEIGHTS,
            "ties": TIES,
            "priors": NAMED_PRIORS,
            "counting": COUNTINGS,
            "kernel": KERNELS,
        }
        words |= {"device": DEVICES}
        for name, meant in words.items():
            if getattr(self, name) not in (None, *meant):
                raise SettingError(f"{name} must be one of {', '.join(meant)}; got {getattr(self, name)!r}.")
        if self.record and (self.weights in RUN_APART or not self.bias):
            raise SettingError("record is for final and averaged weights with a bias. Leave out one of them.")
        if self.margin is not None:
            Settings(margin=self.margin)
        check_kernel(
            self.kernel or "rbf",
            1 if self.degree is None else self.degree,
            "scale" if self.gamma is None else self.gamma,
            1.0,
        )
        if self.model == "kernel" and self.weights in RUN_APART:
            raise SettingError(f"weights {self.weights!r} are not for model kernel; use averaged or final.")
        if self.passes is not None:
            whole("passes", self.passes, 1)
        Settings(shards=self.shards, weights=self.weights or "averaged")
        if self.jobs is not None:
            whole("jobs", self.jobs, 1)
        if self.k is not None:
            check_strength(self.k)
        whole("seeds", self.seeds, 1)
        check_seed("seed", self.seed, LARGEST_SEED - self.seeds + 1)  # the other orders have the seeds after it
        for name in ("seed", "seeds"):  # the card is JSON, which knows no whole numbers of numpy
            object.__setattr__(self, name, int(getattr(self, name)))

    def _refuse_others(self) -> None:
        """SettingError where a setting is of a family that is not tried."""
        for family in families.FAMILIES:
            for name in family.settings:
                value = getattr(self, name)
                if value is None or value is True or any(name in other.settings for other in self.families):
                    continue
                tried = "with record only perceptrons are tried" if self.record else f"model is {self.model}"
                way_out = "Leave out one of them." if self.record else f"Leave it out, or choose model {family.model}."
                raise SettingError(
                    f"{name} is a setting of model {family.model}, but {tried}; got {name} {value!r}. {way_out}"
                )

    @property
    def families(self) -> tuple[type[Candidate], ...]:
        """What is searched: the one that is named, or all that are tried unasked; with a record those that have one."""
        if self.model != "auto":
            return (families.by_name()[self.model],)
        return tuple(family for family in families.FAMILIES if family.auto and not (self.record and family.unrecorded))

    @property
    def quick(self) -> bool:
        """Whether a run over few rows takes next to no time: no votes, no pocket, and no shards to bring together."""
        return self.weights not in RUN_APART and self.shards == 1

    @property
    def notes(self) -> tuple[str, ...]:
        """What the report should say of the choices."""
        if self.record and self.model == "auto":
            return ("only perceptrons were tried: naive Bayes makes no updates to record",)
        return ()
