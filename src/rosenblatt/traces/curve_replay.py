"""Replay of a recorded run of a kernel: what its updates count after any step, and the list made again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rosenblatt.errors import DataError
from rosenblatt.learn.kernel.run import KernelRun, learn_kernel
from rosenblatt.learn.recording import Recording, counted
from rosenblatt.traces.any_replay import AnyReplay


class CurveReplay(AnyReplay):
    """A model of `train` or its file; a fitted KernelPerceptron on its rows; or a run on its problem.

    There are no weights: what the updates so far count on each support row is all that a step changes.
    """

    run: KernelRun

    def _begin(self) -> None:
        if not isinstance(self.run, KernelRun):
            raise DataError("this run has weights, and no kernel. Use Replay.")
        if self.run.since:
            raise DataError("the list began on other rows, which are not known any more. Replay a run of `fit`.")

    def dual_after(self, step: int) -> np.ndarray:
        """What the updates on each support row count together after this step, counted from 1; 0 gives the start.

        A line for two classes, one for each class of more; support rows in the order of `run.numbers`.
        """
        if not 0 <= step <= self.run.steps:
            raise DataError(f"the run has steps 1 to {self.run.steps}; got {step}.")
        some = slice(int(np.searchsorted(self.steps, step)))
        made = self.run.updates_list
        listed = made.which[some], made.gains[some], made.loses[some], made.amounts[some]
        return np.ascontiguousarray(np.atleast_2d(counted(*listed, len(self.run.numbers), self.run.n_classes).T))

    def made_again(self) -> Recording:
        run = self.run
        settings = replace(run.settings, max_iter=run.passes, tol=None, record=True, n_jobs=None)
        self._again = learn_kernel(self.problem, settings, lambda _: run.kernel)
        return self._again.recording

    def check_end(self) -> None:
        same = np.array_equal(self._again.numbers, self.run.numbers)
        if not same or not np.array_equal(self._again.dual("final"), self.run.dual("final")):
            raise DataError("the updates of the list are not what the support rows of the run count.")
