"""Parquet, Arrow IPC files and JSON: formats that carry their own names and types."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from rosenblatt.data import jsontext
from rosenblatt.data.csvtypes import common, converted, typed
from rosenblatt.data.plain import plain_types
from rosenblatt.data.reading import Reading
from rosenblatt.data.source import LONGEST_ROW, Source, copying, open_bytes, temporary, unreadable
from rosenblatt.data.table import Table, counted, make_table, tidy_strings
from rosenblatt.errors import DataError

PIECE = 1 << 24
JSON_KINDS = {
    bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "a list", dict: "an object",
}  # fmt: skip
ONE_PER_LINE = 'Write one object per line, as in {"text": "…", "label": "…"}.'
SAME_FIELDS = "Every {} must have the same fields, with values of the same type."
# Arrow dies of a line that begins with null at the start of a block, also behind single bytes of a mark of UTF-8.
BARE_NULL = re.compile(rb"\n[ \t\r]*n")
MOST_UNPACKED = 1 << 33  # bytes of a compressed file of these formats, which compress their columns themselves
# Nulls and run-ends have any number of rows in few bytes. Beyond a million, memory follows what is held.
UNHELD_ROWS, ROWS_PER_BYTE = 1 << 20, 1_000
Opened = Callable[[Source, int, bool], Iterator[pa.RecordBatch]]


def columnar_tables(source: Source, how: Reading, form: str, opened: Opened, rows: int | None) -> Iterator[Table]:
    """The file as one table, or as tables of at least so many rows."""
    done = 0
    held: list[pa.RecordBatch] = []
    for batch in _checked(source, form, opened(source, rows or 1 << 16, how.raw)):
        held.append(batch)
        if rows is not None and sum(map(len, held)) >= rows:
            yield _table(held, source, how, done)
            done += sum(map(len, held))
            held = []
    if held or not done:
        yield _table(held, source, how, done)


def _table(batches: list[pa.RecordBatch], source: Source, how: Reading, done: int) -> Table:
    if not any(map(len, batches)):
        raise DataError(f"{source.name}: the file has no rows. Give a file with rows.")
    columns = pa.Table.from_batches(batches)
    origin = counted(source.name, "row", columns.num_rows, done + 1)
    return make_table(tidy_strings(plain_types(columns, origin)), origin, how.label, how.labelled)


def _checked(source: Source, form: str, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    try:
        for batch in batches:
            batch.validate(full=True)  # offsets that point elsewhere and bytes that are no text are kept out here
            if not 0 <= batch.num_rows <= max(UNHELD_ROWS, ROWS_PER_BYTE * batch.nbytes):
                raise DataError(
                    f"{source.name}: it claims {batch.num_rows:,} rows, for which its columns hold {batch.nbytes:,} "
                    "bytes. Write it again without run-ends."
                )
            _decode_names(batch.schema)
            yield batch
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        raise DataError(
            f"{source.name}: the name of a column or of a time zone is not UTF-8 text (byte 0x{byte:02x}). "
            "Write the file again as UTF-8."
        ) from None
    except pa.ArrowMemoryError as error:
        raise DataError(
            f"{source.name}: reading it takes more memory than there is ({error}). A small file that asks for so much "
            "is damaged: write it again."
        ) from None
    except pa.ArrowException as error:
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


def parquet_batches(source: Source, rows: int, magic: bytes) -> Iterator[pa.RecordBatch]:
    """Batches of so many rows."""
    import pyarrow.parquet

    with _seekable(source, "parquet", magic) as file:
        # Pages are read as they are needed: a row group may be larger than memory.
        opened = pyarrow.parquet.ParquetFile(file, buffer_size=1 << 20, pre_buffer=False)
        yield from opened.iter_batches(batch_size=rows)


def size_of_parquet(source: Source) -> int:
    """Bytes of the columns once they are read; in the file a repeated value takes a few bits."""
    import pyarrow.parquet

    widths = {"BOOLEAN": 1, "INT32": 4, "FLOAT": 4, "INT64": 8, "DOUBLE": 8, "INT96": 12}
    try:
        about = pyarrow.parquet.ParquetFile(source.path).metadata
    except (pa.ArrowInvalid, OSError):  # reading meets the same error and explains it
        return source.path.stat().st_size
    groups = [about.row_group(number) for number in range(about.num_row_groups)]
    columns = [group.column(number) for group in groups for number in range(about.num_columns)]
    return sum(max(c.total_uncompressed_size, c.num_values * widths.get(c.physical_type, 8)) for c in columns)


def arrow_batches(source: Source, magic: bytes) -> Iterator[pa.RecordBatch]:
    """The batches that the file was written in."""
    with _seekable(source, "arrow", magic) as file:
        opened = pa.ipc.open_file(file)
        for number in range(opened.num_record_batches):
            yield opened.get_batch(number)


def _seekable(source: Source, form: str, magic: bytes) -> Any:
    """These formats are read from their end, so a compressed one is unpacked to a temporary file first."""
    if not source.packed:
        return pa.OSFile(os.fsencode(source.path))
    with open_bytes(source) as stream, temporary(source.name) as (unpacked, path):
        piece = stream.read(PIECE)
        if not piece.startswith(magic):
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
            piece = stream.read(PIECE)
        return pa.OSFile(os.fsencode(path))  # it stays open when the temporary file has gone


def _times(source: Source, rows: int) -> list[str]:
    """The columns that Arrow takes for times."""
    first = next(_json_lines(source, rows), None)
    return [] if first is None else [field.name for field in first.schema if pa.types.is_timestamp(field.type)]


def json_batches(source: Source, rows: int, raw: bool) -> Iterator[pa.RecordBatch]:
    """The lines, with strings that are all dates or times as that, by the rule for CSV files.

    raw    leaves them strings: whether Arrow takes one for a time depends on the others of its block
    """
    times = _times(source, rows)
    kinds = {} if raw else dict.fromkeys(times, "empty")
    for batch in _json_lines(source, rows, times, others=False) if kinds else ():
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
    for text in jsontext.texts(source):
        if not text.strip():
            continue
        if BARE_NULL.search(b"\n" + text.lstrip(codecs.BOM_UTF8)):
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
    """The row that is not a JSON object, or not like those before it, found with the standard library."""
    import json

    unit, write = ("row", jsontext.WRITE) if jsontext.is_array(source.head) else ("line", ONE_PER_LINE)
    kinds: dict[str, tuple[str, str]] = {}  # of each field: what its values are, and the row that says so
    for number, text in enumerate(jsontext.rows(source), 1):
        place = f"{source.name}, {unit} {number}"
        if len(text) == LONGEST_ROW:
            return DataError(f"{place}: longer than {LONGEST_ROW >> 20} MB. {write}")
        try:
            value = json.loads(text) if text.strip() else {}
        except (ValueError, RecursionError) as problem:
            return DataError(f"{place}: not JSON ({problem}). {write}")
        if not isinstance(value, dict):
            what = "null" if value is None else type(value).__name__
            return DataError(f"{place}: a JSON {what} where an object is needed. {write}")
        if changed := _changed(value, f"{unit} {number}", kinds):
            return DataError(f"{place}: {changed}. {SAME_FIELDS.format(unit)}")
    what = str(error).splitlines()[0].removesuffix(".")
    return DataError(f"{source.name}: {what}. {SAME_FIELDS.format(unit)}")


def _changed(value: dict[str, Any], row: str, kinds: dict[str, tuple[str, str]]) -> str | None:
    """Which field of this row is something else than in an earlier one; what is new is noted in `kinds`."""
    for field, item in value.items():
        if item is not None:
            kind = JSON_KINDS[type(item)]
            before, first = kinds.setdefault(field, (kind, row))
            if kind != before:
                return f"{field!r} is {kind} here and {before} in {first}"
    return None
