"""What the values of a column read as, and the one name or number that each of them has under that reading.

A column that is trained from a CSV file may come back as JSON, as a data frame or as a single row, where the same value
has another type or another spelling: True and true, 1 and 1.0, 12:00 and 12:00:00. So a model keeps for each column
how its values read, and every reader of rows asks here. What a value is called never depends on the other rows.

Readings    number, boolean, date, time, timestamp, timestamp UTC, text
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, time
from decimal import Decimal
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rosenblatt.data.door_columns import EXACT_UP_TO as EXACT_UP_TO
from rosenblatt.data.door_columns import one_array as one_array
from rosenblatt.data.table import Origin, string_column
from rosenblatt.errors import DataError

NAMES = pa.large_string()
READINGS = (
    "number", "decimal comma", "thousands", "boolean", "date", "day first", "month first", "time", "timestamp",
    "timestamp UTC", "text",
)  # fmt: skip
# Numbers as people write them: 1.234,5 has a decimal comma, and of 1,234.5 the thousands are apart.
# Beside a number may stand the sign of a currency, or that of a percentage after it: $1,234 and 95 %.
APART = "'\u2019 \u00a0\u202f"  # what may stand between thousands beside the other sign
MONEY = "$\u20ac\u00a3\u00a5"
BEFORE, AFTER = rf"[+-]?(?:[{MONEY}][{APART}]?[+-]?)?", rf"(?:[{APART}]?[{MONEY}%])?"
WRITTEN = {
    "decimal comma": re.compile(rf"{BEFORE}(?:[0-9]{{1,3}}(?:[.{APART}][0-9]{{3}})+|[0-9]+)(?:,[0-9]+)?{AFTER}"),
    "thousands": re.compile(rf"{BEFORE}(?:[0-9]{{1,3}}(?:[,{APART}][0-9]{{3}})+|[0-9]+)(?:\.[0-9]+)?{AFTER}"),
}
BY_TYPE = {
    pa.types.is_integer: "number", pa.types.is_floating: "number", pa.types.is_decimal: "number",
    pa.types.is_duration: "number", pa.types.is_boolean: "boolean", pa.types.is_date: "date",
    pa.types.is_time: "time", pa.types.is_timestamp: "timestamp",
}  # fmt: skip
# What stands for no value where text may not.
MISSING = ("", "?", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "None")
# (?:\.[0-9]*)? and not \.?[0-9]*, which tries every place among the digits of what is no number after all
NUMBER = re.compile(r"[+-]?([0-9]+(?:\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
NOT_FINITE = re.compile(r"[+-]?(inf|infinity|nan)", re.IGNORECASE)
TIME = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9])(?:\.([0-9]{1,6})[0-9]*)?)?")
NAMED = {
    "decimal comma": "number with a decimal comma", "thousands": "number",
    "day first": "date such as 31.05.2024", "month first": "date such as 05/31/2024",
}  # fmt: skip  # in messages
# Dates that do not begin with the year: 31.05.2024 has the day first, 05/31/2024 the month. A clock may follow.
ORDERS = {"day first": (3, 2, 1), "month first": (3, 1, 2)}  # which numbers are the year, the month and the day
DATED = re.compile(r"([0-9]{1,2})[./-]([0-9]{1,2})[./-]([0-9]{4})(?: +([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?)?")
LONGEST_PLAIN = 40  # digits of a number that is written without an exponent
BOOLEANS = {"true": "true", "1": "true", "false": "false", "0": "false"}
INSTEAD = "Mend it; or train with the column as names, as text, or without it (train --category, --text, --drop)."


@cache
def reading_of(kind: pa.DataType) -> str:
    """How the values of an Arrow type read."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    reads = next((reads for is_one, reads in BY_TYPE.items() if is_one(kind)), "text")
    return "timestamp UTC" if reads == "timestamp" and kind.tz is not None else reads


def reading_of_labels(kind: pa.DataType, names: Iterable[str | None]) -> str:
    """How labels read: text that is all numbers or all truth values reads as these do."""
    reads = reading_of(kind)
    present = [name for name in names if name is not None]
    if reads != "text" or not present:
        return reads
    if all(map(NUMBER.fullmatch, present)):
        return "number"
    return "boolean" if {name.lower() for name in present} <= {"true", "false"} else "text"


