"""The regions of a curve over two columns of numbers, and the training rows that it is made of."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rosenblatt.report.contours import Place, inner_lines, outlines
from rosenblatt.report.figures import count, percent, short
from rosenblatt.report.markup import Markup, card, numbers_of, table, tag
from rosenblatt.report.planes import as_table, span_of, two_columns
from rosenblatt.report.scales import Scale, frame, path, picture

if TYPE_CHECKING:
    from rosenblatt.features.numeric import Numeric
    from rosenblatt.model import Model
    from rosenblatt.model.learner import KeptRow

WIDTH, HEIGHT = 620, 470
LEFT, RIGHT, TOP, BOTTOM = 62, 606, 34, 424
ACROSS, UP = 161, 121  # nodes of the grid
SMALL, LARGE = 3.0, 7.0  # marks, by what their rows count
FAR = 1e300  # a threshold may be infinite
COLOURS = 6  # of classes; more begin again with the next shape
MOST_LISTED = 200


class Plane(NamedTuple):
    """Two columns, the ranges that are shown, and the training rows that lie there."""

    names: tuple[str, str]
    x: Scale
    y: Scale
    rows: list[KeptRow]
    points: np.ndarray  # where they lie, one a line
    left_out: int  # rows without a value in one of the columns


def show_regions(model: Model) -> Markup | None:
    """Which class is predicted at every place; None where the model keeps no rows or reads other columns than two."""
    columns, kept = two_columns(model), model.learner.rows_that_count(2**31)
    if columns is None or not kept:
        return None
    plane = _plane(columns, kept)
    if not len(plane.points):
        return None
    leads = _leads(model, plane)
    shares = [float((lead > 0).mean()) for lead in leads]
    names, (across, up) = model.classes.names, plane.names
    told = ", ".join(f"{name} on {percent(share, 0)}" for name, share in zip(names, shares, strict=True))
    label = f"What the model predicts over {across} and {up}: {told} of the picture."
    missing = f" {count(plane.left_out)} rows with a missing value are left out." if plane.left_out else ""
    made = f"Marks are the {count(len(plane.rows))} training rows that the curve is made of; larger ones count more."
    key = f"{label} The line is where the prediction changes. {made}{missing}"
    keys = [tag("span", _sign(k), f" {name} ", class_="name") for k, name in enumerate(names)]
    drawn = picture(WIDTH, HEIGHT, label, _regions(plane, leads), _marks(plane))
    listed = [
        (names[row.label], short(float(a)), short(float(b)), short(row.counts), row.origin)
        for row, (a, b) in list(zip(plane.rows, plane.points, strict=True))[:MOST_LISTED]
    ]
    head = ("class", across, up, "counts", "where")
    twin = table(head, listed, f"Training rows of the picture{_cut(len(plane.rows))}", (1, 2, 3), "loose")
    beside = tag("div", tag("p", key, class_="soft"), tag("p", keys), numbers_of("The marks", twin))
    return card("Regions", tag("div", drawn, beside, class_="beside"), wide=True)


def _cut(found: int) -> str:
    return f", the {MOST_LISTED} first of {count(found)}" if found > MOST_LISTED else ""


def _plane(columns: tuple[Numeric, Numeric], kept: list[KeptRow]) -> Plane:
    """The rows in the units of the data."""
    starts = (0, columns[0].width)
    known = [
        row for row in kept if not any(c.missing and row.values[s + 1] for c, s in zip(columns, starts, strict=True))
    ]
    values = np.array([[row.values[s] for s in starts] for row in known]).reshape(-1, 2)
    points = values * [c.spread for c in columns] + [c.centre for c in columns]
    (left, right), (low, high) = (span_of(points[:, k]) for k in (0, 1))
    names = columns[0].column, columns[1].column
    return Plane(
        names, Scale(left, right, LEFT, RIGHT), Scale(low, high, BOTTOM, TOP), known, points, len(kept) - len(known)
    )


def _leads(model: Model, plane: Plane) -> list[np.ndarray]:
    """For each class a surface that is above 0 where it is predicted: by how far its score leads all others."""
    x, y = np.linspace(plane.x.low, plane.x.high, ACROSS), np.linspace(plane.y.low, plane.y.high, UP)
    grid = np.column_stack([side.ravel() for side in np.meshgrid(x, y)])
    scores = model.scores(as_table(plane.names, grid))
    if scores.ndim == 1:
        lead = np.clip(scores - model.decision.threshold, -FAR, FAR).reshape(UP, ACROSS)
        return [-lead, lead]
    found = []
    for c in range(scores.shape[1]):
        others = np.delete(scores, c, axis=1).max(axis=1)
        found.append((scores[:, c] - others).reshape(UP, ACROSS))
    return found


def _regions(plane: Plane, leads: list[np.ndarray]) -> list[Markup]:
    x = Scale(0, ACROSS - 1, LEFT, RIGHT)
    y = Scale(0, UP - 1, BOTTOM, TOP)

    def placed(places: list[Place]) -> list[tuple[float, float]]:
        return [(x.place(each.across), y.place(each.up)) for each in places]

    parts, lines = [], []
    for c, lead in enumerate(leads):
        rings = outlines(lead)
        outline = "".join(path(placed(ring), closed=True) for ring in rings)
        if outline:
            parts.append(tag("path", d=outline, class_=f"region k{c % COLOURS}", fill_rule="evenodd"))
        if c or len(leads) > 2:
            lines += [path(placed(line)) for ring in rings for line in inner_lines(ring)]
    border = [tag("path", d="".join(lines), class_="line new")] if lines else []
    return [*parts, *frame(plane.x, plane.y, plane.names), *border]


def _marks(plane: Plane) -> list[Markup]:
    """A mark for each row, small ones on top."""
    counts = np.array([row.counts for row in plane.rows])
    largest = float(np.abs(counts).max()) or 1.0
    found = []
    for i in np.argsort(-counts, kind="stable").tolist():
        size = SMALL + (LARGE - SMALL) * math.sqrt(abs(float(counts[i])) / largest)
        place = plane.x.place(float(plane.points[i, 0])), plane.y.place(float(plane.points[i, 1]))
        found.append(_mark(plane.rows[i].label, *place, size))
    return found


def _mark(label: int, x: float, y: float, size: float) -> Markup:
    """The mark of a class: the second is a circle, the first a square, as in the lab; then a diamond and a triangle."""
    kind = f"point k{label % COLOURS}"
    shape = (label + label // COLOURS) % 4
    if shape == 1:
        return tag("circle", cx=x, cy=y, r=size, class_=kind)
    half = 0.9 * size
    corners = {
        0: [(-half, -half), (half, -half), (half, half), (-half, half)],
        2: [(0.0, -1.25 * size), (1.25 * size, 0.0), (0.0, 1.25 * size), (-1.25 * size, 0.0)],
        3: [(0.0, -1.2 * size), (1.15 * size, 0.85 * size), (-1.15 * size, 0.85 * size)],
    }[shape]
    return tag("path", d=path([(x + a, y + b) for a, b in corners], closed=True), class_=kind)


def _sign(label: int) -> Markup:
    """The mark of a class within a line of text."""
    return tag("svg", _mark(label, 8.0, 8.0, 6.0), viewBox="0 0 16 16", class_="sign", aria_hidden="true")
