"""Voted weights: every weight vector of a run votes on a row, with as many votes as rows it survived."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NoReturn

import numpy as np

from rosenblatt.data.table import Table
from rosenblatt.errors import SettingError
from rosenblatt.features import Plan
from rosenblatt.learn.explain import Explanation
from rosenblatt.learn.problem import Problem, check_finite
from rosenblatt.learn.run import Run
from rosenblatt.learn.votes import Chapter, ballots, make_chapter, no_explanation
from rosenblatt.loops.rows import Rows, n_bytes, n_rows
from rosenblatt.model.learner import Learner

MOST_BYTES = 200_000_000  # of the rows and updates that vote


@dataclass(frozen=True, eq=False)
class Voted(Learner):
    """The rows that a run was updated on, and its updates in their order: the vectors follow from them.

    A vector for each update would be larger in the file, and slower: a product with each row gives every score.
    """

    chapter: Chapter
    n_classes: int
    ties: str  # whose vote a score of 0 is
    kind: ClassVar[str] = "voted"
    family: ClassVar[str] = "perceptron"
    format: ClassVar[int] = 4
    unrecorded: ClassVar[str] = (
        "voted weights have no record to replay or to check. Train with weights averaged and a record."
    )

    @property
    def size(self) -> tuple[int, int]:
        """How many weight vectors have votes, and of how many training rows they are made."""
        return int(np.count_nonzero(self.chapter.survived)), n_rows(self.chapter.rows)

    @property
    def kept(self) -> str:
        voters, rows = self.size
        return f"votes    {voters:,} weight vectors, made of rows: CONTAINS {rows:,} TRAINING ROWS, as features"

    def one_set(self, what: str) -> NoReturn:
        raise SettingError(
            f"{what} needs one set of weights, and this model votes with many. Train with weights averaged."
        )

    def scores(self, rows: Rows) -> np.ndarray:
        """For each row the share of votes: for the second class less those for the first, or those for each class."""
        scores = ballots(rows, [self.chapter], self.n_classes, self.ties)
        check_finite(rows)
        return scores

    def formula(self, plan: Plan) -> NoReturn:
        raise no_explanation()

    def facts(self, plan: Plan) -> NoReturn:
        raise no_explanation()

    def explain(self, rows: Rows, plan: Plan, table: Table, classes: tuple[str, ...], predicted: str) -> Explanation:
        """Refused: votes are no sum over features."""
        raise no_explanation()

    def heaviest(self, plan: Plan, classes: tuple[str, ...], count: int) -> dict[str, list[tuple[str, float]]]:
        """Nothing: a feature has another weight in each vector."""
        return {}


def voted_of(run: Run, problem: Problem) -> Voted:
    """The votes of all weights that a recorded run from 0 has had so far; refused where they are too large to keep."""
    chapter = make_chapter(run.start, run.recording, problem)
    size = n_bytes(chapter.rows) + sum(each.nbytes for each in vars(chapter).values() if isinstance(each, np.ndarray))
    if size > MOST_BYTES:
        raise SettingError(
            f"voted weights keep the rows that were updated on, here {size / 1e6:,.0f} MB after {run.passes} passes; "
            f"at most {MOST_BYTES / 1e6:,.0f} MB are kept. Use weights averaged."
        )
    return Voted(chapter, problem.n_classes, run.settings.ties)
