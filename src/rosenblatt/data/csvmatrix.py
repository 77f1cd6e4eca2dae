"""The rows of a CSV file of very many columns, most of them numbers, read as one matrix.

Arrow parses column by column, and each column is then looked at by itself; thousands of them cost more than their
values do. Whatever is not plainly a number here (quotes, words for missing values, too many digits) makes the
answer None, and Arrow reads the file: the columns that come of it are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa

from rosenblatt.data.csvtypes import typed
from rosenblatt.data.table import string_column
from rosenblatt.data.values import NUMBER
from rosenblatt.loops.numbers import parse_lines
from rosenblatt.loops.svmlight import POWERS_OF_TEN

MANY = 512  # columns
OTHERS = 8  # one column in so many may hold something else


def read_matrix(texts: Iterable[bytes], names: Sequence[str], delimiter: str, quotes: bool) -> pa.Table | None:
    """The rows of these texts, each column of the type that all its values have; None where they have another form."""
    numeric: np.ndarray | None = None
    parts = np.zeros(len(names), np.bool_)
    blocks, others = [], []
    for text in texts:
        if quotes and b'"' in text:
            return None
        if numeric is None:
            numeric = _numeric(text, delimiter)
            if len(numeric) != len(names) or OTHERS * (~numeric).sum() > len(names):
                return None
        found = _parsed(text, delimiter, numeric, parts)
        if found is None:
            return None
        blocks.append(found[0])
        others.append(found[1])
    if numeric is None or not sum(map(len, blocks)):
        return None
    columns = _by_column(blocks)
    words = iter(zip(*others, strict=True))
    arrays = [
        _numbers(column, part) if is_number else typed(pa.concat_arrays(next(words)))[1]
        for column, part, is_number in zip(columns, parts.tolist(), numeric.tolist(), strict=True)
    ]
    return pa.Table.from_arrays(arrays, list(names))


def _numeric(text: bytes, delimiter: str) -> np.ndarray:
    """For each value of the first line whether it is a number."""
    line = next((line for line in text.splitlines() if line), b"").decode(errors="replace")
    return np.array([NUMBER.fullmatch(value) is not None for value in line.split(delimiter)], np.bool_)


def _by_column(blocks: list[np.ndarray]) -> np.ndarray:
    """The rows of the blocks, which are let go one by one, as one matrix with a row for each column."""
    columns = np.empty((blocks[0].shape[1], sum(map(len, blocks))))
    at = columns.shape[1]
    while blocks:
        block = blocks.pop()
        columns[:, at - len(block) : at] = block.T
        at -= len(block)
    return columns


def _parsed(
    text: bytes, delimiter: str, numeric: np.ndarray, parts: np.ndarray
) -> tuple[np.ndarray, list[pa.Array]] | None:
    data, room = np.frombuffer(text, np.uint8), text.count(b"\n") + 1
    numbers = np.empty((room, len(numeric)))
    spans = np.empty((room, int((~numeric).sum()), 2), np.int64)
    rows = parse_lines(data, ord(delimiter), numeric, numbers, spans, parts, POWERS_OF_TEN)
    if rows < 0:
        return None
    places = spans[:rows].transpose(1, 0, 2).tolist()
    try:
        words = [string_column([text[start:stop].decode() for start, stop in each]) for each in places]
    except UnicodeDecodeError:  # Arrow's way of reading tells where
        return None
    return numbers[:rows], words


def _numbers(values: np.ndarray, part: bool) -> pa.Array:
    """The column in the memory where it lies; whole numbers as such."""
    gaps = np.isnan(values)
    kind = pa.float64() if part else pa.int64()
    if gaps.any():
        whole = values if part else np.where(gaps, 0, values).astype(np.int64)
        return pa.array(whole, kind, mask=gaps)
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(values if part else values.astype(np.int64))])
