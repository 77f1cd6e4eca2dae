"""One pass after another on a GPU: the same list, made where the scores lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rosenblatt.learn.kernel.device import OnDevice
from rosenblatt.learn.kernel.passes import Passes, with_room
from rosenblatt.loops.curves import Kept
from rosenblatt.loops.order import pass_order
from rosenblatt.loops.tiles import TILE

if TYPE_CHECKING:
    from rosenblatt.learn.kernel.run import KernelRun


class PassesOnDevice(Passes):
    """Scores are always up to date on the device, and come back when they are asked for."""

    device = "gpu"
    on: OnDevice | None = None

    def take_over(self, run: KernelRun) -> None:
        """What a former list gives the rows is summed on the CPU; from there on the device has the scores."""
        super().take_over(run)
        begun = np.moveaxis(self.all_scores(), 0, 1).reshape(self.lines, -1)[:, : self.size]
        self.on = OnDevice(self.problem.rows, self.names, self.facts, self.grid.squares, self.truth, self.amounts)
        self.on.set_scores(begun)

    def visit_all(self, number: int) -> None:
        assert self.on is not None
        order = np.arange(self.size, dtype=np.uint32)
        if self.settings.shuffle:
            pass_order(order.copy(), self.key, number, 0, order)
        positions, rivals, mistakes = self.on.one_pass(order, self.kernel, self.bounds)
        self._note(order[positions].astype(np.int64), positions, rivals, mistakes)
        self.done[:] = self.kept.counts[0]

    def _note(self, rows: np.ndarray, positions: np.ndarray, rivals: np.ndarray, mistakes: int) -> None:
        """Adds the updates of a pass to the list; it visits each row once."""
        count, others = int(self.kept.counts[0]), int(self.kept.counts[1])
        new = rows[self.places[rows] < 0]
        after, many = count + len(rows), others + len(new)
        self.places[new] = np.arange(others, many)
        sizes = {"squares": many, "rows": many, "counts": 3}
        kept = Kept(*(with_room(array, sizes.get(name, after)) for name, array in self.kept._asdict().items()))
        kept.which[count:after], kept.gains[count:after] = self.places[rows], self.truth[rows]
        kept.loses[count:after], kept.amounts[count:after] = rivals, self.amounts[rows]
        kept.steps[count:after] = positions
        kept.squares[others:many], kept.rows[others:many] = self.grid.squares[new], new
        kept.counts[:] = after, many, kept.counts[2] + mistakes
        self.kept = kept

    def all_scores(self) -> np.ndarray:
        if self.on is None:
            return super().all_scores()
        laid = np.zeros((self.lines, self.grid.count * TILE))
        laid[:, : self.size] = self.on.get_scores()
        self.values = np.ascontiguousarray(np.moveaxis(laid.reshape(self.lines, -1, TILE), 1, 0))
        return self.values
