"""From a table in memory, which the door has let in, to a Table. Texts alone, in a list or a column, are one too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from rosenblatt.data.door import Frame, check_finite_frame, open_frame, read_numbers
from rosenblatt.data.door_columns import numbers_of, read_column
from rosenblatt.data.door_labels import read_labels
from rosenblatt.data.matrices import check_coordinates
from rosenblatt.data.plain import plain_types
from rosenblatt.data.table import (
    Declaration,
    Table,
    counted,
    make_table,
    sparse_column,
    string_column,
    tidy_strings,
    vector_column,
)
from rosenblatt.errors import DataError

NAME = "the data given"


def read_memory(source: Any, label: Any, labelled: bool) -> Table:
    """The table of rows in memory; the label is the name of a column, or the labels themselves."""
    columns, more = as_arrow(source)
    origin = counted(NAME, "row", columns.num_rows)
    columns = tidy_strings(plain_types(columns, origin, dictionaries=True))
    if label is None or isinstance(label, str):
        return make_table(columns, origin, label, labelled, **more)
    labels = _arrow_labels(read_labels(label, columns.num_rows).values)
    return Table(columns, labels, "label", origin, **more)


def as_arrow(source: Any) -> tuple[pa.Table, dict[str, Any]]:
    """The columns, and what the source declares about them. Texts alone are a table of one column."""
    texts = _texts(source)
    if texts is not None:
        return texts
    frame = _numbers_if_unnamed(source, open_frame(source))
    if frame.columns is None:
        check_finite_frame(frame)
        return _from_numpy(frame.dense) if frame.dense is not None else (_from_scipy(source, frame.sparse), {})
    if isinstance(source, pa.Table):
        return source, {}
    # Names that are no text number the columns; those of an array are x1, x2, ..., as for numbers.
    numbered = [str(name) for name in source.columns] if hasattr(source, "iloc") else None
    names = frame.names or numbered or [f"x{number}" for number in range(1, frame.n_columns + 1)]
    columns = {name: _arrow(frame.columns[j], frame.label(j)) for j, name in enumerate(names)}
    return pa.table(columns), {"declared": _declared(columns)}


def _numbers_if_unnamed(source: Any, frame: Frame) -> Frame:
    """An array of objects that are all numbers is one of numbers: rows to predict may come as either."""
    if frame.columns is None or frame.names is not None or hasattr(source, "iloc"):
        return frame
    try:
        return read_numbers(source)
    except DataError:
        return frame


def _texts(source: Any) -> tuple[pa.Table, dict[str, Any]] | None:
    """The table of texts that are given alone, in a list, an array or a column of a frame; None for anything else."""
    name, said = "text", {"declared": {"text": Declaration("text")}}
    if isinstance(source, np.ndarray) and source.ndim == 1 and source.dtype.kind in "UOT":
        source = source.tolist()
    elif type(source).__module__.partition(".")[0] in ("pandas", "polars") and hasattr(source, "to_list"):
        if source.name:  # of a column, which the model will look for by its name
            name, said = str(source.name), {}
        source = source.to_list()
    if isinstance(source, list | tuple) and len(source) and all(isinstance(item, str) for item in source):
        return pa.table({name: string_column(source)}), said
    return None


def _arrow(given: Any, where: str) -> pa.Array | pa.ChunkedArray:
    column = read_column(given, where)
    if not isinstance(column, np.ndarray):
        return column
    return pa.array(_usual(column if column.dtype != object else numbers_of(column, where, False)))


def _usual(values: np.ndarray) -> np.ndarray:
    """Numbers in the order of bytes of this machine, and of types that everybody knows."""
    if values.dtype == np.float16 or values.dtype.itemsize > 8:
        values = values.astype(np.float64)
    return values.astype(values.dtype.newbyteorder("="), copy=False)


def _declared(columns: dict[str, Any]) -> dict[str, Declaration]:
    """The order of pandas' ordered categories."""
    found = {}
    for name, column in columns.items():
        if pa.types.is_dictionary(column.type) and column.type.ordered:
            first = column.chunk(0) if isinstance(column, pa.ChunkedArray) else column
            found[name] = Declaration("ordered", tuple(str(value) for value in first.dictionary.to_pylist()))
    return found


def _from_numpy(values: np.ndarray) -> tuple[pa.Table, dict[str, Any]]:
    values = _usual(values.astype(np.float64) if values.dtype == np.bool_ else values)
    names = {"x": [f"x{number}" for number in range(1, values.shape[1] + 1)]}
    return pa.table({"x": vector_column(values)}), {"feature_names": names}


def _from_scipy(source: Any, csr: Any) -> pa.Table:
    check_coordinates(csr)
    csr = csr.copy() if csr is source else csr
    csr.sum_duplicates()
    if csr.shape[1] >= 2**31:
        raise DataError(f"{NAME}: the matrix has {csr.shape[1]} columns; at most {2**31 - 1} are supported.")
    return pa.table({"column": sparse_column(csr.indptr, csr.indices + 1, csr.data)})


def _arrow_labels(values: np.ndarray) -> pa.ChunkedArray:
    if values.dtype.kind in "UO":
        return pa.chunked_array([string_column([str(value) for value in values.tolist()])])
    return pa.chunked_array([pa.array(_usual(values))])
