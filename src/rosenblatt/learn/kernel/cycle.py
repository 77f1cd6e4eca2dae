"""Scores that come back in a fixed order: the exact proof that the updates in between cancel, for poly kernels."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from rosenblatt.learn.cycle import Cycle
from rosenblatt.learn.exact import features
from rosenblatt.learn.problem import Problem
from rosenblatt.loops.kernels import Kernel
from rosenblatt.loops.rows import Rows

if TYPE_CHECKING:
    from rosenblatt.learn.kernel.run import KernelRun

MOST_ROWS = 300  # of a cycle: their kernels are computed pair by pair


def exact_kernels(kernel: Kernel, rows: Rows, which: list[int]) -> list[list[Fraction]]:
    """The poly kernel of each of these rows with each, nothing rounded: gamma and coef0 are dyadic numbers."""
    gamma, coef0 = Fraction(kernel.gamma), Fraction(kernel.coef0)
    read = [features(rows, i) for i in which]
    lines = [dict(zip(columns.tolist(), map(Fraction, values.tolist()), strict=True)) for columns, values in read]

    def value(x: dict[int, Fraction], z: dict[int, Fraction]) -> Fraction:
        product = sum((x[j] * z[j] for j in x.keys() & z.keys()), Fraction())
        return (gamma * product + coef0) ** kernel.degree

    return [[value(x, z) for z in lines] for x in lines]


def prove_cycle(passes: int, run: KernelRun, listed: tuple[np.ndarray, np.ndarray], problem: Problem) -> Cycle | None:
    """The cycle that these updates, rows and classes punished, make; None where they do not cancel exactly.

    A sum of signed rows in feature space is 0 just where its square is: a sum over pairs of rows, for each class.
    """
    keys, counts = np.unique(listed[0].astype(np.int64) * problem.n_classes + listed[1], return_counts=True)
    rows, rivals = np.divmod(keys, problem.n_classes)
    own = np.unique(rows).tolist()
    if len(own) > MOST_ROWS:
        return None
    truth, amounts = problem.truth[rows], problem.amounts[rows]
    sums: defaultdict[int, defaultdict[int, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    for row, gains, loses, count, amount in zip(
        rows.tolist(), truth.tolist(), rivals.tolist(), counts.tolist(), amounts.tolist(), strict=True
    ):
        sums[gains][own.index(row)] += count * Fraction(amount)
        sums[loses][own.index(row)] -= count * Fraction(amount)
    gram = exact_kernels(run.kernel, problem.rows, own)
    for line in sums.values():
        if sum((a * b * gram[i][j] for i, a in line.items() for j, b in line.items()), Fraction()):
            return None
    return Cycle(passes, rows, rivals, counts, amounts)
