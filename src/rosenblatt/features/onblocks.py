"""Learning a plan and encoding by it where the table lies on the disk: block by block, to rows that lie there too.

Everything that is decided for the whole table in memory is decided for the whole table here: types and values of
columns, the words, dense or sparse rows, whether rows repeat one value. So the rows are the same to the bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rosenblatt.data import cache
from rosenblatt.data.rowfile import RowsWriter, read_rows
from rosenblatt.data.spooled import Spool, blocks
from rosenblatt.data.table import Declaration, Table
from rosenblatt.data.values import names_of, numbers_of, reading_of
from rosenblatt.errors import DataError
from rosenblatt.features import tokens
from rosenblatt.features.blocks import Entries, joined, worth_dense
from rosenblatt.features.category import Category, Ordered
from rosenblatt.features.choose import Choice, StringFacts, choose
from rosenblatt.features.lines import Dropped, Line
from rosenblatt.features.numeric import Numeric, Vector, centre_and_spread, vector_values
from rosenblatt.features.sparse import Numbered
from rosenblatt.features.text import Text, TextSettings, find, text_line
from rosenblatt.loops.rows import Rows

GATHERED = 1 << 26  # bytes of the columns of vectors that are looked at together


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


def learn_lines(
    table: Table, said: dict[str, tuple[Declaration, str]], wish_scale: bool, words: TextSettings, rare: bool
) -> list[Line]:
    """A line for each column, as `plan.learn` finds them."""
    choices = {name: _choice(table, name, said.get(name)) for name in table.names}
    texts = [name for name, (choice, _) in choices.items() if choice.kind == "text"]
    lines: list[Line] = []
    for name, (choice, missing) in choices.items():
        scale = wish_scale and (name not in said or said[name][0].scale)
        if choice.kind == "text":
            prefix = f"{name}: " if len(texts) > 1 else ""
            reads = reading_of(table.columns.schema.field(name).type)
            lines.append(replace(_text(table, name, choice.reason, words, prefix), reads=reads))
        else:
            lines.append(_line(table, name, choice, missing, scale, rare))
    return lines


def _column(table: Table, name: str) -> Iterator[Table]:
    return (part for _, part in blocks(table, [name]))


def _choice(table: Table, name: str, said: tuple[Declaration, str] | None) -> tuple[Choice, Callable[[], bool]]:
    """What the column is, and a way to ask whether values are missing."""
    from rosenblatt.features.plan import has_missing

    kind = table.columns.schema.field(name).type

    def missing() -> bool:
        return any(has_missing(part.columns[name]) for part in _column(table, name))

    if said is not None:
        what, reason = said
        if what.kind == "category":
            return Choice("category", reason, tuple(sorted(_values(table, name)))), missing
        return Choice({"drop": "dropped"}.get(what.kind, what.kind), reason, what.order), missing
    if pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return choose(pa.chunked_array([], kind)), missing  # the type tells
    if pa.types.is_large_string(kind):
        facts = StringFacts()
        for part in _column(table, name):
            facts.add(part.columns[name])
        return facts.choice(lambda: _values(table, name)), missing
    return choose(table.columns[name], name), missing


def choice_of(table: Table, name: str) -> Choice:
    """What the column of a table on the disk is, judged by its values."""
    return _choice(table, name, None)[0]


def _values(table: Table, name: str) -> list[str]:
    """The distinct values of the column as strings."""
    found = pa.array([], pa.large_string())
    for part in _column(table, name):
        new = names_of(part.columns[name]).drop_null().unique()
        found = pa.concat_arrays([found, new]).unique()
    return list(found.to_pylist())


def _line(table: Table, name: str, choice: Choice, missing: Callable[[], bool], scale: bool, rare: bool) -> Line:
    from rosenblatt.features.plan import refuse_unknown

    reads = reading_of(table.columns.schema.field(name).type)
    if choice.kind == "numeric":
        values = numbers_of(table.columns[name], name, table.origin)
        return Numeric.learn(name, choice.reason, values, scale, reads)
    if choice.kind == "ordered":
        line = Ordered(name, choice.reason, choice.values, missing(), reads=reads)
        for part in _column(table, name):
            refuse_unknown(line, part.columns[name], part.origin)
        return line
    if choice.kind == "category":
        return Category(name, choice.reason, choice.values, missing(), reads=reads)
    if choice.kind == "numbered":

        def blocks() -> Iterator[pa.ChunkedArray]:
            return (part.columns[name] for part in _column(table, name))

        return Numbered.learn(name, choice.reason, blocks, table.feature_names.get(name), rare)
    if choice.kind == "vector":
        return _vector(table, name, choice.reason, scale)
    return Dropped(name, choice.reason, reads=reads)


def _vector(table: Table, name: str, reason: str, scale: bool) -> Vector:
    """Centres and spreads, of some columns at a time: each is summed over all rows in order, as in memory."""
    first = vector_values(next(_column(table, name)).columns[name], name, table.origin)
    width, given = first.shape[1], table.feature_names.get(name)
    if not scale or first.dtype.itemsize == 1:
        return Vector.of(name, reason, width, None, given)
    step = max(1, GATHERED // (8 * table.n_rows))
    pairs = []
    for at in range(0, width, step):
        some = np.empty((min(step, width - at), table.n_rows))
        for start, part in blocks(table, [name]):
            values = vector_values(part.columns[name], name, part.origin)
            if values.shape[1] != width:
                low, high = sorted((width, values.shape[1]))
                raise DataError(
                    f"{table.origin.source}, column {name!r}: lists of {low} to {high} numbers. Make them equal."
                )
            some[:, start : start + len(values)] = values[:, at : at + step].T
        pairs += [centre_and_spread(column) for column in some]
    return Vector.of(name, reason, width, np.array(pairs), given)


def _text(table: Table, name: str, reason: str, settings: TextSettings, prefix: str) -> Text:
    """The line of a column of text: the words of all blocks, each with the number of rows that hold it."""
    if settings.hash_bits:
        return text_line(name, reason, settings, pa.array([], pa.large_string()), np.empty(0, np.int64), 0, prefix)
    known = pa.array([], pa.large_string())
    rows = np.empty(0, np.int64)
    counts = settings.min_documents > 1 or settings.weight == "tfidf"
    for part in _column(table, name):
        for found in find(tokens.as_texts(names_of(part.columns[name])), settings):
            new = found.words.filter(pc.invert(pc.is_in(found.words, value_set=known)))
            known = pa.concat_arrays([known, new.unique()])
            rows = np.concatenate([rows, np.zeros(len(known) - len(rows), np.int64)])
            if counts:
                places = np.asarray(pc.index_in(found.words, value_set=known).to_numpy(), np.int32)
                rows += tokens.rows_with(found, places, len(known))
    order = tokens.sorted_order(known)
    known, rows = known.take(pa.array(order)), rows[order]
    if len(known) and known[0].as_py() == "":  # what `rename` took out
        known, rows = known.slice(1), rows[1:]
    return text_line(name, reason, settings, known, rows, table.n_rows, prefix)
