"""The picture of the mistakes on the test rows: which class was taken for which."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from rosenblatt.harmless import visible
from rosenblatt.report.figures import count, percent
from rosenblatt.report.markup import Markup, card, numbers_of, scrolled, table, tag
from rosenblatt.report.scales import picture

if TYPE_CHECKING:
    from rosenblatt.model import Evaluation

MOST_IN_A_TABLE = 14  # with more classes the numbers are too small to read: a picture, and the largest in words
MOST_ROOMY = 7  # with more classes the table is set closer
MOST_BESIDE = 10  # with more it takes the width of the page
MOST_NAMED = 8
MOST_SAID = 3
SIDE = 560.0


def show_confusion(evaluation: Evaluation, tested: str) -> Markup:
    """True classes down, predicted ones across; what is right lies on the diagonal."""
    classes, counts = evaluation.classes, np.asarray(evaluation.confusion)
    say = f"{count(evaluation.n - evaluation.right)} of {count(evaluation.n)} {tested} are wrong."
    if len(classes) <= MOST_IN_A_TABLE:
        named = "; ".join(
            f"{true} taken for {guess}, {count(n)}" for true, guess, n in evaluation.confusions(MOST_SAID)
        )
        often = tag("p", f"Most often: {named}.", class_="soft") if named else None
        return card(
            "Confusion matrix", tag("p", say), _grid(classes, counts, tested), often, wide=len(classes) > MOST_BESIDE
        )
    totals = dict(zip(classes, evaluation.rows.tolist(), strict=True))
    rows = [(true, guess, count(n), percent(n / totals[true])) for true, guess, n in evaluation.confusions(MOST_NAMED)]
    twin = table(("true", "taken for", "rows", "of its rows"), rows, "The largest confusions", (2, 3), "loose")
    label = f"Confusion matrix of {len(classes)} classes. {say}"
    shown = picture(int(SIDE), int(SIDE), label, _squares(classes, counts))
    note = "Each column is a predicted class, each line a true one, in the order of the classes; darker is more often."
    return card("Confusion matrix", tag("p", say), shown, tag("p", note, class_="soft"), twin, _all(classes, counts))


def _grid(classes: tuple[str, ...], counts: np.ndarray, tested: str) -> Markup:
    """A table that is its own picture: the share of each true class is the strength of the colour."""
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    lines = []
    for k, name in enumerate(classes):
        cells = [
            tag("td", count(n) if n else "·", class_="n " + _shade(float(shares[k, j]), k == j) + ("" if n else " nil"))
            for j, n in enumerate(counts[k].tolist())
        ]
        lines.append(tag("tr", tag("th", name, scope="row"), *cells))
    head = tag("tr", tag("th", "true ↓ predicted →", scope="col"), *(tag("th", n, scope="col") for n in classes))
    caption = f"{tested.capitalize()} by true and predicted class"
    kind = "grid many" if len(classes) > MOST_ROOMY else "grid"
    inner = tag("table", tag("caption", caption), tag("thead", head), tag("tbody", lines), class_=kind)
    return scrolled(inner, caption)


def _shade(share: float, right: bool) -> str:
    """One of ten strengths, which the page's colours, light or dark, make visible; by the root, to tell 1% from 4%."""
    level = 0 if share == 0 else min(9, 1 + int(math.sqrt(share) * 9))
    return f"{'right' if right else 'wrong'} s{level}"


def _squares(classes: tuple[str, ...], counts: np.ndarray) -> list[Markup]:
    size = SIDE / len(classes)
    totals = counts.sum(axis=1)
    parts = [tag("rect", x=0.5, y=0.5, width=SIDE - 1, height=SIDE - 1, class_="frame")]
    for t, p in np.argwhere(counts).tolist():
        n = int(counts[t, p])
        say = f"{visible(classes[t])} taken for {visible(classes[p])}: {count(n)}" if t != p else (
            f"{visible(classes[t])}: {count(n)} right"
        )  # fmt: skip
        strength = _shade(n / max(int(totals[t]), 1), t == p)
        place = dict(x=p * size, y=t * size, width=size, height=size)
        parts.append(tag("rect", tag("title", say), class_=f"cell {strength}", **place))
    return parts


def _all(classes: tuple[str, ...], counts: np.ndarray) -> Markup:
    places = [(t, p) for t, p in np.argwhere(counts).tolist() if t != p]
    places.sort(key=lambda place: (-counts[place], place))
    rows = [(classes[t], classes[p], count(int(counts[t, p]))) for t, p in places]
    return numbers_of("All confusions", table(("true", "taken for", "rows"), rows, "Every confusion", (2,), "loose"))
