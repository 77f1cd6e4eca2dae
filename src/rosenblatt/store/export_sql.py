"""A model as one SELECT that computes its scores, in the SQL that DuckDB and PostgreSQL read the same way.

The columns that the plan uses are first brought into the form it expects, whatever the database made of them
(`sql_values`). Then each score is a sum with one term for each column, as the model's formula has them (`sql_terms`),
or with one for each association unit, which reads features of the columns. A database adds in an order of its own: it
names the same class wherever that leads by more than 1e-9 times the sum of the sizes of the terms.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rosenblatt.errors import SettingError
from rosenblatt.features.terms import Curve, Named, Stepped, Straight, Term, Wired
from rosenblatt.store.sql_terms import READ, ROW, TEXT, added, column_of, identifier, number, read_of, squared, total_of
from rosenblatt.store.sql_values import literal, trimmed

if TYPE_CHECKING:
    from rosenblatt.learn.calibration import Calibration
    from rosenblatt.model import Formula, Model

# Parts of the statement, beside those of `sql_terms`.
SUMS, SCORED, HIGHEST, TOTAL, FEATURES, ON, CHANCES = "l", "s", "h", "n", "f", "o", "p"
LEAST, MOST = "-700e0", "700e0"  # what EXP is asked for: beyond that PostgreSQL ends in an error


def to_sql(model: Model, table: str = "data") -> str:
    """The SELECT: every column of `table`, a score for each class (with two classes one), probabilities where the model
    has them, and the predicted class."""
    formula = model.formula("SQL")
    wired = next((term for term in formula.terms if isinstance(term, Wired)), None)
    columns, unit = (formula.terms, formula.unit) if wired is None else (wired.inputs, wired.unit)
    _refuse(model, columns)
    terms = list(enumerate(columns, 1))
    texts = [f"{trimmed(column_of(term))} AS t{k}" for k, term in terms if isinstance(term, Named)]
    read = [each for k, term in terms for each in read_of(term, k)]
    parts = [f"{identifier(table)} AS {ROW}", *([_lateral(texts, TEXT)] if texts else []), _lateral(read, READ)]
    if unit == "rows":
        squares = total_of([squared(term, k) for k, term in terms])
        parts.append(_lateral([f"COALESCE(SQRT(NULLIF({squares}, 0)), 1) AS length"], SUMS))
    by_length = f" / {SUMS}.length" if unit == "rows" else ""
    if wired is None:
        totals = [total_of([added(term, k, weights) for k, term in terms]) + by_length for weights in formula.weights]
    else:
        parts += _units(wired, formula.weights, by_length)
        totals = [f"{ON}.c{k}" for k in range(1, len(formula.weights) + 1)]
    calibration, scores = model.decision.calibration, zip(totals, formula.constant, strict=True)
    shown = [f"{total} + {number(constant)} AS s{k}" for k, (total, constant) in enumerate(scores, 1)]
    parts.append(_lateral(shown, SCORED, once=calibration is not None and len(formula.weights) > 1))
    if len(formula.weights) > 1 and (formula.logs or calibration):
        parts.append(_lateral([f"GREATEST({', '.join(_every(len(formula.weights)))}) AS highest"], HIGHEST))
    if len(formula.weights) > 1 and formula.logs:
        parts.append(_log_sum(len(formula.weights)))
    if calibration:
        parts += _chances(calibration, len(formula.weights))
    return f"SELECT {ROW}.*,\n  {_results(model, formula)}\nFROM " + "\nCROSS JOIN LATERAL ".join(parts) + ";\n"


def _refuse(model: Model, columns: Sequence[Term]) -> None:
    """SettingError for a column that SQL cannot hold, and for names that a database takes for one.

    DuckDB has no regard to case: it would read one column where the other is meant.
    """
    for term in columns:
        if not isinstance(term, Straight | Curve | Named | Stepped):
            raise SettingError(
                f"SQL can hold columns of numbers, of dates and of categories; {term.column!r} is {term.described}. "
                "Use --to json, or train without it."
            )
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


def _lateral(columns: Sequence[str], name: str, once: bool = False) -> str:
    """A part of the statement.

    once    computed once for each row. Otherwise PostgreSQL puts the expressions in wherever they are named, and the
            probability of each class names the scores of all; DuckDB then gives rows out in an order of its own.
    """
    return "(SELECT\n  " + ",\n  ".join(columns) + f"\n{'OFFSET 0' if once else ''}) AS {name}"


def _every(count: int) -> list[str]:
    """The scores."""
    return [f"{SCORED}.s{k}" for k in range(1, count + 1)]


def _units(wired: Wired, weights: np.ndarray, by_length: str) -> list[str]:
    """Parts with the features that wires lead to, and with what the units that are on add to each score, c1, c2 ….

    The units are the rows of a table: a database plans 2,000 rows at once, and 2,000 expressions for minutes.
    """
    read = np.unique(wired.wires)
    values = dict.fromkeys(read.tolist(), "0e0")
    for k, term in enumerate(wired.inputs, 1):
        for j in read[np.isin(read, term.numbers)].tolist():
            only = np.zeros(max(term.numbers) + 1)  # by these weights the column adds the value of the feature
            only[j] = 1
            values[j] = f"{added(term, k, only)}{by_length}"
    features = _lateral(["ARRAY[" + ",\n    ".join(values.values()) + "] AS f"], FEATURES, once=True)
    places = np.searchsorted(read, wired.wires) + 1
    units = zip(places.tolist(), wired.signs.astype(int).tolist(), wired.thresholds, weights.T, strict=True)
    rows = [
        f"({', '.join([*map(str, wires), *map(str, signs), number(level), *map(number, own)])})"
        for wires, signs, level, own in units
    ]
    fan_in, scores = range(1, wired.wires.shape[1] + 1), range(1, len(weights) + 1)
    names = [*(f"w{k}" for k in fan_in), *(f"g{k}" for k in fan_in), "above", *(f"c{k}" for k in scores)]
    total = " + ".join(f"{FEATURES}.f[u.w{k}] * u.g{k}" for k in fan_in)
    table = "(VALUES\n  " + ",\n  ".join(rows) + f"\n) AS u({', '.join(names)})"
    sums = [f"COALESCE(SUM(CAST(u.c{k} AS DOUBLE PRECISION)), 0e0) AS c{k}" for k in scores]
    return [features, f"(SELECT {', '.join(sums)} FROM {table}\nWHERE {total} > u.above) AS {ON}"]


def _log_sum(count: int) -> str:
    """The logarithm of the sum of the exponentials of the scores, the highest apart so that none overflows."""
    total = total_of([f"EXP(GREATEST({score} - {HIGHEST}.highest, {LEAST}))" for score in _every(count)])
    return _lateral([f"{HIGHEST}.highest + LN({total}) AS total"], TOTAL)


def _chances(calibration: Calibration, count: int) -> list[str]:
    """The part, or parts, with the probability of each class, p1, p2 and so on: see `learn.calibration`."""
    slope, limit = number(calibration.slope), calibration.limit
    if count == 1:
        score = f"{SCORED}.s1"
        if np.isfinite(limit):
            score = f"LEAST(GREATEST({score}, {number(-limit)}), {number(limit)})"
        z = f"GREATEST(LEAST({slope} * {score} + {number(calibration.shift)}, {MOST}), {LEAST})"
        both = [f"1e0 / (1e0 + EXP({sign}z.z)) AS p{k}" for k, sign in ((1, ""), (2, "-"))]
        return [_lateral([f"{z} AS z"], "z"), _lateral(both, CHANCES)]
    behind = [f"{score} - {HIGHEST}.highest" for score in _every(count)]
    if np.isfinite(limit):
        behind = [f"GREATEST({each}, {number(-limit)})" for each in behind]
    powers = [f"EXP(GREATEST({slope} * ({each}), {LEAST})) AS e{k}" for k, each in enumerate(behind, 1)]
    total, shares = total_of([f"e.e{k}" for k in range(1, count + 1)]), number(1 - calibration.doubt)
    rest = number(calibration.doubt / count)
    found = [f"{shares} * (e.e{k} / z.z) + {rest} AS p{k}" for k in range(1, count + 1)]
    return [_lateral(powers, "e"), _lateral([f"{total} AS z"], "z"), _lateral(found, CHANCES)]


def _results(model: Model, formula: Formula) -> str:
    """Scores, probabilities and the predicted class, under their names; a tie goes where the model sends it."""
    names, last, every = model.classes.names, model.decision.last, _every(len(formula.weights))
    if len(every) == 1:
        above = f"{every[0]} {'>=' if last else '>'} {number(model.decision.threshold)}"
        predicted = f"CASE WHEN {above} THEN {literal(names[1])} ELSE {literal(names[0])} END"
        shown = [f"{every[0]} AS {_own(model, f'score {names[1]}')}"]
    else:
        less = f" - {TOTAL}.total" if formula.logs else ""
        shown = [f"{score}{less} AS {_own(model, f'score {name}')}" for score, name in zip(every, names, strict=True)]
        order = list(zip(every, names, strict=True))[:: -1 if last else 1]
        cases = " ".join(f"WHEN {score} THEN {literal(name)}" for score, name in order)
        predicted = f"CASE GREATEST({', '.join(every)}) {cases} END"
    if model.decision.calibration:
        shown += [f"{CHANCES}.p{k} AS {_own(model, f'probability {name}')}" for k, name in enumerate(names, 1)]
    return ",\n  ".join([*shown, f"{predicted} AS {_own(model, 'predicted')}"])
