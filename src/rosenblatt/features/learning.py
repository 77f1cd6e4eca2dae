"""From blocks to the lines of a plan: look at every column, decide what it is, learn its line.

In memory a table is one block, on the disk it has many, and on a cluster they lie elsewhere: who folds over them is an
executor (`executor.py`). What is learned does not depend on how the rows are cut into blocks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import pyarrow as pa

from rosenblatt.data.table import Declaration, Table
from rosenblatt.features.bent import Bent
from rosenblatt.features.bins import Bins
from rosenblatt.features.category import Category
from rosenblatt.features.executor import Executor, Here
from rosenblatt.features.facts import Facts
from rosenblatt.features.kinds import decided, kind_named
from rosenblatt.features.lines import Asked, Dropped, Learner, Line
from rosenblatt.features.numeric import Numeric
from rosenblatt.features.text import Text
from rosenblatt.features.wishes import DECLARED, USUAL, Wishes


def types_of(table: Table) -> dict[str, pa.DataType]:
    """The type of each column."""
    return {field.name: field.type for field in table.columns.schema}


Decided: TypeAlias = tuple[type[Line], str]  # what a column is, and why


def kinds_of(
    executor: Executor, types: Mapping[str, pa.DataType], said: Mapping[str, tuple[Declaration, str]]
) -> dict[str, Decided]:
    """What each column is: as somebody says, or as its values show."""
    known: dict[str, Decided] = executor.table.kinds if isinstance(executor, Here) else {}
    facts = executor.fold({name: Facts(name, kind) for name, kind in types.items() if name not in {*said, *known}})
    known |= {name: decided(found) for name, found in facts.items()}
    return {name: _said(*said[name]) if name in said else known[name] for name in types}


def _said(what: Declaration, reason: str) -> Decided:
    kind = kind_named(Dropped.kind if what.kind == "drop" else what.kind)
    assert kind is not None, "wishes and files declare kinds that there are"
    return kind, reason


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
    kinds = kinds_of(executor, types, said)
    if wishes.knots:
        straight = {name for name, (_, who) in said.items() if who == DECLARED}
        kinds |= {name: (Bent, why) for name, (kind, why) in kinds.items() if kind is Numeric and name not in straight}
    several = sum(issubclass(kind, Text) for kind, _ in kinds.values()) > 1
    learners: dict[str, Learner] = {}
    for name, (kind, reason) in kinds.items():
        what = said[name][0] if name in said else Declaration("")
        asked = Asked(
            name, reason, types[name], what.order, name in said, wishes.scale and what.scale, wishes.words,
            f"{name}: " if several else "", given.get(name), wishes.rare,
            wishes.knots or USUAL, wishes.over, keep, what.reads, wishes.share,
        )  # fmt: skip
        learners[name] = kind.learner(asked)
    lines = settled(executor, learners)
    return [lines[name] for name in types], learners


def counted_lines(executor: Executor, lines: Sequence[Line], types: Mapping[str, pa.DataType]) -> list[Line]:
    """How naive Bayes reads the columns of a plan's lines: numbers in bins, everything else as names."""
    learners: dict[str, Learner] = {}
    for line in lines:
        kind = Bins if line.numbers else Category
        asked = Asked(line.column, line.reason, types[line.column], declared=True, written=line.reads)
        learners[line.column] = kind.learner(asked)
    found = settled(executor, learners)
    return [found[line.column] for line in lines]


def settled(executor: Executor, learners: dict[str, Learner]) -> dict[str, Line]:
    """The line that each learner settles into; `learners` become those that have looked at all blocks."""
    lines: dict[str, Line] = {name: each for name, each in learners.items() if isinstance(each, Dropped)}
    unsettled = {name: each for name, each in learners.items() if name not in lines}
    while unsettled:
        unsettled = executor.fold(unsettled)
        learners |= unsettled
        for name, each in list(unsettled.items()):
            line = each.settle()
            if isinstance(line, Line):
                lines[name] = line
                del unsettled[name]
            else:
                unsettled[name] = line
    return lines
