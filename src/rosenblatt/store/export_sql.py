"""A model as one SELECT that computes its scores, in the SQL that DuckDB and PostgreSQL read the same way.

The columns that the plan uses are first brought into the form it expects, whatever the database made of them
(`sql_values`). Then each score is a sum with one term for each column, as the model's formula has them. A database adds
in an order of its own: it names the same class wherever that leads by more than 1e-9 times the sum of the sizes of the
terms.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from rosenblatt.errors import SettingError
from rosenblatt.features.terms import Arc, Curve, Named, Stepped, Straight, Term
from rosenblatt.store.sql_values import (
    holdable,
    literal,
    matches,
    measured,
    number_beside,
    present,
    spelling,
    trimmed,
    typed_beside,
)

if TYPE_CHECKING:
    from rosenblatt.model import Formula, Model

PER_BRACKET = 40  # terms of a sum in one bracket: databases limit how deep an expression may nest
DATE = "(DATE '1970-01-01' + CAST({day} AS INTEGER))"
# The numbers of a moment by its seconds since 1970.
IN_MOMENT = {
    "day": "{day}", "year": f"EXTRACT(YEAR FROM {DATE})", "month": f"EXTRACT(MONTH FROM {DATE})",
    "weekday": "MOD(MOD(CAST({day} AS BIGINT) + 3, 7) + 7, 7)", "day of month": f"EXTRACT(DAY FROM {DATE})",
    "hour": "(({x} - {day} * 86400e0) / 3600e0)",
}  # fmt: skip
ROW, TEXT, READ, SUMS, SCORED, HIGHEST, TOTAL = "r", "t", "x", "l", "s", "h", "n"  # parts of the statement


def to_sql(model: Model, table: str = "data") -> str:
    """The SELECT: every column of `table`, a score for each class (with two classes one), and the predicted class."""
    formula = model.formula("SQL")
    for term in formula.terms:
        if not isinstance(term, Straight | Curve | Named | Stepped):
            raise SettingError(
                f"SQL can hold columns of numbers, of dates and of categories; {term.column!r} is {term.described}. "
                "Use --to json, or train without it."
            )
    _refuse_alike(model)
    unit, terms = formula.unit == "rows", list(enumerate(formula.terms, 1))
    texts = [f"{trimmed(_column(term))} AS t{k}" for k, term in terms if isinstance(term, Named)]
    read = [each for k, term in terms for each in _read(term, k)]
    scores = []
    for weights, constant in zip(formula.weights, formula.constant, strict=True):
        total = total_of([_term(term, k, weights) for k, term in terms])
        scores.append(f"{f'{total} / {SUMS}.length' if unit else total} + {number(constant)}")
    parts = [f"{identifier(table)} AS {ROW}", *([_lateral(texts, TEXT)] if texts else []), _lateral(read, READ)]
    if unit:
        squares = total_of([_square(term, k) for k, term in terms])
        parts.append(_lateral([f"COALESCE(SQRT(NULLIF({squares}, 0)), 1) AS length"], SUMS))
    parts.append(_lateral([f"{score} AS s{k}" for k, score in enumerate(scores, 1)], SCORED))
    if formula.logs and len(scores) > 1:
        parts += _log_sum(len(scores))
    return f"SELECT {ROW}.*,\n  {_results(model, formula)}\nFROM " + "\nCROSS JOIN LATERAL ".join(parts) + ";\n"


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


def _refuse_alike(model: Model) -> None:
    """Names that a database without regard to case takes for one: it would read one column where the other is meant."""
    named: dict[str, str] = {}
    for name in _columns(model):
        other = named.setdefault(_folded(name), name)
        if other != name:
            raise SettingError(
                f"SQL cannot hold the columns {other!r} and {name!r}: DuckDB takes no notice of case. Rename one of "
                "them and train again."
            )


def _columns(model: Model) -> list[str]:
    """The columns of the training data, the label among them."""
    label = model.card.get("label")
    return [*(line.column for line in model.plan.lines), *([label] if isinstance(label, str) else [])]


def _folded(name: str) -> str:
    return "".join(letter.lower() if letter.isascii() else letter for letter in name)


def _own(model: Model, name: str) -> str:
    """A name for a column that the statement adds, which no column of the training data has."""
    taken = {_folded(column) for column in _columns(model)}
    more = 2
    free = name
    while _folded(free) in taken:
        free, more = f"{name} {more}", more + 1
    return identifier(free)


def _lateral(columns: Sequence[str], name: str) -> str:
    return "(SELECT\n  " + ",\n  ".join(columns) + f"\n) AS {name}"


def _log_sum(count: int) -> list[str]:
    """The logarithm of the sum of the exponentials of the scores, the highest apart so that none overflows."""
    every = [f"{SCORED}.s{k}" for k in range(1, count + 1)]
    highest = _lateral([f"GREATEST({', '.join(every)}) AS highest"], HIGHEST)
    total = total_of([f"EXP({score} - {HIGHEST}.highest)" for score in every])
    return [highest, _lateral([f"{HIGHEST}.highest + LN({total}) AS total"], TOTAL)]


def _column(term: Term) -> str:
    return f"{ROW}.{identifier(term.column)}"


def _read(term: Term, k: int) -> list[str]:
    """The column as the model reads it: x, and beside it what else may tell which of the known values it has."""
    column, text = _column(term), f"{TEXT}.t{k}"
    if not isinstance(term, Named):
        seconds = " / 1e3" if term.moment and term.reads == "date" else ""
        return [f"{measured(column, trimmed(column), term.reads)}{seconds} AS x{k}"]
    read = [f"{present(text, term.reads, spelling(text, term.reads))} AS x{k}"]
    if term.reads == "number":
        read.append(f"{number_beside(column, text, term)} AS n{k}")
    if any(match.typed for match in matches(term)):
        read.append(f"{typed_beside(column, text)} AS d{k}")
    return read


def _term(term: Term, k: int, weights: np.ndarray) -> str:
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


def _square(term: Term, k: int) -> str:
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


Between: TypeAlias = Callable[[np.ndarray, np.ndarray, str], str]  # of the features at two knots, and the share between


def _worth(left: np.ndarray, right: np.ndarray, share: str, weights: np.ndarray) -> str:
    """What features add between two knots by these weights; at a knot where there is no share."""
    if not share:
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
    return f"CASE WHEN {x} IS NULL THEN {number(missing)} ELSE {total_of(parts)} END"


def _between(x: str, arc: Arc, between: Between) -> str:
    """Between two knots by the share of the way, beyond the ends as there."""
    cases = ""
    for i, (left, right) in enumerate(pairwise(map(number, arc.knots))):
        within = f"GREATEST({x}, {left})" if i == 0 else x
        share = f"(({within} - {left}) / ({right} - {left}))"
        cases += f" WHEN {x} < {right} THEN {between(arc.features[i], arc.features[i + 1], share)}"
    return f"CASE{cases} ELSE {between(arc.features[-1], arc.features[-1], '')} END"


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
    cases = "".join(f" WHEN {each} THEN {number(w)}" for each, w in zip(known, worth.tolist(), strict=True))
    others = "" if other is None else f" WHEN {x} IS NOT NULL THEN {number(other)}"
    return f"CASE{gone}{cases}{others} ELSE 0e0 END"


def _results(model: Model, formula: Formula) -> str:
    """Scores and predicted class, under their names; a tie goes where the model sends it."""
    names = model.classes.names
    last = model.decision.last
    if len(formula.weights) == 1:
        above = f"{SCORED}.s1 {'>=' if last else '>'} {number(model.decision.threshold)}"
        predicted = f"CASE WHEN {above} THEN {literal(names[1])} ELSE {literal(names[0])} END"
        return f"{SCORED}.s1 AS {_own(model, f'score {names[1]}')},\n  {predicted} AS {_own(model, 'predicted')}"
    every = [f"{SCORED}.s{k}" for k in range(1, len(names) + 1)]
    less = f" - {TOTAL}.total" if formula.logs else ""
    shown = [f"{score}{less} AS {_own(model, f'score {name}')}" for score, name in zip(every, names, strict=True)]
    order = list(zip(every, names, strict=True))[:: -1 if last else 1]
    cases = " ".join(f"WHEN {score} THEN {literal(name)}" for score, name in order)
    return ",\n  ".join([*shown, f"CASE GREATEST({', '.join(every)}) {cases} END AS {_own(model, 'predicted')}"])
