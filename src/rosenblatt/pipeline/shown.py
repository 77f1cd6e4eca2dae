"""A row of a table as a person reads it."""

from __future__ import annotations

from rosenblatt.data.table import Table
from rosenblatt.features import Plan
from rosenblatt.features.numeric import Vector
from rosenblatt.features.text import Text
from rosenblatt.pipeline.ways import used

LONGEST_SHOWN = 2000


def shown(plan: Plan, table: Table, row: int) -> str:
    """The row as a person reads it: its text, or its columns and values."""
    values = {line.column: table.value(line.column, int(row)) for line in used(plan)}
    texts = {line.column for line in used(plan) if isinstance(line, Text)}
    if len(values) == len(texts) == 1:
        return str(next(iter(values.values())) or "")[:LONGEST_SHOWN]
    whole = ", ".join(f"{name}={_brief(value)}" for name, value in values.items())
    # A part of an image could not be drawn.
    return whole if len(values) == 1 and isinstance(used(plan)[0], Vector) else whole[:LONGEST_SHOWN]


def _brief(value: object) -> str:
    if isinstance(value, list):
        if value and isinstance(value[0], dict):
            return " ".join(f"{entry['column']}:{entry['value']:g}" for entry in value)
        return " ".join(f"{number:g}" for number in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
