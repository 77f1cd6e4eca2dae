"""The picture of how far the probabilities can be believed, and how often sets hold the true class."""

from __future__ import annotations

from collections.abc import Sequence

from rosenblatt.model import Card, Evidence, Reliability
from rosenblatt.report.facts import belief_facts
from rosenblatt.report.figures import count, percent, rows_of
from rosenblatt.report.markup import Markup, card, facts, numbers_of, table, tag
from rosenblatt.report.scales import Scale, frame, path, picture

WIDTH, HEIGHT = 560, 300
LEFT, RIGHT, TOP, BOTTOM = 56, 548, 34, 254


def show_calibration(evidence: Evidence, card_of: Card) -> Markup | None:
    """Probability claimed against share that was right; None where the model gives no probabilities.

    Naive Bayes has a posterior of its own, which is drawn beside what calibration made of it.
    """
    found, own = evidence.evaluation.reliability, evidence.posterior
    if found is None:
        found, own = own, None
    if found is None:
        return None
    least = min(min(claimed, right) for claimed, right, _ in [*found.bins, *([] if own is None else own.bins)])
    low = 0.0 if least < 0.45 else 0.4
    x, y = Scale(low, 1, LEFT, RIGHT), Scale(low, 1, BOTTOM, TOP)
    parts = frame(x, y, ("probability claimed", "share right"))
    parts.append(tag("path", d=path([(LEFT, BOTTOM), (RIGHT, TOP)]), class_="line old"))
    parts += [] if own is None else _marks(own, x, y, "was")
    parts += _marks(found, x, y, "new")
    label = (
        f"The probability of the predicted class is off by {percent(found.error)} on average, "
        f"in {count(found.rows)} {evidence.tested}."
    )
    reason = "On the dashed line probabilities are what they say. Marks below it: surer than right."
    keys: list[Markup] = []
    if own is not None:
        key = tag("i", "", class_="key was")
        said = f"naive Bayes' own posterior, off by {percent(own.error)}: it counts what depends on each other twice"
        keys = [tag("p", tag("i", "", class_="key new"), "calibrated ", key, said, class_="soft")]
    lines = facts((each.label, " · ".join(each.parts)) for each in belief_facts(card_of))
    twins = [_twin(found.bins, "Probability claimed and share right")]
    twins += [] if own is None else [_twin(own.bins, "The same of naive Bayes' own posterior")]
    shown = picture(WIDTH, HEIGHT, label, parts)
    notes = tag("p", reason, class_="soft")
    return card(
        "Calibration", tag("p", label), shown, notes, keys, lines, numbers_of("The calibration", tag("div", twins))
    )


def _marks(found: Reliability, x: Scale, y: Scale, kind: str) -> list[Markup]:
    points = [(x.place(claimed), y.place(right)) for claimed, right, _ in found.bins]
    parts = [tag("path", d=path(points), class_=f"line {kind} thin")] if len(points) > 1 else []
    for (a, b), (claimed, right, n) in zip(points, found.bins, strict=True):
        say = f"{rows_of(n)}: {percent(claimed)} claimed, {percent(right)} right"
        parts.append(tag("circle", tag("title", say), cx=a, cy=b, r=4, class_=f"mark {kind}"))
    return parts


def _twin(bins: Sequence[tuple[float, float, int]], caption: str) -> Markup:
    rows = [(percent(claimed), percent(right), count(n)) for claimed, right, n in bins]
    return table(("claimed", "right", "rows"), rows, caption, (1, 2))