def names_of(column: pa.ChunkedArray | pa.Array, reads: str | None = None) -> pa.Array:
    """The column as strings, one spelling for each value; null where it is missing.

    reads    how the values of the model's column read; otherwise as the type of this one tells. A value that does not
             read so keeps its own name, which training did not see.
    """
    array = one_array(column)
    if array.type == NAMES and reads in (None, "text"):
        return array
    array = _plain(array)
    own = reading_of(array.type)
    reads = _reads(own, reads)
    if own == "text" and (reads == "text" or pa.types.is_null(array.type)):
        return _texts(array)
    if own == "number" and reads in ("number", "text") and all_whole(array):
        if pa.types.is_floating(array.type):
            array = pc.if_else(pc.is_nan(array), None, array).cast(pa.int64())
        return array.cast(pa.large_string())
    return _respelled(array, lambda value: _name(value, reads))


def _reads(own: str, asked: str | None) -> str:
    """How values of this type are read; a number that is one already is not written in any way."""
    return own if asked is None or (own == "number" and asked in WRITTEN) else asked


def _texts(array: pa.Array) -> pa.Array:
    """The array as strings; bytes that are no UTF-8 text are written as Python escapes them."""
    try:
        return array.cast(pa.large_string())
    except pa.ArrowInvalid:
        values = array.to_pylist()
        escaped = [None if value is None else value.decode(errors="backslashreplace") for value in values]
        return pa.array(escaped, pa.large_string())


def numbers_of(column: pa.ChunkedArray | pa.Array, name: str, origin: Origin, reads: str | None = None) -> np.ndarray:
    """The column as float64 with NaN for missing values; infinite and unreadable ones are errors that name the cell.

    A date is the milliseconds since 1970, a timestamp the seconds, a time the seconds since midnight, true is 1.
    """
    if column.type == pa.float64() and reads in (None, "number") and not column.null_count:
        values = one_array(column).to_numpy()
        if np.isfinite(values).all():  # as nearly all columns are
            return values
    array = _plain(column)
    own = reading_of(array.type)
    reads = _reads(own, reads)
    if pa.types.is_null(array.type):
        return np.full(len(array), np.nan)
    if reads in ("number", "text"):
        found = _floats(array) if own in ("number", "text") else None
        if found is None:
            raise _not_a_number(array, name, origin)
    else:
        found = _measured(array, reads, name, origin)
    values = found.fill_null(np.nan).to_numpy(zero_copy_only=False)
    if np.isinf(values).any():
        row = int(np.flatnonzero(np.isinf(values))[0])
        raise DataError(
            f"{origin.of(row)}, column {name!r}: an infinite value. Give a finite number, or nothing for a missing one."
        )
    return values


def lenient_numbers(column: pa.ChunkedArray | pa.Array) -> np.ndarray:
    """The numbers of a column as float64; NaN where there is none, whatever stands there instead."""
    array = _plain(column)
    if reading_of(array.type) != "number" and not pa.types.is_null(array.type):
        shown = names_of(array, "number")
        wanted = pc.match_substring_regex(shown, f"^{NUMBER.pattern}$")
        array = pc.if_else(wanted, shown, pa.scalar(None, pa.large_string()))
    return np.asarray(array.cast(pa.float64(), safe=False).fill_null(np.nan).to_numpy(zero_copy_only=False))


def spelled(text: str, reads: str) -> str | None:
    """The one spelling of a value that is given as text; None where it stands for no value."""
    text = text.strip()
    if text in ("", "?") or (reads != "text" and text in MISSING):
        return None
    if reads in WRITTEN:
        text, reads = pointed(text, reads), "number"
    if reads in ORDERS:
        text, reads = year_first(text, reads), "timestamp"
    if reads == "number":
        return normal(text) if NUMBER.fullmatch(text) else text
    if reads == "boolean":
        return BOOLEANS.get(normal(text) if NUMBER.fullmatch(text) else text.lower(), text)
    if reads == "time":
        found = TIME.fullmatch(text)
        return _clock(found) if found else text
    if reads in ("date", "timestamp", "timestamp UTC"):
        return _moment(text, reads)
    return text


