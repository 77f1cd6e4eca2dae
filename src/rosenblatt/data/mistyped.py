"""Columns of numbers in which somebody mistyped one.

A reader of CSV makes such a column strings. They mostly differ, so it would be dropped as an id, or become a category
for each number; and nobody would know. Declared as numbers, the value that is none is named where it stands.
"""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from rosenblatt.data.table import Declaration
from rosenblatt.data.values import NUMBER

SOME = 100  # rows that are looked at: the first, so that a file read block by block is judged as one read whole
MANY = 20  # distinct numbers; codes of categories are fewer


def mistyped(columns: pa.Table, known: tuple[str, ...] = ()) -> dict[str, Declaration]:
    """The columns of strings whose first values are numbers, at most one aside; not those known to be strings."""
    first = columns.slice(0, SOME)
    if len(first) <= MANY:  # of fewer rows none can have so many numbers
        return {}
    names = [field.name for field in columns.schema if pa.types.is_large_string(field.type) and field.name not in known]
    return {name: Declaration("numeric") for name in names if _are_numbers(first[name].drop_null())}


def _are_numbers(values: pa.ChunkedArray) -> bool:
    numbers = values.filter(pc.match_substring_regex(values, f"^{NUMBER.pattern}$"))
    return bool(len(values) - len(numbers) <= 1 and pc.count_distinct(numbers).as_py() > MANY)
