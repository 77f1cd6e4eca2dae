"""Deciding what a column is, from the rows of the training part, with a reason that a person can check."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rosenblatt.data.table import SPARSE
from rosenblatt.data.values import names_of, one_array
from rosenblatt.features.tokens import buffers
from rosenblatt.loops.contents import mix_spans

FEW_ROWS = 10  # with fewer, that all values differ says nothing
LOOKED_AT = 10_000  # values, where some tell enough
WHOLE = 2.0**53  # beyond it every float is whole, and tells nothing by that
SOLID = ~np.isin(np.arange(256), list(b"\t\n\f\r "))  # for each byte whether it is no space
SHORT = 40  # characters of the longest id
DENSE = 3  # ids: at least one in so many of the whole numbers between the lowest and the highest occurs
# How ids are named: the last word of the name, or the first; "no of rooms" and "number of rooms" are no ids.
ID_LAST = {
    "id", "ids", "identifier", "uuid", "guid", "oid", "pk", "key", "index", "idx", "no", "nr", "number", "serial",
    "rowid", "rownum", "userid", "recordid", "objectid",
}  # fmt: skip
ID_FIRST = {"id", "uuid", "guid"}
NAME_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")  # "PassengerId" and "customer_ID" have two each
WORDS_IN_TEXT = 3.0  # on average; a value of fewer is a name
# Words that mean an order in everyday use, lowest first.
SCALES = (
    ("tiny", "very small", "small", "medium", "large", "very large", "huge"),
    ("xxs", "xs", "s", "m", "l", "xl", "xxl", "xxxl"),
    ("none", "very low", "low", "medium", "moderate", "high", "very high"),
    ("none", "mild", "moderate", "severe", "critical"),
    ("never", "rarely", "seldom", "sometimes", "often", "usually", "always"),
    ("very poor", "poor", "fair", "average", "good", "very good", "excellent"),
    ("very bad", "bad", "ok", "good", "very good", "excellent"),
    ("strongly disagree", "disagree", "neutral", "agree", "strongly agree"),
    ("freezing", "cold", "cool", "mild", "warm", "hot"),
    ("very slow", "slow", "medium", "fast", "very fast"),
    ("short", "medium", "tall"), ("short", "medium", "long"), ("light", "medium", "heavy"), ("thin", "medium", "thick"),
    ("young", "middle-aged", "old"), ("beginner", "intermediate", "advanced", "expert"),
    ("first", "second", "third", "fourth", "fifth"), ("1st", "2nd", "3rd", "4th", "5th"),
    ("minor", "major", "critical"), ("bronze", "silver", "gold", "platinum"), ("easy", "medium", "hard"),
)  # fmt: skip


class Choice(NamedTuple):
    """A kind, the reason for it, and the values in order where the kind has such."""

    kind: str
    reason: str
    values: tuple[str, ...] = ()


def choose(column: pa.ChunkedArray, name: str = "") -> Choice:
    """What the column is, judged by its values; and where these could be ids, by its name."""
    kind = column.type
    if kind == SPARSE:
        return Choice("numbered", "sparse rows")
    if pa.types.is_fixed_size_list(kind) or pa.types.is_list(kind) or pa.types.is_large_list(kind):
        inner = kind.value_type
        if pa.types.is_integer(inner) or pa.types.is_floating(inner):
            return Choice("vector", f"lists of {inner} numbers")
        return Choice("dropped", f"lists of {inner} cannot be encoded")
    if pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return Choice("dropped", f"values of type {kind} cannot be encoded")
    array = one_array(column)
    array = array.dictionary_decode() if pa.types.is_dictionary(array.type) else array
    if pa.types.is_floating(array.type):
        array = pc.if_else(pc.is_nan(array), None, array)
    present = len(array) - array.null_count
    if not present:
        return Choice("dropped", "no values")
    if _is_number(array.type) and _plainly_numeric(array):
        return Choice("numeric", "numbers")
    distinct = pc.count_distinct(array, mode="only_valid").as_py()
    if distinct == 1 and present == len(array):
        return Choice("dropped", f"constant: {_shown(array)}")
    if pa.types.is_temporal(array.type):
        return Choice("dropped", "a time, which in new data lies outside the training range")
    if distinct == 2 and (pa.types.is_boolean(array.type) or not _is_text(array, distinct)):
        return Choice("ordered", "two values", _in_order(array))
    if _is_number(array.type):
        why = _why_id(array, name) if distinct == present >= FEW_ROWS and _all_whole(array) else ""
        return Choice("dropped", why) if why else Choice("numeric", "numbers")
    return _choose_among_strings(array, present, distinct)


def _choose_among_strings(array: pa.Array, present: int, distinct: int) -> Choice:
    words = _mean_words(array)
    if _reads_as_text(words, distinct, present):
        return Choice("text", f"{words:.1f} words a value")
    if distinct == present >= FEW_ROWS and _short_and_solid(array):
        return Choice("dropped", f"an id: {present} short strings, all distinct")
    values = _in_order(array)
    scale = _scale_of(values)
    if scale:
        return Choice("ordered", "these words have an order", scale)
    return Choice("category", f"{distinct} distinct values", values)


def _plainly_numeric(array: pa.Array) -> bool:
    """True if the first values show that there are more than two and that they are no id, so none need be counted."""
    some = array.slice(0, LOOKED_AT).drop_null()
    distinct = pc.count_distinct(some).as_py()
    return distinct > 2 and (distinct < len(some) or not _all_whole(some))


class StringFacts:
    """What `choose` asks of a column of strings, collected piece by piece; distinct values by their hashes.

    Two of n values share a hash with a chance of n² / 2⁶⁵, and then one is taken for two.
    """

    def __init__(self) -> None:
        self.rows = self.present = self.longest = 0
        self.spaces = False
        self.hashes = np.empty(0, np.uint64)
        self.first: list[pa.Array] = []
        self.looked_at = 0

    def add(self, column: pa.ChunkedArray) -> None:
        array = one_array(column)
        values = array.drop_null()
        self.rows += len(array)
        self.present += len(values)
        if self.looked_at < LOOKED_AT:
            self.first.append(values.slice(0, LOOKED_AT - self.looked_at))
            self.looked_at += len(self.first[-1])
        if not len(values):
            return
        self.longest = max(self.longest, pc.max(pc.utf8_length(values)).as_py())
        self.spaces = self.spaces or pc.any(pc.match_substring_regex(values, r"\s")).as_py()
        data, starts = buffers(values)
        hashes = np.zeros(len(values), np.uint64)
        with np.errstate(over="ignore"):
            mix_spans(data, starts, hashes)
        self.hashes = np.union1d(self.hashes, hashes)

    def choice(self, values: Callable[[], list[str]]) -> Choice:
        """What the column is; `values` finds all its values, where these are few."""
        if not self.present:
            return Choice("dropped", "no values")
        first, distinct = pa.concat_arrays(self.first), len(self.hashes)
        if distinct == 1 and self.present == self.rows:
            return Choice("dropped", f"constant: {_shown(first)}")
        words = _mean_words(first)
        text = _reads_as_text(words, distinct, self.present)
        if distinct == 2 and not text:
            return Choice("ordered", "two values", tuple(sorted(values())))
        if text:
            return Choice("text", f"{words:.1f} words a value")
        if distinct == self.present >= FEW_ROWS and self.longest <= SHORT and not self.spaces:
            return Choice("dropped", f"an id: {self.present} short strings, all distinct")
        found = tuple(sorted(values()))
        scale = _scale_of(found)
        if scale:
            return Choice("ordered", "these words have an order", scale)
        return Choice("category", f"{distinct} distinct values", found)


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def _all_whole(array: pa.Array) -> bool:
    if not pa.types.is_floating(array.type):
        return bool(pa.types.is_integer(array.type))
    values = array.drop_null().to_numpy(zero_copy_only=False)
    return bool(np.all((values == np.floor(values)) & (np.abs(values) <= WHOLE)))


def _why_id(array: pa.Array, name: str) -> str:
    """Why whole numbers that are all distinct are an id; nothing where they may well be amounts, such as salaries.

    Numbers are given out one after the other, so ids lie close together; amounts that do so repeat. Whole numbers
    that no float can hold are ids too: nothing is measured to sixteen digits.
    """
    ends, count = pc.min_max(array).as_py(), len(array) - array.null_count
    low, high = int(ends["min"]), int(ends["max"])
    if named_like_an_id(name):
        return f"an id by its name: {count} whole numbers, all distinct"
    if high - low < DENSE * count or max(-low, high) > WHOLE:
        return f"an id: {count} whole numbers from {low} to {high}, all distinct"
    return ""


def named_like_an_id(name: str) -> bool:
    """Whether a column of this name would hold ids, such as id, PassengerId, order_no or row number."""
    words = [word.lower() for word in NAME_WORDS.findall(name)]
    return bool(words) and (words[-1] in ID_LAST or words[0] in ID_FIRST)


def _is_text(array: pa.Array, distinct: int) -> bool:
    """Text has several words a value; or at least two, and values that mostly differ, as names of people do."""
    if _is_number(array.type) or pa.types.is_boolean(array.type):
        return False
    return _reads_as_text(_mean_words(array), distinct, len(array) - array.null_count)


def _short_and_solid(array: pa.Array) -> bool:
    longest, spaces = pc.max(pc.utf8_length(array)), pc.any(pc.match_substring_regex(array, r"\s"))
    return bool(longest.as_py() <= SHORT and not spaces.as_py())


def _reads_as_text(words: float, distinct: int, present: int) -> bool:
    mostly_differ = 2 * distinct > present and distinct > FEW_ROWS
    return words >= WORDS_IN_TEXT or (mostly_differ and words >= 2)


def _mean_words(array: pa.Array) -> float:
    """Words a value: bytes that are no space and begin a value or follow a space."""
    values = array.drop_null().slice(0, LOOKED_AT).cast(pa.large_string())
    data, starts = buffers(values)
    solid = SOLID[data[starts[0] : starts[-1]]]
    begins = solid.copy()
    begins[1:] &= ~solid[:-1]
    first = (starts[:-1] - starts[0])[np.diff(starts) > 0]
    begins[first] = solid[first]
    return float(np.count_nonzero(begins) / max(1, len(values)))


def _in_order(array: pa.Array) -> tuple[str, ...]:
    """The distinct values as strings: numbers by size, false before true, strings by their characters."""
    values = array.drop_null().unique()
    values = values.take(pc.sort_indices(values)) if not pa.types.is_boolean(values.type) else pa.array([False, True])
    return tuple(names_of(values).to_pylist())


def _scale_of(values: tuple[str, ...]) -> tuple[str, ...]:
    """The values in the order of a known scale that has them all, at least three; otherwise nothing."""
    by_lower = {value.lower(): value for value in values}
    if len(by_lower) == len(values) >= 3:
        for scale in SCALES:
            if set(by_lower) <= set(scale):
                return tuple(by_lower[word] for word in scale if word in by_lower)
    return ()


def _shown(array: pa.Array) -> str:
    return ascii(array.drop_null()[0].as_py())[:40]
