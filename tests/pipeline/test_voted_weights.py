"""Voted weights as a setting of the search: the votes are those of the estimator, and a file keeps what votes."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from rosenblatt import Perceptron, cli, load, plot_weights, save, train
from rosenblatt.cli.export import exported
from rosenblatt.data import read
from rosenblatt.errors import DataError, SettingError
from rosenblatt.estimators.from_model import estimator
from rosenblatt.loops.rows import Sparse, Words
from rosenblatt.model import Voted, voted
from rosenblatt.pipeline import train_with_evidence
from rosenblatt.pipeline.update import update
from rosenblatt.reference import perceptron as plain_rule
from rosenblatt.report.html import page
from rosenblatt.store import to_bytes
from rosenblatt.store.contents import format_of, from_contents, to_contents
from rosenblatt.store.export_json import to_json
from rosenblatt.store.export_onnx import to_onnx
from rosenblatt.store.export_sql import to_sql
from rosenblatt.store.packing import packed


def thirds(name):
    table = read(name)
    order = np.random.default_rng(0).permutation(table.n_rows)
    return [table.take(np.sort(rows)) for rows in np.array_split(order, 3)]


STRAIGHT = {"features": {"knots": 0}}


def encoded(model, table):
    return np.asarray(model.plan.encode(table).rows.values), model.classes.encode(table)


@pytest.fixture(scope="module")
def small():
    return train("iris", model="perceptron", weights="voted", passes=2, margin=0.0, config=STRAIGHT)


@pytest.mark.parametrize("name", ["breast-cancer", "wine"])
@pytest.mark.parametrize("choice", [{}, {"ties": "positive", "bias": False}])
def test_the_votes_are_those_of_the_estimator_to_the_bit(name, choice):
    rows, judges, test = thirds(name)
    config = {"search": {"model": "perceptron", "weights": "voted", "passes": 3, **choice}, **STRAIGHT}
    model, evidence = train_with_evidence(rows, validation=judges, test=test, config=config, curves=True)
    assert re.match("voted perceptron", model.card["choice"]["name"])
    same = {"ties": choice.get("ties", "mistake"), "fit_intercept": choice.get("bias", True)}
    fitted = Perceptron(
        weights="voted", margin=model.card["choice"]["threshold"], max_iter=3, tol=None, random_state=0, **same
    ).fit(*encoded(model, rows))
    assert model.scores(test).tobytes() == fitted.decision_function(encoded(model, test)[0]).tobytes()
    assert model.codes(test).tolist() == fitted.predict(encoded(model, test)[0]).tolist()
    assert model.card["validation"]["accuracy"] == pytest.approx(fitted.score(*encoded(model, judges)))
    shares = fitted.score(*encoded(model, rows)), fitted.score(*encoded(model, judges))
    assert evidence.curve.points == [pytest.approx((3, *shares))]
    assert evidence.curve.losses == []
    assert "Accuracy for each pass" in page(model, evidence)


def test_the_votes_follow_from_the_updates_by_the_rule_of_the_reference():
    rows, judges, test = thirds("breast-cancer")
    model = train(rows, validation=judges, test=test, model="perceptron", weights="voted", passes=2, margin=0.0)
    chapter, (X, _) = model.learner.chapter, encoded(model, test)
    updates = chapter.rows.values[chapter.which] * np.where(chapter.gains == 1, 1.0, -1.0)[:, np.newaxis]
    signs = np.where(chapter.gains == 1, 1.0, -1.0)[:, np.newaxis]
    vectors = np.cumsum(np.vstack([np.zeros(X.shape[1] + 1), np.hstack([updates, signs])]), axis=0)
    history = [vector for vector, count in zip(vectors, chapter.survived, strict=True) for _ in range(count)]
    assert len(history) == 2 * rows.n_rows
    assert model.learner.size[0] == np.count_nonzero(chapter.survived)
    for x, code in list(zip(X, model.codes(test), strict=True))[:40]:
        assert (plain_rule.voted(history, [*x, 1.0]) > 0) == bool(code)


def test_votes_are_never_chosen_unasked():
    _, evidence = train_with_evidence("iris", model="perceptron", passes=2)
    assert not [trial.name for trial in evidence.trials if "voted" in trial.name]


def test_a_line_between_two_classes_is_drawn_on_the_share_of_votes_and_orders_differ():
    rows, judges, test = thirds("breast-cancer")
    config = {"goal": {"positive": "malignant", "max_false_positives": 0.0}, "search": {"seeds": 3}}
    model = train(rows, validation=judges, test=test, config=config, model="perceptron", weights="voted", passes=1)
    assert -1 < model.decision.threshold < 1
    assert model.card["goal"]["validation"]["false_positives"] == 0
    assert len(set(model.card["spread"]["accuracies"])) > 1


def test_the_command_trains_predicts_evaluates_and_inspects(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        done = CliRunner().invoke(cli.commands, list(arguments))
        assert done.exit_code == 0, done.output
        return done.output

    out = run("train", "iris", "--model", "perceptron", "--weights", "voted", "--passes", "2", "--report", "r.html")
    assert "voted perceptron" in out
    assert "What speaks for each class" not in (tmp_path / "r.html").read_text()
    model = load("iris.rosenblatt")
    voters, kept = model.learner.size
    shown = run("inspect", "iris.rosenblatt")
    assert f"votes    {voters} weight vectors, made of rows: CONTAINS {kept} TRAINING ROWS, as features" in shown
    assert "heaviest features" not in shown
    assert "format 5" in shown
    (tmp_path / "again.toml").write_text(run("inspect", "iris.rosenblatt", "--config"))
    assert 'weights = "voted"' in (tmp_path / "again.toml").read_text()
    written = (tmp_path / "iris.rosenblatt").read_bytes()
    run("train", "iris", "--config", "again.toml", "--quiet")
    assert (tmp_path / "iris.rosenblatt").read_bytes() == written
    assert json.loads(run("evaluate", "iris.rosenblatt", "iris", "--json"))["accuracy"] > 0.6
    assert len(run("predict", "iris.rosenblatt", "iris").splitlines()) == 151


def test_rows_on_the_disk_give_the_same_votes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    lines = [f"{a:.6f},{b:.6f},{'yes' if a > b else 'no'}" for a, b in rng.normal(size=(300, 2))]
    (tmp_path / "rows.csv").write_text("\n".join(["a,b,label", *lines, ""]))
    settings = {"model": "perceptron", "weights": "voted", "passes": 2}
    model, evidence = train_with_evidence("rows.csv", **settings, memory="31KB")
    assert evidence.disk is not None
    assert to_bytes(model) == to_bytes(train("rows.csv", **settings))


def test_a_model_that_does_not_vote_keeps_its_format():
    plain = {"split": {"calibration": "none"}}
    assert format_of(train("iris", model="perceptron", passes=1, config=plain)) == 3
    assert format_of(train("iris", model="perceptron", passes=1)) == 5  # it has probabilities


@pytest.mark.parametrize(
    ("use", "line"),
    [
        (to_sql, "SQL needs one set of weights, and this model votes with many. Train with weights averaged."),
        (lambda model: exported(model, None, "data"), "--strip: a kernel and voted weights are made of training rows"),
        (to_onnx, "ONNX needs one set of weights"),
        (to_json, "JSON needs one set of weights"),
        (estimator, "estimator needs one set of weights"),
        (plot_weights, "plot_weights needs one set of weights"),
        (lambda model: update(model, model.read("iris")), "update needs one set of weights"),
        (lambda model: model.explain(model.read("iris").take(np.array([0]))), "votes are no sum over features"),
        (lambda model: model.as_recorded(), "voted weights have no record to replay or to check"),
    ],
)
def test_what_votes_cannot_do_is_refused_in_one_line(small, use, line):
    with pytest.raises((SettingError, DataError), match=line) as error:
        use(small)
    assert "\n" not in str(error.value)


def test_checkpoints_and_votes_too_large_are_refused_in_one_line(tmp_path, monkeypatch):
    with pytest.raises(SettingError, match=r"weights='voted' cannot be kept. Use 'final' or 'averaged'"):
        train("iris", model="perceptron", weights="voted", checkpoint=tmp_path / "kept")
    monkeypatch.setattr(voted, "MOST_BYTES", 1_000)
    with pytest.raises(SettingError, match=r"^voted weights keep the rows .* Use weights averaged\.$"):
        train("iris", model="perceptron", weights="voted")


def test_rows_come_back_in_the_storage_that_they_were_learned_in(tmp_path):
    config = {"search": {"model": "perceptron", "weights": "voted", "passes": 1}, "text": {"weight": "presence"}}
    model = train("mail", config=config)
    rows = model.learner.chapter.rows
    assert isinstance(rows, Words)
    values = np.repeat(rows.scales, np.diff(rows.starts).astype(np.int64))
    sparse = Sparse(rows.starts, rows.columns, values, rows.n_columns, rows.bias)
    for stored in (rows, sparse):
        learner = replace(model.learner, chapter=replace(model.learner.chapter, rows=stored))
        save(replace(model, learner=learner), tmp_path / "one.rosenblatt")
        assert type(load(tmp_path / "one.rosenblatt").learner.chapter.rows) is type(stored)


def test_a_run_without_an_update_votes_with_its_start(small):
    chapter = small.learner.chapter
    none = replace(
        chapter,
        rows=chapter.rows._replace(values=chapter.rows.values[:0]),
        which=chapter.which[:0],
        gains=chapter.gains[:0],
        loses=chapter.loses[:0],
        factors=chapter.factors[:0],
        survived=np.array([7]),
    )
    again = from_contents(*to_contents(replace(small, learner=Voted(none, 3, "mistake"))))
    assert again.scores("iris")[0].tolist() == [1, 0, 0]


def tensor(name, change):
    return lambda plain, tensors: tensors.__setitem__(f"votes.{name}", change(tensors[f"votes.{name}"]))


def say(name, value):
    return lambda plain, tensors: plain["learner"].__setitem__(name, value)


HOSTILE = {
    "a row beyond the last": tensor("which", lambda a: np.full_like(a, 255)),
    "rows of fractions": tensor("which", lambda a: a.astype(np.float64)),
    "signed rows": tensor("which", lambda a: a.astype(np.int64) - 1),
    "a table of updates": tensor("which", lambda a: a.reshape(1, -1)),
    "fewer updates": tensor("which", lambda a: a[1:]),
    "a class beyond the last": tensor("labels", lambda a: a + 3),
    "fewer labels": tensor("labels", lambda a: a[1:]),
    "a punished class beyond the last": tensor("loses", lambda a: a + 3),
    "a row punished for its class": tensor("loses", np.zeros_like),
    "no votes": tensor("survived", np.zeros_like),
    "votes whose sum overflows": tensor("survived", lambda a: np.full(len(a), 2**53, np.uint64)),
    "votes against": tensor("survived", lambda a: -a.astype(np.int64)),
    "a vote less": tensor("survived", lambda a: a[1:]),
    "narrow rows": tensor("values", lambda a: a[:, 1:]),
    "flat rows": tensor("values", lambda a: a.ravel()),
    "rows of nothing": tensor("values", lambda a: np.full_like(a, np.nan)),
    "rows of text": tensor("values", lambda a: a.astype(np.int8)),
    "an array more": lambda plain, tensors: tensors.__setitem__("votes.more", np.zeros(3)),
    "an array less": lambda plain, tensors: tensors.pop("votes.survived"),
    "another storage": say("storage", "sparse"),
    "an unknown storage": say("storage", "forest"),
    "a list for a storage": say("storage", ["dense"]),
    "a bias in words": say("bias", "yes"),
    "more to say": say("more", 1),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_votes_that_cannot_be_are_refused_although_the_checksum_fits(small, case, tmp_path):
    plain, tensors = to_contents(small)
    HOSTILE[case](plain, tensors)
    path = tmp_path / "one.rosenblatt"
    path.write_bytes(packed(plain, tensors))
    with pytest.raises(DataError) as error:
        load(path)
    assert str(error.value).startswith(f"{path}: ")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", ["starts", "columns"])
def test_sparse_rows_that_lead_out_of_their_arrays_are_refused(name, tmp_path):
    plain, tensors = to_contents(train("mail", model="perceptron", weights="voted", passes=1, margin=0.0))
    tensors[f"votes.{name}"] = tensors[f"votes.{name}"] + tensors[f"votes.{name}"].dtype.type(10**6)
    path = tmp_path / "one.rosenblatt"
    path.write_bytes(packed(plain, tensors))
    with pytest.raises(DataError, match=r"one\.rosenblatt: "):
        load(path)
