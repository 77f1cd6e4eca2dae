"""Encoding where the table lies on the disk: block by block, to rows that lie there too.

Whether rows are dense or sparse is decided for the whole table here as in memory, so they are the same to the bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rosenblatt.data import cache
from rosenblatt.data.rowfile import RowsWriter, read_rows
from rosenblatt.data.spooled import blocks
from rosenblatt.data.table import Table
from rosenblatt.features.blocks import Size, joined, size_of
from rosenblatt.features.lines import Line
from rosenblatt.features.text import Text
from rosenblatt.features.units import Units
from rosenblatt.loops.rows import Rows

AT_ONCE = 500_000  # values that are encoded at a time: a curve makes several numbers of one


def encode_lines(
    lines: Sequence[Line], unit: str, table: Table, writer_in: Path, units: Units | None = None
) -> dict[str, Any]:
    """Writes the rows of the table; returns what `load_rows` needs."""
    used = [line for line in lines if line.width]
    scaled = [unit == "text" and isinstance(line, Text) for line in used]
    dense: bool | None = None
    width = sum(line.width for line in used)
    while True:
        writer, size = RowsWriter(writer_in), Size(0, 0, True)
        step = max(1, AT_ONCE // max(1, len(used)))
        for _, block in blocks(table, [line.column for line in used]):
            for part in (block.slice(start, step) for start in range(0, max(1, block.n_rows), step)):
                made = [line.encode(part.columns[line.column], part.origin) for line in used]
                size += size_of(made, part.n_rows)
                dense = size.worth_dense(width) if dense is None else dense
                rows = joined(made, part.n_rows, scaled, unit == "rows", dense)
                writer.append(rows if units is None else units.encode(rows))
        plain = writer.close()
        wanted = size.worth_dense(width)
        if wanted == dense or units is not None:  # units are the same of either
            return plain
        dense = wanted  # the first block was not like the others


def encode_table(lines: Sequence[Line], unit: str, table: Table, key: Any, units: Units | None = None) -> Rows:
    """The rows of the table: from the cache, or written there."""
    assert table.spool is not None
    target = table.spool.place("rows", key)

    def make(made: Path, about: dict[str, Any]) -> None:
        about["rows"] = encode_lines(lines, unit, table, made, units)

    width = sum(line.width for line in lines) if units is None else len(units)
    return cache.entry(target, make, lambda about: read_rows(target, about.get("rows"), table.n_rows, width))
