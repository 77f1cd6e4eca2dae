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
    positive = truth == POSITIVE
    order = np.argsort(-scores, kind="stable")
    ranked, hits = scores[order], np.cumsum(positive[order])
    alarms = np.arange(1, len(order) + 1) - hits
    ends = np.append(np.flatnonzero(ranked[1:] != ranked[:-1]), len(ranked) - 1)  # equal scores fall on the same side
    hits, alarms = np.append(0, hits[ends]), np.append(0, alarms[ends])
    if goal.max_false_positives is not None:
        allowed = np.flatnonzero(alarms <= goal.max_false_positives * max(int((~positive).sum()), 1))
        cut = int(allowed[np.argmax(hits[allowed])])
    elif goal.cost_false_positive is not None or goal.cost_false_negative is not None:
        alarm, miss = (1.0 if c is None else c for c in (goal.cost_false_positive, goal.cost_false_negative))
        cut = int(np.argmin(alarm * alarms + miss * (positive.sum() - hits)))
    else:
        return 0.0
    bounds = np.concatenate([[ranked[0] + 1.0], ranked[ends], [ranked[-1] - 1.0]])
    return _between(float(bounds[cut]), float(bounds[cut + 1]))


def _between(high: float, low: float) -> float:
    """A line between two scores. At k = 0 naive Bayes has infinite ones; what is above must stay above the line."""
    if high == low:
        return high
    if math.isinf(high):
        return 0.0 if math.isinf(low) else low + 1.0
    return high - 1.0 if math.isinf(low) else (high + low) / 2


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
        "auc": area(scores, positive),
    }


def area(scores: np.ndarray, positive: np.ndarray) -> float:
    """The chance that a positive row scores above another one; ties count half."""
    pairs = int(positive.sum()) * int((~positive).sum())
    if not pairs:
        return math.nan
    _, places, counts = np.unique(scores, return_inverse=True, return_counts=True)
    middles = np.cumsum(counts) - (counts - 1) / 2  # the mean rank of equal scores
    ranks = float(middles[places][positive].sum())
    hits = int(positive.sum())
    return (ranks - hits * (hits + 1) / 2) / pairs
