"""`prove`: is there a separator? Cheap ways first; whoever finds something, exact arithmetic has the last word.

1. equal rows with different labels
2. a perceptron on a budget that revisits its mistakes; on small data also one in a fixed order, which may cycle
3. linear programs over few rows, grown by the rows that their weights get wrong, until a separator passes all rows
   or the few rows cannot be separated, which settles the whole
4. where floating point is too coarse for either, the same with a program in integers
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from rosenblatt.learn.run import learn
from rosenblatt.proofs.clock import Clock, TimeIsUp
from rosenblatt.proofs.exact import Separator, float_leads, worst_pairs
from rosenblatt.proofs.found import inseparable, separable, undecided
from rosenblatt.proofs.input import read_question
from rosenblatt.proofs.matrix import SignedRows, integer_array
from rosenblatt.proofs.programs import Hint, solve
from rosenblatt.proofs.question import Question
from rosenblatt.proofs.rational import vanishing
from rosenblatt.proofs.revisit import Search
from rosenblatt.proofs.run import PATIENCE, cycle_verdict
from rosenblatt.proofs.simplex import cancel_or_separate
from rosenblatt.proofs.twins import find_twins
from rosenblatt.proofs.verdicts import Inseparable, Separable, Undecided

SWEEPS = 60  # the perceptron's budget, in visits of all rows,
LEAST = 8  # or fewer, but not fewer than this, where
COSTLY = 2e8  # so many products have been made: then linear programs over few rows are cheaper than another sweep
SMALL = 1_000  # numbers in data on which a cycle is short often enough to be looked for
FEW_PAIRS = 1_000  # one program with all of them takes less time than two with some
HOPELESS = 1e-7  # below this margin of the scaled rows the solver's tolerance decides, so its weights prove nothing
HAIR = 1e-9  # a margin below this share of the longest row is mostly the rounding of the numbers given
KEPT = 1e-9  # multipliers smaller than this share of the largest are rounding
Pairs = dict[tuple[int, int], None]  # ordered, without repetition


def prove(X: Any, y: Any, *, time_limit: float | None = None, bias: bool = True) -> Separable | Inseparable | Undecided:
    """A proof that the rows of X can or cannot be separated by their labels y, checked in exact arithmetic.

    Without a time limit (in seconds) it goes on until it is one of the two. With bias=False the boundaries go
    through the origin. Raises ValueError if the data cannot be used.

    >>> from rosenblatt import prove
    >>> prove([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    <Inseparable: not separable, rows 0, 1, 2, 3 cancel; 4 rows, 2 features, 2 classes>
    """
    clock = Clock(time_limit)
    return answer(read_question(X, y, bias), clock)


def answer(question: Question, clock: Clock) -> Separable | Inseparable | Undecided:
    """The verdict about a question, its arithmetic checked once more by the code that checks certificates."""
    verdict: Separable | Inseparable | Undecided | None = find_twins(question)
    if verdict is None:
        search = Search.of(question)
        search.run(_budget(question), clock)
        if search.clean:
            weights = question.problem.by_class(search.weights)
            verdict = _not_by_a_hair(
                question, separable(question, weights, "perceptron", search.mistakes), search, clock
            )
        if verdict is None and question.size <= SMALL:
            verdict = cycle_verdict(learn(question.problem, PATIENCE), question)
        if verdict is None:
            verdict = _by_programs(question, search, clock)
    verdict.check_arithmetic(question)
    return verdict


def _budget(question: Question) -> int:
    """How many rows the perceptron may visit."""
    sweep = question.size * (question.n_classes if question.n_classes > 2 else 1)
    return len(question.truth) * int(min(SWEEPS, max(LEAST, COSTLY / sweep)))


def _not_by_a_hair(question: Question, found: Separable | None, search: Search, clock: Clock) -> Separable | None:
    """The separator; on small data one with a wider margin where rounding alone keeps this one off a row.

    Weights 5 and −1 separate 0.1 from 0.2, since 0.2 as a float64 is above a fifth by 10^-17.
    """
    if found is None or found.margin > HAIR * found.radius or question.size > SMALL:
        return found
    signed = SignedRows(question, *np.array(list(_first_pairs(question, *search.counts()[:2]))).T)
    try:
        hint = solve(signed, clock)
    except TimeIsUp:
        return found
    wider = None if hint is None else separable(question, signed.weights(hint.weights), "linear program")
    return wider if wider is not None and wider.margin > found.margin else found


def _by_programs(question: Question, search: Search, clock: Clock) -> Separable | Inseparable | Undecided:
    rows, others, counts = search.counts()
    working = _first_pairs(question, rows, others)
    try:
        while True:
            clock.look()
            signed = SignedRows(question, *np.array(list(working)).T)
            hint = solve(signed, clock)
            if hint is None:
                return _in_integers(question, working, clock)
            if hint.margin <= HOPELESS:
                return _cancelling(question, signed, hint, clock) or _in_integers(
                    question, _support(signed, hint), clock
                )
            found = _widened(question, working, signed.weights(hint.weights))
            if isinstance(found, Separable):
                return found
            if not found:  # weights that are right in floats and wrong exactly, or not right where they were made to be
                return _in_integers(question, _support(signed, hint), clock)
            working |= found
    except TimeIsUp:
        return undecided(question, rows, others, counts)


def _first_pairs(question: Question, rows: np.ndarray, others: np.ndarray) -> Pairs:
    """All pairs if they are few; else those the perceptron was mistaken about most often, and one of each class."""
    if len(question.truth) * (question.n_classes - 1) <= FEW_PAIRS:
        everything = ((i, c) for i in range(len(question.truth)) for c in range(question.n_classes))
        return dict.fromkeys((i, c) for i, c in everything if c != question.truth[i])
    size = 3 * question.width * (question.n_classes - 1) + 50
    pairs = dict.fromkeys(zip(rows[:size].tolist(), others[:size].tolist(), strict=True))
    firsts = np.unique(question.truth, return_index=True)[1]
    for c, row in enumerate(firsts.tolist()):
        pairs[row, 0 if c else 1] = None
    return pairs


def _widened(question: Question, working: Pairs, weights: np.ndarray) -> Separable | Pairs:
    """The verdict if the weights separate all rows, otherwise the worst of the pairs outside that they get wrong."""
    leads = float_leads(question, Separator.of(weights).floats())
    wrong = leads.gaps <= 0
    if not wrong.any():
        return separable(question, weights, "linear program") or {}
    rows, others = np.nonzero(wrong)
    gaps = leads.gaps[rows, others]
    if question.n_classes == 2:
        others = 1 - question.truth[rows]
    limit = 2 * question.width * (question.n_classes - 1) + 50
    worst = np.argsort(gaps, kind="stable")[:limit]
    pairs = zip(rows[worst].tolist(), others[worst].tolist(), strict=True)
    return dict.fromkeys(pair for pair in pairs if pair not in working)


def _support(signed: SignedRows, hint: Hint) -> Pairs:
    """The pairs with a multiplier, largest first."""
    order = np.argsort(-hint.multipliers, kind="stable")
    order = order[hint.multipliers[order] > KEPT * hint.multipliers.max()]
    return dict.fromkeys(zip(signed.rows[order].tolist(), signed.others[order].tolist(), strict=True))


def _cancelling(question: Question, signed: SignedRows, hint: Hint, clock: Clock) -> Inseparable | None:
    """The exact multiples of the solver's few rows that sum to zero, if there are such and all are positive."""
    pairs = _support(signed, hint)
    if not pairs:
        return None
    few = SignedRows(question, *np.array(list(pairs)).T)
    integers, factors = few.whole()
    found = vanishing(integers, clock)
    if found is None:
        return None
    return _hull(question, few, found, factors, "linear program")


def _hull(
    question: Question, few: SignedRows, found: list[int], factors: list[Fraction], how: str
) -> Inseparable | None:
    """The verdict for multiples of rows, all of one sign, brought to lowest terms."""
    if min(found) < 0 < max(found):
        return None
    parts = [abs(c) * factor for c, factor in zip(found, factors, strict=True)]
    common = math.lcm(*(part.denominator for part in parts))
    multipliers = [int(part * common) for part in parts]
    there = [k for k, c in enumerate(multipliers) if c]
    divisor = math.gcd(*multipliers)
    return inseparable(question, few.rows[there], few.others[there], [multipliers[k] // divisor for k in there], how)


def _in_integers(question: Question, working: Pairs, clock: Clock) -> Separable | Inseparable:
    """The answer by programs in integers over few rows, grown by the rows that their weights get wrong."""
    working = dict(working) or {(0, 1 if question.truth[0] == 0 else 0): None}
    while True:
        few = SignedRows(question, *np.array(list(working)).T)
        integers, factors = few.whole()
        kind, numbers = cancel_or_separate(integers, clock)
        if kind == "cancel":
            hull = _hull(question, few, numbers, factors, "program in integers")
            if hull is None:
                raise AssertionError("the integer program returned rows that do not cancel")
            return hull
        weights = few.weights(integer_array(numbers))
        for candidate in _roundings(weights):
            verdict = separable(question, candidate, "program in integers")
            if verdict is not None:
                return verdict
        wrong = worst_pairs(question, Separator.of(weights), question.width * (question.n_classes - 1) + 10)
        working |= dict.fromkeys(wrong)


def _roundings(weights: np.ndarray) -> list[np.ndarray]:
    """The weights as floats, then as integers of more and more bits, and at last as they are."""
    bits = max(abs(int(v)).bit_length() for v in weights.ravel())
    rounded = [np.array([int(v) / 2**bits for v in weights.ravel()]).reshape(weights.shape)]
    for size in (128, 512):
        if size < bits:
            shifted = [int(v) >> (bits - size) for v in weights.ravel()]
            rounded.append(integer_array(shifted).reshape(weights.shape))
    return [*rounded, weights]
