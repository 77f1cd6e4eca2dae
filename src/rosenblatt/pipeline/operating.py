"""Where to draw the line between two classes: a share of false alarms that is allowed, or what mistakes cost.

The line is drawn on the validation rows, by a model that was fitted to the training rows alone: scores of rows that
were learned from are no guide. Scores of the model that is fitted to both are larger, since there are more updates, so
the line is moved as the spread of the scores is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from rosenblatt.errors import SettingError
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
        if any(cost is not None and not 0 <= cost < math.inf for cost in costs):
            raise SettingError(f"costs must be 0 or more; got {costs[0]!r} and {costs[1]!r}.")

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
        if len(classes) != 2:
            raise SettingError(f"positive is for two classes; these are {len(classes)}. Leave it out.")
        if self.positive not in classes:
            raise SettingError(f"positive must be one of the classes, {' and '.join(classes)}; got {self.positive!r}.")


def set_threshold(model: Model, goal: Goal, parts: Parts, chosen: Candidate, seed: int, conduct: Conduct) -> Model:
    """The model with its line drawn on the validation rows, and what that gives there in its card."""
    early = fit(chosen, parts.train, parts.truth, parts.n_classes, seed, replace(conduct, watch=silent))
    scores = early.learner.scores(early.learner.rows(early.plan, parts.validation))
    line = _line(scores, parts.wanted, goal)
    found = measures(scores, parts.wanted, replace(model.decision, threshold=line))
    if model.learner.grows and line:
        later = model.scores(parts.validation)
        before = float(np.std(scores))
        line = line * (float(np.std(later)) / before if before else 1.0)
    result: GoalResult = {
        "positive": goal.positive,
        "max_false_positives": goal.max_false_positives,
        "costs": [goal.cost_false_positive, goal.cost_false_negative],
        "validation": found,
        "threshold": line,
    }
    return replace(model.with_threshold(line), card={**model.card, "goal": result})


def _line(scores: np.ndarray, truth: np.ndarray, goal: Goal) -> float:
    """The threshold on the score of the positive class that suits the goal best; 0 where the goal asks for nothing."""
    ranking = Ranking.of(scores, truth)
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
    misses = int((~predicted & positive).sum())
    precision = hits / (hits + alarms) if hits + alarms else 0.0
    recall = hits / (hits + misses) if hits + misses else 0.0
    return {
        "precision": precision,
        "recall": recall,
        "f1": 2 * hits / (2 * hits + alarms + misses) if hits + alarms + misses else 0.0,
        "false_positives": alarms / int((~positive).sum()) if (~positive).any() else 0.0,
        "auc": Ranking.of(scores, truth).area if len(scores) else math.nan,
    }
