"""NaiveBayes: scikit-learn's interface to the counts in `learn`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from rosenblatt.data.door import Frame, read_frame, read_one_row
from rosenblatt.data.door_labels import read_labels
from rosenblatt.data.listed import BITS
from rosenblatt.errors import DataError
from rosenblatt.estimators.callbacks import FitTask, TakesCallbacks, with_callbacks
from rosenblatt.estimators.input import all_at_once, held, labels_for
from rosenblatt.features import Matrix
from rosenblatt.learn.cells import encode
from rosenblatt.learn.counts import Counts
from rosenblatt.learn.decide import Decision
from rosenblatt.learn.merging import merge, recast, union_classes
from rosenblatt.learn.odds import Explanation, explain
from rosenblatt.learn.smoothing import check_strength, log_posterior, log_priors
from rosenblatt.learn.tables import Tables
from rosenblatt.learn.tuning import check_grid, tune
from rosenblatt.loops.rows import Rows
from rosenblatt.model.bayes import Bayes, as_cells
from rosenblatt.model.columns import column_cells, count
from rosenblatt.traces.bayes import trace_cells


class NaiveBayes(TakesCallbacks, ClassifierMixin, BaseEstimator):
    """Naive Bayes over presence, word counts, categories and binned numbers, all in one table.

    The fitted state is integer counts. Probabilities are derived from them when they are asked for, so `k` and
    `priors` may be changed at any time without fitting again, and models of parts of the data can be merged.

    Parameters
    ----------
    k : float, default=1
        Laplace strength, from 0 (maximum likelihood) to infinity (uniform).
    features : str, list or dict, default="auto"
        What the columns are: "auto", "binary", "categorical", "counts", "bins", or a list of cuts; one for all columns,
        a list with one for each, or a mapping from names or numbers of columns, the others being "auto".
    priors : None, "smoothed", "uniform", sequence or dict, default=None
        P(y): relative class counts, those smoothed by k, all the same, or probabilities in the order of `classes_` or
        by class.

    Attributes
    ----------
    counts_ : Counts
        How many rows of each class have each value: all that is learned.
    classes_ : array
        The classes in sorted order.
    class_count_ : array
        Rows of each class.
    tuning_ : Tuning
        The accuracy of every k that `tune` looked at.

    Examples
    --------
    >>> from rosenblatt import NaiveBayes
    >>> X = [["sunny", "hot"], ["rain", "mild"], ["rain", "hot"], ["sunny", "mild"]]
    >>> model = NaiveBayes(k=1).fit(X, ["stay", "go", "stay", "go"])
    >>> model.predict([["rain", "mild"]]), model.predict_proba([["rain", "mild"]]).round(2)
    (array(['go'], dtype='<U4'), array([[0.75, 0.25]]))
    """

    def __init__(self, k: Any = 1.0, features: Any = "auto", priors: Any = None) -> None:
        self.k = k
        self.features = features
        self.priors = priors

    @with_callbacks
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> NaiveBayes:
        """Counts the rows of X, forgetting those counted before."""
        task = FitTask.begin(self, X, y, sample_weight)
        k = check_strength(self.k)
        frame, labels, weights = _read(X, y, sample_weight)
        counts = count(frame, labels, self.features, weights)
        log_priors(self.priors, counts, k)
        self._keep(counts)
        if task is not None:
            task.end()
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> NaiveBayes:
        """Adds the rows of X to the counts; columns stay what they are, new values and classes are taken in."""
        check_strength(self.k)
        frame, labels, weights = _read(X, y, sample_weight)
        before: Counts | None = getattr(self, "counts_", None)
        counts = count(frame, labels, self.features, weights, None if before is None else before.schema)
        if before is not None:
            counts = merge(before, counts)
        if classes is not None:
            counts = recast(counts, counts.schema, union_classes(counts.classes, read_labels(classes).values))
        return self._keep(counts)

    def merge(self, other: NaiveBayes) -> NaiveBayes:
        """Adds the counts of another fitted model, as if its rows had been counted here."""
        if not isinstance(other, NaiveBayes):
            raise DataError(f"merge takes another NaiveBayes; got {type(other).__name__}.")
        check_is_fitted(self)
        check_is_fitted(other)
        return self._keep(merge(self.counts_, other.counts_))

    def predict(self, X: Any) -> np.ndarray:
        """The class of the highest probability for each row, the first in sorted order among equals."""
        self = held(self)
        codes = Decision().decide(self._scores(X))
        return self.classes_[codes]

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """log P(y | row) for each row and each of `classes_`, -inf where a class is impossible."""
        return log_posterior(self._scores(X))

    def predict_proba(self, X: Any) -> np.ndarray:
        """P(y | row) for each row and each of `classes_`."""
        return np.exp(self.predict_log_proba(X))

    def tune(self, X_val: Any, y_val: Any, grid: Iterable[Any] | None = None) -> NaiveBayes:
        """Sets k to the value of the grid with the highest accuracy on these rows, the lowest among equals.

        The accuracy of every k stays in `tuning_`. All values share one pass over the rows.
        """
        check_is_fitted(self)
        ks, counts = check_grid(grid), self.counts_
        frame, labels, _ = _read(X_val, y_val, None)
        known = {y: c for c, y in enumerate(counts.classes.tolist())}
        truth = np.array([known.get(y, -1) for y in labels.tolist()], np.int64)
        rows = encode(frame, counts.schema)
        self.tuning_ = tune(rows, truth, counts, self.priors, ks)
        self.k = self.tuning_.best
        return self

    def tables(self) -> Tables:
        """P(value | class) of every feature as a data frame, and the size of the model beside the full joint table."""
        self = held(self)
        check_is_fitted(self)
        bayes = self._bayes()
        return Tables(self.counts_, bayes.k, bayes.log_priors)

    def explain(self, x: Any, against: Any = None) -> Explanation:
        """The log-odds of the predicted class over another (the runner-up) as a sum over what the row x holds.

        Its `factors` are the products for every class: prior, each factor, product and P(y | row).
        """
        self = held(self)
        check_is_fitted(self)
        frame, counts = read_one_row(x), self.counts_
        row, bayes = encode(frame, counts.schema), self._bayes()
        factors = trace_cells(row, counts, bayes.k, self.priors, counts.schema.label)
        return explain(counts.classes.tolist(), bayes.log_priors, self._scores(frame)[0], against, factors)

    @property
    def features_(self) -> dict[str | int, Any]:
        """What each column is, in the form that the parameter `features` takes."""
        check_is_fitted(self)
        schema = self.counts_.schema
        keys = range(schema.n_columns) if schema.names is None else schema.names
        return {key: "binary" if kind == BITS else kind for key, kind in zip(keys, schema.kinds(), strict=True)}

    def _keep(self, counts: Counts, over: str = "") -> NaiveBayes:
        """Takes over the counts, now that nothing can fail any more; `over` is what those of a trained model count."""
        schema = counts.schema
        with all_at_once(self) as new:
            new.counts_, new.classes_, new.class_count_ = counts, counts.classes, counts.rows
            new.n_features_in_ = schema.n_columns
            if schema.names is not None:
                new.feature_names_in_ = np.array(schema.names, dtype=object)
            elif hasattr(new, "feature_names_in_"):
                del new.feature_names_in_
            new._kept, new._over = {}, over
        return self

    def _scores(self, X: Any) -> np.ndarray:
        self = held(self)
        check_is_fitted(self)
        return self._bayes().settled(self._cells(X))

    def _cells(self, X: Any) -> Rows:
        """X as rows over the cells that are counted; what a plan encoded is read as its model reads it."""
        schema = self.counts_.schema
        if isinstance(X, Matrix) and self._over == "columns":
            return column_cells(X.plan, X.table, schema)
        if isinstance(X, Matrix) and self._over == "matrix":
            return as_cells(X.rows, bool(len(schema.counted)))
        return encode(read_frame(X), schema)

    def _bayes(self) -> Bayes:
        """The counts with the present k and priors; kept with their weights until one of these changes."""
        bayes = Bayes(self.counts_, check_strength(self.k), self._over, self.priors)
        key = (bayes.k, bayes.log_priors.tobytes())
        if key not in self._kept:
            self._kept.clear()
            self._kept[key] = bayes
        return self._kept.get(key, bayes)

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        return {**state, "_kept": {}} if "_kept" in state else state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def _read(X: Any, y: Any, sample_weight: Any) -> tuple[Frame, np.ndarray, np.ndarray | None]:
    """The table, the labels and the weights, checked."""
    frame = read_frame(X)
    labels = labels_for(y, frame.n_rows)
    return frame, labels, None if sample_weight is None else _weights_of(sample_weight, frame.n_rows)


def _weights_of(sample_weight: Any, n_rows: int) -> np.ndarray:
    weights = np.asarray(sample_weight, np.float64)
    if weights.ndim == 0:
        weights = np.full(n_rows, float(weights))
    if weights.shape != (n_rows,):
        raise DataError(f"sample_weight has shape {weights.shape}; give one weight for each of the {n_rows} rows.")
    if not (np.isfinite(weights).all() and (weights >= 0).all()):
        raise DataError("sample_weight must be finite and not negative. Leave out rows that are not to count.")
    return weights
