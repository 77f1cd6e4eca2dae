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
    row = int(row)
    lines = used(plan)
    if len(lines) == 1 and isinstance(lines[0], Text):
        return str(table.value(lines[0].column, row) or "")[:LONGEST_SHOWN]
    if len(lines) == 1 and isinstance(lines[0], Vector):  # a part of an image could not be drawn
        return _named(lines[0].column, table, row)
    parts: list[str] = []
    length = 0
    for line in lines:
        parts.append(_named(line.column, table, row))
        length += len(parts[-1]) + 2
        if length > LONGEST_SHOWN:
            break
    return ", ".join(parts)[:LONGEST_SHOWN]


def _named(name: str, table: Table, row: int) -> str:
    return f"{name}={_brief(table.value(name, row))}"


def _brief(value: object) -> str:
    if isinstance(value, list):
        if value and isinstance(value[0], dict):
            return " ".join(f"{entry['column']}:{entry['value']:g}" for entry in value)
        return " ".join(f"{number:g}" for number in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
