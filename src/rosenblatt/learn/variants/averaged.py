"""The mean of the weights after each visited row (Collins 2002): what they are, less the lag over the steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rosenblatt.learn.variant import Variant

if TYPE_CHECKING:
    from rosenblatt.learn.passes import Passes
    from rosenblatt.learn.run import Run


class Averaged(Variant):
    """Keeps the lag: the sum over updates of (rows visited before) * amount * signed row, by class, in float64."""

    name: ClassVar[str] = "averaged"
    lags: ClassVar[bool] = True

    def begin(self, run: Run) -> Any:
        return np.zeros(run.weights.shape)

    def scaled(self, own: Any, scale: float) -> Any:
        return None if own is None else own * scale

    def grown(self, own: Any, more: Callable[[np.ndarray], np.ndarray], places: np.ndarray) -> Any:
        return None if own is None else more(own)

    def weights(self, run: Run) -> np.ndarray:
        lag = run.lag
        return run.weights if lag is None or not run.steps else mean(run.weights, lag, run.steps)

    def weights_at_work(self, run: Run, passes: Passes) -> np.ndarray:
        weights, lag, _ = passes.at
        return passes.problem.by_class(weights if lag is None else mean(weights, lag, run.steps))

    def shares(self, late: np.ndarray, steps: int) -> np.ndarray:
        return np.asarray(1 - late / steps)


def mean(weights: np.ndarray, lag: np.ndarray, steps: int) -> np.ndarray:
    """The mean of all weights so far."""
    return np.asarray((weights - lag / steps).astype(weights.dtype))
