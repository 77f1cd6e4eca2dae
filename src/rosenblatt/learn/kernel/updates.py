"""The list of updates of a kernel perceptron: all that it knows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rosenblatt.learn.recording import Recording
from rosenblatt.learn.rule import NONE


@dataclass(frozen=True)
class Updates:
    """The list: each update with its support row, the classes rewarded and punished, its amount, and its time."""

    which: np.ndarray  # int64: the support row, by its place
    gains: np.ndarray  # int32
    loses: np.ndarray
    amounts: np.ndarray
    befores: np.ndarray  # int64: rows visited before it, in all passes

    @classmethod
    def none(cls) -> Updates:
        whole, small = np.zeros(0, np.int64), np.zeros(0, np.int32)
        return cls(whole, small, small, np.zeros(0), whole)

    def __len__(self) -> int:
        return len(self.which)

    def with_classes(self, places: np.ndarray) -> Updates:
        """The same where classes are now those in `places`."""
        return replace(self, gains=places[self.gains], loses=places[self.loses])

    def recording(self, numbers: np.ndarray, sizes: tuple[int, ...]) -> Recording:
        """The same by the numbers of the support rows, for passes over so many rows each."""
        return Recording(self.befores, numbers[self.which], self.loses, self.amounts, NONE, sizes)


def from_recording(made: Recording, truth: np.ndarray) -> tuple[Updates, np.ndarray]:
    """The list of a recording over rows of these classes, and its support rows by number, first updated on first."""
    rows = made.rows.astype(np.int64)
    numbers, firsts, places = np.unique(rows, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    which = np.argsort(order)[places]
    gains, loses = truth[rows].astype(np.int32), made.rivals.astype(np.int32)
    return Updates(which, gains, loses, made.amounts, made.steps.astype(np.int64)), numbers[order]


def from_dual(dual: np.ndarray, labels: np.ndarray) -> Updates:
    """A list that gives the same scores as what support rows of these classes count together.

    Updates on a row reward its own class and punish others, so what others count against it are the amounts.
    """
    if len(dual) == 1:
        which = np.flatnonzero(dual[0])
        amounts, gains = np.abs(dual[0, which]), (dual[0, which] > 0).astype(np.int32)
        return Updates(which, gains, 1 - gains, amounts, np.zeros(len(which), np.int64))
    against = np.where(np.arange(len(dual))[:, np.newaxis] == labels, 0.0, -dual)
    loses, which = np.nonzero(against > 0)
    order = np.argsort(which, kind="stable")
    which, loses = which[order].astype(np.int64), loses[order].astype(np.int32)
    gains = labels[which].astype(np.int32)
    return Updates(which, gains, loses, against[loses, which], np.zeros(len(which), np.int64))
