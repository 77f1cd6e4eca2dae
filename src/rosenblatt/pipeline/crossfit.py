"""Scores of rows by models that did not see them, and the probabilities that follow from these scores.

Everything that looks at rows or labels (plan, knots, words, rarity, scaling, bins, weights) is learned from the
training rows of a fold alone. Copies and members of a group lie in one fold; where rows are parted by time, folds go
forward, and the earlier rows are scored by none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rosenblatt.data import cache
from rosenblatt.data.table import Table
from rosenblatt.features.folds import Fold
from rosenblatt.learn.calibration import Calibration, learn_calibration, spread_of
from rosenblatt.loops.rows import take
from rosenblatt.pipeline.family import Candidate, Final
from rosenblatt.pipeline.final import fit
from rosenblatt.pipeline.runs import Conduct

SOME = 1_000  # rows from which on two thirds of them teach almost as much as four fifths: three folds instead of five
ENOUGH = 20_000  # rows that settle two numbers and the ranks of classes; of more rows only so many are scored
MOST_OWN = 10_000  # training rows by which the spread of a model's scores is taken
MOST_AT_ONCE = 500  # of them, on the disk: each of rows far apart brings a stretch of its file into memory


@dataclass(frozen=True)
class Learned:
    """The rows that a choice is learned from, training and validation rows together, and their classes."""

    table: Table
    truth: np.ndarray
    n_classes: int
    seed: int
    distinct: np.ndarray  # a number for each row, the same for copies
    folds: Callable[[int], Sequence[Fold]]  # at most so many


@dataclass(frozen=True, eq=False)
class OutOfFold:
    """Each row that was scored, with its scores by a model that saw neither it nor its copies."""

    rows: np.ndarray  # their numbers, increasing
    truth: np.ndarray  # the number of each one's class
    fold: np.ndarray  # the number of its fold
    scores: np.ndarray  # as the model gives them out, in multiples of the spread of that fold's model
    folds: int  # how many fits there were

    @classmethod
    def of(cls, learned: Learned, judged: Sequence[np.ndarray], scores: Sequence[np.ndarray]) -> OutOfFold:
        """The rows that each fold scored, put together."""
        rows = np.concatenate(judged)
        fold_of = np.repeat(np.arange(len(judged)), [len(each) for each in judged])
        order = np.argsort(rows, kind="stable")
        numbers = rows[order]
        truth = learned.truth[numbers].astype(np.int64)
        return cls(numbers, truth, fold_of[order], np.concatenate(scores)[order], len(judged))

    @cached_property
    def calibration(self) -> Calibration:
        """What makes probabilities of scores in multiples of a model's spread, by all these rows."""
        return learn_calibration(self.scores, self.truth)

    @cached_property
    def probabilities(self) -> np.ndarray:
        """The probability of each class for each row, by a calibration that was learned from the other folds."""
        if self.folds == 1:
            return self.calibration.probabilities(self.scores)
        found = np.empty((len(self.rows), 2 if self.scores.ndim == 1 else self.scores.shape[1]))
        for number in range(self.folds):
            here = self.fold == number
            learned = learn_calibration(self.scores[~here], self.truth[~here])
            found[here] = learned.probabilities(self.scores[here])
        return found


def cross_fit(
    chosen: Candidate, learned: Learned, conduct: Conduct, k: int | None = None, enough: int | None = None
) -> OutOfFold | None:
    """The chosen settings, fitted in each of k folds and scored on the rows left out; None where none can be dealt.

    k         how many folds; otherwise five, or three from SOME rows on
    enough    so many scored rows suffice: then no more folds are fitted than that takes, and of very many rows one
    """
    n = len(learned.truth)
    k = k or (5 if n < SOME else 3)
    parts = learned.folds(k if enough is None else max(k, n // enough))
    judged, scores = list[np.ndarray](), list[np.ndarray]()
    for number in range(len(parts)):
        fold = parts[number]
        rows, truth, judges = learned.table.take(fold.train), learned.truth[fold.train], fold.validation
        del fold  # the rows have its numbers, and of millions these take tens of megabytes while the fit lasts
        with cache.passing():
            stage = f"calibration, fold {number + 1} of {len(parts)}"
            made = fit(chosen, rows, truth, learned.n_classes, learned.seed, conduct, stage=stage)
            scores.append(scores_of(made, learned.table.take(judges)) / own_spread(made, rows))
        judged.append(judges)
        if enough is not None and sum(len(each) for each in judged) >= enough:
            break
    return OutOfFold.of(learned, judged, scores) if judged else None


def scores_of(final: Final, table: Table) -> np.ndarray:
    """The scores that a fitted model gives to the rows of a table."""
    return final.learner.scores(final.learner.rows(final.plan, table))


def own_spread(final: Final, table: Table) -> float:
    """The spread of the scores of the rows that a model was fitted to; of many rows by a sample."""
    some = np.arange(0, table.n_rows, -(-table.n_rows // MOST_OWN))
    if final.problem is not None and table.spool is None:  # its rows are there, and encoding takes as long as fitting
        return spread_of(final.learner.scores(take(final.problem.rows, some)))
    pieces = np.array_split(some, -(-len(some) // MOST_AT_ONCE))
    return spread_of(np.concatenate([scores_of(final, table.take(piece)) for piece in pieces]))
