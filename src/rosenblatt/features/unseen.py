"""What rows to be predicted have that training did not: values it never saw, columns that are not there, other types.

A row is decided all the same; somebody should know.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from rosenblatt.data.table import Table
from rosenblatt.data.values import ORDERS, WRITTEN, reading_of
from rosenblatt.features.lines import Line
from rosenblatt.features.plan import Plan


@dataclass
class Found:
    """How many rows have such a value in a column, and the first of them."""

    rows: int
    row: int  # counted from 1 over all tables
    value: str


class Unseen:
    """Counts them by column, over the tables of a file one after the other. Words of a text are not counted."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.lines = [line for line in plan.lines if line.width]
        self.before = 0  # rows of the tables so far
        self.found: dict[str, Found] = {}
        self.absent: list[str] = []
        self.types: dict[str, tuple[str, str]] = {}  # of columns: how they read here, and in training

    def completed(self, table: Table) -> Table:
        """The table with its optional columns, and what is noticed about it."""
        whole = self.plan.completed(table)
        there = set(table.names)
        self.absent = [line.column for line in self.lines if line.column not in there]
        for line in self.lines:
            if line.column in there:
                self._look(line, whole)
        self.before += table.n_rows
        return whole

    def _look(self, line: Line, table: Table) -> None:
        column = table.columns[line.column]
        own = reading_of(column.type)
        usual = "number" if line.reads in WRITTEN else own if line.reads in ORDERS else line.reads
        if not table.as_text and own != usual and column.null_count < len(column):
            self.types[line.column] = (own, usual)
        rows = line.unknown(line.values_of(column, table.origin)) if line.unseen else np.empty(0, np.int64)
        if len(rows):
            first = Found(0, self.before + int(rows[0]) + 1, str(column[int(rows[0])].as_py()))
            self.found.setdefault(line.column, first).rows += len(rows)

    def notes(self) -> list[str]:
        """A sentence for each column that has some, in the order of the plan."""
        absent = [f"note: there is no column {name!r}: it is missing in every row" for name in self.absent]
        types = [f"note: {name!r} is {own} here and is read as {reads}" for name, (own, reads) in self.types.items()]
        return [*absent, *types, *(self._note(each) for each in self.lines if each.column in self.found)]

    def _note(self, line: Line) -> str:
        found = self.found[line.column]
        rows = "1 row has" if found.rows == 1 else f"{found.rows:,} rows have"
        first = f"first: row {found.row:,}, {found.value[:60]!r}"
        return f"note: {rows} a value of {line.column!r} {line.unseen} ({first})"

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {
            "rows": self.before,
            "unseen": {name: asdict(found) for name, found in self.found.items()},
            "absent": self.absent,
            "types": {name: {"here": own, "trained": reads} for name, (own, reads) in self.types.items()},
        }
