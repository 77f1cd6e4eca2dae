"""The list of updates: which row at which step, against which class, by how much. All else follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple, Self

import numpy as np

from rosenblatt.learn.rule import Rule

LISTED = ("steps", "rows", "rivals", "amounts", "shrinks")  # what is known of each update
ENTRY = np.dtype([("step", np.int64), ("pass", np.int64), ("row", np.int64), ("predicted", np.int32)])


class Recording(NamedTuple):
    """Updates in their order, of one pass or of many that follow each other. The first five have an entry for each."""

    steps: np.ndarray  # rows visited before it, in all passes
    rows: np.ndarray  # row numbers
    rivals: np.ndarray  # classes punished; with margin 0 the class predicted
    amounts: np.ndarray  # how much of its row was added, before it is scaled
    shrinks: np.ndarray  # what the variances lost; empty where the rule keeps none
    sizes: tuple[int, ...]  # rows visited in each pass
    first: int = 0  # number of the first pass, from 0
    before: int = 0  # rows visited before that pass

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Parts that follow each other as one."""
        if len(parts) == 1:
            return parts[0]
        listed: dict[str, Any] = {name: np.concatenate([getattr(each, name) for each in parts]) for name in LISTED}
        return parts[0]._replace(sizes=sum((each.sizes for each in parts), ()), **listed)

    def part(self, cut: slice) -> Self:
        """Some of the updates."""
        listed: dict[str, Any] = {name: getattr(self, name)[cut] for name in LISTED}
        return self._replace(**listed)

    @property
    def ends(self) -> np.ndarray:
        """Rows visited at the end of each pass."""
        return self.before + np.cumsum(self.sizes)

    def by_pass(self) -> list[Self]:
        """The updates of each pass."""
        cuts = pairwise([0, *np.searchsorted(self.steps, self.ends).tolist()])
        befores = (self.ends - self.sizes).tolist()
        return [
            self.part(slice(*cut))._replace(sizes=(size,), first=number, before=before)
            for number, (cut, size, before) in enumerate(zip(cuts, self.sizes, befores, strict=True), self.first)
        ]

    def with_classes(self, places: np.ndarray) -> Self:
        """The same where classes are now those in `places`."""
        return self._replace(rivals=places[self.rivals])

    def shares(self, truth: np.ndarray, n_classes: int, factors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The rows that were updated on, ascending, and what the updates on each count for each class together.

        factors    what each update counts. With two classes there is one share, above 0 towards the second.
        """
        used, places = np.unique(self.rows.astype(np.int64), return_inverse=True)
        gains = truth[self.rows]
        return used, counted(places, gains, self.rivals, factors, len(used), n_classes)

    def as_array(self, rule: type[Rule]) -> np.ndarray:
        """The list as one array. Steps and passes count from 1, as in the notes' table; rows and classes from 0."""
        more = [] if rule.plain else [("amount", np.float64)]
        more += [] if rule.multiples else [("shrink", np.float64)]
        found = np.empty(len(self.steps), ENTRY.descr + more)
        passes = self.first + np.searchsorted(self.ends, self.steps, side="right") + 1
        columns = self.steps + 1, passes, self.rows, self.rivals, self.amounts, self.shrinks
        for name, values in zip(found.dtype.names or (), columns, strict=False):
            found[name] = values
        return found


def counted(
    places: np.ndarray, gains: np.ndarray, loses: np.ndarray, factors: np.ndarray, rows: int, n_classes: int
) -> np.ndarray:
    """What updates count together for each row and class: (rows,) for two classes, (rows, classes) for more."""
    if n_classes == 2:
        return np.bincount(places, np.where(loses == 0, factors, -factors), rows)
    found = np.zeros((rows, n_classes))
    np.add.at(found, (places, gains), factors)
    np.add.at(found, (places, loses), -factors)
    return found
