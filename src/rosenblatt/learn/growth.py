"""A class that appears later: weights as if all classes had been known from the beginning."""

from __future__ import annotations

import numpy as np


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
