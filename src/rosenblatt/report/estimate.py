"""`estimate`: the probabilities a sample was drawn with, by counting, and what smoothing makes of them."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from numbers import Rational
from os import PathLike
from typing import Any

from rosenblatt.errors import SettingError
from rosenblatt.learn import likelihood as sums
from rosenblatt.learn.likelihood import Number, shares
from rosenblatt.learn.smoothing import check_strength
from rosenblatt.report import likelihood as pictures
from rosenblatt.report.formulas import exact, likelihood_formula, slope_formula, strength
from rosenblatt.writing import write_whole

STRENGTHS = (0.0, 1.0, 10.0, 100.0, math.inf)  # the way from maximum likelihood to uniform, in a few steps
NEAR = 1e-9  # what probabilities may miss 1 by, as floats
LARGEST = 10**15  # of a count


@dataclass(frozen=True)
class Estimate:
    """The probabilities of some values, from how often each was drawn.

    Samples are independent and of one distribution. With two values theta is the probability of the first, and a
    number; with more it is a mapping with the probability of each value, which sum to 1. Fractions stay fractions.

    counts    how often each value was drawn
    k         Laplace strength: how often each value is pretended to have been drawn beside that
    """

    counts: Mapping[Hashable, int]
    k: float = 0.0

    @cached_property
    def probabilities(self) -> dict[Hashable, Fraction]:
        """The probability of each value, (count + k) / (total + k |X|)."""
        return dict(zip(self.counts, shares(self.drawn, self.k), strict=True))

    @property
    def theta(self) -> Fraction | dict[Hashable, Fraction]:
        """The estimate: for k = 0 the theta of the largest likelihood."""
        return self.probabilities if len(self.counts) > 2 else next(iter(self.probabilities.values()))

    @property
    def total(self) -> int:
        """How many samples there are."""
        return sum(self.counts.values())

    @property
    def drawn(self) -> list[int]:
        """The counts alone, in order."""
        return list(self.counts.values())

    def likelihood(self, theta: Any = None) -> Number:
        """L(theta): the probability of drawing this very sample, by default at the estimate."""
        return sums.likelihood(self.drawn, self._chances(theta))

    def log_likelihood(self, theta: Any = None) -> float:
        """log L(theta), which has its maximum where L has it; -inf where a value was drawn that theta rules out."""
        return sums.log_likelihood(self.drawn, self._chances(theta))

    def derivative(self, theta: Any = None) -> Number | dict[Hashable, Number]:
        """L'(theta). With more than two values one for each, less n L: what is left where they must sum to 1."""
        chances = self._chances(theta)
        return self._slope(sums.slopes(self.drawn, chances), self.total * sums.likelihood(self.drawn, chances))

    def log_derivative(self, theta: Any = None) -> Number | dict[Hashable, Number]:
        """The derivative of log L: count / theta - (others) / (1 - theta), or count / theta - n for each value."""
        return self._slope(sums.log_slopes(self.drawn, self._chances(theta)), self.total)

    def _slope(self, slopes: Sequence[Number], multiplier: Number) -> Number | dict[Hashable, Number]:
        if len(slopes) == 2:
            return slopes[0] - slopes[1]
        return {value: slope - multiplier for value, slope in zip(self.counts, slopes, strict=True)}

    @property
    def zeros(self) -> dict[Fraction, str]:
        """Where L' of two values is 0, each with what L has there, a maximum or a minimum.

        Where a count is 0 the maximum lies at an edge, where L' need not be 0. Without samples L' is 0 everywhere.
        """
        if len(self.counts) > 2:
            raise SettingError(
                "zeros is about a number theta; for more than two values every derivative is 0 at theta."
            )
        a, b = self.drawn
        found = {Fraction(0): "minimum"} if a > 1 else {}
        found |= {Fraction(a, a + b): "maximum"} if a and b else {}
        return found | ({Fraction(1): "minimum"} if b > 1 else {})

    def smoothed(self, k: float) -> Estimate:
        """The estimate of the same counts by another strength."""
        return replace(self, k=check_strength(k))

    def curve(self, value: Hashable | None = None, points: int = 101) -> list[tuple[Fraction, Number]]:
        """L over the probability of a value, the first by default, at evenly spaced places from 0 to 1.

        The probabilities of all others keep the proportions that their counts have.
        """
        of = next(iter(self.counts)) if value is None else value
        if of not in self.counts:
            raise SettingError(f"value must be one of {', '.join(map(str, self.counts))}; got {value!r}.")
        rest = dict(zip(self.counts, shares([0 if v == of else n for v, n in self.counts.items()], 0), strict=True))
        if self.counts[of] == self.total:
            rest = {v: Fraction(v != of, len(rest) - 1) for v in rest}
        found = []
        for place in range(points):
            theta = Fraction(place, points - 1)
            chances = [theta if v == of else (1 - theta) * rest[v] for v in self.counts]
            found.append((theta, sums.likelihood(self.drawn, chances)))
        return found

    def sketch(self) -> str:
        """The curve in characters, with a mark at the estimate; with more than two values a bar for each."""
        return pictures.sketch(self)

    def to_svg(self, path: str | PathLike[str] | None = None) -> str:
        """The curve, and on it the estimates of k from 0 to infinity, as an SVG picture; written to a file if named."""
        picture = pictures.picture_of(self)
        if path is not None:
            write_whole(path, picture)
        return picture

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def to_dict(self) -> dict[str, Any]:
        """The numbers as plain values."""
        return {
            "counts": {str(value): count for value, count in self.counts.items()},
            "k": "inf" if self.k == math.inf else self.k,
            "probabilities": {str(value): float(p) for value, p in self.probabilities.items()},
            "fractions": {str(value): str(p) for value, p in self.probabilities.items()},
            "likelihood": float(self.likelihood()),
            "log_likelihood": self.log_likelihood(),
        }

    def at(self, theta: Any) -> list[str]:
        """What there is to say of another theta: L, its logarithm, and the derivatives."""
        chances = self._chances(theta)
        given = chances[0] if len(chances) == 2 else dict(zip(self.counts, chances, strict=True))
        return [
            f"at θ = {_each(given)}",
            f"  L = {self._shown_likelihood(chances)}",
            f"  log L = {self.log_likelihood(theta):.6g}",
            f"  L′ = {_each(self.derivative(theta))}",
            f"  (log L)′ = {_each(self.log_derivative(theta))}",
        ]

    def _shown_likelihood(self, chances: Sequence[Number]) -> str:
        found = sums.likelihood(self.drawn, chances)
        log = sums.log_likelihood(self.drawn, chances)
        return exact(found) if float(found) or log == -math.inf else f"e^{log:.1f}"

    def __str__(self) -> str:
        names = [str(value) for value in self.counts]
        width, wide = max(5, *map(len, names)), max(5, *(len(str(n)) for n in self.drawn))
        lines = [f"{'value':<{width}}  {'count':>{wide}}  θ"]
        for name, count, p in zip(names, self.drawn, self.probabilities.values(), strict=True):
            lines.append(f"{name:<{width}}  {count:>{wide}}  {exact(p)}")
        lines += ["", likelihood_formula(names, self.drawn), *slope_formula(self)]
        return "\n".join([*lines, "", self.sketch(), "", *self._way()])

    def _way(self) -> list[str]:
        """The estimates of k from 0 to infinity, and how likely they make the sample."""
        ks = sorted({*STRENGTHS, self.k})
        table = [("k", "θ", "L(θ)", "log L(θ)")]
        for k in ks:
            each = self.smoothed(k)
            chances = list(each.probabilities.values())
            shown = exact(chances[0]) if len(chances) == 2 else ", ".join(f"{float(p):.4g}" for p in chances)
            table.append((strength(k), shown, self._shown_likelihood(chances), f"{each.log_likelihood():.6g}"))
        widths = [max(len(row[c]) for row in table) for c in range(4)]
        return ["  ".join(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True)).rstrip() for row in table]

    def _chances(self, theta: Any) -> list[Number]:
        """The probability of each value for a theta that is given, checked."""
        if theta is None:
            return list(self.probabilities.values())
        if isinstance(theta, Mapping):
            if set(theta) != set(self.counts):
                raise SettingError(f"theta must name {_listed(self.counts)}; got {_listed(theta)}.")
            found = [_probability(theta[value], f"theta of {value}") for value in self.counts]
            if abs(float(sum(found)) - 1) > NEAR:
                raise SettingError(f"theta must sum to 1; got {float(sum(found)):g}. Divide each by that sum.")
            return found
        if len(self.counts) > 2:
            raise SettingError(f"theta must be a mapping with the probability of each of {_listed(self.counts)}.")
        first = _probability(theta, "theta")
        return [first, 1 - first]


