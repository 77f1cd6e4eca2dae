"""CSV and TSV, read by pyarrow. What pyarrow lets pass, broken quotes and wrong encodings, is an error here."""

from __future__ import annotations

import codecs
import csv as plain_csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import IO, Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv

from rosenblatt.data.mistyped import mistyped
from rosenblatt.data.source import PEEK, Source, open_bytes, read_up_to
from rosenblatt.data.table import Origin, Table, check_names, counted, make_table, tidy_strings
from rosenblatt.errors import DataError
from rosenblatt.harmless import is_number

BLOCK = 1 << 24
# In batches Arrow reads some blocks ahead of whoever uses them; large ones would fill memory. No row may be longer.
BATCH_BLOCK = 1 << 22
MISSING = ["", "?", " ?", "NA", "N/A", "NaN", "nan", "null", "NULL", "None"]
# Bytes of the first two lines. A small file can unpack to one line without an end.
LONGEST = 1 << 27
PIECE = 1 << 20
NAME_ENCODING = "Name its encoding, for example latin-1 (--encoding latin-1)."
LITERAL = "if quotes in this file are literal, say so (--no-quotes; quotes=False in Python)."
NOT_LITERAL = "if quotes surround its values, say so (--quotes; quotes=True in Python)."
LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|\Z)")
OTHER_DELIMITERS = {";": "semicolon", "\t": "tab", "|": "bar"}
# Rows looked at to tell a header from a first row of values.
LOOKED_AT = 200


@dataclass(frozen=True)
class CsvSettings:
    """How a CSV file is to be understood; None where the file itself is to tell."""

    delimiter: str = ","
    header: bool | None = None
    quotes: bool = True  # False: a quote is a character like any other
    encoding: str = "utf-8"
    strings: tuple[str, ...] = ()  # columns that are text although they look like numbers


def read_csv(source: Source, label: str | None, labelled: bool, settings: CsvSettings) -> Table:
    """The whole file as a table."""
    tables = list(read_csv_batches(source, label, labelled, settings, rows=None))
    return tables[0]


def read_csv_batches(
    source: Source, label: str | None, labelled: bool, settings: CsvSettings, rows: int | None
) -> Iterator[Table]:
    """The file as tables of at most `rows` rows; one table if rows is None."""
    names, header = column_names(source, label, settings)
    notes = () if header else (f"no header line found: the columns are named {names[0]} to {names[-1]}",)
    types = {name: pa.large_string() for name in settings.strings}
    read, parse, convert = as_read(settings, names, types, BLOCK if rows is None else min(BLOCK, BATCH_BLOCK))
    read.skip_rows, read.encoding = 1 if header else 0, settings.encoding
    if rows is not None:
        set_types(convert, _types_for_all_blocks(source, read, parse, convert), names)
    done = 0
    with open_bytes(source) as stream:
        checked: Any = QuoteCheck(stream, source, settings) if settings.quotes else stream
        try:
            for columns in _arrow_tables(checked, read, parse, convert, rows):
                refuse_bytes(columns, source, settings, done)
                origin = counted(source.name, "row", columns.num_rows, done + 1)
                done += columns.num_rows
                yield csv_table(columns, origin, label, labelled, notes, settings.strings)
        except pa.ArrowInvalid as error:
            raise explained(error, source, settings, header) from None
        except UnicodeDecodeError as error:
            raise DataError(
                f"{source.name}: the file is not {settings.encoding} text ({error.reason} at byte {error.start}). "
                f"{NAME_ENCODING}"
            ) from None
    if not done:
        raise DataError(f"{source.name}: the file has a header but no rows. Give a file with rows.")


def csv_table(
    columns: pa.Table,
    origin: Origin,
    label: str | None,
    labelled: bool,
    notes: tuple[str, ...],
    known: tuple[str, ...],
) -> Table:
    """The table of what Arrow has read; where its label is not found, the error tells a delimiter that was missed.

    known    columns that are strings although they look like numbers
    """
    columns = tidy_strings(columns)
    try:
        return make_table(columns, origin, label, labelled, notes=notes, declared=mistyped(columns, known))
    except DataError as error:
        raise DataError(f"{error}{_delimiter_hint(columns.column_names)}") from None


def _delimiter_hint(names: Sequence[str]) -> str:
    """A sentence if the name of the only column looks like a whole header, otherwise nothing."""
    for sign, name in OTHER_DELIMITERS.items():
        if len(names) == 1 and sign in names[0]:
            typed = "tab" if sign == "\t" else f"'{sign}'"
            return f" If a {name} stands between the values, name it as the delimiter (--delimiter {typed})."
    return ""


