"""A database's value as the model reads it: SQL for the one name or number that `data.values` gives to a value.

The column may be text, as a file has it, or what the database made of it while loading: whole numbers, doubles, truth
values, dates, timestamps. All of it is brought to the model's spelling from the text that the database writes it as,
by expressions that DuckDB and PostgreSQL read the same way; nothing is cast that might not be what it looks like.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from rosenblatt.data.values import APART, EXACT_UP_TO, MISSING, MONEY, NUMBER, ORDERS, WRITTEN, normal, spelled
from rosenblatt.errors import SettingError
from rosenblatt.features.terms import Named

# What Python takes for blanks around a value, without the space.
BLANKS = (*range(9, 14), *range(28, 32), 133, 160, 5760, *range(8192, 8203), 8232, 8233, 8239, 8287, 12288)
TEXT_TYPES = ("varchar", "text", "character varying", "character", '"char"')  # as pg_typeof names them, in both
FLOAT_TYPES = ("double", "double precision", "float", "real")
NUMBER_TYPES = (*FLOAT_TYPES, "tinyint", "smallint", "integer", "bigint")
WHOLE = "^[+-]?[0-9]+([.]0*)?$"
DECIMAL = "^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$"
BARE = "^[!-~](.*[!-~])?$"
DAY = "^[0-9]{4}-[0-9]{2}-[0-9]{2}"
DAY_AND_MONTH = "^([0-9]{1,2})[./-]([0-9]{1,2})[./-]([0-9]{4})"
AS_ISO = {reads: "-".join(f"\\{place}" for place in places) for reads, places in ORDERS.items()}
TRUTH = dict.fromkeys(("true", "t", "yes", "y", "on"), "true") | dict.fromkeys(
    ("false", "f", "no", "n", "off"), "false"
)
OTHER_NUMBER = re.compile("0[xX][0-9a-fA-F]+|0[bB][01]+|[1-9][0-9]*(_[0-9]+)+")  # numbers to DuckDB alone
MOST_DIGITS = 400  # a whole number beyond is not written out


def literal(value: str) -> str:
    """A string in single quotes; a quote in it is written twice, a backslash is itself."""
    return "'" + holdable(value).replace("'", "''") + "'"


def holdable(text: str) -> str:
    if "\x00" in text:
        raise SettingError(f"SQL cannot hold the character NUL, which is in {text!r}. Use --to json.")
    return text


def one_of(values: Sequence[str]) -> str:
    shown = ", ".join(literal(value) for value in values)
    return f"IN ({shown})" if len(values) > 1 else f"= {shown}"


def trimmed(column: str) -> str:
    """The text of the column without blanks around it. Most have none, and to look is quicker than to trim."""
    text = f"CAST({column} AS VARCHAR)"
    blanks = " || ".join(["' '", *(f"CHR({code})" for code in BLANKS)])
    return f"CASE WHEN {text} ~ {literal(BARE)} THEN {text} ELSE TRIM(BOTH {blanks} FROM {text}) END"


def present(text: str, reads: str, then: str) -> str:
    """`then`, but NULL where the text stands for no value. A NULLIF for each mark would double the work each time."""
    return f"CASE WHEN {text} {one_of(('', '?') if reads == 'text' else MISSING)} THEN NULL ELSE {then} END"


def measured(column: str, text: str, reads: str) -> str:
    """The number that the plan scales: floats as they are, others from their text; what is none ends in an error."""
    if reads == "number" or reads in WRITTEN:  # the type is known before the first row, so that numbers cost no text
        parsed = present(text, reads, f"CAST({_pointed(text, reads)} AS DOUBLE PRECISION)")
        return (
            f"CASE WHEN {_type_of(column)} {one_of(NUMBER_TYPES)} "
            f"THEN NULLIF(CAST({column} AS DOUBLE PRECISION), CAST('NaN' AS DOUBLE PRECISION)) ELSE {parsed} END"
        )
    if reads == "boolean":
        wrong = present(text, reads, f"CAST({text} || '?' AS DOUBLE PRECISION)")  # an error with the value in it
        return f"CASE {spelling(text, reads)} WHEN 'true' THEN 1e0 WHEN 'false' THEN 0e0 ELSE {wrong} END"
    if reads in ORDERS:
        text = f"REGEXP_REPLACE({text}, {literal(DAY_AND_MONTH)}, {literal(AS_ISO[reads])})"
    kind = {"time": "TIME", "timestamp UTC": "TIMESTAMP WITH TIME ZONE"}.get(reads, "TIMESTAMP")
    seconds = f"CAST(EXTRACT(EPOCH FROM CAST({text} AS {kind})) AS DOUBLE PRECISION)"
    return present(text, reads, f"{seconds} * 1e3" if reads == "date" else seconds)


def spelling(text: str, reads: str) -> str:
    """The text in the model's spelling; text that does not read so stays as it is."""
    if reads == "number":
        # Most are spelt so already, and to look is quicker than to replace.
        usual = f"WHEN {text} ~ '^(0|-?[1-9][0-9]*)$' THEN {text}"
        return f"CASE {usual} WHEN {text} ~ {literal(WHOLE)} THEN {_whole(text)} ELSE {text} END"
    if reads == "boolean":
        value = _number(text)
        return (
            f"CASE WHEN LOWER({text}) = 'true' OR {value} = 1e0 THEN 'true' "
            f"WHEN LOWER({text}) = 'false' OR {value} = 0e0 THEN 'false' ELSE {text} END"
        )
    if reads == "time":
        return _clock(text)
    if reads == "timestamp UTC":
        zoned = f"CAST(CAST({text} AS TIMESTAMP WITH TIME ZONE) AT TIME ZONE 'UTC' AS VARCHAR) || 'Z'"
        looks = f"{text} ~ {literal(DAY + '[T ].*(Z|[+-][0-9]{2}(:?[0-9]{2})?)$')}"
        return f"CASE WHEN {looks} THEN {zoned} ELSE {text} END"
    if reads in ("date", "timestamp"):
        return f"CASE WHEN {text} ~ {literal(DAY)} THEN {_moment(text, reads)} ELSE {text} END"
    return text


