"""Deciding what each column is (the rules stand in `columns`), anew or in the light of what was learned before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rosenblatt.data.door import Frame
from rosenblatt.data.door_columns import Coded
from rosenblatt.errors import DataError
from rosenblatt.learn.columns import (
    FEW,
    LARGEST,
    Listed,
    Schema,
    check_numbers,
    distinct,
    list_values,
    quantile_cuts,
    wanted_kinds,
)

BITS = "bits"  # binary until a third value turns up; "binary", declared, means any number but 0 is presence
BLOCK = 1 << 20


def only_bits(values: np.ndarray) -> bool:
    """True if all numbers are 0, 1 or NaN; the first block that says otherwise ends the search."""
    if values.dtype == np.bool_:
        return True
    if values.dtype.kind == "u":
        return not values.size or bool(values.max() <= 1)
    step = max(1, BLOCK // max(1, values.shape[-1])) if values.ndim == 2 else BLOCK
    blocks = (values[start : start + step] for start in range(0, len(values), step))
    return all(bool(((block == 0) | (block == 1) | (block != block)).all()) for block in blocks)


def decide(frame: Frame, features: Any, weights: np.ndarray | None = None, like: Schema | None = None) -> Schema:
    """What each column of the table is: as `features` asks, or as the columns of `like` are.

    Raises DataError where a column cannot be what is asked, and where columns of `like` are missing.
    """
    if frame.sparse is not None and like is None and isinstance(features, str):
        kind = _kind_of_bag(frame.sparse.data, features)
        if kind is not None:
            return bag(frame, kind)
    kinds = wanted_kinds(features, frame) if like is None else _kinds_like(frame, features, like)
    settled: frozenset[str] = frozenset()
    if frame.sparse is not None:
        kinds, settled = _sparse_kinds(frame, kinds), frozenset({BITS, "binary", "counts"})
    elif frame.dense is not None:
        kinds, settled = _dense_kinds(frame.dense, kinds)
    found = [
        kind if kind in settled else decide_column(frame.column(j), j, kind, frame.label(j), weights)
        for j, kind in enumerate(kinds)
    ]
    return schema_of(found, frame.names)


def schema_of(found: Sequence[Any], columns: tuple[str, ...] | None) -> Schema:
    """The schema of columns that are decided, each as BITS, "binary", "counts" or Listed."""
    names = np.array([kind if isinstance(kind, str) else "" for kind in found])
    binary = np.flatnonzero((names == BITS) | (names == "binary"))
    counted = np.flatnonzero(names == "counts")
    listed = tuple(kind for kind in found if isinstance(kind, Listed))
    return Schema(len(found), columns, binary, names[binary] == "binary", counted, listed)


def bag(frame: Frame, kind: str) -> Schema:
    """The schema of a sparse matrix whose columns are all of one kind: BITS, "binary" or "counts"."""
    every, none = np.arange(frame.n_columns), np.zeros(0, np.int64)
    if kind == "counts":
        return Schema(frame.n_columns, frame.names, none, none.astype(bool), every)
    return Schema(frame.n_columns, frame.names, every, np.full(frame.n_columns, kind == "binary"), none)


def _kind_of_bag(data: np.ndarray, features: str) -> str | None:
    """The kind that all columns of a sparse matrix have; None where single columns must be looked at."""
    kind = features if features != "auto" else BITS if only_bits(data) else "counts"
    fits = not data.size or bool(data.min() >= 0 and data.max() <= LARGEST)  # false for NaN
    return kind if kind in (BITS, "binary", "counts") and fits else None


def _kinds_like(frame: Frame, features: Any, like: Schema) -> list[Any]:
    """The kinds that `like` has for the columns of the table; those that it does not know are decided anew."""
    known: dict[int, Any] = dict.fromkeys(map(int, like.counted), "counts")
    known.update((int(j), "binary" if p else BITS) for j, p in zip(like.binary, like.presence, strict=True))
    known.update((c.column, "categorical" if c.cuts is None else c.cuts) for c in like.listed)
    places = columns_like(frame, like)
    new = set(range(frame.n_columns)) - set(places)
    kinds = _kinds_of_new(frame, features) if new else [None] * frame.n_columns
    for j, place in enumerate(places):
        kinds[place] = known[j]
    return kinds


def _kinds_of_new(frame: Frame, features: Any) -> list[Any]:
    """A list of kinds was one per column of the first table, so it says nothing of new columns."""
    return wanted_kinds(features if isinstance(features, str | Mapping) else "auto", frame)


def columns_like(frame: Frame, schema: Schema) -> Sequence[int]:
    """For each column of the schema its place in the table: by name where both have names, otherwise by number."""
    if frame.names is not None and schema.names is not None:
        places = {name: j for j, name in enumerate(frame.names)}
        missing = [name for name in schema.names if name not in places]
        if missing:
            raise DataError(
                f"the table lacks {'columns' if len(missing) > 1 else 'column'} {', '.join(map(repr, missing[:5]))}"
                f"{' and others' if len(missing) > 5 else ''} that the model was fitted with. "
                "Add what is lacking, filled with None where it is not known."
            )
        return [places[name] for name in schema.names]
    if frame.n_columns != schema.n_columns:
        raise DataError(
            f"X has {frame.n_columns} features, but NaiveBayes is expecting {schema.n_columns} features as input. "
            "Give the columns of the first table, or name columns in both."
        )
    return range(schema.n_columns)


def _sparse_kinds(frame: Frame, kinds: list[Any]) -> list[Any]:
    """Kinds for a sparse matrix; only columns that are to be listed are looked at one by one."""
    data, columns = frame.sparse.data, frame.sparse.indices
    check_numbers(data, "the sparse matrix")
    if "auto" in kinds:
        whole = BITS if only_bits(data) else "counts"
        kinds = [whole if kind == "auto" else kind for kind in kinds]
    for kind, wrong in (("counts", data < 0), ("binary", data < 0), ("counts", data > LARGEST)):
        for p in np.flatnonzero(wrong):
            if kinds[columns[p]] == kind:
                raise DataError(
                    f"{frame.label(columns[p])} of the sparse matrix holds {data[p]:g}, which is no "
                    f"{'count' if kind == 'counts' else 'presence'}. Name it 'categorical' in features."
                )
    if BITS in kinds:
        third = np.unique(columns[(data != 0) & (data != 1) & (data == data)])
        kinds = list(kinds)
        for j in third:
            if kinds[j] == BITS:
                kinds[j] = "categorical"
    return kinds


def _dense_kinds(values: np.ndarray, kinds: list[Any]) -> tuple[list[Any], frozenset[str]]:
    """Kinds for a dense array, and those of them that need no look at single columns."""
    asked = set(kinds)
    if asked <= {"auto", BITS} and only_bits(values):
        return [BITS] * len(kinds), frozenset({BITS})
    if asked in ({"binary"}, {"counts"}) and values.size:
        low, high = values.min(), values.max()  # NaN, then, is left to the look at single columns
        if low >= 0 and high <= LARGEST:
            return kinds, frozenset(asked)
    return kinds, frozenset()


def decide_column(column: np.ndarray | Coded, j: int, kind: Any, where: str, weights: np.ndarray | None) -> Any:
    """One column as BITS, "binary", "counts" or Listed."""
    if isinstance(column, Coded):
        return _decide_coded(column, j, kind, where)
    check_numbers(column, where, 0 if kind in ("counts", "binary") else -np.inf)
    if kind in ("counts", "binary"):
        return kind
    if kind != "categorical" and not isinstance(kind, tuple) and kind != "bins" and only_bits(column):
        return BITS
    if isinstance(kind, tuple):
        return Listed(j, cuts=kind)
    values, amounts = distinct(column, weights)
    whole = len(values) <= FEW and bool((values == np.floor(values)).all())
    if kind in ("categorical", BITS) or (kind == "auto" and whole):
        return Listed(j, list_values(column))
    return Listed(j, cuts=quantile_cuts(values, amounts)) if len(values) else BITS


def _decide_coded(column: Coded, j: int, kind: Any, where: str) -> Any:
    values = list_values(column)
    if not values and not isinstance(kind, tuple):
        return kind if kind in ("counts", "binary") else Listed(j) if kind == "categorical" else BITS
    if (kind in ("counts", "bins") or isinstance(kind, tuple)) and values:
        asked = "counts" if kind == "counts" else "bins"
        raise DataError(f"{where} is to be {asked} but holds {values[0]!r}, not a number. Name it 'categorical'.")
    return Listed(j, cuts=kind) if isinstance(kind, tuple) else Listed(j, values)
