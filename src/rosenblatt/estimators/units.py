"""`AssociationUnits`: Rosenblatt's own machine as a transformer, before any classifier of 0/1 rows."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import Tags, check_random_state
from sklearn.utils.validation import check_is_fitted

from rosenblatt.data.matrices import csr_of
from rosenblatt.estimators.callbacks import FitTask, TakesCallbacks, with_callbacks
from rosenblatt.estimators.input import all_at_once, held, read_rows
from rosenblatt.features.units import Units, make_units
from rosenblatt.learn.problem import check_finite
from rosenblatt.learn.settings import check_seed, whole


class AssociationUnits(TakesCallbacks, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Rows of numbers to sparse rows of 0 and 1: fixed units, each wired to a few columns, that are on or off.

    A unit adds up `fan_in` columns with random signs, and is on where the sum is above its threshold. Wires and
    thresholds come from the hash of a seed; of the rows only the mean and the variance of each column count. A
    perceptron on the units draws curves, stays linear, streamable and provable, and keeps no training rows.

    Parameters
    ----------
    n_units : int, default=2000
        How many units. More follow finer curves and take longer.
    fan_in : int, default=16
        Wires of each unit.
    random_state : int, RandomState or None, default=0
        The seed of the wires and thresholds.

    Attributes
    ----------
    units_ : Units
        Wires and thresholds.

    Examples
    --------
    >>> from rosenblatt import AssociationUnits, Perceptron
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "yes", "yes", "no"]
    >>> units = AssociationUnits(50, fan_in=2).fit(X)
    >>> model = Perceptron(random_state=0).fit(units.transform(X), y)
    >>> model.stopped_, model.predict(units.transform(X))
    ('separated', array(['no', 'yes', 'yes', 'no'], dtype='<U3'))
    """

    def __init__(self, n_units: int = 2000, fan_in: int = 16, random_state: Any = 0):
        self.n_units = n_units
        self.fan_in = fan_in
        self.random_state = random_state

    units_: Units

    @with_callbacks
    def fit(self, X: Any, y: Any = None) -> Self:
        """Draws the units for rows like X, and returns itself."""
        task = FitTask.begin(self, X, y, None)
        with all_at_once(self) as new:
            whole("n_units", new.n_units, 1)
            whole("fan_in", new.fan_in, 1)
            if isinstance(new.random_state, int | np.integer):
                seed = int(new.random_state)
                check_seed("random_state", seed)
            else:
                seed = int(check_random_state(new.random_state).randint(2**31))
            rows = read_rows(new, X, bias=0.0, reset=True)
            check_finite(rows)
            new.units_ = make_units(rows, int(new.n_units), int(new.fan_in), seed)
        if task is not None:
            task.end()
        return self

    def transform(self, X: Any) -> Any:
        """A sparse matrix with a 1 for each unit that is on."""
        self = held(self)
        check_is_fitted(self)
        rows = read_rows(self, X, bias=0.0)
        check_finite(rows)
        return csr_of(self.units_.encode(rows))

    @property
    def _n_features_out(self) -> int:
        return len(self.units_.thresholds)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
