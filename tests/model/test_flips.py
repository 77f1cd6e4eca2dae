"""What turns a decision: the changed row is predicted otherwise, and by brute force no fewer changes do it."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pyarrow as pa
import pytest

import rosenblatt
from rosenblatt import train
from rosenblatt.errors import DataError, SettingError
from rosenblatt.features import Wishes
from rosenblatt.model import flips
from sample_models import linear_model

ROWS = 160
NAMES = {
    "colour": ["red", "green", "blue"], "size": ["tiny", "middling", "huge"], "shape": ["round", "flat", "long"],
    "taste": ["sweet", "sour"],
}  # fmt: skip


def names_table(classes: int) -> pa.Table:
    """Names of which each has some say in the label."""
    make = np.random.default_rng(3)
    columns = {name: make.choice(values, ROWS).tolist() for name, values in NAMES.items()}
    worth = {name: make.normal(size=(len(values), classes)) for name, values in NAMES.items()}
    scores = sum(worth[name][[NAMES[name].index(value) for value in values]] for name, values in columns.items())
    columns["label"] = [f"class {c}" for c in np.argmax(scores + make.normal(size=scores.shape) / 4, axis=1)]
    return pa.table(columns)


def fewest_by_hand(model, row: dict[str, str]) -> int:
    """How many values have to be others, by trying all rows."""
    before = model.predict(row)
    for count in range(1, len(row) + 1):
        tried = []
        for columns in combinations(row, count):
            others = ([value for value in NAMES[name] if value != row[name]] for name in columns)
            tried += [{**row, **dict(zip(columns, values, strict=True))} for values in product(*others)]
        if any(said != before[0] for said in model.predict(pa.Table.from_pylist(tried))):
            return count
    return 0


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("family", ["perceptron", "naive-bayes"])
def test_of_names_the_fewest_turn_the_decision(family, classes):
    table = names_table(classes)
    fixed = {"margin": 1.0, "passes": 8} if family == "perceptron" else {"k": 1.0}
    model = train(table, label="label", model=family, **fixed)
    sizes = set()
    for number in range(0, ROWS, 8):
        row = {name: table[name][number].as_py() for name in NAMES}
        found = model.flip(row)
        assert model.predict(found.row) == [found.becomes]
        assert found.becomes != found.predicted == model.predict(row)[0]
        assert found.exact
        assert len(found.changes) == fewest_by_hand(model, row)
        sizes.add(len(found.changes))
    assert len(sizes) > 1


WORDS = [f"{start}{end}" for start in ("ab", "cd", "ef", "gh") for end in ("ra", "le", "mi", "no", "tu")]


def texts() -> pa.Table:
    make = np.random.default_rng(5)
    worth = make.normal(size=len(WORDS))
    rows = [make.choice(len(WORDS), make.integers(4, 9), replace=False) for _ in range(300)]
    labels = ["good" if worth[row].sum() > 0 else "bad" for row in rows]
    return pa.table({"text": [" ".join(WORDS[j] for j in row) for row in rows], "label": labels})


@pytest.mark.parametrize(
    ("asked", "exact"),
    [
        ({"model": "perceptron", "config": {"text": {"weight": "presence"}, "features": {"unit": "none"}}}, True),
        ({"model": "naive-bayes", "counting": "presence"}, True),
        ({"model": "naive-bayes", "counting": "counts"}, True),
        ({"model": "perceptron", "config": {"text": {"weight": "tfidf"}}}, False),
        ({"model": "perceptron", "config": {"text": {"pairs": True}}}, False),
        ({"model": "perceptron", "weights": "voted", "passes": 2, "margin": 0.0}, False),
    ],
)
def test_of_words_the_fewest_turn_the_decision(asked, exact):
    table = texts()
    model = train(table, label="label", text=["text"], **asked)
    turned = 0
    for number in range(0, 300, 15):
        text = table["text"][number].as_py()
        words, before = text.split(), model.predict([text])[0]
        sets = [some for count in range(1, len(words) + 1) for some in combinations(words, count)]
        said = model.predict([" ".join(word for word in words if word not in some) for some in sets])
        by_hand = [len(some) for some, each in zip(sets, said, strict=True) if each != before]
        if not by_hand:
            with pytest.raises(SettingError, match="no word taken out and no known value"):
                model.flip([text])
            continue
        found = model.flip([text])
        assert model.predict(found.row) == [found.becomes]
        assert found.becomes != before
        assert len(found.changes) >= by_hand[0]
        if exact or found.exact:
            assert found.exact
            assert len(found.changes) == by_hand[0]
        turned += 1
    assert turned > 5


def test_among_fewer_words_those_that_are_left_weigh_more_and_it_is_still_the_fewest():
    table = texts()
    model, _ = linear_model(rosenblatt.data.read(table, "label"), Wishes(text=["text"]))
    assert (model.plan.unit, model.plan.lines[0].settings.weight) == ("text", "presence")
    sizes = []
    for number in range(0, 300, 6):
        text = table["text"][number].as_py()
        words, before = text.split(), model.predict([text])[0]
        sets = [some for count in range(1, len(words) + 1) for some in combinations(words, count)]
        said = model.predict([" ".join(word for word in words if word not in some) for some in sets])
        by_hand = next((len(some) for some, each in zip(sets, said, strict=True) if each != before), None)
        if by_hand is None:
            with pytest.raises(SettingError):
                model.flip([text])
        else:
            found = model.flip([text])
            assert found.exact
            assert len(found.changes) == by_hand
            sizes.append(by_hand)
    assert len(set(sizes)) > 1


@pytest.mark.parametrize(("family", "knots"), [("perceptron", 0), ("perceptron", 8), ("naive-bayes", None)])
def test_a_number_moves_to_its_nearest_crossing(family, knots):
    make = np.random.default_rng(7)
    X = make.normal(size=(300, 2)) * [10, 1]
    table = pa.table({"a": X[:, 0], "b": X[:, 1], "label": np.where(X[:, 0] / 10 + X[:, 1] > 0.3, "up", "down")})
    config = {} if knots is None else {"features": {"knots": knots}}
    model = train(table, label="label", model=family, config=config)
    for number in range(0, 300, 30):
        row = {"a": float(X[number, 0]), "b": float(X[number, 1])}
        found = model.flip(row)
        assert model.predict(found.row) == [found.becomes]
        assert found.becomes != found.predicted
        last = found.changes[-1]
        # What lies between the present number and the one that is named, but for the last fiftieth of all, is not yet
        # turned: the number is the nearest, and a short one.
        way = row[last.column] + (last.after - row[last.column]) * np.linspace(0, 1, 200)
        near = way[np.abs(way - last.after) > 0.02 * (last.high - last.low)]
        others = {each.column: each.after for each in found.changes[:-1]}
        some = [{**row, **others, last.column: float(value)} for value in near]
        assert not some or set(model.predict(pa.Table.from_pylist(some))) == {found.predicted}


@pytest.mark.parametrize("asked", [{"model": "perceptron", "margin": 1.0, "passes": 2}, {"model": "naive-bayes"}])
def test_long_texts_of_many_classes_are_turned_by_looking_at_few_rows(asked, monkeypatch):
    make, words = np.random.default_rng(0), np.array([f"word{i}" for i in range(400)])
    usual, truth = make.dirichlet(np.full(400, 0.3), 6), make.integers(0, 6, 200)
    rows = [" ".join(make.choice(words, 200, p=usual[c])) for c in truth]
    table = pa.table({"text": rows, "label": [f"class {c}" for c in truth]})
    model = train(table, label="label", text=["text"], **asked)
    looked, real = [], flips.joined
    monkeypatch.setattr(flips, "joined", lambda some: looked.append(len(some)) or real(some))
    for text in rows[:5]:
        looked.clear()
        found = model.flip([text])
        assert model.predict(found.row) == [found.becomes]
        assert found.becomes != found.predicted
        assert sum(looked) < flips.MOST_SETS + 12 * len(set(text.split()))


def test_a_threshold_is_the_line_that_is_crossed():
    table = names_table(2)
    model = train(table, label="label", model="perceptron", margin=1.0, passes=8).with_threshold(1.5)
    row = {name: table[name][0].as_py() for name in NAMES}
    found = model.flip(row)
    assert model.predict(found.row) == [found.becomes]
    assert [found.becomes] != model.predict(row)


def test_tags_and_missing_values_take_part():
    make = np.random.default_rng(9)
    tags, sizes = ["new", "hot", "old", "far"], ["tiny", "huge", None]
    lists = [[tag for tag in tags if make.random() < 0.5] or ["new"] for _ in range(200)]
    chosen = [sizes[k] for k in make.integers(0, 3, 200)]
    labels = [
        "yes" if ("hot" in each) + (size == "huge") - ("old" in each) > 0 else "no"
        for each, size in zip(lists, chosen, strict=True)
    ]
    table = pa.table({"tags": ["; ".join(each) for each in lists], "size": chosen, "label": labels})
    columns = {"columns": {"tags": {"kind": "tags"}}}
    model = train(table, label="label", model="perceptron", margin=1.0, passes=8, config=columns)
    for number in range(0, 200, 20):
        row = {"tags": table["tags"][number].as_py(), "size": table["size"][number].as_py()}
        found = model.flip(row)
        assert model.predict(found.row) == [found.becomes]
        assert [found.becomes] != model.predict(row)
        assert found.exact


def test_what_cannot_turn_is_said_in_one_line():
    table = texts()
    model = train(table, label="label", text=["text"], model="perceptron", margin=0.0, passes=4)
    with pytest.raises(SettingError, match="it has no word to take out and no value to change") as refused:
        model.flip(["unheard of"])
    assert "\n" not in str(refused.value)
    with pytest.raises(DataError, match="flip takes one row; got 2"):
        model.flip(["abra abra", "cdle"])
    with pytest.raises(SettingError, match="not even by all"):
        model.with_threshold(float("inf")).flip(["abra cdle"])
