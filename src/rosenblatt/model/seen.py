"""The rows that a model learned from, by hashes alone, so that `evaluate` can tell that it is given them again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rosenblatt.features.contents import Contents

MOST = 8192  # hashes, 64 kB in the model's file; of 32 bits each, rows never seen would now and then be known


@dataclass(frozen=True, eq=False)
class Seen:
    """The smallest hashes of what the rows hold in the columns that the model reads; the label is no part of it."""

    hashes: np.ndarray  # uint64, rising
    whole: bool  # all of them, so that every row is known again; otherwise a sample, which gives an estimate

    @classmethod
    def of(cls, contents: Contents) -> Seen:
        """Of the rows of a training."""
        distinct = np.unique(contents.hashes)
        return cls(distinct[:MOST].copy(), len(distinct) <= MOST)

    def joined(self, other: Seen) -> Seen:
        """Of both trainings: every hash up to the largest that both know of."""
        both = np.union1d(self.hashes, other.hashes)
        for each in (self, other):
            both = both if each.whole else both[both <= each.hashes[-1]]
        return Seen(both[:MOST], self.whole and other.whole and len(both) <= MOST)

    def known(self, contents: Contents) -> np.ndarray | None:
        """For each row whether it is one of the training; None where only an estimate of their number can be had."""
        return np.isin(contents.hashes, self.hashes) if self.whole else None

    def estimate(self, contents: Contents) -> int | None:
        """About how many rows are of the training, by the rows that the sample would hold if they were.

        None where there is no such row.
        """
        drawn = contents.hashes[contents.hashes <= self.hashes[-1]]
        if not len(drawn):
            return None
        return round(len(contents.hashes) * int(np.isin(drawn, self.hashes).sum()) / len(drawn))
