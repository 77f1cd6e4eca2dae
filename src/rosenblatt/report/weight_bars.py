"""The heaviest words and columns of each class, as bars in a table that is its own twin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rosenblatt.report.figures import signed
from rosenblatt.report.markup import Markup, card, table, tag

WIDTH, HEIGHT = 120.0, 14.0
FEW, MOST_OF_FEW, MOST_OF_MANY = 3, 20, 10  # of three classes up to 20 features are shown, of more 10
MOST_OPEN = 12  # classes; the lists of more are folded


def show_weight_bars(heaviest: Mapping[str, Sequence[tuple[str, float]]], kind: str) -> Markup | None:
    """What speaks for each class most. `kind` says what the numbers are: weights or log-odds."""
    lists = {name: list(found) for name, found in heaviest.items() if found}
    if not lists:
        return None
    largest = max(abs(weight) for found in lists.values() for _, weight in found) or 1.0
    most = MOST_OF_FEW if len(lists) <= FEW else MOST_OF_MANY
    tables = [_bars(name, found[:most], largest, kind) for name, found in lists.items()]
    shown, rest = tables[:MOST_OPEN], tables[MOST_OPEN:]
    folded = (
        tag("details", tag("summary", f"{len(rest)} more classes"), tag("div", rest, class_="lists")) if rest else None
    )
    key = tag("p", _meaning(kind, len(heaviest)), class_="soft")
    return card("What speaks for each class", key, tag("div", shown, class_="lists"), folded, wide=True)


def _meaning(kind: str, classes: int) -> str:
    if kind == "log-odds":
        return (
            "The log-odds that a value adds for its class when it occurs, against the other classes; "
            "values that also occur often come first."
        )
    if classes == 2:
        return (
            "Each value adds its weight to the score: above the threshold it is the second class, below it the first."
        )
    return "Each value adds its weight to the score of the class; the class with the highest score is predicted."


def _bars(name: str, found: Sequence[tuple[str, float]], largest: float, kind: str) -> Markup:
    rows = [(feature, signed(weight), bar(weight / largest)) for feature, weight in found]
    return table(("feature", kind, ""), rows, name, (1,))


def bar(share: float) -> Markup:
    """A bar from the left, as long as the share is large; its sign is its colour and is in the number beside it."""
    side = "for" if share > 0 else "against"
    body = tag("rect", class_=side, width=max(1.0, abs(share) * WIDTH), height=HEIGHT, rx=2)
    return tag(
        "svg",
        body,
        viewBox=f"0 0 {WIDTH:.0f} {HEIGHT:.0f}",
        preserveAspectRatio="none",
        class_="bar",
        aria_hidden="true",
    )
