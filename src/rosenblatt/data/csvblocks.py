"""A CSV file block by block, with the types that reading it whole would give its columns.

Arrow, given a whole file, takes for each column the first type of KINDS that all its values can have. Two passes find
the same: the first infers types for each block by itself, and no type before the last of them can be right; the second
reads with that one. Where a block does not fit it (a date in one block, a whole number in another) the next is tried.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import IO, Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv

from rosenblatt.data.csv import (
    NAME_ENCODING,
    CsvSettings,
    QuoteCheck,
    as_read,
    column_names,
    csv_table,
    explained,
    refuse_bytes,
)
from rosenblatt.data.source import LONGEST_ROW, Source, open_bytes, whole_rows
from rosenblatt.data.table import Table, counted
from rosenblatt.errors import DataError

SIZE = 1 << 24  # bytes of a block; no row may be longer than LONGEST_ROW
KINDS = (
    pa.null(), pa.int64(), pa.bool_(), pa.date32(), pa.time32("s"), pa.timestamp("s"), pa.timestamp("s", "UTC"),
    pa.timestamp("ns"), pa.timestamp("ns", "UTC"), pa.float64(), pa.string(), pa.binary(),
)  # fmt: skip


def csv_tables(source: Source, label: str | None, labelled: bool, settings: CsvSettings) -> Iterator[Table]:
    """The file as tables of some megabytes, one after the other; their types are those of `read_csv`."""
    names, header = column_names(source, label, settings)
    notes = () if header else (f"no header line found: the columns are named {names[0]} to {names[-1]}",)
    form = CsvForm(source, settings, names, header)
    types = form.infer()
    done = 0
    for columns in form.blocks(types):
        refuse_bytes(columns, source, settings, done)
        origin = counted(source.name, "row", columns.num_rows, done + 1)
        done += columns.num_rows
        yield csv_table(columns, origin, label, labelled, notes, settings.strings)
    if not done:
        raise DataError(f"{source.name}: the file has a header but no rows. Give a file with rows.")


class CsvForm:
    """How to read one file."""

    def __init__(self, source: Source, settings: CsvSettings, names: list[str], header: bool) -> None:
        self.source, self.settings, self.names, self.header = source, settings, names, header

    def infer(self) -> dict[str, pa.DataType]:
        """For each column the type that Arrow finds for the whole file."""
        seen: dict[str, set[int]] = {name: {0} for name in self.names}
        for block in self.blocks({}):
            for column in block.schema:
                seen[column.name].add(KINDS.index(column.type) if column.type in KINDS else len(KINDS) - 1)
        found = {name: max(kinds) for name, kinds in seen.items() if name not in self.settings.strings}
        # Blocks that agree leave no doubt, and all values can be strings.
        doubtful = [n for n, k in found.items() if len(seen[n]) > 2 and KINDS[k] not in (pa.string(), pa.binary())]
        while unfit := self._unfit({name: KINDS[found[name]] for name in doubtful}):
            for name in unfit:
                found[name] += 1
        return {name: KINDS[number] for name, number in found.items()}

    def _unfit(self, types: dict[str, pa.DataType]) -> list[str]:
        """Columns with values that do not have the type that is thought of: those of the first block that has any."""
        if not types:
            return []
        for text, read, parse, convert in self._texts({}):
            unfit = []
            for name, kind in types.items():
                convert.include_columns, convert.column_types = [name], {name: kind}
                try:
                    arrow_csv.read_csv(pa.py_buffer(text), read, parse, convert)
                except pa.ArrowInvalid:
                    unfit.append(name)
            if unfit:
                return unfit
        return []

    def blocks(self, types: dict[str, pa.DataType]) -> Iterator[pa.Table]:
        """The blocks with columns of the given types, others inferred for each block."""
        for text, read, parse, convert in self._texts(types):
            try:
                table = arrow_csv.read_csv(pa.py_buffer(text), read, parse, convert)
            except pa.ArrowInvalid as error:
                raise explained(error, self.source, self.settings, self.header) from None
            if table.num_rows:
                yield table

    def _texts(self, types: dict[str, pa.DataType]) -> Iterator[tuple[bytes, Any, Any, Any]]:
        """Whole rows as text, and how Arrow is to read them."""
        chosen = {name: pa.large_string() for name in self.settings.strings} | types
        read, parse, convert = as_read(self.settings, self.names, chosen, LONGEST_ROW)
        with open_bytes(self.source) as stream:
            checked: Any = QuoteCheck(stream, self.source, self.settings) if self.settings.quotes else stream
            read.skip_rows = 1 if self.header else 0
            for text in cut_at_rows(utf8(checked, self.source, self.settings), self.settings, self.source):
                yield text, read, parse, convert
                read.skip_rows = 0


def utf8(stream: IO[bytes], source: Source, settings: CsvSettings) -> Iterator[bytes]:
    """The stream in pieces of UTF-8."""
    if settings.encoding.lower().replace("_", "-") in ("utf-8", "utf8", "ascii", "us-ascii"):
        while piece := stream.read(SIZE):
            yield piece
        return
    decoder = codecs.getincrementaldecoder(settings.encoding)()
    try:
        while piece := stream.read(SIZE):
            yield decoder.decode(piece).encode()
        yield decoder.decode(b"", final=True).encode()
    except UnicodeDecodeError as error:
        raise DataError(
            f"{source.name}: the file is not {settings.encoding} text ({error.reason} at byte {error.start}). "
            f"{NAME_ENCODING}"
        ) from None


def cut_at_rows(pieces: Iterator[bytes], settings: CsvSettings, source: Source) -> Iterator[bytes]:
    """The pieces cut anew where rows end: at a line's end that is not inside quotes."""
    from rosenblatt.loops.quotes import last_row_end

    state = np.zeros(1, np.int64)

    def end(piece: bytes) -> int:
        return int(last_row_end(np.frombuffer(piece, np.uint8), ord(settings.delimiter), settings.quotes, state))

    return whole_rows(pieces, end, source)
