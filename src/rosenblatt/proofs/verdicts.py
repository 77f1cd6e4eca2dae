"""The three answers. Each carries what proves it and checks itself against the data in exact arithmetic.

Gordan's theorem: exactly one holds. Some w has z·w > 0 for every signed row z: `Separable`. Or some multiples of
signed rows, all positive, sum to zero: `Inseparable`. When time runs out, positive multiples whose sum is short still
bound the best margin from above: `Undecided`.
The best margin is the largest min z·w over weights with |w| <= 1; it is 0 exactly where no separator exists.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rosenblatt.errors import DataError
from rosenblatt.notebook import InCell
from rosenblatt.proofs import certificate
from rosenblatt.proofs.exact import (
    Leads,
    Separator,
    distance_up,
    float_leads,
    radius_up,
    root_up,
    short,
    signed_sum,
    unclear_pairs,
)
from rosenblatt.proofs.input import read_question
from rosenblatt.proofs.question import Mark, Question

if TYPE_CHECKING:
    from rosenblatt.proofs.widest import Widest

FEW = 6  # rows that a `repr` names


@dataclass(frozen=True, eq=False, repr=False)
class Verdict(InCell):
    """What all three have: the mark of the data they speak of, `check`, `to_json` and `from_json`."""

    data: Mark = field(repr=False)
    kind: ClassVar[str] = ""
    words: ClassVar[str] = ""

    @property
    def statement(self) -> str:
        """The verdict in words; one about boundaries without a bias says that they go through the origin."""
        return self.words + ("" if self.data.bias else certificate.THROUGH_THE_ORIGIN)

    def __repr__(self) -> str:
        mark = self.data
        size = f"{mark.rows:,} rows, {mark.columns:,} features, {len(mark.classes)} classes"
        return f"<{type(self).__name__}: {self._found}; {size}>"

    @property
    def _found(self) -> str:
        """What was found, in a few words."""
        return self.statement

    def check(self, X: Any, y: Any) -> bool:
        """True if the data is the data meant and the arithmetic holds; otherwise DataError says what does not."""
        question = read_question(X, y, self.data.bias)
        certificate.check_mark(self.data, question.mark)
        self.check_arithmetic(question)
        return True

    def check_arithmetic(self, question: Question) -> None:
        raise NotImplementedError

    def to_json(self) -> str:
        """The certificate: a JSON text with the mark of the data and a checksum."""
        return certificate.write(self)

    @staticmethod
    def from_json(text: str | bytes) -> Verdict:
        """The verdict of a certificate; DataError if it is damaged. What it claims is for `check` to decide."""
        return from_json(text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Verdict) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(self.to_json())


@dataclass(frozen=True, eq=False, repr=False)
class Separable(Verdict):
    """Weights that get every row strictly right, and what they prove.

    Two classes: one vector, positive for the later class in sorted order. More: one line per class. The weight of
    the constant feature comes first, where there is one. Usually floats; integers where the opening between the
    classes is too thin for floats. Margin and gap are rounded down (to 0 where no float is small enough), the radius
    up, so that all are proved.
    """

    weights: np.ndarray
    margin: float  # min z·w / |w|, the constant feature counted: the best margin is at least this
    gap: float  # twice the least distance of a row to a boundary in feature space
    radius: float  # no signed row is longer
    mistake_bound: int  # a perceptron from 0 makes at most (radius / margin)² mistakes on these rows, in any order
    found_by: str = ""
    mistakes: int | None = None  # those of the perceptron that found the weights, if one did
    question: Question | None = field(default=None, repr=False)  # the rows themselves, which no certificate holds
    kind: ClassVar[str] = "separable"
    words: ClassVar[str] = "separable"

    @property
    def _found(self) -> str:
        return f"{self.statement}, margin at least {self.margin:.4g}"

    @property
    def best_margin(self) -> tuple[float, float]:
        """Two proved bounds on the best margin of any weights on these rows, the constant feature counted.

        `margin` is that of the weights at hand. The bounds are looked for when they are first asked for, within a
        budget; where it does not suffice they lie further apart.
        """
        return self._widest.verdict.margin, self._widest.high

    @property
    def best(self) -> Separable:
        """The verdict with the best weights that were found: its margin is the lower bound of `best_margin`."""
        return self._widest.verdict

    @property
    def support(self) -> tuple[int, ...]:
        """The numbers of the rows that hold the best margin down: they alone prove its upper bound."""
        return self._widest.support

    @cached_property
    def _widest(self) -> Widest:
        from rosenblatt.proofs.widest import find_widest  # which makes verdicts of its own

        if self.question is None:
            raise DataError("a certificate does not hold the rows. Prove the data anew to ask for its best margin.")
        return find_widest(self.question, self)

    def check_arithmetic(self, question: Question) -> None:
        weights = _bias_last(self.weights, question)
        if not (self.margin >= 0 and self.gap >= 0 and self.radius > 0 and self.mistake_bound >= 0):
            raise DataError("margin, gap, radius and mistake bound must not be negative. Prove the data anew.")
        separator = Separator.of(weights)
        leads = float_leads(question, separator.floats())
        square = separator.square
        by_margin = Fraction(self.margin) ** 2 * square
        by_bound = Fraction(self.radius) ** 2 * square / (self.mistake_bound + 1)  # no lead may be as small
        for row, other in unclear_pairs(question, leads, root_up(max(by_margin, by_bound))):
            lead = separator.lead(question, row, other)
            if lead <= 0:
                raise DataError(f"the weights do not separate row {row} (lead {short(lead)}). Prove the data anew.")
            if lead * lead < by_margin:
                raise DataError(f"the margin {self.margin!r} is more than row {row} has. Prove the data anew.")
            if lead * lead <= by_bound:
                raise DataError(
                    f"row {row} allows more mistakes than {short(Fraction(self.mistake_bound))}. Prove the data anew."
                )
        _check_gap(self.gap, separator, question, leads)
        if radius_up(question) > self.radius:
            raise DataError(f"the radius {self.radius!r} is less than the longest row. Prove the data anew.")


@dataclass(frozen=True, eq=False, repr=False)
class Combination(Verdict):
    """Positive multiples of signed rows: row numbers, the other class of each, and whole multipliers."""

    rows: tuple[int, ...]
    others: tuple[int, ...]  # numbers in the classes; for two classes simply the other one
    multipliers: tuple[int, ...]

    def _check_parts(self, question: Question) -> None:
        if not self.rows or not len(self.rows) == len(self.others) == len(self.multipliers):
            raise DataError("the certificate does not give one class and one multiplier for each row. Prove anew.")
        for row, other, multiplier in zip(self.rows, self.others, self.multipliers, strict=True):
            if not 0 <= row < self.data.rows:
                raise DataError(
                    f"row {short(Fraction(row))} lies outside 0 to {self.data.rows - 1}. Prove the data anew."
                )
            if not 0 <= other < question.n_classes or other == question.truth[row]:
                raise DataError(
                    f"row {row} is set against class number {short(Fraction(other))}, no other class. Prove anew."
                )
            if multiplier <= 0:
                raise DataError(
                    f"the multiplier of row {row} is {short(Fraction(multiplier))}, not positive. Prove the data anew."
                )


@dataclass(frozen=True, eq=False, repr=False)
class Inseparable(Combination):
    """Rows whose signed multiples sum to zero: no weights can have all of them on the right side."""

    found_by: str = ""
    kind: ClassVar[str] = "inseparable"
    words: ClassVar[str] = "not separable"

    @property
    def _found(self) -> str:
        return f"{self.statement}, rows {_some(self.rows)} cancel"

    def check_arithmetic(self, question: Question) -> None:
        self._check_parts(question)
        rest = signed_sum(question, self.rows, self.others, self.multipliers)
        if rest:
            (_, column), value = next(iter(rest.items()))
            raise DataError(f"the rows do not cancel: column {column} sums to {short(value)}. Prove the data anew.")


@dataclass(frozen=True, eq=False, repr=False)
class Undecided(Combination):
    """Neither was found in time. The best margin lies between 0 (no separator) and `high`, which is proved."""

    high: float = float("inf")
    kind: ClassVar[str] = "undecided"
    words: ClassVar[str] = "undecided"

    @property
    def _found(self) -> str:
        return f"{self.statement}, no margin exceeds {self.high:.4g}"

    @property
    def margin_bracket(self) -> tuple[float, float]:
        """Bounds on the best margin; 0 stands for rows that cannot be separated."""
        return 0.0, self.high

    def check_arithmetic(self, question: Question) -> None:
        self._check_parts(question)
        if self.high < distance_up(question, self.rows, self.others, self.multipliers):
            raise DataError(f"the rows do not prove a margin of at most {self.high!r}. Prove the data anew.")


def _some(rows: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, rows[:FEW]))
    return f"{shown} and {len(rows) - FEW} more" if len(rows) > FEW else shown


def from_json(text: str | bytes) -> Verdict:
    """The verdict of a certificate; DataError if it is damaged. What it claims is for `check` to decide."""
    data, fields = certificate.read(text)
    kind = fields.pop("verdict")
    if kind == Separable.kind:
        return Separable(data, **fields)
    return (Inseparable if kind == Inseparable.kind else Undecided)(data, **fields)


def _bias_last(weights: np.ndarray, question: Question) -> np.ndarray:
    wanted = (question.width,) if question.n_classes == 2 else (question.n_classes, question.width)
    if weights.shape != wanted:
        raise DataError(f"the weights have shape {weights.shape}, the data needs {wanted}. Prove the data anew.")
    if question.bias:
        return np.roll(weights, -1, axis=-1)
    return np.concatenate([weights, np.zeros((*weights.shape[:-1], 1), weights.dtype)], axis=-1)


def pair_squares(separator: Separator, n_classes: int) -> dict[tuple[int, int], Fraction]:
    pairs = [(a, b) for a in range(n_classes) for b in range(a)]
    squares = {pair: separator.pair_square(*pair) for pair in pairs}
    return squares | {(b, a): square for (a, b), square in squares.items()}


def _check_gap(gap: float, separator: Separator, question: Question, leads: Leads) -> None:
    half = Fraction(gap) / 2
    for (true, other), square in pair_squares(separator, question.n_classes).items():
        column = 0 if question.n_classes == 2 else other
        needed = root_up(half * half * square)
        near = (question.truth == true) & ~(leads.clear[:, column] & (leads.low[:, column] >= needed))
        for row in np.flatnonzero(near).tolist():
            if separator.lead(question, row, other) ** 2 < half * half * square:
                raise DataError(f"the gap {gap!r} is more than row {row} leaves. Prove the data anew.")
