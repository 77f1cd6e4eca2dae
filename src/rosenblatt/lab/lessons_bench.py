"""What a lesson lays on the bench, and how its points, scores and choices are told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict, Unpack

import numpy as np

from rosenblatt.lab.bench import Bench, read_bench
from rosenblatt.lab.course import Course, make_course
from rosenblatt.lab.presets import SIGNS
from rosenblatt.lab.proof import tell
from rosenblatt.traces.numerals import expanded, numeral

Vector = Sequence[float] | np.ndarray


class Laid(TypedDict, total=False):
    """What a lesson sets of a run."""

    passes: int
    start: Sequence[float] | Sequence[Sequence[float]]  # bias first; for more than two classes a row for each
    bias: bool


def lay(points: Any, labels: Any, classes: Sequence[str] = SIGNS, **settings: Unpack[Laid]) -> dict[str, Any]:
    """A bench as the calls of the page take it; settings that are not given are the usual ones."""
    plain = {"points": points, "labels": labels, "classes": list(classes), "features": ["x1", "x2"]}
    return plain | {"settings": settings}


def course(laid: dict[str, Any]) -> Course:
    return make_course(bench_of(laid))


def proved(laid: dict[str, Any]) -> dict[str, Any]:
    return tell(bench_of(laid))


def bench_of(laid: dict[str, Any]) -> Bench:
    return read_bench(laid)


def place(point: Vector) -> str:
    return f"({', '.join(numeral(float(value)) for value in point)})"


def scored(weights: Vector, point: Vector) -> dict[str, Any]:
    """The score of a point, with the sum that it is; a weight more than the point has numbers is that of the bias."""
    w = np.asarray(weights, np.float64)
    f = np.asarray(point, np.float64)
    if len(w) > len(f):
        f = np.insert(f, 0, 1.0)
    score = float(w @ f)
    return {"at": place(point), "score": score, "text": numeral(score), "sum": expanded(w.tolist(), f.tolist(), score)}


def option(text: str, right: bool) -> dict[str, Any]:
    """One answer that a person may choose."""
    return {"text": text, "right": bool(right)}
