"""Whether the list of a kernel separates its training rows, proved: a filter in floats, integers for the rest.

For whole numbers x.z is exact, and gamma and coef0 are dyadic, so (gamma x.z + coef0)^d and every score are rationals.
A computed score differs from the true one by at most

    (n + 2 d + 8) 2^-53 (1 + 2^-20) S,    S = sum over the n support rows of |c| (gamma |x| |z| + |coef0|)^d

since each kernel value takes one product, one sum and d - 1 products, and each of the n terms one product and one sum.
A row whose lead exceeds the bounds of its two scores is right; any other is decided by fractions.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from rosenblatt.data.table import Table
from rosenblatt.errors import DataError
from rosenblatt.features.contents import Contents
from rosenblatt.learn.kernel.grid import facts_of
from rosenblatt.learn.kernel.support import Support
from rosenblatt.learn.losses import leads
from rosenblatt.learn.problem import square_lengths
from rosenblatt.loops.kernels import POLY, Kernel
from rosenblatt.loops.rows import Rows, n_rows, span, take
from rosenblatt.model.kernel import Curved
from rosenblatt.model.learner import Learner
from rosenblatt.model.trained import Model

BLOCK = 1024


class Separated(NamedTuple):
    """What was checked: support rows, training rows, and how many of these needed exact arithmetic."""

    updates: int
    rows: int
    exact: int


def provable(learner: Learner) -> bool:
    """Whether it is a poly kernel over whole numbers, whose scores fractions can compute."""
    return isinstance(learner, Curved) and learner.support.kernel.kind == POLY and learner.support.facts.exact


def check_separated(model: Model, table: Table) -> Separated:
    """What was checked; DataError where it cannot be, or where a training row is not strictly right."""
    learner = model.learner
    assert isinstance(learner, Curved)
    if model.card["choice"].get("updated_rows"):
        raise DataError("the model keeps only some of the rows that its run was updated on, so nothing can be checked.")
    if learner.final is None or model.card.get("updates"):
        raise DataError("the model was updated since it was trained, so it makes no claim about training rows.")
    proof = model.card.get("proof")
    if proof is None or not proof["separated"]:
        raise DataError(
            "the run did not separate its training rows, so there is nothing to check. With --record every update is."
        )
    rows = learner.rows(model.plan, table)._replace(bias=0.0)
    whole = facts_of(rows, square_lengths(rows)).merged(learner.support.facts).exact
    if not provable(learner) or not whole:
        raise DataError(
            "only poly kernels over whole numbers can be checked exactly; this model has "
            f"{'a poly kernel over fractions' if learner.support.kernel.kind == POLY else 'another kernel'}. With "
            "--record every update is checked."
        )
    known = np.ones(table.n_rows, bool)
    if model.seen is not None and model.seen.whole:  # otherwise all rows given must be of the training
        known = np.isin(Contents.of_plan(table, model.plan).hashes, model.seen.hashes)
    some = np.flatnonzero(known).astype(np.uint32)
    if not len(some):
        raise DataError("none of the rows is a training row of the model. Give the data that it was trained on.")
    truth = model.classes.encode(table)[some]
    return _checked(learner, take(rows, some), truth, lambda i: table.origin.of(int(some[i])))


def _checked(learner: Curved, rows: Rows, truth: np.ndarray, place: Callable[[int], str]) -> Separated:
    support, final = learner.support, learner.final
    assert final is not None
    kernel, count, exact = support.kernel, n_rows(support.rows), 0
    lengths = np.sqrt(square_lengths(support.rows))
    factor = (count + 2 * kernel.degree + 8) * 2.0**-53 * (1 + 2.0**-20)
    for start in range(0, n_rows(rows), BLOCK):
        some = span(rows, start, min(start + BLOCK, n_rows(rows)))
        wanted = truth[start : start + BLOCK]
        own = np.sqrt(square_lengths(some))[:, np.newaxis]
        largest = (kernel.gamma * own * lengths + kernel.coef0) ** kernel.degree
        bounds = factor * (largest @ np.abs(final).T).sum(axis=1)  # of all scores together
        found = leads(support.scores(some, final), wanted)
        for i in np.flatnonzero(~(found > bounds)).tolist():
            exact += 1
            lead = _exact_lead(support, final, take(some, np.array([i], np.uint32)), int(wanted[i]))
            if lead <= 0:
                raise DataError(f"{place(start + i)}: the list does not get this training row strictly right.")
    return Separated(count, n_rows(rows), exact)


def _exact_lead(support: Support, final: np.ndarray, row: Rows, true: int) -> Fraction:
    """How far the true class of the single row is ahead, nothing rounded."""
    kernel = support.kernel
    plain = Support(Kernel(POLY, 1, 1.0, 0.0), support.rows, support.facts)
    products = plain.values(row)[:, 0].tolist()  # whole numbers below 2^53
    gamma, coef0 = Fraction(kernel.gamma), Fraction(kernel.coef0)
    values = [(gamma * Fraction(product) + coef0) ** kernel.degree for product in products]
    scores = [
        sum((Fraction(c) * value for c, value in zip(line, values, strict=True) if c), Fraction())
        for line in final.tolist()
    ]
    if len(scores) == 1:
        return scores[0] if true == 1 else -scores[0]
    return scores[true] - max(score for c, score in enumerate(scores) if c != true)
