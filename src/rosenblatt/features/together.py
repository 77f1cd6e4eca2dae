"""Very many columns of plain numbers are looked at and encoded as matrices: a call for each costs more than its work.

What comes of it is to the bit what the columns give one by one. A number is plain where Arrow has it as float64 and no
row lacks it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa

from rosenblatt.data.table import Table
from rosenblatt.data.values import one_array
from rosenblatt.features.facts import Facts, plainly_numeric_rows
from rosenblatt.features.lines import Line
from rosenblatt.features.numeric import Numeric, NumericLearner, scaled_rows

FLOAT = pa.float64()
MANY = 512  # columns, so that it is worth it
FEWEST, CELLS = 16, 1 << 16  # columns of one matrix at least, and numbers: what a core keeps close at hand


def look_together(looking: Mapping[str, Any], part: Table) -> list[str]:
    """Lets whoever can look at many columns at once do so; the names of the others."""
    chosen = [name for name, each in looking.items() if type(each) in (Facts, NumericLearner)]
    if len(chosen) < MANY:
        return list(looking)
    left = set(looking)
    for names, arrays, matrix in _matrices(chosen, _columns(part), _at_once(part)):
        facts = [k for k, name in enumerate(names) if type(looking[name]) is Facts]
        plain = plainly_numeric_rows(matrix[facts])
        for k in (k for k, is_plain in zip(facts, plain, strict=True) if is_plain):
            looking[names[k]].look_plain(arrays[k])
            left.discard(names[k])
        for spread in (False, True):
            learners = [k for k, name in enumerate(names) if _waits(looking[name], spread)]
            NumericLearner.look_at_all([looking[names[k]] for k in learners], matrix[learners])
            left.difference_update(names[k] for k in learners)
    return [name for name in looking if name in left]


def _waits(each: Any, spread: bool) -> bool:
    return type(each) is NumericLearner and each.spread == spread and each.asked.reads == "number"


def groups_of(lines: Sequence[Line], table: Table) -> Iterator[tuple[Line, np.ndarray | None]]:
    """The lines in their order, each alone, or the first of many with what these together are encoded as."""
    start, at_once, columns = 0, _at_once(table), _columns(table)
    while start < len(lines):
        stop = start
        while stop < min(len(lines), start + at_once) and _is_plain(lines[stop], columns):
            stop += 1
        some = lines[start : max(stop, start + 1)]
        found = next(_matrices([line.column for line in some], columns, at_once), None) if len(some) > 1 else None
        if found is not None and len(found.names) == len(some):
            yield some[0], scaled_rows(some, found.rows).T
        else:
            yield from ((line, None) for line in some)
        start += len(some)


Columns: TypeAlias = Mapping[str, pa.ChunkedArray]


def _columns(table: Table) -> Columns:
    """The columns by name: of very many, Arrow takes its time to find one."""
    return dict(zip(table.columns.column_names, table.columns.itercolumns(), strict=True))


def _is_plain(line: Line, columns: Columns) -> bool:
    if type(line) is not Numeric or line.missing or line.reads != "number":
        return False
    column = columns[line.column]
    return bool(column.type == FLOAT and not column.null_count)


def _at_once(table: Table) -> int:
    return max(FEWEST, CELLS // max(1, table.n_rows))


class Plain(NamedTuple):
    """Columns of plain numbers, finite ones: a row of the matrix for each."""

    names: list[str]
    arrays: list[pa.Array]
    rows: np.ndarray


def _matrices(names: Sequence[str], columns: Columns, at_once: int) -> Iterator[Plain]:
    """The columns of plain numbers among these, some at a time."""
    for start in range(0, len(names), at_once):
        some, arrays = [], []
        for name in names[start : start + at_once]:
            column = columns[name]
            if column.type == FLOAT and not column.null_count:
                some.append(name)
                arrays.append(one_array(column))
        if not some:
            continue
        matrix = np.stack([array.to_numpy() for array in arrays])
        finite = np.isfinite(matrix).all(axis=1)
        if not finite.all():
            kept = np.flatnonzero(finite)
            some, arrays, matrix = [some[k] for k in kept], [arrays[k] for k in kept], matrix[kept]
        yield Plain(some, arrays, matrix)
