"""By what candidates are compared: a number from 0 to 1 for scores of rows that a candidate did not learn from."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from rosenblatt.errors import SettingError
from rosenblatt.learn.calibration import calibration_for
from rosenblatt.learn.decide import Decision
from rosenblatt.model.ranking import Ranking
from rosenblatt.model.reliability import LEAST

if TYPE_CHECKING:
    from rosenblatt.pipeline.choices import Choices

MERITS = ("accuracy", "balanced-accuracy", "f1", "auc", "log-loss")
OF_TWO = ("f1", "auc")


def check_merit(choices: Choices, classes: tuple[str, ...]) -> None:
    """Refuses a metric of two classes for more of them, before anything is learned."""
    if choices.choose_by in OF_TWO and len(classes) != 2:
        others = ", ".join(name for name in MERITS if name not in OF_TWO)
        raise SettingError(
            f"choose_by {choices.choose_by} is for two classes; these are {len(classes)}. Choose by one of {others}."
        )


def reached(scores: np.ndarray, truth: np.ndarray, decision: Decision, choices: Choices) -> float:
    """The merit of a finished model: by its own probabilities and at its own line, not by the best for these rows."""
    if choices.merit == "log-loss" and decision.calibration is not None:
        return math.exp(-_loss(decision.probabilities(scores), truth))
    if choices.merit == "cost":
        found, (alarm, miss) = decision.decide(scores), choices.costs or (1.0, 1.0)
        paid = alarm * int(np.sum((found == 1) & (truth == 0))) + miss * int(np.sum((found == 0) & (truth == 1)))
        most = max(alarm * int(np.sum(truth == 0)), miss * int(np.sum(truth == 1)))
        return 1 - paid / most if most else 1.0
    return merit(scores, truth, decision, choices)


def _loss(probabilities: np.ndarray, truth: np.ndarray) -> float:
    own = probabilities[np.arange(len(truth)), truth]
    return float(-np.mean(np.log(np.clip(own, LEAST, 1.0))))


def merit(scores: np.ndarray, truth: np.ndarray, decision: Decision, choices: Choices) -> float:
    """How well the scores suit what candidates are chosen by; the highest is the best."""
    by = choices.merit
    predicted = decision.decide(scores)
    if by == "accuracy":
        return float(np.mean(predicted == truth))
    if by == "balanced-accuracy":
        rows = np.bincount(truth)
        recalls = np.bincount(truth, predicted == truth)[rows > 0] / rows[rows > 0]
        return float(recalls.mean())
    if by == "weighted-accuracy":
        amounts = choices.weighing.amounts(truth, 2 if scores.ndim == 1 else scores.shape[1])
        return float(np.average(predicted == truth, weights=amounts))
    if by == "f1":
        hits = int(np.sum((predicted == 1) & (truth == 1)))
        return 2 * hits / max(1, int(np.sum(predicted == 1)) + int(np.sum(truth == 1)))
    if by == "log-loss":
        return math.exp(-_loss(calibration_for(scores, truth).probabilities(scores), truth))
    ranking = Ranking.of(scores, truth)
    if by == "auc":
        return 0.5 if math.isnan(ranking.area) else ranking.area
    alarm, miss = choices.costs or (1.0, 1.0)
    most = max(alarm * ranking.others, miss * ranking.positives)
    return 1 - float(ranking.costs(alarm, miss).min()) / most if most else 1.0
