"""The picture of a proof under way: the bounds of the margin, closing as the updates go on."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rosenblatt.report.figures import count, short
from rosenblatt.report.markup import Markup, card, numbers_of, table, tag
from rosenblatt.report.scales import Scale, frame, path, picture

WIDTH, HEIGHT = 560, 260
LEFT, RIGHT, TOP, BOTTOM = 72, 548, 34, 214


def show_bracket(bracket: Sequence[tuple[int, float, float]]) -> Markup | None:
    """The margin lies between the curves; None where no run gave bounds."""
    points = [(n, low, high) for n, low, high in bracket if n > 0 and math.isfinite(high) and high > 0]
    if not points:
        return None
    low, high = points[-1][1], points[-1][2]
    label = _sentence(points[-1][0], low, high)
    lows = [(n, value) for n, value, _ in points if 0 < value <= high]
    values = [value for _, _, value in points] + [value for _, value in lows]
    x = Scale(points[0][0], max(points[-1][0], points[0][0] + 1), LEFT, RIGHT, logarithmic=True)
    y = Scale(min(values) / (1.25 if lows else 2), max(values) * 1.1, BOTTOM, TOP, logarithmic=True)
    upper = [(x.place(n), y.place(value)) for n, _, value in points]
    lower = [(x.place(n), y.place(value if value > 0 else y.low)) for n, value, _ in points]
    parts = [tag("path", d=path([*upper, *reversed(lower)], closed=True), class_="band")]
    parts += frame(x, y, ("updates so far", "margin"))
    parts.append(_curve(upper, "new"))
    if lows:
        parts.append(_curve([(x.place(n), y.place(value)) for n, value in lows], "low"))
    reason = tag(
        "p",
        "The margin is the distance of the nearest row from the best boundary. Every update lowers what it can be at "
        "most; weights that get every row right show what it is at least.",
        class_="soft",
    )
    rows = [(count(n), short(max(a, 0.0)), short(b)) for n, a, b in points]
    twin = table(("updates", "margin at least", "at most"), rows, "Bounds of the margin", (1, 2))
    shown = picture(WIDTH, HEIGHT, label, parts)
    return card("Margin bracket", tag("p", label), shown, reason, numbers_of("The bounds", twin))


def _sentence(updates: int, low: float, high: float) -> str:
    after = f"After {count(updates)} updates the margin"
    if low > 0:
        return f"{after} is between {short(low)} and {short(high)}: the rows can be separated."
    return f"{after} is at most {short(high)}, if the rows can be separated at all."


def _curve(points: Sequence[tuple[float, float]], kind: str) -> Markup:
    if len(points) == 1:
        return tag("circle", cx=points[0][0], cy=points[0][1], r=4, class_=f"mark {kind}")
    return tag("path", d=path(points), class_=f"line {kind}")
