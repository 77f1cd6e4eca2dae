"""From blocks to the lines of a plan: look at every column, decide what it is, learn its line.

In memory a table is one block, on the disk it has many, and on a cluster they lie elsewhere: who folds over them is an
executor. What is learned does not depend on how the rows are cut into blocks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

import pyarrow as pa

from rosenblatt.data.spooled import blocks
from rosenblatt.data.table import Declaration, Table
from rosenblatt.data.values import reading_of
from rosenblatt.features.category import NamesLearner
from rosenblatt.features.choose import Choice, Facts
from rosenblatt.features.lines import Dropped, Learner, Line
from rosenblatt.features.numeric import NumericLearner, VectorLearner
from rosenblatt.features.sparse import NumberedLearner
from rosenblatt.features.text import TextLearner
from rosenblatt.features.wishes import Wishes


class Looking(Protocol):
    """What looks at the blocks of a column: facts, or a learner."""

    def look(self, column: pa.ChunkedArray, origin: Any) -> None: ...

    def merge(self, later: Any) -> None: ...


L = TypeVar("L", bound=Looking)


class Executor(Protocol):
    """Where the blocks are looked at."""

    def fold(self, looking: dict[str, L]) -> dict[str, L]:
        """By column, what each has seen of all blocks."""
        ...


class Here:
    """The blocks of a table, one after the other in this process."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def fold(self, looking: dict[str, L]) -> dict[str, L]:
        for _, part in blocks(self.table, list(looking)) if looking else ():
            for name, each in looking.items():
                each.look(part.columns[name], part.origin)
        return looking


def types_of(table: Table) -> dict[str, pa.DataType]:
    """The type of each column."""
    return {field.name: field.type for field in table.columns.schema}


def choices_of(
    executor: Executor, types: Mapping[str, pa.DataType], said: Mapping[str, tuple[Declaration, str]]
) -> dict[str, Choice]:
    """What each column is: as somebody says, or as its values show."""
    facts = executor.fold({name: Facts(kind) for name, kind in types.items() if name not in said})
    return {name: _said(*said[name]) if name in said else facts[name].choice(name) for name in types}


def _said(what: Declaration, reason: str) -> Choice:
    return Choice({"drop": "dropped"}.get(what.kind, what.kind), reason, what.order, asked=True)


def learn_lines(
    executor: Executor,
    types: Mapping[str, pa.DataType],
    said: Mapping[str, tuple[Declaration, str]],
    wishes: Wishes,
    given: Mapping[str, Sequence[str]],
    keep: bool = False,
) -> tuple[list[Line], dict[str, Learner]]:
    """A line for each column, and what each was learned by.

    given    names of features, by column
    keep     whether learners keep what it takes to encode the rows they have seen
    """
    choices = choices_of(executor, types, said)
    several = sum(choice.kind == "text" for choice in choices.values()) > 1

    def learner(name: str, choice: Choice) -> Learner:
        kind, scale = types[name], wishes.scale and (name not in said or said[name][0].scale)
        if choice.kind == "numeric":
            return NumericLearner(name, choice, kind, scale)
        if choice.kind in ("ordered", "category"):
            return NamesLearner(name, choice, kind)
        if choice.kind == "text":
            return TextLearner(name, choice, kind, wishes.words, f"{name}: " if several else "", keep)
        if choice.kind == "numbered":
            return NumberedLearner(name, choice, given.get(name), wishes.rare)
        if choice.kind == "vector":
            return VectorLearner(name, choice, scale, given.get(name))
        return Dropped(name, choice.reason, reads=reading_of(kind))

    learners = {name: learner(name, choice) for name, choice in choices.items()}
    lines: dict[str, Line] = {}
    open_ones = {name: each for name, each in learners.items() if not isinstance(each, Dropped)}
    lines |= {name: each for name, each in learners.items() if isinstance(each, Dropped)}
    while open_ones:
        open_ones = executor.fold(open_ones)
        learners |= open_ones
        for name, each in list(open_ones.items()):
            settled = each.settle()
            if isinstance(settled, Line):
                lines[name] = settled
                del open_ones[name]
    return [lines[name] for name in types], learners