def as_read(settings: CsvSettings, names: Sequence[str], types: dict[str, pa.DataType], block: int) -> Any:
    """Arrow's options for reading, parsing and converting."""
    read = arrow_csv.ReadOptions(column_names=names, block_size=block)
    parse = arrow_csv.ParseOptions(
        delimiter=settings.delimiter, quote_char='"' if settings.quotes else False, newlines_in_values=settings.quotes
    )
    convert = arrow_csv.ConvertOptions(null_values=MISSING, strings_can_be_null=False)
    set_types(convert, types, names)
    return read, parse, convert


def set_types(convert: Any, types: dict[str, pa.DataType], names: Sequence[str]) -> None:
    """Reads these columns as these types. Arrow keeps the words for true and false for each column, 2 kB in all."""
    convert.column_types = types
    if len(types) == len(names) and pa.bool_() not in types.values():
        convert.true_values = convert.false_values = []


def _arrow_tables(stream: Any, read: Any, parse: Any, convert: Any, rows: int | None) -> Iterator[pa.Table]:
    if rows is None:
        table = arrow_csv.read_csv(stream, read, parse, convert)
        if table.num_rows:
            yield table
        return
    blocks = arrow_csv.open_csv(stream, read, parse, convert)
    held: list[pa.RecordBatch] = []
    for block in blocks:
        held.append(block)
        while sum(map(len, held)) >= rows:
            table = pa.Table.from_batches(held)
            yield table.slice(0, rows)
            held = table.slice(rows).to_batches()
    if sum(map(len, held)):
        yield pa.Table.from_batches(held)


def _types_for_all_blocks(source: Source, read: Any, parse: Any, convert: Any) -> dict[str, pa.DataType]:
    """The types of the first block, with room for the later ones: whole numbers may be followed by fractions."""
    with open_bytes(source) as stream:
        try:
            schema = arrow_csv.open_csv(stream, read, parse, convert).schema
        except pa.ArrowInvalid:
            return dict(convert.column_types)  # reading the blocks meets the same error and explains it
    wider = {}
    for column in schema:
        if pa.types.is_integer(column.type):
            wider[column.name] = pa.float64()
        elif pa.types.is_null(column.type):
            wider[column.name] = pa.large_string()
        else:
            wider[column.name] = column.type
    return wider


def column_names(source: Source, label: str | None, settings: CsvSettings) -> tuple[list[str], bool]:
    """The names of the columns, and whether they came from a header line.

    The first line is a header if its values are distinct, not empty, not numbers, and none of them comes again
    below in its own column; or if one of them is the label asked for. The first may be empty, since that is how data
    frames write the column of their row numbers. Columns without a name are c1, c2, …, by their place.
    """
    first_rows = _first_rows(source, settings)
    names = [name.strip() for name in first_rows[0]]
    header = settings.header
    if header is None:
        below = [{row[j].strip() for row in first_rows[1:] if j < len(row)} for j in range(len(names))]
        header = label in names or (
            len(set(names)) == len(names)
            and all(names[1:])
            and not any(is_number(name) for name in names)
            and not any(name in values for name, values in zip(names, below, strict=True))
        )
        # Words that occur twice in an otherwise plausible header are a mistake in the file, not a row of values.
        if not header and len(set(names)) < len(names):
            header = _is_header_with_repeats(names, below)
    if not header:
        return [f"c{number}" for number in range(1, len(names) + 1)], False
    names = [name or f"c{number}" for number, name in enumerate(names, 1)]
    check_names(names, source.name)
    return names, True


def _is_header_with_repeats(names: Sequence[str], below: Sequence[set[str]]) -> bool:
    columns_of_numbers = [bool(values) and all(is_number(value) or not value for value in values) for values in below]
    return any(columns_of_numbers) and not any(is_number(name) for name in names)


def _first_rows(source: Source, settings: CsvSettings) -> list[list[str]]:
    head, complete = _head(source)
    try:
        decoder = codecs.getincrementaldecoder(settings.encoding)()
    except LookupError:
        raise DataError(f"{source.name}: there is no encoding named {settings.encoding!r}. {NAME_ENCODING}") from None
    try:
        text = decoder.decode(head, final=complete).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = head[: error.start].count(b"\n") + 1
        raise DataError(
            f"{source.name}, line {line}: byte 0x{head[error.start]:02x} is not {settings.encoding} text. "
            f"{NAME_ENCODING}"
        ) from None
    except UnicodeError as error:  # utf-16 without the mark it begins with
        raise DataError(f"{source.name}: the file is not {settings.encoding} text ({error}). {NAME_ENCODING}") from None
    del head
    lines = (found[0] for found in LINE.finditer(text) if found[0])  # StringIO would take four bytes a character
    rows = [row for row in islice(_plain_reader(lines, settings), LOOKED_AT) if row]
    if not rows:
        raise DataError(f"{source.name}: the file is empty. Give a file with rows.")
    return rows


