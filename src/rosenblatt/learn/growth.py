"""A class that appears later: the run so far, as if all classes had been known from the beginning."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rosenblatt.learn.run import Run


def with_classes(run: Run, places: np.ndarray, n_classes: int) -> Run:
    """The run with `n_classes` classes, where its own are now those in `places` and the others have weights 0.

    Two classes have a single vector w. The multiclass rule on the same mistakes would have made w for the second
    class and −w for the first, so these are their weights from now on.
    """

    def grown(weights: np.ndarray) -> np.ndarray:
        lines = np.stack([-weights, weights]) if weights.ndim == 1 else weights
        result = np.zeros((n_classes, lines.shape[1]), lines.dtype)
        result[places] = lines
        return result

    places = places.astype(np.int32)
    return replace(
        run,
        weights=grown(run.weights),
        start=grown(run.start),
        lag=None if run.lag is None else grown(run.lag),
        notes=[replace(each, rivals=places[each.rivals]) for each in run.notes],
        chapters=[each.with_classes(grown(each.start), places) for each in run.chapters],
        pocket=None if run.pocket is None else replace(run.pocket, weights=grown(run.pocket.weights)),
    )
