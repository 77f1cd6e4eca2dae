"""Rare names share a feature, names that tell rows apart are left out; predictions and queries agree with the plan."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import rosenblatt
from exported import in_duckdb, rows_in_onnxruntime, same_scores, scores_in
from rosenblatt.data import read
from rosenblatt.features import Wishes, learn
from rosenblatt.features.category import FEW_NAMES, RARE, Category
from rosenblatt.features.unseen import Unseen
from rosenblatt.store.contents import from_contents, to_contents
from sample_models import table_of


def cities(often=25, rare=12, each=6):
    names = [f"city {k:02}" for k in range(often)] * each + [f"village {k}" for k in range(rare)]
    return names + [None] * 5


def table():
    names = cities()
    sizes = np.random.default_rng(2).normal(size=len(names)).round(3)
    label = [
        "yes" if (name or "").startswith("village") or x > 1 else "no" for name, x in zip(names, sizes, strict=True)
    ]
    return {"city": names, "x": sizes.tolist(), "label": label}


def test_of_many_names_the_rare_ones_share_a_feature():
    line = learn(read(table())).lines[0]
    assert isinstance(line, Category)
    assert line.values == tuple(f"city {k:02}" for k in range(25))
    assert line.other
    assert line.names()[-2:] == ["city=(other)", "city=(missing)"]
    assert line.width == 27
    column = pa.chunked_array([pa.array(["city 03", "village 2", "nowhere", None])])
    block = line.encode(column, read({"x": [1.0] * 4}, labelled=False).origin)
    assert block.columns.tolist() == [3, 25, 25, 26]


@pytest.mark.parametrize(
    ("names", "shared"),
    [
        ([f"n{k}" for k in range(FEW_NAMES)], False),  # few names
        ([f"n{k}" for k in range(30)] * RARE, False),  # none is rare
        ([f"n{k}" for k in range(30)] * RARE + ["lone"], False),  # it would share with none
        ([f"n{k}" for k in range(30)] * RARE + ["lone", "other"], True),
    ],
)
def test_where_they_are_few_or_often_enough_each_keeps_its_own(names, shared):
    rows = {
        "name": names,
        "x": np.arange(len(names)) / 7,
        "label": ["a", "b"] * (len(names) // 2) + ["a"] * (len(names) % 2),
    }
    line = learn(read(rows), Wishes(category=["name"])).lines[0]
    assert line.other is shared
    assert len(line.values) == len(set(names)) - 2 * shared
    whole = learn(read(rows), Wishes(category=["name"], share=False)).lines[0]
    assert (whole.other, len(whole.values)) == (False, len(set(names)))


def test_blocks_do_not_change_what_is_rare(tmp_path):
    rows = table()
    lines = [",".join("" if v is None else str(v) for v in row) for row in zip(*rows.values(), strict=True)]
    (tmp_path / "t.csv").write_text("\n".join([",".join(rows), *lines]) + "\n")
    inside, outside = (rosenblatt.train(str(tmp_path / "t.csv"), memory=memory) for memory in (None, "17kB"))
    assert inside.plan.to_dict() == outside.plan.to_dict()
    assert inside.plan.lines[0].other


def test_the_query_and_onnx_agree():
    model = rosenblatt.train(table_of(table()), model="perceptron")
    rows = {"city": ["city 03", "village 2", "nowhere", None, "city 24"], "x": [0.5, -1.0, 2.0, 0.0, None]}
    expected = model.scores(pa.table(rows))
    assert len(set(np.round(expected, 9))) == 5
    same_scores(scores_in(in_duckdb(model, pa.table(rows)), model), expected)
    same_scores(np.ravel(rows_in_onnxruntime(model, pa.table(rows))[0]), expected)
    loaded = from_contents(*to_contents(model))
    assert loaded.scores(pa.table(rows)).tolist() == expected.tolist()


def test_predict_counts_them():
    model = rosenblatt.train(table_of(table()), model="perceptron")
    unseen = Unseen(model.plan)
    unseen.completed(
        model.table([{"city": "village 2", "x": 0.0}, {"city": "city 01", "x": 0.0}, {"city": "Rome", "x": 0}])
    )
    assert unseen.to_dict()["unseen"] == {"city": {"rows": 2, "row": 1, "value": "village 2"}}
    assert "fewer than 3 rows of training had" in unseen.notes()[0]


def test_a_plan_of_an_older_model_shares_nothing():
    plain = learn(read(table()), Wishes(share=False)).lines[0].to_dict()
    del plain["other"]
    assert Category.from_dict(plain).other is False


@pytest.mark.parametrize(
    ("names", "dropped"),
    [
        ([f"A/5 {2000 + 7 * k}" for k in range(90)] + ["A/5 2007", "A/5 2014"] * 5, True),  # tickets
        ([f"PC{k}" for k in range(80)] + ["PC1"] * 20, True),
        ([f"Person {k}" for k in range(100)], True),  # all of them, with a space
        ([f"PC{k}" for k in range(60)] + [f"PC{k}" for k in range(40)], False),  # two in five occur again
        ([f"name{k}" for k in range(18)] + ["name1"] * 2, False),  # too few rows to tell
        ([f"Anna{k:c} Smith{97 + k % 26:c}" for k in range(97, 177)] + ["Anna Berg"] * 20, False),  # people: words
    ],
)
def test_names_that_nearly_all_differ_are_left_out(names, dropped):
    rows = {"name": names, "x": np.arange(len(names)) / 7, "label": ["a", "b"] * (len(names) // 2)}
    line = learn(read(rows)).lines[0]
    assert (line.kind == "dropped") is dropped
    if dropped:
        assert line.reason == f"nearly an id: {len(set(names))} different names in {len(names)} rows"
        assert learn(read(rows), Wishes(category=["name"])).lines[0].kind == "category"
