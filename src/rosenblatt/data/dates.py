"""Dates and times that are written as text, as whole numbers that sort as the moments do.

Texts sort by their characters, which is right for 2024-05-31 and for no form that begins with the day or the month.
So a column of texts is read as dates, and refused where that cannot be done or can be done in two ways.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rosenblatt.data.table import Origin
from rosenblatt.errors import DataError

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
FULL = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december", "sept")  # fmt: skip
PIVOT = 69  # two digits from here on are of the last century, as POSIX has it
DAY = 86_400_000_000  # microseconds
NUMBER = r"^[+-]?\d+(?:\.\d+)?$"
CLOCK = (
    r"(?:(?:[ T]|, ?)\s*(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,](?P<fraction>\d{1,9}))?)?"
    r"\s*(?P<half>[aApP]\.?[mM]\.?)?\s*(?P<zone>[zZ]|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?(?: \([A-Za-z ]+\))?)?$"
)
WEEKDAY = r"^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\.?,? +)?"
# The first that fits a text reads it. `first` and `other` are a day and a month in an order that the column must tell.
FORMS = (
    r"^(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})" + CLOCK,
    r"^(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})T(?P<hour>\d{2})(?P<minute>\d{2})(?P<second>\d{2})?(?P<zone>Z)?$",
    r"^(?P<year>\d{4})[-/.](?P<month>\d{1,2})$",
    r"^(?P<month>\d{1,2})[-/.](?P<year>\d{4})$",
    r"^(?P<year>\d{4})-?W(?P<week>\d{2})(?:-?(?P<weekday>[1-7]))?$",
    r"^(?P<year>\d{4})[- ]?[qQ](?P<quarter>[1-4])$",
    r"^(?P<year>\d{4})-(?P<yearday>\d{3})$",
    r"^(?P<first>\d{1,2})[-/. ](?P<other>\d{1,2})[-/. ](?P<year>\d{4}|\d{2})" + CLOCK,
    WEEKDAY
    + r"(?P<day>\d{1,2})(?:st|nd|rd|th)?\.?[-/ ]*(?P<name>[A-Za-z]{3,9})\.?,?[-/ ]*(?P<year>\d{4}|\d{2})"
    + CLOCK,
    WEEKDAY + r"(?P<name>[A-Za-z]{3,9})\.?[-/ ]*(?P<day>\d{1,2})(?:st|nd|rd|th)?,?[-/ ]+(?P<year>\d{4})" + CLOCK,
    r"^(?P<name>[A-Za-z]{3,9})\.?,?[-/ ]*(?P<year>\d{4})$",
)
FIELDS = ("year", "month", "day", "week", "weekday", "quarter", "yearday", "first", "other",
          "hour", "minute", "second", "fraction")  # fmt: skip


def sort_keys(column: pa.ChunkedArray, name: str, origin: Origin) -> np.ndarray:
    """Numbers that sort as the dates, or the numbers, that the texts of the column write; none of them may be missing.

    Dates become microseconds since 1970; without a zone they are taken as they stand, without a clock as midnight.
    DataError where a text is neither, or where 04/05/2024 may be in April or in May and no other row tells.
    """
    encoded = column.cast(pa.large_string()).combine_chunks().dictionary_encode()
    codes: np.ndarray = encoded.indices.to_numpy(zero_copy_only=False)
    texts = pc.utf8_trim_whitespace(encoded.dictionary)
    if pc.all(pc.match_substring_regex(texts, NUMBER)).as_py():
        return _numbers(texts)[codes]
    return _Reader(texts, codes, name, origin).moments()[codes]


def _numbers(texts: pa.Array) -> np.ndarray:
    """The numbers, exact where they are whole and have up to 18 digits."""
    whole = pc.all(pc.match_substring_regex(texts, r"^[+-]?\d{1,18}$")).as_py()
    bare = pc.utf8_ltrim(texts, "+")
    return np.asarray(bare.cast(pa.int64() if whole else pa.float64()).to_numpy(zero_copy_only=False))


class _Reader:
    """The distinct texts of a column and what was read of each; messages name the first row that has the text."""

    def __init__(self, texts: pa.Array, codes: np.ndarray, name: str, origin: Origin):
        self.texts, self.codes, self.name, self.origin = texts, codes, name, origin
        size = len(texts)
        self.form = np.full(size, -1)
        self.fields = {field: np.full(size, -1, np.int64) for field in FIELDS}
        self.two_digits = np.zeros(size, bool)
        self.ahead = np.zeros(size, np.int64)  # of Greenwich, in minutes
        self.zoned = np.zeros(size, bool)
        for number, form in enumerate(FORMS):
            self._match(number, form)

    def moments(self) -> np.ndarray:
        """Microseconds since 1970 of each distinct text."""
        self._refuse(self.form < 0, "is no date that can be put in order. Write dates as 2024-05-31, or numbers.")
        self._settle_order()
        self._settle_zones()
        field = self.fields
        year = field["year"]
        year = np.where(self.two_digits, year + np.where(year >= PIVOT, 1900, 2000), year)
        month = np.where(field["quarter"] > 0, 3 * field["quarter"] - 2, field["month"])
        month, day = np.where(month < 0, 1, month), np.where(field["day"] < 0, 1, field["day"])
        first = (year - 1970).astype("M8[Y]").astype("M8[M]") + (np.clip(month, 1, 12) - 1)
        days = (first.astype("M8[D]") + (day - 1)).astype(np.int64)
        last = ((first + 1).astype("M8[D]") - first.astype("M8[D]")).astype(np.int64)
        self._refuse((month < 1) | (month > 12) | (day < 1) | (day > last) | (year < 1), "is no day of the calendar.")
        january = (year - 1970).astype("M8[Y]").astype("M8[D]").astype(np.int64)
        days = np.where(field["yearday"] >= 0, january + field["yearday"] - 1, days)
        # The fourth of January is in week 1, which begins on its Monday; 1970 began on a Thursday.
        monday = january + 3 - (january + 6) % 7
        weekday = np.where(field["weekday"] < 0, 1, field["weekday"])
        days = np.where(field["week"] >= 0, monday + 7 * (field["week"] - 1) + weekday - 1, days)
        self._refuse((field["week"] > 53) | (field["week"] == 0) | (field["yearday"] > 366) | (field["yearday"] == 0),
                     "is no day of the calendar.")  # fmt: skip
        return np.asarray(days * DAY + self._clock())

    def _match(self, number: int, form: str) -> None:
        """Takes what the form reads of the texts that no form before it read."""
        found = pc.extract_regex(self.texts, form)
        here = found.is_valid().to_numpy(zero_copy_only=False) & (self.form < 0)
        parts = {field.name: found.field(field.name) for field in found.type}
        if "name" in parts:
            months = _month_numbers(parts.pop("name"))
            here &= months > 0
            self.fields["month"][here] = months[here]
        if not here.any():
            return
        self.form[here] = number
        self.two_digits[here] = (pc.utf8_length(parts["year"]).to_numpy(zero_copy_only=False) == 2)[here]
        if "fraction" in parts:  # as microseconds
            parts["fraction"] = pc.utf8_slice_codeunits(pc.utf8_rpad(parts["fraction"], 6, "0"), 0, 6)
            parts["fraction"] = pc.replace_substring_regex(parts["fraction"], "^0{6}$", "0")
        half, zone = (parts.pop(part, None) for part in ("half", "zone"))
        for field, column in parts.items():
            self.fields[field][here] = _whole(column)[here]
        if half is not None:
            self._add_half(pc.utf8_slice_codeunits(pc.utf8_lower(half.fill_null("")), 0, 1), here)
        if zone is not None:
            self._add_zone(zone.fill_null(""), here)

    def _add_half(self, half: pa.Array, here: np.ndarray) -> None:
        hour = self.fields["hour"]
        after = pc.equal(half, "p").to_numpy(zero_copy_only=False) & here
        before = pc.equal(half, "a").to_numpy(zero_copy_only=False) & here
        self._refuse((after | before) & ((hour < 1) | (hour > 12)), "is no time of the day.")
        hour[after | before] %= 12
        hour[after] += 12

    def _add_zone(self, zone: pa.Array, here: np.ndarray) -> None:
        self.zoned[here] = pc.not_equal(zone, "").to_numpy(zero_copy_only=False)[here]
        shift = pc.extract_regex(zone, r"^(?P<sign>[+-])(?P<hours>\d{2}):?(?P<minutes>\d{2})?$")
        if shift.null_count < len(shift):
            minutes = np.maximum(_whole(shift.field("minutes")), 0)
            minutes = minutes + 60 * np.maximum(_whole(shift.field("hours")), 0)
            behind = pc.equal(shift.field("sign"), "-").fill_null(False).to_numpy(zero_copy_only=False)
            self.ahead[here] = np.where(behind, -minutes, minutes)[here]

    def _clock(self) -> np.ndarray:
        hour, minute, second, fraction = (
            np.maximum(self.fields[part], 0) for part in ("hour", "minute", "second", "fraction")
        )
        late = (hour == 24) & ((minute > 0) | (second > 0))
        self._refuse((hour > 24) | (minute > 59) | (second > 60) | late, "is no time of the day.")
        return np.asarray(((hour * 60 + minute - self.ahead) * 60 + second) * 1_000_000 + fraction)

    def _settle_order(self) -> None:
        """Days and months of texts such as 31/05/2024, by the one order in which all of them are dates."""
        first, other = self.fields["first"], self.fields["other"]
        here = first >= 0
        if not here.any():
            return
        day_first, month_first = here & (first > 12), here & (other > 12)
        settles = (
            f"Write them year first, as 2024-05-31; in pandas: pd.to_datetime(rows[{self.name!r}], dayfirst=True)."
        )
        if day_first.any() and month_first.any():
            raise DataError(
                f"{self._place(day_first)} has the day first, and {self._place(month_first)}, the month. {settles}"
            )
        unclear = here & (first != other)
        if not day_first.any() and not month_first.any() and unclear.any():
            raise DataError(
                f"{self._place(unclear)} may have the day or the month first, and no row of the column tells, since "
                f"none has a number above 12 there. {settles}"
            )
        self._refuse_year_first(here)
        days, months = (other, first) if month_first.any() else (first, other)
        self.fields["day"][here], self.fields["month"][here] = days[here], months[here]

    def _refuse_year_first(self, here: np.ndarray) -> None:
        """24/05/31 may begin with the year: it does where the last number varies more than the first."""
        first, last, short = self.fields["first"], self.fields["year"], here & self.two_digits
        possible = short.any() and bool(((last[short] >= 1) & (last[short] <= 31)).all())
        if possible and len(np.unique(last[short])) > len(np.unique(first[short])):
            self._refuse(short, "may have the year first or last. Write years with four digits, as in 2024-05-31.")

    def _settle_zones(self) -> None:
        """Moments with a zone and moments without one have no order."""
        clock = self.fields["hour"] >= 0
        if (self.zoned & clock).any() and (~self.zoned & clock).any():
            raise DataError(
                f"{self._place(self.zoned & clock)} names its time zone, and {self._place(~self.zoned & clock)}, "
                "does not. Give all times of the column in one zone."
            )

    def _place(self, which: np.ndarray) -> str:
        """The first row whose text is one of these, and the text."""
        row = int(np.argmax(which[self.codes]))
        text = ascii(self.texts[int(self.codes[row])].as_py())[:60]
        return f"{self.origin.of(row)}, column {self.name!r}: {text}"

    def _refuse(self, wrong: np.ndarray, why: str) -> None:
        if wrong.any():
            raise DataError(f"{self._place(wrong)} {why}")


def _whole(column: pa.Array) -> np.ndarray:
    """The digits as numbers; −1 where there are none."""
    bare = pc.if_else(pc.equal(column, ""), pa.scalar(None, column.type), column)
    return np.asarray(bare.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False))


def _month_numbers(names: pa.Array) -> np.ndarray:
    """1 to 12 for the English name of a month, whole or its first three letters; 0 for others."""
    lower = pc.utf8_lower(names.fill_null(""))
    short = pc.index_in(pc.utf8_slice_codeunits(lower, 0, 3), value_set=pa.array(MONTHS, lower.type)).fill_null(-1)
    known = pc.is_in(lower, value_set=pa.array([*MONTHS, *FULL], lower.type)).to_numpy(zero_copy_only=False)
    return np.asarray(np.where(known, short.to_numpy(zero_copy_only=False) + 1, 0))
