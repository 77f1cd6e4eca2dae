"""The formulas of a likelihood as the notes write them: L(θ) = θ^2 · (1 − θ), L′(θ) = θ · (2 − 3θ)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from rosenblatt.learn.likelihood import Number
from rosenblatt.traces.numerals import numeral

if TYPE_CHECKING:
    from rosenblatt.report.estimate import Estimate

LONGEST = 30  # characters of a fraction that is shown
MOST_FACTORS = 8


def exact(value: Number) -> str:
    """A fraction with its decimals, 2/3 = 0.666667; the decimals alone where it is none, or too long to read."""
    if not math.isfinite(value):
        return "∞" if value > 0 else "-∞"
    if not isinstance(value, Fraction) or value.denominator == 1:
        return numeral(float(value))
    shown = str(value)
    return f"{shown} = {numeral(float(value))}" if len(shown) <= LONGEST else numeral(float(value))


def strength(k: float) -> str:
    return "∞" if k == math.inf else numeral(k)


def likelihood_formula(names: Sequence[str], counts: Sequence[int]) -> str:
    """L as a product of powers."""
    if len(names) == 2:
        return f"θ = P({names[0]})\nL(θ) = {_product([('θ', counts[0]), ('(1 − θ)', counts[1])])}"
    return f"L(θ) = {_product([(f'θ({name})', count) for name, count in zip(names, counts, strict=True)])}"


def slope_formula(found: Estimate) -> list[str]:
    """The derivatives, and where they are 0."""
    n = found.total
    if len(found.counts) > 2:
        return [
            f"θ sums to 1, so at the maximum count/θ is the same for every value: n = {n}",
            "θ = count/n",
        ]
    a, b = found.drawn
    if not n:
        return ["no sample: every θ is as likely as any other"]
    if not a or not b:
        return [_edge(a, b)]
    slope = _product([("θ", a - 1), ("(1 − θ)", b - 1), (f"({a} − {n}θ)", 1)])
    return [f"L′(θ) = {slope}{_zeros(found)}", f"(log L)′(θ) = {a}/θ − {b}/(1 − θ), 0 at θ = {Fraction(a, n)}"]


def _edge(a: int, b: int) -> str:
    """Where a count is 0, L only rises or only falls."""
    slope = _product([("", a), ("θ", a - 1)] if a else [("", b), ("(1 − θ)", b - 1)])
    sign, way, end = ("", "rises", 1) if a else ("−", "falls", 0)
    return f"L′(θ) = {sign}{slope}: L only {way}, and its maximum is at the edge, θ = {end}"


def _zeros(found: Estimate) -> str:
    told = ", ".join(f"{theta} ({what})" for theta, what in found.zeros.items())
    return f", 0 at θ = {told}" if told else ""


def _product(factors: Sequence[tuple[str, int]]) -> str:
    """Powers one after the other, those of 0 left out; a factor without a name is a number."""
    shown = [
        str(power) if not name else name if power == 1 else f"{name}^{power}"
        for name, power in factors
        if power or not name
    ]
    more = ["…"] if len(shown) > MOST_FACTORS else []
    return " · ".join(shown[:MOST_FACTORS] + more) or "1"
