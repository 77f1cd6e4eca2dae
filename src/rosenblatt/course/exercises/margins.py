"""Margins by hand: scores of given weights, whether each row is right, and how far it is from the boundary.

The weights have a whole length, the constant's included, so that no square root is left over.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import count
from typing import Any

from rosenblatt.course.by_hand import read_answer, read_number
from rosenblatt.course.draws import Draws
from rosenblatt.course.task import ASKED, NOT_ASKED, Blank, State, Task, solve
from rosenblatt.reference.perceptron import dot
from rosenblatt.traces.numerals import vector

ROWS = 4
WHOLE = ((1, 2, 2, 3), (2, 3, 6, 7), (1, 4, 8, 9), (4, 4, 7, 9), (2, 6, 9, 11), (6, 6, 7, 11))  # w and |w|
HEAD = ("line", "w·x", "y(w·x)", "right?", "y(w·x)/|w|")
SCORE, PRODUCT, RIGHT, DISTANCE = 1, 2, 3, 4
Given = tuple[tuple[int, ...], tuple[tuple[int, ...], ...], tuple[int, ...]]


def make(draws: Draws, course: str) -> Task:
    """Four rows and weights; |w| and the margin have lines of their own."""
    given = next(found for found in (_draw(draws) for _ in count()) if found is not None)
    w, rows, labels = given
    lines = [("|w|", *[NOT_ASKED] * 3, ASKED)]
    lines += [(f"row {i + 1}", ASKED, ASKED, ASKED, ASKED) for i in range(ROWS)]
    lines += [("margin", *[NOT_ASKED] * 3, ASKED)]
    table = [
        ("row", "x1", "x2", "y"),
        *((str(i + 1), *map(str, f[1:]), f"{y:+d}") for i, (f, y) in enumerate(zip(rows, labels, strict=True))),
    ]
    text = (
        f"The weights are w = {vector(w)}, and every row has a constant 1 in front of its features. A row is right "
        "where y(w·x) is above 0.",
        "|w| is the length of all three weights. The margin of w on these rows is the smallest of the numbers in the "
        "last column; it is below 0 where a row is wrong.",
    )
    blanks = partial(_blanks, given)
    return Task("Margins", text, tuple(table), HEAD, tuple(lines), blanks, solve(tuple(lines), blanks))


def _draw(draws: Draws) -> Given | None:
    """Weights and rows, of which at most one is wrong."""
    size = draws.one_of(WHOLE)
    w = tuple(draws.one_of((-1, 1)) * value for value in size[:3])
    rows = tuple((1, draws.whole(-4, 4), draws.whole(-4, 4)) for _ in range(ROWS))
    wrong = draws.whole(0, ROWS)  # ROWS: none of them
    scores = [dot(w, row) for row in rows]
    if len(set(rows)) < ROWS or 0 in scores or len({s > 0 for s in scores}) < 2:
        return None
    return w, rows, tuple((1 if s > 0 else -1) * (-1 if i == wrong else 1) for i, s in enumerate(scores))


def _blanks(given: Given, state: State, lines: int) -> Iterator[Blank]:
    yield Blank((0, DISTANCE), "|w|", read_number, partial(_length, given))
    for i in range(ROWS):
        for column, read, follows in (
            (SCORE, read_number, _score), (PRODUCT, read_number, _product),
            (RIGHT, read_answer, _right), (DISTANCE, read_number, _distance),
        ):  # fmt: skip
            yield Blank((i + 1, column), f"row {i + 1}, {HEAD[column]}", read, partial(follows, given, i))
    yield Blank((ROWS + 1, DISTANCE), "margin", read_number, _margin)


def _length(given: Given, state: State) -> Fraction:
    return Fraction(next(size[3] for size in WHOLE if sorted(size[:3]) == sorted(map(abs, given[0]))))


def _score(given: Given, i: int, state: State) -> Fraction:
    return Fraction(dot(given[0], given[1][i]))


def _product(given: Given, i: int, state: State) -> Any:
    return state[i + 1, SCORE] * given[2][i]


def _right(given: Given, i: int, state: State) -> bool:
    return bool(state[i + 1, PRODUCT] > 0)


def _distance(given: Given, i: int, state: State) -> Any:
    return state[i + 1, PRODUCT] / (state[0, DISTANCE] or 1)


def _margin(state: State) -> Any:
    return min(state[i + 1, DISTANCE] for i in range(ROWS))
