"""The two losses of the notes, section 4: the share of wrong rows, and how far wrong rows are wrong."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rosenblatt.learn.problem import Problem
from rosenblatt.loops.ties import bounds


class Losses(NamedTuple):
    """Means over the rows, each row counted once.

    At weights 0 every score ties: the perceptron loss is 0, and the 0/1 loss is 1 where a tie counts as a mistake.
    """

    zero_one: float
    perceptron: float


def losses_of(problem: Problem, weights: np.ndarray, ties: str, scale: float = 1.0) -> Losses:
    """The losses of weights (by class, unscaled) over the rows that are visited, as a pass would score them."""
    visited, laid = problem.visited, problem.layout(weights)
    right = problem.right(visited, bounds(ties), laid)
    lost = row_losses(problem.pass_scores(visited, laid), problem.truth[visited])
    return Losses(1 - right / len(visited), float(lost.mean()) * scale)


def leads(scores: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """How far the true class of each row is ahead of the best other one; y·w·x where there are two."""
    if scores.ndim == 1:
        return np.where(truth == 1, scores, -scores)
    each = np.arange(len(truth))
    others = scores.copy()
    others[each, truth] = -np.inf
    return np.asarray(scores[each, truth] - others.max(axis=1))


def row_losses(scores: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Perceptron loss of each row: how far the best other class is ahead of the true one, or 0."""
    if scores.ndim == 1:
        return np.maximum(0, np.where(truth == 1, -scores, scores))
    own = np.take_along_axis(scores, truth[:, None], axis=1)[:, 0]
    return np.maximum(0, scores.max(axis=1) - own)
