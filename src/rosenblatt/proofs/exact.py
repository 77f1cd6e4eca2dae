"""What a separator or a sum of signed rows is worth, in exact arithmetic; no solver, no trust in floating point.

Every float is a whole number times a power of two, so products and sums of them are decided by Python's integers. On
many rows a filter settles the clear ones first. For a sum of m products in float64, in any order, fused or not,
    |computed − exact| <= g·Σ|w_j f_j| <= g·|w||f|,  g = m·u / (1 − m·u),  u = 2^-53   (Higham 2002, section 3.1),
as long as nothing overflows; the constants below are larger than needed and absorb underflow and the rounding of the
lengths themselves. A row that is not clear by this bound is decided in integers.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from rosenblatt.learn.decide import score_rows
from rosenblatt.learn.exact import features
from rosenblatt.loops.rows import n_features
from rosenblatt.proofs.question import Question

UNIT = 2.0**-53
SAFE = 1e300  # lengths whose product stays below cannot overflow on the way
FEW_ROWS = 16  # so many are asked in integers where a bound would do but the exact number is nicer
FEW_VALUES = 200_000  # so many are summed in rationals in about a second
TINY = 1e-150  # more than what underflow can take from a length


def whole(values: Iterable[Any]) -> tuple[list[int], int]:
    """Integers p and a power of two q with values[j] = p[j] / q exactly, for floats and integers."""
    ratios = [value.as_integer_ratio() for value in values]
    scale = max((bottom for _, bottom in ratios), default=1)
    return [top * (scale // bottom) for top, bottom in ratios], scale


def short(value: Fraction) -> str:
    """The value in a few digits, also where it is beyond the floats."""
    try:
        return f"{float(value):.3g}"
    except OverflowError:
        return f"{'-' if value < 0 else ''}2^{int(abs(value)).bit_length() - 1} or more"


def root_down(value: Fraction) -> float:
    """The largest float64 whose square is at most the value (0 where that underflows)."""
    guess = _root(value)
    while Fraction(guess) ** 2 > value:
        guess = math.nextafter(guess, 0.0)
    return guess


def root_up(value: Fraction) -> float:
    """A float64, as small as can be, whose square is at least the value."""
    try:
        guess = _root(value)
    except OverflowError:
        return math.inf
    while guess < math.inf and Fraction(guess) ** 2 < value:
        guess = math.nextafter(guess, math.inf)
    return guess


def _root(value: Fraction) -> float:
    """The root to within a unit in the last place: integers, because the value may be beyond the floats."""
    shift = max(0, 128 - value.numerator.bit_length() + value.denominator.bit_length())
    shift += shift % 2
    return math.isqrt((value.numerator << shift) // value.denominator) / 2 ** (shift // 2)


@dataclass(frozen=True)
class Separator:
    """Weights as integers over one scale, by class (0 for the first of two), the constant feature's weight last."""

    lines: tuple[tuple[int, ...], ...]
    scale: int

    @classmethod
    def of(cls, weights: np.ndarray) -> Separator:
        """From weights by class: a vector for two classes, one line each for more; floats or integers.

        A power of two brings the largest below 1, which changes no lead's sign and no margin, so that nothing here
        can overflow a float.
        """
        lines = np.atleast_2d(weights)
        flat, scale = whole(lines.ravel().tolist())
        excess = max(map(abs, flat)).bit_length() - scale.bit_length() + 1
        flat, scale = (flat, scale << excess) if excess > 0 else ([v << -excess for v in flat], scale)
        width = lines.shape[1]
        parts = [tuple(flat[k : k + width]) for k in range(0, len(flat), width)]
        if len(parts) == 1:
            parts = [(0,) * width, *parts]
        return cls(tuple(parts), scale)

    @property
    def square(self) -> Fraction:
        """|w|² of the homogeneous form: Frobenius for more than two classes."""
        return Fraction(sum(v * v for line in self.lines for v in line), self.scale**2)

    def pair_square(self, one: int, other: int) -> Fraction:
        """|w_one − w_other|² without the constant feature: what turns a lead into a distance in feature space."""
        gaps = (a - b for a, b in zip(self.lines[one][:-1], self.lines[other][:-1], strict=True))
        return Fraction(sum(v * v for v in gaps), self.scale**2)

    def lead(self, question: Question, row: int, other: int) -> Fraction:
        """How far the true class of a row is ahead of another, exactly."""
        columns, values = features(question.rows, row)
        own, rival = self.lines[question.truth[row]], self.lines[other]
        numbers, scale = whole(values.tolist())
        total = sum(x * (own[j] - rival[j]) for x, j in zip(numbers, columns.tolist(), strict=True))
        return Fraction(total, scale * self.scale)

    def floats(self) -> np.ndarray:
        """The weights as float64, each rounded once."""
        return np.array([[v / self.scale for v in line] for line in self.lines])


@dataclass(frozen=True)
class Leads:
    """Rigorous lower bounds on the leads of every row over every other class; what is not clear is left to integers."""

    gaps: np.ndarray  # as computed: (rows, classes), or one column for two classes; +inf at the true class
    low: np.ndarray  # certainly not above the exact lead
    clear: np.ndarray  # where low is to be trusted and positive


