"""The best margin of rows that can be separated, between two bounds that are proved.

Problem  the largest min z·w over the signed rows z and the weights with |w| <= 1
Dual     the shortest Σ c_i z_i with c >= 0 and Σ c_i = 1; that sum, made a unit, is the best w
Bounds   any weights bound the margin from below by their own, any such multiples from above by the length of their sum
Way      a solver in floating point proposes multiples over few rows, grown by the rows that their sum leaves too near;
         where it is too coarse, the same rows are solved in rationals and exchanged one by one (Wolfe 1976)
Nobody's proposal is believed: `separable` and `distance_up` compute the bounds exactly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rosenblatt.learn.exact import features
from rosenblatt.proofs.clock import Clock
from rosenblatt.proofs.exact import Separator, distance_up, float_leads, whole
from rosenblatt.proofs.found import Pair, separable
from rosenblatt.proofs.matrix import SignedRows, integer_array
from rosenblatt.proofs.question import Question
from rosenblatt.proofs.rational import solve_exactly
from rosenblatt.proofs.verdicts import Separable

CLOSED = 1e-9  # bounds nearer than this share of themselves are the answer
FEW_PAIRS = 1_000  # the solver takes all of them at once
BUDGET = 2e9  # products of the solver, a second or two: after that the bounds are given as they are
EXCHANGES = 60  # of rows, in rationals,
NARROW = 200  # where a row has no more numbers than this;
ASKED = 64  # rows that floats leave nearest are asked which is
BITS = 3e8  # a system in rationals counts its size cubed times the bits of its determinant; larger ones are not tried
PARTS = 2**40  # multipliers are rounded to so many parts of 1
NONE = 1e-13  # a share below this is rounding
HOW = "the shortest sum of signed rows"


@dataclass
class Widest:
    """The verdict with the best weights so far, the bound that no margin exceeds, and the rows that prove it."""

    verdict: Separable
    high: float
    support: tuple[int, ...]

    @property
    def closed(self) -> bool:
        return self.verdict.margin >= self.high * (1 - CLOSED)

    def try_weights(self, question: Question, weights: np.ndarray) -> None:
        better = separable(question, weights, HOW)
        if better is not None and better.margin > self.verdict.margin:
            self.verdict = better

    def try_sum(self, question: Question, pairs: list[Pair], multipliers: list[int]) -> None:
        rows, others = zip(*pairs, strict=True)
        high = distance_up(question, rows, others, multipliers)
        if high < self.high:
            self.high, self.support = high, tuple(sorted(set(rows)))


def find_widest(question: Question, found: Separable) -> Widest:
    """The bounds, as near as the budget allows, beginning with the margin of a separator that was found."""
    widest = Widest(found, math.inf, ())
    pairs = _first_pairs(question, found)
    widest.try_sum(question, pairs[:1], [1])
    held = _by_solver(question, widest, pairs)
    if held and not widest.closed and question.width <= NARROW:
        _by_exchange(question, widest, held)
    return widest


def _by_solver(question: Question, widest: Widest, pairs: list[Pair]) -> list[Pair]:
    """Improves the bounds by the solver's proposals over more and more rows; returns the pairs of its last one."""
    work, held, width = 0.0, pairs[:1], _width(question)
    while True:
        work += _cost(len(pairs), width)
        if work > BUDGET:
            return held
        signed = _signed(question, pairs)
        shares = _propose(signed)
        if shares is None:
            return held
        parts = np.rint(shares * PARTS).astype(np.int64)
        used = np.flatnonzero(parts)
        held = [pairs[k] for k in np.flatnonzero(shares > NONE).tolist()]
        weights = _by_class(question, shares @ signed)
        widest.try_sum(question, [pairs[k] for k in used.tolist()], parts[used].tolist())
        widest.try_weights(question, weights)
        there = set(pairs)
        near = [pair for pair in _nearest(question, weights, 50 + min(2 * width, len(pairs))) if pair not in there]
        if widest.closed or not near:
            return held
        pairs = pairs + near


def _propose(signed: np.ndarray) -> np.ndarray | None:
    """Shares of the rows whose sum is about the shortest (Lawson and Hanson 1974); None where the solver gives up."""
    from scipy.optimize import nnls

    columns = signed.T / (float(np.abs(signed).max()) or 1.0)
    if len(columns) > len(signed):
        columns = np.asarray(
            np.linalg.qr(columns, mode="r")
        )  # the same lengths and angles in as many numbers as there are rows
    # The combination whose sum is nearest to 0 and whose multipliers sum to about 1 is that combination scaled.
    system = np.vstack([columns, np.ones(len(signed))])
    try:
        multipliers, _ = nnls(system, np.append(np.zeros(len(columns)), 1.0), maxiter=20 * len(signed) + 1000)
    except RuntimeError:
        return None
    total = float(multipliers.sum())
    return multipliers / total if total > 0 and math.isfinite(total) else None


