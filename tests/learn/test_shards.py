"""Shards: their number is part of the result, the number of threads that visit them is not."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt import train
from rosenblatt.errors import SettingError
from rosenblatt.learn import decide
from rosenblatt.learn.course import Course
from rosenblatt.learn.problem import make_problem
from rosenblatt.learn.run import learn
from rosenblatt.learn.settings import Settings
from rosenblatt.loops.exact_sum import exact_sum
from rosenblatt.loops.rows import dense_rows, sparse_rows

finite = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(finite, max_size=40), st.integers(0, 40))
def test_exact_sums_of_parts_add_up_to_that_of_the_whole_and_round_as_fsum_does(numbers, cut):
    values = np.array(numbers, np.float64)
    assert exact_sum(values) == sum(map(Fraction, numbers), Fraction())
    assert exact_sum(values[:cut]) + exact_sum(values[cut:]) == exact_sum(values)
    small = values[np.abs(values) < 1e300]
    assert float(exact_sum(small)) == math.fsum(small)


def problem(n_classes=2, storage="dense", n=3000, d=12, seed=0):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, d)), 3) * (rng.random((n, d)) < 0.6)
    truth = np.digitize(X @ rng.normal(size=d) + rng.normal(size=n) / 2, np.linspace(-1, 1, n_classes - 1))
    if storage == "dense":
        return make_problem(dense_rows(X), truth, n_classes, rng.uniform(0.5, 2, n))
    rows, columns = np.nonzero(X)
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n))])
    return make_problem(sparse_rows(starts, columns, X[rows, columns], d), truth, n_classes, rng.uniform(0.5, 2, n))


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("storage", ["dense", "sparse"])
@pytest.mark.parametrize("shards", [1, 2, 7])
def test_bits_do_not_depend_on_the_number_of_threads(n_classes, storage, shards):
    given = problem(n_classes, storage)
    runs = [
        learn(given, Settings(shards=shards, n_jobs=jobs, tol=None, max_iter=5, margin=1.0, record=True))
        for jobs in (1, 2, 5)
    ]
    for run in runs[1:]:
        assert np.array_equal(run.weights, runs[0].weights)
        assert np.array_equal(run.weights_of("averaged"), runs[0].weights_of("averaged"))
        assert run.per_pass == runs[0].per_pass
        assert (run.amount, run.margin_bracket) == (runs[0].amount, runs[0].margin_bracket)
        assert np.array_equal(run.recording.rows, runs[0].recording.rows)


@pytest.mark.parametrize("shards", [2, 3])
def test_the_mistake_list_gives_the_mixed_weights_and_their_average(shards):
    given = problem()
    run = learn(given, Settings(shards=shards, tol=None, max_iter=3, record=True))
    signed = np.where(given.truth == 1, 1.0, -1.0)[:, None] * np.column_stack([given.rows.values, np.ones(3000)])
    rows = run.recording.rows
    parts = given.amounts[rows, None] * signed[rows] / shards
    assert run.weights == pytest.approx(parts.sum(axis=0))
    assert run.amount == pytest.approx(given.amounts[rows].sum() / shards, rel=1e-15)
    # In the average of a pass each shard's weights count by how long it had them, and every shard the same.
    average, weights = np.zeros(13), np.zeros(13)
    lengths = [len(shard) for shard in Course(given, given.visited, run.settings).shards]
    for made in run.recorded:
        steps = made.steps - made.before
        ends = np.cumsum(lengths)
        mixed = weights.copy()
        for start, length in zip(ends - lengths, lengths, strict=True):
            mine = (steps >= start) & (steps < start + length)
            left = 1 - (steps[mine] - start) / length  # share of the shard's pass that has the update
            change = given.amounts[made.rows[mine], None] * signed[made.rows[mine]]
            average += (weights + (left[:, None] * change).sum(axis=0)) / shards
            mixed += change.sum(axis=0) / shards
        weights = mixed
    assert run.weights_of("averaged") == pytest.approx(average / 3)


def test_a_round_without_updates_leaves_the_weights_unmixed():
    values = problem().rows.values
    values = values[np.abs(values[:, 0]) > 0.5]
    clean = make_problem(dense_rows(values), (values[:, 0] > 0).astype(int), 2)
    run = learn(clean, Settings(shards=3, tol=None, max_iter=500))
    before = learn(clean, Settings(shards=3, tol=None, max_iter=run.passes - 1))
    assert run.stopped == "separated"
    assert run.lowest_lead > 0
    assert np.array_equal(run.weights, before.weights)


@pytest.mark.parametrize("storage", ["dense", "sparse"])
@pytest.mark.parametrize("n_classes", [2, 5])
def test_scores_are_the_same_on_any_number_of_threads(storage, n_classes, monkeypatch):
    rows = problem(3, storage).rows
    weights = np.random.default_rng(1).normal(size=(13,) if n_classes == 2 else (5, 13))
    monkeypatch.setattr(decide, "thread_count", lambda: 1)
    alone = decide.score_rows(rows, weights)
    monkeypatch.setattr(decide, "thread_count", lambda: 7)
    monkeypatch.setattr(decide, "PART", 100)
    assert np.array_equal(decide.score_rows(rows, weights), alone)


def test_train_takes_shards_into_the_result_and_the_card_and_jobs_into_neither():
    one, two, alone = (
        train("digits", model="perceptron", passes=4, **more)
        for more in ({"shards": 3, "jobs": 1}, {"shards": 3, "jobs": 2}, {})
    )
    assert np.array_equal(one.learner.weights, two.learner.weights)
    assert one.card == two.card
    assert (one.card["choice"]["shards"], alone.card["choice"]["shards"]) == (3, 1)
    assert not np.array_equal(one.learner.weights, alone.learner.weights)
    for wrong in ({"shards": 0}, {"jobs": 0}):
        with pytest.raises(SettingError, match=f"{next(iter(wrong))} must be a whole number of at least 1"):
            train("iris", **wrong)