@dataclass(frozen=True)
class Match:
    """How one known value is recognised: by its spelling, its number, or what a database makes of its text."""

    spelling: str
    number: float | None = None
    typed: tuple[str, ...] = ()

    def condition(self, x: str, n: str, typed: str) -> str:
        parts = [f"{x} = {literal(self.spelling)}"]
        if self.number is not None:
            parts.append(f"{n} = {self.number!r}" + ("" if "e" in repr(self.number) else "e0"))
        if self.typed:
            parts.append(f"{typed} {one_of(self.typed)}")
        return " OR ".join(parts)


def matches(line: Named) -> list[Match]:
    """One for each value of the line."""
    known = [spelled(value, line.reads) or value for value in line.values]
    if line.reads == "number":
        return [Match(_plain(value), _held(value)) for value in known]
    if line.reads != "text":
        return [Match(value) for value in known]
    typed = [_as_typed(value) for value in known]
    every = [name for names in typed for name in set(names)]
    return [
        Match(
            value,
            typed=tuple(name for name in names if every.count(name) == 1 and (name == value or name not in known)),
        )
        for value, names in zip(known, typed, strict=True)
    ]


def number_beside(column: str, text: str, line: Named) -> str:
    """The number of a text that is one but is not written as a whole one; NULL otherwise.

    A double beyond 2^53 where some code is no double may be another code rounded: an error, as it is for the model.
    """
    found = f"WHEN NOT {text} ~ {literal(WHOLE)} THEN {_number(text)}"
    if not line.large:
        return f"CASE {found} END"
    value = f"CAST({text} AS DOUBLE PRECISION)"
    far = (
        f"{_type_of(column)} {one_of(FLOAT_TYPES)} AND NOT {text} {one_of(MISSING)} AND ABS({value}) > {EXACT_UP_TO}e0"
    )
    rounded = f"CAST({text} || ' is beyond 2^53 and may be rounded; load the column as text' AS DOUBLE PRECISION)"
    return f"CASE WHEN {far} THEN {rounded} {found} END"


