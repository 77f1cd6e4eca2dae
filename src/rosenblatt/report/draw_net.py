"""The Bayes net of naive Bayes, Y → F₁ … Fₙ, with the size of each table and of the joint table that it stands for."""

from __future__ import annotations

from math import prod

import numpy as np

from rosenblatt.errors import SettingError
from rosenblatt.harmless import visible
from rosenblatt.report.figures import shortened
from rosenblatt.report.markup import Markup, tag
from rosenblatt.report.sheet import Sheet, arrow
from rosenblatt.traces.steps import Trace

MOST = 12  # features that have room
ROOM, RADIUS = 96, 34


def table_sizes(run: Trace) -> tuple[int, list[int]]:
    """The numbers of classes, and of values of each feature in the rows: P(y) has as many entries as the first."""
    values = run.X[:, 1:] if run.bias else run.X
    return len(run.classes), [len(np.unique(values[:, j])) for j in range(values.shape[1])]


def draw_net(run: Trace, step: int) -> Sheet:
    """The net for the classes and features of the rows; the step does not matter to it."""
    classes, sizes = table_sizes(run)
    if len(sizes) > MOST:
        raise SettingError(f"a net shows at most {MOST} features; these rows have {len(sizes)}. Leave some out.")
    width, top, bottom = max(420, ROOM * len(sizes) + 40), 84, 230
    middle, left = width / 2, (width - ROOM * (len(sizes) - 1)) / 2
    parts: list[Markup] = []
    for j, size in enumerate(sizes):
        x = left + ROOM * j
        parts += arrow(_edge((middle, top), (x, bottom)), _edge((x, bottom), (middle, top)))
        parts += _node(x, bottom, shortened(visible(str(run.names[j])), 8), f"{classes} × {size} = {classes * size}", 1)
    parts += _node(middle, top, "Y", f"{classes}", -1)
    net, joint = classes + sum(classes * size for size in sizes), classes * prod(sizes)
    told = f"{net} entries in all; the joint table would have {joint:,}"
    parts.append(tag("text", told, x=middle, y=bottom + 92, text_anchor="middle", class_="head"))
    label = f"Naive Bayes with {classes} classes and {len(sizes)} features: {told}"
    return Sheet(width, bottom + 116, label, parts)


def _node(x: float, y: float, name: str, entries: str, side: int) -> list[Markup]:
    return [
        tag("circle", cx=x, cy=y, r=RADIUS, fill="#eef1f5", class_="axis"),
        tag("text", name, x=x, y=y + 5, text_anchor="middle", class_="name"),
        tag("text", entries, x=x, y=y + side * (RADIUS + 12) + 6, text_anchor="middle"),
    ]


def _edge(at: tuple[float, float], towards: tuple[float, float]) -> tuple[float, float]:
    """The place on the circle around one node that faces the other."""
    dx, dy = towards[0] - at[0], towards[1] - at[1]
    length = (dx * dx + dy * dy) ** 0.5
    return at[0] + RADIUS * dx / length, at[1] + RADIUS * dy / length