def estimate(counts: Mapping[Any, int], k: float = 0) -> Estimate:
    """The probabilities of values, from how often each was drawn: maximum likelihood for k = 0, smoothed for others.

    counts    for each value how often it was drawn, 0 for one that never was: {"heads": 7, "tails": 3}
    k         Laplace strength, from 0 (maximum likelihood) to infinity (uniform)

    >>> from rosenblatt import estimate
    >>> coin = estimate({"heads": 7, "tails": 3})
    >>> coin.theta, coin.likelihood(0.5), coin.derivative(coin.theta)
    (Fraction(7, 10), 0.0009765625, Fraction(0, 1))
    >>> estimate({"red": 2, "blue": 1}).likelihood(), estimate({"red": 2, "blue": 1}, k=1).theta
    (Fraction(4, 27), Fraction(3, 5))
    """
    if not isinstance(counts, Mapping) or len(counts) < 2:
        raise SettingError(
            "counts must name two values or more, such as {'heads': 7, 'tails': 3}, 0 for one not drawn."
        )
    for value, count in counts.items():
        whole = isinstance(count, Rational) and not isinstance(count, bool) and count.denominator == 1
        if not whole or not 0 <= count <= LARGEST:
            raise SettingError(f"the count of {value} must be a whole number from 0 to {LARGEST:,}; got {count!r}.")
    return Estimate({value: int(count) for value, count in counts.items()}, check_strength(k))


def _probability(value: Any, where: str) -> Number:
    number = Fraction(value) if isinstance(value, Rational) and not isinstance(value, bool) else value
    try:
        number = number if isinstance(number, Fraction) else float(number)
    except (TypeError, ValueError):
        number = math.nan
    if not 0 <= number <= 1:
        raise SettingError(f"{where} must be a probability from 0 to 1; got {value}.")
    return number


def _each(found: Number | Mapping[Hashable, Number]) -> str:
    """A number, or one for each value."""
    if not isinstance(found, Mapping):
        return exact(found)
    return ", ".join(f"{value}: {exact(number)}" for value, number in found.items())


def _listed(names: Iterable[Any]) -> str:
    return ", ".join(map(str, names))