def typed_beside(column: str, text: str) -> str:
    """The spelling of a number or truth value that the database itself took the text for; NULL where it is text."""
    return f"CASE WHEN NOT {_type_of(column)} {one_of(TEXT_TYPES)} THEN {spelling(text, 'number')} END"


def _type_of(column: str) -> str:
    return f"CAST(PG_TYPEOF({column}) AS VARCHAR)"


def _number(text: str) -> str:
    return f"CASE WHEN {text} ~ {literal(DECIMAL)} THEN CAST({text} AS DOUBLE PRECISION) END"


def _whole(text: str) -> str:
    """A whole number without plus, leading zeros and point; exact however long it is."""
    short = _replaced(_replaced(_replaced(text, "[.]0*$", ""), "^[+]", ""), "^(-?)0+([0-9])", r"\1\2")
    return f"CASE WHEN {text} ~ '^[+-]?0+([.]0*)?$' THEN '0' ELSE {short} END"


def _clock(text: str) -> str:
    """Hours and minutes have seconds; parts of a second end in no zero. To a database times of a Parquet file are of
    UTC where its writer said so, as Arrow 21 does: the hours are the same."""
    full = _replaced(_replaced(text, "^([0-9:.]+)[+]00$", r"\1"), "^([0-9]{2}:[0-9]{2})$", r"\1:00")
    return _replaced(_replaced(full, "([.][0-9]*[1-9])0+$", r"\1"), "[.]0*$", "")


def _moment(text: str, reads: str) -> str:
    """A date and a time of day with a space between; no midnight where the model reads dates."""
    full = _replaced(text, "^(.{10})T", r"\1 ")
    for short, more in ((r"^(.{10})$", r"\1 00:00:00"), (r"^(.{13})$", r"\1:00:00"), (r"^(.{16})$", r"\1:00")):
        full = _replaced(full, short, more)
    full = _replaced(_replaced(full, "([.][0-9]*[1-9])0+$", r"\1"), "[.]0*$", "")
    return _replaced(full, " 00:00:00$", "") if reads == "date" else full


def _pointed(text: str, reads: str) -> str:
    """A number with a point and its digits together, however it is written."""
    if reads == "number":
        return text
    signs = f",.{APART}{MONEY}%" if reads == "decimal comma" else f",{APART}{MONEY}%"
    point = "." if reads == "decimal comma" else ""  # takes the place of the first sign; the others go
    written = literal(f"^({WRITTEN[reads].pattern})$")
    return f"CASE WHEN {text} ~ {written} THEN TRANSLATE({text}, {literal(signs)}, {literal(point)}) ELSE {text} END"


def _replaced(text: str, pattern: str, by: str) -> str:
    return f"REGEXP_REPLACE({text}, {literal(pattern)}, {literal(by)})"


def _plain(value: str) -> str:
    """A whole number with all its digits, another value as it is."""
    if NUMBER.fullmatch(value):
        exact = Decimal(value)
        if exact == exact.to_integral_value() and abs(exact.adjusted()) < MOST_DIGITS:
            return f"{exact:f}".partition(".")[0]
    return value


def _held(value: str) -> float | None:
    """The float64 that has this name, where there is one."""
    found = float(value) if NUMBER.fullmatch(value) else math.inf
    return found if math.isfinite(found) and normal(repr(found)) == value else None


def _as_typed(value: str) -> tuple[str, ...]:
    """What a database that takes the text for a number or a truth value writes for it."""
    if NUMBER.fullmatch(value):
        return tuple(dict.fromkeys((_plain(normal(value)), repr(float(value)))))
    if OTHER_NUMBER.fullmatch(value):
        return (str(int(value, 0)),)
    return (TRUTH[value.lower()],) if value.lower() in TRUTH else ()
