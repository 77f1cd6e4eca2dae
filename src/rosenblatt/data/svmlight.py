"""svmlight and libsvm files: `label column:value column:value …`, columns counted from 1 and increasing.

Stricter than other readers: nothing wraps, nothing is skipped, and no memory is set aside because of a large column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa

from rosenblatt.data.source import Source, open_bytes, whole_rows
from rosenblatt.data.table import Origin, Table, make_table, some, sparse_column
from rosenblatt.errors import DataError, SettingError
from rosenblatt.loops import svmlight as loop
from rosenblatt.loops.threads import in_threads, thread_count

BLOCK = 1 << 25
PIECE = 1 << 19  # bytes that are worth a thread
NUMBER = re.compile(rb"[+-]?([0-9]+(?:\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
PROBLEMS = {
    loop.LABEL: "the label {token} is not a number; use numbers for labels, or a CSV file",
    loop.COLUMN: "{token} is not a column number; write column:value with columns counted from 1",
    loop.COLON: "{token} has no colon; write column:value",
    loop.ZERO_COLUMN: "column 0; columns are counted from 1, so add 1 to all of them",
    loop.LARGE: "column {token} is above 2147483647, the largest supported; renumber the columns",
    loop.REPEATED: "column {token} comes twice; add up its values",
    loop.ORDER: "column {token} comes after a larger one; write the columns of a row in increasing order",
    loop.VALUE: "the value {token} is not a finite decimal number; write a number such as 0.5",
    loop.QID: "a query number (qid) is for ranking, not for classes; remove it",
}


def svmlight_tables(source: Source, labelled: bool, names: Sequence[str] | None, whole: bool) -> Iterator[Table]:
    """The file as one table, whose labels are whole numbers if all of them are, or as tables of some megabytes."""
    found = _parts(source, BLOCK >> 2, whole)
    done = False
    for parts in [list(found)] if whole else ([part] for part in found):
        if parts:
            done = True
            yield _table(source, parts, labelled, names, whole)
    if not done:
        raise DataError(f"{source.name}: the file has no rows. Give a file with rows.")


Part = tuple[np.ndarray, pa.LargeListArray, np.ndarray]  # labels, rows, line numbers


def _table(source: Source, parts: Sequence[Part], labelled: bool, names: Sequence[str] | None, whole: bool) -> Table:
    labels = np.concatenate([part[0] for part in parts])
    lines = np.concatenate([part[2] for part in parts])
    if whole and (labels == np.floor(labels)).all() and np.abs(labels).max() < 2**53:
        labels = labels.astype(np.int64)
    columns = pa.table({"label": pa.array(labels), "column": pa.chunked_array([part[1] for part in parts])})
    named = {"column": names} if names is not None else {}
    return make_table(columns, Origin(source.name, "line", lines), "label", labelled, feature_names=named)


def _parts(source: Source, block: int, whole: bool) -> Iterator[Part]:
    """What is in so many bytes at a time; a file that is read whole is at least no larger than it looks."""
    line = 1
    block = -1 if whole and not source.packed else block
    with open_bytes(source) as stream:
        pieces_read = iter(lambda: stream.read(block), b"")
        for text in whole_rows(pieces_read, lambda piece: piece.rfind(b"\n") + 1, source):
            pieces = _cut(text)
            ends = [occurrences(np.frombuffer(piece, np.uint8), b"\n") for piece in pieces]
            firsts = [line + sum(ends[:number]) for number in range(len(pieces))]
            made = in_threads(
                lambda pair: _parse(*pair, source), list(zip(pieces, firsts, strict=True)), thread_count()
            )
            line += sum(ends)
            yield from (part for part in made if len(part[0]))


def _cut(text: bytes) -> list[memoryview]:
    """The text in pieces of whole lines; more pieces than threads, so that a thread that is held up has fewer."""
    view, start = memoryview(text), 0
    pieces = []
    size = max(PIECE, len(text) // (8 * thread_count()))
    while len(text) - start > 2 * size and (stop := text.find(b"\n", start + size) + 1):
        pieces.append(view[start:stop])
        start = stop
    return [*pieces, view[start:]]


def _parse(text: memoryview, first_line: int, source: Source) -> Part:
    data = np.frombuffer(text, np.uint8)
    n_lines = occurrences(data, b"\n") + 1
    labels, lines, starts = np.empty(n_lines), np.empty(n_lines, np.int64), np.zeros(n_lines + 1, np.int64)
    size = occurrences(data, b":") + 1
    columns, values, hard = np.empty(size, np.uint32), np.empty(size), np.empty((size + n_lines, 3), np.int64)
    with np.errstate(over="ignore"):  # a test for digits wraps; compiled code does not look
        n_rows, n_hard, problem, start, stop = loop.parse(
            data, (labels, lines, starts), columns, values, hard, loop.POWERS_OF_TEN
        )
    if problem:
        raise _problem(problem, text, start, stop, first_line, source)
    # Numbers of many digits or large exponents: only the standard library rounds these rightly.
    for where, start, stop in hard[:n_hard].tolist():
        value = float(bytes(text[start:stop]))
        if not np.isfinite(value):
            raise _problem(loop.VALUE, text, start, stop, first_line, source)
        if where < 0:
            labels[-1 - where] = value
        else:
            values[where] = value
    end = int(starts[n_rows])
    rows = sparse_column(starts[: n_rows + 1], columns[:end], values[:end])
    return labels[:n_rows], rows, lines[:n_rows] + (first_line - 1)


def _problem(which: int, text: memoryview, start: int, stop: int, first_line: int, source: Source) -> DataError:
    line = first_line + bytes(text[:start]).count(b"\n")
    return DataError(f"{source.name}, line {line}: {PROBLEMS[which].format(token=_shown(bytes(text[start:stop])))}.")


def occurrences(data: np.ndarray, byte: bytes) -> int:
    """How often the byte occurs; five times as fast as bytes.count where lines are short."""
    return int(np.count_nonzero(data == byte[0]))


def _shown(token: bytes) -> str:
    """The token in quotes, in ASCII, and not longer than a line can bear."""
    return ascii(token.decode("latin-1") if len(token) <= 40 else token[:40].decode("latin-1") + "…")


def feature_names(given: str | Sequence[str]) -> Sequence[str]:
    """Names of columns 1, 2, … as given, or from a file with one name per line."""
    if not isinstance(given, str):
        return list(given)
    with open_bytes(Source.at(given)) as stream:
        try:
            names = stream.read().decode().splitlines()
        except UnicodeDecodeError:
            raise DataError(f"{given}: the file of feature names is not UTF-8 text. Save it as UTF-8.") from None
    if not any(names):
        raise SettingError(f"{given}: the file of feature names is empty; got {some(names)}.")
    return names
