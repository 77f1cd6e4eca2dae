"""What lies on the bench: points, their classes and the choices of a run, checked; and the run, remembered.

Every call of the bench gives all of it, so that a page can be served by any session, also after it was forgotten.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np

from rosenblatt.errors import DataError, SettingError
from rosenblatt.lab.wanted import number, one_of, several, text, truth, whole
from rosenblatt.loops.rule import TIES

MOST_POINTS = 2000
MOST_FEATURES = 8
MOST_CLASSES = 6  # as many as the page has shapes
MOST_PASSES = 10_000
LARGEST = 1e9  # of a coordinate or a weight
LONGEST_NAME = 80


@dataclass(frozen=True, eq=False)
class Bench:
    """Points and choices. Classes are the numbers in use, ascending; `codes` gives the place of each point's class."""

    points: np.ndarray
    codes: np.ndarray
    classes: tuple[int, ...]
    names: tuple[str, ...]  # of the classes in use
    features: tuple[str, ...]
    ties: str
    bias: bool
    alpha: float
    margin: float
    seed: int | None  # of a shuffled order
    start: np.ndarray | None  # bias first
    passes: int
    key: str

    @property
    def columns(self) -> list[str]:
        """The names of the weights."""
        return (["bias"] if self.bias else []) + list(self.features)


def read_bench(body: dict[str, Any]) -> Bench:
    """The bench of a request; DataError or SettingError says what is wrong with it."""
    points = _points(body.get("points"))
    labels = _labels(body.get("labels"), len(points))
    classes, codes = np.unique(labels, return_inverse=True)
    if len(classes) < 2:
        raise DataError("all points are of one class. Add a point of another; a perceptron needs two.")
    names = _names("classes", body.get("classes"), MOST_CLASSES, "class {}", int(labels.max()) + 1)
    features = _names("features", body.get("features"), points.shape[1], "x{}", points.shape[1], first=1)
    given = body.get("settings", {})
    if not isinstance(given, dict):
        raise SettingError("settings must be an object.")
    unknown = sorted(set(given) - {"ties", "bias", "alpha", "margin", "shuffle", "seed", "start", "passes"})
    if unknown:
        raise SettingError(f"there is no setting {unknown[0][:40]!r}.")
    bias = truth("bias", given.get("bias", True))
    alpha = number("alpha", given.get("alpha", 1), 0, 1e6)
    if alpha < 1e-6:
        raise SettingError(f"alpha must be at least 0.000001; got {alpha:g}.")
    seed = whole("seed", given.get("seed", 0), 0, 2**32 - 1)
    used = tuple(int(c) for c in classes)
    return Bench(
        points=points,
        codes=codes.astype(np.int32),
        classes=used,
        names=tuple(names[c] for c in used),
        features=tuple(features),
        ties=one_of("ties", given.get("ties", "mistake"), TIES),
        bias=bias,
        alpha=alpha,
        margin=number("margin", given.get("margin", 0), 0, LARGEST),
        seed=seed if truth("shuffle", given.get("shuffle", False)) else None,
        start=_start(given.get("start"), points.shape[1] + bias, len(used)),
        passes=whole("passes", given.get("passes", 100), 1, MOST_PASSES),
        key=sha256(json.dumps([body.get(k) for k in ("points", "labels", "settings")]).encode()).hexdigest(),
    )


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


def _labels(given: Any, count: int) -> np.ndarray:
    labels = several("labels", given, MOST_POINTS)
    if len(labels) != count:
        raise DataError(f"there are {count} points but {len(labels)} labels; give one for each.")
    return np.array([whole("a label", label, 0, MOST_CLASSES - 1) for label in labels])


def _names(what: str, given: Any, most: int, form: str, least: int, first: int = 0) -> list[str]:
    """Names as they are given, and made ones for the rest."""
    names = [] if given is None else [text(what, name, LONGEST_NAME) for name in several(what, given, most)]
    return names + [form.format(first + place) for place in range(len(names), least)]


def _start(given: Any, width: int, n_classes: int) -> np.ndarray | None:
    if given is None:
        return None
    lines = [given] if n_classes == 2 else several("start", given, n_classes, n_classes)
    found = [[number("a start weight", w, -LARGEST, LARGEST) for w in several("start", line, 64)] for line in lines]
    if any(len(line) != width for line in found):
        each = "" if n_classes == 2 else f" for each of {n_classes} classes"
        raise SettingError(f"start must have {width} weights{each}, the bias first if there is one.")
    return np.array(found[0] if n_classes == 2 else found, np.float64)
