"""Reviews: flipped labels come first, copies, contradictions and repairs are named, and the source is never touched."""

from __future__ import annotations

import csv
import json
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_iris

from rosenblatt import cli, prove, review
from rosenblatt.errors import DataError, SettingError
from rosenblatt.pipeline.review import NAMED, _twins
from rosenblatt.proofs import Separable, from_json
from rosenblatt.proofs.input import read_question
from rosenblatt.proofs.repair import find_repair
from rosenblatt.report.doubts import to_csv, to_json_lines, to_page


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def flipped(y: np.ndarray, share: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """The labels with some changed to another class, and which."""
    drawn = np.random.default_rng(seed)
    rows = drawn.choice(len(y), round(share * len(y)), replace=False)
    noisy, size = y.copy(), y.max() + 1
    noisy[rows] = (noisy[rows] + drawn.integers(1, size, len(rows))) % size
    return noisy, rows


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    noisy, rows = flipped(y, 0.05)
    return review(X, label=noisy), set(rows.tolist()), y


def test_flipped_labels_come_first_and_the_true_one_is_suggested(digits):
    found, rows, y = digits
    first = found.queue[: len(rows)]
    hits = [each for each in first if each.row in rows]
    assert len(hits) >= 0.85 * len(rows)
    assert np.mean([each.suggested == str(y[each.row]) for each in hits]) > 0.95
    assert [each.probability for each in found.queue] == sorted(each.probability for each in found.queue)


def test_probabilities_are_of_models_that_did_not_see_the_row():
    drawn = np.random.default_rng(1)
    X, y = drawn.normal(size=(400, 10)), drawn.integers(0, 2, 400)
    found = review(X, label=y)
    right = np.mean(np.argmax(found.probabilities, axis=1) == found.codes)
    assert 0.38 < right < 0.62  # labels drawn at random cannot be known


def test_the_rows_behind_a_verdict_have_the_suggested_label_and_are_no_copies(digits):
    found, _, _ = digits
    named = [each for each in found.queue[:50] if each.behind]
    assert len(named) > 25
    speakers = [row.label == each.suggested for each in named for row in each.behind]
    assert np.mean(speakers) > 0.5
    assert all(row.origin != each.place for each in named for row in each.behind)


def table_with_copies() -> str:
    rows = [f"{x % 17},{x % 5},{'a' if x % 17 < 8 else 'b'}" for x in range(120)]
    rows[3] = rows[3].replace("a", "b")
    return "x,y,label\n" + "\n".join(rows) + "\n"


def test_copies_with_another_label_are_named():
    Path("copies.csv").write_text(table_with_copies())
    found = review("copies.csv")
    row = next(each for each in found.queue if each.row == 3)
    assert row.copies == ("copies.csv, row 89",)  # 3 + 85: the next with the same x and y
    assert row.suggested == "a"
    assert row.in_repair
    assert row.contradicts or not row.probability > 0.5


def test_the_repair_is_proved_and_called_smallest_only_where_that_is_proved():
    Path("copies.csv").write_text(table_with_copies())
    found = review("copies.csv")
    assert found.verdict.kind == "inseparable"
    assert found.repair.rows == (3,)
    assert found.repair.smallest
    assert found.classes.names[found.repair.labels[0]] == "a"
    X, y = load_iris(return_X_y=True)
    iris = find_repair(read_question(X, y), np.ones(150))
    assert 1 <= iris.at_least <= len(iris.rows) <= 3
    assert iris.smallest == (iris.at_least == len(iris.rows))


def test_without_the_rows_or_with_their_new_labels_the_data_is_separable():
    X, y = load_iris(return_X_y=True)
    noisy, _ = flipped(y, 0.1)
    found = find_repair(read_question(X, noisy), np.ones(150))
    left = np.setdiff1d(np.arange(150), found.rows)
    assert found.verdict.check(X[left], noisy[left])
    again = from_json(found.verdict.to_json())
    assert again.check(X[left], noisy[left])
    relabelled = noisy.copy()
    relabelled[list(found.rows)] = found.labels
    assert found.relabelled.check(X, relabelled)
    assert isinstance(prove(X, relabelled), Separable)
    with pytest.raises(DataError):
        found.verdict.check(X, noisy)


@pytest.mark.parametrize(
    ("X", "y", "rows"),
    [([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0], 1), ([[0], [0], [1], [1]], [0, 1, 0, 1], 2)],
)
def test_small_repairs_are_the_smallest(X, y, rows):
    found = find_repair(read_question(X, y), np.ones(4))
    assert len(found.rows) == rows
    assert found.smallest


def test_a_corrected_copy_leaves_the_source_as_it_is():
    Path("copies.csv").write_text(table_with_copies())
    found = review("copies.csv")
    copy = found.corrected({3: "a", 5: None})
    assert copy.num_rows == 119
    assert copy["label"].to_pylist()[3] == "a"
    assert copy.column_names == ["x", "y", "label"]
    assert Path("copies.csv").read_text() == table_with_copies()
    with pytest.raises(SettingError, match="'c' is none of the labels a, b"):
        found.corrected({3: "c"})
    with pytest.raises(SettingError, match="there is no row 120"):
        found.corrected({120: "a"})


def test_every_form_holds_the_whole_queue(digits):
    found, _, _ = digits
    lines = list(csv.DictReader(to_csv(found).splitlines()))
    assert [int(line["row"]) - 1 for line in lines] == [each.row for each in found.queue]
    objects = [json.loads(line) for line in to_json_lines(found).splitlines()]
    assert [each["probability"] for each in objects] == [each.probability for each in found.queue]
    page = to_page(found)
    assert all(each.place in page for each in found.queue)
    assert "<script" not in page


def test_text_of_the_data_cannot_act_on_the_page():
    words = ["free prize", "win cash", "lunch noon", "see you"]
    rows = [f"{words[i % 4]} <script>alert(1)</script> {i}\t{'spam' if i % 4 < 2 else 'ham'}" for i in range(80)]
    rows[8] = rows[8].replace("\tspam", "\tham")
    Path("mail.tsv").write_text("text\tlabel\n" + "\n".join(rows) + "\n")
    found = review("mail.tsv")
    assert found.queue[0].row == 8
    assert "<script>alert" not in to_page(found)


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as end:
        cli.main(arguments)
    return end.value.code


def test_the_command_writes_by_the_ending_and_prints_a_queue(capfd):
    Path("copies.csv").write_text(table_with_copies())
    for name in ("out.csv", "out.jsonl", "out.html"):
        assert run("review", "copies.csv", "--out", name) == 0
        assert Path(name).stat().st_size > 100
    shown = capfd.readouterr().out
    assert "copies.csv, row 4" in shown
    assert "no repair takes fewer, which is proved" in " ".join(shown.split())
    assert max(map(len, shown.splitlines())) <= 80
    assert run("review", "copies.csv", "--json") == 0
    plain = json.loads(capfd.readouterr().out)
    assert plain["repair"]["rows"] == [{"row": 4, "label": "a"}]
    assert from_json(json.dumps(plain["certificate"])).kind == "inseparable"
    assert Path("copies.csv").read_text() == table_with_copies()


@pytest.mark.parametrize(
    ("text", "arguments", "code", "line"),
    [
        ("x,y\n1,2\n3,4\n", [], 1, "no column is named label, class or target"),
        ("x,label\n1,a\n2,\n", [], 1, "no value for the label 'label'"),
        ("x,label\n1,a\n2,a\n", [], 1, "all 2 rows have the label 'a'"),
        ("x,label\n1,a\n2,b\n", ["--out", "out.pdf"], 1, "out.pdf: the ending says what to write"),
        ("x,label\n1,a\n2,b\n", ["--out", "data.csv"], 2, "would write over DATA"),
    ],
)
def test_wrong_input_is_one_line(capfd, text, arguments, code, line):
    Path("data.csv").write_text(text)
    assert run("review", "data.csv", *arguments) == code
    err = capfd.readouterr().err
    assert line in err
    assert len(err.splitlines()) == 1


def test_copies_with_other_labels_are_the_first_of_them():
    draw = np.random.default_rng(3)
    distinct, codes = draw.integers(0, 12, 400), draw.integers(0, 4, 400).astype(np.int32)
    expected = {
        row: [other for other in range(400) if distinct[other] == distinct[row] and codes[other] != codes[row]][:NAMED]
        for row in range(400)
    }
    assert _twins(distinct, codes) == expected


def test_room_for_copies_grows_as_the_rows_do():
    """A table of few values has thousands of copies with other labels, each of which named all others."""
    tracemalloc.start()
    found = _twins(np.zeros(20_000, np.int64), np.arange(20_000, dtype=np.int32) % 3)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(found) == 20_000
    assert peak < 500 * 20_000
