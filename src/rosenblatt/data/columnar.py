"""Parquet, Arrow IPC files and JSON lines: formats that carry their own names and types."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from rosenblatt.data.source import Source, open_bytes
from rosenblatt.data.table import Table, counted, make_table, tidy_strings
from rosenblatt.errors import DataError

JSON_BLOCK = 1 << 24


def read_columnar(source: Source, label: str | None, labelled: bool, form: str) -> Table:
    """The whole file as one table."""
    batches = list(_batches(source, form, 1 << 16))
    return _table(_joined(batches, source), source, label, labelled, 0)


def read_columnar_batches(source: Source, label: str | None, labelled: bool, form: str, rows: int) -> Iterator[Table]:
    """The file as tables of at most `rows` rows."""
    done = 0
    held: list[pa.RecordBatch] = []
    for batch in _batches(source, form, rows):
        held.append(batch)
        while sum(map(len, held)) >= rows:
            columns = _joined(held, source)
            yield _table(columns.slice(0, rows), source, label, labelled, done)
            done += rows
            held = columns.slice(rows).to_batches()
    if sum(map(len, held)) or not done:
        yield _table(_joined(held, source), source, label, labelled, done)


def _table(columns: pa.Table, source: Source, label: str | None, labelled: bool, done: int) -> Table:
    if not columns.num_rows:
        raise DataError(f"{source.name}: the file has no rows. Give a file with rows.")
    columns = plain_types(tidy_strings(columns))
    return make_table(columns, counted(source.name, "row", columns.num_rows, done + 1), label, labelled)


def plain_types(columns: pa.Table) -> pa.Table:
    """The columns without dictionaries, which differ from batch to batch, and with room for any length."""
    for number, column in enumerate(columns.schema):
        kind = column.type
        if pa.types.is_dictionary(kind):
            kind = kind.value_type
        if pa.types.is_binary(kind):
            kind = pa.large_binary()
        if kind != column.type:
            columns = columns.set_column(number, column.name, columns[number].cast(kind))
    return columns


def _joined(batches: list[pa.RecordBatch], source: Source) -> pa.Table:
    if not batches:
        raise DataError(f"{source.name}: the file has no rows. Give a file with rows.")
    return pa.Table.from_batches(batches)


def _batches(source: Source, form: str, rows: int) -> Iterator[pa.RecordBatch]:
    opened = {"parquet": _parquet, "arrow": _arrow, "jsonl": _json_lines}[form]
    try:
        for batch in opened(source, rows):
            batch.validate(full=True)  # offsets that point elsewhere and bytes that are no text are kept out here
            yield batch
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        what = str(error).splitlines()[0].removesuffix(".")
        raise DataError(f"{source.name}: not a readable {form} file ({what}). Write it again.") from None


def _parquet(source: Source, rows: int) -> Iterator[pa.RecordBatch]:
    import pyarrow.parquet

    with _seekable(source) as file:
        # Pages are read as they are needed: a row group may be larger than memory.
        opened = pyarrow.parquet.ParquetFile(file, buffer_size=1 << 20, pre_buffer=False)
        if not opened.metadata.num_rows:
            raise DataError(f"{source.name}: the file has no rows. Give a file with rows.")
        yield from opened.iter_batches(batch_size=rows)


def _arrow(source: Source, rows: int) -> Iterator[pa.RecordBatch]:
    with _seekable(source) as file:
        opened = pa.ipc.open_file(file)
        for number in range(opened.num_record_batches):
            yield opened.get_batch(number)


def _seekable(source: Source) -> Any:
    """These formats are read from their end, so a compressed one is unpacked to a temporary file first."""
    from rosenblatt.data.source import GZIP, ZSTD

    with source.path.open("rb") as stream:
        head = stream.read(4)
    if not head.startswith((GZIP, ZSTD)):
        return pa.OSFile(str(source.path))
    unpacked = tempfile.TemporaryFile(prefix="rosenblatt-")  # noqa: SIM115 (Arrow closes it)
    with open_bytes(source) as stream:
        shutil.copyfileobj(stream, unpacked)
    return unpacked


def _json_lines(source: Source, rows: int) -> Iterator[pa.RecordBatch]:
    import pyarrow.json

    read = pyarrow.json.ReadOptions(block_size=JSON_BLOCK)
    with open_bytes(source) as stream:
        try:
            yield from pyarrow.json.open_json(stream, read)
        except pa.ArrowInvalid as error:
            raise _explained(source, error) from None


def _explained(source: Source, error: Exception) -> DataError:
    """The line that is not a JSON object, found with the standard library."""
    import json

    with open_bytes(source) as stream:
        for number, line in enumerate(stream, 1):
            try:
                value = json.loads(line) if line.strip() else {}
            except ValueError as problem:
                return DataError(f"{source.name}, line {number}: not JSON ({problem}). Write one object per line.")
            if not isinstance(value, dict):
                return DataError(
                    f"{source.name}, line {number}: a JSON {type(value).__name__} where an object is needed. "
                    'Write one object per line, as in {"text": "…", "label": "…"}.'
                )
    what = str(error).splitlines()[0].removesuffix(".")
    return DataError(f"{source.name}: {what}. Every line must have the same fields, with values of the same type.")
