"""What the columns of a CSV file read as: the first of KINDS that all values of the column have.

Each block tells what its values can be, and what is common to the blocks is what the column is. So it does not matter
how the file is cut, and no value is converted by a guess.
"""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rosenblatt.data.table import string_column
from rosenblatt.data.values import MISSING, NOT_FINITE, NUMBER, TIME, cleaned, parsed_floats

KINDS = {
    "empty": pa.null(), "whole": pa.int64(), "boolean": pa.bool_(), "date": pa.date32(), "time": pa.time32("s"),
    "timestamp": pa.timestamp("us"), "timestamp UTC": pa.timestamp("us", "UTC"), "large": pa.decimal128(38, 0),
    "number": pa.float64(), "text": pa.large_string(),
}  # fmt: skip
# What a column can be if its values are of this kind. Of whole numbers only 0 and 1 may also be truth values.
ALSO = {
    "empty": set(KINDS), "whole": {"whole", "large", "number", "text"}, "boolean": {"boolean", "text"},
    "bits": {"whole", "boolean", "large", "number", "text"}, "date": {"date", "timestamp", "text"},
    "time": {"time", "text"}, "timestamp": {"timestamp", "text"}, "timestamp UTC": {"timestamp UTC", "text"},
    "large": {"large", "number", "text"}, "number": {"number", "text"}, "text": {"text"},
}  # fmt: skip
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
WHOLE = r"^[+-]?[0-9]+$"
CLOCK = r"^(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?$"
SOME = 64  # values that are looked at to find the first one that is not missing


def common(one: str, other: str) -> str:
    """The kind of a column that has values of both."""
    if "empty" in (one, other) or one == other:
        return one if other == "empty" else other
    return next(kind for kind in KINDS if kind in ALSO[one] & ALSO[other])


def typed(array: pa.Array, guess: str = "empty") -> tuple[str, pa.Array]:
    """The kind of the strings (for 0 and 1 alone, bits), and their values by it; numbers are what they are.

    guess    what earlier values of the column are: no kind before it can be the answer for all
    """
    if not pa.types.is_large_string(array.type):
        return ("whole" if pa.types.is_integer(array.type) else "number"), array
    first = _first_value(array)
    if first is None:
        return "empty", pa.nulls(len(array))
    order = list(KINDS)
    for kind in _plausible(first):
        if order.index(kind) < order.index("whole" if guess == "bits" else guess):
            continue
        found = converted(array, kind)
        if found is not None:
            return ("bits" if kind == "whole" and _are_bits(found) else kind), found
    return "text", array


def converted(array: pa.Array, kind: str) -> pa.Array | None:
    """The strings as values of this kind; None where one of them is none."""
    if kind == "text" or not pa.types.is_large_string(array.type):
        return array
    if kind == "empty":
        return pa.nulls(len(array))
    if kind == "number":
        return parsed_floats(array)
    if kind == "whole":
        return _whole(array)
    values = cleaned(array)
    if kind == "boolean":
        lower = pc.utf8_lower(values)
        if not _all(pc.is_in(lower, value_set=string_column(["true", "false", "1", "0"])), values):
            return None
        return pc.if_else(values.is_valid(), pc.is_in(lower, value_set=string_column(["true", "1"])), None)
    if kind == "time":
        return _times(values) if _all(pc.match_substring_regex(values, CLOCK), values) else None
    if kind == "large" and not _all(pc.match_substring_regex(values, WHOLE), values):
        return None
    try:
        return values.cast(KINDS[kind])
    except pa.ArrowInvalid:
        return None


def cast(array: pa.Array, kind: str) -> pa.Array | None:
    """Values of another kind as this one; None where that needs their text."""
    if array.type == KINDS[kind]:
        return array
    if kind == "text":
        return None  # NA, which is no number, may be a name
    if kind == "number":
        return array.cast(pa.float64(), safe=False)
    return array.cast(KINDS[kind])


def _first_value(array: pa.Array) -> str | None:
    for value in array.slice(0, SOME).to_pylist():
        if value is not None and value.strip() not in MISSING:
            return str(value.strip())
    if len(array) <= SOME:
        return None
    values = cleaned(array).drop_null()
    return str(values[0].as_py()) if len(values) else None


def _plausible(first: str) -> tuple[str, ...]:
    """The kinds that a column with this value may have, without text."""
    if NUMBER.fullmatch(first):
        if first in ("0", "1"):
            return ("whole", "boolean", "large", "number")
        return ("whole", "large", "number") if first.lstrip("+-").isdigit() else ("number",)
    if NOT_FINITE.fullmatch(first):
        return ("number",)
    if first.lower() in ("true", "false"):
        return ("boolean",)
    if DAY.match(first):
        return ("date", "timestamp", "timestamp UTC")
    return ("time",) if TIME.fullmatch(first) else ()


def _whole(array: pa.Array) -> pa.Array | None:
    """int64. Arrow reads 0x10 as 16, which is a number nowhere else; and does not read +1."""
    values = array
    for clean in (False, True):
        values = cleaned(array) if clean else array
        try:
            found = values.cast(pa.int64())
        except pa.ArrowInvalid:
            continue
        return None if pc.any(pc.match_substring(values, "x", ignore_case=True)).as_py() else found
    if not _all(pc.match_substring_regex(values, WHOLE), values):
        return None
    try:
        return values.cast(KINDS["large"]).cast(pa.int64())
    except pa.ArrowInvalid:
        return None


def _times(values: pa.Array) -> pa.Array:
    coded = values.dictionary_encode()
    parts = [[int(part) for part in text.split(":")] for text in coded.dictionary.to_pylist()]
    seconds = [3600 * part[0] + 60 * part[1] + (part[2] if len(part) > 2 else 0) for part in parts]
    return pa.array(np.array(seconds, np.int32)).take(coded.indices).cast(pa.time32("s"))


def _are_bits(values: pa.Array) -> bool:
    ends = pc.min_max(values).as_py()
    return ends["min"] is not None and ends["min"] >= 0 and ends["max"] <= 1


def _all(holds: pa.Array, values: pa.Array) -> bool:
    """Whether it holds for all values that are there."""
    return bool(pc.all(pc.or_(holds.fill_null(True), values.is_null()), min_count=0).as_py())
