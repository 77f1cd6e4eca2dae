"""Parquet, Arrow IPC files and JSON lines: formats that carry their own names and types."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from rosenblatt.data.csvtypes import common, converted, typed
from rosenblatt.data.plain import plain_types
from rosenblatt.data.source import (
    LONGEST_ROW,
    Source,
    copying,
    is_packed,
    open_bytes,
    temporary,
    unreadable,
    whole_rows,
)
from rosenblatt.data.table import Table, counted, make_table, tidy_strings
from rosenblatt.errors import DataError

JSON_BLOCK = 1 << 24
MAGIC = {"parquet": b"PAR1", "arrow": b"ARROW1"}
JSON_KINDS = {
    bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "a list", dict: "an object",
}  # fmt: skip
SAME_FIELDS = "Every line must have the same fields, with values of the same type."
BARE_NULL = re.compile(rb"\n[ \t\r]*n")  # Arrow dies of a line that begins with null at the start of a block
MOST_UNPACKED = 1 << 33  # bytes of a compressed file of these formats, which compress their columns themselves


def read_columnar(source: Source, label: str | None, labelled: bool, form: str, raw: bool = False) -> Table:
    """The whole file as one table; `raw` leaves text that looks like a time as it is."""
    batches = list(_batches(source, form, 1 << 16, raw))
    return _table(_joined(batches, source), source, label, labelled, 0)


def read_columnar_batches(
    source: Source, label: str | None, labelled: bool, form: str, rows: int, raw: bool = False
) -> Iterator[Table]:
    """The file as tables of at most `rows` rows."""
    done = 0
    held: list[pa.RecordBatch] = []
    for batch in _batches(source, form, rows, raw):
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
    origin = counted(source.name, "row", columns.num_rows, done + 1)
    return make_table(tidy_strings(plain_types(columns, origin)), origin, label, labelled)


def _joined(batches: list[pa.RecordBatch], source: Source) -> pa.Table:
    if not batches:
        raise DataError(f"{source.name}: the file has no rows. Give a file with rows.")
    return pa.Table.from_batches(batches)


def _batches(source: Source, form: str, rows: int, raw: bool) -> Iterator[pa.RecordBatch]:
    opened = {"parquet": _parquet, "arrow": _arrow, "jsonl": _raw_json_lines if raw else _typed_json_lines}[form]
    try:
        for batch in opened(source, rows):
            batch.validate(full=True)  # offsets that point elsewhere and bytes that are no text are kept out here
            _decode_names(batch.schema)
            yield batch
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        raise DataError(
            f"{source.name}: the name of a column or of a time zone is not UTF-8 text (byte 0x{byte:02x}). "
            "Write the file again as UTF-8."
        ) from None
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        what = str(error).splitlines()[0].removesuffix(".")
        raise DataError(f"{source.name}: not a readable {form} file ({what}). Write it again.") from None
    except OSError as error:
        raise _damaged(source, form, error) from None


def _decode_names(fields: Iterable[pa.Field]) -> None:
    """UnicodeDecodeError where a name is no text: of a column, within one, or of a time zone. Arrow does not look."""
    for field in fields:
        _ = field.name, getattr(field.type, "tz", None)
        _decode_names(field.type.field(number) for number in range(field.type.num_fields))


def _damaged(source: Source, form: str, error: OSError) -> DataError:
    """Arrow's error without a number is about what it found in the file; one with a number is the system's."""
    if error.errno is not None:
        return unreadable(source, error)
    what = str(error).splitlines()[0].removesuffix(".")
    return DataError(f"{source.name}: cannot be read as {form} ({what}). The file is damaged: copy it again.")


def _parquet(source: Source, rows: int) -> Iterator[pa.RecordBatch]:
    import pyarrow.parquet

    with _seekable(source, "parquet") as file:
        # Pages are read as they are needed: a row group may be larger than memory.
        opened = pyarrow.parquet.ParquetFile(file, buffer_size=1 << 20, pre_buffer=False)
        if not opened.metadata.num_rows:
            raise DataError(f"{source.name}: the file has no rows. Give a file with rows.")
        yield from opened.iter_batches(batch_size=rows)


def _arrow(source: Source, rows: int) -> Iterator[pa.RecordBatch]:
    with _seekable(source, "arrow") as file:
        opened = pa.ipc.open_file(file)
        for number in range(opened.num_record_batches):
            yield opened.get_batch(number)


def _seekable(source: Source, form: str) -> Any:
    """These formats are read from their end, so a compressed one is unpacked to a temporary file first."""
    if not is_packed(source):
        return pa.OSFile(os.fsencode(source.path))
    with open_bytes(source) as stream, temporary(source.name) as (unpacked, path):
        piece = stream.read(JSON_BLOCK)
        if not piece.startswith(MAGIC[form]):
            raise DataError(f"{source.name}: what is compressed in it is no {form} file. Name its format (--format).")
        size = 0
        while piece:
            with copying(source.name):
                unpacked.write(piece)
                unpacked.flush()
            size += len(piece)
            if size > MOST_UNPACKED:
                raise DataError(
                    f"{source.name}: it unpacks to more than {MOST_UNPACKED >> 30} GB. Unpack it yourself, or write it "
                    f"as {form} that is compressed inside."
                )
            piece = stream.read(JSON_BLOCK)
        return pa.OSFile(os.fsencode(path))  # it stays open when the temporary file has gone


def _raw_json_lines(source: Source, rows: int) -> Iterator[pa.RecordBatch]:
    """JSON lines whose strings stay strings: whether Arrow takes one for a time depends on the others of its block."""
    return _json_lines(source, rows, _times(source, rows))


def _times(source: Source, rows: int) -> list[str]:
    """The columns that Arrow takes for times."""
    first = next(_json_lines(source, rows), None)
    return [] if first is None else [field.name for field in first.schema if pa.types.is_timestamp(field.type)]


def _typed_json_lines(source: Source, rows: int) -> Iterator[pa.RecordBatch]:
    """JSON lines in which strings that are all dates or times are that, by the rule for CSV files."""
    times = _times(source, rows)
    kinds = dict.fromkeys(times, "empty")
    for batch in _json_lines(source, rows, times, others=False) if times else ():
        for name in times:
            kinds[name] = common(kinds[name], typed(batch[name].cast(pa.large_string()), kinds[name])[0])
    for batch in _json_lines(source, rows, times):
        columns = {
            name: converted(column.cast(pa.large_string()), kinds[name]) if name in kinds else column
            for name, column in zip(batch.schema.names, batch.columns, strict=True)
        }
        yield pa.RecordBatch.from_pydict(columns)


def _json_lines(source: Source, rows: int, texts: Sequence[str] = (), others: bool = True) -> Iterator[pa.RecordBatch]:
    """As Arrow reads them; these columns as strings, and others too, or not.

    The first block tells the fields and their types, and lines that differ from them are refused. Each block is parsed
    from memory in this thread: threads of Arrow that wait for a stream of Python keep the interpreter from ending.
    """
    import pyarrow.json

    known, unknown = pa.schema([pa.field(name, pa.string()) for name in texts]), "infer" if others else "ignore"
    with open_bytes(source) as stream:
        for text in whole_rows(
            iter(lambda: stream.read(JSON_BLOCK), b""), lambda piece: piece.rfind(b"\n") + 1, source
        ):
            if not text.strip():
                continue
            if BARE_NULL.search(b"\n" + text.removeprefix(codecs.BOM_UTF8)):
                raise _explained(source, ValueError("a line is null"))
            read = pyarrow.json.ReadOptions(use_threads=False, block_size=len(text) + 1)
            parse = pyarrow.json.ParseOptions(explicit_schema=known, unexpected_field_behavior=unknown)
            try:
                block = pyarrow.json.read_json(pa.py_buffer(text), read, parse)
            except pa.ArrowInvalid as error:
                raise _explained(source, error) from None
            known, unknown = block.schema, "error" if others else "ignore"
            yield from block.combine_chunks().to_batches()


def _explained(source: Source, error: Exception) -> DataError:
    """The line that is not a JSON object, or not like those before it, found with the standard library."""
    import json

    kinds: dict[str, tuple[str, int]] = {}  # of each field: what its values are, and the line that says so
    with open_bytes(source) as stream:
        for number, line in enumerate(iter(lambda: stream.readline(LONGEST_ROW), b""), 1):
            if len(line) == LONGEST_ROW:
                return DataError(
                    f"{source.name}, line {number}: longer than {LONGEST_ROW >> 20} MB. Write one object per line."
                )
            try:
                value = json.loads(line) if line.strip() else {}
            except (ValueError, RecursionError) as problem:
                return DataError(f"{source.name}, line {number}: not JSON ({problem}). Write one object per line.")
            if not isinstance(value, dict):
                what = "null" if value is None else type(value).__name__
                return DataError(
                    f"{source.name}, line {number}: a JSON {what} where an object is needed. "
                    'Write one object per line, as in {"text": "…", "label": "…"}.'
                )
            if changed := _changed(value, number, kinds):
                return DataError(f"{source.name}, line {number}: {changed}. {SAME_FIELDS}")
    what = str(error).splitlines()[0].removesuffix(".")
    return DataError(f"{source.name}: {what}. {SAME_FIELDS}")


def _changed(value: dict[str, Any], line: int, kinds: dict[str, tuple[str, int]]) -> str | None:
    """Which field of this line is something else than in an earlier one; what is new is noted in `kinds`."""
    for field, item in value.items():
        if item is not None:
            kind = JSON_KINDS[type(item)]
            before, first = kinds.setdefault(field, (kind, line))
            if kind != before:
                return f"{field!r} is {kind} here and {before} in line {first}"
    return None
