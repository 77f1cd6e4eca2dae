"""What Python knows of letters, as plain values: a page finds by them the words that this program finds.

A browser has a Unicode of its own year. So a page is told which characters belong to words, what `str.lower` makes of
each, and on which neighbours the small form of a capital sigma depends, the only one that has two.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from rosenblatt.features.scripts import EVERY, character_table, chunk_table
from rosenblatt.features.tokens import CUT, changing_table, chunk_letters

SIGMA = "Σ"
FINAL = "ς"
CASED, PASSED = 1, 2


def letters_of(rule: int) -> dict[str, Any]:
    """The tables for texts that are cut by this rule: runs of equal kinds, one after the other from character 0 on."""
    chunks = chunk_table().copy()
    chunks[:128] = chunk_letters()[:128] != 0
    return {
        "kinds": _runs(character_table(rule == CUT)),
        "chunks": _runs(chunks),
        "context": _runs(_context()),
        "small": [[code, chr(code).lower()] for code in np.flatnonzero(changing_table()).tolist() if code >= 128],
    }


@cache
def _context() -> np.ndarray:
    """What each character is before or after a capital sigma: cased, passed over, or neither."""
    table = np.zeros(EVERY, np.uint8)
    for code in range(EVERY):
        if 0xD800 <= code < 0xE000:
            continue
        if f"a{chr(code)}{SIGMA}".lower()[-1] == FINAL:
            table[code] = CASED if f"{chr(code)}{SIGMA}".lower()[-1] == FINAL else PASSED
    return table


def _runs(table: np.ndarray) -> list[int]:
    """How many characters, of which kind; and so on."""
    edges = np.flatnonzero(np.diff(table)) + 1
    starts = np.concatenate([[0], edges])
    return np.column_stack([np.diff(np.append(starts, len(table))), table[starts]]).ravel().tolist()
