"""Some signed rows of a question side by side, for linear algebra; and weights back from it."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from rosenblatt.loops.rows import Dense, Sparse, n_features, take
from rosenblatt.proofs.exact import whole
from rosenblatt.proofs.question import Question


class SignedRows:
    """The signed rows of given pairs (row, other class), the block of class 0 and unused columns left out.

    `values` is a dense array or a scipy CSR matrix; its numbers are those of the data, none of them rounded.
    """

    def __init__(self, question: Question, rows: Any, others: Any):
        self.question = question
        self.rows = np.asarray(rows, np.int64)
        self.others = np.asarray(others, np.int64)
        plain = _plain(question, self.rows)
        truth = question.truth[self.rows]
        if question.n_classes == 2:
            signs = np.where(truth == 1, 1.0, -1.0)
            matrix = plain * signs[:, None] if isinstance(plain, np.ndarray) else plain.multiply(signs[:, None]).tocsr()
        else:
            matrix = _blocks(plain, truth, self.others, question.n_classes)
        there = np.asarray(
            abs(matrix).max(axis=0) if isinstance(matrix, np.ndarray) else abs(matrix).max(axis=0).todense()
        )
        self.columns = np.flatnonzero(there.ravel())
        self.all_columns = matrix.shape[1]
        self.values = matrix if len(self.columns) == self.all_columns else matrix[:, self.columns]

    def whole(self) -> tuple[np.ndarray, list[Fraction]]:
        """The rows in lowest terms, as an object array of integers, and what each was multiplied by.

        Each row has its own factor, because one value of 1e-300 would give all of them a thousand digits.
        """
        dense = self.values if isinstance(self.values, np.ndarray) else self.values.toarray()
        result = np.empty(dense.shape, object)
        factors = []
        for i, line in enumerate(dense):
            numbers, scale = whole(line.tolist())
            divisor = math.gcd(*numbers) or 1
            result[i, :] = [v // divisor for v in numbers]
            factors.append(Fraction(scale, divisor))
        return result, factors

    def weights(self, vector: np.ndarray) -> np.ndarray:
        """Weights by class, the constant feature last, from one number for each column in use.

        With more than two classes the mean over the classes is taken off: no lead changes, and |w| shrinks.
        """
        question = self.question
        full = (
            np.zeros(self.all_columns, vector.dtype) if vector.dtype != object else np.full(self.all_columns, 0, object)
        )
        full[self.columns] = vector
        lines = full.reshape(question.n_classes - 1, question.width)
        lines = np.concatenate([lines[:1] * 0, lines])
        if question.n_classes > 2:
            lines = lines * question.n_classes - lines.sum(axis=0)
        if not question.bias:
            lines = np.concatenate([lines, lines[:, :1] * 0], axis=1)
        return lines[1] if question.n_classes == 2 else lines


def integer_array(numbers: list[int]) -> np.ndarray:
    """An array of Python's integers, however large."""
    result = np.empty(len(numbers), object)
    result[:] = numbers
    return result


def _plain(question: Question, which: np.ndarray) -> Any:
    """The rows f(x) with the constant feature last: an array, or a scipy matrix for sparse storages."""
    part = take(question.rows, which)
    if isinstance(part, Dense):
        values = part.values.astype(np.float64)
        return np.concatenate([values, np.ones((len(values), 1))], axis=1) if question.bias else values
    from scipy import sparse

    counts: Any = np.diff(part.starts.astype(np.int64))
    values = part.values if isinstance(part, Sparse) else np.repeat(part.scales, counts)
    arrays = values.astype(np.float64), part.columns.astype(np.int64), part.starts.astype(np.int64)
    matrix = sparse.csr_array(arrays, shape=(len(which), n_features(part)))
    if question.bias:
        matrix = sparse.hstack([matrix, np.ones((len(which), 1))], format="csr")
    matrix.eliminate_zeros()
    return matrix


def _blocks(plain: Any, truth: np.ndarray, others: np.ndarray, n_classes: int) -> Any:
    """f(x) in the block of the true class, −f(x) in that of the other; class 0 has no block."""
    from scipy import sparse

    features = sparse.csr_array(plain)
    lines = np.arange(len(truth))
    parts = []
    for c in range(1, n_classes):
        signs = np.where(truth == c, 1.0, 0.0) - np.where(others == c, 1.0, 0.0)
        parts.append(sparse.csr_array((signs, (lines, lines)), shape=(len(lines), len(lines))) @ features)
    matrix = sparse.hstack(parts, format="csr")
    matrix.eliminate_zeros()
    return matrix
