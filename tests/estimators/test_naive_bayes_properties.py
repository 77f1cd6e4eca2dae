"""Facts that hold for every table, found by hypothesis, against the reference where there is one."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt.estimators.naive_bayes import NaiveBayes
from rosenblatt.reference import naive_bayes as reference

BINARY, CATEGORY, NUMBER = st.sampled_from([0, 1, None]), st.sampled_from(["p", "q", "r", None]), st.integers(0, 4)
ROW = st.tuples(BINARY, BINARY, CATEGORY, NUMBER, st.sampled_from("abc"))
STRENGTH = st.sampled_from([Fraction(0), Fraction(1, 1000), Fraction(1), Fraction(50), math.inf])
few = settings(max_examples=60, deadline=None)


def split(rows):
    return [list(row[:-1]) for row in rows], [row[-1] for row in rows]


def same(one: NaiveBayes, other: NaiveBayes) -> bool:
    a, b = one.counts_, other.counts_
    gone = [np.zeros(1) if part.gone is None else part.gone for part in (a, b)]
    return (
        a.schema.same_cells(b.schema)
        and a.classes.tolist() == b.classes.tolist()
        and a.rows.tolist() == b.rows.tolist()
        and a.cells.tolist() == b.cells.tolist()
        and a.cells.dtype == b.cells.dtype == np.int64
        and gone[0].tolist() == gone[1].tolist()
    )


@few
@given(st.lists(ROW, min_size=1, max_size=25), st.lists(ROW, min_size=1, max_size=5), STRENGTH)
def test_posteriors_equal_the_reference(rows, queries, k):
    X, y = split(rows)
    model = NaiveBayes(k=float(k)).fit(X, y)
    sizes = [2 if kind == "binary" else None for kind in model.features_.values()]
    learned = reference.learn(X, y, sizes)
    for x, chances in zip(split(queries)[0], model.predict_proba(split(queries)[0]), strict=True):
        wanted = reference.posterior(learned, x, k, Fraction(1) if k != math.inf else 1)
        np.testing.assert_allclose(chances, [float(wanted[c]) for c in sorted(wanted)], rtol=1e-11, atol=1e-300)
        exact = reference.predict(learned, x, k, Fraction(1) if k != math.inf else 1)
        assert model.predict([x])[0] == exact, "ties, too, go to the first class"


@few
@given(st.lists(ROW, min_size=2, max_size=30), st.integers(2, 5), st.randoms(use_true_random=False))
def test_merging_shards_in_any_order_equals_one_fit_bit_for_bit(rows, n_shards, random):
    whole = NaiveBayes().fit(*split(rows))
    shards = [part for part in (rows[i::n_shards] for i in range(n_shards)) if part]
    random.shuffle(shards)
    merged = NaiveBayes().fit(*split(shards[0]))
    stepped = NaiveBayes().partial_fit(*split(shards[0]))
    for part in shards[1:]:
        merged.merge(NaiveBayes().fit(*split(part)))
        stepped.partial_fit(*split(part))
    assert same(merged, whole)
    assert same(stepped, whole)
    X = split(rows)[0]
    assert merged.predict_log_proba(X).tobytes() == whole.predict_log_proba(X).tobytes()


@few
@given(st.lists(ROW, min_size=2, max_size=30), st.randoms(use_true_random=False))
def test_permuting_rows_changes_nothing(rows, random):
    whole = NaiveBayes().fit(*split(rows))
    random.shuffle(rows)
    assert same(NaiveBayes().fit(*split(rows)), whole)


@few
@given(
    st.lists(ROW, min_size=1, max_size=25),
    st.lists(st.floats(0, 1e6), min_size=25, max_size=25),
    st.one_of(st.floats(0, allow_nan=False), st.sampled_from([5e-324, 1.7e308])),
)
def test_probabilities_sum_to_one_for_any_k_and_any_weights(rows, weights, k):
    X, y = split(rows)
    weights[0] = 1.0
    for fitted in (NaiveBayes(k=k).fit(X, y), NaiveBayes(k=k).fit(X, y, sample_weight=weights[: len(y)])):
        chances = fitted.predict_proba(X)
        np.testing.assert_allclose(chances.sum(axis=1), 1, rtol=1e-12)
        assert ((chances >= 0) & (chances <= 1)).all()


@few
@given(
    st.lists(st.lists(st.sampled_from([0, 0, 1]), min_size=6, max_size=6), min_size=2, max_size=20),
    st.sampled_from([0, 0.3, 1, math.inf]),
    st.data(),
)
def test_sparse_dense_and_string_tables_agree(rows, k, data):
    y = data.draw(st.lists(st.sampled_from("ab"), min_size=len(rows), max_size=len(rows)))
    X = np.array(rows)
    forms = [X, X.astype(np.uint8), X.astype(np.float32), sp.csr_matrix(X), sp.csr_matrix(X, dtype=np.float32)]
    models = [NaiveBayes(k=k).fit(form, y) for form in forms]
    first = models[0].predict_log_proba(X)
    for model, form in zip(models, forms, strict=True):
        assert same(model, models[0])
        np.testing.assert_allclose(model.predict_log_proba(form), first, rtol=1e-12, atol=1e-12)
        assert model.predict(form).tolist() == models[0].predict(X).tolist()


@few
@given(st.lists(ROW, min_size=2, max_size=25), st.sampled_from([0, 0.01, 1, 7.5, math.inf]), st.data())
def test_explanations_sum_to_the_decision(rows, k, data):
    X, y = split(rows)
    model = NaiveBayes(k=k).fit(X, y)
    x = data.draw(st.sampled_from(X))
    told, logs = model.explain(x), model.predict_log_proba([x])[0]
    at = model.classes_.tolist().index
    assert told.predicted == model.predict([x])[0]
    if not any(term.zeros for term in told.terms):
        assert told.decision == math.fsum(term.log_odds for term in told.terms)
    difference = logs[at(told.predicted)] - logs[at(told.other)]
    assert math.isclose(told.decision, difference, rel_tol=1e-12, abs_tol=1e-12)


@few
@given(
    st.lists(ROW, min_size=2, max_size=25),
    st.lists(ROW, min_size=1, max_size=25),
    st.lists(st.sampled_from([0, 1e-6, 0.2, 1, 3, 1000, math.inf]), min_size=1, max_size=5),
    st.booleans(),
)
def test_tuning_finds_the_accuracies_of_predict(rows, validation, grid, counted):
    X, y = split(rows)
    X_val, y_val = split(validation)
    model = NaiveBayes(features={3: "counts"} if counted else "auto").fit(X, y).tune(X_val, y_val, grid)
    for k, share in zip(*model.tuning_, strict=True):
        assert model.set_params(k=k).score(X_val, y_val) == share


@few
@given(st.lists(st.tuples(st.lists(st.integers(0, 3), min_size=3, max_size=3), st.sampled_from("ab")), min_size=2))
def test_word_counts_equal_the_reference(documents):
    X, y = np.array([row for row, _ in documents]), [label for _, label in documents]
    counts = {c: {j: int(X[np.array(y) == c, j].sum()) for j in range(3)} for c in sorted(set(y))}
    model = NaiveBayes(k=0.5, features="counts").fit(X, y)
    seen = X.any(axis=0)
    for c in counts:
        for j in np.flatnonzero(seen):
            wanted = reference.word_factor(counts, j, c, Fraction(1, 2))
            assert math.isclose(model.tables()["words"].loc[f"column {j}", c], wanted, rel_tol=1e-14)
