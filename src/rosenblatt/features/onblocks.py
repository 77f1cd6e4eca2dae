"""Encoding where the table lies on the disk: block by block, to rows that lie there too.

Whether rows are dense or sparse is decided for the whole table here as in memory, so they are the same to the bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rosenblatt.data import cache
from rosenblatt.data.rowfile import RowsWriter, read_rows
from rosenblatt.data.spooled import Spool, blocks
from rosenblatt.data.table import Table
from rosenblatt.features.blocks import Entries, joined, worth_dense
from rosenblatt.features.lines import Line
from rosenblatt.features.text import Text
from rosenblatt.loops.rows import Rows


def kept(spool: Spool, *key: Any) -> Path:
    """Where what is made of the table by this key is kept."""
    return spool.folder / f"made-{cache.digest(spool.name, *key)}"


def encode_lines(lines: Sequence[Line], unit: str, table: Table, writer_in: Path) -> dict[str, Any]:
    """Writes the rows of the table; returns what `load_rows` needs."""
    used = [line for line in lines if line.width]
    scaled = [unit == "text" and isinstance(line, Text) for line in used]
    dense: bool | None = None
    while True:
        writer, stored, arrays = RowsWriter(writer_in), 0, True
        for _, part in blocks(table, [line.column for line in used]):
            made = [line.encode(part.columns[line.column], part.origin) for line in used]
            if dense is None:
                dense = worth_dense(made, part.n_rows)
            writer.append(joined(made, part.n_rows, scaled, unit == "rows", dense))
            stored += sum(len(block.columns) if isinstance(block, Entries) else block.size for block in made)
            arrays = arrays and not any(isinstance(block, Entries) for block in made)
        width = sum(line.width for line in used)
        plain = writer.close()
        wanted = arrays or 2 * width * max(table.n_rows, 1) <= 3 * stored
        if wanted == dense:
            return plain
        dense = wanted  # the first block was not like the others


def encode_table(lines: Sequence[Line], unit: str, table: Table, key: Any) -> Rows:
    """The rows of the table: from the cache, or written there."""
    assert table.spool is not None
    target = kept(table.spool, "rows", key)

    def make(made: Path, about: dict[str, Any]) -> None:
        about["rows"] = encode_lines(lines, unit, table, made)

    width = sum(line.width for line in lines)
    return cache.entry(target, make, lambda about: read_rows(target, about.get("rows"), table.n_rows, width))
