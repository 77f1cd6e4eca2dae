"""What a report shows beyond the model: the trials, the course of the run, the test rows. It is not stored."""

from __future__ import annotations

from dataclasses import dataclass, field

from rosenblatt.learn.losses import Losses
from rosenblatt.model.evaluation import Evaluation
from rosenblatt.model.learner import Pulls
from rosenblatt.model.marked import Why
from rosenblatt.model.ranking import Ranking
from rosenblatt.model.reliability import Reliability


@dataclass(frozen=True)
class Trial:
    """One candidate and how it did on the validation rows."""

    name: str
    accuracy: float
    seconds: float
    chosen: bool
    cv: float | None = None  # the share right out of fold, if it was cross-validated


@dataclass(frozen=True)
class Worst:
    """A test row that the model got wrong."""

    origin: str
    true: str
    predicted: str
    margin: float  # by how much the score of the predicted class exceeds that of the true one
    shown: str  # its text, or "column=value, …", as it is in the data
    turned: str = ""  # the fewest changes that turn the decision, where they were looked for and found
    why: Why | None = None  # its text with what each word adds, where that was looked for
    pulls: Pulls | None = None  # the training rows that pulled towards the predicted class and the true one, of a curve


@dataclass(frozen=True)
class Disk:
    """Where the rows lay while they did not fit into memory."""

    bytes: int
    place: str  # empty where nothing is kept


@dataclass(frozen=True)
class Curve:
    """The accuracy of the chosen model on training and on validation rows, for each pass or for each k."""

    over: str  # "pass" or "k"
    points: list[tuple[float, float, float]]  # the pass or k, the share of training rows right, that of validation rows
    chosen: float
    losses: list[Losses] = field(default_factory=list)  # of the training rows after each pass; none for k


@dataclass(frozen=True)
class Growth:
    """The learning curve: what the chosen settings reach out of fold with more and more training rows."""

    sizes: list[int]  # training rows, each about twice as many as before
    shares: list[list[float]]  # for each size the share of rows right in each fold
    rows: int  # that were scored
    gain: float  # of the last doubling, in shares of these rows
    error: float  # its standard error, by rows that are right with the one and wrong with the other
    part: int = 0  # rows that it was made of, where these are not all
    forward: bool = False  # whether folds go forward in time


@dataclass(frozen=True)
class Evidence:
    """What `train` saw on the way."""

    trials: list[Trial]  # in the order tried
    per_pass: list[tuple[int, int]]  # updates and mistakes of the final run; empty for naive Bayes
    bracket: list[tuple[int, float, float]]  # updates so far and bounds of the margin, at doubling points of that run
    evaluation: Evaluation  # on the test part, or on rows out of fold
    worst: list[Worst]  # at most 20, the most wrong first
    posterior: Reliability | None  # of naive Bayes' own P(y | row), before calibration
    heaviest: dict[str, list[tuple[str, float]]]
    image_shape: tuple[int, int] | None  # where the features are the pixels of an image
    files: list[str]  # written
    next: str  # the command to type next
    tested: str = "test rows"  # what the rows of the evaluation are called
    hint: str = ""  # what a curve would gain, where that is much; or what weights of columns would cost
    curve: Curve | None = None  # only where it was asked for: it takes another run
    growth: Growth | None = None  # only where it was asked for: it takes some fits in each fold
    ranking: Ranking | None = None  # of two classes: what every line would give, by rows out of fold or held out
    disk: Disk | None = None  # only where the rows did not fit into memory
    seconds: float = 0.0  # that the job took; they are no part of the model, which is the same on any machine
