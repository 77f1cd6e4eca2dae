"""Verdicts about real data, where it is at hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import load_svmlight_file

from rosenblatt.proofs import Inseparable, Separable, from_json, prove


@pytest.mark.parametrize(
    ("name", "kind"),
    [("mushroom", Separable), ("a9a", Inseparable), ("reuters-acq", Separable)],
)
def test_the_verdict_and_its_certificate(data, name, kind):
    if name == "mushroom":
        table = pd.read_csv(data / "mushroom" / "mushroom_with_header.csv")
        y = table.pop("edible").to_numpy()
        X = pd.get_dummies(table).to_numpy()
    else:
        X, y = load_svmlight_file(str(data / {"a9a": "libsvm/a9a", "reuters-acq": "reuters-acq/train.dat"}[name]))
    verdict = prove(X, y)
    assert isinstance(verdict, kind)
    assert from_json(verdict.to_json()).check(X, y)
    other = X.copy()
    if sparse.issparse(X):
        other.data[0] += 1
    else:
        other[0, 0] ^= True
    with pytest.raises(ValueError, match="other data"):
        verdict.check(other, y)


def test_inseparable_without_equal_rows_on_a9a(data):
    # a9a is settled by two equal rows; without them the linear programs and the rational solution must do it.
    X, y = load_svmlight_file(str(data / "libsvm" / "a9a"))
    _, first = np.unique(X.toarray().astype(np.uint8), axis=0, return_index=True)
    verdict = prove(X[first], y[first])
    assert isinstance(verdict, Inseparable)
    assert verdict.found_by == "linear program"
    assert len(verdict.rows) <= X.shape[1] + 2
