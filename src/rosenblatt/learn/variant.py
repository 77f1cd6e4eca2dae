"""What a variant is: which weights of a run decide. One file in `learn/variants/` and one line in its table each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rosenblatt.loops.ties import bounds

if TYPE_CHECKING:
    from rosenblatt.learn.passes import Passes
    from rosenblatt.learn.problem import Problem
    from rosenblatt.learn.recording import Recording
    from rosenblatt.learn.run import Run


class Variant:
    """Which weights decide, and what is kept for them beside the last ones: `run.own`, plain values and arrays."""

    name: ClassVar[str]
    last: ClassVar[bool] = False  # it is the last weights themselves
    lags: ClassVar[bool] = False  # it is a mean, for which passes add up the lag: all that it keeps
    single: ClassVar[bool] = False  # it follows one sequence of weights of its own: no shards, no state to be kept
    votes: ClassVar[bool] = False  # many weights decide, so that there is no one set of them

    def begin(self, run: Run) -> Any:
        """What is kept before the first step."""
        return None

    def look_anew(self, run: Run, problem: Problem) -> Any:
        """What is kept where the rows to come are others than before, or the first."""
        return run.own

    def continued(self, own: Any) -> Any:
        """What a continuation keeps, so that the run before it stays as it is."""
        return own

    def scaled(self, own: Any, scale: float) -> Any:
        """What is kept where all weights are multiplied by a scale."""
        return own

    def grown(self, own: Any, more: Callable[[np.ndarray], np.ndarray], places: np.ndarray) -> Any:
        """What is kept where there are more classes: `more` makes their weights, `places` are those of the old ones."""
        return own

    def before_pass(self, passes: Passes) -> Any:
        """What `after_pass` has to know of the weights before it."""
        return None

    def after_pass(self, run: Run, passes: Passes, before: Any, made: Recording) -> None:
        """Brings what is kept up to date."""

    def end(self, run: Run, passes: Passes) -> None:
        """Settles which weights decide."""

    def weights(self, run: Run) -> np.ndarray:
        """The weights that decide, by class, before they are scaled."""
        return run.weights

    def weights_now(self, run: Run, problem: Problem) -> np.ndarray:
        """Those that would decide if the run ended with this pass."""
        return self.weights(run)

    def right(self, held: np.ndarray, run: Run, passes: Passes) -> int:
        """How many rows that were kept aside the weights that decide get right now, in the middle of a run."""
        laid = passes.problem.layout(self.weights_at_work(run, passes))
        return passes.problem.right(held, bounds(run.settings.ties), laid)

    def weights_at_work(self, run: Run, passes: Passes) -> np.ndarray:
        """Those that decide, by class, while a run has its weights at work."""
        return passes.problem.by_class(passes.weights)

    def shares(self, late: np.ndarray, steps: int) -> np.ndarray | float:
        """How much of each update is in the weights that decide; late    steps before it, of so many in all."""
        return 1.0
