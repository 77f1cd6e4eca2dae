"""The rows that a run was updated on, and what they count: scores, votes and explanations follow from them.

The score of a row is a sum over the support rows in the order of the list, each its kernel with the row times what its
updates count together. A row has its sum to itself: neither the other rows of a batch nor the threads change a bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from rosenblatt.learn.bounds import check_scores
from rosenblatt.learn.explain import Explanation
from rosenblatt.learn.kernel.grid import Facts, Grid, Others, facts_of, make_grid, make_others
from rosenblatt.learn.problem import check_finite, square_lengths
from rosenblatt.loops.curves import score_tile, value_tile, vote_tile
from rosenblatt.loops.kernels import POLY, Kernel
from rosenblatt.loops.rows import Rows, n_features, n_rows, span, take
from rosenblatt.loops.threads import in_threads, thread_count
from rosenblatt.loops.tiles import TILE

BLOCK = 16 * TILE  # rows that are scored at a time
SAMPLE, UNLIKE = 256, 0.01  # rows that are compared with each other, and how alike those are that are not


@dataclass(frozen=True, eq=False)
class Support:
    """Rows, each once, in the order in which they were first updated on."""

    kernel: Kernel
    rows: Rows
    facts: Facts
    prepared: dict[Any, Others] = field(default_factory=dict, repr=False)  # in the forms that were asked for

    def beside(self, queries: Rows) -> Grid:
        """The queries in tiles, beside these rows."""
        lengths = square_lengths(queries)
        if not np.isfinite(lengths).all():  # a kernel may hide it: e to the minus infinity is 0
            check_scores(queries, lengths)
        facts = facts_of(queries, lengths).merged(self.facts)
        form = facts.form(self.width)
        if form not in self.prepared:
            self.prepared[form] = make_others(self.rows, form)
        grid = make_grid(queries, np.arange(n_rows(queries), dtype=np.uint32), form)
        return grid.with_others(self.prepared[form])

    @property
    def width(self) -> int:
        return n_features(self.rows)

    @property
    def squares(self) -> np.ndarray:
        """|x|² of the support rows; every form finds the same."""
        if not self.prepared:
            form = self.facts.form(self.width)
            self.prepared[form] = make_others(self.rows, form)
        return next(iter(self.prepared.values())).squares

    def only(self, places: np.ndarray) -> Support:
        """Some of the support rows."""
        return Support(self.kernel, take(self.rows, places.astype(np.uint32)), self.facts)

    def values(self, queries: Rows) -> np.ndarray:
        """The kernel of every support row with every query: a line for each support row."""
        values = np.empty((n_rows(self.rows), n_rows(queries)))
        grid = self.beside(queries)
        for tile in range(grid.count):
            part = np.empty((len(values), len(grid.squares[grid.span(tile)])))
            value_tile(grid.own(), tile, self.kernel, grid.squares[grid.span(tile)], self.squares, part)
            values[:, grid.span(tile)] = part
        return values

    def scores(self, queries: Rows, dual: np.ndarray) -> np.ndarray:
        """Of each query the sum of its kernels times dual, for each line of dual; one number with a single line."""
        found = np.zeros((len(dual), n_rows(queries)))

        def fill(grid: Grid, tile: int, scores: np.ndarray) -> None:
            score_tile(grid.own(), tile, self.kernel, grid.squares[grid.span(tile)], self.squares, dual, scores)

        self._fill(queries, found, fill)
        scores = found[0] if len(dual) == 1 else np.ascontiguousarray(found.T)
        return check_scores(queries, scores)

    def _fill(self, queries: Rows, found: np.ndarray, fill: Callable[[Grid, int, np.ndarray], None]) -> None:
        """Has found[:, rows] filled tile by tile, blocks of rows one after the other, their tiles on all processors."""
        for start in range(0, n_rows(queries), BLOCK):
            grid = self.beside(span(queries, start, min(start + BLOCK, n_rows(queries))))

            def do(tile: int, grid: Grid = grid, start: int = start) -> None:
                place = grid.span(tile)
                scores = np.zeros((len(found), place.stop - place.start))
                fill(grid, tile, scores)
                found[:, start + place.start : start + place.stop] = scores

            in_threads(do, range(grid.count), thread_count())


@dataclass(frozen=True, eq=False)
class Ballot:
    """The updates of a run as voters: each state of its scores votes as often as rows were visited while it lasted."""

    updates: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  # support rows, classes rewarded, punished, amounts
    survived: np.ndarray
    n_classes: int
    ties: str

    def votes(self, support: Support, queries: Rows) -> np.ndarray:
        """For each query the share of votes: for + less for − with two classes, for each class with more."""
        lines = 1 if self.n_classes == 2 else self.n_classes
        found = np.zeros((lines, n_rows(queries)))
        last = self.ties == "positive"

        def fill(grid: Grid, tile: int, ballots: np.ndarray) -> None:
            squares, own = grid.squares[grid.span(tile)], grid.own()
            values = np.empty((n_rows(support.rows), len(squares)))
            value_tile(own, tile, support.kernel, squares, support.squares, values)
            vote_tile(values, self.updates, self.survived, 1 if last else -1, ballots)

        support._fill(queries, found, fill)
        check_finite(queries)
        shares = found / self.survived.sum()
        return shares[0] if lines == 1 else np.ascontiguousarray(shares.T)


def alone(support: Support) -> bool:
    """Whether under this kernel most of the rows resemble none of the others, as far as some of them show."""
    count = n_rows(support.rows)
    if count < 2:
        return False
    some = support.only(np.unique(np.linspace(0, count - 1, SAMPLE).astype(int)))
    if support.kernel.kind != POLY:  # a bias makes no rows alike
        some = replace(some, kernel=support.kernel._replace(coef0=0.0))
    values = np.abs(some.values(some.rows))
    own = np.sqrt(np.diag(values))
    own[own == 0] = 1.0
    alike = values / own / own[:, np.newaxis]
    np.fill_diagonal(alike, 0.0)
    return bool(np.median(alike.max(axis=1)) < UNLIKE)


def told_alone(support: Support, visited: int, setting: str) -> str:
    """What is said where most rows visited became support rows and resemble none of the others; otherwise nothing."""
    held = n_rows(support.rows)
    if held < visited / 2 or not alone(support):
        return ""
    rows = f"all {visited:,} rows" if held == visited else f"{held:,} of {visited:,} rows"
    return (
        f"{rows} became support rows, because under {setting} each resembles itself alone. Rows that were not learned "
        f"from will get scores near 0. Lower {setting.partition('=')[0]}."
    )


def explain_support(
    support: Support,
    dual: np.ndarray,
    query: Rows,
    names: Sequence[str],
    classes: Sequence[Any],
    predicted: Any,
) -> Explanation:
    """What each support row adds to the scores of a single query: its kernel with it, times what it counts."""
    values = support.values(query)[:, 0]
    scores = np.asarray(support.scores(query, dual)).reshape(len(dual))
    return Explanation(classes, predicted, names, values, dual * values, np.zeros(len(dual)), scores)
