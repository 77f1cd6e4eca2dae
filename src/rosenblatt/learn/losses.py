"""The two losses of the notes, section 4: the share of wrong rows, and how far wrong rows are wrong."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rosenblatt.learn.decide import row_losses
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
