"""Draws the pictures of the guides again: python docs/images/guides.py

`review_digits.svg` needs nothing; `review_sms.svg` and `false_alarms.svg` need the SMS collection in the folder that
ROSENBLATT_DATA names, and stay as they are without it.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pyarrow as pa
from sklearn.datasets import load_digits

from rosenblatt import review
from rosenblatt.pipeline import Goal, train_with_evidence

HERE = Path(__file__).parent
HEAD = '<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {w} {h}" font-family="system-ui,sans-serif" '
BAD, GOOD, INK, LINE = "#d55e00", "#0072b2", "#1d2530", "#d9dfe6"


def write(name: str, width: int, height: int, title: str, marks: list[str]) -> None:
    head = HEAD.format(w=width, h=height) + f'font-size="12" fill="{INK}"><title>{title}</title>'
    paper = f'<rect width="{width}" height="{height}" fill="#fff"/>'
    (HERE / name).write_text(head + paper + "".join(marks) + "</svg>\n", encoding="utf8")


def text(x: float, y: float, said: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{said}</text>'


def box(x: float, y: float, width: float, height: float, fill: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}"/>'


def digits() -> None:
    """The twelve digits whose labels are the least probable."""
    X, y = load_digits(return_X_y=True)
    marks = []
    for place, doubt in enumerate(review(X, label=y).queue[:12]):
        left, top = 20 + place % 6 * 120, 20 + place // 6 * 150
        for pixel, value in enumerate(X[doubt.row]):
            shade = int(255 - 224 * value / 16)
            if value:
                marks.append(box(left + pixel % 8 * 11, top + pixel // 8 * 11, 11, 11, f"rgb({shade},{shade},{shade})"))
        marks.append(text(left + 44, top + 106, f"label {doubt.label} ({doubt.probability:.1%})", "middle"))
        marks.append(text(left + 44, top + 122, f"suggested {doubt.suggested}", "middle"))
    write("review_digits.svg", 740, 310, "The twelve digits whose label is least probable out of fold", marks)


def messages(file: Path) -> None:
    """How probable the given labels of the messages are; heights are logarithms, as most are probable."""
    rows = [line.split("\t", 1) for line in file.read_text(encoding="utf8").splitlines()]
    found = review(pa.table({"text": [words for _, words in rows]}), label=[kind for kind, _ in rows])
    counts, _ = np.histogram(found.probability, bins=20, range=(0, 1))
    marks = []
    for place, count in enumerate(counts.tolist()):
        tall, left = 16 * np.log2(1 + count), 20 + 32 * place
        marks.append(box(left, 220 - tall, 28, tall, BAD if place < 10 else GOOD))
        marks.append(text(left + 14, 215 - tall, f"{count:,}", "middle"))
        marks += [text(left, 238, f"{5 * place}%")] if place % 5 == 0 else []
    marks.append(text(660, 256, "probability of the given label", "end"))
    title = f"{len(rows):,} messages by the probability of their given label"
    write("review_sms.svg", 680, 266, title, marks)


def alarms(file: Path) -> None:
    """What every line between spam and ham would give, where costs draw it, and two lines by their probability."""
    rows = [line.split("\t", 1) for line in file.read_text(encoding="utf8").splitlines()]
    table, kinds = pa.table({"text": [words for _, words in rows]}), [kind for kind, _ in rows]
    goal = Goal("spam", cost_false_positive=20, cost_false_negative=1)
    model, evidence = train_with_evidence(table, label=kinds, goal=goal)
    ranking, calibration = evidence.ranking, model.decision.calibration
    assert ranking is not None, "two classes are ranked"
    assert calibration is not None, "by rows out of fold"
    x, y = 60 + 600 * np.minimum(ranking.false_alarms / 0.02, 1), 250 - 220 * np.maximum(ranking.recall * 5 - 4, 0)
    marks = [f'<path d="M{60} 250H660M60 250V30" stroke="{LINE}" fill="none"/>']
    marks += [text(60 + 150 * step, 268, f"{0.5 * step:g}%", "middle") for step in range(5)]
    marks += [text(52, 254 - 55 * step, f"{80 + 5 * step}%", "end") for step in range(5)]
    marks += [text(660, 286, "false alarms: ham taken for spam", "end"), text(60, 20, "spam found")]
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True) if a < 660)
    marks.append(f'<polyline points="{points}" fill="none" stroke="{GOOD}" stroke-width="2.5"/>')
    lines = (
        ("50% probable", calibration.score_at(0.5), INK, 16),
        ("the cheapest", model.decision.threshold, BAD, 34),
    )
    for named, line, colour, below in lines:
        at = ranking.at(line)
        marks.append(f'<circle cx="{x[at]:.1f}" cy="{y[at]:.1f}" r="6" fill="{colour}"/>')
        found, wrong = f"{ranking.recall[at]:.1%} of spam found", f"{ranking.alarms[at]} false alarms"
        said = f"{named}: {found}, {wrong}, cost {ranking.costs(20, 1)[at]:g}"
        print(said, f"of {ranking.positives + ranking.others} rows; test", model.card["goal"]["test"])
        marks.append(text(x[at] + 14, y[at] + below, said))
    write("false_alarms.svg", 680, 300, "Recall against false alarms of 5,574 messages, out of fold", marks)


if __name__ == "__main__":
    digits()
    collection = Path(os.environ.get("ROSENBLATT_DATA", "")) / "sms-spam" / "SMSSpamCollection"
    if collection.exists():
        messages(collection)
        alarms(collection)
