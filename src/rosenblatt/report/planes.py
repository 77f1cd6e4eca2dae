"""A model over a plane: the two columns of numbers that it reads, and its answers at places between."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from rosenblatt.data.table import Table, counted
from rosenblatt.features.numeric import Numeric
from rosenblatt.model import Model

EDGE = 0.08  # of the span of the points, left free around them


def two_columns(model: Model) -> tuple[Numeric, Numeric] | None:
    """The two columns of numbers that the model reads; None where it reads others."""
    used = [line for line in model.plan.lines if line.width]
    numeric = [line for line in used if isinstance(line, Numeric)]
    return (numeric[0], numeric[1]) if len(used) == len(numeric) == 2 else None


def as_table(columns: tuple[str, str], places: np.ndarray) -> Table:
    """Places, one a line, as rows that a model reads."""
    return Table(pa.table(dict(zip(columns, places.T, strict=True))), None, None, counted("grid", "row", len(places)))


def span_of(values: np.ndarray) -> tuple[float, float]:
    """The lowest and the highest of the values, with some room around them."""
    known = values[~np.isnan(values)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    free = EDGE * (high - low) or 0.5
    return low - free, high + free