def _head(source: Source) -> tuple[bytearray, bool]:
    """The beginning of the file, with its first two lines however long they are, and whether that is all of it."""
    with open_bytes(source) as stream:
        head = bytearray(read_up_to(stream, PEEK))
        lines = head.count(b"\n")
        while lines < 2 and (more := stream.read(PIECE)):
            head += more
            lines += more.count(b"\n")
            if len(head) > LONGEST:
                raise DataError(
                    f"{source.name}: its first lines are longer than {LONGEST >> 20} MB. This is hardly a table; "
                    "check the file."
                )
        return head, len(head) < PEEK


def _plain_reader(lines: Any, settings: CsvSettings) -> Any:
    plain_csv.field_size_limit(1 << 30)  # by default 128 kB, less than a long text; it is in memory already
    if settings.quotes:
        return plain_csv.reader(lines, delimiter=settings.delimiter)
    return plain_csv.reader(lines, delimiter=settings.delimiter, quoting=plain_csv.QUOTE_NONE)


def refuse_bytes(columns: pa.Table, source: Source, settings: CsvSettings, done: int) -> None:
    """pyarrow makes a column of bytes out of text in another encoding."""
    for column in columns.schema:
        if pa.types.is_binary(column.type) or pa.types.is_large_binary(column.type):
            for row, value in enumerate(
                chain.from_iterable(chunk.to_pylist() for chunk in columns[column.name].chunks)
            ):
                try:
                    (value or b"").decode()
                except UnicodeDecodeError as error:
                    raise DataError(
                        f"{source.name}, row {done + row + 1}, column {column.name!r}: byte 0x{value[error.start]:02x} "
                        f"is not {settings.encoding} text. {NAME_ENCODING}"
                    ) from None


def explained(error: Exception, source: Source, settings: CsvSettings, header: bool) -> DataError:
    """pyarrow's error with the line it speaks of, found by reading again with the standard library."""
    message = str(error)
    if "Expected" in message and "columns" in message:
        with open_bytes(source) as stream:
            text = io.TextIOWrapper(stream, settings.encoding, "replace", newline="")
            reader = _plain_reader(iter(lambda: text.readline(LONGEST), ""), settings)
            width, line = 0, 1
            for row in reader:
                width = width or len(row)
                if row and len(row) != width:
                    return DataError(
                        f"{source.name}, line {line}: {len(row)} values where the first line has {width}. "
                        f"Mend the line; {LITERAL if settings.quotes else NOT_LITERAL}"
                    )
                line = reader.line_num + 1
    if "conversion error" in message:
        return DataError(
            f"{source.name}: {message.removeprefix('In CSV ')}. The first part of the file suggested another type; "
            "mend the value, or in Python name the column among `strings` to read it as text."
        )
    return DataError(f"{source.name}: {message.splitlines()[0]}. Mend the file or name its format (--format).")


class QuoteCheck(io.RawIOBase):
    """A stream that passes bytes on and refuses quotes that pyarrow would silently misread.

    A quoted value must end with its quote, at a delimiter or at the end of its line. A quote that begins a word in a
    file whose quotes are literal would swallow everything up to the next one.
    """

    def __init__(self, stream: IO[bytes], source: Source, settings: CsvSettings) -> None:
        super().__init__()
        self.stream, self.source = stream, source
        self.delimiter = ord(settings.delimiter)
        self.state = np.zeros(3, np.int64)  # where in a value the last byte was; line; line where the open quote began
        self.seen = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        from rosenblatt.loops.quotes import NEWLINE, PLAIN, RETURN, START

        piece = self.stream.read(len(buffer))
        self.seen = self.seen or b'"' in piece
        if self.seen:
            self._check(piece)
        elif piece:  # the first quote may come in the middle of a value that began here
            self.state[0] = START if piece[-1] in (self.delimiter, NEWLINE, RETURN) else PLAIN
            self.state[1] += piece.count(b"\n")
        buffer[: len(piece)] = piece
        return len(piece)

    def _check(self, piece: bytes) -> None:
        from rosenblatt.loops.quotes import OPEN, follow_quotes

        if follow_quotes(np.frombuffer(piece, np.uint8), self.delimiter, self.state):
            raise DataError(
                f"{self.source.name}, line {self.state[1] + 1}: text follows a closing quote. "
                f"Double the quotes inside a quoted value; {LITERAL}"
            )
        if not piece and self.state[0] == OPEN:
            raise DataError(
                f"{self.source.name}, line {self.state[2] + 1}: a quote opens here and never closes. "
                f"Close it; {LITERAL}"
            )
