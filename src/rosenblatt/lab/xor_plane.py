"""Where a perceptron says yes, as shapes in a window of the plane: half planes, and what a product makes of them.

A window is (left, right, low, high). Points are rounded to four digits: they are drawn and never calculated with.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby

Point = tuple[float, float]
Window = tuple[float, float, float, float]

COLUMNS = 96  # of a window, in which a curved boundary is sampled
NEAR = 1e-6  # so close to where the boundary leaves for infinity it is looked at from either side


def corners(window: Window) -> list[Point]:
    left, right, low, high = window
    return [(left, low), (right, low), (right, high), (left, high)]


def clip(polygon: Sequence[Point], weights: Sequence[float], positive: bool) -> list[Point]:
    """The part of a convex polygon where b + w1 x1 + w2 x2 is above 0, or, with positive False, where it is not."""
    sign = 1.0 if positive else -1.0
    b, w1, w2 = (sign * float(w) for w in weights)
    kept: list[Point] = []
    for here, there in zip(polygon, [*polygon[1:], *polygon[:1]], strict=True):
        score, next_score = (b + w1 * x + w2 * y for x, y in (here, there))
        if score >= 0:
            kept.append(here)
        if (score > 0 > next_score) or (score < 0 < next_score):
            share = score / (score - next_score)
            kept.append((here[0] + share * (there[0] - here[0]), here[1] + share * (there[1] - here[1])))
    return kept


def line_in(window: Window, weights: Sequence[float]) -> list[Point]:
    """The two ends of the boundary b + w1 x1 + w2 x2 = 0 in the window; empty where it does not cross it."""
    b, w1, w2 = map(float, weights)
    ends = {
        point
        for here, there in zip(corners(window), [*corners(window)[1:], corners(window)[0]], strict=True)
        for point in _crossing(here, there, b, w1, w2)
    }
    return tidy(sorted(ends)) if len(ends) == 2 else []


def _crossing(here: Point, there: Point, b: float, w1: float, w2: float) -> list[Point]:
    score, next_score = (b + w1 * x + w2 * y for x, y in (here, there))
    if score * next_score > 0 or score == next_score:
        return []
    share = score / (score - next_score)
    return [(here[0] + share * (there[0] - here[0]), here[1] + share * (there[1] - here[1]))]


def product_shapes(window: Window, weights: Sequence[float]) -> tuple[list[list[Point]], list[list[Point]]]:
    """Boundary lines, and polygons where b + w1 x1 + w2 x2 + w12 x1 x2 is above 0.

    In every column of the plane the score is a straight line in x2, a + c x2 with c = w2 + w12 x1, so its positive part
    is one interval: above -a/c where c is positive, below it where c is negative. Where c changes its sign the
    boundary goes to infinity, and the shapes are cut there.
    """
    b, w1, w2, w12 = map(float, weights)
    left, right, low, high = window
    places = {left + (right - left) * k / COLUMNS for k in range(COLUMNS + 1)}
    for level in (low, high):  # where the boundary crosses the lower and the upper edge
        if w1 + w12 * level:
            places.add(-(b + w2 * level) / (w1 + w12 * level))
    if w12:
        places |= {-w2 / w12 - NEAR, -w2 / w12 + NEAR}
    columns = sorted(x for x in places if left <= x <= right)
    lines, regions = [], []
    for slope, run in groupby(columns, key=lambda x: _sign(w2 + w12 * x)):
        xs = list(run)
        if slope == 0:
            yes = [x for x in xs if b + w1 * x >= 0] if b or w1 else []
            if len(yes) > 1:
                regions.append([(yes[0], low), (yes[-1], low), (yes[-1], high), (yes[0], high)])
            if w1 and left < -b / w1 < right and len(xs) > 1:
                lines.append([(-b / w1, low), (-b / w1, high)])
            continue
        levels = [-(b + w1 * x) / (w2 + w12 * x) for x in xs]
        cut = [min(max(level, low), high) for level in levels]
        edge = high if slope > 0 else low
        regions.append([*zip(xs, cut, strict=True), (xs[-1], edge), (xs[0], edge)])
        inside = [(x, y) for x, y, level in zip(xs, cut, levels, strict=True) if math.isclose(y, level, abs_tol=1e-9)]
        if len(inside) > 1:
            lines.append(inside)
    return [tidy(line) for line in lines], [tidy(region) for region in regions if _area(region) > NEAR]


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def _area(polygon: Sequence[Point]) -> float:
    pairs = zip(polygon, [*polygon[1:], *polygon[:1]], strict=True)
    return abs(sum(x * v - u * y for (x, y), (u, v) in pairs)) / 2


def tidy(points: Sequence[Point]) -> list[Point]:
    return [(round(x, 4), round(y, 4)) for x, y in points]
