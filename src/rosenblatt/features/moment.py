"""Dates and times: the parts of the calendar and the clock that recur, and how long after the first training row."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import ClassVar, NamedTuple

import numpy as np
import pyarrow as pa

from rosenblatt.data.table import Origin
from rosenblatt.data.values import ORDERS, numbers_of, one_array
from rosenblatt.errors import SettingError
from rosenblatt.features.bent import BentLearner, between, entries
from rosenblatt.features.blocks import Block
from rosenblatt.features.facts import Facts
from rosenblatt.features.lines import MISSING, Asked, Learner, Line, is_finite
from rosenblatt.features.terms import Arc, Curve

DAY = 86_400  # seconds
KNOTS = 8  # of the days and of the years, at most
EPOCH = date(1970, 1, 1)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
          "December")  # fmt: skip


class Part(NamedTuple):
    """A part of a moment: knots, and what its features are called; one name less where the last is the first again."""

    knots: tuple[float, ...]
    names: tuple[str, ...]


# Months and weekdays are whole and lie on knots: one feature each. Hours lie between them, on a circle.
PARTS = {
    "month": Part(tuple(range(1, 13)), MONTHS),
    "weekday": Part(tuple(range(7)), WEEKDAYS),
    "day of month": Part((1, 8, 15, 22, 31), tuple(f"day {day} of the month" for day in (1, 8, 15, 22, 31))),
    "hour": Part(tuple(range(0, 25, 3)), tuple(f"{hour} o'clock" for hour in range(0, 24, 3))),
}


@dataclass(frozen=True)
class Moment(Line):
    """Hats over the days, the years and the parts that differed in training; beyond the ends as at the ends."""

    days: tuple[float, ...]  # knots, in days since 1970; none where they did not differ
    years: tuple[float, ...]
    parts: tuple[str, ...]  # names of PARTS
    missing: bool
    kind: ClassVar[str] = "date"
    numbers: ClassVar[bool] = True
    unseen: ClassVar[str] = "before or after those of training, and counts as the nearest of them"

    @classmethod
    def suits(cls, facts: Facts) -> str:
        return "dates or times" if facts.type.temporal else ""

    @classmethod
    def learner(cls, asked: Asked) -> Learner:
        return MomentLearner(asked)

    def holds(self) -> bool:
        rising = [list(each) == sorted(set(each)) and len(each) != 1 for each in (self.days, self.years)]
        finite = all(map(is_finite, (*self.days, *self.years)))
        return finite and all(rising) and set(self.parts) <= set(PARTS) and isinstance(self.missing, bool)

    def every(self) -> dict[str, Part]:
        """The parts that have features, by their names."""
        dates = tuple((EPOCH + timedelta(int(day))).isoformat() for day in self.days)
        found = {"day": Part(self.days, dates), "year": Part(self.years, tuple(f"{year:.0f}" for year in self.years))}
        return {name: part for name, part in found.items() if part.knots} | {name: PARTS[name] for name in self.parts}

    def names(self) -> list[str]:
        told = [f"{self.column}: {name}" for part in self.every().values() for name in part.names]
        return [*told, f"{self.column}={MISSING}"] if self.missing else told

    def encode(self, column: pa.ChunkedArray, origin: Origin) -> Block:
        seconds = self.values_of(column, origin)
        gone = np.isnan(seconds)
        numbers = numbers_in(np.where(gone, 0.0, seconds))
        columns, weights, start = [np.empty((len(gone), 0), np.int64)], [np.empty((len(gone), 0))], 0
        for name, part in self.every().items():
            left, share = between(numbers[name], np.array(part.knots, np.float64))
            columns.append(start + np.column_stack([left, (left + 1) % len(part.names)]))
            weights.append(np.column_stack([1.0 - share, share]))
            start += len(part.names)
        return entries(np.hstack(columns), np.hstack(weights), gone, self.width, self.missing)

    def term(self, first: int) -> Curve:
        width, arcs, start = self.width - self.missing, list[Arc](), 0
        for name, part in self.every().items():
            size = len(part.names)
            there = np.arange(len(part.knots)) % size  # on a circle the last is the first
            features = np.eye(size, width, start)[there]
            arcs.append(Arc(name, part.knots, features))
            start += size
        missing = first + width if self.missing else None
        described = self.column, self.reads, first, width, self.describe()
        return Curve(*described, tuple(arcs), missing=missing, moment=True)

    def values_of(self, column: pa.ChunkedArray, origin: Origin) -> np.ndarray:
        return seconds_of(column, self.column, origin, self.reads)

    def unknown(self, values: np.ndarray) -> np.ndarray:
        """The rows whose day lies before or after those of training."""
        if not self.days:
            return np.empty(0, np.int64)
        days = np.floor(values / DAY)
        return np.flatnonzero((days < self.days[0]) | (days > self.days[-1]))

    def describe(self) -> str:
        ends = ""
        if self.days:
            first, last = (EPOCH + timedelta(int(day)) for day in (self.days[0], self.days[-1]))
            ends = f" from {first} to {last}"
        return f"{', '.join(self.every())}{ends}" + (", missing → 1 feature" if self.missing else "")


class MomentLearner(Learner):
    """The days and years of a column, and which parts differ."""

    def __init__(self, asked: Asked) -> None:
        if asked.reads not in ("date", "time", "timestamp", "timestamp UTC", *ORDERS):
            raise SettingError(
                f"date: column {asked.column!r} does not read as dates or times, such as 2024-05-31 or 12:00. "
                "Write them so, or leave the wish out."
            )
        self.asked, self.missing = asked, False
        self.days, self.years = BentLearner(asked), BentLearner(asked)
        self.ends = dict.fromkeys(PARTS, (np.inf, -np.inf))

    def look(self, column: pa.ChunkedArray, origin: Origin) -> None:
        seconds = seconds_of(column, self.asked.column, origin, self.asked.reads)
        here = ~np.isnan(seconds)
        self.missing = self.missing or not here.all()
        numbers, places = numbers_in(seconds[here]), origin.before + origin.numbers[here]
        self.days.add(numbers["day"], places)
        self.years.add(numbers["year"], places)
        if here.any():
            self._widen({name: (numbers[name].min(), numbers[name].max()) for name in PARTS})

    def merge(self, later: MomentLearner) -> None:
        self.missing = self.missing or later.missing
        self.days.merge(later.days)
        self.years.merge(later.years)
        self._widen(later.ends)

    def _widen(self, ends: dict[str, tuple[float, float]]) -> None:
        self.ends = {name: (min(a, ends[name][0]), max(b, ends[name][1])) for name, (a, b) in self.ends.items()}

    def settle(self) -> Line:
        days, years = self.days.knots(KNOTS, "rows"), self.years.knots(KNOTS, "values")
        differ = tuple(name for name, (low, high) in self.ends.items() if low < high)
        asked, days, years = self.asked, days if len(days) > 1 else (), years if len(years) > 1 else ()
        return Moment(asked.column, asked.reason, days, years, differ, self.missing, reads=asked.reads)


def seconds_of(column: pa.ChunkedArray, name: str, origin: Origin, reads: str) -> np.ndarray:
    """Seconds since 1970, of a time those since midnight; NaN where a value is missing."""
    array = one_array(column)
    if pa.types.is_timestamp(array.type) or pa.types.is_date(array.type):
        whole = array.cast(pa.timestamp("us", getattr(array.type, "tz", None)), safe=False).cast(pa.int64())
        found: np.ndarray = whole.cast(pa.float64(), safe=False).fill_null(np.nan).to_numpy(zero_copy_only=False)
        return found / 1e6
    numbers = numbers_of(column, name, origin, reads)
    return numbers / 1000 if reads == "date" else numbers


def numbers_in(seconds: np.ndarray) -> dict[str, np.ndarray]:
    """The day since 1970 and the year of each moment, and its parts."""
    days = np.floor(seconds / DAY).astype(np.int64)
    dates = days.astype("M8[D]")
    months = dates.astype("M8[M]")
    return {
        "day": days.astype(np.float64),
        "year": dates.astype("M8[Y]").astype(np.float64) + 1970,
        "month": months.astype(np.int64) % 12 + 1.0,
        "weekday": (days + 3) % 7.0,  # 1970 began on a Thursday
        "day of month": (dates - months.astype("M8[D]")).astype(np.float64) + 1,
        "hour": (seconds - days * float(DAY)) / 3600,
    }
