"""Naive Bayes by hand: shares of a small table, smoothed, their products for one day, and the class that wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import count
from typing import Any, NamedTuple

from rosenblatt.course.by_hand import read_name, read_number
from rosenblatt.course.draws import Draws
from rosenblatt.course.task import ASKED, NOT_ASKED, Blank, State, Task, solve
from rosenblatt.reference.naive_bayes import Learned, factor, learn, priors

ROWS = 8
OUTLOOK, WIND, CLASSES = ("sunny", "cloudy", "rainy"), ("weak", "strong"), ("no", "yes")
PRIOR, FIRST, SECOND, PRODUCT, POSTERIOR, CLASS = range(6)


class Given(NamedTuple):
    """The days, the day that is asked about, and k."""

    rows: list[tuple[str, str]]
    labels: list[str]
    day: tuple[str, str]
    k: int

    @property
    def learned(self) -> Learned:
        return learn(self.rows, self.labels, [len(OUTLOOK), len(WIND)])


def make(draws: Draws, course: str) -> Task:
    """A table of eight days, one day more, and k."""
    given = next(found for found in (_draw(draws) for _ in count()) if found is not None)
    names = ("P(y)", f"P(outlook = {given.day[0]} | y)", f"P(wind = {given.day[1]} | y)", "product", "P(y | day)")
    lines = (*((name, ASKED, ASKED) for name in names), ("class", ASKED, NOT_ASKED))
    days = zip(given.rows, given.labels, strict=True)
    table = [("day", "outlook", "wind", "play"), *((str(i), *row, y) for i, (row, y) in enumerate(days, 1))]
    text = (
        f"Estimate with Laplace smoothing, k = {given.k}: (count + k) / (total + k·|X|), where outlook has "
        f"{len(OUTLOOK)} values ({', '.join(OUTLOOK)}) and wind {len(WIND)}. P(y) is not smoothed.",
        f"Is there play on a day with outlook = {given.day[0]} and wind = {given.day[1]}? The product is P(y) times "
        "both probabilities; P(y | day) is its share of both products.",
    )
    head = ("", *(f"y = {name}" for name in CLASSES))
    blanks = partial(_blanks, given, names)
    return Task("Naive Bayes", text, tuple(table), head, lines, blanks, solve(lines, blanks))


def _draw(draws: Draws) -> Given | None:
    """None where a class is rare, or where the day is a draw."""
    rows = [(draws.one_of(OUTLOOK), draws.one_of(WIND)) for _ in range(ROWS)]
    labels = [draws.one_of(CLASSES) for _ in range(ROWS)]
    found = Given(rows, labels, (draws.one_of(OUTLOOK), draws.one_of(WIND)), draws.one_of((1, 2)))
    sizes = Counter(labels)
    if any(sizes[name] < 3 for name in CLASSES) or not all(
        day in {r[j] for r in rows} for j, day in enumerate(found.day)
    ):
        return None
    return found if len({_whole(found, name) for name in CLASSES}) == 2 else None


def _chance(given: Given, feature: int, name: str) -> Fraction:
    return Fraction(factor(given.learned, feature, given.day[feature], name, Fraction(given.k))[1])


def _whole(given: Given, name: str) -> Fraction:
    prior = Fraction(priors(given.learned, Fraction(1))[name])
    return prior * _chance(given, 0, name) * _chance(given, 1, name)


def _blanks(given: Given, names: tuple[str, ...], state: State, lines: int) -> Iterator[Blank]:
    for line, name in enumerate(names):
        for c, y in enumerate(CLASSES):
            yield Blank((line, c + 1), f"{name}, y = {y}", read_number, partial(_follows, given, line, c))
    yield Blank((CLASS, 1), "class", read_name, _best)


def _follows(given: Given, line: int, c: int, state: State) -> Any:
    if line == PRIOR:
        return Fraction(priors(given.learned, Fraction(1))[CLASSES[c]])
    if line in (FIRST, SECOND):
        return _chance(given, line - FIRST, CLASSES[c])
    if line == PRODUCT:
        return state[PRIOR, c + 1] * state[FIRST, c + 1] * state[SECOND, c + 1]
    total = sum(state[PRODUCT, other + 1] for other in range(len(CLASSES)))
    return state[PRODUCT, c + 1] / (total or 1)


def _best(state: State) -> frozenset[str]:
    """The class with the larger posterior; both where what was written makes them equal."""
    found = [state[POSTERIOR, c + 1] for c in range(len(CLASSES))]
    return frozenset(name for name, chance in zip(CLASSES, found, strict=True) if chance == max(found))
