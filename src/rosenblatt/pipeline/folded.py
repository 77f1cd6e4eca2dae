"""`cv`: the whole procedure cross-validated in place of a test part.

In each fold everything is done anew without the rows that are scored: plan, search, choice, fit, line, probabilities.
So the figures are those of the procedure; the model that is written is what it makes of all rows.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rosenblatt.data import cache
from rosenblatt.data.table import Table
from rosenblatt.errors import DataError, SettingError
from rosenblatt.features.folds import Fold
from rosenblatt.model import Evaluation, Evidence, Model, Worst
from rosenblatt.model.card import FoldResult, Measures
from rosenblatt.model.reliability import COVERAGE, Coverage, Reliability
from rosenblatt.pipeline.card import with_folds
from rosenblatt.pipeline.config import Config
from rosenblatt.pipeline.evidence import MOST_WRONG, evidence_of, worst_rows
from rosenblatt.pipeline.merit import reached
from rosenblatt.pipeline.operating import measures
from rosenblatt.pipeline.procedure import Made, learn_whole
from rosenblatt.pipeline.progress import Progress, silent
from rosenblatt.pipeline.ready import Ready
from rosenblatt.pipeline.runs import Conduct

OTHERS = {
    "test": "cv takes the place of a test part. Leave out test, or cv.",
    "fit_all": "with cv the model is fitted to all rows anyway. Leave out fit_all.",
    "seeds": "seeds tells how test rows fare in several orders, and with cv there are none. Leave out one of them.",
}


@dataclass(frozen=True, eq=False)
class Scored:
    """The rows of one fold, by the model that the procedure made of the others."""

    result: FoldResult
    truth: np.ndarray
    predicted: np.ndarray
    probabilities: np.ndarray | None
    members: np.ndarray | None  # for each row and class whether the class is in the row's set
    goal: Measures | None
    worst: list[Worst]

    @classmethod
    def of(cls, made: Made, tested: Table, truth: np.ndarray, asked: Config, ready: Ready) -> Scored:
        """What the model makes of rows that it has not seen."""
        model, decision = made.model, made.model.decision
        scores = model.scores(tested)
        predicted, calibration = decision.decide(scores), decision.calibration
        result: FoldResult = {
            "rows": len(truth),
            "accuracy": float(np.mean(predicted == truth)),
            "choice": made.settled.chosen.name,
        }
        if ready.choices.merit != "accuracy":
            result["merit"] = reached(scores, truth, decision, ready.choices)
        return cls(
            result,
            truth,
            predicted,
            None if calibration is None else decision.probabilities(scores),
            None if calibration is None or calibration.ranks is None else decision.sets(scores, COVERAGE),
            None if asked.goal is None else measures(scores, truth, decision),
            worst_rows(model, tested, truth, scores, predicted),
        )


def check_folded(ready: Ready, asked: Config) -> None:
    """Refuses what asks for test rows, and rows that cannot be parted; asked before anything is learned."""
    for name, said in OTHERS.items():
        if name in asked.values:
            raise SettingError(said)
    parts = _folds(ready)
    try:
        for fold in parts:
            ready.of_rows(fold.train, asked)
    except DataError:
        parts = []
    if not parts:
        raise DataError(
            f"{ready.table.origin.source}: too few rows that may be parted for {asked.get('cv')} folds, each with "
            "training and validation rows. Give more of each class, or leave out cv."
        )


def cross_validated(made: Made, ready: Ready, asked: Config, conduct: Conduct) -> tuple[Evidence, Model]:
    """What a report shows, and the model with a card that says how the procedure did out of fold."""
    parts, scored = _folds(ready), list[Scored]()
    quiet = replace(conduct, watch=silent)
    for number, fold in enumerate(parts, 1):
        with cache.passing():
            inner = ready.of_rows(fold.train, asked)
            found = learn_whole(inner, asked, quiet)
            tested, truth = ready.table.take(fold.validation), ready.codes[fold.validation]
            scored.append(Scored.of(found, tested, truth, asked, ready))
        accuracy, choice = scored[-1].result["accuracy"], scored[-1].result["choice"]
        conduct.watch(Progress(f"fold {number} of {len(parts)}: {accuracy:.1%} by {choice}"))
    evaluation = _pooled(ready.classes.names, scored)
    goals = [each.goal for each in scored if each.goal is not None]
    model = with_folds(made.model, [each.result for each in scored], evaluation, _mean(goals) if goals else None)
    worst = sorted((one for each in scored for one in each.worst), key=lambda one: -one.margin)[:MOST_WRONG]
    return evidence_of(model, made.trials, made.final, evaluation, worst, None, "rows out of fold"), model


def _folds(ready: Ready) -> Sequence[Fold]:
    return ready.folds(np.arange(ready.table.n_rows), int(ready.choices.cv or 0))


def _pooled(names: tuple[str, ...], scored: Sequence[Scored]) -> Evaluation:
    """All rows that were scored, each once."""
    truth, predicted = (_joined(scored, name) for name in ("truth", "predicted"))
    found, more = Evaluation.of(names, truth, predicted), dict[str, Any]()
    if all(each.probabilities is not None for each in scored):
        more["reliability"] = Reliability.of(_joined(scored, "probabilities"), predicted, truth)
    if all(each.members is not None for each in scored):
        more["coverage"] = Coverage.of(_joined(scored, "members"), truth, COVERAGE)
    return replace(found, **more)


def _joined(scored: Sequence[Scored], name: str) -> np.ndarray:
    return np.concatenate([getattr(each, name) for each in scored])


def _mean(found: Sequence[Measures]) -> Measures:
    """The mean of each measure over the folds."""
    values: list[Any] = [list(each.values()) for each in found]
    means: Any = dict(zip(found[0], map(statistics.fmean, zip(*values, strict=True)), strict=True))
    measured: Measures = means
    return measured
