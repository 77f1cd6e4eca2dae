"""A class that appears later: the run so far, as if all classes had been known from the beginning."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rosenblatt.learn.run import Run


def grown(weights: np.ndarray, places: np.ndarray, n_classes: int) -> np.ndarray:
    """Weights for `n_classes` classes, where those given are now of the classes in `places` and the others are 0.

    Two classes have a single vector w. The multiclass rule on the same mistakes would have made w for the second
    class and −w for the first, so these are their weights from now on.
    """
    lines = np.stack([-weights, weights]) if weights.ndim == 1 else weights
    result = np.zeros((n_classes, lines.shape[1]), lines.dtype)
    result[places] = lines
    return result


def grown_variances(variances: np.ndarray, places: np.ndarray, n_classes: int) -> np.ndarray:
    """Variances of more classes: two have one vector, which is as sure of one class as of the other; new ones are 1."""
    result = np.ones((n_classes, variances.shape[-1]))
    result[places] = variances
    return result


def with_classes(run: Run, places: np.ndarray, n_classes: int) -> Run:
    """The run with `n_classes` classes, where its own are now those in `places` and the others have weights 0."""
    places = places.astype(np.int32)

    def more(weights: np.ndarray) -> np.ndarray:
        return grown(weights, places, n_classes)

    return replace(
        run,
        weights=more(run.weights),
        start=more(run.start),
        own=run.variant.grown(run.own, more, places),
        kept=None if run.kept is None else grown_variances(run.kept, places, n_classes),
        recorded=[each.with_classes(places) for each in run.recorded],
    )
