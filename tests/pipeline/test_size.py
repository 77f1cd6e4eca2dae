"""`size`: files that are no larger than was asked for, by leaving out the features that matter least."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from exported import in_duckdb, same_scores, scores_in
from rosenblatt import cli, load, save, train
from rosenblatt.errors import SettingError
from rosenblatt.features import TextSettings, Wishes
from rosenblatt.model import pruned
from rosenblatt.pipeline import train_with_evidence
from rosenblatt.pipeline.smaller import file_size
from rosenblatt.report.html import page
from rosenblatt.report.terminal import terminal_report
from rosenblatt.store.export_json import to_json
from sample_models import bayes_model, linear_model, table_of

SYLLABLES = [a + b for a in "bdfgklmnprst" for b in ("a", "e", "i", "o", "u", "an", "el", "is")]


def texts(rows=400, classes=("ham", "spam"), noise=12):
    """Texts with two words that tell their class, among many that tell nothing and are seldom met twice."""
    found, labels = [], []
    for row in range(rows):
        own = classes[row % len(classes)]
        drawn = [(row * 7919 + place * 104729 + row * row * place) % (96 * 96) for place in range(noise)]
        words = [SYLLABLES[number // 96] + SYLLABLES[number % 96] for number in drawn]
        found.append(" ".join([*words, f"{own}like", f"very {own} {row % 5}th"]))
        labels.append(own)
    return table_of({"text": found, "label": labels})


def pairs(weight="tfidf"):
    return Wishes(text=["text"], words=TextSettings(weight=weight, ngrams=2))


def models():
    two, three = texts(), texts(classes=("ham", "spam", "news"))
    yield "words of two classes", linear_model(two, Wishes(text=["text"]))[0], two
    yield "pairs of two classes", linear_model(two, pairs())[0], two
    yield "pairs of three classes", linear_model(three, pairs())[0], three
    yield "naive Bayes of two classes", bayes_model(two, Wishes(text=["text"], unit="none")), two
    yield "naive Bayes of three classes", bayes_model(three, Wishes(text=["text"], unit="none")), three


MODELS = {name: (model, table) for name, model, table in models()}


@pytest.fixture(params=list(MODELS))
def sample(request):
    return MODELS[request.param]


def test_a_pruned_model_has_the_heaviest_words_and_no_more_bytes(sample):
    model, _ = sample
    whole = file_size(model)
    small = pruned(model, whole // 3, file_size)
    assert 0.9 * whole // 3 < file_size(small) <= whole // 3
    left = dict(zip(model.plan.names, model.learner.matter(model.plan), strict=True))
    stays = set(small.plan.names)
    assert stays < set(left)
    assert min(left[name] for name in stays) >= max(left[name] for name in set(left) - stays)
    assert small.card["features"] == small.plan.width == len(stays)
    assert small.card["proof"] is None  # it was proved of all the weights


def test_what_a_pruned_model_says_agrees(sample, tmp_path):
    model, table = sample
    small = pruned(model, file_size(model) // 3, file_size)
    path = tmp_path / "small.rosenblatt"
    save(small, path)
    assert path.stat().st_size == file_size(small)
    scores = small.scores(table)
    assert np.array_equal(load(path).scores(table), scores)
    row = table.take(np.array([3]))
    told = small.explain(row)
    assert np.allclose(told.contributions.sum(axis=1) + told.bias, told.scores, rtol=1e-12, atol=1e-12)
    scored = json.loads(to_json(small))["learner"]["scores"]
    assert all([name for name, _ in each["weights"]] == small.plan.names for each in scored)


def test_pruned_weights_are_those_of_the_model(sample):
    model, _ = sample
    small = pruned(model, file_size(model) // 3, file_size)
    before, after = model.plan.names, small.plan.names
    places = [before.index(name) for name in after]
    if small.learner.kind == "linear":
        assert np.array_equal(small.learner.weights[..., :-1], model.learner.weights[..., places].astype(np.float32))
    else:
        assert np.array_equal(small.learner.counts.cells, model.learner.counts.cells[places])


def test_a_model_that_fits_is_left_as_it_is(sample):
    model, _ = sample
    assert pruned(model, file_size(model), file_size) is model


def test_any_measure_of_size_serves():
    model, _ = MODELS["pairs of two classes"]
    small = pruned(model, 20_000, lambda each: len(to_json(each)))
    assert 18_000 < len(to_json(small)) <= 20_000


def test_naive_bayes_loses_the_same_share_of_the_words_of_each_class():
    """Words that occur once have the same log-odds: a bound between classes would leave one of them no rare word."""
    uneven = [f"ham word{row} other{row}" for row in range(150)] + [f"spam thing{row}" for row in range(100)]
    table = table_of({"text": uneven, "label": ["ham"] * 150 + ["spam"] * 100})
    model = bayes_model(table, Wishes(text=["text"], unit="none"))
    small = pruned(model, file_size(model) * 3 // 4, file_size)
    own = model.learner.counts.cells.argmax(axis=1)
    kept = np.isin(model.plan.names, small.plan.names)
    shares = [Fraction(int(kept[own == c].sum()), int((own == c).sum())) for c in (0, 1)]
    assert abs(shares[0] - shares[1]) < Fraction(1, 50)


def test_names_are_left_out_too_and_sql_agrees():
    names = [f"town {number % 700:03d}" for number in range(1_400)]
    label = ["yes" if number % 700 < 40 or number % 3 == 0 else "no" for number in range(1_400)]
    table = table_of({"town": names, "size": [float(number % 13) for number in range(1_400)], "label": label})
    model = linear_model(table, Wishes(category=["town"]))[0]
    small = pruned(model, file_size(model) // 2, file_size)
    assert small.plan.lines[1] == model.plan.lines[1]  # a number is no word
    found = in_duckdb(small, table.columns)
    same_scores(scores_in(found, small), small.scores(table))


def test_too_small_a_size_is_refused_with_what_is_needed(sample):
    model, _ = sample
    with pytest.raises(SettingError, match=r"size is 100 bytes, but without any word .* still takes .*Ask for more"):
        pruned(model, 100, file_size)


@pytest.mark.parametrize("model", ["perceptron", "naive-bayes"])
@pytest.mark.parametrize("classes", [("ham", "spam"), ("ham", "spam", "news")])
def test_train_keeps_the_size_and_tells_what_it_costs(model, classes, tmp_path):
    table = texts(300, classes)
    asked = {"search": {"model": model, "size": "30kB"}, "text": {"ngrams": 2}, "columns": {"text": {"kind": "text"}}}
    found, evidence = train_with_evidence(table, config=asked)
    path = tmp_path / "m.rosenblatt"
    save(found, path)
    assert 20_000 < path.stat().st_size <= 30_000
    told = load(path).card["pruned"]
    whole = train(table, config={**asked, "search": {"model": model}})
    assert told["features"] == found.plan.width < told["before"] == whole.plan.width
    assert told["size"] == 30_000
    assert found.card["config"]["search"]["size"] == "30kB"
    before, after = told["validation"]
    assert before == whole.card["validation"]["accuracy"]
    shown = f"{before:.2%} → {after:.2%}"
    assert shown in terminal_report(found, evidence)
    assert shown in page(found, evidence)


def test_weights_are_learned_again_with_the_words_that_are_left():
    table = texts(300)
    asked = {"search": {"model": "perceptron", "size": "30kB"}, "split": {"calibration": "none"}}
    found = train(table, config=asked)
    rows = found.card["split"]
    assert found.card["proof"]["separated"]  # of the weights that are in the file
    assert rows["train"] + rows["validation"] == 240
    assert found.evaluate(table).accuracy > 0.99


def test_a_file_that_is_small_enough_is_the_same_file(tmp_path):
    table = texts(120)
    with_size = train(table, config={"search": {"size": "5MB"}})
    without = train(table)
    assert "pruned" not in with_size.card
    assert file_size(replace(with_size, card={})) == file_size(replace(without, card={}))


def test_fit_all_keeps_the_size_too():
    found = train(texts(300), fit_all=True, config={"search": {"model": "perceptron", "size": "30kB"}})
    assert file_size(found) <= 30_000
    assert found.card["pruned"]["features"] == found.plan.width


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"model": "kernel"}, "a kernel has no weights: it is made of training rows"),
        ({"weights": "voted"}, "votes are made of whole rows"),
        ({"record": True}, "a record keeps whole rows"),
    ],
)
def test_what_has_no_weights_to_leave_out_is_refused_before_anything_is_learned(settings, message):
    with pytest.raises(SettingError, match=message):
        train(texts(60), config={"search": {"size": "1MB", **settings}})


@pytest.mark.parametrize("size", ["much", "-1MB", 0, "1XB", True])
def test_a_size_that_is_none_is_one_line(size):
    with pytest.raises(SettingError, match=r"search\.size must be a size such as '500kB' or '1MB'; got"):
        train(texts(60), config={"search": {"size": size}})


def test_hashed_words_have_no_dictionary_to_shrink():
    with pytest.raises(SettingError, match="still takes"):
        train(texts(60), config={"search": {"size": "50kB", "model": "perceptron"}, "text": {"hash_bits": 14}})


def test_the_command_line_writes_the_small_file(tmp_path, capsys):
    data, config, out = tmp_path / "mail.csv", tmp_path / "c.toml", tmp_path / "m.rosenblatt"
    columns = texts(200).columns.to_pydict()
    lines = [f"{text},{label}" for text, label in zip(columns["text"], texts(200).labels, strict=True)]
    data.write_text("\n".join(["text,label", *lines]) + "\n")
    config.write_text('[search]\nmodel = "naive-bayes"\nsize = "20kB"\n')
    with pytest.raises(SystemExit) as end:
        cli.main(["train", str(data), "--config", str(config), "--out", str(out)])
    assert end.value.code == 0
    assert out.stat().st_size <= 20_000
    assert "features fit into 20 kB" in capsys.readouterr().out
