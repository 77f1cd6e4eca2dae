"""Settings and start weights so large that a run could overflow are refused before it begins.

Rows and sample weights were looked at when the problem was made. The rate multiplies every update, and a run may start
at any weights: with both of them within bounds no weight, score or average of the run is ever infinite.
"""

from __future__ import annotations

import math

import numpy as np

from rosenblatt.errors import DataError, SettingError
from rosenblatt.learn.problem import LARGEST, Problem, check_finite
from rosenblatt.learn.rules import RULES
from rosenblatt.learn.settings import Settings
from rosenblatt.loops.rows import Rows, weight_type

# What a run may add to its weights before somebody continues it, compared with its first update.
GROWN = 1e9


def length(weights: np.ndarray) -> float:
    """The Euclidean length; squares of tiny and of huge weights neither vanish nor overflow."""
    squares = _squares(weights)
    if 1e-200 < squares < 1e200:
        return math.sqrt(squares)
    largest = float(np.max(np.abs(weights), initial=0.0))
    return largest * math.sqrt(_squares(weights / largest)) if largest else 0.0


def _squares(weights: np.ndarray) -> float:
    """Their sum. Not by BLAS: it wakes threads of its own, which wait for each other for milliseconds when they are
    tied to one core, and its sum depends on how many there are."""
    flat = weights.ravel(order="K")
    return float(np.einsum("i,i->", flat, flat, dtype=np.float64))


def check_bounds(problem: Problem, settings: Settings, weights: np.ndarray, scale: float = 1.0) -> None:
    """Raises SettingError or DataError if a run from these weights, times the scale, could overflow."""
    own = LARGEST[weight_type(problem.rows)]
    limit = min(own, LARGEST.get(weights.dtype, own))  # a run that began with float32 goes on with it on any rows
    longest = max(1.0, problem.radius**2)
    rule = RULES[settings.rule]
    step = rule.longest(settings)
    if step > 1 or limit < own:
        most = max(1.0, float(np.max(problem.amounts, initial=0.0)))
        if not longest * most < limit:
            raise DataError(
                f"the rows are so large (length squared {longest:.3g}) that scores could overflow: the run began with "
                f"weights of {weights.dtype}. Scale the columns, or begin anew with rows of float64."
            )
        if not step * longest * most < limit:
            value = getattr(settings, rule.rate)
            hint = " A run from 0 makes the same predictions with eta0=1." if rule.proves else ""
            raise SettingError(
                f"{rule.rate}={value:g} is so large that scores could overflow; with these rows it must be below "
                f"{limit / longest / most * (value / step):.3g}.{hint}"
            )
    if not math.isfinite(settings.margin / settings.eta0):
        raise SettingError(
            f"margin={settings.margin:g} is too large for steps of eta0={settings.eta0:g}: no run could reach it. "
            f"Lower the margin or raise eta0."
        )
    largest = max(float(np.max(weights, initial=0.0)), -float(np.min(weights, initial=0.0)))
    if not largest * math.sqrt(weights.size) * max(1.0, scale) * math.sqrt(longest) < limit * GROWN:
        raise DataError(
            f"the start weights are so large (up to {largest:.3g}) that scores of these rows could overflow. "
            f"Divide them and the rows by the same number."
        )


def check_scores(rows: Rows, scores: np.ndarray) -> np.ndarray:
    """The scores; DataError if one is not finite, as when a row is far larger than those that were learned from."""
    if not np.isfinite(scores).all():
        check_finite(rows)
        row = int(np.argwhere(~np.isfinite(scores))[0][0])
        raise DataError(
            f"row {row} holds values so large that its score overflows. Scale the columns, or leave it out."
        )
    return scores
