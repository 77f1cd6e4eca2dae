"""From weights to scores, from scores to classes, and the perceptron loss."""

from __future__ import annotations

import numpy as np

from rosenblatt.data.rowfile import pieces
from rosenblatt.loops.binary import binary_scores
from rosenblatt.loops.matrix import by_class
from rosenblatt.loops.multiclass import multiclass_scores
from rosenblatt.loops.rows import Rows, n_bytes, n_rows, span
from rosenblatt.loops.threads import in_threads, thread_count

PART = 2**21  # bytes of rows for which another thread is worth its start


def score_rows(rows: Rows, weights: np.ndarray) -> np.ndarray:
    """The score of each row, or with more than two classes of each row and class. Weights are by class."""
    scores = np.empty(n_rows(rows) if weights.ndim == 1 else (n_rows(rows), len(weights)), weights.dtype)
    fill_scores(rows, np.ascontiguousarray(by_class(rows, weights)), scores)
    return scores


def fill_scores(rows: Rows, weights: np.ndarray, scores: np.ndarray) -> None:
    """Fills in the score of each row, on all processors. Weights are in the layout of the rows.

    Every row has its score to itself, so that the number of threads changes no bit.
    """
    for start, stop, some in pieces(rows):
        _fill(some, weights, scores[start:stop])


def _fill(rows: Rows, weights: np.ndarray, scores: np.ndarray) -> None:
    loop = binary_scores if weights.ndim == 1 else multiclass_scores
    parts = min(thread_count(), 1 + n_bytes(rows) // PART)
    cuts = [len(scores) * part // parts for part in range(parts + 1)]

    def fill(part: int) -> None:
        loop(span(rows, cuts[part], cuts[part + 1]), weights, scores[cuts[part] : cuts[part + 1]])

    in_threads(fill, range(parts))


def classes_for(scores: np.ndarray, ties: str) -> np.ndarray:
    """The class of each row. A tie goes to the first of the tied classes, or to the last under "positive"."""
    if scores.ndim == 1:
        return (scores >= 0 if ties == "positive" else scores > 0).astype(np.intp)
    if ties == "positive":
        return scores.shape[1] - 1 - np.argmax(scores[:, ::-1], axis=1)
    return np.argmax(scores, axis=1)


def row_losses(scores: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Perceptron loss of each row: how far the best other class is ahead of the true one, or 0."""
    if scores.ndim == 1:
        return np.maximum(0, np.where(truth == 1, -scores, scores))
    own = np.take_along_axis(scores, truth[:, None], axis=1)[:, 0]
    return np.maximum(0, scores.max(axis=1) - own)
