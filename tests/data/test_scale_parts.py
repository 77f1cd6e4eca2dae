"""What training out of core is made of: columns and rows in files, order on the disk, types of CSV files, sizes."""

from __future__ import annotations

import datetime as dt
import gc

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt.data import cache, csv, csvtext, maps, memory
from rosenblatt.data.columnfile import ColumnWriter, load
from rosenblatt.data.csvtext import CsvSettings
from rosenblatt.data.rowfile import RowsWriter, load_rows
from rosenblatt.data.source import Source
from rosenblatt.data.table import SPARSE
from rosenblatt.data.values import MISSING, names_of, reading_of
from rosenblatt.errors import SettingError
from rosenblatt.learn import ondisk, windows
from rosenblatt.loops.rows import Dense, Sparse, Words, n_rows, take

COLUMNS = [
    pa.array([1, None, 3, 4, 5], pa.int64()),
    pa.array([True, False, None, True, True]),
    pa.array(["a", "", None, "äöü", "long " * 50], pa.large_string()),
    pa.array([1.5, 2.5, 3.5, None, float("nan")]),
    pa.array([dt.date(2020, 1, 1), None, dt.date(2021, 1, 1), None, None]),
    pa.array([[1.0, 2.0], [3.0, 4.0], None, [5.0, 6.0], [7.0, 8.0]], pa.list_(pa.float64(), 2)),
    pa.array([[{"column": 1, "value": 2.0}], [], None, [{"column": 7, "value": 1.0}] * 3, []], SPARSE),
    pa.array([b"x", None, b"", b"yz", b"1"], pa.large_binary()),
    pa.nulls(5),
]


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: str(column.type)[:20])
def test_a_column_comes_back_from_its_files(column, tmp_path):
    writer = ColumnWriter(tmp_path, "c", column.type)
    parts = [column.slice(3), column, column.slice(1, 3), column.slice(0, 0), *[column] * 5]
    for part in parts:
        writer.append(part)
    found = load(tmp_path, column.type, writer.close())
    found.validate(full=True)
    assert str(found) == str(pa.concat_arrays(parts)) or found.equals(pa.concat_arrays(parts))


def rows_of(kind, n=1000, seed=0):
    rng = np.random.default_rng(seed)
    if kind == "dense":
        return Dense(rng.normal(size=(n, 7)), 1.0)
    lengths = rng.integers(0, 9, n)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.uint64)
    columns = np.concatenate([np.sort(rng.choice(50, size, replace=False)) for size in lengths]).astype(np.uint32)
    if kind == "words":
        return Words(starts, columns, rng.random(n), 50, 1.0)
    return Sparse(starts, columns, rng.normal(size=len(columns)), 50, 1.0)


def same_rows(one, other):
    return type(one) is type(other) and all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("kind", ["dense", "sparse", "words"])
def test_rows_on_the_disk_are_put_in_any_order(kind, tmp_path, monkeypatch):
    monkeypatch.setattr(ondisk, "PIECE", 1 << 12)
    rows = rows_of(kind)
    writer = RowsWriter(tmp_path)
    writer.append(rows)
    lying = load_rows(tmp_path, writer.close())
    order = np.random.default_rng(1).permutation(1000)[:900].astype(np.uint32)
    found = ondisk.reordered_rows(lying, order, "some")
    assert maps.is_mapped(found[0])
    assert same_rows(found, take(rows, order))
    assert not list(tmp_path.rglob("bucket*"))


def test_words_become_sparse_rows_when_other_rows_follow(tmp_path):
    words, sparse = rows_of("words"), rows_of("sparse", seed=2)
    writer = RowsWriter(tmp_path)
    for part in (words, words, sparse, words):
        writer.append(part)
    found = load_rows(tmp_path, writer.close())
    assert isinstance(found, Sparse)
    spread = np.repeat(words.scales, np.diff(words.starts).astype(int))
    assert np.array_equal(found.values, np.concatenate([spread, spread, sparse.values, spread]))
    assert n_rows(found) == 4000


def test_a_window_of_few_updates_spans_few_blocks():
    order = np.array([5, 9, 300, 301, 1000, 1001, 5000, 9000, 9001], np.uint32)
    assert windows.window_cuts(order, 2) == [0, 4, 7, 9]


def test_maps_end_with_their_arrays(tmp_path):
    path = tmp_path / "values"
    np.arange(1000).tofile(path)
    before = len(maps.MAPS.open)
    array = maps.mapped(path, np.int64, (1000,))
    view = array[10:20]
    del array
    gc.collect()
    assert maps.is_mapped(view)
    assert view.sum() == sum(range(10, 20))
    del view
    gc.collect()
    assert len(maps.MAPS.open) == before


def test_what_was_let_go_of_is_read_again(tmp_path):
    values = np.random.default_rng(0).random(1 << 20)
    values.tofile(tmp_path / "values")
    array = maps.mapped(tmp_path / "values", np.float64, values.shape)
    assert array.sum() == values.sum()
    maps.MAPS.release()
    assert np.array_equal(array, values)


values = st.sampled_from(
    ["1", "7", "0", "-3", "1.5", "true", "false", "2020-01-01", "2020-01-01 10:11:12", "12:30", "abc", "", "NA", "0x1F",
     "2020-01-01 10:11:12.5", "2020-01-01T10:11:12Z", '"a,b"', '"two\nlines"', "9223372036854775808", "1e400", " 5"]
)  # fmt: skip


