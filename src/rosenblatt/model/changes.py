"""The changes of a row that are looked at to turn a decision: words and tags taken out, values in place of others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from rosenblatt.data.door_columns import plain
from rosenblatt.data.table import Origin, Table, string_column
from rosenblatt.features import Plan
from rosenblatt.features.lines import Line
from rosenblatt.features.moment import Moment
from rosenblatt.features.tags import Tags, tags_of
from rosenblatt.features.terms import Curve, Named, Stepped, Straight, Term
from rosenblatt.features.text import Text

WORD = re.compile(r"\w\w+")
FAR = 4.0  # spreads from the mean that a straight number may lie; training saw few beyond
STEPS = 60  # that a way of a number is divided into, once and again
SPAN = 0.01  # of the way that a number may go further, to be a short one
WHOLE = 50  # so long a way, and a whole number goes to a whole one


@dataclass(frozen=True, eq=False)
class Change:
    """One value, word or tag of the row, and what takes its place; nothing where it is taken out."""

    column: str
    before: Any
    after: Any = None
    word: bool = False
    tag: bool = False
    exact: bool = True  # whether what it gains is its own, whatever else changes

    @property
    def place(self) -> str:
        """Changes of one place exclude each other."""
        return f"{self.column}: {self.before}" if self.word or self.tag else self.column

    def __str__(self) -> str:
        if self.word or self.tag:
            return f"without {self.before!r} in {self.column}"
        return f"{self.column}: {_shown(self.before)} → {_shown(self.after)}"

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values."""
        return {"column": self.column, "before": self.before, "after": self.after}


@dataclass(frozen=True, eq=False)
class Number(Change):
    """Another number, within what training could see."""

    low: float = 0.0
    high: float = 0.0

    @property
    def distance(self) -> float:
        """How far it moves, as a share of the way from the lowest to the highest."""
        before = 0.0 if self.before is None else float(self.before)
        return abs(float(self.after) - before) / (self.high - self.low or 1.0)


def _shown(value: Any) -> str:
    return "nothing" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def changes_of(plan: Plan, terms: Sequence[Term], table: Table, scaled: bool) -> list[Change]:
    """Every change of the single row; dates, images and sparse columns stay as they are.

    scaled    whether texts are scaled to unit length
    """
    by_column = {term.column: term for term in terms}
    found: list[Change] = []
    for line in plan.lines:
        if line.width:
            column = table.columns[line.column]
            if isinstance(line, Text):
                found += _words(line, str(column[0].as_py() or ""), table.origin, scaled)
            elif isinstance(line, Tags):
                tags = tags_of(line.values_of(column, table.origin), line.separator)[0].to_pylist()
                found += [Change(line.column, tag, tag=True) for tag in dict.fromkeys(tags) if tag in line.values]
            else:
                found += _values(line, by_column[line.column], table)
    return found


def _words(line: Text, text: str, origin: Origin, scaled: bool) -> Iterator[Change]:
    """One for each word that has features; words that share theirs go together."""
    words = list(dict.fromkeys(WORD.findall(text.lower())))
    if not words:
        return
    block: Any = line.encode(pa.chunked_array([string_column(words)]), origin)
    alike: dict[tuple[int, ...], list[str]] = {}
    for number, word in enumerate(words):
        features = tuple(sorted(block.columns[block.starts[number] : block.starts[number + 1]].tolist()))
        if features:
            alike.setdefault(features, []).append(word)
    whole: Any = line.encode(pa.chunked_array([string_column([text])]), origin)
    single = all(len(each) == 1 for each in alike) and len(whole.columns) == len(alike)
    exact = single and (not scaled or line.settings.weight == "presence")
    for together in alike.values():
        yield Change(line.column, " ".join(together), word=True, exact=exact)


def _values(line: Line, term: Term, table: Table) -> Iterator[Change]:
    if line.nested:
        return
    read: Any = line.values_of(table.columns[line.column], table.origin)
    if isinstance(term, Named):
        own = read[0].as_py()
        yield from (Change(line.column, own, value) for value in term.values if value != own)
        return
    if not isinstance(term, Straight | Stepped | Curve) or term.moment:
        return
    number = None if np.isnan(read[0]) else float(read[0])
    if isinstance(term, Stepped) and term.cuts is None:
        yield from (Change(line.column, number, value) for value in term.values if value != number)
        return
    points = _points(term)
    span = [*points, *([] if number is None else [number])]
    low, high = min(span), max(span)
    for point in points:
        if point != number:
            yield Number(line.column, number, float(point), low=low, high=high)


