"""The card of a model: where its data came from, what was chosen and why, and how it did.

A card is plain values, as JSON holds them: `model.card["test"]["accuracy"]`. What a file says of them is checked when
it is read, as far as this program uses it; what else a card has is kept as it is, so that files of later versions lose
nothing.
"""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

from rosenblatt.claims import (
    Misfit,
    anything,
    either,
    fields,
    hexadecimal,
    listed,
    nothing,
    number,
    row,
    table,
    text,
    truth,
    whole,
)

# "class" is a word of Python, so this type has no body.
Majority = TypedDict("Majority", {"class": str, "share": float})


class SplitCounts(TypedDict):
    """How many rows each part has, and how they were parted."""

    train: int
    validation: int
    test: int
    seed: int
    kind: str
    duplicates: NotRequired[int]  # rows that hold what an earlier one holds
    validation_source: NotRequired[str]  # where validation rows were given apart
    calibration: NotRequired[int]  # rows held out for probabilities and sets
    copies_in_test: NotRequired[int]  # test rows that are copies of training rows


class Finalist(TypedDict):
    """A candidate that was cross-validated."""

    name: str
    accuracy: float


class CrossValidation(TypedDict):
    """How the finalists did out of fold."""

    folds: int
    rows: int
    finalists: list[Finalist]


class ChosenModel(TypedDict):
    """What was fitted in the end."""

    model: str
    name: str
    unit: str
    words: NotRequired[str]
    by: NotRequired[str]  # what candidates were compared by, where it is not their accuracy
    class_weights: NotRequired[list[float]]  # what a row of each class counted, where they do not count the same
    cv: NotRequired[CrossValidation]
    k: NotRequired[float | str]  # of naive Bayes; "inf" where it is infinite
    on: NotRequired[str | None]
    counted: NotRequired[bool]
    weights: NotRequired[str]  # of a perceptron, as all below
    margin: NotRequired[float]
    threshold: NotRequired[float]  # the margin in units of the score
    passes: NotRequired[int]
    ties: NotRequired[str]  # where it is not the default
    bias: NotRequired[bool]  # False where there is none
    rule: NotRequired[str]  # where it is not that of the notes, as C
    C: NotRequired[float]
    shards: NotRequired[int]
    kernel: NotRequired[str]  # of a kernel, as all below
    degree: NotRequired[int]
    gamma: NotRequired[float]
    coef0: NotRequired[float]
    training_rows: NotRequired[int]  # how many the file holds
    updated_rows: NotRequired[int]  # how many it would hold, had those not been dropped that count least
    exact: NotRequired[bool]  # whether products of rows were whole numbers that nothing rounded


class ValidationResult(TypedDict):
    """How the choice did on the validation rows."""

    accuracy: float
    rows: int


class MarginBounds(TypedDict):
    """Between which bounds the largest margin of the training rows lies; None where there is no bound."""

    low: float | None
    high: float | None


class RunFacts(TypedDict):
    """What the final run of a perceptron was, and whether it separated its rows."""

    separated: bool
    stopped: str
    passes: int
    mistakes: int
    updates: int


class ClassResult(TypedDict):
    """How the model did on the test rows of one class."""

    precision: float
    recall: float
    rows: int


class WithoutCopies(TypedDict):
    """How the model did on test rows that are no copies of training rows."""

    accuracy: float | None
    low: float
    high: float
    rows: int


class ResultOnTest(TypedDict):
    """How the model did on the test rows."""

    accuracy: float
    low: float
    high: float
    rows: int
    source: str
    always: float  # what always guessing the most common class gets
    per_class: dict[str, ClassResult]
    no_better: NotRequired[str]
    without_copies: NotRequired[WithoutCopies]


class FoldResult(TypedDict):
    """How the procedure did in one fold, and what it chose there."""

    rows: int
    accuracy: float
    choice: str
    merit: NotRequired[float]  # what candidates were compared by, where it is not their accuracy


class ResultOfFolds(TypedDict):
    """How the whole procedure did out of fold, in place of a test part."""

    folds: int
    rows: int  # that were scored
    accuracy: float  # the mean over the folds
    deviation: float  # their standard deviation
    always: float  # what always guessing the most common class gets
    per_class: dict[str, ClassResult]  # of all rows that were scored
    each: list[FoldResult]
    merit: NotRequired[float]  # the mean of what candidates were compared by, and its standard deviation
    merit_deviation: NotRequired[float]
    no_better: NotRequired[str]


class Measures(TypedDict):
    """How the model does for the positive class."""

    precision: float
    recall: float
    f1: float
    false_positives: float
    auc: float


class GoalResult(TypedDict):
    """What was asked for of the positive class, where the line is, and what that gives."""

    positive: str
    max_false_positives: float | None
    costs: list[float | None]  # of a false positive, of a false negative
    by: NotRequired[str]  # which rows the line was drawn by: "folds", "rows held out" or "validation"
    validation: Measures  # what it gives on them
    threshold: float
    test: NotRequired[Measures]
    cv: NotRequired[Measures]  # the mean over the folds, where the procedure was cross-validated


