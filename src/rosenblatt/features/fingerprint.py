"""A name for labelled rows that no others have, so that a model can tell whether these are those it learned from."""

from __future__ import annotations

import hashlib

import numpy as np

from rosenblatt.data.table import Table
from rosenblatt.features.split import content_hashes


def fingerprint(table: Table, codes: np.ndarray) -> str:
    """A hash of the contents and classes of all rows, in order."""
    found = hashlib.sha256(content_hashes(table).astype("<u8").tobytes())
    found.update(codes.astype("<i8").tobytes())
    return found.hexdigest()
