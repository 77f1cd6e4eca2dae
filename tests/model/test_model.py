"""A trained model: scores that can be taken apart, and counts of right and wrong that agree with a peer's."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import f1_score, precision_score, recall_score

from rosenblatt import NaiveBayes, estimator, train
from rosenblatt.data import read
from rosenblatt.errors import DataError
from rosenblatt.features import Wishes
from rosenblatt.model import Evaluation, wilson

TWO = {"source": "mail", "model": "perceptron"}
MANY = {"source": "digits", "model": "perceptron", "passes": 4}
PRESENCE = {"source": "digits", "model": "naive-bayes"}
COUNTS = {"source": "mail", "model": "naive-bayes"}
COLUMNS = {"source": "wine", "model": "naive-bayes"}
KINDS = [TWO, MANY, PRESENCE, COUNTS, COLUMNS]


def trained(settings):
    settings = dict(settings)
    return train(settings.pop("source"), **settings)


@pytest.mark.parametrize("settings", KINDS, ids=lambda s: f"{s['source']} {s['model']}")
def test_contributions_sum_to_the_scores(settings):
    model = trained(settings)
    table = read(settings["source"])
    for row in (0, table.n_rows // 2, table.n_rows - 1):
        one = table.take(np.array([row]))
        found = model.explain(one)
        assert found.predicted == model.predict(one)[0]
        sums = found.contributions.sum(axis=1) + found.bias
        assert sums == pytest.approx(found.scores, rel=1e-12, abs=1e-9)
        scores = np.atleast_1d(model.scores(one)[0])
        if settings["model"] == "naive-bayes" and len(scores) > 1:  # log probabilities: the sums less a constant
            sums, scores = sums - sums.max(), scores - scores.max()
        assert sums == pytest.approx(scores, rel=1e-9, abs=1e-9)


def test_naive_bayes_of_columns_is_that_of_the_estimator_on_the_same_columns():
    table = read("wine")
    model = train("wine", model="naive-bayes", k=0.5)
    kept = np.sort(np.concatenate(_kept("wine")))
    rows, labels = table.take(kept), table.labels.to_pylist()
    peer = NaiveBayes(k=0.5).fit(rows.columns, [labels[i] for i in kept])
    assert model.predict(table) == peer.predict(table.columns).tolist()


def _kept(source):
    from rosenblatt.features import Classes, split_rows

    table = read(source)
    parts = split_rows(table, Classes.learn(table).encode(table), seed=0)
    return parts.train, parts.validation


@pytest.mark.parametrize("settings", [TWO, MANY, COUNTS], ids=lambda s: f"{s['source']} {s['model']}")
def test_the_estimator_of_a_model_predicts_what_the_model_does(settings):
    from scipy.sparse import csr_matrix

    model, table = trained(settings), read(settings["source"])
    rows = model.plan.encode(table).rows
    if hasattr(rows, "starts"):
        values = rows.values if hasattr(rows, "values") else np.repeat(rows.scales, np.diff(rows.starts).astype(int))
        X = csr_matrix(
            (values, rows.columns.astype(np.int32), rows.starts.astype(np.int32)), (table.n_rows, rows.n_columns)
        )
    else:
        X = rows.values
    assert estimator(model).predict(X).tolist() == model.predict(table)


def test_texts_go_to_the_column_of_text():
    texts = [
        f"{text} {i}{i}" for i in range(20) for text in ("win money now", "see you at lunch", "cash prize", "lunch")
    ]
    model = train(texts, label=["spam", "ham"] * 40)
    assert model.predict(["win a cash prize", "lunch?"]) == ["spam", "ham"]
    with pytest.raises(DataError, match="reads no text but the columns"):
        train("iris").texts(["hello"])


def test_heaviest_features_speak_for_their_class():
    model = train("mail", model="perceptron")
    ham, spam = model.heaviest(5).values()
    assert all(weight < 0 for _, weight in ham)
    assert all(weight > 0 for _, weight in spam)
    weights = dict(zip(model.plan.names, model.learner.weights, strict=False))
    assert spam[0][1] == max(weights.values())
    assert [weight for _, weight in spam] == sorted((weight for _, weight in spam), reverse=True)


def test_precision_recall_and_f1_are_those_of_scikit_learn():
    rng = np.random.default_rng(1)
    truth, predicted = rng.integers(0, 4, 200), rng.integers(0, 3, 200)  # class 3 is never predicted
    found = Evaluation.of(("a", "b", "c", "d"), truth, predicted)
    how = {"average": None, "labels": range(4), "zero_division": 0}
    assert found.precision == pytest.approx(precision_score(truth, predicted, **how))
    assert found.recall == pytest.approx(recall_score(truth, predicted, **how))
    assert found.f1 == pytest.approx(f1_score(truth, predicted, **how))
    assert found.accuracy == np.mean(truth == predicted)
    true, wrong, count = found.confusions()[0]
    assert count == max(found.confusion[t, p] for t in range(4) for p in range(4) if t != p)
    assert found.confusion[found.classes.index(true), found.classes.index(wrong)] == count


def test_the_interval_is_wilson_s():
    # Newcombe 1998, table I: 81 of 263 gives 0.2553 to 0.3662, 0 of 20 gives 0 to 0.1611.
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)
    assert wilson(0, 0) == (0.0, 1.0)


def test_wishes_reach_the_plan():
    model = train("iris", wishes=Wishes(drop=["sepal width (cm)"]), passes=2, model="perceptron")
    assert "sepal width (cm)" not in model.plan.names
    assert len(model.plan.names) == 3
