"""CSV and TSV: rows parsed by pyarrow as strings, types found by csvtypes. Broken quotes and encodings are errors."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import pyarrow as pa
import pyarrow.csv as arrow_csv

from rosenblatt.data.csvmatrix import LARGER, MANY, read_matrix
from rosenblatt.data.csvtext import LITERAL, NAME_ENCODING, NOT_LITERAL, WIDE, CsvSettings, texts
from rosenblatt.data.csvtypes import cast, common, converted, typed
from rosenblatt.data.dialect import (
    DELIMITERS,
    LOOKED_AT,
    cut_numbers,
    doubtful_columns,
    find_delimiter,
    first_rows,
    heading,
    is_blank,
    nearly_numbers,
    plain_reader,
    written_forms,
)
from rosenblatt.data.mistyped import mistyped
from rosenblatt.data.source import LONGEST_ROW, PEEK, Source, open_bytes
from rosenblatt.data.table import Declaration, NoRows, Table, check_names, counted, make_table, tidy_strings
from rosenblatt.data.values import MISSING, ORDERS
from rosenblatt.errors import DataError

# Bytes of the first two lines. A small file can unpack to one line without an end.
LONGEST = 1 << 27
PIECE = 1 << 20
# Bytes of a block from which on threads share its columns. Below they win nothing, and each keeps 9 kB for each column.
SHARED = 1 << 20
TOLD = {
    "decimal comma": "the decimal sign is a comma, 1.234,5",
    "thousands": "numbers are written as 1,234.5, $5 or 95%",
    "day first": "dates have the day first, 31.05.2024",
    "month first": "dates have the month first, 05/31/2024",
}


def csv_tables(
    source: Source, label: str | None, labelled: bool, settings: CsvSettings, whole: bool
) -> Iterator[Table]:
    """The file as one table, or as tables of some megabytes each, with the same types."""
    form = CsvForm(source, label, settings)
    done = 0
    for columns in [form.whole()] if whole else form.parts():
        yield form.table(columns, done, labelled)
        done += columns.num_rows


class CsvForm:
    """How to read one file: the names of its columns and where its rows begin."""

    def __init__(self, source: Source, label: str | None, settings: CsvSettings) -> None:
        self.source, self.label, self.settings = source, label, settings
        self.error: Exception = ValueError()  # what Arrow said last
        self.notes: tuple[str, ...] = ()
        self.found: dict[str, Any] = {}
        self._look(head_text(source, settings), label, settings)

    def _look(self, text: str, label: str | None, settings: CsvSettings) -> None:
        """Finds what the first rows tell and nobody has said; a note says what was found beside the usual."""
        if settings.looks:
            delimiter = find_delimiter(text, settings)
            if delimiter != settings.delimiter:
                settings = replace(settings, delimiter=delimiter, quotes=settings.quotes and delimiter != "\t")
                self.notes += (f"{DELIMITERS[delimiter]} stand between the values",)
                self.found["delimiter"] = delimiter
        rows, self.start = first_rows(text, settings)
        if not rows:
            raise DataError(f"{self.source.name}: the file is empty. Give a file with rows.")
        self.settings = settings
        self.names, header, self.label, headed = heading(rows, settings.header, label, settings.labelled)
        check_names(self.names, self.source.name)
        whole = rows[header:-1] if 2 < len(rows) < LOOKED_AT else rows[header:]  # the last may be cut off
        doubtful = [] if settings.raw else doubtful_columns(whole, len(self.names))
        self.written, unclear = written_forms(whole, self.names, settings.delimiter, doubtful)
        for name, why in unclear.items():
            self.notes += (f"{name}: {why}, so the dates are read as names; write all as 2024-05-31",)
        for reads, told in TOLD.items():
            if columns := [name for name in self.names if self.written.get(name) == reads]:
                self.notes += (f"{', '.join(columns)}: {told}",)
        known = {*self.written, *settings.strings, *unclear, *([self.label] if self.label else [])}
        self.notes += tuple(nearly_numbers(whole, self.names, known, doubtful))
        self.notes += headed
        self.found |= {} if header else {"header": False}
        self.found |= {} if self.label == label else {"label": self.label}
        self.start = self.start if header else 0

    def whole(self) -> pa.Table:
        """All rows, each column by its kind. Only a column that turns out to be text is read twice."""
        if len(self.names) >= MANY and not self.settings.raw and not self.settings.strings and not self.written:
            pieces = texts(self.source, self.settings, self.start, LARGER)
            found = read_matrix(pieces, self.names, self.settings.delimiter, self.settings.quotes, self.source.size)
            if found is not None:
                return found
        kinds = self._none_seen()
        blocks = list(self._typed(kinds))
        if not blocks:
            raise self._no_rows()
        found = {name: [block[name] for block in blocks] for name in self.names}
        self._reread(found, kinds)
        return pa.table({name: _in_one(values) for name, values in found.items()})

    def _typed(self, kinds: dict[str, str]) -> Iterator[dict[str, pa.Array]]:
        """Blocks by the kinds of their own values; what the columns are as far as they were seen is noted."""
        for block in self._blocks(kinds=kinds):
            found = {}
            for name, array in zip(self.names, block.columns, strict=True):
                kind, found[name] = typed(array.chunk(0), kinds[name])
                kinds[name] = common(kinds[name], kind)
            yield found

    def _reread(self, found: dict[str, list[pa.Array]], kinds: dict[str, str]) -> None:
        """Brings all blocks of a column to the kind of the column."""
        again = []
        for name, kind in kinds.items():
            values = [cast(array, "whole" if kind == "bits" else kind) for array in found[name]]
            if any(each is None for each in values):
                again.append(name)
            else:
                found[name] = values
        if again:
            for name in again:
                found[name] = []
            for block in self._blocks(again):
                for name, array in zip(again, block.columns, strict=True):
                    found[name].append(array.chunk(0))

    def kinds(self) -> dict[str, str]:
        """For each column the kind of all its values."""
        kinds = self._none_seen()
        if "empty" in kinds.values():  # otherwise all are text, as was asked for
            for _ in self._typed(kinds):
                pass
        return {name: "whole" if kind == "bits" else kind for name, kind in kinds.items()}

    def _none_seen(self) -> dict[str, str]:
        asked = set(self.names if self.settings.raw else self.settings.strings)  # there may be thousands
        return dict.fromkeys(self.names, "empty") | {name: "text" for name in self.names if name in asked}

    def parts(self) -> Iterator[pa.Table]:
        """The rows block by block, in columns of the kinds that they have in the whole file."""
        kinds, seen = self.kinds(), False
        for block in self._blocks(kinds=kinds):
            seen = True
            pairs = zip(self.names, block.columns, strict=True)
            yield pa.table({name: converted(each.chunk(0), kinds[name]) for name, each in pairs})
        if not seen:
            raise self._no_rows()

    def table(self, columns: pa.Table, done: int, labelled: bool) -> Table:
        """The table of rows that follow on so many others."""
        columns = tidy_strings(columns)
        origin = counted(self.source.name, "row", columns.num_rows, done + 1)
        declared = {} if self.settings.raw else mistyped(columns, self.settings.strings) | self._declared()
        return make_table(columns, origin, self.label, labelled, notes=self.notes, declared=declared, found=self.found)

    def _declared(self) -> dict[str, Declaration]:
        """The columns whose numbers or dates are not written as others are; not those that are asked for as strings."""
        written = {name: reads for name, reads in self.written.items() if name not in self.settings.strings}
        return {
            name: Declaration("date" if reads in ORDERS else "numeric", reads=reads) for name, reads in written.items()
        }

    def _no_rows(self) -> DataError:
        return NoRows(self.source.name, "the file has a header but no rows", self.names)

    def _blocks(self, names: Sequence[str] | None = None, kinds: dict[str, str] | None = None) -> Iterator[pa.Table]:
        """Blocks of rows, each column in one piece, as strings; these columns, or all.

        kinds    what is known of the columns so far: numbers that go on as numbers come as such, which is faster
        """
        done = 0
        for text in texts(self.source, self.settings, self.start, 1 + len(self.names) // WIDE):
            block = None if kinds is None else self._parsed(text, self._numbers(kinds, text), names)
            if block is None:
                block = self._parsed(text, {}, names)
            if block is None:
                raise self._refused(text, done)
            done += block.num_rows
            if block.num_rows:
                yield block.combine_chunks()

    def _numbers(self, kinds: dict[str, str], text: bytes) -> dict[str, pa.DataType]:
        """Columns to be parsed as numbers. Arrow takes 0x10 for a whole number, so where there are any, none is."""
        hexadecimal = any(sign in text and b"0" + sign in text for sign in (b"x", b"X"))  # one byte is found faster
        found = {name: pa.float64() for name, kind in kinds.items() if kind == "number"}
        return found | {name: pa.int64() for name, kind in kinds.items() if kind == "whole" and not hexadecimal}

    def _parsed(
        self, text: bytes, kinds: dict[str, pa.DataType], names: Sequence[str] | None, others: Any = None
    ) -> pa.Table | None:
        """The rows as Arrow reads them, other columns as strings; None where it cannot."""
        quotes = self.settings.quotes
        convert = arrow_csv.ConvertOptions(
            column_types=dict.fromkeys(self.names, others or pa.large_string()) | kinds,
            null_values=MISSING, strings_can_be_null=False,
            true_values=[], false_values=[],  # Arrow keeps these words for each column, 2 kB in all
            include_columns=[] if names is None else list(names),
        )  # fmt: skip
        try:
            return arrow_csv.read_csv(
                pa.py_buffer(text),
                arrow_csv.ReadOptions(use_threads=len(text) >= SHARED, column_names=self.names, block_size=LONGEST_ROW),
                arrow_csv.ParseOptions(
                    delimiter=self.settings.delimiter, quote_char='"' if quotes else False, newlines_in_values=quotes
                ),
                convert,
            )
        except pa.ArrowInvalid as error:
            self.error = error
            return None

    def _refused(self, text: bytes, done: int) -> DataError:
        """What is wrong with the rows of a block: a value that is not in the encoding, or what Arrow says."""
        problem = self.error
        block = self._parsed(text, {}, None, pa.large_binary())
        for name, column in [] if block is None else zip(block.column_names, block.columns, strict=True):
            values = chain.from_iterable(chunk.to_pylist() for chunk in column.chunks)
            for row, value in enumerate(values, done + 1):
                try:
                    value.decode()
                except UnicodeDecodeError as error:
                    return DataError(
                        f"{self.source.name}, row {row}, column {name!r}: byte 0x{value[error.start]:02x} "
                        f"is not {self.settings.encoding} text. {NAME_ENCODING}"
                    )
        return explained(problem, self.source, self.settings)


def _in_one(blocks: list[pa.Array]) -> pa.ChunkedArray | pa.Array:
    """Numbers in one piece, since everything that looks at them would make it; strings are too long to be copied."""
    return pa.concat_arrays(blocks) if pa.types.is_primitive(blocks[0].type) else pa.chunked_array(blocks)


def head_text(source: Source, settings: CsvSettings) -> str:
    """The beginning of the file as text, with its first two lines at least."""
    head, complete = _head(source)
    decoder = codecs.getincrementaldecoder(settings.encoding)()
    try:
        text = decoder.decode(head, final=complete).removeprefix("\ufeff")
        text.encode()  # which half a character cannot be
    except UnicodeDecodeError as error:
        line = head[: error.start].count(b"\n") + 1
        raise DataError(
            f"{source.name}, line {line}: byte 0x{head[error.start]:02x} is not {settings.encoding} text. "
            f"{NAME_ENCODING}"
        ) from None
    except UnicodeError as error:  # utf-16 without the mark it begins with, or half a character in utf-7
        raise DataError(f"{source.name}: the file is not {settings.encoding} text ({error}). {NAME_ENCODING}") from None
    return text


def _head(source: Source) -> tuple[bytes | bytearray, bool]:
    """The beginning of the file, with its first two lines however long they are, and whether that is all of it."""
    if len(source.head) < PEEK or source.head.count(b"\n") > 1:
        return source.head, len(source.head) < PEEK
    head, lines = bytearray(), 0
    with open_bytes(source) as stream:
        while lines < 2 and (more := stream.read(PIECE)):
            head += more
            lines += more.count(b"\n")
            if len(head) > LONGEST:
                raise DataError(
                    f"{source.name}: its first lines are longer than {LONGEST >> 20} MB. This is hardly a table; "
                    "check the file."
                )
    return head, False


def explained(error: Exception, source: Source, settings: CsvSettings) -> DataError:
    """pyarrow's error with the line it speaks of, found by reading again with the standard library."""
    message = str(error)
    if "Expected" in message and "columns" in message:
        with open_bytes(source) as stream:
            text = io.TextIOWrapper(stream, settings.encoding, "replace", newline="")
            reader = plain_reader(iter(lambda: text.readline(LONGEST), ""), settings)
            width, line = 0, 1
            for row in reader:
                width = width or (0 if is_blank(row) else len(row))
                if width and row and len(row) != width:
                    helps = f"Mend the line; {LITERAL if settings.quotes else NOT_LITERAL}"
                    if settings.delimiter == "," and cut_numbers(row) >= len(row) - width > 0:
                        helps = "If numbers have decimal commas, save the file with semicolons between the values."
                    return DataError(
                        f"{source.name}, line {line}: {len(row)} values where the first line has {width}. {helps}"
                    )
                line = reader.line_num + 1
    return DataError(f"{source.name}: {message.splitlines()[0]}. Mend the file or name its format (--format).")
