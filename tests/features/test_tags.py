"""Lists of names in one value: found by looking or read as lists, 0/1 features, the same wherever the rows lie."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import rosenblatt
from rosenblatt.data import read
from rosenblatt.data.plain import BETWEEN
from rosenblatt.errors import DataError, SettingError
from rosenblatt.features import learn
from rosenblatt.features.facts import separator_of
from rosenblatt.features.tags import Tags
from rosenblatt.pipeline import train_with_evidence
from rosenblatt.store.contents import from_contents, to_contents
from rosenblatt.store.export_onnx import to_onnx
from rosenblatt.store.export_sql import to_sql

NAMES = ("new", "sale", "vip", "old stock", "gift")


def lists(n=240):
    draw = np.random.default_rng(1)
    found = [[name for name in NAMES if draw.random() < 0.4] for _ in range(n)]
    return [None if k % 29 == 3 else tags for k, tags in enumerate(found)]


def labels(found):
    return ["yes" if tags and "vip" in tags and "gift" not in tags else "no" for tags in found]


def dense(line, column):
    block = line.encode(pa.chunked_array([column]), read({"x": [1.0] * len(column)}, labelled=False).origin)
    found = np.zeros((len(column), line.width))
    for row in range(len(column)):
        found[row, block.columns[block.starts[row] : block.starts[row + 1]]] = 1
    return found


def written(path, sign):
    rows = [f"{sign.join(tags or [])}\t{label}" for tags, label in zip(lists(), labels(lists()), strict=True)]
    path.write_text("\n".join(["tags\tlabel", *rows]) + "\n")
    return str(path)


@pytest.mark.parametrize("sign", [";", "|", ",", " , "])
def test_what_stands_between_tags_is_found_by_looking(tmp_path, sign):
    model = rosenblatt.train(written(tmp_path / "t.tsv", sign))
    (line,) = model.plan.lines
    assert isinstance(line, Tags)
    assert (line.separator, line.values) == (sign.strip(), tuple(sorted(NAMES)))
    assert line.names() == [f"tags: {name}" for name in [*sorted(NAMES), "(missing)"]]
    assert model.card["test"]["accuracy"] > 0.95


@pytest.mark.parametrize(
    "values",
    [
        [f"{k},5" for k in range(40)],  # decimal commas
        [f"{name} Smith, John" for name in "abcdefghijklmnopqrstuvwxyz"],  # names of people
        ["a long sentence of words, and one more of them; it is a text"] * 40,
        ["red", "green", "blue"] * 20,
        ["2;3", "3;4", "2;4", "2"] * 20,  # numbers
        [f"{k / 10:.1f} %".replace(".", ",") for k in range(100)],  # 16,1 %
        [],
    ],
)
def test_other_texts_are_no_tags(values):
    assert separator_of(Counter(values)) == ""


@pytest.mark.parametrize("form", ["jsonl", "json", "parquet", "pandas", "large"])
def test_lists_of_every_form_are_tags(tmp_path, form):
    tags, named = lists(), labels(lists())
    frame = pd.DataFrame({"tags": tags, "label": named})
    source = tmp_path / f"t.{form}"
    if form == "jsonl":
        source.write_text("".join(json.dumps(row) + "\n" for row in frame.to_dict("records")))
    elif form == "json":
        source.write_text(json.dumps(frame.to_dict("records")))
    elif form == "parquet":
        frame.to_parquet(source)
    given = (
        frame if form == "pandas"
        else pa.table({"tags": pa.array(tags, pa.large_list(pa.large_string())), "label": named}) if form == "large"
        else str(source)
    )  # fmt: skip
    model = rosenblatt.train(given)
    (line,) = model.plan.lines
    assert (line.separator, line.values, line.missing) == (BETWEEN, tuple(sorted(NAMES)), True)
    assert model.card["test"]["accuracy"] > 0.95
    assert model.predict([{"tags": ["vip", "sale"]}, {"tags": ["vip", "gift"]}, {"tags": []}, {"tags": None}]) == [
        "yes", "no", "no", "no",
    ]  # fmt: skip


def test_a_tag_counts_once_and_others_are_none(tmp_path):
    line = learn(read(written(tmp_path / "t.tsv", ";"))).lines[0]
    column = pa.array(["vip; vip;", "gift|vip", "", None, f"sale{BETWEEN}vip", "nothing;new"])
    order = list(line.values)
    expected = np.zeros((6, 6))
    expected[0, order.index("vip")] = expected[4, order.index("sale")] = expected[4, order.index("vip")] = 1
    expected[3, 5] = expected[5, order.index("new")] = 1
    assert dense(line, column).tolist() == expected.tolist()
    assert line.unknown(column).tolist() == [1, 5]


@pytest.mark.parametrize("names", [NAMES[:2], NAMES[:3]])
def test_few_tags_are_parted_too(tmp_path, names):
    draw = np.random.default_rng(4)
    lists = [[name for name in names if draw.random() < 0.5] for _ in range(300)]
    rows = [f"{k / 7}\t{', '.join(tags)}\t{'yes' if names[0] in tags else 'no'}" for k, tags in enumerate(lists)]
    (tmp_path / "t.tsv").write_text("\n".join(["x\ttags\tlabel", *rows]) + "\n")
    for config in ({}, {"columns": {"tags": {"kind": "tags"}}}):
        line = rosenblatt.train(str(tmp_path / "t.tsv"), config=config).plan.lines[1]
        if config or len(names) > 2:  # of two names there are two lists that are names, and one of both
            assert (line.kind, line.values) == ("tags", tuple(sorted(names)))


def test_lists_of_one_name_each_are_tags_and_dates_in_lists_are_names(tmp_path):
    rows = [
        {"x": k / 7, "one": ["ab"[k % 2]], "day": [f"2024-01-{k % 28 + 1:02}"], "label": "yn"[k % 2]} for k in range(80)
    ]
    (tmp_path / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    model = rosenblatt.train(str(tmp_path / "t.jsonl"))
    assert [line.kind for line in model.plan.lines] == ["numeric", "tags", "tags"]
    assert model.plan.lines[1].values == ("a", "b")
    given = {"x": 1.0, "one": ["a", "b"], "day": ["2024-01-03"]}
    assert model.explain(given).values[1:3].tolist() == [1, 1]


@pytest.mark.parametrize("tags", [[1, 2], {"a": 1}, [["sale"]]])
@pytest.mark.parametrize("kind", ["tags", "category", "text"])
def test_lists_and_objects_where_names_are_read_are_one_line(tmp_path, tags, kind):
    rows = {
        "c": ["sale, gift", "gift", "sale", "new, gift, sale"] * 30,
        "label": ["y", "n"] * 60,
        "x": np.arange(120) / 7,
    }
    model = rosenblatt.train(rows, config={"columns": {"c": {"kind": kind}}})
    (tmp_path / "row.jsonl").write_text(json.dumps({"c": tags, "x": 1.0}) + "\n")
    with pytest.raises(DataError, match=r"row\.jsonl, row 1, column 'c': a list or an object of type .* Give that\."):
        model.predict(tmp_path / "row.jsonl")


def test_rare_tags_are_left_out_where_there_are_many(tmp_path):
    cells = [f"t{k % 30},u{k % 7}" for k in range(300)] + ["once,t1", "twice,u2", "twice,u3"]
    rows = "".join(f"{cell}\t{'yes' if 't1' in cell else 'no'}\n" for cell in cells)
    (tmp_path / "t.tsv").write_text("tags\tlabel\n" + rows)
    assert set(learn(read(str(tmp_path / "t.tsv"))).lines[0].values) == {f"t{k}" for k in range(30)} | {
        f"u{k}" for k in range(7)
    }


def test_the_same_bits_on_the_disk_and_from_the_file_of_the_model(tmp_path):
    path = written(tmp_path / "t.tsv", ";")
    inside, (outside, evidence) = rosenblatt.train(path), train_with_evidence(path, memory="25kB")
    assert evidence.disk
    assert inside.learner.weights.tolist() == outside.learner.weights.tolist()
    loaded = from_contents(*to_contents(inside))
    assert loaded.plan.to_dict() == inside.plan.to_dict()
    assert loaded.scores(path).tolist() == inside.scores(path).tolist()


def test_what_cannot_hold_tags_says_so(tmp_path):
    model = rosenblatt.train(written(tmp_path / "t.tsv", ";"))
    for export in (lambda: to_sql(model), lambda: to_onnx(model)):
        with pytest.raises(SettingError, match="'tags' is lists of 5 tags"):
            export()
    with pytest.raises(SettingError, match="lists of tags"):
        rosenblatt.train(str(tmp_path / "t.tsv"), model="naive-bayes")


def test_a_config_says_that_a_column_is_tags_and_that_none_is(tmp_path):
    path = written(tmp_path / "t.tsv", ";")
    model = rosenblatt.train(path, config={"columns": {"tags": {"kind": "category"}}})
    assert model.plan.lines[0].kind == "category"
    (tmp_path / "few.csv").write_text(
        "x,kind,label\n" + "".join(f"{k / 7},{'ab'[k % 2]},{'yn'[k % 2]}\n" for k in range(60))
    )
    asked = {"columns": {"kind": {"kind": "tags"}}}
    assert rosenblatt.train(str(tmp_path / "few.csv"), config=asked).plan.lines[1].values == ("a", "b")


def test_lists_of_other_things_stay_left_out(tmp_path):
    rows = [{"x": k / 7, "at": [{"a": k}], "label": "yn"[k % 2]} for k in range(40)]
    (tmp_path / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert rosenblatt.train(str(tmp_path / "t.jsonl")).plan.lines[1].kind == "dropped"
    with pytest.raises((DataError, SettingError)):
        rosenblatt.train(str(tmp_path / "t.jsonl"), config={"columns": {"at": {"kind": "tags"}}})
