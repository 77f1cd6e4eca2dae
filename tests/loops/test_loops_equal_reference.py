"""Reference and compiled loops give the same bits on small whole numbers, for every storage, rule and variant."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from rosenblatt.learn.decide import score_rows
from rosenblatt.learn.problem import make_problem
from rosenblatt.learn.run import learn
from rosenblatt.learn.settings import Settings
from rosenblatt.learn.votes import ballots
from rosenblatt.loops.rows import Dense, Rows, Sparse, Words, dense_rows, sparse_rows
from rosenblatt.reference import perceptron as reference

STORAGES = ("uint8", "float32", "float64", "sparse float32", "sparse float64", "words float32", "words float64")


def in_storage(X: np.ndarray, storage: str, bias: float) -> Rows:
    kind, _, dtype = storage.rpartition(" ")
    if not kind:
        return dense_rows(X.astype(dtype), bias)
    matrix = sparse.csr_array(X.astype(dtype))
    return sparse_rows(matrix.indptr, matrix.indices, matrix.data, X.shape[1], bias)


@st.composite
def problems(draw, fewest=2, most=4):
    """Rows of small whole numbers that the storage can hold, labels, and a storage."""
    storage = draw(st.sampled_from(STORAGES))
    n_classes = draw(st.integers(fewest, most))
    n, d = draw(st.integers(n_classes, 9)), draw(st.integers(1, 7))
    lowest, highest = (0, 5) if storage == "uint8" else (0, 1) if storage.startswith("words") else (-5, 5)
    values = draw(st.lists(st.integers(lowest, highest), min_size=n * d, max_size=n * d))
    labels = draw(st.lists(st.integers(0, n_classes - 1), min_size=n, max_size=n))
    return np.array(values).reshape(n, d), np.array(labels), n_classes, storage


choices = st.fixed_dictionaries(
    {
        "ties": st.sampled_from(["mistake", "positive", "negative"]),
        "margin": st.sampled_from([0, 1, 7]),
        "max_iter": st.integers(1, 6),
        "shuffle": st.just(False),
        "tol": st.none(),
    }
)


def reference_steps(X, labels, n_classes, bias, passes, choice):
    """The reference's steps over some passes, weights as one flat list in the order of ours: bias last."""
    rows = [[*map(int, x), bias] for x in X]
    rule = {"ties": choice["ties"], "margin": choice["margin"]}
    width = X.shape[1] + 1
    weights = [0] * width if n_classes == 2 else [[0] * width for _ in range(n_classes)]
    one_pass = reference.binary_pass if n_classes == 2 else reference.multiclass_pass
    truth = [2 * int(c) - 1 for c in labels] if n_classes == 2 else list(map(int, labels))
    steps = []
    for _ in range(passes):
        steps += one_pass(rows, truth, weights, **rule)
        weights = steps[-1][1]
    return rows, truth, steps


def run_of(problem, weights, choice, bias=1.0):
    X, labels, n_classes, storage = problem
    rows = in_storage(X, storage, bias)
    return rows, learn(make_problem(rows, labels, n_classes), Settings(weights=weights, record=True, **choice))


@given(problems(), choices, st.sampled_from([0, 1]))
def test_final_weights_and_mistake_list(problem, choice, bias):
    X, labels, n_classes, _ = problem
    _, run = run_of(problem, "final", choice, bias)
    _, _, steps = reference_steps(X, labels, n_classes, bias, run.passes, choice)
    assert np.array_equal(run.weights_of("final"), np.array(steps[-1][1]))
    wrong = [t for t, (flag, _) in enumerate(steps) if (flag if n_classes == 2 else flag is not None)]
    noted = run.recording.steps.tolist()
    assert noted == wrong
    if n_classes > 2:
        assert run.recording.rivals.tolist() == [steps[t][0] for t in wrong]
    assert (run.updates, run.steps) == (len(wrong), len(steps))


@given(problems(), choices)
def test_averaged_weights_are_the_mean_of_all_weights(problem, choice):
    X, labels, n_classes, storage = problem
    _, run = run_of(problem, "averaged", choice)
    _, _, steps = reference_steps(X, labels, n_classes, 1, run.passes, choice)
    history = [np.array(w, float) for _, w in steps]
    mean = sum(history) / len(history)
    result = run.weights_of("averaged")
    # The sum is exact; only the last division rounds, in two ways that may differ by one unit.
    assert np.allclose(result, mean, rtol=1e-6 if "32" in storage else 1e-14, atol=1e-6 if "32" in storage else 1e-13)
    total = run.weights.astype(float) * run.steps - run.lag
    assert np.array_equal(total, sum(history))