def _points(term: Straight | Stepped | Curve) -> list[float]:
    """Numbers of which some have the highest and the lowest worth."""
    if isinstance(term, Curve):
        return list(term.arcs[0].knots)
    if isinstance(term, Straight):
        scaled = term.spread != 1 or term.centre != 0
        far = FAR * (term.spread if scaled else max(1.0, abs(term.fill)))
        return [term.fill - far, term.fill + far]
    cuts = list(term.cuts or [0.0])
    width = (cuts[-1] - cuts[0]) / max(1, len(cuts) - 1) or 1.0
    edges = [cuts[0] - width, *cuts, cuts[-1] + width]
    return [(a + b) / 2 for a, b in pairwise(edges)]


def nearest(
    change: Number, others: Sequence[Change], before: int, decided: Callable[[Sequence[Sequence[Change]]], np.ndarray]
) -> Number:
    """The change to the number that is nearest to the present one and turns the decision beside the other changes."""
    start = float(change.after if change.before is None else change.before)
    best: Number | None = None

    def turns(numbers: np.ndarray) -> np.ndarray:
        sets = [[*others, replace(change, after=float(number))] for number in numbers]
        return np.asarray(decided(sets) != before)

    for end in (change.low, change.high):
        near, far = start, end
        for _ in range(3):  # each round divides the way where it first turns
            way = np.linspace(near, far, STEPS + 1)[1:]
            hits = np.flatnonzero(turns(way)) if near != far else np.empty(0, int)
            if not len(hits):
                break
            place = int(hits[0])
            near, far = (near if place == 0 else float(way[place - 1])), float(way[place])
        else:
            found = replace(change, after=_short(far, end, change, turns))
            best = found if best is None or found.distance < best.distance else best
    return change if best is None else best


def _short(number: float, end: float, change: Number, turns: Callable[[np.ndarray], np.ndarray]) -> float:
    """A number of few digits a little further on, where that turns the decision too."""
    span = change.high - change.low or 1.0
    step = 10.0 ** np.floor(np.log10(SPAN * span))
    if change.before is not None and float(change.before).is_integer() and span >= WHOLE:
        step = max(1.0, step)
    towards = np.ceil if end > number else np.floor
    for digits in range(4):
        size = step / 10**digits
        tried = round(float(towards(number / size) * size), 12)
        if (tried - number) * (end - tried) >= 0 and turns(np.array([tried]))[0]:
            return plain(tried)
    return number


def plain_row(plan: Plan, table: Table) -> Table:
    """The row with names as text and numbers as numbers, as changes put them, whatever types they came in."""
    columns = table.columns
    for line in plan.lines:
        if line.width and not line.nested and not isinstance(line, Moment):  # a moment stays as it is
            read = line.values_of(columns[line.column], table.origin)
            made = pa.array(read, pa.float64(), from_pandas=True) if isinstance(read, np.ndarray) else read
            columns = columns.set_column(columns.schema.get_field_index(line.column), line.column, made)
    return replace(table, columns=columns)


def changed_row(plan: Plan, table: Table, changes: Sequence[Change]) -> Table:
    """The row with all the changes."""
    columns = table.columns
    for line in plan.lines:
        own = [each for each in changes if each.column == line.column]
        if not own:
            continue
        place = columns.schema.get_field_index(line.column)
        columns = columns.set_column(place, line.column, pa.chunked_array([_changed(line, columns, own, table)]))
    return replace(table, columns=columns)


def _changed(line: Line, columns: pa.Table, own: Sequence[Change], table: Table) -> pa.Array:
    value = columns[line.column]
    if own[0].word:
        gone = {word for each in own for word in each.before.split(" ")}
        text = str(value[0].as_py() or "")
        lowered = text.lower()  # where that makes it longer, places in it are not those in the text
        return string_column(["".join(_without(text if len(lowered) == len(text) else lowered, lowered, gone))])
    if own[0].tag and isinstance(line, Tags):
        gone = {each.before for each in own}
        tags = tags_of(line.values_of(value, table.origin), line.separator)[0].to_pylist()
        return string_column([(line.separator or " ").join(tag for tag in tags if tag not in gone)])
    after = own[0].after
    return string_column([after]) if isinstance(after, str) else pa.array([after], pa.float64())


def _without(text: str, lowered: str, gone: set[str]) -> Iterator[str]:
    """The text without these words, a blank where each was."""
    at = 0
    for found in WORD.finditer(lowered):
        if found.group() in gone:
            yield text[at : found.start()] + " "
            at = found.end()
    yield text[at:]
