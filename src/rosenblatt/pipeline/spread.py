"""How much the order of the rows matters: the choice fitted in several orders, as one run is only a sample."""

from __future__ import annotations

import statistics

import numpy as np

from rosenblatt.data.table import Table
from rosenblatt.model import Model
from rosenblatt.model.card import Spread
from rosenblatt.pipeline.choices import Choices
from rosenblatt.pipeline.family import Final


def spread(final: Final, model: Model, tested: Table, choices: Choices) -> Spread:
    """Test accuracies over so many orders, the model's own first; naive Bayes is the same in any order."""
    truth = model.classes.encode(tested)
    found = []
    for seed in range(choices.seed, choices.seed + choices.seeds):
        learner = model.learner
        if final.again is not None and seed != choices.seed:
            learner = final.again(seed)
        predicted = model.decision.decide(learner.scores(learner.rows(model.plan, tested)))
        found.append(float(np.mean(predicted == truth)))
    return {
        "seeds": choices.seeds,
        "accuracies": found,
        "median": statistics.median(found),
        "lowest": min(found),
        "highest": max(found),
    }
