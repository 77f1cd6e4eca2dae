"""The test rows that the model got most wrong: often the fastest way to see what it lacks, or what the data does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rosenblatt.report.figures import short, shortened
from rosenblatt.report.markup import Child, Markup, card, table, tag
from rosenblatt.report.spans import show_text, spans_script
from rosenblatt.report.weight_images import pixels

if TYPE_CHECKING:
    from rosenblatt.model import Worst

MOST_CHARACTERS = 500
BLANK_LINES = re.compile(r"\n\s*\n")  # a page of mail is half of them
NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")


def show_worst(worst: Sequence[Worst], image_shape: tuple[int, int] | None, tested: str) -> Markup:
    """The wrong rows with their text, their values or their image, the most wrong first."""
    if not worst:
        return card(f"Most wrong {tested}", tag("p", f"None of the {tested} is wrong."), wide=True)
    images = [image_of(row.shown, image_shape) for row in worst]
    if all(image is not None for image in images):
        shown = [_figure(row, image) for row, image in zip(worst, images, strict=True) if image is not None]
        body = tag("div", shown, class_="images rows")
    else:
        marked = [row.why is not None for row in worst]
        rows = [_line(row, sum(marked[:place])) for place, row in enumerate(worst)]
        head = ("true", "predicted", "by", "row", "where")
        body = table(
            head, rows, "The rows with the largest difference between the scores of the two classes", (2,), "stack"
        )
    texts = [row.why for row in worst if row.why is not None]
    note = "“by” is how far the score of the predicted class is above that of the true one."
    if any(row.turned for row in worst):
        note += " “Turned” names the fewest words or values whose change would turn the decision."
    return card(f"Most wrong {tested}", tag("p", note, class_="soft"), body, *spans_script(texts), wide=True)


def _line(row: Worst, number: int) -> list[Child]:
    """A row of the table; number    of its text among those that are marked."""
    words: Child = tag("span", shortened(BLANK_LINES.sub("\n", row.shown.strip()), MOST_CHARACTERS), class_="row")
    if row.why is not None:
        words = show_text(row.why, number)
    turned = tag("p", f"Turned: {shortened(row.turned, MOST_CHARACTERS)}", class_="soft") if row.turned else None
    return [row.true, row.predicted, short(row.margin), [words, turned], tag("span", row.origin, class_="soft")]


def image_of(shown: str, shape: tuple[int, int] | None) -> np.ndarray | None:
    """The pixels of a row that is shown as `column=` and its numbers; None where it is not an image."""
    if shape is None:
        return None
    found = NUMBER.findall(shown.rpartition("=")[2])
    if len(found) != shape[0] * shape[1]:
        return None
    return np.array(found, np.float64).reshape(shape)


def _figure(row: Worst, image: np.ndarray) -> Markup:
    label = f"Row of class {row.true} taken for {row.predicted}"
    largest = float(np.abs(image).max()) or 1.0
    names = tag("b", row.true), " taken for ", tag("b", row.predicted), f" by {short(row.margin)}"
    caption = tag("figcaption", names, tag("br"), tag("span", row.origin, class_="soft"))
    return tag("figure", pixels(image, largest, label), caption)
