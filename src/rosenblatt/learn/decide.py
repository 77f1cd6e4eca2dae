"""From weights to scores, from scores to classes, and the perceptron loss."""

from __future__ import annotations

import numpy as np

from rosenblatt.data.rowfile import pieces
from rosenblatt.loops.binary import binary_scores
from rosenblatt.loops.matrix import by_class
from rosenblatt.loops.multiclass import multiclass_scores
from rosenblatt.loops.rows import Rows, n_rows


def score_rows(rows: Rows, weights: np.ndarray) -> np.ndarray:
    """The score of each row, or with more than two classes of each row and class. Weights are by class."""
    scores = np.empty(n_rows(rows) if weights.ndim == 1 else (n_rows(rows), len(weights)), weights.dtype)
    loop = binary_scores if weights.ndim == 1 else multiclass_scores
    laid_out = np.ascontiguousarray(by_class(rows, weights))
    for start, stop, some in pieces(rows):
        loop(some, laid_out, scores[start:stop])
    return scores


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
