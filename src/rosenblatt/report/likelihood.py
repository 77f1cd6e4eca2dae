"""The picture of a likelihood: L over theta, and on it the way that the estimate takes as k grows.

With more than two values there is a curve for each: its probability changes, and those of the others keep their
proportions. Heights are taken from logarithms, so a likelihood too small for a number has its picture too.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rosenblatt.report.formulas import exact, strength
from rosenblatt.report.markup import Markup, tag
from rosenblatt.report.scales import Scale, frame, path, picture, standing_alone

if TYPE_CHECKING:
    from rosenblatt.report.estimate import Estimate

WIDTH, HEIGHT = 560, 300
LEFT, RIGHT, TOP, BOTTOM = 72, 530, 54, 244
POINTS = 200
SMALLEST = 1e-9  # a largest L that is smaller stands as 1 at its axis
STRENGTHS = (0.0, math.inf, 1.0, 10.0, 100.0)  # those first that must have their names
APART, LINE = 44, 14  # between two names, across or down
ROWS, COLUMNS = 8, 61
BLOCKS = " ▁▂▃▄▅▆▇█"
MOST_CURVES = 6


def height(count: int, total: int, theta: float) -> float:
    """L at a theta beside the largest L, for a value that was drawn so often."""
    logs = 0.0
    for n, p, best in ((count, theta, count), (total - count, 1 - theta, total - count)):
        if n and not p:
            return 0.0
        logs += n * (math.log(p) - math.log(best / total)) if n else 0.0
    return math.exp(logs)


def sketch(found: Estimate) -> str:
    """The curve in characters with a mark at the estimate; with more than two values a bar for each probability."""
    if len(found.counts) > 2:
        return _bars(found)
    count, total = found.drawn[0], found.total
    heights = [height(count, total, place / (COLUMNS - 1)) for place in range(COLUMNS)]
    lines = []
    for row in reversed(range(ROWS)):
        steps = [min(max(round(h * ROWS * 8) - row * 8, 0), 8) for h in heights]
        lines.append("  " + "".join(BLOCKS[step] for step in steps).rstrip())
    theta = next(iter(found.probabilities.values()))
    place = round(float(theta) * (COLUMNS - 1))
    axis = ["─"] * COLUMNS
    axis[place] = "┴"
    ends = f"  {'0':<{COLUMNS - 1}}1"
    shown = f"θ = {exact(theta)}"
    start = min(max(place - len(shown) // 2, 3), COLUMNS - 4 - len(shown))
    ends = ends[: 2 + start] + shown + ends[2 + start + len(shown) :]
    return "\n".join([*lines, "  " + "".join(axis), ends])


def _bars(found: Estimate) -> str:
    width = max(len(str(value)) for value in found.counts)
    return "\n".join(f"  {value!s:<{width}}  {_bar(float(p))}" for value, p in found.probabilities.items())


def _bar(share: float) -> str:
    eighths = round(share * (COLUMNS - 1) * 8)
    return "█" * (eighths // 8) + (" ▏▎▍▌▋▊▉"[eighths % 8] if eighths % 8 else "")


def picture_of(found: Estimate) -> str:
    """The picture as a file of its own."""
    best = found.smoothed(0)
    most = float(best.likelihood())
    real = most >= SMALLEST
    top = most if real else 1.0
    x, y = Scale(0, 1, LEFT, RIGHT), Scale(0, top * 1.05, BOTTOM, TOP)
    two = len(found.counts) == 2
    values = list(found.counts)[:1] if two else list(found.counts)[:MOST_CURVES]
    names = (f"θ = P({values[0]})" if two else "θ of each value", "L(θ)" if real else "L(θ) / its largest")
    parts = frame(x, y, names)
    for place, value in enumerate(values):
        parts += _curve(found, value, place, x, y, top)
    label = f"The likelihood of {', '.join(f'{n} {v}' for v, n in found.counts.items())}; k = {strength(found.k)}"
    told = f": θ = {exact(found.probabilities[values[0]])}" if two else ""
    head = tag("text", f"k = {strength(found.k)}{told}", x=RIGHT, y=16, text_anchor="end", class_="name")
    return standing_alone(picture(WIDTH, HEIGHT, label, [head, *parts]))


def _curve(found: Estimate, value: object, place: int, x: Scale, y: Scale, top: float) -> list[Markup]:
    """The curve of one value; on it the estimates of some strengths, named where there is room."""
    count, total = found.counts[value], found.total

    def at(theta: float) -> tuple[float, float]:
        return x.place(theta), y.place(top * height(count, total, theta))

    kind, two = ("new", "low", "was")[place % 3], len(found.counts) == 2
    parts = [tag("path", d=path([at(k / POINTS) for k in range(POINTS + 1)]), class_=f"line {kind}")]
    summit = at(count / total if total else 0.5)[0]
    named: list[tuple[float, float]] = []
    for k in dict.fromkeys((found.k, *STRENGTHS)) if two else (found.k,):  # the way of each would hide the others
        a, b = at(float(found.smoothed(k).probabilities[value]))
        parts.append(tag("circle", cx=a, cy=b, r=6.0 if k == found.k else 3.0, class_=f"mark {kind}"))
        side = 0 if abs(a - summit) < 1 or not two else -1 if a < summit else 1
        middle = (a + 30 * side, b - (4 if side else 12))
        if all(abs(middle[0] - c) >= APART or abs(middle[1] - d) >= LINE for c, d in named):
            named.append(middle)
            said = f"k = {strength(k)}" if two else str(value)
            anchor = ("middle", "start", "end")[side]
            parts.append(tag("text", said, x=a + 10 * side, y=middle[1], text_anchor=anchor))
    return parts
