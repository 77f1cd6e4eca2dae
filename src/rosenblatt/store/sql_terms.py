"""What a column adds to a score, or to the length of a row, as SQL: one expression for each kind of term.

`x1`, `x2` … of the part READ are the columns in the form that the model reads them in (`sql_values`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from rosenblatt.features.terms import Arc, Curve, Named, Stepped, Straight, Term
from rosenblatt.store.sql_values import (
    holdable,
    matches,
    measured,
    number_beside,
    present,
    spelling,
    trimmed,
    typed_beside,
)

PER_BRACKET = 40  # terms of a sum in one bracket: databases limit how deep an expression may nest
DATE = "(DATE '1970-01-01' + CAST({day} AS INTEGER))"
# The numbers of a moment by its seconds since 1970.
IN_MOMENT = {
    "day": "{day}", "year": f"EXTRACT(YEAR FROM {DATE})", "month": f"EXTRACT(MONTH FROM {DATE})",
    "weekday": "MOD(MOD(CAST({day} AS BIGINT) + 3, 7) + 7, 7)", "day of month": f"EXTRACT(DAY FROM {DATE})",
    "hour": "(({x} - {day} * 86400e0) / 3600e0)",
}  # fmt: skip
NOTHING = "0.0e0"  # as `number` writes it
ROW, TEXT, READ = "r", "t", "x"  # parts of the statement
Between: TypeAlias = Callable[[np.ndarray, np.ndarray, str], str]  # of the features at two knots, and the share between


def identifier(name: str) -> str:
    """A name in double quotes; a quote in it is written twice."""
    return '"' + holdable(name).replace('"', '""') + '"'


def number(value: float) -> str:
    """A number that reads back with the same bits; the exponent makes it a double and not a decimal in DuckDB."""
    if not math.isfinite(value):  # a threshold may be
        return f"CAST('{'-' if value < 0 else ''}Infinity' AS DOUBLE PRECISION)"
    shown = repr(float(value) + 0.0)  # no −0
    shown = shown if "e" in shown else f"{shown}e0"
    return f"({shown})" if shown.startswith("-") else shown


def total_of(terms: Sequence[str]) -> str:
    """The sum of the terms, in brackets of brackets."""
    while len(terms) > 1 or not terms:
        terms = [
            "(" + "\n    + ".join(terms[k : k + PER_BRACKET] or ["0e0"]) + ")"
            for k in range(0, max(len(terms), 1), PER_BRACKET)
        ]
    return terms[0]


def column_of(term: Term) -> str:
    """The column of the table."""
    return f"{ROW}.{identifier(term.column)}"


def read_of(term: Term, k: int) -> list[str]:
    """The column as the model reads it: x, and beside it what else may tell which of the known values it has."""
    column, text = column_of(term), f"{TEXT}.t{k}"
    if not isinstance(term, Named):
        seconds = " / 1e3" if term.moment and term.reads == "date" else ""
        return [f"{measured(column, trimmed(column), term.reads)}{seconds} AS x{k}"]
    read = [f"{present(text, term.reads, spelling(text, term.reads))} AS x{k}"]
    if term.reads == "number":
        read.append(f"{number_beside(column, text, term)} AS n{k}")
    if any(match.typed for match in matches(term)):
        read.append(f"{typed_beside(column, text)} AS d{k}")
    return read


def added(term: Term, k: int, weights: np.ndarray) -> str:
    """What the column adds to a score by these weights of all features."""
    missing, own = float(term.when_missing(weights)), term.own(weights)
    if isinstance(term, Straight):
        x = f"{READ}.x{k}"
        known = f"{_scaled(term, x)} * {number(own[0])}"
        gone = f" + CASE WHEN {x} IS NULL THEN {number(missing)} ELSE 0e0 END"
        return f"({known}{gone})" if term.missing is not None else known
    if isinstance(term, Curve):
        return _curves(term, k, partial(_worth, weights=own), missing)
    assert isinstance(term, Named | Stepped)
    other = None if term.other is None else float(weights[term.other])
    return _cases(term, k, term.features @ own, missing, other)


def squared(term: Term, k: int) -> str:
    """What the column adds to the squared length of the row."""
    if isinstance(term, Straight):
        x = f"{READ}.x{k}"
        known = f"{_scaled(term, x)} * {_scaled(term, x)}"
        return f"({known} + CASE WHEN {x} IS NULL THEN 1e0 ELSE 0e0 END)" if term.missing is not None else known
    missing = float(term.missing is not None)
    if isinstance(term, Curve):
        return _curves(term, k, _squared, missing)
    assert isinstance(term, Named | Stepped)
    other = None if term.other is None else 1.0
    return _cases(term, k, np.square(term.features).sum(axis=1), missing, other)


def _worth(left: np.ndarray, right: np.ndarray, share: str, weights: np.ndarray) -> str:
    """What features add between two knots by these weights; at a knot where there is no share."""
    if not share or not (left @ weights or right @ weights):
        return number(left @ weights)
    return f"((1e0 - {share}) * {number(left @ weights)} + {share} * {number(right @ weights)})"


def _squared(left: np.ndarray, right: np.ndarray, s: str) -> str:
    """The squared length of features between two knots."""
    if not s:
        return number(left @ left)
    parts = number(left @ left), number(2 * (left @ right)), number(right @ right)
    return f"((1e0 - {s}) * (1e0 - {s}) * {parts[0]} + {s} * (1e0 - {s}) * {parts[1]} + {s} * {s} * {parts[2]})"


def _curves(term: Curve, k: int, between: Between, missing: float) -> str:
    """What a row has by where its number lies, or each of the numbers of its moment; nothing where it is missing."""
    x, parts = f"{READ}.x{k}", []
    for arc in term.arcs:
        value = IN_MOMENT[arc.name].format(x=x, day=f"FLOOR({x} / 86400e0)") if arc.name else x
        parts.append(_between(value, arc, between))
    parts = [part for part in parts if part != NOTHING]
    return f"CASE WHEN {x} IS NULL THEN {number(missing)} ELSE {total_of(parts)} END"


def _between(x: str, arc: Arc, between: Between) -> str:
    """Between two knots by the share of the way, beyond the ends as there."""
    cases: list[tuple[str, str]] = []
    for i, (left, right) in enumerate(pairwise(map(number, arc.knots))):
        within = f"GREATEST({x}, {left})" if i == 0 else x
        share = f"(({within} - {left}) / ({right} - {left}))"
        worth = between(arc.features[i], arc.features[i + 1], share)
        if cases and worth == NOTHING == cases[-1][1]:
            cases.pop()  # both end here
        cases.append((right, worth))
    last = between(arc.features[-1], arc.features[-1], "")
    if all(worth == NOTHING for worth in (*(worth for _, worth in cases), last)):
        return NOTHING
    return "CASE" + "".join(f" WHEN {x} < {right} THEN {worth}" for right, worth in cases) + f" ELSE {last} END"


def _scaled(term: Straight, x: str) -> str:
    return f"((COALESCE({x}, {number(term.fill)}) - {number(term.centre)}) / {number(term.spread)})"


def _cases(term: Named | Stepped, k: int, worth: np.ndarray, missing: float, other: float | None) -> str:
    """The worth of the value that a row has; a value that is none of the known ones has that of others, if any."""
    x, n, typed = (f"{READ}.{letter}{k}" for letter in "xnd")
    gone = f" WHEN {x} IS NULL THEN {number(missing)}" if term.missing is not None or isinstance(term, Stepped) else ""
    if isinstance(term, Named):
        known = [match.condition(x, n, typed) for match in matches(term)]
    elif term.cuts is None:
        known = [f"{x} = {number(value)}" for value in term.values]
    else:
        known = [*(f"{x} <= {number(cut)}" for cut in term.cuts), "TRUE"]
    short = not other and (isinstance(term, Named) or term.cuts is None)  # what is worth nothing need not be named
    each = [(one, w) for one, w in zip(known, worth.tolist(), strict=True) if w or not short]
    cases = "".join(f" WHEN {one} THEN {number(w)}" for one, w in each)
    others = "" if other is None else f" WHEN {x} IS NOT NULL THEN {number(other)}"
    return f"CASE{gone}{cases}{others} ELSE 0e0 END" if gone or cases or others else "0e0"
