"""The weights of a perceptron as an array, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rosenblatt.errors import DataError
from rosenblatt.features import Plan
from rosenblatt.loops.rows import FLOATS
from rosenblatt.model import Linear
from rosenblatt.store.arrays import Tensors, only


def weight_contents(learner: Linear, tensors: Tensors) -> dict[str, Any]:
    """The weights go to the tensors, in 32 bits where these hold them; there are no plain values."""
    with np.errstate(over="ignore"):  # weights that a float32 cannot hold are then not equal to it
        small = learner.weights.astype(np.float32)
    exact = np.array_equal(small.astype(np.float64), learner.weights)
    tensors["weights"] = small if exact else np.ascontiguousarray(learner.weights)
    if learner.variances is not None:
        tensors["variances"] = learner.variances.astype(np.float32)
    return {}


def read_weights(plain: Mapping[str, Any], free: Tensors, plan: Plan, n_classes: int, ties: str) -> Linear:
    """The weights; DataError where they do not fit the plan and the classes."""
    only(plain, {"kind", "ties", "threshold"}, "the learner")
    weights, shape = free.pop("weights"), (plan.width + 1,)
    wanted = shape if n_classes == 2 else (n_classes, *shape)
    if weights.shape != wanted or weights.dtype not in FLOATS or not np.isfinite(weights).all():
        raise DataError(
            f"the model's weights must be finite and of shape {wanted}; got {weights.shape}. Train it again."
        )
    variances = free.pop("variances", None)
    if variances is None:
        return Linear(weights.astype(np.float64))
    if variances.shape != wanted or variances.dtype != np.float32 or not ((variances > 0) & (variances <= 1)).all():
        raise DataError(f"the model's variances must be above 0, at most 1 and of shape {wanted}. Train it again.")
    return Linear(weights.astype(np.float64), variances.astype(np.float64))
