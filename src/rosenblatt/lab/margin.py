"""The best margin of points that can be separated, between two bounds that are proved.

The best margin is the length of the shortest convex combination of the signed rows, and the combination is the best
weights. A solver proposes it in floating point; what is told are bounds that the proofs compute from its proposal.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rosenblatt.proofs.matrix import SignedRows
from rosenblatt.proofs.question import Question
from rosenblatt.proofs.verdicts import distance_up

MOST_PAIRS = 12_000
PARTS = 2**40  # multipliers are rounded to so many parts of 1


@dataclass(frozen=True)
class Best:
    """Weights by class, the constant feature last, and a bound that no margin exceeds."""

    weights: np.ndarray
    high: float


def best_margin(question: Question) -> Best | None:
    """The proposal, or None where the solver gives none or there are too many rows for it."""
    from scipy.optimize import nnls

    n, classes = len(question.truth), question.n_classes
    if n * (classes - 1) > MOST_PAIRS:
        return None
    rows = np.repeat(np.arange(n), classes - 1)
    others = np.concatenate([np.delete(np.arange(classes), true) for true in question.truth.tolist()])
    signed = _signed(question, rows, others)
    size = float(np.abs(signed).max()) or 1.0
    # Lawson and Hanson: the combination whose sum is nearest to 0 and whose multipliers sum to about 1.
    system = np.vstack([signed.T / size, np.ones(len(signed))])
    try:
        multipliers, _ = nnls(system, np.append(np.zeros(signed.shape[1]), 1.0), maxiter=20 * len(signed) + 1000)
    except RuntimeError:
        return None
    if not multipliers.sum() > 0:
        return None
    share = multipliers / multipliers.sum()
    whole = np.rint(share * PARTS).astype(np.int64)
    used = np.flatnonzero(whole)
    weights = (share @ signed).reshape(-1, question.width)
    if not question.bias:
        weights = np.concatenate([weights, np.zeros((len(weights), 1))], axis=1)
    high = distance_up(question, rows[used].tolist(), others[used].tolist(), whole[used].tolist())
    return Best(weights[0] if classes == 2 else weights, high)


def _signed(question: Question, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
    """The signed rows: y f(x), or f(x) in the block of the true class and −f(x) in that of the other."""
    plain = SignedRows(question, rows, others)
    full = np.zeros((len(rows), plain.all_columns))
    full[:, plain.columns] = plain.values if isinstance(plain.values, np.ndarray) else plain.values.toarray()
    if question.n_classes == 2:
        return full
    blocks = full.reshape(len(rows), question.n_classes - 1, question.width)
    return np.concatenate([-blocks.sum(axis=1, keepdims=True), blocks], axis=1).reshape(len(rows), -1)
