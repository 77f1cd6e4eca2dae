"""The activation over the data: a threshold on a line for one feature, a sheet over the plane for two."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np

from rosenblatt.errors import SettingError
from rosenblatt.learn.decide import Decision
from rosenblatt.report.figures import plain
from rosenblatt.report.markup import Markup, tag
from rosenblatt.report.scales import Scale, path
from rosenblatt.report.sheet import Sheet, colour, mark
from rosenblatt.traces.numerals import numeral
from rosenblatt.traces.steps import Trace

WIDTH, SIDE = 640, 420
EDGE = 0.15  # of the span of the rows, left free around them


def draw_line(run: Trace, step: int) -> Sheet:
    """Rows of one feature on a line, the class predicted on each side, and the thresholds between."""
    points, weights = _features(run, 1)[:, 0], _affine(run, step)
    x = Scale(*_room(points), 40.0, WIDTH - 40.0)
    inside = _thresholds(weights, x)
    sides = [_class_at(run, weights, (a + b) / 2) for a, b in pairwise([x.low, *inside, x.high])]
    inside = [cut for cut, (one, other) in zip(inside, pairwise(sides), strict=True) if one != other]
    cuts = [x.low, *inside, x.high]
    parts, told = [], []
    for low, high in pairwise(cuts):
        c = _class_at(run, weights, (low + high) / 2)
        parts.append(
            tag(
                "rect",
                x=x.place(low),
                y=80,
                width=x.place(high) - x.place(low),
                height=60,
                fill=colour(c),
                opacity=0.16,
            )
        )
        told.append(f"{run.classes[c]} from {numeral(low)} to {numeral(high)}")
    parts.append(tag("line", x1=x.start, x2=x.end, y1=110, y2=110, class_="axis"))
    for tick in x.ticks():
        parts.append(tag("line", x1=x.place(tick), x2=x.place(tick), y1=140, y2=146, class_="axis"))
        parts.append(tag("text", plain(tick), x=x.place(tick), y=162, text_anchor="middle"))
    for cut in cuts[1:-1]:
        parts.append(tag("line", x1=x.place(cut), x2=x.place(cut), y1=66, y2=146, class_="line new"))
        parts.append(tag("text", numeral(cut), x=x.place(cut), y=58, text_anchor="middle", class_="name"))
    for place, c in zip(points.tolist(), run.truth.tolist(), strict=True):
        parts += mark(c, x.place(place), 110.0)
    heads = [
        tag("text", f"{run.names[0]}: {', '.join(told)}", x=40, y=26, class_="name"),
        *_key(run, 40, 190),
    ]
    return Sheet(WIDTH, 210, f"Rows on a line, predicted {', '.join(told)}", [*heads, *parts])


def draw_surface(run: Trace, step: int) -> Sheet:
    """The score over the plane of two features, without the bias and with it."""
    points, weights = _features(run, 2), _affine(run, step)
    if weights.ndim == 2:
        raise SettingError(f"a surface shows the score of two classes; got {len(weights)}.")
    panels = [("without bias", np.array([0.0, *weights[1:]]))]
    if run.bias:
        panels.append((f"with bias {numeral(float(weights[0]))}", weights))
    tall = max(_height(each, points) for _, each in panels)
    parts: list[Markup] = []
    for place, (title, each) in enumerate(panels):
        parts += _sheet(run, points, each, tall, place * SIDE, title)
    told = " and ".join(f"{title}: {_formula(run, each)}" for title, each in panels)
    return Sheet(
        SIDE * len(panels), SIDE, f"The activation over the plane, {told}", [*parts, *_key(run, 24, SIDE - 16)]
    )


def _features(run: Trace, count: int) -> np.ndarray:
    if len(run.names) != count:
        what = "a line" if count == 1 else "a surface"
        raise SettingError(
            f"{what} shows {count} feature{'s' * (count > 1)}; these rows have {len(run.names)}. Give rows of that "
            "many, or draw something else."
        )
    return run.X[:, 1:] if run.bias else run.X


def _affine(run: Trace, step: int) -> np.ndarray:
    """The weights with the bias first, 0 where there is none."""
    weights = run.weights_after(step)
    return weights if run.bias else np.insert(weights, 0, 0.0, axis=-1)


def _room(values: np.ndarray) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    free = EDGE * (high - low) or 1.0
    return low - free, high + free


def _thresholds(weights: np.ndarray, x: Scale) -> list[float]:
    """Where two lines of scores cross within the picture and the class changes."""
    lines = [weights] if weights.ndim == 1 else [a - b for a, b in combinations(weights, 2)]
    found = sorted({-float(b) / float(w) for b, w in lines if w})
    return [cut for cut in found if x.low < cut < x.high]


def _class_at(run: Trace, weights: np.ndarray, place: float) -> int:
    scores = np.atleast_2d(np.array([1.0, place]) @ weights.T)
    return int(Decision(run.ties).decide(scores[0] if weights.ndim == 1 else scores)[0])


def _height(weights: np.ndarray, points: np.ndarray) -> float:
    corners = [(a, b) for a in _room(points[:, 0]) for b in _room(points[:, 1])]
    return max(abs(float(weights @ [1, a, b])) for a, b in corners) or 1.0


def _formula(run: Trace, weights: np.ndarray) -> str:
    first = f"{numeral(float(weights[0]))} + " if weights[0] else ""
    return f"{first}{numeral(float(weights[1]))}·{run.names[0]} + {numeral(float(weights[2]))}·{run.names[1]}"


def _sheet(run: Trace, points: np.ndarray, weights: np.ndarray, tall: float, left: float, title: str) -> list[Markup]:
    """One panel, seen from above and the front: the ground with the rows, the sheet of scores, and where they meet."""
    x, y = (Scale(*_room(points[:, j]), -1.0, 1.0) for j in (0, 1))

    def at(a: float, b: float, score: float = 0.0) -> tuple[float, float]:
        u, v = x.place(a), y.place(b)
        return left + SIDE / 2 + 118 * u + 62 * v, SIDE / 2 + 30 + 34 * u - 62 * v - 110 * score / tall

    corners = [(x.low, y.low), (x.high, y.low), (x.high, y.high), (x.low, y.high)]
    scores = [float(weights @ [1, a, b]) for a, b in corners]
    parts = [tag("text", title, x=left + SIDE / 2, y=26, text_anchor="middle", class_="head")]
    parts.append(tag("path", d=path([at(a, b) for a, b in corners], True), fill="#eef1f5", class_="axis"))
    for (a, b), c in zip(points.tolist(), run.truth.tolist(), strict=True):
        (x1, y1), (x2, y2) = at(a, b), at(a, b, float(weights @ [1, a, b]))
        parts.append(tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_="axis", stroke_dasharray="2 3"))
        parts += mark(c, x1, y1, size=4.0)
    raised = [at(a, b, s) for (a, b), s in zip(corners, scores, strict=True)]
    parts.append(tag("path", d=path(raised, True), fill="#6a3fb5", fill_opacity=0.22, stroke="#6a3fb5"))
    meeting = [at(a, b) for a, b in _crossing(corners, scores)]
    if len(meeting) == 2:
        parts.append(tag("path", d=path(meeting), class_="line new"))
    parts.append(tag("text", _formula(run, weights), x=left + SIDE / 2, y=46, text_anchor="middle"))
    return parts


def _crossing(corners: list[tuple[float, float]], scores: list[float]) -> list[tuple[float, float]]:
    """Where the edge of the ground has a score of 0."""
    found = []
    for k, (a, s) in enumerate(zip(corners, scores, strict=True)):
        b, t = corners[(k + 1) % 4], scores[(k + 1) % 4]
        if (s < 0) != (t < 0):
            share = s / (s - t)
            found.append((a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])))
    return found


def _key(run: Trace, x: float, y: float) -> list[Markup]:
    found: list[Markup] = []
    for c, name in enumerate(run.classes[:6]):
        found += [*mark(c, x + 90 * c, y - 4, size=5.0), tag("text", str(name), x=x + 90 * c + 12, y=y)]
    return found
