"""Very many columns of plain numbers are looked at and encoded as matrices: a call for each costs more than its work.

What comes of it is to the bit what the columns give one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from rosenblatt.data.table import Table
from rosenblatt.features.facts import Facts
from rosenblatt.features.lines import Line
from rosenblatt.features.numeric import Numeric, NumericLearner, scaled_rows

MANY = 512  # columns, so that it is worth it


def look_together(looking: Mapping[str, Any], part: Table) -> list[str]:
    """Lets whoever can look at many columns at once do so; the names of the others."""
    turns: dict[Any, list[str]] = {}
    for name, each in looking.items():
        kind = type(each)
        if kind is Facts or (kind is NumericLearner and each.plain):
            turns.setdefault((kind, kind is NumericLearner and each.spread), []).append(name)
    left = dict.fromkeys(looking)
    for (kind, _), names in turns.items():
        for some, matrix in part.fractions.matrices(names) if len(names) >= MANY else ():
            seen = kind.look_at_all([looking[name] for name in some], matrix)
            for name, is_seen in zip(some, seen, strict=True):
                if is_seen:
                    del left[name]
    return list(left)


def groups_of(lines: Sequence[Line], table: Table) -> Iterator[tuple[Line, np.ndarray | None]]:
    """The lines in their order, each alone, or the first of many with what these together are encoded as."""
    arrays, start = table.fractions.arrays, 0
    while start < len(lines):
        stop = start
        while stop < len(lines) and _is_plain(lines[stop], arrays):
            stop += 1
        yield lines[start], _encoded(lines[start:stop], table) if stop > start else None
        start = max(stop, start + 1)


def _is_plain(line: Line, arrays: Mapping[str, np.ndarray]) -> bool:
    return type(line) is Numeric and not line.missing and line.reads == "number" and line.column in arrays


def _encoded(lines: Sequence[Line], table: Table) -> np.ndarray:
    """Lines of plain numbers, side by side: row after row in memory, as the loops want them."""
    found, at = np.empty((table.n_rows, len(lines))), 0
    for names, matrix in table.fractions.matrices([line.column for line in lines]):
        some = slice(at, at + len(names))
        found[:, some] = scaled_rows(lines[some], matrix).T
        at += len(names)
    return found
