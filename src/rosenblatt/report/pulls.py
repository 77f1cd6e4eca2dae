"""Why the most wrong rows came out as they did: the training rows that pulled each way, with their part of the lead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rosenblatt.report.figures import shortened, signed
from rosenblatt.report.markup import Child, Markup, card, table, tag
from rosenblatt.report.weight_images import pixels
from rosenblatt.report.worst import image_of

if TYPE_CHECKING:
    from rosenblatt.model import Worst
    from rosenblatt.model.learner import KeptRow

MOST_CHARACTERS = 120
TITLE = "Training rows that pulled the most wrong rows"


def show_pulls(worst: Sequence[Worst], classes: Sequence[str], image_shape: tuple[int, int] | None) -> Markup | None:
    """A line for each row: itself, and the training rows that pulled most; None where the model is not made of rows."""
    pulled = [row for row in worst if row.pulls is not None]
    if not pulled:
        return None
    key = (
        "A score is a sum over training rows. Parts above 0 pulled towards the class predicted, parts below 0 towards "
        "the true one; their sum is how far the score of the one is above that of the other."
    )
    if all(image_of(row.shown, image_shape) is not None for row in pulled):
        body = [_drawn(row, classes, image_shape) for row in pulled]
    else:
        lines = [line for row in pulled for line in _lines(row, classes)]
        body = [table(("part", "class", "training row", "where"), lines, TITLE, (0,), "stack")]
    return card(TITLE, tag("p", key, class_="soft"), *body, wide=True)


def _drawn(row: Worst, classes: Sequence[str], shape: tuple[int, int] | None) -> Markup:
    assert row.pulls is not None
    assert shape is not None
    image = image_of(row.shown, shape)
    assert image is not None
    caption = tag("b", row.true), " taken for ", tag("b", row.predicted), f" by {signed(row.margin)}"
    first = _figure(image, f"Row of class {row.true}", caption, row.origin)
    rest = tag("p", f"{row.pulls.others:,} more together {signed(row.pulls.rest)}", class_="soft")
    return tag("div", first, [_pulling(each, classes, shape) for each in row.pulls.rows], rest, class_="images rows")


def _pulling(row: KeptRow, classes: Sequence[str], shape: tuple[int, int]) -> Markup:
    name = classes[row.label]
    caption = tag("b", name), f" pulled {signed(row.counts)}"
    return _figure(row.values.reshape(shape), f"A training row of {name}", caption, row.origin)


def _figure(image: np.ndarray, label: str, caption: tuple[Markup | str, ...], origin: str) -> Markup:
    shown = pixels(image, float(np.abs(image).max()) or 1.0, label)
    return tag("figure", shown, tag("figcaption", caption, tag("br"), tag("span", origin, class_="soft")))


def _lines(row: Worst, classes: Sequence[str]) -> list[list[Child]]:
    assert row.pulls is not None
    head = f"{row.true} taken for {row.predicted}: {shortened(row.shown, MOST_CHARACTERS)}"
    pulling: list[list[Child]] = [
        [signed(each.counts), classes[each.label], shortened(each.shown, MOST_CHARACTERS), each.origin]
        for each in row.pulls.rows
    ]
    others = f"{row.pulls.others:,} more training rows together"
    return [
        [signed(row.margin), row.true, tag("b", head), row.origin],
        *pulling,
        [signed(row.pulls.rest), "", others, ""],
    ]
