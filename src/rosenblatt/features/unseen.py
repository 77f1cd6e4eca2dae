"""Values that training never saw. They have no feature, so a row is decided without them; somebody should know."""

from __future__ import annotations

from dataclasses import dataclass

from rosenblatt.data.table import Table
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
        self.lines = [line for line in plan.lines if line.unseen]
        self.before = 0  # rows of the tables so far
        self.found: dict[str, Found] = {}

    def look(self, table: Table) -> None:
        """Counts those of one more table."""
        for line in self.lines:
            values = line.values_of(table.columns[line.column], table.origin)
            rows = line.unknown(values)
            if len(rows):
                first = Found(0, self.before + int(rows[0]) + 1, str(table.columns[line.column][int(rows[0])].as_py()))
                self.found.setdefault(line.column, first).rows += len(rows)
        self.before += table.n_rows

    def notes(self) -> list[str]:
        """A sentence for each column that has some, in the order of the plan."""
        return [self._note(line, self.found[line.column]) for line in self.lines if line.column in self.found]

    def _note(self, line: Line, found: Found) -> str:
        rows = "1 row has" if found.rows == 1 else f"{found.rows:,} rows have"
        first = f"first: row {found.row:,}, {found.value[:60]!r}"
        return f"note: {rows} a value of {line.column!r} {line.unseen} ({first})"
