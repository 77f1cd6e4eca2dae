"""An exercise of one student: what is given, what is to be filled in, and how each cell follows from those before."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from rosenblatt.traces.numerals import numeral, vector

ASKED = ""  # a cell to be filled in
NOT_ASKED = "—"

Place = tuple[int, int]  # line and column, from 0
State = dict[Place, Any]  # what the cells say so far
Cells = tuple[str, ...]


class Blank(NamedTuple):
    """A cell to be filled in. `follows` says what belongs there where the cells before it say what the state holds."""

    place: Place
    where: str  # as a person would name it: step 3, Score
    read: Callable[[str], Any]
    follows: Callable[[State], Any]
    may_be_empty: bool = False  # where the rest of the line is filled in: no update


@dataclass(frozen=True)
class Task:
    """`blanks(state, lines)` gives the cells to be filled in, one after the other, while the state grows."""

    title: str
    text: Cells
    given: tuple[Cells, ...]  # a table; its first line is the head
    head: Cells
    lines: tuple[Cells, ...]  # as they are handed out
    blanks: Callable[[State, int], Iterator[Blank]]
    solved: tuple[Cells, ...]
    free: bool = False  # whether lines may be left over or added


def shown(value: Any) -> str:
    """A value as it is written by hand."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return vector([float(number) for number in value])
    if isinstance(value, frozenset):
        return " or ".join(sorted(map(shown, value))) or "nothing: no row is wrong any more"
    if isinstance(value, Fraction) and value.denominator > 1:
        exact = f" = {value}" if value.denominator < 10_000 and Fraction(numeral(float(value))) != value else ""
        return f"{numeral(float(value))}{exact}"
    return value if isinstance(value, str) else numeral(float(value))


def settled(value: Any) -> Any:
    """The value; the first of those that will do, where there is a choice."""
    return min(value, default="") if isinstance(value, frozenset) else value


def solve(lines: tuple[Cells, ...], blanks: Callable[[State, int], Iterator[Blank]]) -> tuple[Cells, ...]:
    """The lines with every blank filled in, where no choice is left to the student."""
    state: State = {}
    filled = [list(line) for line in lines]
    for blank in blanks(state, len(lines)):
        state[blank.place] = value = settled(blank.follows(state))
        filled[blank.place[0]][blank.place[1]] = shown(value).partition(" = ")[0]
    return tuple(map(tuple, filled))
