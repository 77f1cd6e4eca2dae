"""A sheet of an Excel workbook: cells by calamine, each column of the type that its cells have."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from typing import Any

import numpy as np
import pyarrow as pa

from rosenblatt.data.dialect import heading
from rosenblatt.data.mistyped import mistyped
from rosenblatt.data.reading import Reading
from rosenblatt.data.source import Source, open_bytes, read_up_to
from rosenblatt.data.table import NoRows, Origin, Table, check_names, make_table, nearest_hint, some, tidy_strings
from rosenblatt.data.values import MISSING, shown_value
from rosenblatt.errors import DataError

MOST_BYTES = 1 << 30  # of a workbook
MOST_UNPACKED = 1 << 33
PIECE = 1 << 20
OLD = bytes.fromhex("d0cf11e0a1b11ae1")  # .xls; and what holds a workbook that a password protects
PROTECTED = "EncryptionInfo".encode("utf-16-le")
PLACE = re.compile(rb"""\br\s*=\s*["']([A-Za-z]{0,9})([0-9]{0,12})""")  # longer ones are too far already
CELL = re.compile(rb"<(?:\w+:)?c[\s/>]")
STRING = re.compile(rb"""\bt\s*=\s*["']s["'][^<]*<(?:\w+:)?v[^>]*>\s*([0-9]{1,9})""")
DAMAGE = (
    zipfile.BadZipFile,
    ValueError,
    OSError,
    NotImplementedError,
    RuntimeError,
    EOFError,
    struct.error,
    zlib.error,
)
FAR = 100  # places in a sheet for each that is filled, and bytes of text for each byte of the workbook
NEAR = 1 << 17  # places that may be empty in any case
SOME = 100  # rows that tell whether the first one names the columns
LARGEST = 1 << 53
MOST_COLUMNS = 1 << 14  # of a sheet
TYPES = {bool: pa.bool_(), date: pa.date32(), datetime: pa.timestamp("us"), time: pa.time64("us")}


def read_excel(source: Source, how: Reading) -> Table:
    """The sheet that is asked for, or the first."""
    with open_bytes(source) as stream:
        content = read_up_to(stream, MOST_BYTES + 1)
    _refuse_others(source, content)
    with _damaged(source.name):
        _refuse_far_apart(source, content)
        cells, notes, others = _cells(source.name, content, how.sheet, how.usual)
    numbers = [number for number, row in enumerate(cells, 1) if any(cell != "" for cell in row)]
    if not numbers:
        raise DataError(f"{source.name}: the sheet is empty. Give a file with rows.{others}")
    rows = [cells[number - 1] for number in numbers]
    try:
        return _table(source.name, rows, numbers, how, notes)
    except DataError as error:  # perhaps it is the cover of the workbook
        raise DataError(f"{error}{others}") from None


def _refuse_others(source: Source, content: bytes) -> None:
    name = source.name
    if content.startswith(OLD):
        if PROTECTED in content:
            raise DataError(f"{name}: a password protects the workbook. Save it without one, or save the sheet as CSV.")
        raise DataError(
            f"{name}: this is a workbook of an old form (.xls). Save it as .xlsx, or save the sheet as CSV."
        )
    if len(content) > MOST_BYTES:
        raise DataError(f"{name}: a workbook of more than {MOST_BYTES >> 20} MB. Save the sheet as CSV.")
    try:
        inside = zipfile.ZipFile(io.BytesIO(content)).namelist()
    except DAMAGE:
        inside = []
    if not any(each.startswith("xl/workbook.") for each in inside):
        raise DataError(
            f"{name}: this is a zip archive or a spreadsheet that cannot be read. Unpack it, or save the sheet as CSV."
        )


@contextmanager
def _damaged(name: str) -> Iterator[None]:
    """One line for a workbook that is damaged. A panic of calamine is no Exception."""
    try:
        yield
    except DataError:
        raise
    except BaseException as error:
        kind = type(error)
        if kind.__module__ == "python_calamine" or kind.__name__ == "PanicException" or isinstance(error, DAMAGE):
            what = next(iter(str(error).splitlines()), "").removesuffix(".")[:200]
            raise DataError(f"{name}: not a readable workbook ({what}). Save it again, or save it as CSV.") from None
        raise


