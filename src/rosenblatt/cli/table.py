"""Rows and labels for `prove` and `check`: built-in names, svmlight files and CSV files, their numbers unchanged."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from rosenblatt.errors import DataError

POINTS = [[1, 1], [3, 2], [2, 4], [3, 4], [2, 3]]
CORNERS = [[0, 0], [0, 1], [1, 0], [1, 1]]
WRITTEN: dict[str, tuple[list[list[int]], list[int]]] = {
    "notes": (POINTS, [-1, 1, 1, 1, -1]),
    "and": (CORNERS, [0, 0, 0, 1]),
    "or": (CORNERS, [0, 1, 1, 1]),
    "xor": (CORNERS, [0, 1, 1, 0]),
}
FROM_SKLEARN = ("digits", "iris", "breast-cancer", "wine")


class LabelledRows(NamedTuple):
    """Rows as `prove` takes them, their labels, the names of the features, and what row 0 is called by its source."""

    X: Any
    y: Any
    names: list[str]
    first: int


def read_table(source: str, label: str | None = None) -> LabelledRows:
    """The labelled rows of a built-in name or a file. Text columns become 0/1 columns, one for each value."""
    if source in WRITTEN:
        rows, labels = WRITTEN[source]
        return LabelledRows(rows, labels, ["x1", "x2"], 1)
    if source in FROM_SKLEARN:
        return _from_sklearn(source)
    path = Path(source)
    if not path.is_file():
        known = ", ".join([*WRITTEN, *FROM_SKLEARN])
        raise DataError(f"{source}: no such file. Give a CSV or svmlight file, or one of: {known}.")
    if path.suffix in (".csv", ".tsv"):
        return _from_csv(path, label)
    return _from_svmlight(path)


def _from_sklearn(source: str) -> LabelledRows:
    from sklearn import datasets

    table = getattr(datasets, f"load_{source.replace('-', '_')}")()
    return LabelledRows(table.data, table.target_names[table.target], [str(name) for name in table.feature_names], 1)


def _from_csv(path: Path, label: str | None) -> LabelledRows:
    import numpy as np
    import pyarrow as pa
    from pyarrow import csv

    try:
        options = csv.ParseOptions(delimiter="\t" if path.suffix == ".tsv" else ",")
        table = csv.read_csv(path, parse_options=options)
    except (pa.ArrowInvalid, pa.ArrowKeyError) as error:
        raise DataError(f"{path}: {str(error).splitlines()[0]}. Check that all lines have the same columns.") from error
    columns = table.column_names
    label = columns[-1] if label is None else label
    if label not in columns:
        raise DataError(f"{path}: no column named {label!r}. Columns are: {', '.join(columns)}. Name it with --label.")
    names, parts = [], []
    for name in columns:
        if name == label:
            continue
        column = table[name]
        if pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
            names.append(name)
            parts.append(column.to_numpy())
            continue
        values = np.array([str(value) for value in column.to_pylist()])
        for value in np.unique(values):
            names.append(f"{name}={value}")
            parts.append((values == value).astype(np.uint8))
    if not parts:
        raise DataError(f"{path}: no column besides the label {label!r}. Give a file with features.")
    labels = np.array([str(value) for value in table[label].to_pylist()])
    return LabelledRows(np.column_stack(parts), labels, names, 2)  # line 1 holds the names


def _from_svmlight(path: Path) -> LabelledRows:
    import numpy as np
    from scipy import sparse

    labels, starts, columns, values = [], [0], [], []
    first = 0
    for number, line in enumerate(path.read_text(encoding="utf8", errors="replace").splitlines(), 1):
        parts = line.partition("#")[0].split()
        if not parts:
            continue
        first = first or number
        try:
            labels.append(float(parts[0]))
            for part in parts[1:]:
                column, _, value = part.partition(":")
                columns.append(int(column))
                values.append(float(value))
        except ValueError:
            raise DataError(
                f"{path}: line {number} is not 'label column:value ...'; got {line[:40]!r}. Correct the line."
            ) from None
        starts.append(len(columns))
    if not labels or min(columns, default=0) < 0:
        raise DataError(f"{path}: no rows in svmlight format. Give lines of 'label column:value ...'.")
    lowest = min(columns, default=1) if min(columns, default=1) < 1 else 1
    shape = (len(labels), max(columns, default=1) + 1 - lowest)
    X = sparse.csr_array((np.array(values), np.array(columns) - lowest, np.array(starts)), shape=shape)
    return LabelledRows(X, np.array(labels), [str(j + lowest) for j in range(shape[1])], first)
