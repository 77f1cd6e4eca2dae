"""Where the line between two classes could be: the ROC and the precision-recall curve, and a table of thresholds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rosenblatt.model import Evidence, Model
from rosenblatt.model.ranking import Ranking
from rosenblatt.report.figures import count, percent, short
from rosenblatt.report.markup import Markup, card, table, tag
from rosenblatt.report.scales import Scale, frame, path, picture

WIDTH, HEIGHT = 560, 300
LEFT, RIGHT, TOP, BOTTOM = 56, 548, 34, 254
MOST = 300  # points of a curve
HEAD = ("threshold", "probability", "precision", "recall", "false alarms", "cost")
FEW_RECALLS = (0.5, 0.8, 0.9, 0.95, 0.99)
RECALLS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)  # of the lines in the table


def show_thresholds(model: Model, evidence: Evidence) -> Markup | None:
    """Both curves with the line of the model, and what other lines would give; None of more than two classes."""
    ranking = evidence.ranking
    if ranking is None or not ranking.positives or not ranking.others:
        return None
    here, name = ranking.at(model.decision.threshold), model.classes.names[1]
    label = (
        f"Of all pairs of rows of the two classes, the scores of {name} rank {percent(ranking.area)} rightly (AUC). "
        f"At its line the model finds {percent(ranking.recall[here])} of {name}, and "
        f"{percent(ranking.false_alarms[here])} of the others are false alarms."
    )
    roc = _curve(ranking.false_alarms, ranking.recall, here, ("false alarms", "recall"), "ROC curve. " + label)
    ahead = _curve(
        ranking.recall, ranking.precision, here, ("recall", "precision"),
        f"Precision and recall. At its line {percent(ranking.precision[here])} of what it calls {name} is right.",
    )  # fmt: skip
    about = "By rows out of fold, or held out: the model was not fitted to them, and the test part plays no role in it."
    return card("Thresholds", tag("p", label), roc, ahead, _table(model, ranking, here), tag("p", about, class_="soft"))


def _curve(across: np.ndarray, up: np.ndarray, here: int, names: tuple[str, str], label: str) -> Markup:
    x, y = Scale(0, 1, LEFT, RIGHT), Scale(0, 1, BOTTOM, TOP)
    some = np.unique(np.linspace(0, len(across) - 1, min(MOST, len(across))).round().astype(int))
    points = [(x.place(float(across[i])), y.place(float(up[i]))) for i in some]
    chosen = tag("circle", tag("title", "the model's line"), cx=x.place(float(across[here])),
                 cy=y.place(float(up[here])), r=6, class_="mark new")  # fmt: skip
    return picture(WIDTH, HEIGHT, label, [*frame(x, y, names), tag("path", d=path(points), class_="line new"), chosen])


def _table(model: Model, ranking: Ranking, here: int) -> Markup:
    """A line for each of some recalls, and that of the model."""
    named = f"Lines for {model.classes.names[1]}: predict --threshold takes any of them"
    return table(HEAD, _lines(model, ranking, here, RECALLS), named, range(1, 6))


def threshold_lines(model: Model, ranking: Ranking | None) -> list[str]:
    """Some lines as text, where a class was called positive; nothing otherwise."""
    if ranking is None or "goal" not in model.card or not ranking.positives or not ranking.others:
        return []
    cells = [HEAD, *_lines(model, ranking, ranking.at(model.decision.threshold), FEW_RECALLS)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ["  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]).rstrip() for line in cells]
    rows = ranking.positives + ranking.others
    return [f"other lines, by {count(rows)} rows that the model was not fitted to", *(f"  {line}" for line in lines)]


def _lines(model: Model, ranking: Ranking, here: int, recalls: Sequence[float]) -> list[tuple[str, ...]]:
    """What the lines of these recalls and that of the model give."""
    places = {int(np.argmax(ranking.recall >= recall)) for recall in recalls} | {here}
    goal = model.card.get("goal")
    alarm, miss = (1.0 if each is None else each for each in (goal["costs"] if goal else (None, None)))
    costs = ranking.costs(alarm, miss)
    rows: list[tuple[str, ...]] = []
    for at in sorted(places):
        line = float(ranking.lines[at])
        alarms = f"{count(ranking.alarms[at])} ({percent(float(ranking.false_alarms[at]))})"
        shares = [percent(float(each[at])) for each in (ranking.precision, ranking.recall)]
        named = f"{short(line)}{' ← the model' if at == here else ''}"
        rows.append((named, _chance(model, line), *shares, alarms, short(float(costs[at]))))
    return rows


def _chance(model: Model, line: float) -> str:
    """The probability of the second class at a line."""
    calibration = model.decision.calibration
    return "–" if calibration is None else percent(float(calibration.probabilities(np.array([line]))[0, 1]))
