"""Kernels: reference and compiled loops give the same list and the same bits, for every storage and kernel."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from rosenblatt.learn.kernel.choice import make_kernel
from rosenblatt.learn.kernel.run import learn_kernel
from rosenblatt.learn.problem import make_problem
from rosenblatt.learn.settings import Settings
from rosenblatt.loops.compile import loop
from rosenblatt.loops.exponential import exponential
from rosenblatt.loops.rows import dense_rows, sparse_rows
from rosenblatt.reference import kernel as reference

STORAGES = ("uint8", "float32", "float64", "sparse float64", "words float64")
KERNELS = {
    "poly": lambda x, z: reference.poly(x, z, 3, 0.37, 1.25),
    "rbf": lambda x, z: reference.rbf(x, z, 0.37),
    "rbf with a bias": lambda x, z: reference.rbf(x, z, 0.37, 0.75),
    "cosine": lambda x, z: reference.cosine(x, z, 3),
    "cosine with a bias": lambda x, z: reference.cosine(x, z, 3, 0.75),
}


@loop
def exponentials(numbers, found):
    for k in range(len(numbers)):
        found[k] = exponential(numbers[k])


def in_storage(X: np.ndarray, storage: str):
    kind, _, dtype = storage.rpartition(" ")
    if not kind:
        return dense_rows(X.astype(dtype), 0.0)
    matrix = sparse.csr_array(X.astype(dtype))
    return sparse_rows(matrix.indptr, matrix.indices, matrix.data, X.shape[1], 0.0)


def run_of(X, y, n_classes, storage, kernel, amounts=None, **chosen):
    problem = make_problem(in_storage(X, storage), np.asarray(y, np.int32), n_classes, amounts)
    name, bias = kernel.partition(" ")[0], 0.75 if "bias" in kernel else 0.0
    made = lambda squares: make_kernel(name, 3, 0.37, 1.25, problem.rows, squares, bias)  # noqa: E731
    return learn_kernel(problem, Settings(**{"tol": None, "shuffle": False, "record": True, **chosen}), made)


def listed(run) -> list[tuple[int, int, int]]:
    found = run.updates_list
    return list(zip(run.numbers[found.which].tolist(), found.gains.tolist(), found.loses.tolist(), strict=True))


def test_the_exponential_is_that_of_the_reference_and_within_two_units_of_the_library():
    numbers = -np.concatenate(
        [np.linspace(0, 50, 4001), np.logspace(-300, 2.8495, 999), [0.0, 707.9, 708.0, 708.1, 1e300]]
    )
    found = np.empty_like(numbers)
    exponentials(numbers, found)
    assert found.tolist() == [reference.exponential(x) for x in numbers.tolist()]
    for x, value in zip(numbers.tolist(), found.tolist(), strict=True):
        expected = math.exp(x)
        assert x < -708 or abs(value - expected) <= 2 * math.ulp(expected)
    assert found[-2:].tolist() == [0.0, 0.0]


@st.composite
def problems(draw):
    storage = draw(st.sampled_from(STORAGES))
    n_classes = draw(st.integers(2, 4))
    n, d = draw(st.integers(n_classes, 12)), draw(st.sampled_from([1, 2, 3, 5, 7, 40]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    whole = draw(st.booleans())
    if storage in ("uint8", "words float64"):
        X = rng.integers(0, 2 if storage.startswith("words") else 256, (n, d)).astype(float)
    else:
        X = rng.integers(-9, 10, (n, d)).astype(float) if whole else rng.standard_normal((n, d)).astype(np.float32)
    return X.astype(np.float64), rng.integers(0, n_classes, n), n_classes, storage


@given(
    problems(),
    st.sampled_from(sorted(KERNELS)),
    st.sampled_from(["mistake", "positive", "negative"]),
    st.sampled_from([0.0, 0.5]),
    st.booleans(),
)
@settings(deadline=None)
def test_the_list_every_score_and_every_vote_are_those_of_the_reference(problem, kernel, ties, margin, heavy):
    X, y, n_classes, storage = problem
    amounts = np.arange(1, len(y) + 1) / 4 if heavy else None
    run = run_of(X, y, n_classes, storage, kernel, amounts, ties=ties, margin=margin, max_iter=4)
    rows, weights = X.tolist(), None if amounts is None else amounts.tolist()
    gram = [[KERNELS[kernel](x, z) for z in rows] for x in rows]
    updates: list[tuple[int, int, int]] = []
    for _ in range(run.passes):
        updates = reference.kernel_pass(gram, y.tolist(), range(len(y)), updates, n_classes, ties, margin, weights)
    assert listed(run) == updates
    for i in range(len(y)):
        expected = reference.kernel_scores(gram, updates, i, n_classes, weights)
        assert run.scores[:, i].tolist() == (expected[1:] if n_classes == 2 else expected)
    steps, befores = len(y) * run.passes, run.updates_list.befores.tolist()
    factors = reference.averaged_factors(befores, steps)
    made = [1 if weights is None else weights[row] for row, _, _ in updates]
    assert run.factors("averaged").tolist() == [a * b for a, b in zip(made, factors, strict=True)]
    if not updates:
        return
    votes = run.ballot.votes(run.support(run.rows), in_storage(X, storage))
    for i in range(len(y)):
        won = reference.kernel_votes(gram, updates, befores, steps, i, n_classes, ties, weights)
        expected = (won[1] - won[0]) / steps if n_classes == 2 else [each / steps for each in won]
        assert votes[i].tolist() == expected


@pytest.mark.parametrize("kernel", sorted(KERNELS))
@pytest.mark.parametrize("kind", ["whole", "real"])
def test_storages_and_threads_change_no_bit(kernel, kind):
    rng = np.random.default_rng(3)
    X = rng.integers(0, 9, (1500, 60)) * (rng.random((1500, 60)) < 0.4)
    X = X.astype(float) if kind == "whole" else X * 0.37
    y = (X[:, 0] + X[:, 1] * X[:, 2] > np.median(X[:, 0] + X[:, 1] * X[:, 2])).astype(int) + (X[:, 3] > 5)
    storages = ["float64", "sparse float64", *(["uint8", "float32"] if kind == "whole" else [])]
    chosen = {"shuffle": True, "max_iter": 4, "margin": 0.1}
    first, *others = [
        run_of(X, y, 3, storage, kernel, n_jobs=jobs, **chosen) for storage in storages for jobs in (1, 3)
    ]
    for other in others:
        assert listed(other) == listed(first)
        assert other.scores.tobytes() == first.scores.tobytes()
        assert other.margin_bracket == first.margin_bracket


def test_products_that_need_more_than_32_bits_are_exact():
    X = np.array([[30000.0] * 40, [-30000.0] * 40, [29999.0, *[30000.0] * 39]])
    run = run_of(X, [0, 1, 1], 2, "float64", "poly", max_iter=1)
    assert run.exact
    assert run.facts.longest > 2**31
    assert run.scores.tolist() == run_of(X, [0, 1, 1], 2, "sparse float64", "poly", max_iter=1).scores.tolist()
    assert not run_of(X * 1e5, [0, 1, 1], 2, "float64", "poly", max_iter=1).exact
