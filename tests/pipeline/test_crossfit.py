"""Out-of-fold scores: nothing of a row is known to what scores it."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest

from rosenblatt import train
from rosenblatt.data import read
from rosenblatt.learn.calibration import spread_of
from rosenblatt.pipeline import calibrated, crossfit
from rosenblatt.pipeline.config import read_config
from rosenblatt.pipeline.crossfit import cross_fit
from rosenblatt.pipeline.families.naive_bayes import NaiveBayes
from rosenblatt.pipeline.families.perceptron import Perceptron
from rosenblatt.pipeline.finalists import settle
from rosenblatt.pipeline.progress import silent
from rosenblatt.pipeline.ready import prepare
from rosenblatt.pipeline.runs import Conduct
from rosenblatt.pipeline.search import search
from rosenblatt.pipeline.ways import Way, encode, more_ways

WORDS = 60


def texts_with_labels_drawn_at_random(n=600, seed=0):
    """Long texts, so that weights fitted to all rows would get every one right."""
    rng = np.random.default_rng(seed)
    texts = [" ".join(f"w{word}" for word in rng.integers(0, 2000, WORDS)) for _ in range(n)]
    return pa.table({"text": texts, "number": rng.normal(size=n), "label": rng.choice(["a", "b"], n).tolist()})


def out_of_fold(source, chosen=None, **search_keys):
    """Each row of the source, cross-fitted; with settings that a search over all of it finds, unless they are given."""
    ready = prepare(source, read_config({"search": search_keys}), None, silent, whole=True)
    if chosen is None:
        parts = ready.parts
        found = search(parts, ready.choices, Conduct())
        chosen = settle(found, len(parts.wanted), ready.learned, ready.choices, Conduct())[0].chosen
    return ready, cross_fit(chosen, ready.learned, Conduct())


def candidates():
    """Every encoding that a search may choose."""
    ready = prepare(texts_with_labels_drawn_at_random(60), read_config(None), None, silent, whole=True)
    plain = ready.choices.wishes
    tfidf = replace(plain, words=replace(plain.words, weight="tfidf", damped=True))
    return [
        Perceptron(Way("", plain), weights="averaged", passes=8, margin=0.5),
        Perceptron(Way("tf-idf", tfidf), weights="averaged", passes=8, margin=2.0),
        Perceptron(Way("16 knots", replace(plain, knots=16)), weights="averaged", passes=8),
        NaiveBayes(Way("", replace(plain, drop=["number"])), on="matrix", k=0.1),
    ]


@pytest.mark.parametrize("place", range(4))
def test_labels_drawn_at_random_give_chance_accuracy_out_of_fold_with_every_encoding(place):
    chosen = candidates()[place]
    ready, found = out_of_fold(texts_with_labels_drawn_at_random(), chosen)
    assert found.rows.tolist() == list(range(600))
    right = np.mean(chosen.decision.decide(found.scores) == ready.codes)
    assert abs(right - 0.5) < 4 * np.sqrt(0.25 / 600)
    assert np.mean(-np.log(found.probabilities[np.arange(600), found.truth])) < 0.72  # and it is known to be chance


def test_a_row_and_its_copies_lie_in_one_fold():
    table = texts_with_labels_drawn_at_random(200)
    doubled = pa.concat_tables([table, table.slice(0, 100)])
    _, found = out_of_fold(doubled, candidates()[0])
    assert (found.fold[200:] == found.fold[:100]).all()


def test_scores_are_those_of_a_model_that_never_saw_the_fold():
    source = read("breast-cancer")
    fixed = {"features": {"knots": 0}, "search": {"model": "perceptron", "margin": 0.5, "passes": 4}}
    ready = prepare(source, read_config(fixed), None, silent, whole=True)
    chosen = Perceptron(Way("", ready.choices.wishes), weights="averaged", margin=0.5, passes=4)
    found = cross_fit(chosen, ready.learned, Conduct())
    first = ready.learned.folds(5)[0]
    seen, unseen = source.take(first.train), source.take(first.validation)
    scores = train(seen, test=unseen, validation=unseen, config=fixed).scores(unseen)
    ratio = found.scores[np.isin(found.rows, first.validation)] / scores
    assert ratio == pytest.approx(ratio[0], rel=1e-9)
    assert ratio[0] > 0


def test_probabilities_of_a_fold_do_not_know_its_labels():
    _, found = out_of_fold(read("breast-cancer"), model="perceptron", margin=0.5, passes=4)
    here = found.fold == 2
    turned = replace(found, truth=np.where(here, 1 - found.truth, found.truth))
    assert np.array_equal(turned.probabilities[here], found.probabilities[here])
    assert not np.array_equal(turned.probabilities[~here], found.probabilities[~here])


def test_with_times_folds_go_forward():
    rng = np.random.default_rng(1)
    table = pa.table({
        "x": rng.normal(size=100), "day": list(range(100)), "label": np.where(rng.random(100) < 0.5, "a", "b").tolist()
    })  # fmt: skip
    ready = prepare(table, read_config({"split": {"time": "day"}}), None, silent, whole=True)
    chosen = Perceptron(Way("", ready.choices.wishes), weights="averaged", passes=2)
    found = cross_fit(chosen, ready.learned, Conduct())
    assert found.rows.tolist() == list(range(50, 100))
    assert (np.diff(found.fold) >= 0).all()


def test_enough_rows_are_enough():
    ready = prepare("digits", read_config(None), None, silent, whole=True)
    chosen = Perceptron(Way("", ready.choices.wishes), weights="averaged", passes=1)
    some = cross_fit(chosen, ready.learned, Conduct(), enough=700)
    assert some.folds == 2
    assert 1_100 <= len(some.rows) < 1_300
    one = cross_fit(chosen, ready.learned, Conduct(), enough=100)
    assert one.folds == 1
    assert 100 <= len(one.rows) < 120


def test_rows_that_finalists_were_judged_by_are_not_scored_again_for_probabilities(monkeypatch):
    source = texts_with_labels_drawn_at_random(120)
    fits = []
    monkeypatch.setattr(calibrated, "cross_fit", lambda *given, **named: fits.append(1) or cross_fit(*given, **named))
    model = train(source, model="perceptron", drop=["number"])
    facts, settled = model.card["calibration"], model.card["choice"]["cv"]
    assert (facts["folds"], facts["rows"]) == (settled["folds"], settled["rows"])
    chosen = next(each for each in settled["finalists"] if each["name"] == model.card["choice"]["name"])
    assert facts["right"] == round(chosen["accuracy"] * settled["rows"])
    assert not fits
    train(
        source,
        model="perceptron",
        passes=2,
        margin=0,
        drop=["number"],
        config={"text": {"weight": "counts", "ngrams": 1, "characters": False}, "search": {"rule": "perceptron"}},
    )
    assert fits  # one candidate alone: nothing was cross-validated


def test_classes_of_words_weighed_by_rarity_decide_its_power():
    table = texts_with_labels_drawn_at_random(90)
    for names, power in (["a", "b"], None), (["a", "b", "c"], 1.5):
        labels = pa.array([names[k % len(names)] for k in range(90)])
        ready = prepare(table.set_column(2, "label", labels), read_config(None), None, silent, whole=True)
        first = encode(Way("", ready.choices.wishes), ready.parts.train, ready.parts.validation, ready.parts.truth)
        (way,) = more_ways(first, len(names))
        assert (way.name, way.wishes.words.weight, way.wishes.words.rarity) == ("tf-idf", "tfidf", power)


def test_rows_far_apart_on_the_disk_are_looked_at_a_few_at_a_time(monkeypatch):
    """Each brings a stretch of its file into memory: ten thousand of them brought a gigabyte."""
    table, sizes = read("digits"), []

    def scores(final, some):
        sizes.append(some.n_rows)
        return some.origin.numbers.astype(float)

    monkeypatch.setattr(crossfit, "scores_of", scores)
    monkeypatch.setattr(crossfit, "MOST_AT_ONCE", 100)
    found = crossfit.own_spread(SimpleNamespace(problem=None), table)
    assert max(sizes) <= 100
    assert sum(sizes) == table.n_rows
    assert found == spread_of(table.origin.numbers.astype(float))
