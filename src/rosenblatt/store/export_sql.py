"""A model as one SELECT that computes its scores, in the SQL that DuckDB and PostgreSQL read the same way.

The columns that the plan uses are first brought into the form it expects (numbers as doubles, names as trimmed
strings, what counts as missing as NULL). Then each score is a sum with one term for each column.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rosenblatt.errors import SettingError
from rosenblatt.features.category import Category, Ordered
from rosenblatt.features.lines import Line
from rosenblatt.features.numeric import Numeric
from rosenblatt.model import Linear

if TYPE_CHECKING:
    from rosenblatt.model import Model

PER_BRACKET = 40  # terms of a sum in one bracket: databases limit how deep an expression may nest
WHOLE = re.compile(r"-?[0-9]+")
BLANKS = "' ' || CHR(9) || CHR(10) || CHR(11) || CHR(12) || CHR(13)"
ROW, READ, SUMS, SCORED = "r", "x", "l", "s"  # names of the parts of the statement


def to_sql(model: Model, table: str = "data") -> str:
    """The SELECT: every column of `table`, a score for each class (with two classes one), and the predicted class."""
    learner = model.learner
    if not isinstance(learner, Linear):
        raise SettingError(
            "SQL can hold the weights of a perceptron; this model is naive Bayes. "
            "Use --to json, or train with --model perceptron."
        )
    lines = [line for line in model.plan.lines if line.width]
    for line in lines:
        if not isinstance(line, Numeric | Category | Ordered):
            raise SettingError(
                f"SQL can hold columns of numbers and of categories; {line.column!r} is {described(line)}. "
                "Use --to json, or train without it."
            )
    weights = np.atleast_2d(learner.weights).astype(np.float64)
    starts = np.cumsum([0, *(line.width for line in lines)]).tolist()
    unit = model.plan.unit == "rows"
    read = [f"{_read(line)} AS x{k}" for k, line in enumerate(lines, 1)]
    scores = []
    for row in weights:
        terms = [_term(line, f"{READ}.x{k + 1}", row[starts[k] : starts[k + 1]]) for k, line in enumerate(lines)]
        total = f"{total_of(terms)} / {SUMS}.length" if unit else total_of(terms)
        scores.append(f"{total} + {number(row[-1])}")
    parts = [f"{identifier(table)} AS {ROW}", _lateral(read, READ)]
    if unit:
        squares = total_of([_square(line, f"{READ}.x{k}") for k, line in enumerate(lines, 1)])
        parts.append(_lateral([f"COALESCE(SQRT(NULLIF({squares}, 0)), 1) AS length"], SUMS))
    parts.append(_lateral([f"{score} AS s{k}" for k, score in enumerate(scores, 1)], SCORED))
    return f"SELECT {ROW}.*,\n  {_results(model, learner)}\nFROM " + "\nCROSS JOIN LATERAL ".join(parts) + ";\n"


def identifier(name: str) -> str:
    """A name in double quotes; a quote in it is written twice."""
    return '"' + _holdable(name).replace('"', '""') + '"'


def literal(value: str) -> str:
    """A string in single quotes; a quote in it is written twice, a backslash is itself."""
    return "'" + _holdable(value).replace("'", "''") + "'"


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


def _holdable(text: str) -> str:
    if "\x00" in text:
        raise SettingError(f"SQL cannot hold the character NUL, which is in {text!r}. Use --to json.")
    return text


def _lateral(columns: Sequence[str], name: str) -> str:
    return "(SELECT\n  " + ",\n  ".join(columns) + f"\n) AS {name}"


def _read(line: Line) -> str:
    """The column as the plan reads it. Missing: NULL, a NaN among numbers, an empty string or ? among names."""
    column = f"{ROW}.{identifier(line.column)}"
    if isinstance(line, Numeric):
        return f"NULLIF(CAST({column} AS DOUBLE PRECISION), CAST('NaN' AS DOUBLE PRECISION))"
    return f"NULLIF(NULLIF(TRIM(BOTH {BLANKS} FROM CAST({column} AS VARCHAR)), ''), '?')"


def _term(line: Line, x: str, weights: np.ndarray) -> str:
    """What the column adds to a score."""
    if isinstance(line, Numeric):
        known = f"{_scaled(line, x)} * {number(weights[0])}"
        return f"({known} + CASE WHEN {x} IS NULL THEN {number(weights[1])} ELSE 0e0 END)" if line.missing else known
    assert isinstance(line, Category | Ordered)
    worth = weights[: len(line.values)] if isinstance(line, Category) else weights[0] * line.steps()
    return _cases(line, x, worth, float(weights[-1]))


def _square(line: Line, x: str) -> str:
    """What the column adds to the squared length of the row."""
    if isinstance(line, Numeric):
        known = f"{_scaled(line, x)} * {_scaled(line, x)}"
        return f"({known} + CASE WHEN {x} IS NULL THEN 1e0 ELSE 0e0 END)" if line.missing else known
    assert isinstance(line, Category | Ordered)
    return _cases(line, x, np.ones(len(line.values)) if isinstance(line, Category) else line.steps() ** 2, 1.0)


def _scaled(line: Numeric, x: str) -> str:
    return f"((COALESCE({x}, {number(line.mean)}) - {number(line.centre)}) / {number(line.spread)})"


def _cases(line: Category | Ordered, x: str, worth: np.ndarray, missing: float) -> str:
    """The worth of the value that a row has; a value that training did not see has none."""
    gone = f" WHEN {x} IS NULL THEN {number(missing)}" if line.missing else ""
    # Where all values are whole numbers the column may be one of doubles, which DuckDB writes as 1.0.
    whole = all(WHOLE.fullmatch(value) for value in line.values)
    cases = "".join(
        f" WHEN {x} {_one_of([value, f'{value}.0'] if whole else [value])} THEN {number(w)}"
        for value, w in zip(line.values, worth.tolist(), strict=True)
    )
    return f"CASE{gone}{cases} ELSE 0e0 END"


def _one_of(values: Sequence[str]) -> str:
    shown = ", ".join(literal(value) for value in values)
    return f"IN ({shown})" if len(values) > 1 else f"= {shown}"


def _results(model: Model, learner: Linear) -> str:
    """Scores and predicted class, under their names; a tie goes where the model sends it."""
    names = model.classes.names
    last = model.decision.last
    if learner.weights.ndim == 1:
        above = f"{SCORED}.s1 {'>=' if last else '>'} {number(model.decision.threshold)}"
        predicted = f"CASE WHEN {above} THEN {literal(names[1])} ELSE {literal(names[0])} END"
        return f'{SCORED}.s1 AS {identifier(f"score {names[1]}")},\n  {predicted} AS "predicted"'
    every = [f"{SCORED}.s{k}" for k in range(1, len(names) + 1)]
    shown = [f"{score} AS {identifier(f'score {name}')}" for score, name in zip(every, names, strict=True)]
    order = list(zip(every, names, strict=True))[:: -1 if last else 1]
    cases = " ".join(f"WHEN {score} THEN {literal(name)}" for score, name in order)
    return ",\n  ".join([*shown, f'CASE GREATEST({", ".join(every)}) {cases} END AS "predicted"'])
