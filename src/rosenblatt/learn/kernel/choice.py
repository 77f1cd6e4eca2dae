"""Which kernel, with which numbers: checked before anything is computed."""

from __future__ import annotations

import math
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np

from rosenblatt.errors import DataError, SettingError
from rosenblatt.learn.exact import features
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.settings import whole
from rosenblatt.loops.exact_sum import exact_sum
from rosenblatt.loops.kernels import COSINE, KERNELS, POLY, RBF, Kernel
from rosenblatt.loops.rows import Dense, Rows, Words, n_features, n_rows

MOST_DEGREE = 30  # beyond it a row resembles nothing but itself
LARGEST = 1e250  # of K(x, x): sums of as many values as anybody could wait for stay finite
GAMMAS = ("scale", "auto")


def check_kernel(kernel: Any, degree: Any, gamma: Any, coef0: Any) -> None:
    """SettingError unless these can be the numbers of a kernel."""
    if not isinstance(kernel, str) or kernel not in KERNELS:
        raise SettingError(f"kernel must be one of 'rbf', 'poly', 'cosine'; got {kernel!r}.")
    whole("degree", degree, 1)
    if degree > MOST_DEGREE:
        raise SettingError(
            f"degree must be at most {MOST_DEGREE}, because beyond it every row resembles itself alone; got {degree!r}."
        )
    if gamma not in GAMMAS if isinstance(gamma, str) else not _is_number(gamma) or gamma <= 0:
        raise SettingError(f"gamma must be 'scale', 'auto' or a number above 0; got {gamma!r}.")
    if not _is_number(coef0) or coef0 < 0:
        raise SettingError(
            f"coef0 must be a number of at least 0: below it K is no product of features; got {coef0!r}."
        )


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)


def check_differing(problem: Problem) -> None:
    """DataError where all rows visited are equal: no curve tells their classes apart."""
    rows, visited = problem.rows, problem.visited
    lengths = problem.squares[visited]
    if (lengths != lengths[0]).any():
        return
    columns, values = features(rows, int(visited[0]))
    for i in visited[1:].tolist():
        own = features(rows, i)
        if not np.array_equal(columns, own[0]) or not np.array_equal(values, own[1]):
            return
    raise DataError(f"all {len(visited)} rows are equal, so no curve can tell their classes apart. Check the columns.")


def make_kernel(
    kernel: str, degree: int, gamma: Any, coef0: float, rows: Rows, squares: np.ndarray, bias: float = 0.0
) -> Kernel:
    """The kernel for these rows of lengths² `squares`; its numbers were checked by `check_kernel` before.

    bias    what is added to rbf and cosine; poly has coef0
    """
    kind, longest = KERNELS.index(kernel), float(np.max(squares, initial=0.0))
    value = 1.0 if kind == COSINE else gamma_of(gamma, rows, squares)
    made = Kernel(kind, 1 if kind == RBF else int(degree), value, float(coef0 if kind == POLY else bias))
    check_size(made, longest)
    return made


def check_size(kernel: Kernel, longest: float) -> None:
    """SettingError where values of the kernel could overflow on rows up to this length²."""
    if kernel.kind == POLY and not _largest(kernel, longest) < LARGEST:
        raise SettingError(
            f"degree={kernel.degree} makes kernel values so large (longest row: length squared {longest:.3g}, "
            f"gamma={kernel.gamma:.3g}) that scores could overflow. Lower degree or gamma, or use kernel='cosine'."
        )
    if kernel.kind == RBF and not math.isfinite(4 * kernel.gamma * longest):
        raise SettingError(f"gamma={kernel.gamma:g} is too large for rows of length squared {longest:.3g}. Lower it.")


def _largest(kernel: Kernel, longest: float) -> float:
    """The largest |K| of rows up to this length²; infinite where it is no number."""
    base = kernel.gamma * longest + kernel.coef0
    if not base < math.inf:
        return math.inf
    return math.exp(min(kernel.degree * math.log(base), 700.0)) if base > 0 else 0.0


def gamma_of(gamma: Any, rows: Rows, squares: np.ndarray) -> float:
    """The number that a gamma stands for: "scale" is 1 / (columns × variance of all values), "auto" 1 / columns.

    Sums are exact and rounded once, so that the same rows in any storage and order have the same gamma.
    """
    if not isinstance(gamma, str):
        return float(gamma)
    columns = max(1, n_features(rows))
    if gamma == "auto":
        return 1.0 / columns
    size = max(1, n_rows(rows) * columns)
    spread = exact_sum(squares) / size - (value_sum(rows) / size) ** 2
    found = float(1 / (columns * spread)) if spread > 0 else 1.0
    return found if 0 < found < math.inf else 1.0


def value_sum(rows: Rows) -> Fraction:
    """The sum of all values, exactly."""
    if isinstance(rows, Dense):
        if rows.values.dtype == np.uint8:
            return Fraction(int(rows.values.sum(dtype=np.uint64)))
        return exact_sum(rows.values.reshape(-1))
    if isinstance(rows, Words):
        return exact_sum(np.repeat(rows.scales, np.diff(rows.starts).astype(np.int64)))
    return exact_sum(rows.values[int(rows.starts[0]) : int(rows.starts[-1])])
