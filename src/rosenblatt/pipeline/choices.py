"""What a user can fix about the search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rosenblatt.data.memory import parse_size
from rosenblatt.errors import SettingError
from rosenblatt.features import Wishes
from rosenblatt.learn.kernel.choice import check_kernel
from rosenblatt.learn.rules import RULES
from rosenblatt.learn.settings import LARGEST_SEED, Settings, check_seed, whole
from rosenblatt.learn.smoothing import NAMED_PRIORS, check_strength
from rosenblatt.learn.variants import VARIANTS
from rosenblatt.loops.kernels import KERNELS
from rosenblatt.loops.ties import TIES
from rosenblatt.pipeline import families
from rosenblatt.pipeline.family import Candidate
from rosenblatt.pipeline.merit import MERITS
from rosenblatt.pipeline.tries import ASKED_WEIGHTS, RUN_APART
from rosenblatt.pipeline.weighing import EVEN, Weighing, check_weights

MODELS = ("auto", *families.by_name())
OWN_STEPS = tuple(name for name, rule in RULES.items() if not rule.plain)
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
    rule: str | None = None  # of a perceptron: what a step does; otherwise that of the notes, over words also arow
    C: float | None = None  # of a rule that has one: how far a step may go
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
    record: bool = False  # keep the updates of a run and the rows that they are on; naive Bayes is then not tried
    choose_by: str = "accuracy"  # what candidates are compared by: one of MERITS
    class_weights: str | Mapping[str, float] | None = None  # how much rows of a class count: "balanced", or by name
    costs: tuple[float, float] | None = None  # of a false alarm and a miss, where candidates are compared by them
    weighing: Weighing = EVEN  # what class weights or costs make of the classes that there are
    calibration: float | str = "folds"  # probabilities by rows out of fold, by a share of the rows held out, or "none"
    cv: int | None = None  # folds in place of a test part, in each of which the whole procedure is carried out
    size: int | str | None = None  # of the model file at most, such as "1MB": features that matter least are left out
    wishes: Wishes = field(default_factory=Wishes)  # what columns are

    def __post_init__(self) -> None:
        known = families.by_name()
        if self.model != "auto" and self.model not in known:
            raise SettingError(f"model must be one of {', '.join(('auto', *known))}; got {self.model!r}.")
        named = known.get(self.model)
        if self.record and named is not None and named.unrecorded:
            raise SettingError(
                f"record keeps the updates of a run, and {named.unrecorded}. "
                "Leave out record, or choose model perceptron or kernel."
            )
        if self.record and self.device == "gpu":
            raise SettingError(
                "a record is checked by a run on the CPU, and the list of a GPU need not be the same. Use device "
                "auto, which takes the GPU where it is."
            )
        self._refuse_others()
        if self.choose_by not in MERITS:
            raise SettingError(f"choose_by must be one of {', '.join(MERITS)}; got {self.choose_by!r}.")
        check_weights(self.class_weights)
        if self.class_weights is not None and self.priors is not None:
            raise SettingError("class_weights are factors of P(y), as priors are. Leave out one of them.")
        held = self.calibration
        if held not in ("folds", "none") and (isinstance(held, str) or not 0 < held <= 0.5):
            raise SettingError(f"calibration must be 'folds', 'none', or a share of rows up to 0.5; got {held!r}.")
        words = {
            "weights": ASKED_WEIGHTS,
            "ties": TIES,
            "rule": tuple(RULES),
            "priors": NAMED_PRIORS,
            "counting": COUNTINGS,
            "kernel": KERNELS,
            "device": DEVICES,
        }
        for name, meant in words.items():
            if getattr(self, name) not in (None, *meant):
                raise SettingError(f"{name} must be one of {', '.join(meant)}; got {getattr(self, name)!r}.")
        if self.record and (self.weights in RUN_APART or not self.bias):
            raise SettingError("record is for final and averaged weights with a bias. Leave out one of them.")
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
        self._check_rule()
        self._check_size()
        if self.jobs is not None:
            whole("jobs", self.jobs, 1)
        if self.cv is not None:
            whole("cv", self.cv, 2)
        if self.k is not None:
            check_strength(self.k)
        whole("seeds", self.seeds, 1)
        check_seed("seed", self.seed, LARGEST_SEED - self.seeds + 1)  # the other orders have the seeds after it
        for name in ("seed", "seeds"):  # the card is JSON, which knows no whole numbers of numpy
            object.__setattr__(self, name, int(getattr(self, name)))

    @property
    def merit(self) -> str:
        """What candidates are compared by: costs or class weights where they are given, and nothing else is named."""
        if self.choose_by != "accuracy":
            return self.choose_by
        return "cost" if self.costs is not None else "weighted-accuracy" if self.weighing else "accuracy"

    def _check_rule(self) -> None:
        """SettingError where the rule does not go with the other settings."""
        rule = RULES[self.rule or Settings.rule]
        if self.C is not None and rule.plain:
            raise SettingError(f"C is a setting of rules {', '.join(OWN_STEPS)}; got C {self.C!r}. Name one with rule.")
        weights, margin = self.weights or rule.decides, self.margin or 0.0
        steps, ties = Settings.C if self.C is None else self.C, self.ties or Settings.ties
        Settings(shards=self.shards, weights=weights, margin=margin, ties=ties, rule=rule.name, C=steps)

    def _check_size(self) -> None:
        """SettingError where nothing can be left out of the file to keep it small."""
        if self.size is None:
            return
        parse_size(self.size, "size")
        voted = self.weights is not None and VARIANTS[self.weights].votes
        whole = "a record keeps whole rows" if self.record else "votes are made of whole rows" if voted else ""
        whole = whole or (families.by_name()[self.model].unpruned if self.model != "auto" else "")
        if whole:
            raise SettingError(f"size leaves out features that matter little, and {whole}. Leave out one of them.")

    def _refuse_others(self) -> None:
        """SettingError where a setting is of a family that is not tried."""
        for family in families.FAMILIES:
            for name in family.settings:
                value = getattr(self, name)
                if value is None or value is True or any(name in other.settings for other in self.families):
                    continue
                only = self.record and self.model == "auto"
                tried = "with record only perceptrons are tried" if only else f"model is {self.model}"
                way_out = "Leave out one of them." if only else f"Leave it out, or choose model {family.model}."
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
    def any_rule(self) -> bool:
        """Whether rules beside that of the notes may be tried: nothing asks for what only it has."""
        fixed = (self.rule, self.weights, self.margin, self.ties)
        return all(each is None for each in fixed) and not self.record

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
