"""The list of updates of a kernel perceptron: all that it knows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np


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
