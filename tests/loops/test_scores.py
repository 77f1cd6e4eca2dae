"""Scores that are given out have one order of sums: reference, compiled loops and Python find the same bits."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt.estimators import Perceptron
from rosenblatt.learn.decide import score_rows
from rosenblatt.learn.explain import explain
from rosenblatt.loops import compile as compiling
from rosenblatt.loops.lanes import lane_sums
from rosenblatt.loops.rows import Dense, Rows, Sparse, Words, n_rows
from rosenblatt.loops.scores import binary_scores, multiclass_scores
from rosenblatt.reference import scores as reference

FLOATS = st.sampled_from(["float32", "float64"])


def numbers(rng: np.random.Generator, shape, kind: str) -> np.ndarray:
    """Numbers of very different sizes, so that every other order, and every fused product, shows in the last bits."""
    return (rng.standard_normal(shape) * 10.0 ** rng.integers(-3, 4, shape)).astype(kind)


@st.composite
def questions(draw):
    """Rows in a storage, and weights by class."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, d, classes = draw(st.integers(1, 4)), draw(st.integers(1, 70)), draw(st.sampled_from([2, 3, 4, 5, 6, 7, 10]))
    kind, bias, value = draw(FLOATS), float(draw(st.integers(0, 1))), draw(FLOATS)
    weights = numbers(rng, d + 1 if classes == 2 else (classes, d + 1), kind)
    storage = draw(st.sampled_from(["dense", "bytes", "sparse", "words"]))
    if storage == "dense":
        return Dense(numbers(rng, (n, d), value), bias), weights
    if storage == "bytes":
        return Dense(rng.integers(0, 256, (n, d), np.uint8), bias), weights
    chosen = [np.flatnonzero(rng.random(d) < rng.random()) for _ in range(n)]
    starts = np.cumsum([0, *map(len, chosen)]).astype(np.uint64)
    columns = np.concatenate(chosen).astype(np.uint32)
    if storage == "sparse":
        return Sparse(starts, columns, numbers(rng, len(columns), value), d, bias), weights
    return Words(starts, columns, numbers(rng, n, value), d, bias), weights


def by_reference(rows: Rows, i: int, weights: np.ndarray) -> float:
    """The score of row i, rounded to the type of the weights as `score_rows` gives it out."""
    own, bias = weights.dtype.type, weights.dtype.type(rows.bias)
    if isinstance(rows, Dense):
        kind = own if rows.values.dtype == np.uint8 else np.result_type(rows.values, weights).type
        return own(reference.dense([kind(v) for v in rows.values[i]], weights, bias, kind(0)))
    part = slice(int(rows.starts[i]), int(rows.starts[i + 1]))
    columns = rows.columns[part].tolist()
    if isinstance(rows, Words):
        return own(reference.words(columns, rows.scales[i], weights, bias, own(0)))
    kind = np.result_type(rows.values, weights).type
    return own(reference.sparse(columns, rows.values[part], weights, bias, kind(0)))


def in_python(rows: Rows, weights: np.ndarray) -> np.ndarray:
    laid = weights if weights.ndim == 1 or isinstance(rows, Dense) else np.ascontiguousarray(weights.T)
    scores = np.empty(n_rows(rows) if weights.ndim == 1 else (n_rows(rows), len(weights)), weights.dtype)
    (binary_scores if weights.ndim == 1 else multiclass_scores).function(rows, laid, scores)
    return scores


@given(questions())
def test_reference_compiled_loops_and_python_agree_to_the_bit(question):
    rows, weights = question
    expected = np.array([[by_reference(rows, i, line) for line in np.atleast_2d(weights)] for i in range(n_rows(rows))])
    expected = expected[:, 0] if weights.ndim == 1 else expected
    assert score_rows(rows, weights).tobytes() == expected.tobytes()
    assert in_python(rows, weights).tobytes() == expected.tobytes()


def test_no_product_is_fused_with_a_sum():
    """x² and -x² in one lane, or in one part: fused, what rounding took from x² would be left over."""
    x = 1 + 2.0**-30
    assert Fraction(x * x) != Fraction(x) ** 2
    values, weights = np.array([x, *[0] * 7, -x, 0, 0, 0]), np.array([x, *[0] * 7, x, *[0] * 4])
    sparse = Sparse(np.array([0, 12], np.uint64), np.arange(12, dtype=np.uint32), values, 12, 1.0)
    for rows in (Dense(values[np.newaxis], 1.0), sparse):
        assert score_rows(rows, weights).tolist() == [0.0]
        assert score_rows(rows, np.array([weights] * 3)).tolist() == [[0.0] * 3]
    weights = np.array([x, -x * x])  # the scale of a row of words, and the constant
    words = Words(np.array([0, 1], np.uint64), np.zeros(1, np.uint32), np.array([x]), 1, 1.0)
    assert score_rows(words, weights).tolist() == [0.0]
    assert score_rows(words, np.array([weights] * 3)).tolist() == [[0.0] * 3]


@pytest.mark.parametrize("size", range(20))
def test_lanes_of_every_length(size):
    x, w = numbers(np.random.default_rng(size), (2, size), "float64")
    assert lane_sums(x[np.newaxis], 0, w, (0,))[0] == reference.dense(x.tolist(), [*w.tolist(), 0.0], 0.0)


def test_an_explanation_gives_out_the_score_itself():
    rng = np.random.default_rng(0)
    for classes in (2, 3):
        X, y = numbers(rng, (60, 11), "float64"), np.arange(60) % classes
        model = Perceptron(max_iter=3, random_state=0).fit(X, y)
        for x in X[:9]:
            given_out = np.atleast_1d(model.decision_function([x])[0])
            told = model.explain(x)
            assert told.scores.tobytes() == given_out.tobytes()
            assert np.allclose(told.contributions.sum(axis=1) + told.bias, given_out, rtol=1e-9)
    row = Dense(np.array([[0.1, 0.2]]), 1.0)
    assert explain(row, np.array([1.0, 2, 3]), np.array([7.0]), ["a", "b"], [0, 1], 1).scores.tolist() == [7.0]


def test_a_loop_with_little_to_do_waits_with_the_compiler(monkeypatch):
    asked = []
    loop = compiling.loop_of(len)(lambda values: asked.append(len(values)))
    monkeypatch.setattr(compiling, "LOADED", 10)  # the compiler is loaded, by this test if by no other
    compiling.expect_much()
    loop(np.zeros(4))
    loop(np.zeros(6))
    assert (asked, loop.made) == ([4, 6], None)
    monkeypatch.setattr(compiling.Loop, "compiled", property(lambda self: lambda values: "compiled"))
    assert loop(np.zeros(1)) == "compiled"
    assert compiling.Loop(len, compiling.IN_ORDER, None)(np.zeros(1)) == "compiled"
