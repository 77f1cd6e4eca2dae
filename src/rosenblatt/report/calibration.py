"""The picture of how far the probabilities can be believed."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rosenblatt.report.figures import count, percent, rows_of
from rosenblatt.report.markup import Markup, card, numbers_of, table, tag
from rosenblatt.report.scales import Scale, frame, path, picture

WIDTH, HEIGHT = 560, 300
LEFT, RIGHT, TOP, BOTTOM = 56, 548, 34, 254
LARGEST = 12.0  # radius of the mark of the bin with most rows


def show_calibration(bins: Sequence[tuple[float, float, int]]) -> Markup | None:
    """Probability claimed against share that was right; None where the model gives no probabilities."""
    filled = [(claimed, right, n) for claimed, right, n in bins if n > 0]
    if not filled:
        return None
    total = sum(n for _, _, n in filled)
    off = sum(abs(claimed - right) * n for claimed, right, n in filled) / total
    least = min(min(claimed, right) for claimed, right, _ in filled)
    low = 0.0 if least < 0.45 else 0.4
    x, y = Scale(low, 1, LEFT, RIGHT), Scale(low, 1, BOTTOM, TOP)
    parts = frame(x, y, ("probability claimed", "share right"))
    parts.append(tag("path", d=path([(LEFT, BOTTOM), (RIGHT, TOP)]), class_="line old"))
    points = [(x.place(claimed), y.place(right)) for claimed, right, _ in filled]
    if len(points) > 1:
        parts.append(tag("path", d=path(points), class_="line new thin"))
    most = max(n for _, _, n in filled)
    for (a, b), (claimed, right, n) in zip(points, filled, strict=True):
        say = f"{rows_of(n)}: {percent(claimed)} claimed, {percent(right)} right"
        radius = max(3.0, LARGEST * math.sqrt(n / most))
        parts.append(tag("circle", tag("title", say), cx=a, cy=b, r=radius, class_="mark new"))
    label = (
        f"The probability of the predicted class is off by {percent(off)} on average, in {rows_of(total)} of the test."
    )
    reason = "On the dashed line probabilities are what they say. Marks below it: surer than right. Larger: more rows."
    rows = [(percent(claimed), percent(right), count(n)) for claimed, right, n in filled]
    twin = table(("claimed", "right", "rows"), rows, "Probability claimed and share right", (1, 2))
    shown = picture(WIDTH, HEIGHT, label, parts)
    return card(
        "Calibration", tag("p", label), shown, tag("p", reason, class_="soft"), numbers_of("The calibration", twin)
    )
