"""The least repair found: few rows without which, or with other labels of which, the data can be separated.

Every set of rows that cancel must lose one of its rows, so as many such sets without a common row are a lower bound.
Where it meets what was found, no smaller repair exists. Otherwise nothing of that kind is claimed.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from rosenblatt.learn.problem import make_problem
from rosenblatt.loops.rows import take
from rosenblatt.proofs.clock import Clock
from rosenblatt.proofs.exact import Separator, float_leads
from rosenblatt.proofs.found import separable
from rosenblatt.proofs.portfolio import answer
from rosenblatt.proofs.question import Question
from rosenblatt.proofs.revisit import Search
from rosenblatt.proofs.verdicts import Inseparable, Separable

SWEEPS = 40  # over the rows that remain, before more of them are taken out
ROUNDS = 60  # of taking out what is still wrong; each takes out a quarter of it at least
BUDGET = 2_000  # sweeps in all, with those for rows that are put back: what is found depends on no clock
PATIENCE = 20  # sweeps for the rows that remain with one more
FEW, SMALL = 60, 300_000  # rows taken out, and numbers in the data, up to which a lower bound is looked for


@dataclass(frozen=True, eq=False)
class Repair:
    """Rows to take out, or to give another label, and the proofs that the data can then be separated."""

    rows: tuple[int, ...]  # their numbers, increasing
    labels: tuple[int, ...]  # for each the number of the class on whose side it lies
    verdict: Separable = field(repr=False)  # of the rows that remain
    relabelled: Separable | None = field(repr=False)  # of all rows with these labels; None where that is not proved
    at_least: int = 0  # no repair takes fewer rows: so many sets of rows cancel, no two with a row in common

    @property
    def smallest(self) -> bool:
        """Whether it is proved that no repair takes fewer rows."""
        return len(self.rows) == self.at_least


def find_repair(question: Question, doubt: np.ndarray) -> Repair | None:
    """A small set of rows without which the others can be separated; None where no such set was found.

    question    with a constant feature
    doubt       for each row a number, smaller for rows whose label is more doubtful: these are taken out first
    """
    assert question.bias, "rows that are to be repaired have a constant feature"
    left = [BUDGET * len(question.truth)]  # visits
    found = _separated_part(question, doubt, left)
    if found is None:
        return None
    kept, weights = _with_more(question, *found, doubt, left)
    verdict = separable(_part(question, np.flatnonzero(kept)), weights, "perceptron")
    if verdict is None:  # right in floats and wrong exactly
        return None
    rows = np.flatnonzero(~kept)
    labels = _sides(question, rows, weights)
    truth = question.truth.copy()
    truth[rows] = labels
    relabelled = separable(_labelled(question, truth), weights, "perceptron")
    repair = Repair(tuple(rows.tolist()), tuple(labels.tolist()), verdict, relabelled)
    return replace(repair, at_least=_at_least(question, len(rows)))


def _part(question: Question, rows: np.ndarray) -> Question:
    """The same question of some rows; all classes stay, so that weights mean the same."""
    problem = make_problem(take(question.rows, rows), question.truth[rows], question.n_classes)
    return Question(problem, question.classes)


def _labelled(question: Question, truth: np.ndarray) -> Question:
    return Question(make_problem(question.rows, truth, question.n_classes), question.classes)


def _right(question: Question, weights: np.ndarray) -> np.ndarray:
    """For each row whether the weights get it right, in floating point."""
    return np.asarray((float_leads(question, Separator.of(weights).floats()).gaps > 0).all(axis=1))


def _run(part: Question, left: list[int], sweeps: int, start: np.ndarray | None = None) -> Search:
    """A perceptron that visits the rows of a part within the budget, from weights by class or from zero."""
    search = Search.of(part)
    if start is not None:
        search.weights[...] = part.problem.layout(start)
    visits = min(left[0], sweeps * len(part.truth))
    search.run(visits, Clock())
    left[0] -= visits
    return search


def _separated_part(question: Question, doubt: np.ndarray, left: list[int]) -> tuple[np.ndarray, np.ndarray] | None:
    """Which rows remain, and weights that get all of them right.

    While a perceptron does not separate the rows, a part of those that it still gets wrong is taken out: those that it
    has updated on most, of equals the more doubtful.
    """
    kept = np.ones(len(question.truth), bool)
    for _ in range(ROUNDS):
        rest = np.flatnonzero(kept)
        if left[0] <= 0:
            return None
        part = _part(question, rest)
        search = _run(part, left, SWEEPS)
        weights = part.problem.by_class(search.weights)
        if search.clean:
            return kept, weights
        wrong = np.flatnonzero(~_right(part, weights))
        rows, _, counts = search.counts()
        often = np.bincount(rows, counts, len(rest))
        wrong = wrong if len(wrong) else np.flatnonzero(often == often.max())
        order = rest[wrong[np.lexsort([doubt[rest[wrong]], -often[wrong]])]]
        sizes = np.bincount(question.truth[rest], minlength=question.n_classes)
        for row in order[: -(-len(order) // 4)].tolist():  # the last row of a class stays
            kept[row] = sizes[question.truth[row]] == 1
            sizes[question.truth[row]] -= not kept[row]
        if kept[rest].all():  # all that are wrong are the last of their classes: others that were updated on may go
            others = rest[np.argsort(-often, kind="stable")]
            kept[others[sizes[question.truth[others]] > 1][:1]] = False
    return None


def _with_more(
    question: Question, kept: np.ndarray, weights: np.ndarray, doubt: np.ndarray, left: list[int]
) -> tuple[np.ndarray, np.ndarray]:
    """As many rows put back as can be: those that the weights get right as they are, then one by one, surest first."""
    kept = kept | _right(question, weights)
    out = np.flatnonzero(~kept)
    for row in out[np.argsort(-doubt[out], kind="stable")].tolist():
        if left[0] <= 0:
            break
        if kept[row]:
            continue
        tried = kept.copy()
        tried[row] = True
        part = _part(question, np.flatnonzero(tried))
        search = _run(part, left, PATIENCE, weights)
        if search.clean:
            weights = np.array(part.problem.by_class(search.weights))
            kept = tried | _right(question, weights)
    return kept, weights


def _sides(question: Question, rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """For each row the class on whose side of the weights it lies, another than its own."""
    if question.n_classes == 2 or not len(rows):
        return 1 - question.truth[rows]
    return np.asarray(np.argmin(float_leads(question, Separator.of(weights).floats()).gaps[rows], axis=1))


def _at_least(question: Question, found: int) -> int:
    """How many sets of rows that cancel were found, no two with a row in common: each must lose a row."""
    if found > FEW or question.size > SMALL:
        return 0
    left, sets = np.ones(len(question.truth), bool), 0
    while sets < found:
        rest = np.flatnonzero(left)
        if len(np.unique(question.truth[rest])) < question.n_classes:
            break
        verdict = answer(_part(question, rest), Clock())
        if not isinstance(verdict, Inseparable):
            break
        left[rest[list(verdict.rows)]] = False
        sets += 1
    return sets