def pointed(text: str, reads: str) -> str:
    """A number that is written in this way, as others are: with a point, and its digits together."""
    if not WRITTEN[reads].fullmatch(text):
        return text
    whole, _, part = text.partition("," if reads == "decimal comma" else ".")
    digits = re.sub(r"[^0-9]", "", part)
    return re.sub(r"[^0-9+-]", "", whole) + (f".{digits}" if digits else "")


def year_first(text: str, reads: str) -> str:
    """A date in this order of day, month and year, as others are; text that is none stays as it is."""
    found = DATED.fullmatch(text)
    if found is None:
        return text
    year, month, day = (found[place] for place in ORDERS[reads])
    return f"{year}-{month:0>2}-{day:0>2} {found[4] or 0:0>2}:{found[5] or 0:0>2}:{found[6] or 0:0>2}"


def normal(text: str) -> str:
    """One spelling for all spellings of a number, exact however long it is: 2 for 02, +2, 2.0 and 0.2e1."""
    sign, digits, exponent = Decimal(text).as_tuple()
    assert isinstance(exponent, int)
    shown = "".join(map(str, digits)).lstrip("0")
    short = shown.rstrip("0")
    if not short:
        return "0"
    exponent += len(shown) - len(short)
    minus = "-" if sign else ""
    if 0 <= exponent <= LONGEST_PLAIN - len(short):
        return f"{minus}{short}{'0' * exponent}"
    if exponent < 0 and len(short) + exponent > -6:
        whole, part = short[:exponent] or "0", short[exponent:].rjust(-exponent, "0")
        return f"{minus}{whole}.{part}"
    power = exponent + len(short) - 1
    return f"{minus}{short[0]}{'.' if len(short) > 1 else ''}{short[1:]}e{'+' if power >= 0 else '-'}{abs(power):02d}"


def parsed_floats(array: pa.Array) -> pa.Array | None:
    """Strings as float64, missing where they stand for no value; None where one of them is no number."""
    try:
        return array.cast(pa.float64())
    except pa.ArrowInvalid:
        pass
    try:
        return cleaned(array).cast(pa.float64())
    except pa.ArrowInvalid:
        return None


def cleaned(array: pa.Array) -> pa.Array:
    """Strings without the blanks around them; null for those that stand for no value."""
    values = pc.utf8_trim_whitespace(array.cast(pa.large_string()))
    return pc.if_else(pc.is_in(values, value_set=_missing()), pa.scalar(None, pa.large_string()), values)


@cache
def _missing() -> pa.Array:
    """What stands for no value."""
    return string_column(MISSING)


def _plain(column: pa.ChunkedArray | pa.Array) -> pa.Array:
    """In one piece, without a dictionary; moments in microseconds, which Python can hold; durations in seconds."""
    array = one_array(column)
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if pa.types.is_timestamp(array.type) and array.type.unit == "ns":
        array = array.cast(pa.timestamp("us", array.type.tz), safe=False)
    if pa.types.is_time64(array.type) and array.type.unit == "ns":
        array = array.cast(pa.time64("us"), safe=False)
    if pa.types.is_duration(array.type):
        array = pc.divide(
            array.cast(pa.duration("us"), safe=False).cast(pa.int64()).cast(pa.float64(), safe=False), 1e6
        )
    return array


def all_whole(array: pa.Array) -> bool:
    """True if all numbers are whole, and of floating-point ones each is small enough to be told apart."""
    if not pa.types.is_floating(array.type):
        return bool(pa.types.is_integer(array.type))
    values = (array.drop_null() if array.null_count else array).to_numpy(zero_copy_only=False)
    with np.errstate(invalid="ignore"):  # a NaN that signals
        whole = (np.abs(values) <= EXACT_UP_TO) & (values == np.floor(values))
    return bool((whole | np.isnan(values)).all())


def _respelled(array: pa.Array, name: Callable[[Any], str | None]) -> pa.Array:
    """The names of the values; each distinct one is named once."""
    coded = array.dictionary_encode()
    names = [name(value) for value in coded.dictionary.to_pylist()]
    gone = [number for number, each in enumerate(names) if each is None]
    found = string_column([each or "" for each in names]).take(coded.indices)
    if not gone:
        return found
    missing = pc.is_in(coded.indices, value_set=pa.array(np.array(gone, np.int32)))
    return pc.if_else(missing, pa.scalar(None, pa.large_string()), found)


def _name(value: Any, reads: str) -> str | None:
    shown = shown_value(value)
    return None if shown is None else spelled(shown, reads)


