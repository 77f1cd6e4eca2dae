"""How the value of a column becomes the values of features, as plain values that another program can compute with.

Features have numbers, those of the plan or those of the cells that naive Bayes counts. A term names the column, how it
reads, and what its features are for each value; a `model.Formula` has their weights.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

SHORT = 100  # characters of what is said of a column


@dataclass(frozen=True, eq=False)
class Term:
    """The features of one column, from the first on; a missing value has none, or one of its own."""

    column: str
    reads: str  # how its values read: one of data.values.READINGS
    first: int  # the number of the first feature
    width: int  # how many there are, without that of a missing value
    says: str  # what becomes of the column, in a few words
    missing: int | None = field(default=None, kw_only=True)  # the number of the feature that a missing value has
    moment: bool = field(default=False, kw_only=True)  # whether its numbers are seconds since 1970

    @property
    def described(self) -> str:
        """What becomes of the column, on one short line whatever its values hold."""
        words = " ".join(self.says.split())
        return words if len(words) <= SHORT else f"{words[:SHORT]}…"

    @property
    def numbers(self) -> list[int]:
        """The numbers of its features, that of a missing value last."""
        return [*range(self.first, self.first + self.width), *([] if self.missing is None else [self.missing])]

    def own(self, weights: np.ndarray) -> np.ndarray:
        """Of weights of all features, those of this column."""
        return weights[..., self.first : self.first + self.width]

    def when_missing(self, weights: np.ndarray) -> np.ndarray:
        """Of weights of all features, that of a missing value; 0 where it has none."""
        return weights[..., self.missing] if self.missing is not None else np.zeros(weights.shape[:-1])


@dataclass(frozen=True, eq=False)
class Straight(Term):
    """(x − centre) / spread is the one feature; a missing number is filled in."""

    fill: float
    centre: float
    spread: float


class Arc(NamedTuple):
    """Features that are straight between knots, and beyond the ends as there."""

    name: str  # the part of a moment that lies between the knots; nothing for a number
    knots: tuple[float, ...]
    features: np.ndarray  # (knots, width)


@dataclass(frozen=True, eq=False)
class Curve(Term):
    """The features of a number, or of each of the numbers of a moment, by its place between knots."""

    arcs: tuple[Arc, ...]


@dataclass(frozen=True, eq=False)
class Named(Term):
    """The features of each known name. Other names have none, or one that they share."""

    values: tuple[str, ...]
    features: np.ndarray  # (values, width)
    other: int | None = None  # the number of the feature that they share
    large: bool = False  # whether a name is a whole number that no float64 is


@dataclass(frozen=True, eq=False)
class Stepped(Term):
    """The features of each known number, or of each bin: (cuts[b - 1], cuts[b]]. Other numbers have none."""

    values: tuple[float, ...]
    cuts: tuple[float, ...] | None  # None: each value is a bin
    features: np.ndarray  # (values or bins, width)
    other: int | None = None  # the number of the feature that other numbers have


@dataclass(frozen=True, eq=False)
class Listed(Term):
    """Numbers side by side in one value, such as pixels, scaled each; without centres they are left as they are."""

    names: tuple[str, ...]
    centres: np.ndarray
    spreads: np.ndarray


@dataclass(frozen=True, eq=False)
class Bag(Term):
    """Words, tags, or columns that most rows lack: features that a row has or has not."""


@dataclass(frozen=True, eq=False)
class Wired(Term):
    """Association units: each is 1 where a signed sum of some features of all columns is above its threshold.

    A sum is added up wire after wire.
    """

    inputs: tuple[Term, ...]  # the columns, and the features that wires lead to
    unit: str  # what of these is scaled to unit length: "rows", or nothing
    wires: np.ndarray  # (units, wires): numbers of features
    signs: np.ndarray  # of each wire
    thresholds: np.ndarray  # of each unit