def _by_exchange(question: Question, widest: Widest, held: list[Pair]) -> None:
    """Improves the bounds by exact sums of the pairs held, which take in the nearest row and let go of idle ones."""
    held, shares = list(held), np.full(len(held), 1 / len(held))
    for _ in range(EXCHANGES):
        system = _system(question, held)
        if len(held) ** 3 * len(held) * max(value.bit_length() for value in system.ravel().tolist()) > BITS:
            return
        solved = solve_exactly(system, integer_array([1] * len(held)), Clock())
        if solved is None:  # one pair follows from the others
            held, shares = _without(int(np.argmin(shares)), held, shares)
            continue
        divisor = math.gcd(*solved[0])
        numbers = [number // divisor for number in solved[0]]
        target = np.array([number / sum(numbers) for number in numbers])
        down = np.flatnonzero(target <= 0)
        if len(down):  # as far towards the target as all shares stay positive
            steps = shares[down] / (shares[down] - target[down] + 1e-300)
            shares = shares + min(float(steps.min()), 1.0) * (target - shares)
            held, shares = _without(int(down[np.argmin(steps)]), held, shares)
            continue
        weights = _exact_weights(question, held, numbers)
        widest.try_sum(question, held, numbers)
        widest.try_weights(question, weights)
        separator = Separator.of(weights)
        near = min(_nearest(question, weights, ASKED), key=lambda pair: separator.lead(question, *pair))
        if widest.closed or near in held:
            return
        held, shares = [*held, near], np.append(target, 0.0)


def _without(place: int, held: list[Pair], shares: np.ndarray) -> tuple[list[Pair], np.ndarray]:
    return held[:place] + held[place + 1 :], np.delete(shares, place)


def _system(question: Question, held: list[Pair]) -> np.ndarray:
    """Products of the signed rows with each other and 1 more, in integers over one scale.

    Where no pair follows from the others it is positive definite, and the shortest sum solves it for equal sides.
    """
    rows, _, scale = _whole_rows(question, held)
    products = rows @ rows.T
    truth = question.truth
    for a, (row, other) in enumerate(held):
        for b, (second, rival) in enumerate(held):
            own, theirs = int(truth[row]), int(truth[second])
            blocks = (own == theirs) - (own == rival) - (other == theirs) + (other == rival)
            products[a, b] *= blocks // 2 if question.n_classes == 2 else blocks  # two classes have one block
    found: np.ndarray = products + scale * scale
    return found


def _whole_rows(question: Question, held: list[Pair]) -> tuple[np.ndarray, list[int], int]:
    """The rows f(x) of the pairs as integers over one scale; which columns these are; and the scale."""
    read = [features(question.rows, row) for row, _ in held]
    columns = sorted({column for used, _ in read for column in used.tolist()})
    places = {column: k for k, column in enumerate(columns)}
    flat, scale = whole([value for _, values in read for value in values.tolist()])
    numbers = iter(flat)
    result = np.full((len(held), len(columns)), 0, object)
    for line, (used, _) in zip(result, read, strict=True):
        for column in used.tolist():
            line[places[column]] = next(numbers)
    return result, columns, scale


def _exact_weights(question: Question, held: list[Pair], numbers: list[int]) -> np.ndarray:
    """The sum of multiples of signed rows as weights by class, the constant feature last, in integers."""
    rows, columns, _ = _whole_rows(question, held)
    lines = np.full((question.n_classes, question.width + (0 if question.bias else 1)), 0, object)
    for (row, other), number, line in zip(held, numbers, rows, strict=True):
        lines[int(question.truth[row]), columns] += number * line
        lines[other, columns] -= number * line
    return lines[1] if question.n_classes == 2 else lines


def _first_pairs(question: Question, found: Separable) -> list[Pair]:
    """All pairs if they are few, otherwise those that the separator at hand leaves nearest; the nearest first."""
    count, width = len(question.truth) * (question.n_classes - 1), _width(question)
    most = count if count <= FEW_PAIRS else 3 * width + 50
    while most > FEW_PAIRS // 4 and _cost(most, width) > BUDGET / 4:
        most //= 2
    weights = np.asarray(found.weights)
    if question.bias:
        weights = np.roll(weights, -1, axis=-1)
    else:
        weights = np.concatenate([weights, weights[..., :1] * 0], axis=-1)
    return _nearest(question, weights, most)


def _width(question: Question) -> int:
    """How many numbers a signed row has."""
    return question.width * (1 if question.n_classes == 2 else question.n_classes)


def _cost(pairs: int, width: int) -> float:
    """About how many products the solver makes, of which those that bring the rows to their own number are quick."""
    return pairs * min(pairs, width) ** 2 + (pairs * pairs * width / 20 if pairs < width else 0)


def _nearest(question: Question, weights: np.ndarray, most: int) -> list[Pair]:
    """The pairs of the lowest leads under the weights, lowest first."""
    gaps = float_leads(question, Separator.of(weights).floats()).gaps
    order = np.argsort(gaps, axis=None, kind="stable")[:most]
    rows, others = np.unravel_index(order, gaps.shape)
    there = np.isfinite(gaps[rows, others])
    if question.n_classes == 2:
        others = 1 - question.truth[rows]
    return list(zip(rows[there].tolist(), others[there].tolist(), strict=True))


def _signed(question: Question, pairs: list[Pair]) -> np.ndarray:
    """The signed rows: y f(x), or f(x) in the block of the true class and −f(x) in that of the other."""
    plain = SignedRows(question, *np.array(pairs).T)
    full = np.zeros((len(pairs), plain.all_columns))
    full[:, plain.columns] = plain.values if isinstance(plain.values, np.ndarray) else plain.values.toarray()
    if question.n_classes == 2:
        return full
    blocks = full.reshape(len(pairs), question.n_classes - 1, question.width)
    return np.concatenate([-blocks.sum(axis=1, keepdims=True), blocks], axis=1).reshape(len(pairs), -1)


def _by_class(question: Question, flat: np.ndarray) -> np.ndarray:
    """Weights by class, the constant feature last."""
    weights = flat.reshape(-1, question.width)
    if not question.bias:
        weights = np.concatenate([weights, np.zeros((len(weights), 1))], axis=1)
    return weights[0] if question.n_classes == 2 else weights
