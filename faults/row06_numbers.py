"""Numbers at the edge of what a computer can hold, as features, sample weights and settings."""

from __future__ import annotations

import random
import warnings
from typing import Any

import numpy as np
from scipy import sparse

import rosenblatt
from faults.outcome import Outcome, generator
from rosenblatt import NaiveBayes, Perceptron

NUMBER = 6
FAULT = "NaN, ±inf, 1e308, 5e-324, −0.0, whole numbers past 2⁵³, values whose sums overflow"
PROMISE = "refused, or no weight, score or probability is ever non-finite; a proof is exact or refused"
SHORT, FULL = 800, 100_000
FOUND = [
    "A rate such as 1e300, alone or with a sample weight, gave infinite weights and scores (learn/bounds.py).",
    "Start weights beyond the type of the weights became infinite (learn/bounds.py).",
    "A run that began with float32 overflowed on later rows of float64, whose bounds are wider (learn/bounds.py).",
    "A margin far above the rate became infinite, so that no run could ever reach it (learn/bounds.py).",
    "Separating weights so small that their squares vanish ended in a ZeroDivisionError (learn/run.py).",
    "Rows far larger than those learned from were given infinite scores (estimators/perceptron.py, model/linear.py).",
]

EDGES = (
    float("nan"), float("inf"), float("-inf"), 1e308, -1e308, 1.7976931348623157e308, 5e-324, -5e-324, 2.2e-308,
    -0.0, 0.0,
    1e154, 1e-154, 1e200, 1e-200, 3.4e38, 1.2e-38, 2.0**53, 2.0**53 + 2, 2.0**63, -(2.0**63), 1e16, 1.0, -1.0, 0.1,
)  # fmt: skip
WHOLE = (0, 1, -1, 2**53, 2**53 + 1, -(2**53) - 1, 2**62, 2**63 - 1, -(2**63))


def run(cases: int, seed: int) -> Outcome:
    outcome, draw = Outcome(), generator(seed, NUMBER)
    kinds = (_perceptron, _perceptron, _bayes, _proof, _continued)
    for number in range(cases):
        X, y = _rows(draw)
        kind = kinds[number % len(kinds)]
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                problem = kind(X, y, draw)
        except ValueError as error:  # DataError and SettingError are ValueErrors, and so are scikit-learn's refusals
            problem = "" if str(error).strip() else "refused without a word"
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
        shown = X.toarray() if sparse.issparse(X) else X
        outcome.case(not problem, f"{kind.__name__} {problem} on {np.asarray(shown).tolist()}, {y}")
    return outcome


def _rows(draw: random.Random) -> tuple[Any, list[int]]:
    """A few rows with at least one number of the edge in them, in one of the storages that users have."""
    height, width = draw.randint(2, 6), draw.randint(1, 4)
    classes = draw.randint(2, 3)
    y = [i % classes for i in range(height)]
    if draw.random() < 0.15:
        values = np.array([[draw.choice(WHOLE) for _ in range(width)] for _ in range(height)], np.int64)
    else:
        share = draw.choice((0.1, 0.5, 1.0))
        values = np.array(
            [[draw.choice(EDGES) if draw.random() < share else draw.gauss(0, 3) for _ in range(width)] for _ in y]
        )
        if draw.random() < 0.2:
            with np.errstate(over="ignore"):
                values = values.astype(np.float32)
    return (sparse.csr_array(values) if draw.random() < 0.3 else values), y


def _perceptron(X: Any, y: list[int], draw: random.Random) -> str:
    settings = {
        "weights": draw.choice(("final", "averaged", "voted", "pocket")),
        "margin": draw.choice((0.0, 0.0, 1.0, 1e300, 5e-324)),
        "eta0": draw.choice((1.0, 1.0, 1e-300, 1e300, 0.1)),
        "ties": draw.choice(("mistake", "positive", "negative")),
    }
    known = draw.choice((None, None, [draw.choice((0.0, 1.0, 1e300, 5e-324, float("nan"))) for _ in y]))
    model = Perceptron(max_iter=draw.choice((1, 5, 50)), random_state=0, tol=None, **settings)
    model.fit(X, y, sample_weight=known)
    problem = _not_finite(model, X, learned=True)
    return f"{problem} with {settings}, weights {known}" if problem else ""


def _continued(X: Any, y: list[int], draw: random.Random) -> str:
    """A run from given weights, then over other rows and at another rate, and asked about rows it has not seen."""
    model = Perceptron(
        weights=draw.choice(("final", "averaged", "voted", "pocket")), eta0=draw.choice((1.0, 1e-300, 1e140, 1e270)),
        max_iter=draw.choice((1, 5)), random_state=0, tol=None, warm_start=True,
    )  # fmt: skip
    classes, width = len(set(y)), X.shape[1]
    start = [[draw.choice((0.0, 1.0, 1e30, 1e150, 1e308, 5e-324)) for _ in range(width)] for _ in range(classes)]
    model.fit(X, y, coef_init=draw.choice((None, start[:1] if classes == 2 else start)))
    others = np.array([[draw.choice(EDGES[3:]) for _ in range(width)] for _ in y])
    problem = _not_finite(model, X)
    for call in (model.fit, model.partial_fit):
        if draw.random() < 0.5:
            model.eta0 = draw.choice((1.0, 1e-300, 1e200))
        try:
            call(others if draw.random() < 0.5 else X, y)
        except ValueError as error:
            problem = problem or ("" if str(error).strip() else "refused without a word")
        problem = problem or _not_finite(model, X)
    return problem or _not_finite(model, others)


def _not_finite(model: Perceptron, X: Any, learned: bool = False) -> str:
    """What of a fitted model is not finite; an upper bound of the margin may be infinite, for it is then no bound.

    Rows that it has learned from must have scores; others may be refused.
    """
    if not np.isfinite(model.coef_).all() or not np.isfinite(model.intercept_).all():
        return f"weights {model.coef_.tolist()} {model.intercept_.tolist()}"
    low, high = model.margin_bracket_
    if not (np.isfinite(low) and low >= 0 and high >= 0):
        return f"margin from {low} to {high}"
    try:
        scores = model.decision_function(X)
    except ValueError as error:
        may = not learned and ("overflows" in str(error) or "contains" in str(error))
        return "" if may else f"refused to score: {error}"
    return "" if np.isfinite(scores).all() else f"scores {np.asarray(scores).tolist()}"


def _bayes(X: Any, y: list[int], draw: random.Random) -> str:
    k = draw.choice((0.0, 5e-324, 1.0, 1e300, float("inf"), float("nan"), -1.0))
    model = NaiveBayes(k=k, features=draw.choice(("auto", "binary", "counts", "categorical"))).fit(X, y)
    chances = model.predict_proba(X)
    sums = chances.sum(axis=1)
    if not np.isfinite(chances).all() or (chances < 0).any() or not np.allclose(sums, 1):
        return f"probabilities {chances.tolist()} with k = {k}"
    return ""


def _proof(X: Any, y: list[int], draw: random.Random) -> str:
    if not sparse.issparse(X) and draw.random() < 0.3:
        X = X.tolist()
    verdict = rosenblatt.prove(X, y, time_limit=5)
    verdict.check(X, y)
    return ""
