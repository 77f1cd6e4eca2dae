"""The training rows that a curve is made of: those of each class that count most, as pictures or as they read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rosenblatt.report.figures import short, shortened
from rosenblatt.report.markup import Markup, card, table, tag
from rosenblatt.report.weight_images import pixels

if TYPE_CHECKING:
    from rosenblatt.model import Model
    from rosenblatt.model.learner import KeptRow

MOST_DRAWN, MOST_SHOWN = 5, 4  # rows of a class: as pictures, and as lines of a table
MOST_IMAGES = 60
MOST_CHARACTERS = 200


def show_support(model: Model, image_shape: tuple[int, int] | None) -> Markup | None:
    """The rows that count most; None where the model keeps none."""
    drawn = image_shape is not None and model.plan.units is None
    rows, names = model.learner.rows_that_count(MOST_DRAWN if drawn else MOST_SHOWN), model.classes.names
    if not rows:
        return None
    key = "A score is a sum over training rows: how alike the two are, times what the row counts. These count most."
    if drawn and image_shape is not None:
        figures = [_figure(row, names[row.label], image_shape) for row in rows[:MOST_IMAGES]]
        body = tag("div", figures, class_="images rows")
    else:
        lines = [
            (names[row.label], short(row.counts), shortened(row.shown, MOST_CHARACTERS), row.origin) for row in rows
        ]
        body = table(("class", "counts", "row", "where"), lines, "Training rows that count most", (1,), "stack")
    return card("Training rows that count most", tag("p", key, class_="soft"), body, wide=True)


def _figure(row: KeptRow, name: str, shape: tuple[int, int]) -> Markup:
    image = pixels(row.values.reshape(shape), float(np.abs(row.values).max()) or 1.0, f"A row of {name}")
    caption = tag("b", name), f" counts {short(row.counts)}", tag("br"), tag("span", row.origin, class_="soft")
    return tag("figure", image, tag("figcaption", caption))
