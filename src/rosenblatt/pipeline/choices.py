"""What a user can fix about the search, and what is tried where nothing is fixed."""

from __future__ import annotations

from dataclasses import dataclass, field

from rosenblatt.errors import SettingError
from rosenblatt.features import Wishes
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.settings import LARGEST_SEED, Settings, check_seed, whole
from rosenblatt.learn.smoothing import NAMED_PRIORS, check_strength
from rosenblatt.loops.rows import n_bytes
from rosenblatt.loops.rule import TIES

MODELS = ("auto", "perceptron", "naive-bayes")
COUNTINGS = ("presence", "counts")
# Whose settings they are.
ALONE = {
    "weights": "perceptron",
    "margin": "perceptron",
    "passes": "perceptron",
    "k": "naive-bayes",
    "priors": "naive-bayes",
    "counting": "naive-bayes",
    "ties": "perceptron",
    "bias": "perceptron",
}
VARIANTS = ("averaged", "final")  # tried unasked; the first wins a tie
RUN_APART = ("pocket", "voted")  # only where asked for: each takes runs of its own, and more time
ASKED_WEIGHTS = (*VARIANTS, *RUN_APART)
MARGINS = (0.0, 0.5, 2.0, 5.0)  # multiples of the mean |f(x)|²
PASSES = (1, 2, 4, 8, 16)
MORE_PASSES = (32, 64, 128)
SMALL, SMALL_TEXT = 100_000_000, 500_000_000  # bytes read in the passes of one run, once for each class
SMALL_TABLE = 400_000  # features of all training rows, once for each class: so few are searched in every fold
FEWEST = 50  # rows; fewer cannot tell a curve, a margin or a number of passes from luck
STRENGTHS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
# Of the short run that decides between ways of encoding. Rare words are met late: on the validation rows of two sets of
# messages, 8 splits each, tf-idf gained 0.2 points on 0/1 between 4 passes and 8, and no more until 32.
PROBE_MARGIN, PROBE_PASSES = 2.0, 8
# Where several do as well as the best, of tables: in the middle of what does well on most of them.
USUAL_MARGIN, USUAL_PASSES = 2.0, 16
LONGEST = 200  # passes of a run that is expected to separate the rows


@dataclass(frozen=True)
class Choices:
    """The choices of one call of `train`; None is left to the validation rows."""

    model: str = "auto"  # or "perceptron", "naive-bayes"
    weights: str | None = None  # of a perceptron: "final", "averaged"; only where asked for "pocket", "voted"
    ties: str | None = None  # of a perceptron: whose a score of 0 is, "mistake" (the default), "positive", "negative"
    bias: bool = True  # of a perceptron: whether there is a constant feature
    margin: float | None = None  # of a perceptron, in multiples of the mean |f(x)|²
    passes: int | None = None  # of a perceptron
    k: float | None = None  # of naive Bayes: how much to smooth
    counting: str | None = None  # of naive Bayes over words: "presence" (0/1) or "counts"; otherwise both are tried
    priors: str | None = None  # of naive Bayes: "smoothed" by k, or "uniform"; otherwise the shares of the classes
    seed: int = 0  # decides the split and the order of the rows
    seeds: int = 1  # also fit in so many orders and report the spread
    shards: int = 1  # parts of the rows that a perceptron visits at the same time
    jobs: int | None = None  # threads for them, no part of the result; None: all processors
    record: bool = False  # keep the training rows behind a perceptron's weights; naive Bayes is then not tried
    wishes: Wishes = field(default_factory=Wishes)  # what columns are

    def __post_init__(self) -> None:
        if self.model not in MODELS:
            raise SettingError(f"model must be one of {', '.join(MODELS)}; got {self.model!r}.")
        if self.record and self.model == "naive-bayes":
            raise SettingError(
                "record keeps the updates of a perceptron, and naive Bayes makes no updates: it counts. "
                "Leave out record, or choose model perceptron."
            )
        for name, family in ALONE.items():
            value = getattr(self, name)
            if value is not None and value is not True and family not in self.families:
                tried = "with record only perceptrons are tried" if self.record else f"model is {self.model}"
                way_out = "Leave out one of them." if self.record else f"Leave it out, or choose model {family}."
                raise SettingError(
                    f"{name} is a setting of model {family}, but {tried}; got {name} {value!r}. {way_out}"
                )
        named = {"weights": ASKED_WEIGHTS, "ties": TIES, "priors": NAMED_PRIORS, "counting": COUNTINGS}
        for name, known in named.items():
            if getattr(self, name) not in (None, *known):
                raise SettingError(f"{name} must be one of {', '.join(known)}; got {getattr(self, name)!r}.")
        if self.record and (self.weights in RUN_APART or not self.bias):
            raise SettingError("record is for final and averaged weights with a bias. Leave out one of them.")
        if self.margin is not None:
            Settings(margin=self.margin)
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

    @property
    def families(self) -> tuple[str, ...]:
        """The models that are searched. With a record only perceptrons, as naive Bayes has no run to keep."""
        if self.model == "auto":
            return MODELS[1:2] if self.record else MODELS[1:]
        return (self.model,)

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

    @property
    def margins(self) -> tuple[float, ...]:
        return MARGINS if self.margin is None else (self.margin,)

    def variants(self, separated: bool) -> tuple[str, ...]:
        """The weights to score; final ones unasked only where they separate the training rows."""
        if self.weights is not None:
            return (self.weights,)
        return VARIANTS if separated else VARIANTS[:1]

    def checkpoints(self, problem: Problem, text: bool, often: bool = False) -> tuple[int, ...]:
        """The passes after which a run is scored. A small problem is given more, since they cost nothing.

        So is text, of which a large margin is kept after some tens of passes; tables seldom gain by them.
        often    whether there are runs in every way and every fold, so that they do cost something
        """
        if self.passes is not None:
            return (self.passes,)
        if often:
            return (*PASSES, MORE_PASSES[0])
        size = n_bytes(problem.rows) * (1 if problem.n_classes == 2 else problem.n_classes)
        limit = SMALL_TEXT if text else SMALL
        return PASSES + tuple(passes for passes in MORE_PASSES if size * passes <= limit)

    @property
    def strengths(self) -> list[float]:
        return list(STRENGTHS) if self.k is None else [float(self.k)]
