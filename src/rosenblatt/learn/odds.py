"""Why naive Bayes decides as it does: the log-odds of two classes as a sum over what the row holds."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rosenblatt.errors import SettingError
from rosenblatt.learn.counts import Counts
from rosenblatt.learn.decide import Decision
from rosenblatt.learn.explain import Factors
from rosenblatt.learn.smoothing import Factor, binary_factors, group_factors
from rosenblatt.learn.tuning import as_sparse
from rosenblatt.loops.rows import Rows, Sparse


@dataclass(frozen=True)
class Term:
    """What one value of the row adds to the log-odds.

    `zeros` is not 0 only at k = 0, where a factor can be 0: how many more zero factors the other class has. The
    finite part of such a factor, 1 / total in the limit k -> 0+, is then in `log_odds`.
    """

    feature: str
    value: Any
    log_odds: float
    zeros: float = 0


@dataclass(frozen=True)
class Explanation:
    """The predicted class against another one, and the terms that decided between them, the weightiest first.

    `factors` holds the products that the terms are made of, factor by factor and for every class, with P(y | row).
    """

    predicted: Any
    other: Any
    terms: tuple[Term, ...]
    factors: Factors = field(compare=False)

    @property
    def probabilities(self) -> dict[Any, float]:
        """P(y | row) by class."""
        return self.factors.probabilities

    @property
    def zeros(self) -> float:
        """How many more zero factors the other class has; any more make it impossible."""
        return sum(term.zeros for term in self.terms)

    @property
    def decision(self) -> float:
        """log P(predicted | row) - log P(other | row): the sum of all terms, rounded once."""
        certain = any(term.log_odds == math.inf for term in self.terms)  # the other class has a prior of 0
        if self.zeros or certain:
            return math.inf if certain else math.copysign(math.inf, self.zeros)
        return math.fsum(term.log_odds for term in self.terms)

    def __str__(self) -> str:
        lines = [f"{self.predicted!r} rather than {self.other!r}: log-odds {self.decision:+.4f}"]
        for term in self.terms:
            shown = term.feature if term.value is None else f"{term.feature} = {term.value}"
            impossible = f"  ({'other' if term.zeros > 0 else 'predicted'} class never has it)" if term.zeros else ""
            lines.append(f"  {term.log_odds:+10.4f}  {shown}{impossible}")
        return "\n".join([*lines, "", self.factors.shown()])


@dataclass(frozen=True)
class Part:
    """What a row holds of one feature, or all that it lacks: the factors of every class.

    The terms of `NaiveBayes.explain` and of a model's explanation are made of these.
    """

    feature: str
    value: Any  # None where it stands for several features
    name: str  # both in one, such as outlook=sunny
    logs: np.ndarray  # (factors, classes)
    zeros: np.ndarray | None  # which of them are 0; only for k = 0
    times: float = 1.0  # how often the row has it

    def of(self, c: int) -> tuple[float, float]:
        """The logarithm of the factors of a class without those that are 0, and how many are."""
        zeros = 0.0 if self.zeros is None else float(self.zeros[:, c].sum())
        return math.fsum(self.logs[:, c].tolist()) * self.times, zeros * self.times

    def between(self, a: int, b: int) -> tuple[float, float]:
        """The log-odds of class a over class b, and how many more zero factors class b has."""
        zeros = 0.0 if self.zeros is None else float((self.zeros[:, b] - self.zeros[:, a]).sum())
        return math.fsum((self.logs[:, a] - self.logs[:, b]).tolist()) * self.times, zeros * self.times


def explain(
    row: Rows, counts: Counts, k: float, priors: np.ndarray, scores: np.ndarray, against: Any, factors: Factors
) -> Explanation:
    """The terms for the single row, whose settled scores are given; `against` None is the runner-up."""
    classes = counts.classes.tolist()
    a, b = _pair(classes, scores, against)
    terms = [Term("prior", None, float(priors[a] - priors[b]) if a != b else 0.0)]
    for part in parts_of(row, counts, k, counts.schema.label):
        log_odds, zeros = part.between(a, b)
        terms.append(Term(part.feature, part.value, log_odds, _whole(zeros)))
    ordered = sorted(terms, key=lambda term: (-abs(term.zeros), -abs(term.log_odds)))
    return Explanation(classes[a], classes[b], tuple(ordered), factors)


def parts_of(row: Rows, counts: Counts, k: float, label: Callable[[int], str]) -> list[Part]:
    """The parts of a single row over the cells that are counted; `label` names a column by its number."""
    if k == math.inf:  # every class has the same factors
        return []
    row = as_sparse(row)
    cells = [int(cell) for cell in row.columns]
    values = [float(v) for v in (row.values if isinstance(row, Sparse) else np.repeat(row.scales, len(cells)))]
    schema = counts.schema
    n_binary = len(schema.binary)
    parts = _binary_parts(counts, k, cells, label) if n_binary else []
    factors, starts = group_factors(counts, k), [n_binary, *schema.starts()]
    for cell, value in zip(cells, values, strict=True):
        if not n_binary <= cell < schema.n_cells:
            continue
        place = bisect_right(starts, cell) - 1
        line = cell - starts[place]
        if place:
            column = schema.listed[place - 1]
            feature, shown = label(column.column), column.names()[line]
            name = column.cell_name(feature, shown)
        else:
            feature = name = label(int(schema.counted[line]))
            shown = _whole(value)
        parts.append(_part(feature, shown, name, factors[place], line, value))
    return parts


def _pair(classes: list[Any], scores: np.ndarray, against: Any) -> tuple[int, int]:
    """The predicted class and the one it is compared with; with a single class, itself."""
    best = int(Decision().decide(scores[np.newaxis])[0])
    if against is None:
        rest = [c for c in range(len(classes)) if c != best]
        return best, max(rest, key=lambda c: (scores[c], -c)) if rest else best
    if against not in classes:
        raise SettingError(f"against must be one of the classes {classes}; got {against!r}.")
    return best, classes.index(against)


def _binary_parts(counts: Counts, k: float, cells: list[int], label: Callable[[int], str]) -> list[Part]:
    """One part for each binary column that is present, and one for all that are absent."""
    present, absent = binary_factors(counts, k)
    n_binary, n_cells = len(counts.schema.binary), counts.schema.n_cells
    ones = [cell for cell in cells if cell < n_binary]
    away = np.ones(n_binary, bool)
    away[ones] = False
    away[[cell - n_cells for cell in cells if cell >= n_cells]] = False
    names = [label(int(counts.schema.binary[b])) for b in ones]
    parts = [_part(name, 1, name, present, b) for name, b in zip(names, ones, strict=True)]
    if away.any():
        name, zeros = f"{int(away.sum())} absent", None if absent.zeros is None else absent.zeros[away]
        parts.append(Part(name, None, name, absent.logs[away], zeros))
    return parts


def _part(feature: str, value: Any, name: str, factor: Factor, line: int, times: float = 1.0) -> Part:
    zeros = None if factor.zeros is None else factor.zeros[line : line + 1]
    return Part(feature, value, name, factor.logs[line : line + 1], zeros, times)


def _whole(value: float) -> float | int:
    return int(value) if value == int(value) else value