class BeliefFacts(TypedDict):
    """What probabilities and sets of 95% were worth on the test rows."""

    log_loss: float
    brier: float
    error: float  # of the predicted class, over 15 bins of as many rows
    coverage: NotRequired[float]  # the share of rows whose set holds the true class
    covered: NotRequired[dict[str, list[int]]]  # for each class the rows whose set holds it, and all its rows
    empty: NotRequired[float]  # shares of the sets
    single: NotRequired[float]
    larger: NotRequired[float]


class PrunedFacts(TypedDict):
    """What was left out so that the file has no more bytes than was asked for."""

    size: int  # bytes that it may have
    features: int
    before: int  # features that there were
    validation: list[float]  # the share of validation rows that were right with all of them, and with those left


class CalibrationFacts(TypedDict):
    """Which rows made probabilities of scores, and what these were worth."""

    by: str  # "folds": rows out of fold; "rows held out": rows that the model never saw
    folds: int  # fits that it took
    rows: int
    right: int  # of these rows
    test: NotRequired[BeliefFacts]
    cv: NotRequired[BeliefFacts]  # the same out of fold, where the procedure was cross-validated
    drift: NotRequired[str]  # said where the test rows are not like them


class Spread(TypedDict):
    """Test accuracies over several orders of the rows."""

    seeds: int
    accuracies: list[float]
    median: float
    lowest: float
    highest: float


class UpdateEntry(TypedDict):
    """Rows that the model learned from later."""

    source: str
    rows: int
    mistakes: int
    new_classes: list[str]
    passes: int
    fingerprint: str


class Receipt(TypedDict):
    """Rows that the model has forgotten: they are in none of its counts."""

    source: str
    rows: int
    classes: dict[str, int]  # how many of each
    forgotten: list[list[str]]  # of each row the hash of what it held, and its class
    removed: int  # words, tags and names that only they had
    copies: int | None  # rows that hold the same and were not forgotten; None where nobody looked
    copies_at: list[str]  # some of these
    kept: list[str]  # what stays as it was found with the rows


class Card(TypedDict):
    """All that is told of a model beside what it computes with."""

    format: int
    source: str
    rows: int
    columns: int
    features: int
    label: str | None
    class_counts: dict[str, int]
    majority: Majority
    fingerprint: str
    split: SplitCounts
    notes: list[str]
    plan: list[str]
    choice: ChosenModel
    validation: NotRequired[ValidationResult]  # not of a model that was made on a cluster, where nothing is searched
    margin: MarginBounds | None
    proof: RunFacts | None
    versions: dict[str, str]
    updates: list[UpdateEntry]
    forgotten: NotRequired[list[Receipt]]
    test: NotRequired[ResultOnTest]
    cv: NotRequired[ResultOfFolds]  # in place of a test
    goal: NotRequired[GoalResult]
    spread: NotRequired[Spread]
    calibration: NotRequired[CalibrationFacts]  # not of models without probabilities
    pruned: NotRequired[PrunedFacts]  # where features were left out
    narrowed: NotRequired[
        int
    ]  # features before some were left out after the test, whose figures are of the model before
    fit_all: NotRequired[int]  # rows that it was fitted to after the test, whose result is that of the model before
    config: NotRequired[dict[str, Any]]  # what was set; pipeline/config.py has the keys


MOST = 2**53  # of anything that is counted
COUNT = whole(0, MOST)
PROOF = fields({"separated": truth, "passes": COUNT, "mistakes": COUNT}, {"updates": COUNT, "stopped": text})
BOUND = either(nothing, number(0))
NEEDED = {
    "source": text,
    "rows": COUNT,
    "features": COUNT,
    "class_counts": table(COUNT),
    "majority": fields({"class": text}),
    "fingerprint": text,
    "plan": listed(text),
    "choice": fields({"name": text}, {"threshold": number(0), "passes": COUNT, "class_weights": listed(number(0))}),
    "versions": table(text),
    "updates": listed(fields({"rows": COUNT, "mistakes": COUNT, "source": text})),
}
MAY = {
    "label": either(nothing, text),
    "test": fields({"accuracy": number(0, 1), "rows": COUNT}),
    "cv": fields(
        {"folds": COUNT, "rows": COUNT, "accuracy": number(0, 1), "deviation": number(0)},
        {"each": listed(fields({"rows": COUNT, "accuracy": number(0, 1), "choice": text}))},
    ),
    "margin": either(nothing, fields({"low": BOUND, "high": BOUND})),
    "proof": either(nothing, PROOF),
    "config": table(anything),
    "forgotten": listed(fields({"rows": COUNT, "source": text, "forgotten": listed(row(hexadecimal, text))})),
    "narrowed": COUNT,
    "pruned": fields(
        {"size": COUNT, "features": COUNT, "before": COUNT, "validation": row(number(0, 1), number(0, 1))}
    ),
    "calibration": fields({"by": text, "folds": COUNT, "rows": COUNT, "right": COUNT}),
}


def read_card(plain: Any) -> Card:
    """The card that a file holds; Misfit where it lacks, or has in another form, what the program uses of it."""
    fields(NEEDED, MAY)(plain, "the card")
    margin = plain.get("margin") or {"low": None, "high": None}
    bounded = margin["low"] is not None and (margin["high"] is not None or "rule" in plain["choice"])
    if (plain.get("proof") or {"separated": False})["separated"] and not bounded:
        raise Misfit("the card.margin must have both bounds where rows are separated")
    card: Card = plain
    return card
