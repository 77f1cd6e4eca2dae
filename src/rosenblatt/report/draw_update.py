"""An update as three panels, and the angle between w and f(x): drawn in the plane that the two vectors span.

In that plane lengths and angles are true whatever the number of features, the constant among them, and the boundary is
the line upright on w. With more than two classes w is that of the row's true class.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rosenblatt.errors import SettingError
from rosenblatt.report.markup import Markup, tag
from rosenblatt.report.sheet import INK, SOFT, Sheet, arrow, colour, mark
from rosenblatt.traces.numerals import numeral, vector
from rosenblatt.traces.step import Step
from rosenblatt.traces.steps import Trace

PANEL, TOP, FOOT = 300, 44, 64
TURN = math.radians(20)  # of the row, so that it lies on no edge of the picture
OLD, NEW = SOFT, "#6a3fb5"
Point = tuple[float, float]


class Plane(NamedTuple):
    """The vectors of a step in their plane, w turned to point up and to the right."""

    before: Point
    after: Point
    row: Point
    unit: float  # pixels for a length of 1
    middle: Point  # where the origin is

    def at(self, point: Point, left: float = 0.0) -> Point:
        return left + self.middle[0] + self.unit * point[0], self.middle[1] - self.unit * point[1]


def draw_update(run: Trace, step: int) -> Sheet:
    """Old w with the row, w and the row added, new w."""
    made = [s.step for s in run if not s.correct]
    if not made:
        raise SettingError("the run makes no update, so there is none to draw.")
    if step not in made:
        near = min(made, key=lambda each: abs(each - step))
        raise SettingError(f"step {step} changes nothing; draw an update, such as that of step {near}.")
    s = run[step - 1]
    plane, sign = _plane(s), "+" if _sign(s) > 0 else "−"
    before, after = (_told(s, w) for w in (s.before, s.after))
    parts = [
        *_panel(0, "old w", before, [*_boundary(plane, plane.before, 0, OLD), *_row(run, s, plane, 0)]),
        *_vector(plane, (0, 0), plane.before, 0, "w", OLD),
        *_panel(1, f"w {sign} f(x)", f"f(x) = {vector(s.features.tolist())}", _row(run, s, plane, PANEL)),
        *_vector(plane, (0, 0), plane.before, PANEL, "w", OLD),
        *_vector(plane, plane.before, plane.after, PANEL, f"{sign} f(x)", colour(s.true)),
        *_vector(plane, (0, 0), plane.after, PANEL, "", NEW, dashed=True),
        *_panel(2, "new w", after, [*_boundary(plane, plane.after, 2 * PANEL, NEW), *_row(run, s, plane, 2 * PANEL)]),
        *_vector(plane, (0, 0), plane.after, 2 * PANEL, "w", NEW),
    ]
    label = f"Step {s.step}, an update on row {s.row + 1} ({run.classes[s.true]}). Old w: {before}. New w: {after}."
    return Sheet(3 * PANEL, PANEL + TOP + FOOT, label, parts)


def draw_angle(run: Trace, step: int) -> Sheet:
    """w, f(x), the angle between them, and the projection whose length is the score over |w|."""
    s = run[max(step, 1) - 1]
    plane = _plane(s)._replace(middle=(PANEL, TOP + PANEL / 2))
    w, f = plane.before, plane.row
    parts = [*_boundary(plane, w, 0, OLD), *_row(run, s, plane, 0), *_vector(plane, (0, 0), w, 0, "w", NEW)]
    length = math.hypot(*w)
    told = f"score {numeral(float(_score(s, s.before)))}; w is 0 and has no direction"
    if length and math.hypot(*f):
        along = (f[0] * w[0] + f[1] * w[1]) / length**2
        foot = (along * w[0], along * w[1])
        (x1, y1), (x2, y2) = plane.at(f), plane.at(foot)
        parts.append(tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_="line old"))
        parts += _arc(plane, w, f)
        told = (
            f"|w| |f(x)| cos θ = {length:.4g} · {math.hypot(*f):.4g} · cos {s.angles()[0]:.1f}° = "
            f"{numeral(float(_score(s, s.before)))}"
        )
    parts += _panel(0, "w, f(x) and the angle between", told, [], wide=True)
    return Sheet(2 * PANEL, PANEL + TOP + FOOT, f"Row {s.row + 1} ({run.classes[s.true]}): {told}", parts)


def _own(s: Step, weights: np.ndarray) -> np.ndarray:
    return weights if weights.ndim == 1 else np.asarray(weights[s.true])


def _score(s: Step, weights: np.ndarray) -> float:
    return float(_own(s, weights) @ s.features)


def _sign(s: Step) -> int:
    return 1 if s.before.ndim == 2 or s.true == 1 else -1


def _told(s: Step, weights: np.ndarray) -> str:
    angle = s.angles()[0 if weights is s.before else 1]
    return f"score {numeral(_score(s, weights))}" + ("" if angle is None else f", angle {angle:.1f}°")


def _plane(s: Step) -> Plane:
    """Coordinates in which the row lies along the first direction and w above it."""
    f, vectors = s.features, [_own(s, s.before), _own(s, s.after), s.features]
    first = f / (float(np.linalg.norm(f)) or 1.0)
    rest = vectors[0] - (vectors[0] @ first) * first
    second = rest / (float(np.linalg.norm(rest)) or 1.0)
    flat = [(float(v @ first), float(v @ second)) for v in vectors]
    far = max(math.hypot(*v) for v in flat) or 1.0
    c, s_ = math.cos(TURN), math.sin(TURN)
    turned = [(c * x - s_ * y, s_ * x + c * y) for x, y in flat]
    before, after, row = turned
    return Plane(before, after, row, 0.4 * PANEL / far, (PANEL / 2, TOP + PANEL / 2))


def _panel(place: int, title: str, foot: str, parts: list[Markup], wide: bool = False) -> list[Markup]:
    middle = PANEL if wide else PANEL * place + PANEL / 2
    return [
        tag("text", title, x=middle, y=26, text_anchor="middle", class_="head"),
        tag("text", foot, x=middle, y=TOP + PANEL + 34, text_anchor="middle", class_="name"),
        *parts,
    ]


def _row(run: Trace, s: Step, plane: Plane, left: float) -> list[Markup]:
    tip = plane.at(plane.row, left)
    return [*arrow(plane.at((0, 0), left), tip, colour(s.true), dashed=True), *mark(s.true, *tip, "f(x)")]


def _vector(
    plane: Plane, tail: Point, tip: Point, left: float, name: str, stroke: str, dashed: bool = False
) -> list[Markup]:
    end = plane.at(tip, left)
    beside = [tag("text", name, x=end[0] + 6, y=end[1] - 6, class_="name", style=f"fill:{INK}")] if name else []
    return [*arrow(plane.at(tail, left), end, stroke, dashed), *beside]


def _boundary(plane: Plane, w: Point, left: float, stroke: str) -> list[Markup]:
    """The line upright on w through the origin; none where w is 0."""
    length = math.hypot(*w)
    if not length:
        return []
    reach = 0.46 * PANEL / plane.unit
    across = (-w[1] / length * reach, w[0] / length * reach)
    (x1, y1), (x2, y2) = plane.at(across, left), plane.at((-across[0], -across[1]), left)
    return [tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_="line", style=f"stroke:{stroke}", stroke_dasharray="2 5")]


def _arc(plane: Plane, w: Point, f: Point) -> list[Markup]:
    a, b = math.atan2(w[1], w[0]), math.atan2(f[1], f[0])
    turn = (b - a + math.pi) % (2 * math.pi) - math.pi
    radius = 0.12 * PANEL / plane.unit
    points = [(radius * math.cos(a + turn * k / 24), radius * math.sin(a + turn * k / 24)) for k in range(25)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(plane.at, points))
    x, y = plane.at((1.5 * points[12][0], 1.5 * points[12][1]))
    return [tag("polyline", points=line, class_="line"), tag("text", "θ", x=x - 4, y=y + 4, class_="head")]
