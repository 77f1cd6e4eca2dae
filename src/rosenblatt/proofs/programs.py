"""The linear program of a few signed rows, solved in floating point by HiGHS: a hint, never a proof.

Problem  maximise t where z_i·w >= t for the given rows, −1 <= w_j <= 1, t <= 1
Given    signed rows; each is scaled to length about 1 and each column to about 1, by powers of two, which is exact
Returns  weights, t, and the multipliers of the rows. t > 0: the weights may separate them. t = 0: by duality the
         rows, so multiplied, may cancel; the solver stops at a vertex, so few multipliers are not zero
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt.proofs.clock import Clock, TimeIsUp
from rosenblatt.proofs.matrix import SignedRows


@dataclass(frozen=True)
class Hint:
    """What the solver says, in terms of the unscaled rows."""

    weights: np.ndarray  # one for each column in use
    margin: float  # t, in terms of the scaled rows
    multipliers: np.ndarray


def solve(signed: SignedRows, clock: Clock) -> Hint | None:
    """The solver's hint, or None where it gives up."""
    from scipy import sparse
    from scipy.optimize import linprog

    matrix: Any = signed.values
    dense = isinstance(matrix, np.ndarray)
    largest = abs(matrix).max(axis=0) if dense else abs(matrix).max(axis=0).toarray().ravel()
    columns = _inverse(largest)
    scaled = matrix * columns if dense else matrix.multiply(columns[None, :]).tocsr()
    lengths = np.linalg.norm(scaled, axis=1) if dense else np.sqrt(scaled.multiply(scaled).sum(axis=1))
    rows = _inverse(lengths)
    scaled = scaled * rows[:, None] if dense else scaled.multiply(rows[:, None]).tocsr()
    count, width = scaled.shape
    ones = np.ones((count, 1))
    system = np.concatenate([-scaled, ones], axis=1) if dense else sparse.hstack([-scaled, ones], format="csc")
    costs = np.zeros(width + 1)
    costs[-1] = -1.0
    bounds = np.array([[-1.0, 1.0]] * width + [[0.0, 1.0]])
    options = {} if clock.end == float("inf") else {"time_limit": clock.left}
    answer = linprog(costs, A_ub=system, b_ub=np.zeros(count), bounds=bounds, method="highs", options=options)
    if answer.status == 1:
        clock.look()
        raise TimeIsUp
    if answer.status != 0:
        return None
    return Hint(answer.x[:-1] * columns, float(answer.x[-1]), -answer.ineqlin.marginals * rows)


def _inverse(values: np.ndarray) -> np.ndarray:
    """Powers of two that bring the values to between a half and 1, as far as floats reach."""
    return np.ldexp(1.0, np.clip(-np.frexp(values)[1], -1000, 1000))
