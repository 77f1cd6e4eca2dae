"""Data of any size, quickly made: svmlight rows of about 100 values that are not zero, and dense rows as Parquet."""

from __future__ import annotations

from pathlib import Path

import numba
import numpy as np

WIDTH = 50_000  # columns of the sparse rows
VALUES = 100  # about so many in each row
NOISE = 20  # one label in so many is wrong
BLOCK = 1 << 14  # rows made at a time


@numba.njit
def mixed(number):
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))


@numba.njit
def write_digits(number, text, at):
    size = 1
    limit = 10
    while number >= limit:
        size += 1
        limit *= 10
    for place in range(size):
        text[at + size - 1 - place] = 48 + number % 10
        number //= 10
    return at + size


@numba.njit
def write_rows(first, count, text):
    """Writes rows of `label column:0.ddd …`; the label is the sign of a sum of ±values. Returns the bytes written."""
    at = 0
    step = np.uint64(2 * WIDTH // VALUES - 1)
    for row in range(first, first + count):
        label_at = at
        text[at] = 43
        text[at + 1] = 49
        at += 2
        column, score = 0, 0.0
        bits = mixed(np.uint64(row + 1) * np.uint64(0x9E3779B97F4A7C15))
        noise = bits % np.uint64(NOISE) == 0
        while True:
            bits = mixed(bits + np.uint64(0x9E3779B97F4A7C15))
            column += 1 + np.int64(bits % step)
            if column > WIDTH:
                break
            thousandths = 1 + np.int64((bits >> np.uint64(32)) % np.uint64(999))
            sign = 1.0 if mixed(np.uint64(column)) & np.uint64(1) else -1.0
            score += sign * thousandths
            text[at] = 32
            at = write_digits(column, text, at + 1)
            text[at] = 58
            text[at + 1] = 48
            text[at + 2] = 46
            text[at + 3] = 48 + thousandths // 100
            text[at + 4] = 48 + thousandths // 10 % 10
            text[at + 5] = 48 + thousandths % 10
            at += 6
        if (score > 0) == noise:
            text[label_at] = 45
        text[at] = 10
        at += 1
    return at


def write_svmlight(path: Path, size: int) -> int:
    """A file of about so many bytes; returns the number of its rows."""
    text = np.empty(BLOCK * 3 * VALUES * 13, np.uint8)
    rows = written = 0
    with path.open("wb") as file:
        while written < size:
            used = write_rows(rows, BLOCK, text)
            file.write(text[:used])
            written += used
            rows += BLOCK
    return rows


@numba.njit
def fill_dense(first, values, labels):
    for row in range(len(values)):
        bits = mixed(np.uint64(first + row + 1) * np.uint64(0x9E3779B97F4A7C15))
        noise = bits % np.uint64(NOISE) == 0
        score = 0.0
        for column in range(values.shape[1]):
            bits = mixed(bits + np.uint64(0x9E3779B97F4A7C15))
            value = (np.float64(bits >> np.uint64(11)) / 2.0**53 - 0.5) * (1 + column % 7)
            values[row, column] = value
            score += value if column % 3 else -value
        labels[row] = (score > 0) != noise


def write_parquet(path: Path, size: int) -> int:
    """A Parquet file of VALUES columns of float64 and a label, of about so many bytes; returns the number of rows."""
    import pyarrow as pa
    import pyarrow.parquet as parquet

    names = [f"f{number}" for number in range(1, VALUES + 1)]
    schema = pa.schema([*(pa.field(name, pa.float64()) for name in names), pa.field("label", pa.int64())])
    values, labels = np.empty((BLOCK, VALUES)), np.empty(BLOCK, np.int64)
    rows = 0
    with parquet.ParquetWriter(path, schema, compression="none", use_dictionary=False) as writer:
        while rows * 8 * VALUES < size:
            fill_dense(rows, values, labels)
            columns = [np.ascontiguousarray(values[:, number]) for number in range(VALUES)]
            writer.write_table(pa.table([*columns, labels], schema=schema), row_group_size=BLOCK)
            rows += BLOCK
    return rows
