"""A name for labelled rows that no others have, so that a model can tell whether these are those it learned from."""

from __future__ import annotations

import hashlib

import numpy as np

from rosenblatt.data.table import Table
from rosenblatt.features.split import content_hashes

PIECE = 1 << 20  # rows at a time


def fingerprint(table: Table, codes: np.ndarray) -> str:
    """A hash of the contents and classes of all rows, in order."""
    found = hashlib.sha256()
    for values, kind in ((content_hashes(table), "<u8"), (codes, "<i8")):
        for start in range(0, len(values), PIECE):
            found.update(values[start : start + PIECE].astype(kind).tobytes())
    return found.hexdigest()
