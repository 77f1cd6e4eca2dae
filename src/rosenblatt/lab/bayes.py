"""Naive Bayes on tables that a person edits: what every k from 0 to infinity makes of the counts, and of one row.

All stops of the k slider are answered at once, so that moving it asks nobody. Counts go to the engine as they are;
products, limits and decisions are those of `rosenblatt.traces.bayes`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt.lab.bayes_tables import Given, examples, read_tables
from rosenblatt.lab.sessions import Session
from rosenblatt.learn.columns import Schema
from rosenblatt.learn.counts import Counts
from rosenblatt.learn.smoothing import log_factor
from rosenblatt.traces.bayes import Line, RowTrace, trace_row
from rosenblatt.traces.numerals import numeral

PER_DECADE = 10
# 0, then 0.001 to 1000 in even steps of its logarithm, then infinity.
STOPS = (0.0, *(float(f"{10 ** (e / PER_DECADE):.3g}") for e in range(-3 * PER_DECADE, 3 * PER_DECADE + 1)), math.inf)


@dataclass(frozen=True)
class Fitted:
    """Counts and a strength, as `trace_row` reads them from a model."""

    counts_: Counts
    k: float
    priors: None = None


def weigh_row(_session: Session, body: dict[str, Any]) -> dict[str, Any]:
    """For each stop of k: the probability of each word in each class, the products for the row, and what decides."""
    given = read_tables(body)
    counts = _counts(given)
    stops = [_stop(given, counts, k) for k in STOPS]
    return {
        "absent": [[n - c for n, c in zip(given.rows, line, strict=True)] for line in given.counts],
        "total": sum(given.rows),
        "zeros": [[c == 0 and n > 0 for n, c in zip(given.rows, line, strict=True)] for line in given.counts],
        "stops": stops,
    }


def k_text(k: float) -> str:
    return "∞" if k == math.inf else numeral(k)


def _counts(given: Given) -> Counts:
    schema = Schema.of("binary", given.names, len(given.names))
    cells = np.array(given.counts, np.int64).reshape(schema.n_cells, len(given.classes))
    return Counts(schema, np.array(given.classes), np.array(given.rows, np.int64), cells)


def _stop(given: Given, counts: Counts, k: float) -> dict[str, Any]:
    row = trace_row(Fitted(counts, k), dict(zip(given.names, given.row, strict=True)))
    factor = log_factor(counts.cells, counts.rows[np.newaxis], 2, k)
    chances = np.exp(factor.logs) if factor.zeros is None else np.where(factor.zeros > 0, 0.0, np.exp(factor.logs))
    posterior = row.posterior.tolist()
    return {
        "k": k_text(k),
        "chances": [[_short(p) for p in line] for line in chances.tolist()],
        "posterior": [_short(p) for p in posterior],
        "predicted": row.predicted,
        "odds": _odds(row, given),
        "cells": [list(line) for line in row.cells()],
        "words": _words(row, given),
    }


def _short(p: float) -> float:
    """Four digits: what the page shows is what it draws."""
    return float(f"{p:.4g}")


def _odds(row: RowTrace, given: Given) -> dict[str, Any]:
    """What the prior and each feature add to the log-odds of the second class over the first, in the given order.

    `zeros` is 1 where the first class has a factor of 0 there and the second has not, -1 the other way round.
    """
    held = {line.feature: line for line in row.lines}
    bars = [{"name": "P(y)", **_bar(row.log_priors, np.zeros(2))}]
    for name, value in zip(given.names, given.row, strict=True):
        line = held.get(name)
        shown = f"{name} = {value}"
        if line is None:
            bars.append({"name": shown, "value": 0.0, "text": "left out", "zeros": 0})
        else:
            bars.append({"name": shown, **_bar(line.logs, line.zeros)})
    return {"bars": bars, "total": _bar(row.log_products, row.zero_factors)["text"]}


def _bar(logs: np.ndarray, zeros: np.ndarray) -> dict[str, Any]:
    more = int(zeros[0] - zeros[1])
    if np.isneginf(logs).any():  # a class without rows has a prior of 0
        more = int(np.isneginf(logs[0])) - int(np.isneginf(logs[1])) or more
    if more:
        return {"value": 0.0, "text": "+∞" if more > 0 else "-∞", "zeros": (more > 0) - (more < 0)}
    value = _short(float(logs[1] - logs[0]))
    return {"value": value, "text": f"{value:+.4g}" if value else "0", "zeros": 0}


def _words(row: RowTrace, given: Given) -> list[str]:
    """In words: each count of 0 that the row meets and what k makes of it, what is left out, and what then decides."""
    found = [sentence for line in row.lines for sentence in _zero_words(line, row.k, given)]
    found += [f"No row of either class has {_value(name, given)}, so that factor is left out." for name in row.left_out]
    for name, count in zip(given.classes, given.rows, strict=True):
        if not count:
            found.append(f"There is no {name} row at all: P({name}) = 0.")
    if row.k == math.inf:
        found.append("With k = ∞ every factor is 1/2: the counts of words say nothing and P(y) alone decides.")
    elif row.k == 0 and row.zero_factors.all():
        found.append(
            "Every class has a factor of 0. The limit k → 0 decides: fewest factors of 0 first, "
            "then the rest of the product."
        )
    elif row.k == 0 and row.zero_factors.any():
        name = given.classes[int(np.argmax(row.zero_factors))]
        found.append(f"With k = 0 such a row cannot be {name}, whatever its other words say.")
    return found


def _zero_words(line: Line, k: float, given: Given) -> list[str]:
    sums = line.arithmetic(k)
    said = []
    for name, count, total, sum_ in zip(given.classes, line.counts.tolist(), line.totals.tolist(), sums, strict=True):
        if count or not total or k == math.inf:
            continue
        start = f"None of the {total} {name} rows has {line.feature} = {line.value}"
        if k == 0:
            said.append(f"{start}: with k = 0 its factor is {sum_}, and so the product for {name} is 0.")
        else:
            said.append(f"{start}: k = {k_text(k)} makes its factor {sum_} instead of 0.")
    return said


def _value(name: str, given: Given) -> str:
    return f"{name} = {given.row[given.names.index(name)]}"


def list_examples(_session: Session, _body: dict[str, Any]) -> dict[str, Any]:
    """The tables to begin with, and the stops of the slider."""
    return {"examples": examples(), "stops": [k_text(k) for k in STOPS], "one": STOPS.index(1.0)}
