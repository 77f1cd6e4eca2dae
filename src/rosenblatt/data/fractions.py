"""The plain columns of a table of very many: numbers of float64, finite and in every row, to be seen as matrices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.lib.stride_tricks import as_strided

FLOAT = pa.float64()
FEWEST, CELLS = 16, 1 << 16  # columns of one matrix at least, and numbers: what a core keeps close at hand


class Fractions:
    """By name the columns of plain numbers. Nothing is copied where they lie in memory one after the other."""

    def __init__(self, columns: Any) -> None:
        self.at_once = max(FEWEST, CELLS // max(1, columns.num_rows))
        self.arrays: dict[str, np.ndarray] = {}
        for name, column in zip(columns.column_names, columns.itercolumns(), strict=True):
            if column.type == FLOAT and not column.null_count and column.num_chunks == 1:
                self.arrays[name] = column.chunk(0).to_numpy()
        self.places = {name: array.ctypes.data for name, array in self.arrays.items()}
        for names, matrix in self.matrices(list(self.arrays)):
            with np.errstate(over="ignore", invalid="ignore"):
                finite = np.isfinite(matrix.sum(axis=1))
            for name in () if finite.all() else (names[k] for k in np.flatnonzero(~finite)):
                del self.arrays[name]  # or its sum overflows: it is looked at by itself

    def matrices(self, names: Sequence[str]) -> Iterator[tuple[list[str], np.ndarray]]:
        """Some of these columns at a time, those that are plain, as the rows of a matrix that nobody may change."""
        for start in range(0, len(names), self.at_once):
            some = [name for name in names[start : start + self.at_once] if name in self.arrays]
            if some:
                yield some, self._matrix(some)

    def _matrix(self, names: Sequence[str]) -> np.ndarray:
        first = self.arrays[names[0]]
        steps = np.diff([self.places[name] for name in names])
        if len(steps) and (steps == steps[0]).all() and first.flags.c_contiguous:
            return as_strided(first, (len(names), len(first)), (int(steps[0]), first.itemsize), writeable=False)
        return np.stack([self.arrays[name] for name in names])
