"""What a column shows before it is known what it is: what the kinds of columns decide by."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rosenblatt.data.plain import BETWEEN
from rosenblatt.data.table import SPARSE, Origin
from rosenblatt.data.values import EXACT_UP_TO, all_whole, names_of, one_array
from rosenblatt.features.tokens import buffers
from rosenblatt.loops.contents import mix_spans

FEW_ROWS = 10  # with fewer, that all values differ says nothing
GLANCE, SEEN = 16, 300  # values, where a glance is enough
LOOKED_AT = 10_000  # values, where some tell enough
SOLID = ~np.isin(np.arange(256), list(b"\t\n\f\r "))  # for each byte whether it is no space
SHORT = 40  # characters of the longest id
NEARLY, SOME = 2 / 3, 30  # names that differ in more than this share of at least so many rows tell rows, not kinds
DENSE = 3  # ids: at least one in so many of the whole numbers between the lowest and the highest occurs
# How ids are named: the last word of the name, or the first; "no of rooms" and "number of rooms" are no ids.
ID_LAST = {
    "id", "ids", "identifier", "uuid", "guid", "oid", "pk", "key", "index", "idx", "no", "nr", "number", "serial",
    "rowid", "rownum", "userid", "recordid", "objectid",
}  # fmt: skip
ID_FIRST = {"id", "uuid", "guid"}
NAME_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")  # "PassengerId" and "customer_ID" have two each
SIGNS = (";", "|", ",")  # that may stand between tags
LONGEST_TAGS = 400  # characters of a value that is a list of tags
MOST_TAGS = 200  # different ones, where only the values tell that they are tags
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


class Facts:
    """What a column shows, block by block. Facts of two blocks, the earlier first, merge into those of both.

    Distinct strings are counted by their hashes: two of n share one with a chance of n² / 2⁶⁵, and are then taken for
    one. Nothing is counted any more of numbers once some of them show that there are more than two and no ids.
    """

    def __init__(self, name: str, kind: pa.DataType) -> None:
        self.name = name
        self.type = type_of(kind)
        self.kind = self.type.kind
        self.rows = self.present = self.longest = 0
        self.spaces = self.plainly_numeric = False
        self.distinct, self.first = self.type.distinct, self.type.first

    def look(self, column: pa.ChunkedArray, origin: Origin | None) -> None:
        """Adds what a block of the column shows, in place."""
        self.rows += len(column)
        if self.type.tells:
            return
        array = one_array(column)
        array = array.dictionary_decode() if pa.types.is_dictionary(array.type) else array
        if pa.types.is_floating(array.type) and (array.null_count or np.isnan(array.to_numpy()).any()):
            array = pc.if_else(pc.is_nan(array), None, array)
        values = array.drop_null() if array.null_count else array
        self.present += len(values)
        self._see(values)
        if not len(values) or self.plainly_numeric:
            return
        if self.type.number and _plainly_numeric(values):
            self.plainly_numeric, self.distinct = True, self.type.distinct
            return
        if self.type.text:
            some = values.slice(0, SEEN)
            values = (values.unique() if 2 * len(some.unique()) < len(some) else values).cast(pa.large_string())
            self.longest = max(self.longest, pc.max(pc.utf8_length(values)).as_py())
            self.spaces = self.spaces or pc.any(pc.match_substring_regex(values, r"\s")).as_py()
            values = _hashed(values)
        self._add(values)

    @classmethod
    def look_at_all(cls, facts: Sequence[Facts], rows: np.ndarray) -> list[bool]:
        """The same for many columns at once, where a glance shows that they are plainly numeric; whether it does.

        rows    finite numbers of each, none missing
        """
        plain: list[bool] = plainly_numeric_rows(rows).tolist()
        for each, is_plain in zip(facts, plain, strict=True):
            if is_plain:
                each.rows += rows.shape[1]
                each.present += rows.shape[1]
                each.plainly_numeric, each.distinct = True, each.type.distinct
        return plain

    def _see(self, values: pa.Array) -> None:
        most = LOOKED_AT if self.type.text else 1
        if len(self.first) < most and not self.plainly_numeric:
            some = values.slice(0, most - len(self.first))
            self.first = pa.concat_arrays([self.first, some]) if len(self.first) else some

    def merge(self, later: Facts) -> None:
        """Adds what later blocks show, in place."""
        self.rows += later.rows
        self.present += later.present
        self.longest, self.spaces = max(self.longest, later.longest), self.spaces or later.spaces
        self._see(later.first)
        self.plainly_numeric = self.plainly_numeric or later.plainly_numeric
        self._add(later.distinct)

    def _add(self, values: pa.Array) -> None:
        if not len(values):
            return
        new = values.unique()
        both = pa.concat_arrays([self.distinct, new]).unique() if len(self.distinct) else new
        self.distinct = self.type.distinct if self.plainly_numeric else both

    @property
    def constant(self) -> str:
        """The value that every row has, as a message shows it; nothing where there are several, or none."""
        same = len(self.distinct) == 1 and self.present == self.rows
        return ascii(self.first[0].as_py())[:40] if same else ""

    @cached_property
    def words(self) -> float:
        """Words a value, on average; 0 for what is no text. Asked when all blocks were looked at."""
        return _mean_words(self.first) if self.type.text and len(self.first) else 0.0

    @cached_property
    def between_tags(self) -> str:
        """What stands between the tags of a value, where values are lists of tags; otherwise nothing."""
        short = self.type.text and 0 < self.longest <= LONGEST_TAGS
        if not short:
            return ""
        counted = self.first.value_counts()  # by Arrow: of thousands of values few differ
        return separator_of(dict(zip(*(counted.field(part).to_pylist() for part in range(2)), strict=True)))

    @property
    def reads_as_text(self) -> bool:
        """Text has several words a value; or at least two, and values that mostly differ, as names of people do.

        Words of digits make no text: "A/5 21171" is the number of a ticket.
        """
        distinct, words = len(self.distinct), self.words
        if words >= WORDS_IN_TEXT:
            return True
        return 2 * distinct > self.present and distinct > FEW_ROWS and words >= 2 and _has_letters(self.first)

    def why_id(self) -> str:
        """Why the values, all or nearly all distinct, are ids; nothing where they may be amounts, such as salaries.

        Numbers are given out one after the other, so ids lie close together; amounts that do so repeat. Whole numbers
        that no float can hold are ids too: nothing is measured to sixteen digits.
        """
        count = len(self.distinct)
        if (
            self.type.text
            and NEARLY * self.present < count
            and self.present >= SOME
            and (self.spaces or count < self.present)
        ):
            named = self.longest <= SHORT and not self.reads_as_text
            return f"nearly an id: {count} different names in {self.present} rows" if named else ""
        if count != self.present or count < FEW_ROWS:
            return ""
        if self.type.text:
            short = self.longest <= SHORT and not self.spaces
            return f"an id: {count} short strings, all distinct" if short else ""
        if not self.type.number or not all_whole(self.distinct):
            return ""
        ends = pc.min_max(self.distinct).as_py()
        low, high = int(ends["min"]), int(ends["max"])
        if named_like_an_id(self.name):
            return f"an id by its name: {count} whole numbers, all distinct"
        if high - low < DENSE * count or max(-low, high) > EXACT_UP_TO:
            return f"an id: {count} whole numbers from {low} to {high}, all distinct"
        return ""


class Type(NamedTuple):
    """What the type of a column tells, found once for thousands of columns of one type."""

    kind: pa.DataType  # of the values
    text: bool
    number: bool
    temporal: bool
    vector: bool
    tells: bool
    distinct: pa.Array  # none of them; those of text are hashes
    first: pa.Array


@cache
def type_of(kind: pa.DataType) -> Type:
    """What this type tells of a column."""
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    text, alone = _is_text(kind), tells(kind)
    first = pa.array([], pa.null() if alone else kind)
    distinct = pa.array([], pa.uint64()) if text else first
    return Type(kind, text, is_number(kind), pa.types.is_temporal(kind), is_vector(kind), alone, distinct, first)


def tells(kind: pa.DataType) -> bool:
    """Whether the type alone tells what a column is: sparse rows, vectors, or nothing that features are made of."""
    return bool(pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind))


def is_list(kind: pa.DataType) -> bool:
    return bool(pa.types.is_fixed_size_list(kind) or pa.types.is_list(kind) or pa.types.is_large_list(kind))


def is_vector(kind: pa.DataType) -> bool:
    """Whether values are lists of numbers."""
    return is_list(kind) and bool(pa.types.is_integer(kind.value_type) or pa.types.is_floating(kind.value_type))


def has_no_features(kind: pa.DataType) -> bool:
    """Whether the type alone tells that nothing is made of a column, unless the user says what it is."""
    return tells(kind) and kind != SPARSE and not is_vector(kind)


def _plainly_numeric(values: pa.Array) -> bool:
    """True if the first values show that there are more than two and that they are no id, so none need be counted."""
    first = values.slice(0, SEEN)
    if not all_whole(first) and _more_than_two(first.to_numpy(zero_copy_only=False)):
        return True
    some = values.slice(0, LOOKED_AT)
    distinct = pc.count_distinct(some).as_py()
    return distinct > 2 and (distinct < len(some) or not all_whole(some))


def plainly_numeric_rows(rows: np.ndarray) -> np.ndarray:
    """For each row of finite numbers whether a glance shows more than two, not all of them whole."""
    found = np.zeros(len(rows), np.bool_)
    for most in (GLANCE, SEEN) if rows.size else ():
        left = np.flatnonzero(~found)
        first = rows[left, :most]
        part = (first != np.floor(first)).any(axis=1)
        others = np.where(first != first[:, :1], first, np.nan)
        found[left] = part & (np.fmin.reduce(others, axis=1) < np.fmax.reduce(others, axis=1))
    return found


def _more_than_two(values: np.ndarray) -> bool:
    """Whether there are more than two different values."""
    others = values[values != values[0]]
    return len(others) > 0 and bool((others != others[0]).any())


def _hashed(values: pa.Array) -> pa.Array:
    data, starts = buffers(values)
    hashes = np.zeros(len(values), np.uint64)
    with np.errstate(over="ignore"):
        mix_spans(data, starts, hashes)
    return pa.Array.from_buffers(pa.uint64(), len(values), [None, pa.py_buffer(hashes)])


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def is_number(kind: pa.DataType) -> bool:
    """Whether values of a type are numbers."""
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def named_like_an_id(name: str) -> bool:
    """Whether a column of this name would hold ids, such as id, PassengerId, order_no or row number."""
    words = [word.lower() for word in NAME_WORDS.findall(name)]
    return bool(words) and (words[-1] in ID_LAST or words[0] in ID_FIRST)


def _has_letters(values: pa.Array) -> bool:
    """Whether at least two in three words have letters alone."""
    words = [word for value in values.slice(0, SEEN).to_pylist() for word in value.split()]
    return 3 * sum(not any(map(str.isdigit, word)) for word in words) >= 2 * len(words)


def _mean_words(array: pa.Array) -> float:
    """Words a value: bytes that are no space and begin a value or follow a space."""
    values = names_of(array.drop_null().slice(0, LOOKED_AT))
    data, starts = buffers(values)
    solid = SOLID[data[starts[0] : starts[-1]]]
    begins = solid.copy()
    begins[1:] &= ~solid[:-1]
    first = (starts[:-1] - starts[0])[np.diff(starts) > 0]
    begins[first] = solid[first]
    return float(np.count_nonzero(begins) / max(1, len(values)))


def separator_of(values: Mapping[str, int]) -> str:
    """What stands between the tags of these values: as lists were read; or what parts many of them into few names.

    values    with how many rows have each
    """
    if any(BETWEEN in value for value in values):
        return BETWEEN
    rows = sum(values.values())
    for sign in SIGNS:
        if sum(count for value, count in values.items() if sign in value) < max(3, rows / 20):
            continue
        parted = {value: [piece for piece in map(str.strip, value.split(sign)) if piece] for value in values}
        names = {piece for pieces in parted.values() for piece in pieces}
        seen = sum(count * len(parted[value]) for value, count in values.items())
        short = sum(len(name.split()) for name in names) <= 1.5 * len(names)
        few = 2 <= len(names) <= min(MOST_TAGS, seen / 5) and len(names) < len(values)
        worded = 3 * sum(any(map(str.isalpha, name)) for name in names) >= 2 * len(names)  # 16,1 % is no list
        if short and few and worded:
            return sign
    return ""


def scale_of(values: tuple[str, ...]) -> tuple[str, ...]:
    """The values in the order of a known scale that has them all, at least three; otherwise nothing."""
    by_lower = {value.lower(): value for value in values}
    if len(by_lower) == len(values) >= 3:
        for scale in SCALES:
            if set(by_lower) <= set(scale):
                return tuple(by_lower[word] for word in scale if word in by_lower)
    return ()
