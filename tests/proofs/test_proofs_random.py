"""Random small sets, many of them near the edge: always one proof, and always the right one."""

from __future__ import annotations

import os

import numpy as np
import pytest
from scipy.optimize import linprog

from rationals import holds, signed_rows
from rosenblatt.proofs import Inseparable, Separable, prove

BLOCKS = 100 if os.environ.get("ROSENBLATT_FAULTS") else 5  # of 100 sets each


def random_set(seed: int) -> tuple[np.ndarray, np.ndarray, bool]:
    """2 to 40 rows, 1 to 6 features, 2 to 4 classes; whole numbers or floats; with or without bias.

    Half of the sets have labels from a linear rule, and some of those rows lie on its boundary or one unit in the
    last place beside it.
    """
    r = np.random.default_rng(seed)
    n_classes = int(r.integers(2, 5))
    n, d = int(r.integers(max(2, n_classes), 41)), int(r.integers(1, 7))
    X = r.integers(-4, 5, (n, d)).astype(float) if r.random() < 0.5 else r.normal(size=(n, d))
    bias = bool(r.random() < 0.8)
    if r.random() < 0.5:
        W, b = r.integers(-3, 4, (n_classes, d)), r.integers(-2, 3, n_classes) * bias
        scores = X @ W.T + b
        order = np.sort(scores, axis=1)
        near = np.abs(order[:, -1] - order[:, -2]) < 0.5
        if r.random() < 0.5 and near.sum() < n - n_classes:
            X, scores = X[~near], scores[~near]
        y = np.argmax(scores, axis=1)
        if r.random() < 0.4:  # move some rows to where the labels change, and a hair beside it
            i, k = r.integers(len(X)), int(r.integers(len(X)))
            X = np.concatenate([X, [(X[i] + X[k]) / 2, X[i] * (1 + 2.0**-52), X[k] * (1 + 2.0**-50)]])[-40:]
            y = np.concatenate([y, [y[i], y[k], y[k]]])[-40:]
    else:
        y = r.integers(0, n_classes, n)
    if len(np.unique(y)) < 2:
        y[0], y[1] = 0, 1
    return X, y, bias


def best_margin(X, y, bias):
    """What linprog finds for: maximise t, z·w >= t for each signed row, −1 <= w <= 1."""
    Z = np.array([[float(v) for v in z] for _, _, z in signed_rows(X.tolist(), y.tolist(), bias)])
    c = np.zeros(Z.shape[1] + 1)
    c[-1] = -1
    bounds = [(-1, 1)] * Z.shape[1] + [(0, None)]
    answer = linprog(c, A_ub=np.column_stack([-Z, np.ones(len(Z))]), b_ub=np.zeros(len(Z)), bounds=bounds)
    return -answer.fun if answer.status == 0 else None


@pytest.mark.parametrize("block", range(BLOCKS))
def test_one_certificate_that_rationals_confirm_and_linprog_agrees_with(block):
    seen = set()
    for seed in range(100 * block, 100 * block + 100):
        X, y, bias = random_set(seed)
        verdict = prove(X, y, bias=bias)
        assert isinstance(verdict, Separable | Inseparable), seed
        assert holds(verdict, X.tolist(), y.tolist()), seed
        assert verdict.check(X, y), seed
        margin = best_margin(X, y, bias)
        if margin is not None and (margin > 1e-6 or isinstance(verdict, Inseparable)):
            assert isinstance(verdict, Separable) == (margin > 1e-6), seed
        seen.add((verdict.kind, verdict.found_by))
    assert {kind for kind, _ in seen} == {"separable", "inseparable"}


def test_an_opening_thinner_than_floats_is_found_by_integers():
    # Points on a parabola in the plane of 2^26-sized integers: the separator's slope needs more than 53 bits.
    base = 2**26
    X = np.array([[base, base * base - 1], [base + 1, base * base + 2 * base], [1, 0], [0, -1]], float)
    for y in ([0, 1, 1, 0], [0, 1, 0, 1], [1, 0, 0, 1]):
        verdict = prove(X, y, bias=False)
        assert holds(verdict, X.tolist(), y)
