"""Weights as images, where the features are pixels: what each class looks for, and what it looks away from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rosenblatt.report.figures import signed
from rosenblatt.report.markup import Markup, card, numbers_of, table, tag
from rosenblatt.report.scales import picture

LEVELS = 9  # strengths of colour
MOST_IMAGES = 40
MOST_NAMED = 4  # pixels of each sign that the twin names for a class


def show_weight_images(weights: np.ndarray, classes: Sequence[str], shape: tuple[int, int]) -> Markup:
    """One image for each class, all on one scale; with two classes one image for both."""
    lines = np.atleast_2d(weights)[:, : shape[0] * shape[1]].astype(np.float64)
    names = list(classes) if len(lines) > 1 else [f"{classes[1]} (against {classes[0]})"]
    largest = float(np.abs(lines).max()) or 1.0
    shown = [
        tag(
            "figure",
            pixels(line.reshape(shape), largest, f"Weights of the pixels for {name}"),
            tag("figcaption", name),
        )
        for line, name in list(zip(lines, names, strict=True))[:MOST_IMAGES]
    ]
    key = tag(
        "p", tag("i", "", class_="key for"), "speaks for the class ", tag("i", "", class_="key against"),
        f"speaks against it; the strongest colour is a weight of ±{signed(largest)[1:]}", class_="soft",
    )  # fmt: skip
    left = len(names) - len(shown)
    more = tag("p", f"{left} more classes are not shown.", class_="soft") if left > 0 else None
    rows = [
        (name, _extremes(line, shape, 1), _extremes(line, shape, -1)) for line, name in zip(lines, names, strict=True)
    ]
    twin = table(("class", "for: row, column", "against: row, column"), rows, "The strongest pixels of each class")
    body = tag("div", shown, class_="images")
    return card("Weights as images", key, body, more, numbers_of("The strongest pixels", twin), wide=True)


def pixels(image: np.ndarray, largest: float, label: str) -> Markup:
    """The image as one path for each strength and sign, so that a page of them stays small."""
    height, width = image.shape
    levels = np.rint(image / largest * LEVELS).astype(int)
    parts = [tag("rect", width=width, height=height, class_="paper")]
    for level in np.unique(levels[levels != 0]).tolist():
        kind = "for" if level > 0 else "against"
        parts.append(tag("path", d="".join(_runs(levels == level)), class_=f"{kind} s{abs(level)}"))
    return picture(width, height, label, parts)


def _runs(chosen: np.ndarray) -> list[str]:
    """Each run of chosen pixels in a line as a rectangle."""
    edges = np.diff(np.pad(chosen.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    starts, ends = np.argwhere(edges == 1), np.argwhere(edges == -1)
    return [f"M{x} {y}h{e - x}v1h-{e - x}z" for (y, x), (_, e) in zip(starts.tolist(), ends.tolist(), strict=True)]


def _extremes(line: np.ndarray, shape: tuple[int, int], sign: int) -> str:
    order = np.argsort(-sign * line, kind="stable")[:MOST_NAMED]
    places = [(*divmod(int(j), shape[1]), float(line[j])) for j in order if sign * line[j] > 0]
    return "; ".join(f"{row}, {column}: {signed(value)}" for row, column, value in places) or "none"
