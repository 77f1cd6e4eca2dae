"""Where to draw the line between two classes: a share of false alarms that is allowed, or what mistakes cost.

Scores of rows that were learned from are no guide, so the line is drawn by the rows that probabilities are made by:
those out of fold, or those held out. Where there are none, or validation rows are given apart, it is drawn by the
validation rows and a model that was fitted to the training rows alone. Scores of the model that is fitted to both are
larger, since there are more updates, so the line is moved as the spread of the scores is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from rosenblatt.errors import SettingError
from rosenblatt.features.labels import place_of_positive
from rosenblatt.model import Decision, Model
from rosenblatt.model.card import GoalResult, Measures
from rosenblatt.model.ranking import Ranking
from rosenblatt.pipeline.family import Candidate, Parts
from rosenblatt.pipeline.final import fit
from rosenblatt.pipeline.progress import silent
from rosenblatt.pipeline.runs import Conduct

POSITIVE = 1  # the number of the positive class: with a goal `Classes.learn` puts it second


@dataclass(frozen=True)
class Goal:
    """Which of two classes matters, and what may be paid for it: at most one of the two."""

    positive: str
    max_false_positives: float | None = None  # share of the other class that may be taken for it
    cost_false_positive: float | None = None
    cost_false_negative: float | None = None

    def __post_init__(self) -> None:
        costs = (self.cost_false_positive, self.cost_false_negative)
        share = self.max_false_positives
        if share is not None and not 0 <= share < 1:
            raise SettingError(f"max_false_positives must be a share from 0 to below 1, such as 0.1%; got {share!r}.")
        if share is not None and any(cost is not None for cost in costs):
            raise SettingError("give a share of false positives or costs, not both.")
        for name, cost in zip(("cost_false_positive", "cost_false_negative"), costs, strict=True):
            if cost is not None and not 0 <= cost < math.inf:
                raise SettingError(f"{name} must be 0 or more; got {cost:g}. A mistake cannot cost less than nothing.")

    @property
    def costs(self) -> tuple[float, float] | None:
        """What a false alarm and a miss cost, 1 where only the other was said; None where neither was."""
        given = (self.cost_false_positive, self.cost_false_negative)
        if given == (None, None):
            return None
        alarm, miss = (1.0 if cost is None else float(cost) for cost in given)
        return alarm, miss

    def check(self, classes: tuple[str, ...]) -> None:
        """Refuses classes that the goal cannot be about; asked before anything is learned."""
        place_of_positive(self.positive, classes)


def by_ranking(model: Model, goal: Goal, ranking: Ranking) -> Model:
    """The model with its line drawn by the rows that its probabilities are made by, and what that gives there."""
    line = _line(ranking, goal)
    at = ranking.at(line)
    hits, alarms = int(ranking.hits[at]), int(ranking.alarms[at])
    found = _measured(hits, alarms, ranking)
    facts = model.card["calibration"]
    right = hits + ranking.others - alarms
    model = replace(model, card={**model.card, "calibration": {**facts, "right": right}})
    return _with_line(model, goal, line, found, facts["by"])


def by_validation(model: Model, goal: Goal, parts: Parts, chosen: Candidate, seed: int, conduct: Conduct) -> Model:
    """The model with its line drawn by the validation rows, and what that gives there."""
    early = fit(chosen, parts.train, parts.truth, parts.n_classes, seed, replace(conduct, watch=silent))
    scores = early.learner.scores(early.learner.rows(early.plan, parts.validation))
    line = _line(Ranking.of(scores, parts.wanted), goal)
    found = measures(scores, parts.wanted, replace(model.decision, threshold=line))
    if model.learner.grows and line:
        later = model.scores(parts.validation)
        before = float(np.std(scores))
        line = line * (float(np.std(later)) / before if before else 1.0)
    return _with_line(model, goal, line, found, "validation")


def _with_line(model: Model, goal: Goal, line: float, found: Measures, by: str) -> Model:
    result: GoalResult = {
        "positive": goal.positive,
        "max_false_positives": goal.max_false_positives,
        "costs": [goal.cost_false_positive, goal.cost_false_negative],
        "by": by,
        "validation": found,
        "threshold": line,
    }
    return replace(model.with_threshold(line), card={**model.card, "goal": result})


def _line(ranking: Ranking, goal: Goal) -> float:
    """The threshold on the score of the positive class that suits the goal best; 0 where the goal asks for nothing."""
    if goal.max_false_positives is not None:
        allowed = np.flatnonzero(ranking.alarms <= goal.max_false_positives * max(ranking.others, 1))
        return float(ranking.lines[allowed[np.argmax(ranking.hits[allowed])]])
    if goal.costs is not None:
        return float(ranking.lines[np.argmin(ranking.costs(*goal.costs))])
    return 0.0


def measures(scores: np.ndarray, truth: np.ndarray, decision: Decision) -> Measures:
    """Precision, recall, F1 and the area under the ROC curve for the positive class."""
    predicted, positive = decision.decide(scores) == POSITIVE, truth == POSITIVE
    hits, alarms = int((predicted & positive).sum()), int((predicted & ~positive).sum())
    return _measured(hits, alarms, Ranking.of(scores, truth))


def _measured(hits: int, alarms: int, ranking: Ranking) -> Measures:
    """What so many hits and false alarms among the rows that are ranked come to."""
    misses = ranking.positives - hits
    return {
        "precision": hits / (hits + alarms) if hits + alarms else 0.0,
        "recall": hits / ranking.positives if ranking.positives else 0.0,
        "f1": 2 * hits / (2 * hits + alarms + misses) if hits + alarms + misses else 0.0,
        "false_positives": alarms / ranking.others if ranking.others else 0.0,
        "auc": ranking.area,
    }
