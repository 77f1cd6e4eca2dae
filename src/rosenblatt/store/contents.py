"""A model as plain values and arrays, and back. Lists that grow with the data are arrays, in the type they need."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from rosenblatt.data.listed import Listed
from rosenblatt.errors import DataError
from rosenblatt.features import Classes, Plan
from rosenblatt.features.checks import read_plan
from rosenblatt.learn.columns import Schema
from rosenblatt.learn.counts import Counts
from rosenblatt.learn.smoothing import NAMED_PRIORS
from rosenblatt.loops.rows import FLOATS
from rosenblatt.loops.rule import TIES
from rosenblatt.model import Bayes, Decision, Linear, Model, Seen, Voted
from rosenblatt.model.card import read_card
from rosenblatt.model.seen import MOST
from rosenblatt.model.voted import Learner
from rosenblatt.store.arrays import Tensors, lifted, narrow, only, settled
from rosenblatt.store.records import read_record, record_contents
from rosenblatt.store.votes import read_votes, vote_contents

# 2 added the order of updates to the record, 3 hashes of the training rows and what counts, 4 voted weights.
FORMAT = 4  # the newest


def to_contents(model: Model) -> tuple[dict[str, Any], Tensors]:
    """The plain values that JSON holds, and the arrays."""
    tensors: Tensors = {}
    plain = {
        "format": format_of(model),
        "plan": lifted(model.plan.to_dict(), "plan", tensors),
        "classes": model.classes.to_dict(),
        "learner": _learner(model.learner, model.decision, tensors),
        "card": finite(model.card),
    }
    if model.record is not None:
        plain["record"] = record_contents(model.record, model.plan, tensors)
    if model.seen is not None:
        tensors["seen"] = model.seen.hashes.astype("<u8").view(np.uint8).reshape(-1, 8)
        plain["seen"] = {"whole": model.seen.whole}
    return plain, tensors


def format_of(model: Model) -> int:
    """The oldest format that can hold the model, so that older programs read what they can."""
    if isinstance(model.learner, Voted):
        return 4
    history = None if model.record is None else model.record.history
    if model.seen is not None or (history is not None and history.columns is not None):
        return 3
    return 1 if history is None else 2


def from_contents(plain: Mapping[str, Any], tensors: Tensors) -> Model:
    """The model; DataError where something is missing, does not fit, or is not finite."""
    only(plain, {"format", "plan", "classes", "learner", "card"} | ({"record", "seen"} & set(plain)), "the model")
    free = dict(tensors)
    plan = read_plan(settled(plain["plan"], free))
    classes = _classes(plain["classes"])
    decision = _read_decision(plain["learner"])
    learner = _read_learner(plain["learner"], free, plan, len(classes.names), decision)
    record = read_record(plain["record"], free, plan, len(classes.names)) if "record" in plain else None
    seen = _read_seen(plain["seen"], free) if "seen" in plain else None
    if free:
        raise DataError(f"the model holds an array that nothing uses, {min(free)!r}. Train it again.")
    return Model(plan, classes, learner, read_card(plain["card"]), record, seen, decision)


def _read_seen(plain: Mapping[str, Any], free: Tensors) -> Seen:
    only(plain, {"whole"}, "the list of training rows")
    stored = free.pop("seen")
    fits = stored.dtype == np.uint8 and stored.ndim == 2 and stored.shape[1] == 8 and 0 < len(stored) <= MOST
    hashes = np.ascontiguousarray(stored).view("<u8")[:, 0].astype(np.uint64) if fits else np.empty(0, np.uint64)
    if not fits or type(plain["whole"]) is not bool or not (hashes[1:] > hashes[:-1]).all():
        raise DataError("the model's list of training rows is not in order. Train it again.")
    return Seen(hashes, plain["whole"])


def finite(value: Any) -> Any:
    """The value with null for numbers that JSON does not know."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: finite(each) for key, each in value.items()}
    return [finite(each) for each in value] if isinstance(value, list | tuple) else value


