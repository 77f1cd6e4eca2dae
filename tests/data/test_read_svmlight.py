"""svmlight files: equal to scikit-learn's reader where they are valid, and refused where they are not."""

from __future__ import annotations

import io
import resource

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from rosenblatt.data import read
from rosenblatt.errors import DataError
from rosenblatt.features.sparse import csr


def matrix(table):
    starts, columns, values = csr(table.columns["column"])
    return starts, columns.astype(np.int64) - 1, values, table.labels.to_numpy().astype(np.float64)


def expected(source):
    X, y = load_svmlight_file(source, zero_based=False)
    return X.indptr, X.indices, X.data, y


@pytest.mark.parametrize(
    ("path", "rows"),
    [
        ("libsvm/a9a", 32561),
        ("libsvm/a9a.t", 16281),
        ("libsvm/news20", 15935),
        ("libsvm/news20.t", 3993),
        ("reuters-acq/train.dat", 2000),
        ("reuters-acq/test.dat", 600),
    ],
)
def test_real_files_read_as_scikit_learn_reads_them(data, path, rows):
    table = read(data / path)
    assert table.n_rows == rows
    for ours, theirs in zip(matrix(table), expected(str(data / path)), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_two_test_documents_of_reuters_are_empty_and_keep_their_lines(data):
    table = read(data / "reuters-acq" / "test.dat")
    starts = csr(table.columns["column"])[0]
    empty = np.flatnonzero(np.diff(starts) == 0)
    assert len(empty) == 2
    line = int(table.origin.of(int(empty[0])).rpartition(" ")[2])
    content = (data / "reuters-acq" / "test.dat").read_text().splitlines()[line - 1]
    assert ":" not in content.partition("#")[0]


def test_feature_names_come_from_a_file_of_words(data):
    table = read(data / "reuters-acq" / "train.dat", names=str(data / "reuters-acq" / "words"))
    assert table.feature_names["column"][:3] == ["v", "ct", "shr"]
    assert len(table.feature_names["column"]) == 9947


finite = st.floats(allow_nan=False, allow_infinity=False)


@given(
    st.lists(st.tuples(finite, st.dictionaries(st.integers(1, 2**31 - 1), finite, max_size=6)), min_size=1, max_size=8),
    st.sampled_from([repr, "{:.17e}".format, "{:.30f}".format]),
)
def test_every_finite_number_reads_to_the_last_bit(tmp_path_factory, rows, shown):
    path = tmp_path_factory.mktemp("svm") / "a.svm"
    lines = [f"{shown(y)} " + " ".join(f"{j}:{shown(x)}" for j, x in sorted(row.items())) for y, row in rows]
    path.write_text("\n".join(lines))
    starts, columns, values, labels = matrix(read(path))
    np.testing.assert_array_equal(labels, [float(shown(y)) for y, _ in rows])
    np.testing.assert_array_equal(columns + 1, [j for _, row in rows for j in sorted(row)])
    np.testing.assert_array_equal(values, [float(shown(row[j])) for _, row in rows for j in sorted(row)])
    np.testing.assert_array_equal(np.diff(starts), [len(row) for _, row in rows])


def test_what_scikit_learn_writes_reads_back(tmp_path):
    rng = np.random.default_rng(3)
    X = rng.standard_normal((50, 20)) * (rng.random((50, 20)) < 0.3)
    y = rng.integers(0, 3, 50)
    buffer = io.BytesIO()
    dump_svmlight_file(X, y, buffer, zero_based=False)
    path = tmp_path / "x.svm"
    path.write_bytes(buffer.getvalue())
    for ours, theirs in zip(matrix(read(path)), expected(io.BytesIO(buffer.getvalue())), strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("ending", ["\n", "\r\n", ""])
def test_comments_blank_lines_and_line_endings(tmp_path, ending):
    path = tmp_path / "a.svm"
    path.write_bytes(f"# head\n\n+1 1:2 3:.5 # why\n  -1\t2:1e-3 {ending}".encode())
    table = read(path)
    assert table.labels.to_pylist() == [1, -1]
    assert matrix(table)[2].tolist() == [2, 0.5, 0.001]
    assert [table.origin.of(i).rpartition(", ")[2] for i in range(2)] == ["line 3", "line 4"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("1 0:1", "columns are counted from 1"),
        ("1 -3:1", "'-3:1' is not a column number"),
        ("1 3:1 3:2", "column '3' comes twice"),
        ("1 3:1 2:2", "column '2' comes after a larger one"),
        (f"1 {2**31}:1", "above 2147483647"),
        (f"1 {2**32 + 1}:1", "above 2147483647"),
        (f"1 {'9' * 5000}:1", "above 2147483647"),
        ("1 1_0:1", "'1_0:1' is not a column number"),
        ("1 1:1_0", "'1_0' is not a finite decimal number"),
        ("1 1:nan", "'nan' is not a finite"),
        ("1 1:inf", "'inf' is not a finite"),
        ("1 1:1e999", "'1e999' is not a finite"),
        ("1 1:0x10", "'0x10' is not a finite"),
        ("1 1:", "'' is not a finite"),
        ("1 1:2:3", "'2:3' is not a finite"),
        ("1 1:2,3", "'2,3' is not a finite"),
        ("1 1:--2", "'--2' is not a finite"),
        ("1 1:1e", "'1e' is not a finite"),
        ("1 1:.", "'.' is not a finite"),
        ("1 7", "'7' has no colon"),
        ("1 7 8:1", "'7' has no colon"),
        ("spam 1:1", "the label 'spam' is not a number"),
        ("1,2 1:1", "the label '1,2' is not a number"),
        ("nan 1:1", "the label 'nan' is not a number"),
        ("1 qid:3 1:1", "query number"),
        ("1 é:1", "is not a column number"),
    ],
)
def test_bad_lines_are_refused_with_their_number(tmp_path, line, says):
    path = tmp_path / "bad.svm"
    path.write_text(f"1 1:1\n{line}\n-1 1:1\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read(path)
    message = str(caught.value)
    assert message.startswith(f"{path}, line 2: ")
    assert says in message
    assert "\n" not in message
    assert len(message) < 300 + len(str(path))


def test_a_large_column_costs_no_memory(tmp_path):
    from rosenblatt.features import learn_and_encode

    path = tmp_path / "tall.svm"
    path.write_text(f"1 {2**31 - 1}:1\n-1 5:1\n")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    plan, encoded = learn_and_encode(read(path))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 500_000  # kilobytes
    assert plan.width == 2
    assert encoded.names == ["column 5", "column 2147483647"]
    assert encoded.rows.columns.tolist() == [1, 0]


def test_batches_hold_the_same_rows_and_lines(tmp_path, monkeypatch):
    from rosenblatt.data import svmlight

    path = tmp_path / "a.svm"
    path.write_text("".join(f"{i % 2} {i + 1}:{i}\n" + "# note\n" * (i % 3 == 0) for i in range(100)))
    whole = read(path)
    monkeypatch.setattr(svmlight, "BLOCK", 200)
    parts = list(read(path, batches=7))
    assert max(part.n_rows for part in parts) <= 7
    assert [label for part in parts for label in part.labels.to_pylist()] == whole.labels.to_pylist()
    assert [row for part in parts for row in part.columns["column"].to_pylist()] == whole.columns["column"].to_pylist()
    assert np.concatenate([part.origin.numbers for part in parts]).tolist() == whole.origin.numbers.tolist()


def test_labels_of_all_batches_have_one_type(tmp_path, monkeypatch):
    from rosenblatt.data import svmlight

    monkeypatch.setattr(svmlight, "BLOCK", 200)
    path = tmp_path / "a.svm"
    path.write_text("1 1:1\n" * 50 + "0.5 1:1\n")
    assert {part.labels.type for part in read(path, batches=10)} == {read(path).labels.type}


def test_a_label_name_makes_no_sense(tmp_path):
    path = tmp_path / "a.svm"
    path.write_text("1 1:1\n")
    with pytest.raises(DataError, match="label first on each line"):
        read(path, label="price")
