"""Sums of rows in exact arithmetic: every float is a whole number times a power of two."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from rosenblatt.loops.rows import Dense, Rows, Sparse, n_features


def features(rows: Rows, i: int) -> tuple[np.ndarray, np.ndarray]:
    """Columns and values of row i that are not zero, the constant feature, if there is one, as the last."""
    if isinstance(rows, Dense):
        columns = np.flatnonzero(rows.values[i])
        values = rows.values[i, columns].astype(np.float64)
    else:
        part = slice(int(rows.starts[i]), int(rows.starts[i + 1]))
        columns = rows.columns[part].astype(np.intp)
        if isinstance(rows, Sparse):
            values = rows.values[part].astype(np.float64)
        else:
            values = np.full(len(columns), rows.scales[i], np.float64)
    if rows.bias:
        columns, values = np.append(columns, n_features(rows)), np.append(values, rows.bias)
    return columns, values


def rows_cancel(rows: Rows, parts: Iterable[tuple[int, int, int, Fraction]]) -> bool:
    """True if the given multiples of signed rows sum to zero exactly.

    Each part is (row, class rewarded, class punished, multiplier): it adds the multiple of f(x) to the block of the
    one class and takes it from the block of the other. With two classes both blocks say the same.
    """
    total: defaultdict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for row, gains, loses, multiplier in parts:
        columns, values = features(rows, row)
        for column, value in zip(columns.tolist(), values.tolist(), strict=True):
            change = multiplier * Fraction(value)
            total[gains, column] += change
            total[loses, column] -= change
    return not any(total.values())
