"""A verdict in words: what was proved, and by which rows. `prove` prints it, and a cell of a notebook shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from rosenblatt.data.table import some
from rosenblatt.proofs.verdicts import Combination, Inseparable, Separable, Undecided, Verdict
from rosenblatt.report.figures import shortened

SHOWN = 6  # rows of a witness that are written out
LONGEST = 60  # letters of a label
SOON = 2_000_000  # numbers in data of which the best margin is found within a second or two


class Places(Protocol):
    """How the rows of the data are called."""

    @property
    def unit(self) -> str:
        """row, or line"""

    @property
    def left_out(self) -> Sequence[str]:
        """Columns that the verdict does not speak of."""

    def name(self, row: int) -> str:
        """Its number or its place."""

    def label(self, row: int) -> str:
        """Its class; nothing where nobody knows."""

    def alike(self, one: int, other: int) -> str:
        """How far two rows of equal features are the same."""


@dataclass(frozen=True)
class Numbered:
    """Rows by their numbers, from 0, where there is nothing but the verdict."""

    verdict: Verdict
    unit: str = "row"
    left_out: Sequence[str] = ()

    def name(self, row: int) -> str:
        return str(row)

    def label(self, row: int) -> str:
        """Of two classes the one that is not the other; of more a verdict does not say it."""
        found, classes = self.verdict, self.verdict.data.classes
        if len(classes) > 2 or not isinstance(found, Combination):
            return ""
        return shortened(str(classes[1 - found.others[found.rows.index(row)]]), LONGEST)

    def alike(self, one: int, other: int) -> str:
        return "identical"


def paragraph(verdict: Verdict, places: Places) -> str:
    """The verdict in words, its witness in terms of the data, and the columns that it does not speak of."""
    mark = verdict.data
    size = f"{_of(mark.rows, 'row')}, {_of(mark.columns, 'feature')}, {len(mark.classes)} classes"
    return f"{verdict.statement.capitalize()} ({size}). {_found(verdict, places)}{not_used(places.left_out)}"


def not_used(left_out: Sequence[str]) -> str:
    """A sentence with the columns left out, or nothing."""
    return f" Left out: {some(left_out)}." if left_out else ""


def _found(verdict: Verdict, places: Places) -> str:
    if isinstance(verdict, Separable):
        return _separator(verdict, places)
    if isinstance(verdict, Inseparable):
        return _witness(verdict, places)
    assert isinstance(verdict, Undecided), "there are three verdicts"
    return f"Neither proof was found in time. No margin exceeds {verdict.high:.4g}."


def _separator(verdict: Separable, places: Places) -> str:
    """What the weights at hand prove, and the best margin where it is soon found."""
    mark = verdict.data
    made = "" if verdict.mistakes is None else f"; the one that found these weights made {verdict.mistakes:,}"
    parts = [
        f"Linear boundaries get every row strictly right, with a gap of at least {verdict.gap:.4g} between the classes "
        f"in feature space. In homogeneous form{', the constant feature counted' if mark.bias else ''}, these weights "
        f"have a margin of {verdict.margin:.4g}"
    ]
    most = verdict.mistake_bound
    if verdict.question is not None and mark.rows * mark.columns * (len(mark.classes) - 1) <= SOON:
        most = verdict.best.mistake_bound
        parts += [f" and the best margin is {_between(*verdict.best_margin)}, held by {_rows(places, verdict.support)}"]
    mistakes = f"{count(most)} mistake{'' if most == 1 else 's'}"
    return (
        f"{''.join(parts)}. The longest row is {verdict.radius:.4g}, so a perceptron from zero makes at most "
        f"{mistakes}{made}."
    )


def _between(low: float, high: float) -> str:
    """One number where both bounds round to it, otherwise both."""
    same = f"{low:.4g}" == f"{high:.4g}" or high - low <= 1e-6 * high
    return f"{low:.4g}" if same else f"between {low:.4g} and {high:.4g}"


def _rows(places: Places, rows: Sequence[int]) -> str:
    """Some rows by their places in the data."""
    more = f" and {len(rows) - SHOWN} more" if len(rows) > SHOWN else ""
    names = ", ".join(map(places.name, rows[:SHOWN]))
    return f"{places.unit}{'' if len(rows) == 1 else 's'} {names}{more}"


def _witness(verdict: Inseparable, places: Places) -> str:
    """Which rows prove that there is no separator."""
    rows, unit = verdict.rows, places.unit
    if len(rows) == 1:
        where = " in the columns used" if places.left_out else ""
        name = places.name(rows[0])
        return f"{unit.capitalize()} {name} is all zeros{where}, and without a bias every boundary passes through it."
    if verdict.found_by == "equal rows":
        one, other = rows[:2]
        labels = [label for label in (places.label(one), places.label(other)) if label]
        how = f"labelled {' and '.join(labels)}" if labels else "have different labels"
        alike = places.alike(one, other)
        return f"{unit.capitalize()}s {places.name(one)} and {places.name(other)} are {alike} but {how}."
    total = sum(verdict.multipliers)
    shares = [f"{c} ×" if total < 10**6 else f"{float(Fraction(c, total)):.2%} of" for c in verdict.multipliers]
    parts = [
        f"{share} {unit} {places.name(row)}" + (f" ({label})" if (label := places.label(row)) else "")
        for share, row in zip(shares[:SHOWN], rows, strict=False)
    ]
    more = f" and {len(rows) - SHOWN} more" if len(rows) > SHOWN else ""
    return (
        f"These {len(rows)} rows cancel, each counted towards its class: {', '.join(parts)}{more}. Weights "
        f"that got all of them right would make their sum positive, but it is exactly zero."
    )


def _of(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def count(number: int) -> str:
    """1,234; of a huge number only how many digits it has"""
    return f"{number:,}" if number < 10**15 else f"about 10^{int(number.bit_length() * 0.30103)}"
