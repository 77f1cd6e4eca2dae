"""The curves of columns that bend: what a number adds to the score, from its lowest knot to its highest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rosenblatt.features.terms import Curve
from rosenblatt.report.figures import plain, signed
from rosenblatt.report.markup import Markup, card, numbers_of, table, tag
from rosenblatt.report.scales import Scale, frame, path, picture

if TYPE_CHECKING:
    from rosenblatt.model import Model

WIDTH, HEIGHT = 360, 190
LEFT, RIGHT, TOP, BOTTOM = 56, 344, 26, 144
MOST_SHOWN = 12  # columns; of more, those that move the score most
LABELS = 4  # knots that are named under a picture


def show_bends(model: Model) -> Markup | None:
    """A small picture for each curve, those that move the score most first; None where no column bends."""
    formula = model.learner.summed_or_none(model.plan)
    curves = [] if formula is None else [each for each in formula.terms if isinstance(each, Curve) and not each.moment]
    if formula is None or not curves:
        return None
    bent = [(each, each.own(formula.weights) @ each.arcs[0].features.T) for each in curves]
    bent.sort(key=lambda each: -float(np.ptp(each[1], axis=1).max()))
    two, names = len(model.classes.names) == 2, model.classes.names
    what = f"to the score of {names[1]}" if two else "to the score of the class that it moves most"
    key = (
        f"What a number adds {what}. Marks are knots, evenly spaced here; between them the curve is straight, and a "
        "number beyond the ends counts as the end."
    )
    shown = [_curve(line, by_class, names) for line, by_class in bent[:MOST_SHOWN]]
    left = len(bent) - len(shown)
    more = tag("p", f"{left} more columns bend less; their weights are in the model (--to json).", class_="soft")
    return card(
        "Curves", tag("p", key, class_="soft"), tag("div", shown, class_="lists"), more if left else None, wide=True
    )


def _curve(line: Curve, weights: np.ndarray, names: tuple[str, ...]) -> Markup:
    which = int(np.ptp(weights, axis=1).argmax())
    towards = names[1] if len(weights) == 1 else names[which]
    drawn, knots = weights[which], [plain(knot) for knot in line.arcs[0].knots]
    x = Scale(0, len(knots) - 1, LEFT, RIGHT)
    y = Scale(min(0.0, float(drawn.min())), max(0.0, float(drawn.max())) or 1.0, BOTTOM, TOP)
    points = [(x.place(i), y.place(float(w))) for i, w in enumerate(drawn)]
    parts = frame(x, y, (line.column, f"adds to {towards}"), [])
    parts += [tag("path", d=path(points), class_="line new")]
    parts += [tag("circle", cx=a, cy=b, r=3, class_="mark new") for a, b in points]
    for i in sorted({round(k * (len(knots) - 1) / (LABELS - 1)) for k in range(LABELS)}):
        anchor = "start" if i == 0 else "end" if i == len(knots) - 1 else "middle"
        parts.append(tag("text", knots[i], x=x.place(i), y=BOTTOM + 19, text_anchor=anchor))
    low, high = int(drawn.argmin()), int(drawn.argmax())
    label = (
        f"{line.column}: at {knots[low]} it adds {signed(float(drawn[low]))} to {towards}, "
        f"at {knots[high]} {signed(float(drawn[high]))}."
    )
    classes = names[1:] if len(weights) == 1 else names
    rows = [(knot, *(signed(float(w)) for w in weights[:, i])) for i, knot in enumerate(knots)]
    twin = table((line.column, *classes), rows, f"What {line.column} adds", tuple(range(1, len(classes) + 1)))
    return tag("div", picture(WIDTH, HEIGHT, label, parts), numbers_of("The curve", twin))
