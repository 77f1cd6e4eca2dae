"""Rules with steps of their own in `train`: saved, recorded, updated, out of core, and refused where they must be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rosenblatt import Perceptron, load, save, train
from rosenblatt.data import read, spooled
from rosenblatt.errors import DataError, SettingError
from rosenblatt.estimators import estimator
from rosenblatt.pipeline import train_with_evidence
from rosenblatt.pipeline.update import update
from rosenblatt.store import to_bytes
from rosenblatt.traces.replay import Replay, verify
from rosenblatt.traces.updates import trace_updates

OWN = ("pa1", "pa2", "arow")
WORDS = ["good", "fine", "great", "bad", "poor", "awful", "film", "plot", "actor", "scene", "music", "story"]


@pytest.fixture(scope="module")
def messages(tmp_path_factory):
    """A file of short texts with two classes, in which six words tell."""
    draw = np.random.default_rng(5)
    path = tmp_path_factory.mktemp("rules") / "texts.csv"
    lines = ["label,text"]
    for number in range(600):
        chosen = draw.choice(WORDS, 6)
        score = sum((word in WORDS[:3]) - (word in WORDS[3:6]) for word in chosen) + 0.6 * draw.normal()
        lines.append(f"{'good' if score > 0 else 'bad'},{' '.join(chosen)} {number % 37}")
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    draw = np.random.default_rng(6)
    X = draw.normal(size=(400, 4))
    y = (X @ draw.normal(size=(4, 3))).argmax(axis=1)
    path = tmp_path_factory.mktemp("rules") / "table.csv"
    rows = [",".join([f"{value:.15f}" for value in row] + [f"k{c}"]) for row, c in zip(X, y, strict=True)]
    path.write_text("a,b,c,d,label\n" + "\n".join(rows) + "\n")
    return path


@pytest.mark.parametrize("rule", OWN)
def test_a_rule_is_asked_for_in_a_config_and_kept_in_the_card(rule, table, tmp_path):
    model = train(table, model="perceptron", config={"search": {"rule": rule}, "features": {"units": 0}}, passes=2)
    choice = model.card["choice"]
    assert (choice["rule"], choice["weights"]) == (rule, "final" if rule == "arow" else "averaged")
    assert choice["C"] in (0.05, 0.5, 5.0)
    assert choice["name"].startswith(f"{rule}, C ")
    assert model.card["test"]["accuracy"] > 0.85
    save(model, tmp_path / "model.rosenblatt")
    again = load(tmp_path / "model.rosenblatt")
    assert again.predict(table) == model.predict(table)
    assert np.array_equal(again.scores(table), model.scores(table))
    parts = again.explain(read(table).take([0]))
    assert (parts.contributions.sum(axis=1) + parts.bias).tolist() == pytest.approx(parts.scores.tolist())
    assert estimator(model).get_params()["rule"] == rule


@pytest.mark.parametrize("rule", OWN)
def test_a_model_learns_more_by_its_own_rule(rule, table, tmp_path):
    model = train(table, model="perceptron", rule=rule, C=0.5, passes=1)
    save(model, tmp_path / "model.rosenblatt")
    more = update(load(tmp_path / "model.rosenblatt"), read(table), passes=1)
    weights = more.learner.weights
    assert not np.array_equal(weights, model.learner.weights)
    problem_rows = np.asarray(model.plan.encode(read(table)).rows.values)
    codes = model.classes.encode(read(table))
    wanted = Perceptron(rule=rule, C=0.5, weights="final", max_iter=1, tol=None, random_state=0)
    if rule == "arow":
        assert (more.learner.variances <= model.learner.variances).all()
        assert (more.learner.variances < model.learner.variances).any()
    else:
        old = model.learner.weights
        wanted.fit(problem_rows, codes, coef_init=old[:, :-1], intercept_init=old[:, -1])
        assert np.array_equal(np.column_stack([wanted.coef_, wanted.intercept_]), weights)


@pytest.mark.parametrize("rule", ["pa1", "pa2"])
def test_a_record_of_amounts_is_kept_replayed_and_checked(rule, table, tmp_path):
    model = train(table, model="perceptron", rule=rule, C=0.5, passes=3, record=True)
    save(model, tmp_path / "model.rosenblatt")
    again = load(tmp_path / "model.rosenblatt")
    verify(again, table)
    row = read(table).take([7])
    behind = again.behind(row, "k1", count=1000)
    assert sum(part.part for part in behind) == pytest.approx(again.scores(row)[0, 1])
    with pytest.raises(SettingError, match="a trace shows the rule of the notes"):
        trace_updates(again)


@pytest.mark.parametrize("weights", ["final", "averaged"])
@pytest.mark.parametrize("source", ["messages", "table"])
def test_a_record_of_arow_is_kept_replayed_and_checked(source, weights, request, tmp_path):
    """Row, amount and what the variances lose, in order, are all there is; but no row has a part of a score."""
    path = request.getfixturevalue(source)
    model = train(path, model="perceptron", rule="arow", C=0.5, weights=weights, passes=3, record=True)
    save(model, tmp_path / "model.rosenblatt")
    again = load(tmp_path / "model.rosenblatt")
    assert to_bytes(again) == to_bytes(model)
    verify(again, path)
    verify(model, path)
    alone = Replay(again)
    assert np.array_equal(alone.run.weights_of(weights), model.learner.weights)
    assert np.array_equal(alone.run.kept.astype(np.float32), model.learner.variances)
    assert np.array_equal(alone.weights_after(alone.run.steps), Replay(again, path).run.weights_of("final"))
    for what in (
        lambda: again.behind(read(path).take([7]), "k1" if source == "table" else "good"),
        again.record.weights,
    ):
        with pytest.raises(SettingError, match="no multiples of training rows, so that no row has a part of a score"):
            what()
    training = again.record.training
    for field in ("amounts", "shrinks"):
        values = getattr(training.recording, field).copy()
        values[-1] *= 1.5
        other = replace(training, recording=training.recording._replace(**{field: values}))
        with pytest.raises(DataError, match="amounts of the updates are not those that the rule gives"):
            verify(replace(again, record=replace(again.record, training=other)), path)
    variances = again.learner.variances / 2
    with pytest.raises(DataError, match="the variances beside the weights"):
        verify(replace(again, learner=replace(again.learner, variances=variances)), path)


@pytest.mark.parametrize("rule", OWN)
def test_out_of_core_has_the_same_bits(rule, messages, table, tmp_path, monkeypatch):
    monkeypatch.setenv("ROSENBLATT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(spooled, "BLOCK", 1 << 12)
    for path, memory in ((messages, "61kB"), (table, "41kB")):
        own = {"model": "perceptron", "rule": rule, "C": 0.5, "passes": 2}
        here, _ = train_with_evidence(str(path), **own)
        there, evidence = train_with_evidence(str(path), memory=memory, **own)
        assert evidence.disk is not None
        assert to_bytes(here) == to_bytes(there)


def test_over_words_arow_is_tried_beside_the_perceptron_and_elsewhere_not(messages, table):
    _, evidence = train_with_evidence(str(messages), model="perceptron")
    names = [trial.name for trial in evidence.trials]
    assert any(name.startswith("arow") for name in names)
    assert any("perceptron" in name for name in names)
    for source, more in ((table, {}), (messages, {"record": True}), (messages, {"margin": 1.0})):
        _, evidence = train_with_evidence(str(source), model="perceptron", **more)
        assert not any(trial.name.startswith(OWN) for trial in evidence.trials)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"rule": "pa3"}, "rule must be one of perceptron, pa1, pa2, arow; got 'pa3'"),
        ({"C": 1.0}, "C is a setting of rules pa1, pa2, arow; got C 1.0"),
        ({"rule": "pa1", "margin": 2.0}, "rule='pa1' has a margin and a step of its own, so margin must be 0"),
        ({"rule": "pa2", "ties": "positive"}, "so ties must be 'mistake'"),
        ({"rule": "arow", "weights": "voted"}, "adds no multiples of rows"),
        ({"rule": "pa1", "C": -1.0}, "C must be above 0"),
        ({"rule": "pa1", "model": "naive-bayes"}, "rule is a setting of model perceptron"),
    ],
)
def test_what_does_not_go_together_is_one_line(settings, said, table):
    with pytest.raises(SettingError, match=said):
        train(table, **settings)


def test_variances_of_a_file_must_be_variances(table, tmp_path):
    from rosenblatt.store.packing import packed, plain_values, unpacked

    model = train(table, model="perceptron", rule="arow", C=0.5, passes=1)
    save(model, tmp_path / "model.rosenblatt")
    _, text, tensors = unpacked(tmp_path / "model.rosenblatt", DataError)
    changed = {**tensors, "variances": -tensors["variances"]}
    (tmp_path / "model.rosenblatt").write_bytes(packed(plain_values(text), changed))
    with pytest.raises(DataError, match="variances must be above 0, at most 1"):
        load(tmp_path / "model.rosenblatt")