def shown_value(value: Any) -> str | None:
    """A value of Arrow as a person writes it; None for a missing one."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return normal(repr(value)) if math.isfinite(value) else repr(value)
    if isinstance(value, Decimal):
        return normal(str(value))
    if isinstance(value, datetime):
        return _stamp(value)
    if isinstance(value, time):
        found = TIME.fullmatch(value.isoformat())
        return _clock(found) if found else value.isoformat()
    return value.isoformat() if isinstance(value, date) else str(value)


def _clock(found: re.Match[str]) -> str:
    hours, minutes, seconds, part = found.groups()
    part = (part or "").rstrip("0")
    return f"{hours}:{minutes}:{seconds or '00'}" + (f".{part}" if part else "")


def _moment(text: str, reads: str) -> str:
    """A date or timestamp in one spelling; text that is none stays as it is."""
    try:
        value = datetime.fromisoformat(text)
    except ValueError:
        return text
    if not text[:4].isdigit() or text[4:5] != "-":  # fromisoformat reads 20240531 too, which is a number
        return text
    if (value.tzinfo is not None) != (reads == "timestamp UTC"):
        return text
    shown = _stamp(value)
    return shown.removesuffix(" 00:00:00") if reads == "date" else shown


def _stamp(value: datetime) -> str:
    zone = ""
    if value.tzinfo is not None:
        value, zone = value.astimezone(UTC).replace(tzinfo=None), "Z"
    part = f"{value.microsecond:06d}".rstrip("0")
    return f"{value.replace(microsecond=0).isoformat(' ')}{f'.{part}' if part else ''}{zone}"


def _floats(array: pa.Array) -> pa.Array | None:
    if reading_of(array.type) == "number":
        return array.cast(pa.float64(), safe=pa.types.is_floating(array.type))
    if not (pa.types.is_string(array.type) or pa.types.is_large_string(array.type)):
        return None
    return parsed_floats(array)


def _measured(array: pa.Array, reads: str, name: str, origin: Origin) -> pa.Array:
    """Names of truth values, dates and times as numbers."""
    names = names_of(array, reads)
    distinct = names.dictionary_encode()
    known = [_measure(text, reads) for text in distinct.dictionary.to_pylist()]
    wrong = [number for number, each in enumerate(known) if each is None]
    if wrong:
        row = pc.index(distinct.indices, pa.scalar(wrong[0], distinct.indices.type)).as_py()
        text = distinct.dictionary[wrong[0]].as_py()
        raise DataError(
            f"{origin.of(row)}, column {name!r}: {ascii(text)[:60]} is no {NAMED.get(reads, reads)}. {INSTEAD}"
        )
    return pa.array(np.array(known, np.float64)).take(distinct.indices)


def _measure(text: str, reads: str) -> float | None:
    if reads in WRITTEN:
        return float(text) if NUMBER.fullmatch(text) else None
    if reads == "boolean":
        return {"true": 1.0, "false": 0.0}.get(text)
    if reads == "time":
        found = TIME.fullmatch(text)
        if found is None:
            return None
        hours, minutes, seconds, part = found.groups()
        return 3600.0 * int(hours) + 60.0 * int(minutes) + float(f"{seconds or 0}.{part or 0}")
    try:
        value = datetime.fromisoformat(text)
    except ValueError:
        return None
    seconds_since = (value.replace(tzinfo=None) - datetime(1970, 1, 1)).total_seconds()
    return seconds_since * 1000 if reads == "date" else seconds_since


def _not_a_number(array: pa.Array, name: str, origin: Origin) -> DataError:
    """The first value that is none."""
    for row, value in enumerate(array.to_pylist()):
        shown = shown_value(value)
        wrong = not isinstance(value, int | float | Decimal) or isinstance(value, bool)
        if wrong and isinstance(value, str):
            text = value.strip()
            wrong = text not in MISSING and not NUMBER.fullmatch(text) and not NOT_FINITE.fullmatch(text)
        if wrong and shown is not None:
            given = ascii(shown)[:60] if isinstance(value, str) else shown
            return DataError(f"{origin.of(row)}, column {name!r}: {given} is not a number. {INSTEAD}")
    return DataError(f"{origin.source}, column {name!r}: values of type {array.type} are not numbers. Drop the column.")
