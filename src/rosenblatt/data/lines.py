"""Texts that stand one on each line: with fastText's labels before them, or alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, count, islice
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from rosenblatt.data.csvtext import CsvSettings, utf8, without_mark
from rosenblatt.data.format import encoding_of
from rosenblatt.data.formats.lines import PREFIX
from rosenblatt.data.reading import Reading
from rosenblatt.data.source import Source, open_bytes, whole_rows
from rosenblatt.data.table import Declaration, Origin, Table, make_table, string_column, tidy_strings
from rosenblatt.errors import DataError

MANY = 1 << 16  # lines that are Python's at a time
TEXT = Declaration("text")
AS_IN = f"as in {PREFIX}spam Win money now."


class Line(NamedTuple):
    """A text, and where it stands."""

    number: int
    text: str
    latin: bool  # whether it had to be read as latin-1
    label: str | None = None


def fasttext_tables(source: Source, how: Reading, rows: int | None) -> Iterator[Table]:
    """The labels and the texts, in tables of at most `rows` rows; one table if rows is None."""
    return _tables((_labelled(line, source.name) for line in lines_of(source, how.encoding)), source, how, rows)


def plain_tables(source: Source, how: Reading, rows: int | None) -> Iterator[Table]:
    """The texts, also those of blank lines: there is an answer for each line."""
    column = how.lines or "text"
    for table in _tables(lines_of(source, how.encoding, blanks=True), source, how, rows):
        columns, told = table.columns.rename_columns([column]), f"each line is read as a text, {column!r}"
        yield replace(table, columns=columns, declared={column: TEXT}, notes=(*table.notes, told))


def _labelled(line: Line, source: str) -> Line:
    first, *rest = line.text.split(maxsplit=1)
    text = rest[0] if rest else ""
    place = f"{source}, line {line.number}"
    if not first.startswith(PREFIX):
        raise DataError(f"{place}: it does not begin with {PREFIX}. Write the label first, {AS_IN}")
    if first == PREFIX:
        raise DataError(f"{place}: a label without a name. Name the class, {AS_IN}")
    label = first.removeprefix(PREFIX)
    if PREFIX in label or (PREFIX in text and any(word.startswith(PREFIX) for word in text.split())):
        raise DataError(
            f"{place}: several labels on a line are not for this program, in which a text has one class. "
            "Keep one of them."
        )
    return line._replace(label=label, text=text)


def lines_of(source: Source, encoding: str | None, blanks: bool = False) -> Iterator[Line]:
    """The lines that are not blank, or all."""
    settings = CsvSettings(encoding=encoding or encoding_of(source.head))
    numbers = count(1)
    with open_bytes(source) as stream:
        pieces = without_mark(utf8(stream, source, settings))
        for piece in whole_rows(pieces, lambda piece: piece.rfind(b"\n") + 1, source):
            for line, number in zip(piece.removesuffix(b"\n").split(b"\n"), numbers, strict=False):
                text, latin = decoded(line, encoding and "utf-8", f"{source.name}, line {number}")
                if blanks or text.strip():
                    yield Line(number, text, latin)


def decoded(content: bytes, encoding: str | None, place: object) -> tuple[str, bool]:
    """The text, and whether it had to be read as latin-1 because it is not the UTF-8 that is assumed."""
    try:
        text = content.decode(encoding or "utf-8").removeprefix("\ufeff")
        if encoding is not None:
            text.encode()  # utf-7 and the like can spell half a character
        return text, False
    except UnicodeEncodeError:
        raise DataError(f"{place}: half a character is not {encoding}. Name its true encoding (--encoding).") from None
    except UnicodeDecodeError as error:
        if encoding is None:
            return content.decode("latin-1"), True
        raise DataError(
            f"{place}: byte 0x{content[error.start]:02x} at {error.start} is not {encoding}. "
            "Name its true encoding (--encoding)."
        ) from None


def _tables(lines: Iterator[Line], source: Source, how: Reading, rows: int | None) -> Iterator[Table]:
    """The lines, in tables of at most so many."""
    parts = (_part(chunk) for chunk in iter(lambda: list(islice(lines, rows or MANY)), []))
    first = next(parts, None)
    if first is None:
        raise DataError(f"{source.name}: the file has no rows. Give a file with rows.")
    for some in [[first, *parts]] if rows is None else ([part] for part in chain([first], parts)):
        yield _table(some, source, how)


Part = tuple[pa.Table, np.ndarray, int]  # columns, numbers of the lines, how many were read as latin-1


def _part(lines: list[Line]) -> Part:
    columns = {"text": string_column([line.text for line in lines])}
    if lines[0].label is not None:
        columns["label"] = string_column([line.label or "" for line in lines])
    return pa.table(columns), np.array([line.number for line in lines], np.int64), sum(line.latin for line in lines)


def _table(parts: list[Part], source: Source, how: Reading) -> Table:
    columns = tidy_strings(pa.concat_tables([part[0] for part in parts]))
    origin = Origin(source.name, "line", np.concatenate([part[1] for part in parts]))
    latin = sum(part[2] for part in parts)
    notes = (f"{latin} lines are not UTF-8 and were read as latin-1",) if latin else ()
    return make_table(columns, origin, how.label, how.labelled, declared={"text": TEXT}, notes=notes)
