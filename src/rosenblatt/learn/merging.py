"""Adding the counts of two models: classes, values and named columns of either are taken in, in any order."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from rosenblatt.data.listed import BITS, Listed, order_of
from rosenblatt.errors import DataError
from rosenblatt.learn.columns import Schema
from rosenblatt.learn.counts import Counts


def merge(first: Counts, second: Counts) -> Counts:
    """The counts of all rows behind both, exactly; classes, values and named columns of either are taken in.

    Raises DataError where a column is of a different kind, or cut into different bins, in the two.
    """
    classes = union_classes(first.classes, second.classes)
    schema = first.schema if first.schema.same_cells(second.schema) else _union(first, second)
    one, other = recast(first, schema, classes), recast(second, schema, classes)
    both = [part.gone for part in (one, other) if part.gone is not None]
    gone = np.sum(both, axis=0) if both else None
    return Counts(schema, classes, one.rows + other.rows, one.cells + other.cells, gone)


def union_classes(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The classes of both in sorted order; DataError where they cannot be compared."""
    try:
        classes = np.union1d(first, second)
        comparable = first.dtype.kind == second.dtype.kind or classes.dtype.kind not in "US"
    except TypeError:
        comparable = False
    if not comparable:
        raise DataError(f"the classes are of different types: {first[0]!r} and {second[0]!r}. Use one type.")
    return classes


def _union(first: Counts, second: Counts) -> Schema:
    """A schema that holds the columns and values of both."""
    one, other = first.schema, second.schema
    pairs = _pairs(one, other)
    seen = _seen(first), _seen(second)
    labels = [one.label(i) if i is not None else other.label(j) for i, j in pairs]
    found = []
    for p, (pair, label) in enumerate(zip(pairs, labels, strict=True)):
        kind = _one_kind([columns[j] for columns, j in zip(seen, pair, strict=True) if j is not None], label)
        found.append(replace(kind, column=p) if isinstance(kind, Listed) else kind)
    names = one.names or other.names
    if one.names is not None and other.names is not None:
        names = tuple(one.names[i] if i is not None else other.names[j] for i, j in pairs)
    return Schema.of(found, names, len(pairs))


def _pairs(one: Schema, other: Schema) -> list[tuple[Any, Any]]:
    """For each column of the union its number in either, None where it has none."""
    if one.names is not None and other.names is not None:
        places = {name: j for j, name in enumerate(other.names)}
        known = set(one.names)
        pairs: list[tuple[Any, Any]] = [(i, places.get(name)) for i, name in enumerate(one.names)]
        return pairs + [(None, j) for j, name in enumerate(other.names) if name not in known]
    if one.n_columns != other.n_columns:
        raise DataError(
            f"one model has {one.n_columns} columns, the other {other.n_columns}, and not both have names for them. "
            "Merge models of the same columns, or fit them on tables with named columns."
        )
    return [(j, j) for j in range(one.n_columns)]


def _seen(counts: Counts) -> list[tuple[Any, tuple[Any, ...]]]:
    """What each column of a model is, and the values in its list, or those that a binary one really had."""
    schema = counts.schema
    values: list[tuple[Any, ...]] = [()] * schema.n_columns
    for column in schema.listed:
        values[column.column] = column.values
    had = np.asarray(np.stack([counts.zeros(), counts.cells[: len(schema.binary)]], axis=1).any(axis=2))
    for j, (zero, one) in zip(schema.binary.tolist(), had.tolist(), strict=True):
        values[j] = (0,) * zero + (1,) * one
    return list(zip(schema.kinds(), values, strict=True))


def _one_kind(columns: list[tuple[Any, tuple[Any, ...]]], where: str) -> Any:
    """The kind that the columns, one or two, fit into."""
    known = [(kind, values) for kind, values in columns if values or kind not in (BITS, "binary")] or columns[:1]
    kinds = {kind for kind, _ in known}
    if kinds <= {BITS, "binary"}:
        return "binary" if "binary" in kinds else BITS
    if kinds <= {BITS, "binary", "categorical"}:
        return Listed(0, tuple(sorted({value for _, values in known for value in values}, key=order_of)))
    if len(kinds) == 1:
        kind = kinds.pop()
        return kind if kind == "counts" else Listed(0, cuts=kind)
    if all(isinstance(kind, tuple) for kind in kinds):
        raise DataError(
            f"{where} is cut into different bins in the two models. Fit both with the same cuts in features."
        )
    called = ["bins" if isinstance(kind, tuple) else "binary" if kind == BITS else kind for kind, _ in columns]
    raise DataError(
        f"{where} is {called[0]} in one model and {called[1]} in the other. Fit both with features naming it."
    )


def recast(counts: Counts, schema: Schema, classes: np.ndarray) -> Counts:
    """The same counts over the classes and cells of a schema that holds theirs; new cells are 0."""
    same = counts.schema is schema or counts.schema.same_cells(schema)
    cells, gone = (counts.cells, counts.gone) if same else _recast_cells(counts, schema)
    to = np.searchsorted(classes, counts.classes)

    def spread(lines: np.ndarray) -> np.ndarray:
        if len(classes) == len(to):
            return lines
        wider = np.zeros((*lines.shape[:-1], len(classes)), lines.dtype)
        wider[..., to] = lines
        return wider

    return Counts(schema, classes, spread(counts.rows), spread(cells), None if gone is None else spread(gone))


def _recast_cells(counts: Counts, schema: Schema) -> tuple[np.ndarray, np.ndarray | None]:
    own = counts.schema
    new = np.array(own.places(schema))
    cells = np.zeros((schema.n_cells, len(counts.classes)), counts.cells.dtype)
    gone = np.tile(counts.rows, (len(schema.binary), 1))
    starts = dict(zip((column.column for column in schema.listed), schema.starts(), strict=True))
    lists = {column.column: column for column in schema.listed}

    n_binary, to = len(own.binary), schema.cell_of()[new[own.single]]
    stays = to >= 0
    cells[to[stays]] = counts.cells[: len(to)][stays]
    kept = stays[:n_binary]
    gone[to[:n_binary][kept]] = 0 if counts.gone is None else counts.gone[kept]
    zeros = counts.zeros()
    for b in np.flatnonzero(~kept):
        j = int(new[own.binary[b]])
        for value, line in ((0, zeros[b]), (1, counts.cells[b])):
            if line.any():
                cells[starts[j] + lists[j].values.index(value)] = line
    for column, lines in zip(own.listed, counts.groups()[1:], strict=True):
        j = int(new[column.column])
        places = {value: place for place, value in enumerate(lists[j].values)}
        order = [places[value] for value in column.values] if column.cuts is None else range(column.size)
        cells[[starts[j] + place for place in order]] = lines
    return cells, gone if gone.any() else None
