"""The theorems of the notes, on random sets: the mistake bound, the bracket, one certificate, and merging."""

from __future__ import annotations

import numpy as np
from scipy.optimize import nnls

from faults.outcome import Outcome
from rosenblatt import NaiveBayes, Perceptron, prove
from rosenblatt.proofs import Inseparable, Separable

NUMBER = 12
FAULT = (
    "mistakes ≤ (R² + 2τ/α)/γ²; the bracket contains γ for any start, rate, weights and threshold; "
    "exactly one certificate; merging shards and counts is exact"
)
PROMISE = "no violation"
SHORT, FULL = 400, 100_000
FOUND: list[str] = []
ROUNDING = 1e-9


def run(cases: int, seed: int) -> Outcome:
    outcome = Outcome()
    tries = (_bound_and_certificate, _bracket, _shards, _counts)
    for number in range(cases):
        draw = np.random.default_rng([seed, NUMBER, number])
        attempt = tries[number % len(tries)]
        problem = attempt(draw)
        outcome.case(not problem, f"{attempt.__name__}, set {number}: {problem}")
    return outcome


def _table(draw: np.random.Generator, most: int = 12) -> tuple[np.ndarray, np.ndarray, int]:
    n_classes = int(draw.integers(2, 5))
    n, d = int(draw.integers(n_classes, most + 1)), int(draw.integers(1, 5))
    X = draw.integers(-4, 5, (n, d)).astype(float)
    if draw.random() < 0.6:  # labels of a linear rule, so that many sets can be separated
        truth = np.argmax(X @ draw.integers(-3, 4, (d, n_classes)) + draw.integers(-2, 3, n_classes), axis=1)
    else:
        truth = draw.integers(0, n_classes, n)
    truth[:n_classes] = np.arange(n_classes)
    return X, truth, n_classes


def signed(X: np.ndarray, truth: np.ndarray, n_classes: int) -> np.ndarray:
    """One row for each row and other class: f(x) in the block of the true class, −f(x) in the other's."""
    f = np.hstack([X, np.ones((len(X), 1))])
    if n_classes == 2:
        return f * np.where(truth == 1, 1, -1)[:, None]
    z = np.zeros((len(X), n_classes, n_classes, f.shape[1]))
    for other in range(n_classes):
        z[np.arange(len(X)), other, truth] += f
        z[:, other, other] -= f
    keep = np.arange(n_classes)[None, :] != truth[:, None]
    return z[keep].reshape(int(keep.sum()), -1)


def margin_of(z: np.ndarray) -> float:
    """The length of the shortest convex combination of the signed rows (Lawson and Hanson, least distance)."""
    multipliers, _ = nnls(np.vstack([z.T, np.ones(len(z))]), np.append(np.zeros(z.shape[1]), 1.0), maxiter=10_000)
    return float(np.linalg.norm(z.T @ (multipliers / multipliers.sum())))


def _bound_and_certificate(draw: np.random.Generator) -> str:
    X, truth, n_classes = _table(draw)
    verdict = prove(X, truth)
    if not isinstance(verdict, Separable | Inseparable):
        return f"no certificate but {verdict.kind}"
    verdict.check(X, truth)
    z = signed(X, truth, n_classes)
    gamma = margin_of(z)
    if isinstance(verdict, Inseparable):
        return "" if gamma < 1e-6 else f"called inseparable, but the margin is {gamma}"
    if verdict.margin > gamma + ROUNDING:
        return f"proved margin {verdict.margin} above the true {gamma}"
    margin, rate = float(draw.choice([0.0, 1.0, 5.0])), float(draw.choice([0.5, 1.0, 3.0]))
    radius = float(np.linalg.norm(z, axis=1).max())
    bound = (radius**2 + 2 * margin / rate) / max(gamma, 1e-300) ** 2
    if bound > 200_000:
        return ""  # too thin to wait for
    model = Perceptron(weights="final", margin=margin, eta0=rate, tol=None, max_iter=10**6, random_state=0)
    model.fit(X, truth)
    if model.stopped_ != "separated":
        return f"did not separate but stopped: {model.stopped_}"
    return "" if model.n_updates_ <= bound * (1 + ROUNDING) else f"{model.n_updates_} updates, bound {bound}"


def _bracket(draw: np.random.Generator) -> str:
    X, truth, n_classes = _table(draw, 8)
    lines = 1 if n_classes == 2 else n_classes
    start = draw.integers(-3, 4, (lines, X.shape[1] + 1)).astype(float)
    model = Perceptron(
        weights="final",
        ties=str(draw.choice(["mistake", "positive", "negative"])),
        margin=float(draw.choice([0.0, 2.0])),
        eta0=float(draw.choice([0.5, 1.0, 4.0])),
        max_iter=int(draw.integers(1, 40)),
        tol=None,
        random_state=0,
        shards=int(draw.integers(1, 4)),
    ).fit(
        X,
        truth,
        coef_init=start[:, 1:],
        intercept_init=start[:, 0],
        sample_weight=draw.choice([0.25, 1.0, 3.0], len(X)),
    )
    low, high = model.margin_bracket_
    gamma = margin_of(signed(X, truth, n_classes))
    return "" if low <= gamma + ROUNDING and high >= gamma - ROUNDING else f"{low} to {high} without {gamma}"


def _shards(draw: np.random.Generator) -> str:
    """The number of threads changes no bit, and one shard is the plain rule."""
    X, truth, _ = _table(draw)
    shards = int(draw.integers(2, 6))
    settings = dict(weights="averaged", max_iter=5, tol=None, random_state=int(draw.integers(1000)), shards=shards)
    one, two = (Perceptron(n_jobs=jobs, **settings).fit(X, truth) for jobs in (1, 2))
    same = np.array_equal(one.coef_, two.coef_) and one.margin_bracket_ == two.margin_bracket_
    return "" if same else f"{shards} shards differ on one and two threads"


def _counts(draw: np.random.Generator) -> str:
    """Naive Bayes of parts, merged in any order, is naive Bayes of the whole."""
    X, truth, n_classes = _table(draw, 12)
    X = np.abs(X)
    k = float(draw.choice([0.0, 0.5, 1.0]))
    whole = NaiveBayes(k=k, features="counts").fit(X, truth)
    cuts = np.sort(draw.integers(0, len(X) + 1, 2))
    parts = [
        NaiveBayes(k=k, features="counts").partial_fit(X[rows], truth[rows], classes=np.arange(n_classes))
        for rows in np.split(np.arange(len(X)), cuts)
        if len(rows)
    ]
    order = draw.permutation(len(parts))
    merged = parts[order[0]]
    for other in order[1:]:
        merged = merged.merge(parts[other])
    same = np.array_equal(whole.predict_log_proba(X), merged.predict_log_proba(X), equal_nan=True)
    return "" if same else "merged counts give other probabilities"
