"""Association units: which of them are on, for tiles of rows. `reference.units` states the rule."""

from __future__ import annotations

import numpy as np

from rosenblatt.loops.compile import loop

ONE = np.uint64(1)


@loop
def sum_inputs(tile, inputs, signs, first, sums):
    """sums[u, r] = the signed sum of the inputs of unit first + u in row r, wire after wire.

    Given    tile[column, row]: the rows of a tile side by side, so that a wire adds one line to another
    """
    for u in range(len(sums)):
        line = sums[u]
        line[:] = 0.0
        for k in range(inputs.shape[1]):
            source, sign = tile[inputs[first + u, k]], signs[first + u, k]
            for r in range(len(line)):
                line[r] += sign * source[r]


@loop
def mark_units(sums, thresholds, first, on):
    """on[r, first + u] = 1 where the sum of a unit is above its threshold."""
    for u in range(len(sums)):
        level = thresholds[first + u]
        for r in range(sums.shape[1]):
            on[r, first + u] = sums[u, r] > level


@loop
def list_units(on, starts, columns):
    """columns = the units that are on in each row, one row after the other; starts are where rows begin."""
    for r in range(len(on)):
        to = starts[r]
        for u in range(on.shape[1]):
            if on[r, u]:
                columns[to] = u
                to += ONE
