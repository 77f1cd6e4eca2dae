"""The tables of the naive Bayes part: those to begin with, and the reading of those that a person made of them."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.data import read
from rosenblatt.errors import DataError
from rosenblatt.features import Classes, learn_and_encode
from rosenblatt.lab.mail_texts import one_text
from rosenblatt.model.bayes import count_matrix

MOST_FEATURES = 12
MOST_ROWS = 1_000_000
LONGEST_NAME = 40
# Words of the built-in mail that show what smoothing is for: two of them occur in one class alone.
MAIL_WORDS = ("free", "money", "please", "minute", "bring")
MAIL_ROW = (0, 0, 1, 1, 0)


class Given(NamedTuple):
    """Two classes with their numbers of rows, features with the rows that have them, and one row to decide about."""

    classes: tuple[str, ...]
    rows: tuple[int, ...]
    names: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]  # for each feature: rows of each class that have it
    row: tuple[int, ...]  # for each feature: 1 or 0


def read_tables(body: dict[str, Any]) -> Given:
    """The tables that the page sent, every number checked; DataError names the cell."""
    classes = _names(body.get("classes"), "classes")
    if len(classes) != 2:
        raise DataError(f"the tables are for two classes; got {len(classes)}. Name two.")
    rows = [_whole(n, f"rows of {c}", MOST_ROWS) for c, n in _beside(classes, body.get("rows"), "rows")]
    if not sum(rows):
        raise DataError("both classes have 0 rows, so there is nothing to count. Give one of them a row.")
    features = body.get("features")
    if not isinstance(features, list) or not 1 <= len(features) <= MOST_FEATURES:
        raise DataError(f"features must be a list of 1 to {MOST_FEATURES} tables.")
    if not all(isinstance(feature, dict) for feature in features):
        raise DataError("each feature must have a name and its counts.")
    names = _names([feature.get("name") for feature in features], "features")
    counts = []
    for name, feature in zip(names, features, strict=True):
        cells = _beside(classes, feature.get("counts"), f"counts of {name}")
        counts.append(
            tuple(
                _whole(n, f"{name} in {c}", most, f" (there are {most} {c} rows)")
                for (c, n), most in zip(cells, rows, strict=True)
            )
        )
    row = [_whole(v, f"{name} in the row", 1) for name, v in _beside(names, body.get("row"), "row")]
    return Given(classes, tuple(rows), names, tuple(counts), tuple(row))


def _names(given: Any, where: str) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(
        isinstance(name, str) and 0 < len(name) <= LONGEST_NAME for name in given
    ):
        raise DataError(f"{where} must have names of 1 to {LONGEST_NAME} characters.")
    if len(set(given)) < len(given):
        raise DataError(f"{where} must have different names; got {', '.join(given)}.")
    return tuple(given)


def _beside(names: tuple[str, ...], given: Any, where: str) -> list[tuple[str, Any]]:
    if not isinstance(given, list) or len(given) != len(names):
        raise DataError(f"{where}: give one number for each of {', '.join(names)}.")
    return list(zip(names, given, strict=True))


def _whole(value: Any, where: str, most: int, why: str = "") -> int:
    """A whole number from 0 to `most`; what a person types arrives as text."""
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit() and len(value) <= 12:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        got = repr(value) if len(repr(value)) <= 40 else repr(value)[:40] + "…"
        raise DataError(f"{where}: give a whole number from 0 to {most}{why}; got {got}.")
    return value


def examples() -> list[dict[str, Any]]:
    return [
        {
            "name": "mail",
            "title": "Words in the built-in mail",
            "about": "How many ham and spam mails have each word. One word was never seen in ham, one never in spam.",
            **deepcopy(_mail()),
        },
        {
            "name": "limit",
            "title": "Every class impossible",
            "about": "Made for this page: each class lacks one of the two words. "
            "With k = 0 both products are 0; their limit is 0.6 : 1.",
            "classes": ["a", "b"],
            "rows": [10, 2],
            "features": [{"name": "first", "counts": [0, 2]}, {"name": "second", "counts": [6, 0]}],
            "row": [1, 1],
        },
    ]


@cache
def _mail() -> dict[str, Any]:
    """Counts of some words in the built-in mail, counted by the engine."""
    table = one_text(read("mail"))
    classes = Classes.learn(table)
    truth = classes.encode(table)
    plan, matrix = learn_and_encode(table)
    counts = count_matrix(matrix.rows, truth, len(classes.names), False)
    places = [plan.names.index(word) for word in MAIL_WORDS]
    return {
        "classes": list(classes.names),
        "rows": counts.rows.tolist(),
        "features": [{"name": w, "counts": counts.cells[j].tolist()} for w, j in zip(MAIL_WORDS, places, strict=True)],
        "row": np.array(MAIL_ROW).tolist(),
    }
