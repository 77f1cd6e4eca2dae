"""One pass after another for a kernel: tiles in the order of the pass, each brought up to date when it is visited."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.learn.kernel.grid import (
    Facts,
    Grid,
    joined,
    make_others,
)
from rosenblatt.learn.kernel.updates import Updates
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.recording import Recording
from rosenblatt.learn.rule import NONE
from rosenblatt.learn.settings import Settings
from rosenblatt.loops.curves import Kept, catch_up, lowest_lead, own_values, visit_tile
from rosenblatt.loops.kernels import Kernel
from rosenblatt.loops.order import key_of, pass_order
from rosenblatt.loops.rows import n_rows, take
from rosenblatt.loops.threads import in_threads, thread_count
from rosenblatt.loops.ties import bounds
from rosenblatt.loops.tiles import CSR, TILE

if TYPE_CHECKING:
    from rosenblatt.learn.kernel.run import KernelRun

AHEAD = 8  # tiles that threads bring up to date together, before they are visited one after the other
WORTH_THREADS = 4_000_000  # products of two numbers for which threads are worth their start


class Passes:
    """The scores of every row while they change, and the list of updates with the rows that it is about."""

    device = "cpu"

    def __init__(self, problem: Problem, settings: Settings, grid: Grid, names: np.ndarray, facts: Facts, form: Any):
        self.problem, self.settings, self.grid = problem, settings, grid
        self.names = names  # of each row in the order of the tiles, its number
        self.facts, self.form = facts, form
        self.size = len(names)
        self.truth, self.amounts = problem.truth[names], problem.amounts[names]
        self.bounds = bounds(settings.ties, settings.margin)
        self.lines = 1 if problem.n_classes == 2 else problem.n_classes
        jobs = settings.n_jobs
        self.threads = thread_count() if jobs is None else max(1, thread_count() + 1 + jobs) if jobs < 0 else int(jobs)
        self.key = key_of(settings.seed)

    kernel: Kernel
    values: np.ndarray  # scores[tile, class, place]

    @property
    def own_values(self) -> np.ndarray:
        """K(x, x) of every row, in the order of the tiles."""
        values = np.empty(self.size)
        own_values(self.kernel, self.grid.squares, values)
        return values

    @property
    def support_count(self) -> int:
        """How many rows were updated on so far."""
        return int(self.kept.counts[1])

    @property
    def radius(self) -> float:
        """R of the convergence theorem in feature space: the length of the longest signed row."""
        longest = float(self.own_values.max())
        return math.sqrt(longest if self.problem.n_classes == 2 else 2 * longest)

    def take_over(self, run: KernelRun) -> None:
        """Goes on from a run: its list, and on the same rows its scores."""
        listed, count, others = run.updates_list, len(run.updates_list), len(run.numbers)
        self.values = np.zeros((self.grid.count, self.lines, TILE))
        self.done = np.zeros(self.grid.count, np.int64)  # updates that the scores of each tile know of
        self.places = np.full(self.size, -1)  # of each row, among the support rows
        rows, squares = np.full(others, -1), np.zeros(0)
        if run.rows is not None:
            made = make_others(run.rows, self.form)
            self.grid, squares = self.grid.with_others(made), made.squares
            where = np.full(n_rows(self.problem.rows), -1)
            where[self.names] = np.arange(self.size)
            known = np.flatnonzero(run.numbers >= 0)
            rows[known] = where[run.numbers[known]]
            self.places[rows[known]] = known
        counts = np.array([count, others, 0])
        steps = np.zeros(count, np.int64)
        self.kept = Kept(listed.which, listed.gains, listed.loses, listed.amounts, steps, squares, rows, counts)
        self.befores = [listed.befores]
        self.began = run.rows, run.numbers
        if run.scores is not None:
            laid = np.zeros((self.lines, self.grid.count * TILE))
            laid[:, : self.size] = run.scores[:, self.names]
            self.values = np.ascontiguousarray(np.moveaxis(laid.reshape(self.lines, -1, TILE), 1, 0))
            self.done[:] = count
        elif count:  # the list began on other rows: these begin with the scores that it gives them
            run.start_scores = self._by_row(self.all_scores())

    def _by_row(self, values: np.ndarray) -> np.ndarray:
        """Scores by tile as a line for each class, by the numbers of the rows."""
        found = np.zeros((self.lines, n_rows(self.problem.rows)))
        found[:, self.names] = np.moveaxis(values, 0, 1).reshape(self.lines, -1)[:, : self.size]
        return found

    def one_pass(self, run: KernelRun) -> Recording:
        """Visits every row once and brings the run's counts up to date; returns the updates."""
        first, wrong = int(self.kept.counts[0]), int(self.kept.counts[2])
        self.visit_all(run.passes)
        kept, last = self.kept, int(self.kept.counts[0])
        steps = run.steps + kept.steps[first:last]
        self.befores.append(steps)
        rows = self.names[kept.rows[kept.which[first:last]]]
        listed = steps, rows, kept.loses[first:last].copy(), kept.amounts[first:last].copy(), NONE
        made = Recording(*listed, (self.size,), run.passes, run.steps)
        run.count_pass(self.size, last - first, int(kept.counts[2]) - wrong, math.fsum(kept.amounts[first:last]))
        return made

    def visit_all(self, number: int) -> None:
        """Visits every row in the order of pass `number`."""
        start = 0
        for some in self._tiles(number):
            self._catch_up([tile for tile, _ in some])
            for tile, order in some:
                self._visit(tile, order, start)
                start += len(order)

    def _tiles(self, number: int) -> Iterator[list[tuple[int, np.ndarray]]]:
        """The tiles of a pass in their order, some at a time, each with the order of its rows by place."""
        order = np.arange(self.size, dtype=np.uint32)
        if self.settings.shuffle:
            pass_order(order.copy(), self.key, number, 0, order)
        some: list[tuple[int, np.ndarray]] = []
        start = 0
        while start < self.size:
            tile = int(order[start]) // TILE
            place = self.grid.span(tile)
            stop = start + _size(place)
            some.append((tile, order[start:stop] - np.uint32(place.start)))
            start = stop
            if len(some) == AHEAD:
                yield some
                some = []
        if some:
            yield some

    def _catch_up(self, tiles: list[int]) -> None:
        """Brings tiles up to date with the whole list, on several threads where that pays."""
        waiting = [tile for tile in tiles if self.done[tile] < self.kept.counts[0]]
        work = sum(int(self.kept.counts[0] - self.done[tile]) for tile in waiting) * TILE * (self.grid.width + 16)
        if self.threads > 1 and work > WORTH_THREADS:
            in_threads(self._catch_up_one, waiting, self.threads)
        else:
            for tile in waiting:
                self._catch_up_one(tile)

    def _catch_up_one(self, tile: int) -> None:
        kept, place = self.kept, self.grid.span(tile)
        some = slice(int(self.done[tile]), int(kept.counts[0]))
        updates = kept.which[some], kept.gains[some], kept.loses[some], kept.amounts[some]
        scores = self.values[tile, :, : _size(place)]
        catch_up(self.grid.own(), tile, self.kernel, self.grid.squares[place], kept.squares, updates, scores)
        self.done[tile] = some.stop

    def _visit(self, tile: int, order: np.ndarray, start: int) -> None:
        place = self.grid.span(tile)
        if self.done[tile] < self.kept.counts[0]:
            self._catch_up_one(tile)
        self._reserve(tile, len(order))
        visit = order, self.truth[place], self.amounts[place], self.bounds, start
        visit_tile(
            self.grid.tiles,
            tile,
            self.kernel,
            self.grid.squares[place],
            visit,
            self.places[place],
            self.kept,
            self.values[tile, :, : len(order)],
        )
        self.done[tile] = self.kept.counts[0]

    def _reserve(self, tile: int, more: int) -> None:
        """Makes room for an update and a support row for each row of a tile."""
        updates, others = int(self.kept.counts[0]) + more, int(self.kept.counts[1]) + more
        tiles, values = self.grid.tiles, 0
        if isinstance(tiles, CSR):
            place = self.grid.span(tile)
            values = int(tiles.other_starts[self.kept.counts[1]] + tiles.starts[place.stop] - tiles.starts[place.start])
        self.grid.reserve(others, values)
        sizes = {"squares": others, "rows": others}
        self.kept = Kept(
            *(
                array if name == "counts" else with_room(array, sizes.get(name, updates))
                for name, array in self.kept._asdict().items()
            )
        )

    def all_scores(self) -> np.ndarray:
        """The scores of every row, up to date: [tile, class, place]."""
        for start in range(0, self.grid.count, AHEAD):
            self._catch_up(list(range(start, min(start + AHEAD, self.grid.count))))
        return self.values

    def latest(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Rows and classes punished of the last updates."""
        part = slice(int(self.kept.counts[0]) - count, int(self.kept.counts[0]))
        return self.names[self.kept.rows[self.kept.which[part]]], self.kept.loses[part]

    def hand_back(self, run: KernelRun) -> None:
        """Leaves the list, its rows and what follows from them with the run: at its end, or between two passes."""
        kept, count, others = self.kept, int(self.kept.counts[0]), int(self.kept.counts[1])
        which, gains, loses, amounts = (array[:count].copy() for array in kept[:4])
        run.updates_list = Updates(which, gains, loses, amounts, np.concatenate(self.befores))
        rows, numbers = self.began
        fresh = self.names[kept.rows[len(numbers) : others]]
        run.numbers = np.concatenate([numbers, fresh]).astype(np.int64)
        if len(fresh) or rows is None:
            more = take(self.problem.rows, fresh.astype(np.uint32))
            run.rows = more if rows is None else joined(rows, more)
        values = self.all_scores()
        run.scores = self._by_row(values)
        spans = map(self.grid.span, range(self.grid.count))
        leads = [lowest_lead(self.truth[place], values[t, :, : _size(place)]) for t, place in enumerate(spans)]
        run.end(max(0.0, float(min(leads))))
        self._measure(run)

    def _measure(self, run: KernelRun) -> None:
        """The length of the weights in feature space, and how far they moved since these rows were first visited.

        The product of the weights with a signed row is its lead. So the square of a sum of signed rows is a sum of
        leads of the rows updated on: no kernel is computed again.
        """
        updates, since = run.updates_list, run.since
        rows = run.numbers[updates.which[since:]]
        gains, loses, amounts = (array[since:] for array in (updates.gains, updates.loses, updates.amounts))

        def along(scores: np.ndarray) -> float:
            if self.lines == 1:
                leads = np.where(gains == 1, scores[0, rows], -scores[0, rows])
            else:
                leads = scores[gains, rows] - scores[loses, rows]
            return math.fsum(amounts * leads)

        assert run.scores is not None
        whole = along(run.scores)
        before = 0.0 if run.start_scores is None else along(run.start_scores)
        run.moved = math.sqrt(max(0.0, whole - before))
        run.length = math.sqrt(max(0.0, run.start_length**2 + whole + before))


def _size(place: slice) -> int:
    return int(place.stop - place.start)


def with_room(array: np.ndarray, size: int) -> np.ndarray:
    if len(array) >= size:
        return array
    grown = np.zeros(max(size, 2 * len(array)), array.dtype)
    grown[: len(array)] = array
    return grown