def _refuse_far_apart(source: Source, content: bytes) -> None:
    """Refuses what calamine would take much memory for: cells far apart, since it fills the places between them, and
    long texts that many cells share, since it copies them."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        infos = {each.filename: each for each in archive.infolist()}
        size = sum(each.file_size for each in infos.values())
        if size > MOST_UNPACKED:
            raise DataError(f"{source.name}: it unpacks to more than {MOST_UNPACKED >> 30} GB. Save the sheet as CSV.")
        lengths = _lengths(archive) if "xl/sharedStrings.xml" in infos else np.zeros(0, np.int64)
        for name in infos:
            if name.startswith("xl/worksheets/") and name.endswith(".xml"):
                rows, columns, filled, texts = _extent(archive, name, lengths)
                if rows * columns > max(FAR * filled, NEAR):
                    raise DataError(
                        f"{source.name}: {filled} cells of {name} lie in {rows} rows and {columns} columns. Delete "
                        "what is far from the table, or save the sheet as CSV."
                    )
                if texts > FAR * max(size, PIECE):
                    raise DataError(f"{source.name}: cells of {name} repeat very long texts. Save the sheet as CSV.")


def _lengths(archive: zipfile.ZipFile) -> np.ndarray:
    """How long each of the shared texts is, about."""
    ends, at, left = [0], 0, b""
    with archive.open("xl/sharedStrings.xml") as stream:
        while piece := stream.read(PIECE):
            text = left + piece
            ends += [at + found.end() for found in re.finditer(rb"</(?:\w+:)?si\s*>", text)]
            kept = min(len(text), 20)  # an end may lie across two pieces; one that is found twice is no harm
            at, left = at + len(text) - kept, text[len(text) - kept :]
    return np.diff(np.unique(ends))


def _extent(archive: zipfile.ZipFile, name: str, lengths: np.ndarray) -> tuple[int, int, int, int]:
    """The last row, the last column, how many cells there are, and the bytes of their texts."""
    rows = columns = filled = texts = nowhere = 0
    left = b""
    with archive.open(name) as stream:
        while piece := stream.read(PIECE):
            text = left + piece
            found = set(PLACE.findall(text))
            rows = max([rows, *(int(row or 0) for _, row in found)])
            columns = max([columns, *(_number(letters) for letters in {letters for letters, _ in found})])
            named = sum(bool(letters) for letters, _ in found)
            filled += named
            nowhere += max(0, len(CELL.findall(text)) - named)  # they stand beside one another
            shared = np.array(STRING.findall(text), np.int64)
            texts += int(lengths[shared[shared < len(lengths)]].sum())
            left = text[-100:]  # a place may lie across two pieces
    return rows, max(columns, min(nowhere, MOST_COLUMNS)), filled + nowhere, texts


def _number(letters: bytes) -> int:
    """The number of a column: A is 1, Z 26, AA 27."""
    number = 0
    for letter in letters.upper():
        number = 26 * number + letter - 64
    return number


def _cells(
    name: str, content: bytes, sheet: str | None, usual: str | None
) -> tuple[list[list[Any]], tuple[str, ...], str]:
    """The rows of the sheet from the first on, what was decided, and what helps where this is not the sheet meant."""
    try:
        from python_calamine import CalamineWorkbook, SheetTypeEnum
    except ImportError:
        raise DataError(
            f"{name}: a workbook is read by the package python-calamine, which is not installed: "
            "pip install 'rosenblatt[excel]'. Or save the sheet as CSV."
        ) from None
    book = CalamineWorkbook.from_filelike(io.BytesIO(content))
    names = [each.name for each in book.sheets_metadata if each.typ == SheetTypeEnum.WorkSheet]
    if not names:
        raise DataError(f"{name}: the workbook has no sheets. Save it again.")
    if sheet is not None and sheet not in names:
        raise DataError(f"{name}: no sheet named {sheet!r}. Sheets are: {some(names)}.{nearest_hint(sheet, names)}")
    sheet = usual if sheet is None and usual in names else sheet
    rows = list(book.get_sheet_by_name(sheet or names[0]).iter_rows())
    if sheet or len(names) == 1:
        return rows, (), ""
    others = f" The sheet {names[0]!r} is read; others are: {some(names[1:])} (sheet under [reading] of a config)."
    return rows, (f"the sheet {names[0]!r} is read, the first of {len(names)}",), others


def _table(source: str, rows: list[list[Any]], numbers: Sequence[int], how: Reading, notes: tuple[str, ...]) -> Table:
    shown = [["" if cell == "" else shown_value(cell) or "" for cell in row] for row in rows[:SOME]]
    names, header, label, told = heading(shown, how.header, how.label, how.labelled)
    check_names(names, source)
    rows, numbers = rows[header:], numbers[header:]
    if not rows:
        raise NoRows(source, "the sheet has a header but no rows", names)
    arrays = [_column(cells, name in how.strings) for name, cells in zip(names, zip(*rows, strict=True), strict=True)]
    columns = tidy_strings(pa.Table.from_arrays(arrays, names))
    declared = {} if how.raw else mistyped(columns, tuple(how.strings))
    origin = Origin(source, "row", np.array(numbers, np.int64))
    return make_table(columns, origin, label, how.labelled, declared=declared, notes=(*notes, *told))


def _column(cells: Sequence[Any], as_text: bool) -> pa.Array:
    """The cells as the type that all of them have; text, where they have several."""
    values = [None if cell == "" else cell for cell in cells]
    kinds = {type(value) for value in values} - {type(None)}
    if str in kinds and len(kinds) > 1 and all(v.strip() in MISSING for v in values if isinstance(v, str)):
        values, kinds = [None if isinstance(value, str) else value for value in values], kinds - {str}
    if not as_text and kinds == {timedelta}:
        values, kinds = [value and value.total_seconds() for value in values], {float}
    if not as_text and kinds <= {int, float}:
        whole = all(value is None or (abs(value) < LARGEST and value == int(value)) for value in values)
        return pa.array(values, pa.int64() if whole and kinds else pa.float64() if kinds else pa.null())
    if not as_text and kinds == {date, datetime}:
        values = [value if value is None else datetime(*value.timetuple()[:6]) for value in values]
        return pa.array(values, pa.timestamp("us"))
    if not as_text and len(kinds) == 1 and kinds <= set(TYPES):
        return pa.array(values, TYPES[kinds.pop()])
    return pa.array([shown_value(value) for value in values], pa.large_string())
