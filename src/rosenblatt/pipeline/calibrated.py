"""A model that gives probabilities: its calibration, learned from rows that it was not fitted to."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rosenblatt.learn.calibration import Ranks
from rosenblatt.model import Model
from rosenblatt.model.card import CalibrationFacts
from rosenblatt.pipeline.crossfit import ENOUGH, cross_fit, own_spread
from rosenblatt.pipeline.family import Candidate, Final
from rosenblatt.pipeline.finalists import Learned
from rosenblatt.pipeline.runs import Conduct


def calibrate(model: Model, chosen: Candidate, final: Final, learned: Learned, conduct: Conduct) -> Model:
    """The model with a calibration that was learned out of fold, and how it did there in its card.

    It is the same model otherwise: nothing that it predicts depends on it.
    """
    found = cross_fit(chosen, learned, conduct, enough=ENOUGH)
    if found is None:
        return model
    ranks = Ranks.of(found.probabilities, found.truth, held_out=False)
    calibration = replace(found.calibration, ranks=ranks).of_model(own_spread(final, learned.table))
    right = int(np.sum(chosen.decision.decide(found.scores) == found.truth))
    facts: CalibrationFacts = {
        "by": "folds", "folds": found.folds, "rows": len(found.rows), "right": right,
    }  # fmt: skip
    decision = replace(model.decision, calibration=calibration)
    return replace(model, decision=decision, card={**model.card, "calibration": facts})
