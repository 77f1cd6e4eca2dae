"""The learning curve: rows right out of fold for each number of training rows, and whether more of them would help."""

from __future__ import annotations

import math
import statistics

from rosenblatt.model import Growth
from rosenblatt.report.figures import count, percent
from rosenblatt.report.markup import Markup, card, numbers_of, table, tag
from rosenblatt.report.scales import Scale, frame, path, picture

WIDTH, HEIGHT = 560, 260
LEFT, RIGHT, TOP, BOTTOM = 56, 536, 34, 214
SURE = 2.0  # standard errors of a gain that is no luck
LITTLE = 0.005  # a gain that nobody would collect rows for


def answer(growth: Growth) -> str:
    """Would more rows help, in one sentence."""
    low, high = growth.sizes[-2:]
    told = f"{100 * growth.gain:+.1f} ± {100 * SURE * growth.error:.1f} points out of fold"
    doubling = f"twice the rows ({count(low)} → {count(high)}) brought {told}"
    if growth.gain > SURE * growth.error:
        return f"more rows would help: {doubling}; the next doubling usually brings less"
    if growth.gain + SURE * growth.error < LITTLE:
        return f"more rows would hardly help: {doubling}"
    return f"these rows cannot tell whether more would help: {doubling}"


def about(growth: Growth) -> list[str]:
    """What must be known of the curve to read it."""
    said = ["The settings are those of the model; copies and groups are never on both sides of a fold."]
    if growth.part:
        said.append(f"To bound the time it was made of {count(growth.part)} rows, a part of those that there are.")
    if growth.forward:
        said.append("Folds go forward in time, and fewer rows are the latest ones before those that are scored.")
    return said


def show_growth(growth: Growth | None) -> Markup | None:
    """The curve with its spread over the folds, the sentence and the table; None where it was not asked for."""
    if growth is None:
        return None
    every = [share for shares in growth.shares for share in shares]
    x = Scale(math.log2(growth.sizes[0]), math.log2(growth.sizes[-1]), LEFT, RIGHT)
    y = Scale(100 * max(0.0, min(every) - 0.02), 100 * min(1.0, max(every) + 0.02), BOTTOM, TOP)
    means = [statistics.fmean(shares) for shares in growth.shares]
    points = [(x.place(math.log2(n)), y.place(100 * mean)) for n, mean in zip(growth.sizes, means, strict=True)]
    parts = frame(x, y, ("", "rows right, %"), [])
    for (across, _), size, shares in zip(points, growth.sizes, growth.shares, strict=True):
        ends = y.place(100 * min(shares)), y.place(100 * max(shares))
        parts.append(tag("line", x1=across, x2=across, y1=ends[0], y2=ends[1], class_="span"))
        parts.append(tag("text", count(size), x=across, y=BOTTOM + 19, text_anchor="middle"))
    parts.append(tag("path", d=path(points), class_="line new"))
    parts += [tag("circle", cx=across, cy=up, r=3, class_="mark new") for across, up in points]
    parts.append(tag("text", "training rows", x=x.end, y=BOTTOM + 36, text_anchor="end", class_="name"))
    said = answer(growth)
    said = f"{said[0].upper()}{said[1:]}."
    rows = [
        (
            count(size),
            percent(mean),
            f"{100 * statistics.stdev(shares):.1f}",
            percent(min(shares)),
            percent(max(shares)),
        )
        for size, mean, shares in zip(growth.sizes, means, growth.shares, strict=True)
    ]
    head = ("training rows", "right out of fold", "standard deviation", "lowest fold", "highest fold")
    twin = table(head, rows, f"{len(growth.shares[0])} folds, {count(growth.rows)} rows scored", range(5))
    key = tag("p", "Upright lines reach from the lowest to the highest fold. ", *about(growth)[0:1], class_="soft")
    more = [tag("p", line, class_="soft") for line in about(growth)[1:]]
    shown = picture(WIDTH, HEIGHT, f"Learning curve. {said}", parts)
    return card("Would more rows help?", tag("p", said), shown, key, *more, numbers_of("The curve", twin))
