"""The calls `load`, `open`, `pick` and `weigh`: a table that stays in memory, two of its columns as points, or all.

More rows than the bench takes are refused with the limit, unless the person asks for a sample: then a seed draws it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.errors import DataError
from rosenblatt.lab.bench import LARGEST, MOST_CLASSES, MOST_POINTS
from rosenblatt.lab.sessions import Session
from rosenblatt.lab.wanted import one_of, text, whole

if TYPE_CHECKING:
    import pyarrow as pa

    from rosenblatt.data.table import Table

BUILT_IN = ("notes", "apples", "and", "or", "xor", "iris", "wine", "breast-cancer", "digits")
MOST_COLUMNS = 500
MOST_NUMBERS = 500_000  # of a run over all columns; a page holds it, and the person's patience
MOST_STEPS, MOST_PASSES = 20_000, 50
PACKED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")  # gzip, zstd: a few bytes may hold gigabytes
KEPT = "table"


@dataclass(frozen=True)
class Columns:
    """A table as single columns: numbers where they are numbers, or have an order, and anything else as it is."""

    table: Table
    numeric: Mapping[str, np.ndarray]  # NaN where a value is missing
    others: Mapping[str, pa.ChunkedArray]  # every column that may be a label
    label: str | None


@dataclass(frozen=True)
class Picked:
    """A table with its labels apart, which of its rows are taken, the class of each, and the names of the classes."""

    table: Table
    codes: np.ndarray
    classes: tuple[str, ...]
    rows: np.ndarray
    note: str = ""


def load(session: Session, body: bytes, query: Mapping[str, str]) -> dict[str, Any]:
    """Reads a CSV text, its lines separated by commas, tabs or whatever `delimiter` says."""
    name = text("name", query.get("name", "your file"), 200).replace("/", "_") or "your file"
    return _kept(session, read_bytes(body, name, query.get("delimiter")))


def read_bytes(body: bytes, name: str, delimiter: str | None = None) -> Table:
    """The table of a CSV text that never touches the disk. Errors name row and column as those of files do."""
    from rosenblatt.data.csv import CsvForm
    from rosenblatt.data.formats import recognised
    from rosenblatt.data.formats.csv import Csv
    from rosenblatt.data.reading import Reading
    from rosenblatt.data.source import Source

    if body.startswith(PACKED):
        raise DataError(f"{name}: this is compressed. Unpack it and give the text.")
    source = Source(Path("given.txt"), name, body)  # the name is of somebody's choice, so it decides nothing
    form = recognised(source)
    if not issubclass(form, Csv):
        raise DataError(f"{name}: this looks like {form.name}. The lab reads CSV: values separated by commas or tabs.")
    read = CsvForm(source, None, form.settings(Reading(delimiter=delimiter)))
    if len(read.names) > MOST_COLUMNS:  # as the reader counts them: blank lines may come first
        raise DataError(f"{name}: {len(read.names):,} columns; the lab takes at most {MOST_COLUMNS}.")
    return read.table(read.whole(), 0, False)


def open_builtin(session: Session, body: dict[str, Any]) -> dict[str, Any]:
    """A built-in set."""
    from rosenblatt.data.builtin import read_builtin

    return _kept(session, read_builtin(one_of("name", body.get("name"), BUILT_IN)))


def pick(session: Session, body: dict[str, Any]) -> dict[str, Any]:
    """Two columns of numbers as points, a third as their classes; `sample` is a seed, or null for all rows."""
    columns, picked = _picked(session, body)
    x, y = (text(name, body.get(name), 1000) for name in ("x", "y"))
    points = np.column_stack([_numbers(columns, name) for name in (x, y)])
    _check(points, picked.rows, columns, (x, y))
    return {
        "points": points[picked.rows].tolist(),
        "labels": picked.codes.tolist(),
        "classes": list(picked.classes),
        "features": [x, y],
        "rows": picked.rows.tolist(),
        "note": picked.note,
    }


def weigh(session: Session, body: dict[str, Any]) -> dict[str, Any]:
    """A run over all columns, as the features that `train` makes of them, for a player that shows weights as bars."""
    from dataclasses import replace

    from rosenblatt.data.matrices import csr_of
    from rosenblatt.features import learn_and_encode
    from rosenblatt.loops.rows import Dense
    from rosenblatt.traces import trace
    from rosenblatt.traces.player import compact

    _, picked = _picked(session, body)
    _, matrix = learn_and_encode(picked.table.take(picked.rows))
    n, width = len(picked.rows), len(matrix.names)
    if n * width > MOST_NUMBERS:
        source = picked.table.origin.source
        raise DataError(
            f"{source}: {n:,} rows of {width:,} features; the lab plays at most {MOST_NUMBERS:,} numbers. "
            "Use `rosenblatt train` and its report."
        )
    rows = matrix.rows.values if isinstance(matrix.rows, Dense) else csr_of(matrix.rows).toarray()
    passes = max(1, min(MOST_PASSES, MOST_STEPS // n))
    run = trace(rows, picked.codes, names=matrix.names, classes=range(len(picked.classes)), passes=passes)
    return {"trace": compact(replace(run, classes=picked.classes)), "note": picked.note, "why": run.why()}


def _kept(session: Session, table: Table) -> dict[str, Any]:
    columns = columns_of(table)
    size = sum(values.nbytes for values in columns.numeric.values()) + int(table.columns.nbytes)
    session.keep(KEPT, columns, size + 100_000)
    return {
        "name": table.origin.source,
        "rows": table.n_rows,
        "columns": [
            {"name": name, "numeric": name in columns.numeric, "distinct": _distinct(columns, name)}
            for name in dict.fromkeys([*columns.numeric, *columns.others])
        ],
        "label": columns.label,
        "notes": list(table.notes),
    }


def _distinct(columns: Columns, name: str) -> int:
    if name in columns.others:
        return len(columns.others[name].unique())
    return len(np.unique(columns.numeric[name]))


def columns_of(table: Table) -> Columns:
    """The columns of a table, vectors taken apart."""
    import pyarrow as pa

    numeric: dict[str, np.ndarray] = {}
    others: dict[str, pa.ChunkedArray] = {}
    given = {name: table.columns[name] for name in table.names}
    if table.labels is not None and table.label is not None:
        given[table.label] = table.labels
    for name, column in given.items():
        declared = table.declared.get(name)
        if declared is not None and declared.kind == "ordered":
            places = {value: float(place) for place, value in enumerate(declared.order)}
            numeric[name] = np.array([places.get(value, np.nan) for value in column.to_pylist()])
        elif pa.types.is_fixed_size_list(column.type):
            values = column.combine_chunks().flatten().to_numpy(zero_copy_only=False).reshape(table.n_rows, -1)
            numeric |= dict(zip(table.feature_names[name], values.T.astype(np.float64), strict=True))
            continue
        elif pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
            numeric[name] = column.to_numpy().astype(np.float64)
        others[name] = column
    return Columns(table, numeric, others, table.label)


def _picked(session: Session, body: dict[str, Any]) -> tuple[Columns, Picked]:
    """The rows that are asked for and their classes; DataError where the column of classes is not there."""
    from dataclasses import replace

    from rosenblatt.features.labels import Classes

    columns = session.get(KEPT)
    if columns is None:
        raise DataError("the table is no longer kept. Load it again.")
    table, label, sample = columns.table, text("label", body.get("label"), 1000), body.get("sample")
    seed = None if sample is None else whole("sample", sample, 0, 2**32 - 1)
    if label not in columns.others:
        raise DataError(f"{table.origin.source}: there is no column {label[:60]!r} to be the class.")
    features = [name for name in table.names if name != label]
    labelled = replace(table, columns=table.columns.select(features), labels=columns.others[label], label=label)
    rows = np.arange(table.n_rows)
    if table.n_rows > MOST_POINTS:
        if seed is None:
            raise DataError(
                f"{table.origin.source} has {table.n_rows:,} rows; the lab shows at most {MOST_POINTS:,}. "
                "Ask for a sample of them, or give fewer rows."
            )
        rows = _sample(table.n_rows, seed)
    classes = Classes.learn(labelled)
    codes, names, note = _few_classes(classes.encode(labelled), classes.names)
    if len(np.unique(codes[rows])) < 2:
        raise DataError(f"{table.origin.source}: the sample has rows of one class only. Try another seed.")
    return columns, Picked(labelled, codes[rows], names, rows, note)


def _numbers(columns: Columns, name: str) -> np.ndarray:
    source = columns.table.origin.source
    if name in columns.numeric:
        return columns.numeric[name]
    if name not in columns.others:
        raise DataError(f"{source}: there is no column {name[:60]!r}.")
    value = next((v for v in columns.others[name][:100].to_pylist() if v is not None), None)
    known = ", ".join(list(columns.numeric)[:8]) or "none"
    raise DataError(
        f"{source}: column {name[:60]!r} holds {str(value)[:40]!r}, which is no number. Columns of numbers: {known}."
    )


def _check(points: np.ndarray, rows: np.ndarray, columns: Columns, names: tuple[str, str]) -> None:
    wrong = ~(np.abs(points[rows]) <= LARGEST)  # true for NaN as well
    if wrong.any():
        place, side = np.argwhere(wrong)[0]
        value = points[rows[place], side]
        what = "no value" if np.isnan(value) else f"{value:g}, more than the lab can draw,"
        where = columns.table.origin.of(int(rows[place]))
        raise DataError(f"{where}: {what} in column {names[side]!r}. Mend it or remove the row.")


def _sample(count: int, seed: int) -> np.ndarray:
    """So many rows as the bench takes, by the hash that also shuffles, in their given order."""
    from rosenblatt.loops.order import hash_order, row_hashes

    order = hash_order(row_hashes(seed, np.arange(count, dtype=np.uint32)))
    return np.sort(np.asarray(order[:MOST_POINTS], np.int64))


def _few_classes(codes: np.ndarray, names: tuple[str, ...]) -> tuple[np.ndarray, tuple[str, ...], str]:
    """As many classes as there are shapes: the largest ones, and all others as one."""
    if len(names) <= MOST_CLASSES:
        return codes, names, ""
    order = np.argsort(-np.bincount(codes, minlength=len(names)), kind="stable")
    kept = np.sort(order[: MOST_CLASSES - 1])
    place = np.full(len(names), MOST_CLASSES - 1)
    place[kept] = np.arange(len(kept))
    note = f"{len(names)} classes; the {len(kept)} largest are shown, all others as one."
    return place[codes], (*(names[c] for c in kept), "others"), note
