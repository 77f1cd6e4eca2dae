"""A sparse matrix whose numbers lead out of it is refused by everybody who takes one, before scipy follows them."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

from rosenblatt import NaiveBayes, Perceptron, prove, train
from rosenblatt.errors import DataError

LABELS = [0, 1, 0, 1]
USES = {
    "Perceptron.fit": lambda X: Perceptron().fit(X, LABELS),
    "Perceptron.predict": lambda X: Perceptron().fit(np.eye(4), LABELS).predict(X),
    "NaiveBayes.fit": lambda X: NaiveBayes().fit(X, LABELS),
    "NaiveBayes.predict": lambda X: NaiveBayes().fit(np.eye(4), LABELS).predict(X),
    "prove": lambda X: prove(X, LABELS),
    "train": lambda X: train(X, label=LABELS),
}


def falling_starts(X):
    X.indptr = np.array([0, 5, 2, 3, 4], np.int32)


def starts_beyond_the_end(X):
    X.indptr = np.array([0, 1, 2, 3, 400], np.int32)


def place_beyond(X):
    (X.indices if hasattr(X, "indices") else X.coords[1])[0] = 1_000_000


def place_before(X):
    (X.indices if hasattr(X, "indices") else X.coords[0])[0] = -5


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize(
    ("form", "damage"),
    [
        *((form, damage) for form in ("csr", "csc", "bsr") for damage in (falling_starts, starts_beyond_the_end)),
        *((form, damage) for form in ("csr", "csc", "bsr", "coo") for damage in (place_beyond, place_before)),
    ],
)
def test_a_damaged_matrix_is_refused(form, damage, use):
    X = scipy.sparse.eye_array(4, format=form)
    if form == "bsr":
        X = X.tobsr(blocksize=(1, 1))
    damage(X)
    with pytest.raises(DataError, match="the sparse matrix is damaged"):
        USES[use](X)
