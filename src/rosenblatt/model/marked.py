"""A text with what each word and n-gram of it adds to a score, in its place; the parts add up to the score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.data.table import Table
from rosenblatt.data.values import names_of
from rosenblatt.features import Plan
from rosenblatt.features.spans import spans_of
from rosenblatt.features.text import Text
from rosenblatt.learn.explain import Explanation


class Mark(NamedTuple):
    """One occurrence of a feature: from a character to before another, its name, and what it adds to the score."""

    start: int
    stop: int
    name: str
    part: float


@dataclass(frozen=True)
class Marked:
    """A column of text of one row. What a feature adds is shared evenly by its occurrences."""

    column: str
    text: str
    marks: tuple[Mark, ...]  # in reading order, of equal starts the longer first

    @property
    def total(self) -> float:
        """What all of them add."""
        return float(sum(mark.part for mark in self.marks))


@dataclass(frozen=True)
class Why:
    """A text, marked, beside what else makes its score: text and rest add up to it."""

    text: Marked
    towards: str  # the class whose score it is
    score: float
    rest: float  # the constant, and what words add that are not there or other columns


def why(plan: Plan, table: Table, found: Explanation) -> Why | None:
    """The longest text of the single row that was explained; None where there is none, or no finite sum."""
    line = found.line()
    texts, score = marked(plan, table, found, line), float(found.scores[line])
    if not texts or not math.isfinite(score):
        return None
    longest = max(texts, key=lambda each: len(each.text))
    towards = found.classes[1] if len(found.contributions) == 1 else found.predicted
    return Why(longest, str(towards), score, score - longest.total)


def marked(plan: Plan, table: Table, found: Explanation, line: int) -> list[Marked]:
    """The texts of the single row that was explained, with their parts of one of the scores."""
    # Of features with one name, as those that hash to the same number, there is one.
    number = {str(name): j for j, name in enumerate(found.names)}
    texts = []
    for each in plan.lines:
        if not isinstance(each, Text) or not each.width:
            continue
        text = names_of(table.columns[each.column], each.reads)[0].as_py() or ""
        spans, names = spans_of(each, text), each.names()
        often = np.bincount([span.feature for span in spans], minlength=each.width)
        marks = []
        for start, stop, feature in spans:
            j = number.get(names[feature])
            part = 0.0 if j is None else float(found.contributions[line, j]) / int(often[feature])
            marks.append(Mark(start, stop, names[feature], part))
        texts.append(Marked(each.column, text, tuple(mark for mark in marks if mark.part)))
    return texts


def plain_spans(plan: Plan, table: Table, found: Explanation) -> dict[str, Any]:
    """For each text its features in place, as plain values: what each occurrence adds to each score."""
    towards = [found.classes[1]] if len(found.contributions) == 1 else list(found.classes)
    plain: dict[str, Any] = {}
    for number, name in enumerate(towards):
        for each in marked(plan, table, found, number):
            spans = [{"start": m.start, "stop": m.stop, "feature": m.name, "part": m.part} for m in each.marks]
            plain.setdefault(each.column, {})[str(name)] = spans
    return {"spans": plain} if plain else {}


def tiers(marks: Sequence[Mark]) -> list[int]:
    """Under which line each mark stands, so that none covers another: the shorter nearer to the text."""
    order = sorted(range(len(marks)), key=lambda i: (marks[i].stop - marks[i].start, marks[i].start))
    room, found = max((mark.stop for mark in marks), default=0), [0] * len(marks)
    taken: list[bytearray] = []  # for each line which characters have a mark there
    for i in order:
        own = slice(marks[i].start, marks[i].stop)
        tier = next((t for t, line in enumerate(taken) if not any(line[own])), len(taken))
        if tier == len(taken):
            taken.append(bytearray(room))
        taken[tier][own] = b"\1" * (own.stop - own.start)
        found[i] = tier
    return found
