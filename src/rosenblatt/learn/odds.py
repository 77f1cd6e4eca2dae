"""Why naive Bayes decides as it does: the log-odds of two classes as a sum over what the row holds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt.data.door import Frame
from rosenblatt.errors import SettingError
from rosenblatt.learn.cells import encode
from rosenblatt.learn.counts import Counts
from rosenblatt.learn.smoothing import Factor, best_class, binary_factors, listed_factors, word_factors
from rosenblatt.learn.tuning import as_sparse
from rosenblatt.loops.rows import Sparse


@dataclass(frozen=True)
class Term:
    """What one value of the row adds to the log-odds.

    `zeros` is not 0 only at k = 0, where a factor can be 0: how many more zero factors the other class has. The
    finite part of such a factor, 1 / total in the limit k -> 0+, is then in `log_odds`.
    """

    feature: str
    value: Any
    log_odds: float
    zeros: int = 0


@dataclass(frozen=True)
class Explanation:
    """The predicted class against another one, and the terms that decided between them, the weightiest first."""

    predicted: Any
    other: Any
    terms: tuple[Term, ...]

    @property
    def zeros(self) -> int:
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
        return "\n".join(lines)


def explain(
    frame: Frame, counts: Counts, k: float, priors: np.ndarray, scores: np.ndarray, against: Any
) -> Explanation:
    """The terms for the single row of the table, whose settled scores are given; `against` None is the runner-up."""
    pair = _pair(counts.classes.tolist(), scores, against)
    rows = as_sparse(encode(frame, counts.schema))
    cells = [int(cell) for cell in rows.columns]
    values = [float(v) for v in (rows.values if isinstance(rows, Sparse) else np.repeat(rows.scales, len(cells)))]
    prior = priors[pair[0]] - priors[pair[1]] if pair[0] != pair[1] else 0.0
    terms = [Term("prior", None, float(prior))]
    if k == math.inf:
        return _explanation(counts, pair, terms)
    n_binary, schema = len(counts.schema.binary), counts.schema
    if n_binary:
        terms += _binary_terms(counts, k, pair, cells)
    words, listed = word_factors(counts, k), listed_factors(counts, k)
    starts = np.array(schema.starts(), np.int64)
    for cell, value in zip(cells, values, strict=True):
        if n_binary <= cell < n_binary + len(schema.counted):
            name = schema.label(int(schema.counted[cell - n_binary]))
            terms.append(_term(name, _whole(value), words, cell - n_binary, pair, value))
        elif n_binary <= cell < schema.n_cells:
            place = int(np.searchsorted(starts, cell, side="right")) - 1
            column, line = schema.listed[place], cell - int(starts[place])
            terms.append(_term(schema.label(column.column), column.names()[line], listed[place], line, pair))
    return _explanation(counts, pair, terms)


def _pair(classes: list[Any], scores: np.ndarray, against: Any) -> tuple[int, int]:
    """The predicted class and the one it is compared with; with a single class, itself."""
    best = int(best_class(scores[np.newaxis])[0])
    if against is None:
        rest = [c for c in range(len(classes)) if c != best]
        return best, max(rest, key=lambda c: (scores[c], -c)) if rest else best
    if against not in classes:
        raise SettingError(f"against must be one of the classes {classes}; got {against!r}.")
    return best, classes.index(against)


def _binary_terms(counts: Counts, k: float, pair: tuple[int, int], cells: list[int]) -> list[Term]:
    """One term for each binary column that is present, and one for all that are absent."""
    present, absent = binary_factors(counts, k)
    n_binary, n_cells = len(counts.schema.binary), counts.schema.n_cells
    ones = [cell for cell in cells if cell < n_binary]
    away = np.ones(n_binary, bool)
    away[ones] = False
    away[[cell - n_cells for cell in cells if cell >= n_cells]] = False
    terms = [_term(counts.schema.label(int(counts.schema.binary[b])), 1, present, b, pair) for b in ones]
    if away.any():
        a, b = pair
        logs = math.fsum((absent.logs[away, a] - absent.logs[away, b]).tolist())
        zeros = 0 if absent.zeros is None else int((absent.zeros[away, b] - absent.zeros[away, a]).sum())
        terms.append(Term(f"{int(away.sum())} absent", None, logs, zeros))
    return terms


def _term(name: str, value: Any, factor: Factor, line: int, pair: tuple[int, int], times: float = 1.0) -> Term:
    a, b = pair
    zeros = 0 if factor.zeros is None else int((factor.zeros[line, b] - factor.zeros[line, a]) * times)
    return Term(name, value, float((factor.logs[line, a] - factor.logs[line, b]) * times), zeros)


def _whole(value: float) -> float | int:
    return int(value) if value == int(value) else value


def _explanation(counts: Counts, pair: tuple[int, int], terms: list[Term]) -> Explanation:
    ordered = sorted(terms, key=lambda term: (-abs(term.zeros), -abs(term.log_odds)))
    classes = counts.classes.tolist()
    return Explanation(classes[pair[0]], classes[pair[1]], tuple(ordered))
