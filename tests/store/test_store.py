"""The model file: loaded as it was saved to the bit; damaged, it is refused; a failed write changes nothing."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import save as pack

from rosenblatt import NaiveBayes, Perceptron, load, save, train
from rosenblatt.data import read
from rosenblatt.errors import DataError, SettingError
from rosenblatt.features import TextSettings, Wishes
from rosenblatt.store import checksum, to_bytes
from rosenblatt.store.contents import from_contents, to_contents
from rosenblatt.store.packing import packed

GOLDEN = Path(__file__).parents[1] / "golden"
TFIDF = Wishes(words=TextSettings(weight="tfidf", pairs=True))
KINDS = {
    "two classes": ("mail", {"model": "perceptron"}),
    "ten classes": ("digits", {"model": "perceptron", "passes": 3}),
    "numbers": ("wine", {"model": "perceptron"}),
    "ordered": ("apples", {"model": "perceptron"}),
    "rarity": ("mail", {"model": "perceptron", "wishes": TFIDF}),
    "votes for two": ("breast-cancer", {"weights": "voted", "model": "perceptron", "passes": 2}),
    "votes for three": ("wine", {"weights": "voted", "model": "perceptron", "bias": False, "passes": 2}),
    "votes on text": ("mail", {"weights": "voted", "model": "perceptron", "ties": "positive", "passes": 2}),
    "counts": ("mail", {"model": "naive-bayes"}),
    "presence": ("digits", {"model": "naive-bayes"}),
    "columns": ("wine", {"model": "naive-bayes"}),
    "uniform": ("wine", {"model": "naive-bayes", "k": float("inf")}),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_loaded_model_is_the_saved_one_to_the_bit(kind, tmp_path):
    source, settings = KINDS[kind]
    model, path = train(source, **settings), tmp_path / "one.rosenblatt"
    save(model, path)
    again = load(path)
    table = read(source)
    assert model.scores(table).tobytes() == again.scores(table).tobytes()
    assert model.predict(table) == again.predict(table)
    assert again.plan.names == model.plan.names
    assert json.dumps(again.card) == json.dumps(model.card)
    assert to_bytes(again) == path.read_bytes()


@pytest.fixture(scope="module")
def small():
    return train("apples", model="perceptron")


@pytest.mark.parametrize(("given", "hint"), [(Perceptron(), True), (NaiveBayes(), True), (3, False), ("a", False)])
def test_what_is_no_model_is_refused_and_nothing_written(given, hint, tmp_path):
    if hint:
        given.fit([[0, 1], [1, 0]], ["a", "b"])
    kind = type(given).__name__
    with pytest.raises(SettingError, match=f"model that train returned; got a value of type {kind}") as error:
        save(given, tmp_path / "one.rosenblatt")
    assert ("joblib" in str(error.value)) is hint
    assert not list(tmp_path.iterdir())


def test_a_failed_write_leaves_the_old_file_and_no_other(small, tmp_path, monkeypatch):
    path = tmp_path / "one.rosenblatt"
    save(small, path)
    before = path.read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    for name in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, full)
            with pytest.raises(DataError, match=r"cannot be written \(No space left"):
                save(train("wine", model="perceptron", passes=1), path)
        assert path.read_bytes() == before
        assert [each.name for each in tmp_path.iterdir()] == ["one.rosenblatt"]


def test_the_file_is_on_the_disk_before_it_gets_its_name(small, tmp_path, monkeypatch):
    calls = []
    fsync, rename = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda handle: (calls.append("fsync"), fsync(handle)))
    monkeypatch.setattr(os, "replace", lambda a, b: (calls.append("rename"), rename(a, b)))
    save(small, tmp_path / "one.rosenblatt")
    assert calls == ["fsync", "rename", "fsync"]


@given(st.data())
def test_a_flipped_bit_is_noticed(small, tmp_path_factory, data):
    content = bytearray(to_bytes(small))
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] ^= 1 << data.draw(st.integers(0, 7))
    path = tmp_path_factory.mktemp("flip") / "one.rosenblatt"
    path.write_bytes(content)
    with pytest.raises(DataError) as error:
        load(path)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


@given(st.integers(0, 3000))
def test_a_file_that_was_cut_is_refused(small, tmp_path_factory, length):
    content = to_bytes(small)
    path = tmp_path_factory.mktemp("cut") / "one.rosenblatt"
    path.write_bytes(content[: min(length, len(content) - 1)])
    with pytest.raises(DataError, match="not a model file"):
        load(path)


def changed(model, change):
    """The bytes of a file whose checksum is right and whose content was changed."""
    plain, tensors = to_contents(model)
    plain = json.loads(json.dumps(plain))
    change(plain, tensors)
    text = json.dumps(plain)
    return pack(tensors, {"rosenblatt": f"{checksum(text, tensors)}\n{text}"})


def _set(path, value):
    def change(plain, tensors):
        for key in path[:-1]:
            plain = plain[key]
        plain[path[-1]] = value

    return change


def _tensor(name, array):
    return lambda plain, tensors: tensors.__setitem__(name, array)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_set(["format"], 99), "has format 99, and this version of rosenblatt reads formats up to "),
        (_set(["format"], None), "names no format"),
        (_set(["extra"], 1), "unknown or missing parts: extra"),
        (_set(["classes", "names"], ["tasty", "tasty"]), "not two or more different names"),
        (_set(["learner", "kind"], "forest"), "unknown kind 'forest'"),
        (_set(["learner", "ties"], "random"), "unknown rule for ties"),
        (_set(["learner", "threshold"], "high"), "threshold must be a finite number"),
        (_set(["card"], []), "the card must be a table of names and values; got a value of type list"),
        (_set(["plan", "version"], 9), "version 9"),
        (_set(["plan", "lines", 0, "kind"], "magic"), "unknown kind 'magic'"),
        (_set(["plan", "lines", 0, "values"], ["A", "A"]), "holds impossible values"),
        (_set(["plan", "lines", 0, "column"], "size"), "two lines for one column"),
        (_set(["plan", "lines"], 5), "the plan is damaged"),
        (_tensor("weights", np.zeros(3)), r"shape \(5,\); got \(3,\)"),
        (_tensor("weights", np.full(5, np.nan)), "must be finite"),
        (_tensor("weights", np.zeros(5, np.int64)), "must be finite"),
        (_tensor("more", np.zeros(5)), "an array that nothing uses, 'more'"),
    ],
)
def test_what_does_not_fit_is_refused_although_the_checksum_does(small, tmp_path, change, message):
    path = tmp_path / "one.rosenblatt"
    path.write_bytes(changed(small, change))
    with pytest.raises(DataError, match=message) as error:
        load(path)
    assert str(error.value).startswith(str(path))


WORDS = {  # for n words
    "no utf-8": lambda n: (b"a\xff" * n, np.full(n, 2, np.uint8)),
    "too long": lambda n: (b"ab" * n, np.full(n, 3, np.uint8)),
    "no whole numbers": lambda n: (b"ab" * n, np.full(n, 2.0)),
    "backwards": lambda n: (b"ab" * n, np.array([2**64 - 2, 2 * n + 2, *[0] * (n - 2)], np.uint64)),
    "half characters": lambda n: ("äb".encode() * n, np.array([1, *[3] * (n - 2), 5], np.uint8)),
    "repeated": lambda n: (b"ab" * n, np.full(n, 2, np.uint8)),
}


@pytest.mark.parametrize("wrong", WORDS)
def test_words_that_do_not_fit_are_refused(wrong, tmp_path):
    plain, tensors = to_contents(train("mail", model="perceptron"))
    data, lengths = WORDS[wrong](len(tensors["plan.lines.0.words.lengths"]))
    tensors |= {"plan.lines.0.words.bytes": np.frombuffer(data, np.uint8), "plan.lines.0.words.lengths": lengths}
    path = tmp_path / "one.rosenblatt"
    path.write_bytes(packed(plain, tensors))
    with pytest.raises(DataError, match=r"not a model file|do not fit together|impossible values") as error:
        load(path)
    assert str(error.value).startswith(str(path))


@pytest.mark.parametrize("wrong", ["cells", "negative", "binary"])
def test_counts_that_do_not_fit_are_refused(wrong):
    plain, tensors = to_contents(train("digits", model="naive-bayes"))
    if wrong == "cells":
        tensors["counts.cells"] = tensors["counts.cells"][1:]
    elif wrong == "negative":
        tensors["counts.rows"] = -tensors["counts.rows"].astype(np.int64)
    else:
        tensors["schema.binary"] = tensors["schema.binary"] + 1  # would read beyond the end
    with pytest.raises(DataError, match="counts do not fit"):
        from_contents(plain, tensors)


@pytest.mark.parametrize("content", [b"", b"PAR1", b"a,b\n1,2\n", b"\xff" * 200, b"{" * 5000])
def test_other_files_are_no_models(content, tmp_path):
    path = tmp_path / "one.rosenblatt"
    path.write_bytes(content)
    with pytest.raises(DataError, match="not a model file"):
        load(path)


def test_other_safetensors_files_are_no_models(tmp_path):
    path = tmp_path / "one.rosenblatt"
    path.write_bytes(pack({"weights": np.zeros(3)}))
    with pytest.raises(DataError, match="something else"):
        load(path)


@pytest.mark.parametrize("name", ["perceptron", "naive-bayes"])
def test_files_of_format_1_still_load(name):
    """The files were written when format 1 was new; the answers beside them too."""
    known = json.loads((GOLDEN / "format-1.json").read_text())[name]
    model = load(GOLDEN / f"format-1-{name}.rosenblatt")
    table = read("mail")
    assert model.predict(table) == known["predictions"]
    assert model.scores(table).tolist() == pytest.approx(known["scores"], rel=1e-12)
    assert model.card["format"] == 1


def test_models_of_text_are_rounded_before_the_test_is_opened(tmp_path, monkeypatch):
    from rosenblatt.pipeline.families import perceptron

    monkeypatch.setattr(perceptron, "EXACT_WEIGHTS", 100)
    model = train("mail", model="perceptron", weights="averaged", wishes=TFIDF)
    assert np.array_equal(model.learner.weights.astype(np.float32), model.learner.weights)
    _, tensors = to_contents(model)
    assert tensors["weights"].dtype == np.float32
    monkeypatch.setattr(perceptron, "EXACT_WEIGHTS", 10**9)
    exact = train("mail", model="perceptron", weights="averaged", wishes=TFIDF)
    assert not np.array_equal(exact.learner.weights.astype(np.float32), exact.learner.weights)
