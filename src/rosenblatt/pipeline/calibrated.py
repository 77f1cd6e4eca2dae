"""A model that gives probabilities: its calibration, learned from rows that it was not fitted to."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rosenblatt.data.table import Table
from rosenblatt.learn.calibration import Calibration, Ranks, calibration_for
from rosenblatt.model import Model
from rosenblatt.model.card import CalibrationFacts
from rosenblatt.model.ranking import Ranking
from rosenblatt.pipeline.crossfit import ENOUGH, Learned, OutOfFold, cross_fit, own_spread
from rosenblatt.pipeline.family import Candidate, Final
from rosenblatt.pipeline.runs import Conduct

PART = 4  # of the rows held out, one in so many makes the temperature, and the others the ranks


def calibrate(
    model: Model,
    chosen: Candidate,
    final: Final,
    learned: Learned,
    held: Table | None,
    scored: OutOfFold | None,
    conduct: Conduct,
) -> tuple[Model, Ranking | None]:
    """The model with a calibration by rows out of fold, or by rows held out; and for two classes what lines would give.

    It is the same model otherwise: nothing that it predicts depends on it.
    scored    the rows as the choice scored them out of fold when it was made; without it they are scored here
    """
    if held is not None:
        return by_rows(model, held)
    found = scored or cross_fit(chosen, learned, conduct, enough=ENOUGH)
    if found is None:
        return model, None
    spread = own_spread(final, learned.table)
    ranks = Ranks.of(found.probabilities, found.truth, held_out=False)
    calibration = replace(found.calibration, ranks=ranks).of_model(spread)
    right = int(np.sum(chosen.decision.decide(found.scores) == found.truth))
    made = _calibrated(
        model, calibration, {"by": "folds", "folds": found.folds, "rows": len(found.rows), "right": right}
    )
    return made, Ranking.of(found.scores * spread, found.truth) if found.scores.ndim == 1 else None


def by_rows(model: Model, held: Table) -> tuple[Model, Ranking | None]:
    """The model with a calibration by rows that it never saw, so that the coverage of sets is guaranteed.

    Sets of two classes depend on the order of the scores alone, so that all rows make both. The temperature of more
    classes changes that order, so that it must not know the rows of the ranks.
    """
    scores, truth = model.scores(held), model.classes.encode(held)
    first = np.ones(len(truth), bool) if scores.ndim == 1 else np.arange(len(truth)) % PART == 0
    rest = first if scores.ndim == 1 else ~first
    calibration = calibration_for(scores[first], truth[first])
    ranks = Ranks.of(calibration.probabilities(scores[rest]), truth[rest], held_out=True)
    right = int(np.sum(model.decision.decide(scores) == truth))
    facts: CalibrationFacts = {"by": "rows held out", "folds": 0, "rows": len(truth), "right": right}
    made = _calibrated(model, replace(calibration, ranks=ranks), facts)
    return made, Ranking.of(scores, truth) if scores.ndim == 1 else None


def _calibrated(model: Model, calibration: Calibration, facts: CalibrationFacts) -> Model:
    decision = replace(model.decision, calibration=calibration)
    return replace(model, decision=decision, card={**model.card, "calibration": facts})
