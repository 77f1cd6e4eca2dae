"""Naive Bayes over the columns of a table: what is counted of each, the rows over these cells, and their counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from rosenblatt.data.door import Frame
from rosenblatt.data.listed import BITS
from rosenblatt.data.rowfile import written
from rosenblatt.data.spooled import blocks
from rosenblatt.data.table import Table
from rosenblatt.errors import DataError
from rosenblatt.features import Plan
from rosenblatt.features.contents import columns_read
from rosenblatt.features.counted import decide, wanted_kinds
from rosenblatt.features.executor import Executor, Here
from rosenblatt.features.learning import counted_lines, types_of
from rosenblatt.features.moment import Moment
from rosenblatt.features.terms import Named, Stepped, Term
from rosenblatt.learn.cells import encode
from rosenblatt.learn.columns import Schema
from rosenblatt.learn.counts import Counts, code_labels, count_bag, count_cells
from rosenblatt.loops.rows import Rows


def columns_schema(executor: Executor, plan: Plan, types: Mapping[str, pa.DataType]) -> Schema:
    """What naive Bayes counts of each column that the plan uses, decided by all rows."""
    lines = counted_lines(executor, [line for line in plan.lines if line.width], types)
    return Schema.of([line.counted(j) for j, line in enumerate(lines)], columns_read(plan), len(lines))


def counted_terms(plan: Plan, schema: Schema) -> tuple[Term, ...]:
    """What the cells of each column are for each value; those of missing binary columns come behind all others."""
    places = {int(j): b for b, j in enumerate(schema.binary)}
    lists = {each.column: (each, start) for each, start in zip(schema.listed, schema.starts(), strict=True)}
    terms: list[Term] = []
    for j, line in enumerate(line for line in plan.lines if line.width):
        moment, says = isinstance(line, Moment), "counted"
        if j in places:
            gone, bits = schema.n_cells + places[j], ((0.0, 1.0), None, np.array([[0.0], [1.0]]))
            terms.append(Stepped(line.column, line.reads, places[j], 1, says, *bits, gone, missing=gone, moment=moment))
            continue
        listed, start = lists[j]
        described, cells = (line.column, line.reads, start, listed.size, says), np.eye(listed.size)
        if line.numbers:
            terms.append(Stepped(*described, listed.values, listed.cuts, cells, moment=moment))
        else:
            terms.append(Named(*described, listed.values, cells, large=getattr(line, "large", False)))
    return tuple(terms)


def frame_of(plan: Plan, table: Table) -> Frame:
    """The columns that the plan uses: numbers as numbers, all others as strings."""
    plan.refuse_absent(table)
    used = [line for line in plan.lines if line.width]
    values = [line.values_of(table.columns[line.column], table.origin) for line in used]
    return Frame(table.n_rows, len(used), columns_read(plan), columns=values)


def column_cells(plan: Plan, table: Table, schema: Schema) -> Rows:
    """The columns of the table as rows over the cells of the schema; on the disk if the table is there."""
    plan.refuse_absent(table)
    parts = (encode(frame_of(plan, part), schema) for _, part in blocks(table, columns_read(plan)))
    return next(parts) if table.spool is None else written(parts)


def count_columns(plan: Plan, table: Table, truth: np.ndarray, n_classes: int, schema: Schema | None = None) -> Counts:
    """How often each value of each column goes with each class; `schema` where more rows than these have decided it."""
    schema = schema or columns_schema(Here(table), plan, types_of(table))
    cells = np.zeros((schema.n_cells + len(schema.binary), n_classes), np.int64)
    for at, part in blocks(table, columns_read(plan)):
        found = count_cells(encode(frame_of(plan, part), schema), truth[at : at + part.n_rows], n_classes, None)
        cells[: len(found)] += found
    return Counts.of(schema, np.arange(n_classes), np.bincount(truth, minlength=n_classes), cells)


def count(
    frame: Frame, labels: np.ndarray, features: Any, weights: np.ndarray | None = None, like: Schema | None = None
) -> Counts:
    """The counts of an X; its columns are decided by `features`, or are as those of `like`."""
    if weights is not None:
        kept = weights > 0
        if len(kept) and not kept.any():
            raise DataError("every sample weight is zero, so no row counts. Give rows of weight above zero.")
        if not kept.all():
            frame, labels, weights = frame.rows(kept), labels[kept], weights[kept]
    if not frame.n_rows:
        raise DataError("Found array with 0 sample(s) while a minimum of 1 is required. Give at least one row.")
    classes, truth = code_labels(labels)
    rows = np.bincount(truth, weights, len(classes)).astype(np.int64 if weights is None else np.float64)
    if weights is None and _can_be_bag(frame, features, like):
        cells = count_bag(frame.sparse, truth, len(classes))
        if cells is not None:
            kind = "binary" if features == "binary" else BITS
            return Counts(like or Schema.of(kind, frame.names, frame.n_columns), classes, rows, cells)
    schema = decided(frame, features, weights, like)
    cells = count_cells(encode(frame, schema), truth, len(classes), weights)
    if cells.dtype.kind == "f" and not (np.isfinite(rows).all() and np.isfinite(cells).all()):
        raise DataError("the weights add up to infinity. Divide sample_weight by its largest value.")
    return Counts.of(schema, classes, rows, cells)


def _can_be_bag(frame: Frame, features: Any, like: Schema | None) -> bool:
    """Whether the columns are all binary if they hold nothing but ones."""
    if frame.sparse is None or not (isinstance(features, str) and features in ("auto", "binary")):
        return False
    return like is None or len(like.binary) == like.n_columns == frame.n_columns


def decided(frame: Frame, features: Any, weights: np.ndarray | None = None, like: Schema | None = None) -> Schema:
    """What naive Bayes counts of each column: as `features` asks, or as the columns of `like` are.

    Raises DataError where a column cannot be what is asked, and where columns of `like` are missing.
    """
    kinds = wanted_kinds(features, frame) if like is None else ["auto"] * frame.n_columns
    if like is not None:
        places = like.places(frame)
        if len(places) < frame.n_columns and isinstance(features, Mapping | str):  # a list speaks of the first table
            asked = wanted_kinds(features, frame)
            kinds = [asked] * frame.n_columns if isinstance(asked, str) else asked
        for place, kind in zip(places, like.kinds(), strict=True):
            kinds[place] = kind
    return Schema.of(decide(frame, kinds, weights), frame.names, frame.n_columns)
