"""The picture of learning: how many training and validation rows are right after each pass, or with each k."""

from __future__ import annotations

from collections.abc import Sequence

from rosenblatt.model import Curve
from rosenblatt.report.figures import percent
from rosenblatt.report.formulas import strength
from rosenblatt.report.markup import Markup, card, numbers_of, table, tag
from rosenblatt.report.scales import Scale, frame, path, picture

WIDTH, HEIGHT = 560, 260
LEFT, RIGHT, TOP, BOTTOM = 56, 536, 34, 214
LOSSES = ("0/1 loss", "perceptron loss")  # of the training rows, as the notes define them
MOST_MARKS = 40  # more points than this are a line without a mark for each


def show_learning(curve: Curve | None) -> Markup | None:
    """Two curves and their table; None where they were not asked for."""
    if curve is None:
        return None
    label = _sentence(curve)
    places = range(len(curve.points))
    x = Scale(0, max(len(curve.points) - 1, 1), LEFT, RIGHT)
    low = min(min(train, validation) for _, train, validation in curve.points)
    y = Scale(100 * max(0.0, low - 0.02), 100, BOTTOM, TOP)
    parts = frame(x, y, ("", "rows right, %"), [])
    parts += _names(curve, x)
    for which, kind in ((1, "was"), (2, "new")):
        parts += _line([(x.place(i), y.place(100 * curve.points[i][which])) for i in places], kind)
    at = next((i for i in places if curve.points[i][0] == curve.chosen), None)
    if at is not None:
        parts.append(tag("circle", cx=x.place(at), cy=y.place(100 * curve.points[at][2]), r=6.0, class_="mark new"))
    key = tag(
        "p", tag("i", "", class_="key new"), "validation rows, the large mark where the model was chosen ",
        tag("i", "", class_="key was"), "training rows", class_="soft",
    )  # fmt: skip
    heads = (curve.over, "training rows", "validation rows", *(LOSSES if curve.losses else ()))
    losses: list[tuple[float, ...]] = [*curve.losses] or [()] * len(curve.points)
    rows = [
        (_name(curve, value), percent(train), percent(right), *(f"{loss:.4g}" for loss in lost))
        for (value, train, right), lost in zip(curve.points, losses, strict=True)
    ]
    twin = table(heads, rows, f"Rows right for each {curve.over}", tuple(range(1, len(heads))))
    shown = picture(WIDTH, HEIGHT, label, parts)
    return card(f"Accuracy for each {curve.over}", tag("p", label), key, shown, numbers_of("The curves", twin))


def _name(curve: Curve, value: float) -> str:
    return strength(value) if curve.over == "k" else str(int(value))


def _names(curve: Curve, x: Scale) -> list[Markup]:
    """The passes, or the values of k, under the picture: about eight of them."""
    step = -(-len(curve.points) // 8)
    shown = [i for i in range(len(curve.points)) if i % step == 0]
    names = [
        tag("text", _name(curve, curve.points[i][0]), x=x.place(i), y=BOTTOM + 19, text_anchor="middle") for i in shown
    ]
    return [*names, tag("text", curve.over, x=x.end, y=BOTTOM + 36, text_anchor="end", class_="name")]


def _line(points: Sequence[tuple[float, float]], kind: str) -> list[Markup]:
    parts = [tag("path", d=path(points), class_=f"line {kind}")] if len(points) > 1 else []
    if len(points) <= MOST_MARKS:
        parts += [tag("circle", cx=a, cy=b, r=3, class_=f"mark {kind}") for a, b in points]
    return parts


def _sentence(curve: Curve) -> str:
    found = next((point for point in curve.points if point[0] == curve.chosen), curve.points[-1])
    where = f"With k = {strength(found[0])}" if curve.over == "k" else f"After pass {int(found[0])}"
    return (
        f"{where}, learned from the training rows alone, {percent(found[1])} of them were right "
        f"and {percent(found[2])} of the validation rows."
    )