def float_leads(question: Question, lines: np.ndarray) -> Leads:
    """Leads under weights that are within one rounding of `lines` (one per class), with the error bound taken off."""
    truth = question.truth
    if question.n_classes == 2:
        scores = score_rows(question.rows, lines[1])
        gaps = np.where(truth == 1, scores, -scores)[:, None]
        lengths = np.linalg.norm(lines[1:], axis=1)
    else:
        scores = score_rows(question.rows, lines)
        gaps = scores[np.arange(len(truth)), truth][:, None] - scores
        lengths = np.linalg.norm(lines, axis=1)
        lengths = lengths + np.max(lengths)
    terms = n_features(question.rows) + 16
    slack = 2.0 * terms * UNIT * (1 + terms * UNIT)
    row_lengths = np.sqrt(question.problem.squares) * (1 + slack) + TINY
    product = np.outer(row_lengths, lengths * (1 + slack) + TINY)
    with np.errstate(invalid="ignore", over="ignore"):
        low = (gaps - slack * product) * (1 - 8 * UNIT) - 5e-324
        clear = (product < SAFE) & (low > 0)
    low = np.where(clear, low, -np.inf)
    if question.n_classes > 2:
        own = np.arange(len(truth)), truth
        gaps[own], low[own], clear[own] = np.inf, np.inf, True
    return Leads(gaps, low, clear)


def worst_pairs(question: Question, separator: Separator, limit: int) -> list[tuple[int, int]]:
    """At most `limit` pairs (row, other class) that the separator does not get strictly right, the worst first.

    Empty only if there are none: rows that are not clear are asked in integers when no other is left.
    """
    leads = float_leads(question, separator.floats())
    wrong = unclear_pairs(question, leads)
    if not wrong:
        return []
    rows, others = np.array(wrong).T
    gaps = leads.gaps[rows, 0 if question.n_classes == 2 else others]
    worst = np.argsort(gaps, kind="stable")
    found = []
    for k in worst.tolist():
        if separator.lead(question, *wrong[k]) <= 0:
            found.append(wrong[k])
            if len(found) == limit:
                break
    return found


def unclear_pairs(question: Question, leads: Leads, below: Any = None) -> list[tuple[int, int]]:
    """Pairs whose lead the filter did not settle, or did not settle to be above `below`."""
    open_ones = ~leads.clear if below is None else ~(leads.clear & (leads.low > below))
    rows, others = np.nonzero(open_ones)
    if question.n_classes == 2:
        others = 1 - question.truth[rows]
    return list(zip(rows.tolist(), others.tolist(), strict=True))


def signed_sum(
    question: Question, rows: Sequence[int], others: Sequence[int], multipliers: Sequence[int]
) -> dict[tuple[int, int], Fraction]:
    """The sum of multiples of signed rows, exactly: by (class, column), zeros left out.

    Two classes have one block: w belongs to the later class, and the signed row is y·f(x).
    """
    read = []
    for row in rows:
        columns, values = features(question.rows, row)
        read.append((columns.tolist(), *whole(values.tolist())))
    common = max((scale for _, _, scale in read), default=1)
    total: defaultdict[tuple[int, int], int] = defaultdict(int)
    for row, other, multiplier, (columns, numbers, scale) in zip(rows, others, multipliers, read, strict=True):
        factor = multiplier * (common // scale)
        true = int(question.truth[row])
        if question.n_classes == 2:
            other, true, factor = (-1, 1, factor) if true else (-1, 1, -factor)
        for column, number in zip(columns, numbers, strict=True):
            total[true, column] += factor * number
            if other >= 0:
                total[other, column] -= factor * number
    return {place: Fraction(value, common) for place, value in total.items() if value}


def distance_up(question: Question, rows: Any, others: Any, multipliers: Any) -> float:
    """A float64 at least |Σ c z| / Σ c: no weights have a larger margin. In rationals, or for many rows by a bound.

    A float sum of m multiples c z in sequence is off by at most g·Σ c|z| with g as in exact.py for 2m terms.
    """
    if len(rows) * question.width <= FEW_VALUES or max(multipliers) >= 2**53:
        rest = signed_sum(question, rows, others, multipliers)
        return root_up(sum((value * value for value in rest.values()), Fraction()) / Fraction(sum(multipliers)) ** 2)
    problem = question.problem
    total = problem.layout(problem.zero_weights().astype(np.float64))
    problem.add(np.array(rows), np.array(others, np.int32), np.array(multipliers, np.float64), total)
    slack = Fraction(4 * (len(rows) + 4), 2**53)
    length = sum(Fraction(v) ** 2 for v in total.ravel().tolist()) / Fraction(sum(multipliers)) ** 2
    return float(Fraction(root_up(length)) * (1 + slack) + slack * Fraction(radius_up(question)) + Fraction(TINY))


def radius_up(question: Question) -> float:
    """A float64 at least as large as the longest signed row, and within a unit or two of it."""
    squares = question.problem.squares
    slack = 4.0 * (n_features(question.rows) + 4) * UNIT
    candidates = np.flatnonzero(squares >= squares.max() * (1 - slack))
    if len(candidates) > FEW_ROWS:  # many rows of nearly one length: take the bound instead of asking each
        longest = Fraction(float(squares.max())) * (1 + Fraction(slack)) + Fraction(TINY) ** 2
    else:
        longest = max(exact_square(question, int(i)) for i in candidates)
    return root_up(longest if question.n_classes == 2 else 2 * longest)


def exact_square(question: Question, row: int) -> Fraction:
    numbers, scale = whole(features(question.rows, row)[1].tolist())
    return Fraction(sum(v * v for v in numbers), scale * scale)
