"""Messages as one text each, the words in them with their places, and messages with words left out."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container
from dataclasses import replace
from itertools import accumulate
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from rosenblatt.data.table import Declaration, Table, some
from rosenblatt.data.values import names_of
from rosenblatt.errors import DataError
from rosenblatt.features.kinds import kind_of

WORD = re.compile(r"(?u)\b\w\w+\b")  # the tokens of features/tokens.py, which looks for them in the lowered text
NOT_SAID = ("sender",)  # a pasted message has none


def one_text(table: Table) -> Table:
    """The table with all its text in one column, subject before body, as a person would paste it."""
    names = [name for name in table.names if is_text(table, name) and name not in NOT_SAID]
    if not names:
        raise DataError(
            f"{table.origin.source}: no column holds texts of several words. Columns are: {some(table.names)}. "
            "Give a column of messages and one of labels."
        )
    columns = [pc.fill_null(names_of(table.columns[name]), "") for name in names]
    text = pc.binary_join_element_wise(*columns, pa.scalar("\n", pa.large_string())) if len(names) > 1 else columns[0]
    return replace(table, columns=pa.table({"text": text}), declared={"text": Declaration("text")})


def is_text(table: Table, name: str) -> bool:
    """Whether the column is text by what its source says, or by its values."""
    said = table.declared.get(name)
    return (said.kind if said else kind_of(table.columns[name]).kind) == "text"


class Place(NamedTuple):
    """A word as training knows it, and where it stands in the message."""

    word: str
    start: int
    end: int


def find_words(text: str) -> list[Place]:
    """The words of the message in reading order.

    They are looked for in the lowered text. A letter can become two when it is lowered, so places are counted back.
    """
    lowered = text.lower()
    if len(lowered) == len(text):
        return [Place(found.group(), found.start(), found.end()) for found in WORD.finditer(lowered)]
    ends = list(accumulate(len(letter.lower()) for letter in text))  # where each letter ends in the lowered text
    return [
        Place(found.group(), bisect_right(ends, found.start()), bisect_right(ends, found.end() - 1) + 1)
        for found in WORD.finditer(lowered)
    ]


def leave_out(text: str, words: Container[str]) -> str:
    """The message without these words, wherever they stand. What remains keeps its words: two never become one."""
    kept, done = [], 0
    for place in find_words(text):
        if place.word in words:
            kept.append(text[done : place.start])
            done = place.end
    return re.sub(r"[ \t]{2,}", " ", "".join([*kept, text[done:]]))
