"""The ways of encoding worth trying for a table: the plan as it is, rarity for words, words in order and characters,
unit length for sparse rows, curves for numbers, and association units for numbers, pixels and small tables.

Sparse rows of whole numbers above 0 count words: they are text that somebody has counted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rosenblatt.data.table import Table
from rosenblatt.features import Plan, TextSettings, Wishes, learn_and_encode
from rosenblatt.features.lines import Line
from rosenblatt.features.numeric import Numeric, Vector
from rosenblatt.features.sparse import Numbered
from rosenblatt.features.tags import Tags
from rosenblatt.features.text import Text
from rosenblatt.features.units import FAN_IN
from rosenblatt.learn.problem import square_lengths
from rosenblatt.loops.rows import Dense, Rows, n_rows
from rosenblatt.model.bayes import are_counts, are_repeated
from rosenblatt.pipeline.tries import FEWEST

# Knots and whose quantiles they are, in the order in which curves are tried.
CURVES = ((16, "values"), (8, "rows"))
MOST_BENT = 1_000  # columns of numbers; more are a vector that somebody measured, not a table that somebody keeps
MANY = 5_000_000  # numbers; each takes 48 bytes as a curve, and of more there are curves only where they are asked for
# Different words of all rows, up to which pairs, triples and runs of characters are tried: a row has about 2, 3 and 15
# times as many of these.
MOST_PAIRED, MOST_TRIPLED, MOST_SPELLED = 50_000_000, 1_000_000, 400_000
# The power of rarity, of more than two classes. Out of fold 1.5 gained up to 1.1 points over 1 on seven sets of topics,
# and lost none; 2 gained more on some and lost on headlines and folders of mail. Of two classes there was no gain.
POWER = 1.5
# Association units: how many are tried, over how many training rows at least (each has a weight for every class; of a
# table that is searched in every fold fewer rows tell), and how many numbers they add up at most.
UNITS, FEWEST_WIRED, FEWEST_FOLDED, MOST_WIRED = 2_000, 4_000, 100, 4_000_000_000
UNEVEN = 1.01  # rows whose lengths differ by less are as good as of unit length


@dataclass(frozen=True)
class Way:
    """A way of encoding, and what a report calls it; the plan itself has no name."""

    name: str
    wishes: Wishes


@dataclass(frozen=True)
class Encoded:
    """The training and the validation rows in one way."""

    way: Way
    plan: Plan
    train: Rows
    validation: Rows


def encode(way: Way, train: Table, validation: Table, truth: np.ndarray) -> Encoded:
    """The plan that the training rows, of these classes, suggest, and both parts by it."""
    plan, matrix = learn_and_encode(train, way.wishes, truth)
    return Encoded(way, plan, matrix.rows, plan.encode(validation).rows)


class Ways:
    """The rows in every way that is tried, each encoded when it is first asked for."""

    def __init__(self, wishes: Wishes, train: Table, validation: Table, truth: np.ndarray, n_classes: int) -> None:
        self.parts, self.n_classes = (train, validation, truth), n_classes
        self.first = encode(Way("", wishes), *self.parts)
        self.encoded: list[Encoded] = []

    def every(self) -> list[Encoded]:
        """All of them, the plan as it is first."""
        if not self.encoded:
            more = (encode(way, *self.parts) for way in more_ways(self.first, self.n_classes))
            self.encoded = [self.first, *more]
        return self.encoded

    def release(self) -> None:
        """Lets go of all of them: whoever goes on has its own."""
        self.encoded = []
        del self.first


def used(plan: Plan) -> list[Line]:
    return [line for line in plan.lines if line.width]


def holds_words(plan: Plan) -> bool:
    """Whether features are words, of text or counted by somebody else."""
    return any(isinstance(line, Text) or (isinstance(line, Numbered) and len(line.rarity)) for line in used(plan))


def is_table(plan: Plan) -> bool:
    """Whether features are those of single numbers, names and dates; not of words, sparse rows or vectors."""
    return not any(isinstance(line, Text | Numbered | Vector) for line in used(plan))


def is_numeric(plan: Plan) -> bool:
    """Whether no feature is a word or a column of sparse rows."""
    return not any(isinstance(line, Text | Numbered) for line in used(plan))


def more_ways(first: Encoded, n_classes: int) -> list[Way]:
    """What else to try for perceptrons, beside the plan as it is."""
    wishes, lines = first.way.wishes, used(first.plan)
    ways = []
    if (
        any(isinstance(line, Text) for line in lines)
        and wishes.words.weight == "presence"
        and not wishes.words.hash_bits
    ):
        ways.append(Way("tf-idf", replace(wishes, words=by_rarity(wishes.words, n_classes))))
    if all(isinstance(line, Numbered) for line in lines) and wishes.unit != "rows":
        squares = square_lengths(first.train)
        if squares.max(initial=1.0) > UNEVEN * squares.min(initial=np.inf):
            ways.append(Way("unit rows", replace(wishes, unit="rows")))
        if are_repeated(first.train) and not wishes.rare:
            words = replace(wishes.words, rarity=power_of(wishes.words, n_classes))
            ways.append(Way("tf-idf", replace(wishes, unit="rows", rare=True, words=words)))
    return ways


def gram_ways(first: Encoded, n_classes: int) -> list[Way]:
    """The way with words in order and with characters, unless the user says what is to be had of text.

    Of two classes n-grams are weighed by how unevenly these have them: out of fold that gained more than rarity. Of
    more classes each n-gram has a weight for each, so those in a single row are left out.
    """
    words, rows = first.way.wishes.words, first.train
    if not any(isinstance(line, Text) for line in used(first.plan)) or words.hash_bits or n_rows(rows) < FEWEST:
        return []
    values = rows.values.size if isinstance(rows, Dense) else len(rows.columns)
    weighed = words
    if words.weight in ("presence", "tfidf"):
        weighed = replace(words, weight="ratio-idf", damped=False) if n_classes == 2 else by_rarity(words, n_classes)
    if n_classes > 2:
        weighed = replace(weighed, min_documents=max(2, words.min_documents))
    found: list[dict[str, Any]] = []
    if words.ngrams is None:
        found += [{"ngrams": 2}] if values <= MOST_PAIRED else []
        found += [{"ngrams": 3}] if n_classes == 2 and values <= MOST_TRIPLED else []
    if words.characters is None and values <= MOST_SPELLED // (1 if n_classes == 2 else 4):
        found.append({"characters": True})
    every = [replace(weighed, **own) for own in found]
    return [
        Way(_named(own, each), replace(first.way.wishes, words=each)) for own, each in zip(found, every, strict=True)
    ]


def by_rarity(words: TextSettings, n_classes: int) -> TextSettings:
    """Words weighed by how rare they are, as they are wherever nobody says how."""
    return replace(words, weight="tfidf", damped=True, rarity=power_of(words, n_classes))


def power_of(words: TextSettings, n_classes: int) -> float | None:
    """The power of rarity that is asked for, or else the one for so many classes."""
    return words.rarity or (POWER if n_classes > 2 else None)


def _named(own: dict[str, Any], words: TextSettings) -> str:
    what = {2: "pairs", 3: "triples"}.get(own.get("ngrams", 0), "characters")
    return f"{what} by ratio" if words.weight == "ratio-idf" else what


def bent_ways(best: Encoded) -> list[Way]:
    """The way that did best with curves in place of straight numbers, unless the user says how numbers are."""
    wishes, name = best.way.wishes, best.way.name
    count = sum(isinstance(line, Numeric) for line in used(best.plan))
    rows = n_rows(best.train)
    if wishes.knots is not None or wishes.units or not wishes.scale or rows < FEWEST or count * rows > MANY:
        return []
    curves = CURVES if 0 < count <= MOST_BENT else ()
    return [
        Way(", ".join(filter(None, [name, f"{knots} knots"])), replace(wishes, knots=knots, over=over))
        for knots, over in curves
    ]


def unit_ways(first: Encoded, folded: bool = False) -> list[Way]:
    """The way with association units over numbers or pixels, unless the user says how these become features.

    folded    whether every way is searched in every fold: then units may read names, too
    """
    wishes, rows, lines = first.way.wishes, n_rows(first.train), used(first.plan)
    asked = wishes.units is not None or wishes.knots is not None or not wishes.scale
    fewest = FEWEST_FOLDED if folded else FEWEST_WIRED
    if asked or first.plan.width < 2 or rows < fewest or rows * UNITS * FAN_IN > MOST_WIRED:
        return []
    if folded:
        suits = is_table(first.plan) and not any(isinstance(line, Tags) for line in lines)
    else:
        suits = all(isinstance(line, Numeric | Vector | Numbered) for line in lines) and not _mostly_empty(first)
    return [Way(f"{UNITS:,} units", replace(wishes, units=UNITS, knots=0))] if suits else []


def _mostly_empty(first: Encoded) -> bool:
    """Whether most values are 0, as of words that somebody has counted."""
    rows = first.train
    return not isinstance(rows, Dense) and 2 * len(rows.columns) < first.plan.width * n_rows(rows)


def counts_way(first: Encoded) -> Way | None:
    """The way in which words are counted, for naive Bayes; None where nothing counts words."""
    wishes, lines = first.way.wishes, used(first.plan)
    if all(isinstance(line, Text) for line in lines):
        return Way("counts", replace(wishes, words=replace(wishes.words, weight="counts"), unit="none"))
    if all(isinstance(line, Numbered) for line in lines) and are_counts(first.train):
        return Way("counts", replace(wishes, unit="none"))
    return None


def bayes_on(plan: Plan) -> str | None:
    """What naive Bayes can count: the plan's features, the columns themselves, or nothing it makes sense of."""
    lines = used(plan)
    if all(isinstance(line, Text | Numbered) or _is_bytes(line) for line in lines):
        return "matrix"
    return "columns" if is_table(plan) and not any(isinstance(line, Tags) for line in lines) else None


def _is_bytes(line: Line) -> bool:
    return isinstance(line, Vector) and not len(line.centres)
