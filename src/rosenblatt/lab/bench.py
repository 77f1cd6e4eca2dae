"""The points that a proof is asked about, checked; and what the plane of the page takes."""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.errors import DataError, SettingError
from rosenblatt.lab.wanted import number, several, truth, whole

MOST_POINTS = 2000
MOST_FEATURES = 8
MOST_CLASSES = 6  # as many as the page has shapes
LARGEST = 1e9  # of a coordinate


def read_bench(body: dict[str, Any]) -> tuple[np.ndarray, np.ndarray, bool]:
    """Points, the places of their classes among those in use, and whether there is a bias; or what is wrong."""
    points = _points(body.get("points"))
    labels = several("labels", body.get("labels"), MOST_POINTS)
    if len(labels) != len(points):
        raise DataError(f"there are {len(points)} points but {len(labels)} labels; give one for each.")
    classes, codes = np.unique([whole("a label", label, 0, MOST_CLASSES - 1) for label in labels], return_inverse=True)
    if len(classes) < 2:
        raise DataError("all points are of one class. Add a point of another; a perceptron needs two.")
    settings = body.get("settings", {})
    if not isinstance(settings, dict):
        raise SettingError("settings must be an object.")
    return points, codes, truth("bias", settings.get("bias", True))


def _points(given: Any) -> np.ndarray:
    if isinstance(given, list) and len(given) > MOST_POINTS:
        raise DataError(f"the lab takes at most {MOST_POINTS:,} points; got {len(given):,}. Take a sample of them.")
    rows = several("points", given, MOST_POINTS, 2)
    width = len(rows[0]) if isinstance(rows[0], list) else 0
    if not 1 <= width <= MOST_FEATURES:
        raise DataError(f"a point must be a list of 1 to {MOST_FEATURES} numbers.")
    for place, row in enumerate(rows):
        if not isinstance(row, list) or len(row) != width:
            raise DataError(f"point {place + 1} must have {width} numbers, as the first has.")
        for value in row:
            number(f"a coordinate of point {place + 1}", value, -LARGEST, LARGEST)
    return np.array(rows, np.float64)