@given(problems(), choices)
def test_votes_are_those_of_all_weights(problem, choice):
    X, labels, n_classes, _ = problem
    rows, run = run_of(problem, "voted", choice)
    with_bias, _, steps = reference_steps(X, labels, n_classes, 1, run.passes, choice)
    history = [w for _, w in steps]
    votes = ballots(rows, run.own.chapters, n_classes, choice["ties"]) * run.steps
    if n_classes == 2:
        expected = [reference.voted(history, f, choice["ties"]) for f in with_bias]
    else:
        winners = [
            [reference.best_other([reference.dot(w, f) for w in W], -1, choice["ties"]) for W in history]
            for f in with_bias
        ]
        expected = [np.bincount(each, minlength=n_classes) for each in winners]
    assert np.allclose(votes, expected, rtol=0, atol=1e-9)


@given(problems(most=2), choices)
def test_the_pocket_holds_the_reference_s_weights(problem, choice):
    X, labels, _, _ = problem
    _, run = run_of(problem, "pocket", choice)
    rows, truth, steps = reference_steps(X, labels, 2, 1, run.passes, choice)
    kept = reference.pocket([0] * len(rows[0]), steps, rows, truth, choice["ties"])
    assert run.weights_of("pocket").tolist() == list(kept)


@given(problems(), choices)
def test_every_storage_gives_the_same_bits(problem, choice):
    X, labels, n_classes, _ = problem
    X = np.abs(X) % 2
    runs = [run_of((X, labels, n_classes, storage), "averaged", choice)[1] for storage in STORAGES]
    for run in runs[1:]:
        assert np.array_equal(run.weights, runs[0].weights)
        assert np.array_equal(run.lag, runs[0].lag)
        assert run.margin_bracket == runs[0].margin_bracket


@given(problems())
def test_scores_are_the_products(problem):
    X, _, n_classes, storage = problem
    rng = np.random.default_rng(0)
    shape = X.shape[1] + 1 if n_classes == 2 else (n_classes, X.shape[1] + 1)
    rows = in_storage(X, storage, 1.0)
    weights = rng.integers(-9, 9, shape).astype(np.float32 if "32" in storage else np.float64)
    expected = np.hstack([X, np.ones((len(X), 1))]) @ weights.T
    assert np.array_equal(score_rows(rows, weights), expected)


def test_each_storage_is_really_used():
    X = np.array([[0, 1, 1], [1, 0, 0]])
    kinds = [type(in_storage(X, storage, 1.0)) for storage in STORAGES]
    assert kinds == [Dense, Dense, Dense, Words, Words, Words, Words]
    assert isinstance(in_storage(X * [[1, 2, 3]], "sparse float64", 1.0), Sparse)


@pytest.mark.parametrize("storage", ["sparse float32", "sparse float64"])
def test_a_scale_per_row_stands_for_its_values(storage):
    X = np.array([[0, 2, 2, 0], [3, 3, 3, 3], [0, 0, 0, 0], [0, 0, 0, 1]])
    rows = in_storage(X, storage, 1.0)
    assert isinstance(rows, Words)
    assert rows.scales.tolist() == [2, 3, 1, 1]
    settings = Settings(weights="final", shuffle=False, tol=None, max_iter=5)
    run = learn(make_problem(rows, np.array([0, 1, 0, 1]), 2), settings)
    dense = learn(make_problem(dense_rows(X.astype(float)), np.array([0, 1, 0, 1]), 2), settings)
    assert run.weights.tolist() == dense.weights.tolist()


@settings(max_examples=30)
@given(st.integers(0, 2**64 - 1), st.integers(1, 2000))
def test_long_dense_and_sparse_rows_agree_with_numpy(seed, d):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (3, d)) * rng.integers(-100, 100, (3, d))
    weights = rng.integers(-100, 100, d + 1).astype(float)
    for storage in ("float64", "sparse float64"):
        assert np.array_equal(score_rows(in_storage(X, storage, 1.0), weights), X @ weights[:-1] + weights[-1])
