"""Points to begin with: those of the notes, and some that a seed draws by a rule of our own, so that a link stays true.

No library's generator is used: its stream may change between versions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from rosenblatt.lab.sessions import Session
from rosenblatt.lab.wanted import whole
from rosenblatt.loops.order import row_hashes

SIGNS = ["−1", "+1"]
FIVE = [[1, 1], [3, 2], [2, 4], [3, 4], [2, 3]], [0, 1, 1, 1, 0]
CORNERS = [[0, 0], [0, 1], [1, 0], [1, 1]]
Drawn = tuple[list[list[float]], list[int]]


def presets(_: Session, body: dict[str, Any]) -> dict[str, Any]:
    """All of them; `seed` decides those that are drawn."""
    seed = whole("seed", body.get("seed", 0), 0, 2**32 - 1)
    found = [
        _preset(
            "notes",
            "The notes' five points",
            "Separable, but only just: from the weights of the notes, and all else as usual, it takes 232 passes and "
            "446 mistakes.",
            FIVE,
            start=[-1, 0, 0],
        ),
        _apples(),
        _preset("and", "AND", "True where both inputs are 1. One line does it.", (CORNERS, [0, 0, 0, 1])),
        _preset("or", "OR", "True where at least one input is 1. One line does it.", (CORNERS, [0, 1, 1, 1])),
        _preset("xor", "XOR", "True where the inputs differ. No line does it.", (CORNERS, [0, 1, 1, 0])),
        _preset("wide", "Wide margin", "Two groups far apart: few mistakes are enough.", _sides(seed, 40, 1.5, 1)),
        _preset("thin", "Thin margin", "A narrow gap: many mistakes, within the bound.", _sides(seed, 60, 0.06, 3)),
        _preset("noise", "Noise", "Two groups that overlap: no line is right everywhere.", _clouds(seed, 2, 40, 1.1)),
        _preset(
            "three",
            "Three classes",
            "One weight vector for each class; the highest score decides.",
            _clouds(seed, 3, 20, 0.55),
            classes=["a", "b", "c"],
        ),
        _preset(
            "duplicates",
            "Contradicting duplicates",
            "Two points lie in the same place and say different things. No boundary can be right on both.",
            ([[1, 1], [2, 1], [3, 3], [2, 3], [2, 2], [2, 2]], [0, 0, 1, 1, 0, 1]),
        ),
    ]
    return {"presets": found}


def _preset(name: str, title: str, words: str, drawn: Any, **more: Any) -> dict[str, Any]:
    points, labels = drawn
    plain = {"name": name, "title": title, "words": words, "points": points, "labels": labels}
    return plain | {"classes": SIGNS, "features": ["x1", "x2"], "start": None, "settings": {}} | more


def _apples() -> dict[str, Any]:
    """The table of the notes: how firm an apple is against its size, the two that can be drawn with fewest twins."""
    from rosenblatt.data import read
    from rosenblatt.lab.datasets import columns_of, pick_from

    table = read("apples")
    picked = pick_from(columns_of(table), "size", "firmness", "label")
    return _preset(
        "apples",
        "Apples",
        "Which apples taste good, by size (small 0 to large 2) and firmness (crunchy 1). Two features are not enough.",
        (picked.points.tolist(), picked.codes.tolist()),
        classes=list(picked.classes),
        features=["size", "firmness"],
    )


def uniform(seed: int, stream: int) -> Callable[[], float]:
    """Numbers from 0 to 1, one after the other, from the hash that also shuffles rows."""

    def numbers() -> Iterator[float]:
        begin = 0
        while True:
            which = np.arange(begin, begin + 256, dtype=np.uint32)
            yield from (row_hashes(seed * 16 + stream, which) / 2.0**64).tolist()
            begin += 256

    return numbers().__next__


def _sides(seed: int, count: int, gap: float, crowd: int) -> Drawn:
    """Points on both sides of a slanting line, none nearer to it than the gap; with more crowd, more of them near."""
    draw = uniform(seed, crowd)
    angle = math.pi * (0.15 + 0.7 * draw())
    offset = 2 * draw() - 1
    across, up = math.cos(angle), math.sin(angle)
    points: list[list[float]] = []
    for place in range(count):
        along, away = 9 * draw() - 4.5, gap + 0.01 + 3.2 * draw() ** crowd  # and room for rounding
        away = offset + (away if place % 2 else -away)  # the classes in turn
        points.append([round(away * across - along * up, 2), round(away * up + along * across, 2)])
    return points, [place % 2 for place in range(count)]


def _clouds(seed: int, groups: int, count: int, spread: float) -> Drawn:
    """Round clouds around the corners of a triangle, or around two places."""
    draw = uniform(seed, 8 + groups)
    turn = 2 * math.pi * draw()
    points: list[list[float]] = []
    labels: list[int] = []
    for place in range(groups * count):
        group = place % groups
        angle = turn + 2 * math.pi * group / groups
        # The sum of twelve uniform numbers is as good as normal here.
        x, y = (spread * (sum(draw() for _ in range(12)) - 6) for _ in range(2))
        points.append([round(1.6 * math.cos(angle) + x, 2), round(1.6 * math.sin(angle) + y, 2)])
        labels.append(group)
    return points, labels
