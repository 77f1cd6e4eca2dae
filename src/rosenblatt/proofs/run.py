"""What a perceptron's run already proves: a separator, a cycle, or a bound on the margin."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from rosenblatt.errors import DataError
from rosenblatt.learn.run import Run
from rosenblatt.learn.settings import Settings
from rosenblatt.proofs.found import inseparable, separable, undecided
from rosenblatt.proofs.question import Question
from rosenblatt.proofs.revisit import Search
from rosenblatt.proofs.verdicts import Inseparable, Separable, Undecided

PATIENCE = Settings(weights="final", shuffle=False, tol=None, max_iter=40)  # for a cycle on small data


def verdict_of(run: Run, question: Question) -> Separable | Inseparable | Undecided:
    """The verdict that follows from a run over the rows of the question, its arithmetic checked.

    The bound of an undecided run comes from its mistake list, or where that was not kept from one more pass: any
    updates bound the margin, whatever the weights were before them.
    """
    weights = run.weights.astype(np.float64)
    if np.shape(question.problem.zero_weights()) != weights.shape:
        raise DataError(
            f"the run learned weights of shape {weights.shape} and these rows need "
            f"{np.shape(question.problem.zero_weights())}. Give the rows and labels that it was fitted to."
        )
    found = separable(question, weights, "perceptron") if run.lowest_lead > 0 else None
    verdict = found or cycle_verdict(run, question) or undecided(question, *_updates(run, question))
    verdict.check_arithmetic(question)
    return verdict


def cycle_verdict(run: Run, question: Question) -> Inseparable | None:
    """The proof by the cycle of a run, if it has one that cancels on these rows."""
    cycle = run.cycle
    if cycle is None or cycle.rows.max() >= len(question.truth):
        return None
    if (question.truth[cycle.rows] == cycle.predicted).any():
        return None
    pairs = zip(cycle.updates.tolist(), cycle.amounts.tolist(), strict=True)
    multipliers = [count * Fraction(amount) for count, amount in pairs]
    scale = max(each.denominator for each in multipliers)
    return inseparable(question, cycle.rows, cycle.predicted, [each * scale for each in multipliers], "cycle")


def _updates(run: Run, question: Question) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows, classes punished and counts of some updates."""
    search = Search.of(question)
    for made in run.recorded:
        if len(made.rows) and made.rows.max() < len(question.truth):
            search.parts.append(made.rows.astype(np.int64) * question.n_classes + made.rivals)
    if not search.parts:
        search.weights = question.problem.layout(run.weights.astype(np.float64))
        search.visit(search.order)
    rows, others, counts = search.counts()
    fits = question.truth[rows] != others  # where other rows are given than the run was fitted to
    return rows[fits], others[fits], counts[fits]
