"""CSV files of very many columns are read as one matrix, and their columns are those that Arrow reads."""

from __future__ import annotations

import random

import numpy as np
import pyarrow as pa
import pytest

from rosenblatt.data import csv, csvmatrix, read
from rosenblatt.errors import DataError

WIDTH = 9


@pytest.fixture(autouse=True)
def _few_are_many(monkeypatch):
    monkeypatch.setattr(csv, "MANY", WIDTH)


@pytest.fixture
def both(tmp_path, monkeypatch):
    """The columns of a text as they are read, those that Arrow alone reads, and whether the matrix was used."""

    def read_both(text, **how):
        path = tmp_path / "t.csv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        used = []

        def watched(*given):
            used.append(csvmatrix.read_matrix(*given))
            return used[-1]

        monkeypatch.setattr(csv, "read_matrix", watched)
        found = read(path, **how)
        monkeypatch.setattr(csv, "read_matrix", lambda *_: None)
        return found, read(path, **how), any(table is not None for table in used)

    return read_both


def lines(cells, ends="\n", between=","):
    return "".join(between.join(row) + ends for row in [[*(f"c{j}" for j in range(WIDTH)), "label"], *cells])


def drawn(draw, row):
    kinds = [
        str(draw.randint(-9, 9)), str(row % 2), f"{draw.uniform(-5, 5):.3f}", f"{draw.random():.1e}",
        draw.choice([".5", "7.", "-0.0", "-0", "007", "12"]), str(draw.randint(0, 2**53)),
        draw.choice(["", "1", "2"]), "" if row % 3 else "4.25", str(draw.randint(1, 5) * 10 ** draw.randint(0, 5)),
    ]  # fmt: skip
    return [*kinds, draw.choice(["yes", "no", "maybe so"])]


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\n\n"])
@pytest.mark.parametrize("digits", range(1, 10))
def test_numbers_of_every_length_are_those_that_python_reads(both, digits, ends):
    draw = random.Random(digits)
    whole = [str(draw.randrange(10**digits)).zfill(digits) for _ in range(4 * WIDTH)]
    values = [
        sign + value[:point] + "." + value[point:]
        for value in whole
        for point in range(digits + 1)
        for sign in ("", "-")
    ]
    cells = [
        [*(values[(row * WIDTH + j) % len(values)] for j in range(WIDTH)), "ab"[row % 2]] for row in range(len(values))
    ]
    found, _, used = both(lines(cells, ends))
    assert used
    for j, name in enumerate(found.names):
        wanted = np.array([float(row[j]) for row in cells])
        assert found.columns[name].to_numpy().astype(float).tobytes() == wanted.tobytes()


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\n\n"])
@pytest.mark.parametrize("between", [",", ";", "\t"])
def test_columns_are_those_that_arrow_reads(both, ends, between):
    draw = random.Random(5)
    cells = [drawn(draw, row) for row in range(60)]
    cells[0][6] = cells[0][7] = "3"
    ours, theirs, used = both(lines(cells, ends, between), delimiter=between)
    assert used
    assert ours.columns.schema == theirs.columns.schema
    assert ours.columns.equals(theirs.columns)
    assert ours.labels.equals(theirs.labels)
    for name in ours.names:
        if ours.columns[name].type == pa.float64():
            here, there = (each.columns[name].to_numpy().view(np.uint64) for each in (ours, theirs))
            assert (here == there).all(), name


def test_blocks_are_put_together(both, monkeypatch):
    monkeypatch.setattr("rosenblatt.data.csvtext.FIRST", 300)
    monkeypatch.setattr("rosenblatt.data.csvtext.SIZE", 300)
    cells = [[*(str(row + j) + (".5" if row == 70 and j == 2 else "") for j in range(WIDTH)), "ab"[row % 2]]
             for row in range(99)]  # fmt: skip
    ours, theirs, used = both(lines(cells))
    assert used
    assert ours.columns.equals(theirs.columns)
    assert [str(kind) for kind in ours.columns.schema.types] == ["int64", "int64", "double", *["int64"] * (WIDTH - 3)]
    assert ours.labels.to_pylist() == theirs.labels.to_pylist() == [row[-1] for row in cells]


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (3, "NA"), (3, "?"), (3, "x"), (3, " 4"), (3, "+4"), (3, '"4"'), (3, "1e400"), (3, "12345678901234567890"),
        (3, "0.12345678901234567"), (3, "0x10"), (3, "inf"), (9, 'a "b"'), (9, "ä"),
    ],
)  # fmt: skip
def test_what_is_no_plain_number_is_read_as_before(both, place, value):
    draw = random.Random(6)
    cells = [[*(str(draw.randint(0, 99)) for _ in range(WIDTH)), "ab"[row % 2]] for row in range(30)]
    cells[20][place] = value
    ours, theirs, used = both(lines(cells))
    assert used == (value == "ä")
    assert ours.columns.equals(theirs.columns)
    assert ours.labels.equals(theirs.labels)


def test_a_byte_that_is_no_utf8_is_told_as_before(both):
    text = lines([[*"123456789", "ab"[row % 2]] for row in range(9_000)]).encode()
    with pytest.raises(DataError, match="row 9000, column 'label': byte 0xe4 is not utf-8 text"):
        both(text[:-2] + b"\xe4\n")


def test_a_line_of_another_length_is_told_as_before(both):
    with pytest.raises(DataError, match="line 9: 11 values where the first line has 10"):
        both(lines([[*"123456789", "ab"[row % 2], *(["x"] * (row == 7))] for row in range(30)]))
