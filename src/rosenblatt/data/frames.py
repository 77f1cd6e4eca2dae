"""Data that is already in memory: Arrow, pandas, polars, numpy, scipy's sparse matrices, lists."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from rosenblatt.data.matrices import check_coordinates
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
    try:
        columns, more = as_arrow(source)
    except (
        pa.ArrowInvalid,
        pa.ArrowTypeError,
        pa.ArrowNotImplementedError,
        OverflowError,
        UnicodeEncodeError,
    ) as error:
        what = str(error).splitlines()[0].removesuffix(".")
        raise DataError(f"{NAME}: {what}. Give each column values of one type.") from None
    if not columns.num_rows:
        raise DataError(f"{NAME}: there are no rows. Give at least one.")
    if label is None or isinstance(label, str):
        return make_table(tidy_strings(columns), counted(NAME, "row", columns.num_rows), label, labelled, **more)
    labels = _labels(label)
    if len(labels) != columns.num_rows:
        raise DataError(f"{NAME}: {columns.num_rows} rows but {len(labels)} labels. Give one label for each row.")
    columns = tidy_strings(columns)
    return Table(columns, labels, "label", counted(NAME, "row", columns.num_rows), **more)


def as_arrow(source: Any) -> tuple[pa.Table, dict[str, Any]]:
    """The columns, and what the source declares about them."""
    root = type(source).__module__.partition(".")[0]
    if isinstance(source, pa.RecordBatch):
        return pa.Table.from_batches([source]), {}
    if isinstance(source, pa.Table):
        return source, {}
    if root == "pandas":
        frame = source.to_frame() if hasattr(source, "to_frame") and source.ndim == 1 else source
        return _from_pandas(frame)
    if root == "polars":
        return (source.to_frame() if hasattr(source, "to_frame") else source).to_arrow(), {}
    if hasattr(source, "tocsr"):
        return _from_scipy(source), {}
    if isinstance(source, np.ndarray):
        return _from_numpy(source)
    if isinstance(source, dict):
        return pa.table(source), {}
    if isinstance(source, list | tuple) and len(source):
        if all(isinstance(item, str) for item in source):
            return pa.table({"text": string_column(source)}), {"declared": {"text": Declaration("text")}}
        if all(isinstance(item, dict) for item in source):
            return pa.Table.from_pylist(list(source)), {}
        if all(isinstance(item, list | tuple) for item in source):
            return _from_numpy(np.array(source))
    raise DataError(
        f"{NAME}: cannot read a {type(source).__name__}. Give a path, a data frame, an Arrow table, an array, or a "
        "list of texts."
    )


def _from_pandas(frame: Any) -> tuple[pa.Table, dict[str, Any]]:
    names = [str(name) for name in frame.columns]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise DataError(f"{NAME}: two columns are named {twice!r}. Rename one of them.")
    columns = pa.Table.from_pandas(frame, preserve_index=False)
    declared = {}
    for column in columns.schema:
        if pa.types.is_dictionary(column.type) and column.type.ordered:
            order = tuple(str(value) for value in columns[column.name].chunk(0).dictionary.to_pylist())
            declared[column.name] = Declaration("ordered", order)
    return columns.replace_schema_metadata(None), {"declared": declared}


def _from_numpy(values: np.ndarray) -> tuple[pa.Table, dict[str, Any]]:
    if values.ndim == 1 and values.dtype.kind in "UOT":
        return as_arrow(values.tolist())
    if values.ndim != 2 or values.dtype.kind not in "biuf" or not values.shape[1]:
        raise DataError(
            f"{NAME}: an array of shape {values.shape} and type {values.dtype}. Give numbers in two dimensions, "
            "one row for each example."
        )
    if values.dtype == np.bool_ or values.dtype == np.float16 or values.dtype.itemsize > 8:
        values = values.astype(np.float64)
    names = {"x": [f"x{number}" for number in range(1, values.shape[1] + 1)]}
    return pa.table({"x": vector_column(values.astype(values.dtype.newbyteorder("=")))}), {"feature_names": names}


def _from_scipy(matrix: Any) -> pa.Table:
    check_coordinates(matrix)
    csr = matrix.tocsr().copy()
    csr.sum_duplicates()
    if csr.shape[1] >= 2**31:
        raise DataError(f"{NAME}: the matrix has {csr.shape[1]} columns; at most {2**31 - 1} are supported.")
    return pa.table({"column": sparse_column(csr.indptr, csr.indices + 1, csr.data)})


def _labels(label: Any) -> pa.ChunkedArray:
    values = label.to_arrow() if type(label).__module__.startswith("polars") else label
    if not isinstance(values, pa.Array | pa.ChunkedArray):
        values = pa.array(np.asarray(values).tolist())
    return values if isinstance(values, pa.ChunkedArray) else pa.chunked_array([values])
