"""0/1 loss and perceptron loss as curves over y·w·x, and where the rows of a trace are on them."""

from __future__ import annotations

import numpy as np

from rosenblatt.learn.losses import Losses, leads, row_losses
from rosenblatt.report.markup import Markup, tag
from rosenblatt.report.scales import Scale, frame, path
from rosenblatt.report.sheet import Sheet, mark
from rosenblatt.traces.steps import Trace

WIDTH, HEIGHT = 640, 380
LEFT, RIGHT, TOP, BOTTOM = 60, 620, 70, 320
MOST_NAMED = 30  # rows that have their number beside them


def draw_losses(run: Trace, step: int) -> Sheet:
    """The two curves, and each row on both of them."""
    at = leads(run.X @ run.weights_after(step).T, run.truth)
    far = float(np.abs(at).max(initial=0.0)) or 1.0
    x, y = Scale(-1.1 * far, 1.1 * far, LEFT, RIGHT), Scale(0, max(1.1 * far, 1.25), BOTTOM, TOP)
    parts = frame(x, y, ("y·w·x, above 0 where a row is right", "loss of a row"))
    parts.append(tag("line", x1=x.place(0), x2=x.place(0), y1=y.start, y2=y.end, class_="axis"))
    parts += [tag("path", d=path(_places(corners, x, y)), class_=f"line {kind}") for corners, kind in _curves(far)]
    lost = row_losses(np.asarray(at), np.ones(len(at), int))
    for row, (lead, loss, c) in enumerate(zip(at.tolist(), lost.tolist(), run.truth.tolist(), strict=True), 1):
        parts += mark(c, x.place(lead), y.place(loss), str(row) if len(at) <= MOST_NAMED else "", 5.0)
    losses = run.losses_after(step)
    label = (
        f"0/1 loss (dashed) and perceptron loss over y·w·x, with {len(at)} rows on them; the means are "
        f"{losses.zero_one:.4g} and {losses.perceptron:.4g}"
    )
    return Sheet(WIDTH, HEIGHT, label, [*parts, *_legend(losses)])


def _curves(far: float) -> list[tuple[list[tuple[float, float]], str]]:
    """max(0, −z), and 1 up to z = 0 and 0 beyond: a score of 0 is a mistake."""
    end = 1.1 * far
    return [([(-end, end), (0, 0), (end, 0)], "new"), ([(-end, 1), (0, 1), (0, 0), (end, 0)], "old")]


def _places(corners: list[tuple[float, float]], x: Scale, y: Scale) -> list[tuple[float, float]]:
    return [(x.place(a), y.place(b)) for a, b in corners]


def _legend(losses: Losses) -> list[Markup]:
    found, soft = [], f"perceptron loss max(0, −y·w·x), mean {losses.perceptron:.4g}"
    for place, (kind, words) in enumerate((("new", soft), ("old", f"0/1 loss, mean {losses.zero_one:.4g}"))):
        left = LEFT + 310 * place
        found.append(tag("line", x1=left, x2=left + 28, y1=24, y2=24, class_=f"line {kind}"))
        found.append(tag("text", words, x=left + 36, y=28, class_="name"))
    return found