def _learner(learner: Learner, decision: Decision, tensors: Tensors) -> dict[str, Any]:
    if isinstance(learner, Voted):
        own = vote_contents(learner, tensors)
        return {**own, "ties": decision.ties, "threshold": _written(decision.threshold)}
    if isinstance(learner, Linear):
        with np.errstate(over="ignore"):  # weights that a float32 cannot hold are then not equal to it
            small = learner.weights.astype(np.float32)
        exact = np.array_equal(small.astype(np.float64), learner.weights)
        tensors["weights"] = small if exact else np.ascontiguousarray(learner.weights)
        return {"kind": "linear", "ties": decision.ties, "threshold": _written(decision.threshold)}
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
        "kind": "bayes", "k": _written(learner.k), "on": learner.on,
        "threshold": _written(decision.threshold), "columns": schema.n_columns,
        "names": None if schema.names is None else list(schema.names), "listed": lifted(listed, "listed", tensors),
        **({} if learner.priors is None else {"priors": learner.priors}),
    }  # fmt: skip


def _written(value: float) -> float | str:
    """The number, or the word for an infinite one, which JSON does not have."""
    return value if math.isfinite(value) else str(value)


def _classes(plain: Mapping[str, Any]) -> Classes:
    only(plain, {"names", "reads"} if "reads" in plain else {"names", "numeric"}, "the classes")
    classes = Classes.from_dict(plain)
    texts = all(isinstance(name, str) for name in classes.names) and type(plain.get("numeric", False)) is bool
    if not texts or len(set(classes.names)) < max(2, len(classes.names)):
        raise DataError("the model's classes are not two or more different names. Train it again.")
    return classes


def _read_learner(plain: Mapping[str, Any], free: Tensors, plan: Plan, n_classes: int, decision: Decision) -> Learner:
    if plain["kind"] == "voted":
        return read_votes(plain, free, plan, n_classes, decision.ties)
    if plain["kind"] == "linear":
        only(plain, {"kind", "ties", "threshold"}, "the learner")
        weights, shape = free.pop("weights"), (plan.width + 1,)
        wanted = shape if n_classes == 2 else (n_classes, *shape)
        if weights.shape != wanted or weights.dtype not in FLOATS or not np.isfinite(weights).all():
            raise DataError(
                f"the model's weights must be finite and of shape {wanted}; got {weights.shape}. Train it again."
            )
        return Linear(weights.astype(np.float64))
    if plain["kind"] != "bayes":
        raise DataError(f"the model is of unknown kind {plain['kind']!r}. Install a newer rosenblatt.")
    known = {"kind", "k", "on", "threshold", "columns", "names", "listed"}
    only(plain, known | ({"priors"} & set(plain)), "the learner")
    k = math.inf if plain["k"] == "inf" else float(plain["k"])
    if plain["on"] not in ("matrix", "columns") or not k >= 0:
        raise DataError(f"the model counts {plain['on']!r} with k = {plain['k']!r}, which is unknown. Train it again.")
    priors = plain.get("priors")
    if priors not in (None, *NAMED_PRIORS):
        raise DataError(f"the model has unknown priors, {priors!r}. Train it again.")
    return Bayes(_counts(plain, free, plan, n_classes), k, plain["on"], priors)


def _read_decision(plain: Mapping[str, Any]) -> Decision:
    """How the model decides, which the file has beside what was learned; naive Bayes does not name its ties there."""
    ties, threshold = plain.get("ties", Decision.ties), plain["threshold"]
    if ties not in TIES:
        raise DataError(f"the model has an unknown rule for ties, {ties!r}. Train it again.")
    if threshold not in ("inf", "-inf") and (type(threshold) not in (int, float) or not math.isfinite(threshold)):
        raise DataError(
            f"the model's threshold must be a finite number, inf or -inf; got {threshold!r}. Train it again."
        )
    return Decision(ties, float(threshold))


def _counts(plain: Mapping[str, Any], free: Tensors, plan: Plan, n_classes: int) -> Counts:
    listed = tuple(
        Listed(int(c["column"]), tuple(c["values"]), None if c["cuts"] is None else tuple(map(float, c["cuts"])))
        for c in settled(plain["listed"], free)
    )
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
