"""What a request asks of a model, checked, and what is answered: plain values in, plain values out.

A request holds one of `text`, `texts`, `row` and `rows`; beside them `scores`, `probabilities` and `sets` ask for more
than classes, and `flip` for the changes that would turn the decision.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rosenblatt.data.table import Table, nearest_hint, some
from rosenblatt.errors import DataError
from rosenblatt.model import Model
from rosenblatt.model.answers import Asked, plain_answers, plain_explanation
from rosenblatt.serve.guard import Refused
from rosenblatt.store.contents import finite

MOST_ROWS = 10_000
ONE = {"text": "texts", "row": "rows"}  # what one of them is called
PREDICT = frozenset({*ONE, *ONE.values(), "scores", "probabilities", "sets"})
EXPLAIN = frozenset({*ONE, "flip"})


@dataclass(frozen=True)
class Question:
    """What is asked about some texts or rows."""

    texts: list[str] | None  # none where rows are given
    rows: list[dict[str, Any]]
    single: bool  # whether one was given, not a list
    asked: Asked
    flip: bool


def read_question(given: dict[str, Any], known: frozenset[str]) -> Question:
    """The question; Refused where it asks for nothing, for two things at once, or for what nobody knows."""
    unknown = [name for name in given if name not in known]
    if unknown:
        raise Refused(400, f"there is no field {unknown[0]!r}. Fields are: {', '.join(sorted(known))}.")
    forms = [name for name in (*ONE, *ONE.values()) if name in given]
    wanted = ", ".join(name for name in (*ONE, *ONE.values()) if name in known)
    if len(forms) != 1:
        raise Refused(400, f"give one of the fields {wanted}; got {', '.join(forms) or 'none of them'}.")
    form, single = forms[0], forms[0] in ONE
    values = [given[form]] if single else given[form]
    if not isinstance(values, list):
        raise Refused(400, f"{form!r} must be a list; got {_kind(values)}.")
    if not 0 < len(values) <= MOST_ROWS:
        raise Refused(
            400 if not values else 413, f"{form!r} must have 1 to {MOST_ROWS:,} entries; got {len(values):,}."
        )
    of_texts = form in ("text", "texts")
    for place, value in enumerate(values, 1):
        if not isinstance(value, str if of_texts else dict):
            where = f"{form!r}" if single else f"entry {place} of {form!r}"
            raise Refused(400, f"{where} must be {'a text' if of_texts else 'an object'}; got {_kind(value)}.")
    flags = [_flag(given, name) for name in ("scores", "probabilities", "flip")]
    asked = Asked(flags[0], flags[1], _share(given))
    return Question(values if of_texts else None, [] if of_texts else values, single, asked, flags[2])


def table_of(model: Model, question: Question) -> Table:
    """The texts or rows as a table; DataError where they lack a column, or have one that the model does not know."""
    if question.texts is not None:
        return model.texts(question.texts)
    lines = [line.column for line in model.plan.lines]
    known = {*lines, model.card.get("label")}
    for place, row in enumerate(question.rows, 1):
        where = "the row" if question.single else f"row {place}"
        for name in row:
            if name not in known:
                hint = nearest_hint(name, lines)
                raise DataError(f"{where}: no column named {name!r}. Columns are: {some(lines)}.{hint}")
    there = {name for row in question.rows for name in row}
    columns = {name: [row.get(name) for row in question.rows] for name in lines if name in there}
    return model.plan.completed(model.read(columns, labelled=False))


def predicted(model: Model, question: Question) -> dict[str, Any]:
    """The answer to a question about classes."""
    question.asked.check(model)
    return answered(model, question, model.scores(table_of(model, question)))


def answered(model: Model, question: Question, scores: Any) -> dict[str, Any]:
    """The answer to a question about rows of these scores."""
    answers = plain_answers(model, scores, question.asked)
    if question.asked.scores:
        answers = finite(answers)
    return answers[0] if question.single else {"predictions": answers}


def explained(model: Model, question: Question) -> dict[str, Any]:
    """Why one row is of its class."""
    plain: dict[str, Any] = finite(plain_explanation(model, table_of(model, question), question.flip))
    return plain


def _flag(given: dict[str, Any], name: str) -> bool:
    if not isinstance(given.get(name, False), bool):
        raise Refused(400, f"{name!r} must be true or false; got {_kind(given[name])}.")
    return bool(given.get(name, False))


def _share(given: dict[str, Any]) -> float | None:
    value = given.get("sets")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
        raise Refused(400, "'sets' must be a share between 0 and 1, such as 0.95.")
    return float(value)


def _kind(value: Any) -> str:
    """What JSON calls the value."""
    kinds = {
        str: "a text",
        bool: "true or false",
        int: "a number",
        float: "a number",
        list: "a list",
        dict: "an object",
    }
    return kinds.get(type(value), "null")
