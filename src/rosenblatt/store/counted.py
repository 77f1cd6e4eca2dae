"""The counts of naive Bayes and what they count, as plain values and arrays, and back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from rosenblatt.data.listed import Listed
from rosenblatt.errors import DataError
from rosenblatt.features import Plan
from rosenblatt.learn.columns import Schema
from rosenblatt.learn.counts import Counts
from rosenblatt.learn.smoothing import NAMED_PRIORS, Weighted
from rosenblatt.model import Bayes
from rosenblatt.model.bayes import written_priors
from rosenblatt.store.arrays import Tensors, lifted, narrow, only, settled, written


def count_contents(learner: Bayes, tensors: Tensors) -> dict[str, Any]:
    """The plain values of naive Bayes; its arrays go to the tensors."""
    counts = learner.counts
    for name, array in (("cells", counts.cells), ("rows", counts.rows), ("gone", counts.gone)):
        if array is not None:
            tensors[f"counts.{name}"] = np.ascontiguousarray(array if array.dtype.kind == "f" else narrow(array))
    schema = counts.schema
    for name, array in (("binary", schema.binary), ("counted", schema.counted)):
        tensors[f"schema.{name}"] = narrow(array)
    tensors["schema.presence"] = schema.presence.astype(np.uint8)
    listed = [{"column": c.column, "values": list(c.values), "cuts": c.cuts} for c in schema.listed]
    return {
        "k": written(learner.k), "on": learner.on, "columns": schema.n_columns,
        "names": None if schema.names is None else list(schema.names), "listed": lifted(listed, "listed", tensors),
        **({} if learner.priors is None else {"priors": written_priors(learner.priors)}),
    }  # fmt: skip


def read_counts(plain: Mapping[str, Any], free: Tensors, plan: Plan, n_classes: int, ties: str) -> Bayes:
    """Naive Bayes; DataError where its counts do not fit the plan and the classes."""
    known = {"kind", "k", "on", "threshold", "columns", "names", "listed"}
    only(plain, known | ({"priors"} & set(plain)), "the learner")
    k = math.inf if plain["k"] == "inf" else float(plain["k"])
    if plain["on"] not in ("matrix", "columns") or not k >= 0:
        raise DataError(f"the model counts {plain['on']!r} with k = {plain['k']!r}, which is unknown. Train it again.")
    return Bayes(_counts(plain, free, plan, n_classes), k, plain["on"], _priors(plain.get("priors"), n_classes))


def _priors(plain: Any, n_classes: int) -> str | Weighted | None:
    """P(y): as it is called, or by weights of the classes, which must be above 0."""
    if plain is None or (isinstance(plain, str) and plain in NAMED_PRIORS):
        return plain
    weights: Any = plain.get("weights") if isinstance(plain, dict) else None
    fits = isinstance(weights, list) and len(weights) == n_classes
    if not fits or not all(type(weight) is float and 0 < weight < math.inf for weight in weights):
        raise DataError(f"the model has unknown priors, {plain!r}. Train it again.")
    return Weighted(tuple(weights))


def _counts(plain: Mapping[str, Any], free: Tensors, plan: Plan, n_classes: int) -> Counts:
    listed = tuple(
        Listed(int(c["column"]), tuple(c["values"]), None if c["cuts"] is None else tuple(map(float, c["cuts"])))
        for c in settled(plain["listed"], free)
    )
    if not all(isinstance(value, str | int | float) for column in listed for value in column.values):
        raise DataError("the model lists values that are neither text nor numbers. Train it again.")
    binary, counted, presence = (free.pop(f"schema.{name}") for name in ("binary", "counted", "presence"))
    names = None if plain["names"] is None else tuple(map(str, plain["names"]))
    schema = Schema(
        int(plain["columns"]), names, binary.astype(np.int64), presence == 1, counted.astype(np.int64), listed
    )
    cells, rows, gone = free.pop("counts.cells"), free.pop("counts.rows"), free.pop("counts.gone", None)
    named = all(array.dtype.kind == "u" and array.ndim == 1 for array in (binary, counted, presence))
    if not named or presence.max(initial=0) > 1:
        raise DataError("the model's columns are not named by whole numbers. Train it again.")
    places = [*binary.tolist(), *counted.tolist(), *(column.column for column in listed)]
    used = [line.column for line in plan.lines if line.width]
    width = plan.width if plain["on"] == "matrix" else len(used)
    fits = (
        sorted(places) == list(range(width)) and schema.n_columns == width and len(presence) == len(binary)
        and cells.shape == (schema.n_cells, n_classes) and rows.shape == (n_classes,)
        and (gone is None or gone.shape == (len(binary), n_classes))
        and (plain["on"] == "matrix" or names == tuple(used))
        and (plain["on"] == "columns" or not listed)
    )  # fmt: skip
    arrays = [array for array in (cells, rows, gone) if array is not None]
    typed_well = all(array.dtype.kind in "ui" or array.dtype == np.float64 for array in arrays)
    if not fits or not typed_well or not all(np.isfinite(array).all() and (array >= 0).all() for array in arrays):
        raise DataError("the model's counts do not fit its plan and classes. Train it again.")
    typed = [array.astype(np.float64 if array.dtype.kind == "f" else np.int64) for array in arrays]
    return Counts(schema, np.arange(n_classes), typed[1], typed[0], typed[2] if gone is not None else None)
