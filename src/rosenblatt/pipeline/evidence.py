"""What is seen when the test part is opened, and what reports show of the final run."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rosenblatt.data.table import Table
from rosenblatt.errors import SettingError
from rosenblatt.model import Evaluation, Evidence, Model, Reliability, Trial, Worst
from rosenblatt.model.learner import Pulls
from rosenblatt.model.marked import Why, why
from rosenblatt.model.reliability import believed
from rosenblatt.pipeline.family import Final
from rosenblatt.pipeline.shown import shown

MOST_WRONG = 20
MOST_TURNED, MOST_CHANGES = 5, 8  # worst rows of which it is told what would turn them, and in how many changes
MOST_PULLED, PULLING = 5, 2  # worst rows of a curve with the training rows that pulled them, and how many each way
HEAVIEST = 20


def gather(
    model: Model,
    tested: Table,
    trials: list[Trial],
    final: Final,
    known: np.ndarray | None = None,
    flips: bool = False,
) -> Evidence:
    """Everything a report shows, from one look at the test rows.

    known    marks copies of training rows; flips    whether to find what would turn the worst decisions
    """
    truth = model.classes.encode(tested)
    rows = model.learner.rows(model.plan, tested)
    scores = model.learner.scores(rows)
    predicted, chances = model.decision.decide(scores), model.learner.probabilities(rows)
    evaluation = replace(
        Evaluation.of(model.classes.names, truth, predicted, known), **believed(model.decision, scores, truth)
    )
    worst = worst_rows(model, tested, truth, scores, predicted, MOST_TURNED if flips else 0)
    posterior = None if chances is None else Reliability.of(chances, predicted, truth)
    return evidence_of(model, trials, final, evaluation, worst, posterior)


def evidence_of(
    model: Model,
    trials: list[Trial],
    final: Final,
    evaluation: Evaluation,
    worst: list[Worst],
    posterior: Reliability | None = None,
    tested: str = "test rows",
) -> Evidence:
    """What a report shows of a model that was evaluated so; tested    what the rows of the test are called."""
    return Evidence(
        trials=trials,
        per_pass=[] if final.run is None else final.run.per_pass,
        bracket=final.bracket,
        evaluation=evaluation,
        worst=worst,
        posterior=posterior,
        tested=tested,
        heaviest=model.heaviest(HEAVIEST),
        image_shape=model.plan.image_shape,
        files=[],
        next="",
    )


def worst_rows(
    model: Model, table: Table, truth: np.ndarray, scores: np.ndarray, predicted: np.ndarray, turned: int = 0
) -> list[Worst]:
    """The wrong rows whose true class is furthest behind; turned    of how many to find why, and what would turn it."""
    if scores.ndim == 1:
        behind = np.abs(scores - model.decision.threshold)
    else:
        every = np.arange(len(truth))
        with np.errstate(invalid="ignore"):
            behind = scores[every, predicted] - scores[every, truth]
    wrong = np.flatnonzero(predicted != truth)
    order = wrong[np.argsort(-behind[wrong], kind="stable")][:MOST_WRONG]
    names = model.classes.names
    return [
        Worst(
            table.origin.of(int(i)), names[truth[i]], names[predicted[i]], float(behind[i]),
            shown(model.plan, table, i), _turned(model, table, int(i)) if place < turned else "",
            _why(model, table, int(i)) if place < turned and model.plan.texts else None,
            _pulls(model, table, int(i), int(predicted[i]), int(truth[i])) if place < MOST_PULLED else None,
        )
        for place, i in enumerate(order)
    ]  # fmt: skip


def _pulls(model: Model, table: Table, row: int, predicted: int, true: int) -> Pulls | None:
    """The training rows that made a row of one class come out as another; None where the model is not made of rows."""
    rows = model.learner.rows(model.plan, table.take(np.array([row])))
    return model.learner.pulls(rows, predicted, true, PULLING)


def _turned(model: Model, table: Table, row: int) -> str:
    """What would turn the decision about a row, on one line; nothing where no change of a word or value does."""
    try:
        found = model.flip(table.take(np.array([row])))
    except SettingError:
        return ""
    some = "; ".join(map(str, found.changes[:MOST_CHANGES]))
    return f"{found.said}: {some}{'; …' if len(found.changes) > MOST_CHANGES else ''}"


def _why(model: Model, table: Table, row: int) -> Why | None:
    """The text of a row with what each word adds; None where scores are no sums."""
    one = table.take(np.array([row]))
    try:
        return why(model.plan, one, model.explain(one))
    except SettingError:
        return None
