"""The mistake list: which row was updated on at which step, and which class was punished. All else follows from it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rosenblatt.learn.rule import Rule

NONE = np.empty(0)
LISTED = ("steps", "rows", "rivals", "amounts", "shrinks")  # what is known of each update
RECORD = np.dtype([("step", np.int64), ("pass", np.int64), ("row", np.int64), ("predicted", np.int32)])


@dataclass(frozen=True)
class Notes:
    """The updates of one pass, in order."""

    number: int  # of the pass, from 0
    before: int  # rows visited in all passes before it
    size: int  # rows visited in this pass
    steps: np.ndarray  # positions within the pass, from 0
    rows: np.ndarray  # row numbers
    rivals: np.ndarray  # classes punished; with margin 0 the class predicted
    amounts: np.ndarray  # how much of its row each update added, before it is scaled
    shrinks: np.ndarray  # what the variances lost, of a rule that keeps them


def as_record(notes: list[Notes], rule: type[Rule]) -> np.ndarray:
    """The list as one array. Steps and passes count from 1, as in the notes' table; rows and classes from 0."""
    more = [] if rule.plain else [("amount", np.float64)]
    more += [] if rule.multiples else [("shrink", np.float64)]
    record = np.empty(sum(len(each.steps) for each in notes), RECORD.descr + more)
    position = 0
    for each in notes:
        part = record[position : position + len(each.steps)]
        part["step"] = each.before + each.steps + 1
        part["pass"] = each.number + 1
        part["row"] = each.rows
        part["predicted"] = each.rivals
        for name, _ in more:
            part[name] = each.amounts if name == "amount" else each.shrinks
        position += len(part)
    return record
