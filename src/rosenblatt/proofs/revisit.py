"""A perceptron on a budget that revisits its own mistakes between full sweeps and stops at one clean sweep.

Any order of visiting is a perceptron (NOTES section 2), so the bound on its mistakes holds. On thin margins the rows
near the boundary cause nearly all updates; going over them again costs little and saves full sweeps.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from rosenblatt.learn.rules.mistakes import Mistakes
from rosenblatt.loops.order import hash_order, row_hashes
from rosenblatt.loops.rows import n_rows
from rosenblatt.proofs.clock import Clock
from rosenblatt.proofs.question import Question

REVISITS = 10  # passes over the rows ever mistaken, between two sweeps; remembering fewer of them was slower


@dataclass
class Search:
    """The weights so far, in the layout of the loops, and how often each pair (row, class punished) was updated on."""

    question: Question
    weights: np.ndarray
    order: np.ndarray
    noted: np.ndarray
    parts: list[np.ndarray] = field(default_factory=list)
    mistakes: int = 0
    clean: bool = False

    @classmethod
    def of(cls, question: Question) -> Search:
        problem = question.problem
        order = hash_order(row_hashes(0, np.arange(n_rows(question.rows), dtype=np.uint32)))
        weights = problem.layout(problem.zero_weights().astype(np.float64))
        return cls(question, weights, order, np.empty(len(order), np.int64))

    def visit(self, order: np.ndarray) -> np.ndarray:
        """One pass over some rows; returns those updated on."""
        problem = self.question.problem
        made = Mistakes().visit(problem, order, problem.amounts, self.weights, None, self.noted)
        rows = order[made.steps]
        self.parts.append(rows.astype(np.int64) * problem.n_classes + made.rivals)
        self.mistakes += len(rows)
        return rows

    def run(self, visits: int, clock: Clock) -> None:
        """Sweeps and revisits until a clean sweep, or until about so many rows were visited, or time is up."""
        ever = np.zeros(0, np.uint32)
        while visits > 0 and not clock.is_up():
            wrong = self.visit(self.order)
            visits -= len(self.order)
            if not len(wrong):
                self.clean = True
                return
            ever = np.union1d(ever, wrong)
            again = ever[hash_order(row_hashes(self.mistakes, ever))]
            for _ in range(REVISITS):
                visits -= len(again)
                if visits <= 0 or not len(self.visit(again)):
                    break

    def counts(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows, classes punished, and how often each pair was updated on, most often first.

        Without updates, the first row of each of two classes: any pairs bound the margin.
        """
        if not any(map(len, self.parts)):
            first = np.unique(self.question.truth, return_index=True)[1][:2]
            return first, self.question.truth[first[::-1]].astype(np.int64), np.ones(2, np.int64)
        keys, counts = np.unique(np.concatenate(self.parts), return_counts=True)
        keys = keys[(most := np.argsort(-counts, kind="stable"))]
        rows, others = np.divmod(keys, self.question.n_classes)
        return rows, others, counts[most]
