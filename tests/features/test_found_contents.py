"""Faults found in use, mended: what the data is, for audit, checkpoints and cache, and which rows a model knows."""

from __future__ import annotations

import json
import os
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from rosenblatt import load, save, train
from rosenblatt.cli import commands
from rosenblatt.data import read
from rosenblatt.errors import DataError
from rosenblatt.features import Wishes
from rosenblatt.pipeline import train_with_evidence
from rosenblatt.pipeline.update import update
from rosenblatt.traces.replay import verify

FAST = {"model": "naive-bayes", "k": 1.0}


def command(*arguments):
    return CliRunner().invoke(commands, arguments, standalone_mode=False, catch_exceptions=False).output


def houses(count=80, seed=0):
    """A column of consecutive whole numbers, which looks like an id and is none."""
    size = np.random.default_rng(seed).permutation(count) + 50
    noise = np.random.default_rng(seed + 1).integers(0, 2, count)
    return {"size": size, "old": noise, "label": np.where(size > 50 + count // 2, "big", "small").tolist()}


def never_updated(model):
    """Numbers of the rows that the run visited and never updated on."""
    training = model.record.training
    visited = np.flatnonzero(training.part)
    return np.delete(visited, training.numbers)


def moved(rows, at):
    """The rows with one of them far away, on the side of its class."""
    away = 100_000 if rows["label"][at] == "big" else -100_000
    return {**rows, "size": rows["size"] + np.where(np.arange(len(rows["size"])) == at, away, 0)}


def recorded(rows):
    wishes = Wishes(numeric=["size"])
    return train(rows, model="perceptron", passes=2, margin=0.0, record=True, wishes=wishes)


def test_found_11_an_audit_finds_a_changed_row_that_was_never_updated_on():
    rows = houses()
    model = recorded(rows)
    verify(model, rows)
    for at in never_updated(model)[:5]:
        with pytest.raises(DataError, match="not the rows that the model was trained with"):
            verify(model, moved(rows, at))
        assert recorded(moved(rows, at)).card["fingerprint"] != model.card["fingerprint"]


def test_a_record_that_names_too_few_columns_certifies_nothing():
    """The encoded rows are compared too, whatever the file says of the columns that count."""
    from rosenblatt.features.contents import Contents

    rows = houses()
    model = recorded(rows)
    training = model.record.training
    table = read(moved(rows, never_updated(model)[0]))
    part = np.flatnonzero(training.part)
    few = Contents.under(table, ["old"]).take(part).fingerprint(model.classes.encode(table)[part])
    forged = replace(training, columns=("old",), fingerprint=few)
    with pytest.raises(DataError, match="not the rows that the model was trained with"):
        verify(replace(model, record=replace(model.record, training=forged)), table)


def test_found_11_check_refuses_the_changed_file(tmp_path):
    rows = houses()
    source, out = tmp_path / "houses.csv", str(tmp_path / "m.rosenblatt")

    def write(size):
        cells = zip(size, rows["old"], rows["label"], strict=True)
        source.write_text("size,old,label\n" + "".join(f"{a},{b},{c}\n" for a, b, c in cells))

    write(rows["size"])
    asked = ["--model", "perceptron", "--passes", "2", "--numeric", "size", "--record", "--out", out]
    command("train", str(source), *asked)
    assert "The model holds" in command("check", out, str(source))
    (at, *_) = never_updated(load(out))
    write(moved(rows, at)["size"])
    with pytest.raises(DataError, match="not the rows that the model was trained with"):
        command("check", out, str(source))


def test_found_11_a_checkpoint_is_of_the_columns_that_the_job_learns_from(tmp_path):
    rows = houses()
    settings = {"model": "perceptron", "passes": 2, "wishes": Wishes(numeric=["size"]), "checkpoint": tmp_path / "c"}
    train(rows, **settings)
    changed = {**rows, "size": rows["size"] + np.where(rows["size"] == rows["size"].max(), 100_000, 0)}
    with pytest.raises(DataError, match="data"):
        train(changed, resume=True, **settings)


def test_found_11_rows_that_differ_in_a_column_left_out_are_copies_in_split_and_card():
    """A column that the user drops tells the model nothing, so it does not keep two rows apart."""
    rng = np.random.default_rng(6)
    values = np.repeat(rng.normal(size=(100, 2)).round(4), 2, axis=0)
    rows = {"a": values[:, 0], "b": values[:, 1], "batch": rng.integers(0, 50, 200).astype(float) / 3}
    rows["label"] = np.where(values[:, 0] > 0, "x", "y").tolist()
    model = train(rows, wishes=Wishes(drop=["batch"]), **FAST)
    assert model.card["split"]["duplicates"] == 100
    changed = {**rows, "batch": rows["batch"] + 1}
    assert train(changed, wishes=Wishes(drop=["batch"]), **FAST).card["fingerprint"] == model.card["fingerprint"]


def write_rows(path, seed):
    x = np.random.default_rng(seed).normal(size=(3000, 4))
    lines = [f"{','.join(f'{v:+.3f}' for v in row)},{int((row[0] > row[1]) == (seed == 0))}\n" for row in x]
    path.write_text("a,b,c,d,label\n" + "".join(lines))
    return path


@pytest.mark.parametrize("how", ["renamed over", "written into"])
def test_found_08_a_file_replaced_with_the_same_size_and_time_is_read_again(how, tmp_path, monkeypatch):
    monkeypatch.setenv("ROSENBLATT_CACHE", str(tmp_path / "cache"))
    source, other = write_rows(tmp_path / "rows.csv", 0), write_rows(tmp_path / "other.csv", 1)
    model, evidence = train_with_evidence(str(source), memory="500kB", **FAST)
    assert evidence.disk
    first = model.card
    state = source.stat()
    assert state.st_size == other.stat().st_size
    if how == "written into":
        source.write_bytes(other.read_bytes())
    else:
        os.replace(other, source)
    os.utime(source, ns=(state.st_atime_ns, state.st_mtime_ns))
    again = train(str(source), memory="500kB", **FAST).card
    assert again["fingerprint"] != first["fingerprint"]
    assert again["fingerprint"] == train(read(source), **FAST).card["fingerprint"]


def test_found_08_a_file_of_a_folder_replaced_with_the_same_size_and_time_is_read_again(tmp_path, monkeypatch):
    monkeypatch.setenv("ROSENBLATT_CACHE", str(tmp_path / "cache"))
    for number in range(400):
        path = tmp_path / "mail" / ("ham" if number % 2 else "spam") / f"{number}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{'meeting' if number % 2 else 'winner!'} word{number % 7} " * 40)
    model, evidence = train_with_evidence(str(tmp_path / "mail"), memory="100kB", **FAST)
    assert evidence.disk
    first = model.card
    state = path.stat()
    path.write_text(path.read_text().replace("meeting", "Tuesday"))
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert train(str(tmp_path / "mail"), memory="100kB", **FAST).card["fingerprint"] != first["fingerprint"]


def evaluated(model, rows):
    found = model.evaluate(rows)
    return found.training_rows, found.training_rows_exact


def test_found_23_evaluate_names_how_many_rows_the_model_was_trained_on(tmp_path):
    out = str(tmp_path / "iris.rosenblatt")
    command("train", "iris", "--out", out)
    model = load(out)
    learned = model.card["split"]["train"] + model.card["split"]["validation"]
    assert evaluated(model, "iris") == (learned, True)
    assert model.evaluate("iris").fresh.n == 150 - learned
    shown = command("evaluate", out, "iris")
    assert f"{learned} of these rows are training rows" in " ".join(shown.split())
    plain = json.loads(command("evaluate", out, "iris", "--json"))
    assert (plain["training_rows"], plain["training_rows_exact"]) == (learned, True)
    fresh = read("iris").columns.to_pydict()
    fresh = {name: np.array(column) + 0.001 for name, column in fresh.items()}
    assert evaluated(model, read(fresh, read("iris").labels.to_pylist())) == (0, True)


@pytest.mark.parametrize("source", ["mail", "digits", "wine"])
def test_found_23_rows_are_known_again_whatever_their_columns_hold(source, tmp_path):
    model = train(source, **FAST) if source == "digits" else train(source)
    save(model, tmp_path / "m.rosenblatt")
    split = model.card["split"]
    assert evaluated(load(tmp_path / "m.rosenblatt"), source) == (split["train"] + split["validation"], True)


def test_found_23_known_rows_are_known_in_another_order_format_and_column_order(tmp_path):
    rng = np.random.default_rng(8)
    rows = [{"a": round(float(v), 3), "kind": str(k), "label": "x" if v > 0 else "y"}
            for v, k in zip(rng.normal(size=90), rng.choice(["red", "blue", "green"], 90), strict=True)]  # fmt: skip
    model = train(rows, **FAST)
    (tmp_path / "rows.csv").write_text(
        "label,kind,extra,a\n" + "".join(f"{r['label']},{r['kind']},0,{r['a']}\n" for r in reversed(rows))
    )
    assert evaluated(model, tmp_path / "rows.csv")[0] == evaluated(model, rows)[0] == 72


def test_found_23_what_an_update_learned_is_known_too():
    table = read("iris")
    some, others = table.take(np.arange(0, 150, 2)), table.take(np.arange(1, 150, 2))
    model = train(some, **FAST)
    before = evaluated(model, others)[0]
    assert before <= 3  # copies
    assert evaluated(update(model, others), others) == (75, True)


def test_found_23_of_very_many_training_rows_a_sample_is_kept(tmp_path):
    rng = np.random.default_rng(9)
    values = rng.normal(size=(30_000, 2))
    rows = {"a": values[:, 0], "b": values[:, 1], "label": np.where(values[:, 0] > 0, "x", "y").tolist()}
    model = train(rows, **FAST)
    save(model, tmp_path / "m.rosenblatt")
    assert (tmp_path / "m.rosenblatt").stat().st_size < 100_000
    again = load(tmp_path / "m.rosenblatt")
    count, exact = evaluated(again, rows)
    assert not exact
    assert abs(count - 24_000) < 600
    assert evaluated(again, {**rows, "a": rows["a"] + 1e-9})[0] == 0
