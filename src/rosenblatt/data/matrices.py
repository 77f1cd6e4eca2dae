"""Sparse matrices of scipy, looked at before scipy follows their numbers, unseen and out of its memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rosenblatt.errors import DataError
from rosenblatt.loops.rows import Sparse, Words, check_starts


def as_csr(matrix: Any) -> Any:
    """The matrix in the format CSR. Its row starts are sound; its columns are for the one who uses them to check."""
    if matrix.format == "csr":
        _check_arrays(matrix)
        check_starts(matrix.indptr, min(len(matrix.indices), len(matrix.data)))
        return matrix
    check_coordinates(matrix)
    return matrix.tocsr()


def is_whole(matrix: Any) -> bool:
    """Whether the three arrays of a CSR matrix are what they must be, whatever numbers they hold."""
    starts, columns, values = matrix.indptr, matrix.indices, matrix.data
    return (
        starts.ndim == columns.ndim == values.ndim == 1
        and starts.dtype.kind in "iu"
        and columns.dtype.kind in "iu"
        and values.dtype.kind in "biufc"
        and len(starts) == matrix.shape[0] + 1
    )


def _check_arrays(matrix: Any) -> None:
    if not is_whole(matrix):
        raise DataError(
            f"the sparse matrix is damaged: {matrix.shape[0]} rows need {matrix.shape[0] + 1} row starts and whole "
            f"column numbers, in flat arrays; got {_said(matrix.indptr)}, {_said(matrix.indices)} and values "
            f"{_said(matrix.data)}. Build it anew from its coordinates."
        )


def _said(array: Any) -> str:
    return f"{array.dtype} of shape {array.shape}"


def check_coordinates(matrix: Any) -> None:
    """DataError where the matrix names places outside itself."""
    try:
        if matrix.format in ("csr", "csc", "bsr"):
            matrix.check_format(full_check=True)
        elif matrix.format == "coo" and matrix.nnz:
            for axis, numbers in enumerate(matrix.coords):
                lowest, highest = int(np.min(numbers)), int(np.max(numbers))
                if lowest < 0 or highest >= matrix.shape[axis]:
                    wrong = lowest if lowest < 0 else highest
                    raise ValueError(f"it names place {wrong} of axis {axis}, which has {matrix.shape[axis]}")
    except ValueError as error:
        raise DataError(f"the sparse matrix is damaged: {error}. Build it anew from its coordinates.") from error


def side_by_side(parts: Sequence[tuple[Any, ...]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Starts, columns and values of rows that hold what they have in each part, one part after the other."""
    starts = np.sum([part[0] for part in parts], axis=0).astype(np.int64)
    columns, values = np.empty(int(starts[-1]), np.uint32), np.empty(int(starts[-1]))
    free = starts[:-1].copy()
    for own, part_columns, part_values in parts:
        lengths = np.diff(own)
        places = np.repeat(free - own[:-1], lengths) + np.arange(len(part_columns))
        columns[places], values[places] = part_columns, part_values
        free += lengths
    return starts, columns, values


def csr_of(rows: Sparse | Words) -> Any:
    """The rows as scipy's matrix."""
    from scipy.sparse import csr_array

    starts = rows.starts.astype(np.int64)
    values = np.repeat(rows.scales, np.diff(starts)) if isinstance(rows, Words) else rows.values
    return csr_array((values, rows.columns.astype(np.int64), starts), shape=(len(starts) - 1, rows.n_columns))
