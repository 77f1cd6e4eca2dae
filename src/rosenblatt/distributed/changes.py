"""Weights as what changed in them: a pass over a shard of sparse rows touches few of many weights.

Only what is sent becomes shorter: putting changes in place gives back the very same bits, the signs of zeros included.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Changes(NamedTuple):
    """The places of an array that changed, and what is there now; places are None where it is the whole array."""

    places: np.ndarray | None
    values: np.ndarray


def changes(after: np.ndarray, before: np.ndarray) -> Changes:
    """What changed, or the whole array where that takes no more room."""
    new, old = (np.ascontiguousarray(each).reshape(-1) for each in (after, before))
    bits = np.dtype(f"u{new.itemsize}")
    places = np.flatnonzero(new.view(bits) != old.view(bits))
    places = places.astype(np.uint32 if len(new) <= 2**32 else np.uint64)
    if len(places) * (places.itemsize + new.itemsize) >= new.nbytes:
        return Changes(None, after)
    return Changes(places, new[places])


def put(changed: Changes, before: np.ndarray) -> np.ndarray:
    """The array that the changes were taken of, in memory of its own."""
    if changed.places is None:
        return np.array(changed.values)
    after = np.array(before, order="C")
    after.reshape(-1)[changed.places] = changed.values
    return after