def read_whole_and_in_blocks(path, encoding="utf-8", size=20):
    """The file read at once and in blocks of some bytes, as it is for memory and for the disk."""
    whole = csv.CsvForm(Source.at(path), None, CsvSettings(encoding=encoding)).whole()
    before = csvtext.SIZE, csvtext.FIRST
    csvtext.SIZE = csvtext.FIRST = size
    try:
        form = csv.CsvForm(Source.at(path), None, CsvSettings(encoding=encoding))
        return whole, form.whole().combine_chunks(), pa.concat_tables(form.parts()).combine_chunks()
    finally:
        csvtext.SIZE, csvtext.FIRST = before


@given(st.lists(st.tuples(values, values), min_size=1, max_size=60), st.integers(20, 200))
@settings(deadline=None)
def test_a_csv_file_in_blocks_has_the_types_of_the_whole(tmp_path_factory, rows, size):
    path = tmp_path_factory.mktemp("csv") / "t.csv"
    path.write_text("a,b\n" + "".join(f"{a},{b}\n" for a, b in rows))
    whole, cut, parts = read_whole_and_in_blocks(path, size=size)
    assert whole.schema == cut.schema == parts.schema
    assert whole.to_pydict() == cut.to_pydict() == parts.to_pydict()


@given(st.lists(st.tuples(values, values), min_size=1, max_size=60))
@settings(deadline=None)
def test_a_csv_file_has_the_types_that_arrow_finds(tmp_path_factory, rows):
    """But for whole numbers: 0x1F is none, and those that 64 bits do not hold are kept exactly."""
    path = tmp_path_factory.mktemp("csv") / "t.csv"
    rows = [row for row in rows if "0x1F" not in row and "9223372036854775808" not in row] or [("1", "2")]
    path.write_text("a,b\n" + "".join(f"{a},{b}\n" for a, b in rows))
    convert = arrow_csv.ConvertOptions(null_values=[*MISSING, " ?"], strings_can_be_null=False)
    arrow = arrow_csv.read_csv(path, None, arrow_csv.ParseOptions(newlines_in_values=True), convert)
    whole = csv.CsvForm(Source.at(path), None, CsvSettings()).whole()
    assert [reading_of(kind) for kind in whole.schema.types] == [reading_of(kind) for kind in arrow.schema.types]
    assert [names_of(column) for column in whole.columns] == [names_of(column) for column in arrow.columns]


def test_rows_are_cut_outside_quotes():
    text = b'a,"x\ny"\nb,"""\n"\nc,5" pipe\nd,"x"'
    pieces = [text[:6], text[6:13], text[13:20], text[20:]]
    found = list(csvtext.cut_at_rows(iter(pieces), CsvSettings(), Source.at("x.csv")))
    assert b"".join(found) == text
    assert found[:-1] == [b'a,"x\ny"\n', b'b,"""\n"\n', b'c,5" pipe\n'] or all(f.endswith(b"\n") for f in found[:-1])


@pytest.mark.parametrize(
    ("text", "size"),
    [("512MB", 512_000_000), ("1GB", 10**9), ("1GiB", 2**30), ("1.5 kb", 1500), ("77", 77), (5, 5), ("2gi", 2**31)],
)
def test_sizes_as_people_write_them(text, size):
    assert memory.parse_size(text) == size


@pytest.mark.parametrize("text", ["", "much", "-1GB", "0", "1XB", "1 GB free", True, -4, None])
def test_other_sizes_are_refused(text):
    with pytest.raises(SettingError, match="512MB, 1GB or 1GiB"):
        memory.parse_size(text)


def test_limits_of_control_groups_count(tmp_path):
    group = tmp_path / "a" / "b"
    group.mkdir(parents=True)
    (tmp_path / "own").write_text("0::/a/b\n")
    (tmp_path / "a" / "memory.max").write_text("1000\n")
    (tmp_path / "a" / "memory.current").write_text("700\n")
    (tmp_path / "a" / "memory.stat").write_text("inactive_file 100\nactive_file 50\n")
    (group / "memory.max").write_text("max\n")
    assert list(memory._groups(tmp_path, tmp_path / "own")) == [450]


def test_the_checksum_sees_every_byte(tmp_path):
    rng = np.random.default_rng(0)
    for size in (1, 7, 8, 31, 1000):
        content = bytearray(rng.bytes(size))
        (tmp_path / "f").write_bytes(content)
        first = cache.checksum(tmp_path / "f")
        for place in {0, size // 2, size - 1}:
            content[place] ^= 1 << int(rng.integers(8))
            (tmp_path / "f").write_bytes(content)
            assert cache.checksum(tmp_path / "f") != first
            (tmp_path / "f").write_bytes(content := bytearray(rng.bytes(size)))
            first = cache.checksum(tmp_path / "f")


def test_a_latin_1_file_in_blocks(tmp_path):
    (tmp_path / "t.csv").write_bytes("a,b\ncafé,1\nüber,2\n".encode("latin-1"))
    for found in read_whole_and_in_blocks(tmp_path / "t.csv", "latin-1", 5):
        assert found["a"].to_pylist() == ["café", "über"]
