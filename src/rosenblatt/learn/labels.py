"""Labels that cannot be classes: missing ones, and such as have no order among each other."""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.errors import DataError


def check_labels(y: np.ndarray) -> None:
    """Refuses labels of which one is missing, by its row, or which cannot be sorted."""
    if y.dtype.kind == "f":
        gone = np.flatnonzero(np.isnan(y)).tolist()
    elif y.dtype.kind == "O":
        gone = [row for row, label in enumerate(y.tolist()) if _is_missing(label)]
    else:
        return  # text and whole numbers are all there, and in order
    if gone:
        raise DataError(f"y has no label in row {gone[0]}: it contains {y[gone[0]]}. Fill it in, or leave the row out.")
    if y.dtype.kind == "O" and len({isinstance(label, str) for label in y.tolist()}) == 2:
        raise DataError("y mixes text with other labels, and these have no order. Make them all text or all numbers.")


def _is_missing(label: Any) -> bool:
    """True for None, NaN, NaT and pandas' NA, which has no truth value when compared."""
    if label is None or type(label).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(label, float | np.floating) and label != label
