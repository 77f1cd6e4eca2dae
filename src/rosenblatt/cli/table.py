"""Labelled rows for `prove`, `check` and `trace`: raw numbers, 0/1 categories and 0/1 words, or the training plan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np

    from rosenblatt.data import How
    from rosenblatt.data.table import Origin, Table
    from rosenblatt.features import Wishes


class LabelledRows(NamedTuple):
    """Rows as an array or a sparse matrix, the label of each, the names of the features, and where rows came from."""

    X: Any
    y: np.ndarray
    names: Sequence[str]
    origin: Origin
    classes: Sequence[str]
    codes: np.ndarray  # the place of each row's label among the classes


def read_table(source: str, label: str | None = None, by_plan: bool = False, how: How | None = None) -> LabelledRows:
    """The labelled rows of a file, `-` or a built-in name. Scaling would change what is asked, so nothing is scaled."""
    import numpy as np

    from rosenblatt.data import read
    from rosenblatt.features import Classes, Wishes, learn_and_encode
    from rosenblatt.learn.problem import check_lengths
    from rosenblatt.loops.rows import Dense

    table = read(source, label, **(how or {}))
    classes = Classes.learn(table)
    _, matrix = learn_and_encode(table, Wishes() if by_plan else _raw(table))
    rows = matrix.rows
    check_lengths(rows, table.origin.of)
    X = rows.values if isinstance(rows, Dense) else _as_csr(rows)
    codes = classes.encode(table)
    return LabelledRows(X, np.array(classes.names)[codes], matrix.names, table.origin, classes.names, codes)


def _raw(table: Table) -> Wishes:
    """Every number as it is, every category as 0/1 columns, every word as 0/1; what the data declares stays."""
    import pyarrow as pa

    from rosenblatt.features import Wishes
    from rosenblatt.features.choose import choose

    numeric, category = [], []
    for field in table.columns.schema:
        if field.name in table.declared or pa.types.is_nested(field.type):
            continue
        if pa.types.is_integer(field.type) or pa.types.is_floating(field.type):
            _check_exact(table, field.name)
            numeric.append(field.name)
        elif choose(table.columns[field.name]).kind in ("category", "ordered"):
            category.append(field.name)
    return Wishes(numeric=numeric, category=category, scale=False, unit="none")


def _check_exact(table: Table, name: str) -> None:
    """DataError where a float64 would not hold the whole numbers of a column: rows that differ would become equal."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from rosenblatt.data.door_columns import EXACT_UP_TO
    from rosenblatt.errors import DataError

    column = table.columns[name]
    if not pa.types.is_integer(column.type) or column.type.bit_width < 64:
        return
    ends = pc.min_max(column).as_py()
    for value in (ends["min"], ends["max"]):
        if value is not None and abs(value) > EXACT_UP_TO:
            raise DataError(
                f"{table.origin.source}: column {name!r} holds whole numbers beyond 2^53 ({value}), which float64 "
                f"cannot hold exactly, and a proof speaks of exact numbers. Subtract a constant from the column."
            )


def _as_csr(rows: Any) -> Any:
    import numpy as np
    from scipy import sparse

    from rosenblatt.loops.rows import Words

    starts = rows.starts.astype(np.int64)
    values = np.repeat(rows.scales, np.diff(starts)) if isinstance(rows, Words) else rows.values
    return sparse.csr_array((values, rows.columns.astype(np.int64), starts), shape=(len(starts) - 1, rows.n_columns))
