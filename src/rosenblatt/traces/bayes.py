"""Naive Bayes on one row, shown: counts, smoothed probabilities and their products, for any k from 0 to infinity."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rosenblatt.data.door import read_one_row
from rosenblatt.errors import DataError
from rosenblatt.learn.cells import encode
from rosenblatt.learn.counts import Counts
from rosenblatt.learn.decide import Decision
from rosenblatt.learn.explain import Part
from rosenblatt.learn.smoothing import check_strength, log_factor, log_posterior, log_priors, settle
from rosenblatt.learn.tuning import as_sparse
from rosenblatt.loops.rows import Rows, Sparse
from rosenblatt.traces.numerals import numeral

MOST_LINES = 30  # factors that a table shows one by one
MOST_CLASSES = 5
WIDEST = 90  # characters of a table in which every result stands beside its arithmetic


@dataclass(frozen=True, eq=False)
class Line:
    """One factor of the products: what the row holds of one feature, counted and smoothed for each class."""

    feature: str
    value: Any
    counts: np.ndarray  # for each class: rows (or words) with this value
    totals: np.ndarray  # and all of them
    size: int  # |X|, the number of values
    times: float  # 1, or how often a word occurs in the row
    name: str  # of the feature, or of a value that it lists, such as outlook=sunny
    logs: np.ndarray  # logarithms of the factors; where one is 0, that of 1 / total, the rest of its limit k -> 0+
    zeros: np.ndarray  # 1 where a factor is 0, which happens at k = 0 alone

    @property
    def lacking(self) -> bool:
        """Whether the row has not what the factor is about."""
        return self.name == self.feature and self.value == 0

    @property
    def probabilities(self) -> np.ndarray:
        return np.where(self.zeros > 0, 0.0, np.exp(self.logs))

    def arithmetic(self, k: float) -> list[str]:
        """For each class how its factor comes about: (0 + 1)/(2 + 1·2) = 0.25."""
        shown = []
        for count, total, p in zip(
            self.counts.tolist(), self.totals.tolist(), self.probabilities.tolist(), strict=True
        ):
            n, of = numeral(count), numeral(total)
            if k == math.inf or (k == 0 and total == 0):
                sum_ = f"1/{self.size}"
            elif k == 0:
                sum_ = f"{n}/{of}"
            else:
                sum_ = f"({n} + {numeral(k)})/({of} + {numeral(k)}·{self.size})"
            power = "0" if p == 0 else _power(math.log(p) * self.times)
            shown.append(f"{sum_} = {numeral(p)}" if self.times == 1 else f"[{sum_}]^{numeral(self.times)} = {power}")
        return shown


@dataclass(frozen=True, eq=False)
class RowTrace:
    """The products of naive Bayes for one row, factor by factor."""

    classes: tuple[Any, ...]
    k: float
    log_priors: np.ndarray
    rows: np.ndarray  # of each class
    priors: Any  # None for the shares of the classes; otherwise as `log_priors` takes them
    lines: tuple[Line, ...]
    left_out: tuple[str, ...]  # features whose factor is left out: missing, or of a value that no class ever had

    @property
    def log_products(self) -> np.ndarray:
        """For each class the logarithm of P(y) times all factors, zero factors by the rest of their limit."""
        return self.log_priors + self._sum(self._logs * self._times)

    @property
    def zero_factors(self) -> np.ndarray:
        """For each class how many factors are 0."""
        return self._sum(self._zeros * self._times)

    @cached_property
    def _logs(self) -> np.ndarray:
        """(factors, classes): a model of words has a hundred thousand factors, so they are worked on at once."""
        return np.array([line.logs for line in self.lines]).reshape(len(self.lines), len(self.classes))

    @cached_property
    def _zeros(self) -> np.ndarray:
        return np.array([line.zeros for line in self.lines]).reshape(len(self.lines), len(self.classes))

    @cached_property
    def _times(self) -> np.ndarray:
        return np.array([line.times for line in self.lines], np.float64).reshape(len(self.lines), 1)

    def _sum(self, values: np.ndarray) -> np.ndarray:
        """The sum of the lines, one after the other."""
        return np.asarray(np.cumsum(np.vstack([np.zeros((1, len(self.classes))), values]), axis=0)[-1])

    @property
    def posterior(self) -> np.ndarray:
        """P(y | row)."""
        return np.asarray(np.exp(log_posterior(self._settled()))[0])

    @property
    def probabilities(self) -> dict[Any, float]:
        """P(y | row) by class."""
        return dict(zip(self.classes, self.posterior.tolist(), strict=True))

    @property
    def predicted(self) -> Any:
        return self.classes[int(Decision().decide(self._settled())[0])]

    def _settled(self) -> np.ndarray:
        zeros = self.zero_factors[np.newaxis] if self.k == 0 else None
        return settle(self.log_products[np.newaxis], zeros)

    def parts(self) -> list[Part]:
        """What the row holds of each feature, and all that it lacks as one: explanations are made of these."""
        if self.k == math.inf:  # every class has the same factors
            return []
        zeros, found = self._zeros if self.k == 0 else None, list[Part]()
        for place, line in enumerate(self.lines):
            if not line.lacking:
                value, own = line.times if line.name == line.feature else line.value, slice(place, place + 1)
                none = None if zeros is None else zeros[own]
                found.append(Part(line.feature, value, line.name, self._logs[own], none, line.times))
        away = [place for place, line in enumerate(self.lines) if line.lacking]
        if away:
            name, none = f"{len(away)} absent", None if zeros is None else zeros[away]
            found.append(Part(name, None, name, self._logs[away], none))
        return found

    def cells(self, most: int = MOST_LINES) -> list[tuple[str, ...]]:
        """The table: one line per factor, then the products, their limit where all are 0, and the posterior.

        Of more factors than `most` those are shown that tell the classes apart best, and the others as one.
        """
        table = [("", *map(str, self.classes)), ("P(y)", *self._prior_cells())]
        shown, rest = self._parted(most)
        table += [(f"{line.feature} = {line.value}", *line.arithmetic(self.k)) for line in shown]
        if len(rest):
            logs, zeros = self._sum((self._logs * self._times)[rest]), self._sum(self._zeros[rest])
            cells = ("0" if z else _power(x) for x, z in zip(logs, zeros, strict=True))
            table.append((f"{len(rest)} more factors", *cells))
        zeros, logs = self.zero_factors, self.log_products
        table.append(("product", *("0" if z else _power(x) for x, z in zip(logs, zeros, strict=True))))
        if zeros.all():
            limits = (f"{_power(x)}·k{_exponent(z)}" for x, z in zip(logs, zeros, strict=True))
            table.append(("product as k → 0", *limits))
        return [*table, ("P(y | row)", *map(numeral, self.posterior.tolist()))]

    def _parted(self, most: int) -> tuple[list[Line], np.ndarray]:
        """The factors that are shown one by one, in their order, and the places of all others."""
        if len(self.lines) <= most:
            return list(self.lines), np.zeros(0, np.int64)
        apart = np.ptp(self._logs * self._times, axis=1)
        order = np.lexsort((-apart, -np.ptp(self._zeros, axis=1)))
        return [self.lines[place] for place in np.sort(order[: most - 1])], np.sort(order[most - 1 :])

    def _prior_cells(self) -> Iterator[str]:
        total, k = numeral(float(self.rows.sum())), numeral(self.k) if self.k < math.inf else ""
        for count, log in zip(self.rows.tolist(), self.log_priors.tolist(), strict=True):
            shown = numeral(math.exp(log))
            if self.priors is None or (self.priors == "smoothed" and self.k == 0):
                shown = f"{numeral(count)}/{total} = {shown}"
            elif self.priors == "smoothed" and k:
                shown = f"({numeral(count)} + {k})/({total} + {k}·{len(self.classes)}) = {shown}"
            yield shown

    def __str__(self) -> str:
        return self.shown()

    def likeliest(self, most: int = MOST_LINES) -> tuple[list[list[str]], list[str]]:
        """The table of the likeliest classes, without the arithmetic where it is wide, and what is said below it."""
        shown = sorted(np.argsort(-self.posterior, kind="stable")[:MOST_CLASSES].tolist())
        table = [[row[0], *(row[c + 1] for c in shown)] for row in self.cells(most)]
        if sum(_widths(table)) > WIDEST:
            table = [[row[0], *(cell.rpartition(" = ")[2] for cell in row[1:])] for row in table]
        return table, [*self._remarks(), *self._others(shown)]

    def shown(self, most: int = MOST_LINES) -> str:
        """The same as text."""
        table, remarks = self.likeliest(most)
        lines = ["  ".join(f"{c:<{w}}" for c, w in zip(row, _widths(table), strict=True)).rstrip() for row in table]
        return "\n".join([*lines, *remarks])

    def _others(self, shown: list[int]) -> list[str]:
        """What is left for classes that are not shown."""
        left = len(self.classes) - len(shown)
        chance = float(np.delete(self.posterior, shown).sum())
        return [f"{left} other classes: P(y | row) = {numeral(chance)} together"] if left else []

    def to_dict(self) -> dict[str, Any]:
        """The products as plain values. Factors of what the row lacks are counted as one, since there can be many."""
        absent = [line for line in self.lines if line.value == 0]
        logs = sum((line.logs for line in absent), np.zeros(len(self.classes)))
        return {
            "prior": self._by_class(np.exp(self.log_priors)),
            "factors": [
                {
                    "feature": line.feature,
                    "value": line.value,
                    "times": line.times,
                    "probability": self._by_class(line.probabilities),
                }
                for line in self.lines
                if line.value != 0
            ],
            "absent": {"features": len(absent), "log": self._by_class(logs)},
            "log_product": self._by_class(self.log_products),
            "zero_factors": self._by_class(self.zero_factors),
        }

    def _by_class(self, values: np.ndarray) -> dict[str, float]:
        return dict(zip(map(str, self.classes), values.tolist(), strict=True))

    def to_markdown(self) -> str:
        head, *rest = ([cell.replace("|", "\\|") for cell in row] for row in self.cells())
        lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head), *(f"| {' | '.join(row)} |" for row in rest)]
        return "\n".join([*lines, *(f"\n{remark}" for remark in self._remarks())]) + "\n"

    def _remarks(self) -> list[str]:
        if not self.left_out:
            return []
        more = f" and {len(self.left_out) - 5} more" if len(self.left_out) > 5 else ""
        return [f"left out, for no class ever had the value or it is missing: {', '.join(self.left_out[:5])}{more}"]


def _power(log: float) -> str:
    """e to the power of this; as a power where it would be 0 as a number."""
    return numeral(math.exp(log)) if log > -700 else "0" if log == -math.inf else f"e^{log:.1f}"


def _widths(table: list[list[str]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*table, strict=True)]


def _exponent(zeros: float) -> str:
    return "" if zeros == 1 else f"^{numeral(zeros)}"


def trace_row(model: Any, x: Any) -> RowTrace:
    """The working of a fitted NaiveBayes (anything with `counts_`, `k` and `priors`) on the row x."""
    if not all(hasattr(model, name) for name in ("counts_", "k", "priors")):
        raise DataError(f"a fitted NaiveBayes can show its working; got {type(model).__name__}. Call fit first.")
    counts: Counts = model.counts_
    rows = encode(read_one_row(x), counts.schema)
    return trace_cells(rows, counts, check_strength(model.k), model.priors, counts.schema.label)


def trace_cells(rows: Rows, counts: Counts, k: float, priors: Any, label: Callable[[int], str]) -> RowTrace:
    """The working on a single row over the cells that are counted; `label` names a column by its number."""
    held, shape = list(_held(rows, counts, label)), (-1, len(counts.classes))
    known = [each for each in held if each[2] is not None and each[2].any()]
    left_out = [each[0] for each in held if each[2] is None or not each[2].any()]
    count, total = (np.array([each[place] for each in known], np.float64).reshape(shape) for place in (2, 3))
    factor = log_factor(count, total, np.array([[each[4]] for each in known]).reshape(-1, 1), k)
    zeros = np.zeros(count.shape) if factor.zeros is None else factor.zeros
    lines = [Line(*each, logs, none) for each, logs, none in zip(known, factor.logs, zeros, strict=True)]
    lines.sort(key=lambda line: line.value == 0)  # what the row holds before what it lacks, each in the given order
    logs = log_priors(priors, counts, k)
    return RowTrace(tuple(counts.classes.tolist()), k, logs, counts.rows, priors, tuple(lines), tuple(left_out))


def _held(
    rows: Rows, counts: Counts, label: Callable[[int], str]
) -> Iterator[tuple[str, Any, Any, Any, int, float, str]]:
    """Of each feature: name, value, counts and totals by class, |X|, times it is taken, and what it is called.

    Counts are None where the row's value is missing or unknown.
    """
    schema = counts.schema
    rows = as_sparse(rows)
    columns = rows.columns.tolist()
    values = (rows.values if isinstance(rows, Sparse) else np.repeat(rows.scales, len(columns))).tolist()
    held = dict(zip(columns, values, strict=True))
    present, absent, cells = counts.present(), counts.zeros(), counts.cells
    for b, j in enumerate(schema.binary.tolist()):
        total = present[b if counts.gone is not None else 0]
        gone = schema.n_cells + b in held
        counted = None if gone else cells[b] if b in held else absent[b]
        yield label(j), int(b in held), counted, total, 2, 1, label(j)
    first, (words, *lists) = len(schema.binary), counts.groups()
    whole = words.sum(axis=0)
    for place, j in enumerate(schema.counted.tolist()):
        if first + place in held:
            times = held[first + place]
            yield label(j), numeral(times), words[place], whole, len(words), times, label(j)
    for column, cells, start in zip(schema.listed, lists, schema.starts(), strict=True):
        found = [line for line in range(column.size) if start + line in held]
        name, total = label(column.column), cells.sum(axis=0)
        value, own = (column.names()[found[0]], cells[found[0]]) if found else ("", None)
        yield name, value, own, total, column.size, 1, column.cell_name(name, value)
