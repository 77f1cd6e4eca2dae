"""The pocket: the weights that were right for the longest run of rows and get the most rows right (Gallant 1990).

The ratchet counts all rows whenever a run ends that is longer than the pocket's, so this variant costs more than
the others: at worst one extra pass for each record.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rosenblatt.learn.problem import Problem
from rosenblatt.learn.recording import Recording
from rosenblatt.learn.variant import Variant
from rosenblatt.loops.ties import Bounds, bounds

if TYPE_CHECKING:
    from rosenblatt.learn.passes import Passes
    from rosenblatt.learn.run import Run


@dataclass(frozen=True)
class Pocket:
    """The best weights so far, by class, and the run of right rows that is not over yet."""

    weights: np.ndarray
    right: int  # rows they get right
    longest: int = 0  # their run
    open_run: int = 0  # of the current weights
    decided: np.ndarray | None = None  # the weights that decide since the run ended

    def offered(self, weights: np.ndarray, run: int, problem: Problem, visited: np.ndarray, bounds: Bounds) -> Pocket:
        """The pocket after `weights`, in the layout of the rows, ended a run of right rows."""
        if run <= self.longest:
            return self
        right = problem.right(visited, bounds, weights)
        if right <= self.right:
            return self
        return replace(self, weights=problem.by_class(weights.copy()), right=right, longest=run)

    def after_pass(
        self,
        before: np.ndarray,
        made: Recording,
        problem: Problem,
        visited: np.ndarray,
        bounds: Bounds,
    ) -> Pocket:
        """The pocket after a pass that began with the weights `before`, which this changes.

        Its updates are replayed only as far as the runs that could matter.
        """
        steps, which, rivals, factors = made.steps - made.before, made.rows, made.rivals, made.amounts
        if not len(steps):
            return replace(self, open_run=self.open_run + len(visited))
        runs = np.diff(steps, prepend=-1) - 1
        runs[0] += self.open_run
        pocket, replayed = self, 0
        for u in np.flatnonzero(runs > self.longest):
            part = slice(replayed, int(u))
            problem.add(which[part], rivals[part], factors[part], before)
            replayed = int(u)
            pocket = pocket.offered(before, int(runs[u]), problem, visited, bounds)
        return replace(pocket, open_run=len(visited) - 1 - int(steps[-1]))


class InPocket(Variant):
    """Keeps the pocket."""

    name: ClassVar[str] = "pocket"
    single: ClassVar[bool] = True

    def look_anew(self, run: Run, problem: Problem) -> Any:
        weights = run.weights if run.own is None else run.own.weights
        return Pocket(weights, problem.right(problem.visited, bounds(run.settings.ties), problem.layout(weights)))

    def grown(self, own: Any, more: Callable[[np.ndarray], np.ndarray], places: np.ndarray) -> Any:
        return replace(own, weights=more(own.weights))

    def before_pass(self, passes: Passes) -> Any:
        return passes.weights.copy()

    def after_pass(self, run: Run, passes: Passes, before: Any, made: Recording) -> None:
        run.own = run.own.after_pass(before, made, passes.problem, passes.visited, bounds(run.settings.ties))

    def end(self, run: Run, passes: Passes) -> None:
        run.own = replace(run.own, decided=self._offered(run, passes.problem, passes.visited))

    def weights(self, run: Run) -> np.ndarray:
        return run.weights if run.own.decided is None else np.asarray(run.own.decided)

    def weights_now(self, run: Run, problem: Problem) -> np.ndarray:
        """The run that is not over takes a last look at its rows."""
        return self._offered(run, problem, problem.visited)

    def weights_at_work(self, run: Run, passes: Passes) -> np.ndarray:
        return np.asarray(run.own.weights)

    def _offered(self, run: Run, problem: Problem, visited: np.ndarray) -> np.ndarray:
        own, laid = run.own, problem.layout(run.weights)
        return np.asarray(own.offered(laid, own.open_run, problem, visited, bounds(run.settings.ties)).weights)
