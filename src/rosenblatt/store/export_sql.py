"""A model as one SELECT that computes its scores, in the SQL that DuckDB and PostgreSQL read the same way.

The columns that the plan uses are first brought into the form it expects, whatever the database made of them
(`sql_values`). Then each score is a sum with one term for each column. A database adds in an order of its own: it names
the same class wherever that leads by more than 1e-9 times the sum of the sizes of the terms.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from rosenblatt.errors import SettingError
from rosenblatt.features.bent import Bent
from rosenblatt.features.category import Category, Names, Ordered
from rosenblatt.features.lines import Line
from rosenblatt.features.moment import Moment, Part
from rosenblatt.features.numeric import Numeric
from rosenblatt.model import Linear
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
    from rosenblatt.model import Model

PER_BRACKET = 40  # terms of a sum in one bracket: databases limit how deep an expression may nest
DATE = "(DATE '1970-01-01' + CAST({day} AS INTEGER))"
# The numbers of a moment by its seconds since 1970.
IN_MOMENT = {
    "day": "{day}", "year": f"EXTRACT(YEAR FROM {DATE})", "month": f"EXTRACT(MONTH FROM {DATE})",
    "weekday": "MOD(MOD(CAST({day} AS BIGINT) + 3, 7) + 7, 7)", "day of month": f"EXTRACT(DAY FROM {DATE})",
    "hour": "(({x} - {day} * 86400e0) / 3600e0)",
}  # fmt: skip
ROW, TEXT, READ, SUMS, SCORED = "r", "t", "x", "l", "s"  # names of the parts of the statement


def to_sql(model: Model, table: str = "data") -> str:
    """The SELECT: every column of `table`, a score for each class (with two classes one), and the predicted class."""
    learner = model.learner.one_set("SQL")
    if not isinstance(learner, Linear):
        raise SettingError(
            "SQL can hold the weights of a perceptron; this model is naive Bayes. "
            "Use --to json, or train with --model perceptron."
        )
    lines = [line for line in model.plan.lines if line.width]
    for line in lines:
        if not isinstance(line, Numeric | Bent | Moment | Category | Ordered):
            raise SettingError(
                f"SQL can hold columns of numbers, of dates and of categories; {line.column!r} is {described(line)}. "
                "Use --to json, or train without it."
            )
    _refuse_alike(model)
    weights = np.atleast_2d(learner.weights).astype(np.float64)
    starts = np.cumsum([0, *(line.width for line in lines)]).tolist()
    unit = model.plan.unit == "rows"
    texts = [f"{trimmed(_column(line))} AS t{k}" for k, line in enumerate(lines, 1) if isinstance(line, Names)]
    read = [each for k, line in enumerate(lines, 1) for each in _read(line, k)]
    scores = []
    for row in weights:
        terms = [_term(line, k + 1, row[starts[k] : starts[k + 1]]) for k, line in enumerate(lines)]
        total = f"{total_of(terms)} / {SUMS}.length" if unit else total_of(terms)
        scores.append(f"{total} + {number(row[-1])}")
    parts = [f"{identifier(table)} AS {ROW}", *([_lateral(texts, TEXT)] if texts else []), _lateral(read, READ)]
    if unit:
        squares = total_of([_square(line, k) for k, line in enumerate(lines, 1)])
        parts.append(_lateral([f"COALESCE(SQRT(NULLIF({squares}, 0)), 1) AS length"], SUMS))
    parts.append(_lateral([f"{score} AS s{k}" for k, score in enumerate(scores, 1)], SCORED))
    return f"SELECT {ROW}.*,\n  {_results(model, learner)}\nFROM " + "\nCROSS JOIN LATERAL ".join(parts) + ";\n"


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


def described(line: Line) -> str:
    """What the plan does with the column, on one short line whatever its values hold."""
    words = " ".join(line.describe().split())
    return words if len(words) <= 100 else f"{words[:100]}…"


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


def _column(line: Line) -> str:
    return f"{ROW}.{identifier(line.column)}"


def _read(line: Line, k: int) -> list[str]:
    """The column as the plan reads it: x, and beside it what else may tell which of the known values it has."""
    column, text = _column(line), f"{TEXT}.t{k}"
    if isinstance(line, Numeric | Bent | Moment):
        seconds = " / 1e3" if isinstance(line, Moment) and line.reads == "date" else ""
        return [f"{measured(column, trimmed(column), line.reads)}{seconds} AS x{k}"]
    read = [f"{present(text, line.reads, spelling(text, line.reads))} AS x{k}"]
    assert isinstance(line, Names)
    if line.reads == "number":
        read.append(f"{number_beside(column, text, line)} AS n{k}")
    if any(match.typed for match in matches(line)):
        read.append(f"{typed_beside(column, text)} AS d{k}")
    return read


def _term(line: Line, k: int, weights: np.ndarray) -> str:
    """What the column adds to a score."""
    if isinstance(line, Numeric):
        x = f"{READ}.x{k}"
        known = f"{_scaled(line, x)} * {number(weights[0])}"
        return f"({known} + CASE WHEN {x} IS NULL THEN {number(weights[1])} ELSE 0e0 END)" if line.missing else known
    if isinstance(line, Bent | Moment):
        features = _at_knots(line)
        worth = features @ weights[: features.shape[1]]
        return _curves(line, k, lambda i, j, s: f"((1e0 - {s}) * {number(worth[i])} + {s} * {number(worth[j])})",
                       worth, weights[-1])  # fmt: skip
    assert isinstance(line, Category | Ordered)
    worth = weights[: len(line.values)] if isinstance(line, Category) else weights[0] * line.steps()
    other = float(weights[len(line.values)]) if isinstance(line, Category) and line.other else None
    return _cases(line, k, worth, float(weights[-1]), other)


def _square(line: Line, k: int) -> str:
    """What the column adds to the squared length of the row."""
    if isinstance(line, Numeric):
        x = f"{READ}.x{k}"
        known = f"{_scaled(line, x)} * {_scaled(line, x)}"
        return f"({known} + CASE WHEN {x} IS NULL THEN 1e0 ELSE 0e0 END)" if line.missing else known
    if isinstance(line, Bent | Moment):
        products = _at_knots(line) @ _at_knots(line).T

        def square(i: int, j: int, s: str) -> str:
            left, both, right = (number(value) for value in (products[i, i], 2 * products[i, j], products[j, j]))
            return f"((1e0 - {s}) * (1e0 - {s}) * {left} + {s} * (1e0 - {s}) * {both} + {s} * {s} * {right})"

        return _curves(line, k, square, np.diag(products), 1.0)
    assert isinstance(line, Category | Ordered)
    if isinstance(line, Category):
        return _cases(line, k, np.ones(len(line.values)), 1.0, 1.0 if line.other else None)
    return _cases(line, k, line.steps() ** 2, 1.0, None)


def _at_knots(line: Bent | Moment) -> np.ndarray:
    """The features at each knot; those of a moment are one each."""
    return line.at_knots() if isinstance(line, Bent) else np.eye(line.width - line.missing)


def _curves(
    line: Bent | Moment, k: int, between: Callable[[int, int, str], str], at_knots: np.ndarray, missing: float
) -> str:
    """What a row has by where its number lies, or each of the numbers of its moment; nothing where it is missing.

    between    for the places of the features of two knots, and the share of the way from one to the other
    """
    x, parts, start = f"{READ}.x{k}", [], 0
    every = line.every() if isinstance(line, Moment) else {"": Part(line.knots, tuple(line.names()[: len(line.knots)]))}
    for name, part in every.items():
        size = len(part.names)
        inside = partial(_inside, between, start, size)
        value = IN_MOMENT[name].format(x=x, day=f"FLOOR({x} / 86400e0)") if name else x
        parts.append(_between(value, part.knots, inside, at_knots[start + (len(part.knots) - 1) % size]))
        start += size
    return f"CASE WHEN {x} IS NULL THEN {number(missing if line.missing else 0.0)} ELSE {total_of(parts)} END"


def _inside(between: Callable[[int, int, str], str], start: int, size: int, i: int, share: str) -> str:
    return between(start + i, start + (i + 1) % size, share)


def _between(x: str, knots: Sequence[float], inside: Callable[[int, str], str], last: float) -> str:
    """Between two knots by the share of the way, beyond the ends as there."""
    cases = ""
    for i, (left, right) in enumerate(pairwise(map(number, knots))):
        within = f"GREATEST({x}, {left})" if i == 0 else x
        cases += f" WHEN {x} < {right} THEN {inside(i, f'(({within} - {left}) / ({right} - {left}))')}"
    return f"CASE{cases} ELSE {number(last)} END"


def _scaled(line: Numeric, x: str) -> str:
    return f"((COALESCE({x}, {number(line.mean)}) - {number(line.centre)}) / {number(line.spread)})"


def _cases(line: Category | Ordered, k: int, worth: np.ndarray, missing: float, other: float | None) -> str:
    """The worth of the value that a row has; a value that is none of the known ones has that of others, if any."""
    x, n, typed = (f"{READ}.{letter}{k}" for letter in "xnd")
    gone = f" WHEN {x} IS NULL THEN {number(missing)}" if line.missing else ""
    cases = "".join(
        f" WHEN {match.condition(x, n, typed)} THEN {number(w)}"
        for match, w in zip(matches(line), worth.tolist(), strict=True)
    )
    others = "" if other is None else f" WHEN {x} IS NOT NULL THEN {number(other)}"
    return f"CASE{gone}{cases}{others} ELSE 0e0 END"


def _results(model: Model, learner: Linear) -> str:
    """Scores and predicted class, under their names; a tie goes where the model sends it."""
    names = model.classes.names
    last = model.decision.last
    if learner.weights.ndim == 1:
        above = f"{SCORED}.s1 {'>=' if last else '>'} {number(model.decision.threshold)}"
        predicted = f"CASE WHEN {above} THEN {literal(names[1])} ELSE {literal(names[0])} END"
        return f"{SCORED}.s1 AS {_own(model, f'score {names[1]}')},\n  {predicted} AS {_own(model, 'predicted')}"
    every = [f"{SCORED}.s{k}" for k in range(1, len(names) + 1)]
    shown = [f"{score} AS {_own(model, f'score {name}')}" for score, name in zip(every, names, strict=True)]
    order = list(zip(every, names, strict=True))[:: -1 if last else 1]
    cases = " ".join(f"WHEN {score} THEN {literal(name)}" for score, name in order)
    return ",\n  ".join([*shown, f"CASE GREATEST({', '.join(every)}) {cases} END AS {_own(model, 'predicted')}"])
