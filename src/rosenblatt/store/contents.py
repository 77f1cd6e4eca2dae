"""A model as plain values and arrays, and back. Lists that grow with the data are arrays, in the type they need."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from rosenblatt.errors import DataError
from rosenblatt.features import Classes, Plan
from rosenblatt.learn.columns import Listed, Schema
from rosenblatt.learn.counts import Counts
from rosenblatt.loops.rows import Dense, Rows, Words, dense_rows, n_features, n_rows, sparse_rows
from rosenblatt.loops.rule import TIES
from rosenblatt.model import Bayes, Linear, Model, Record
from rosenblatt.store.checks import check_plan

FORMAT = 1
LONG = 32  # lists of more entries are arrays
Tensors = dict[str, np.ndarray]


def to_contents(model: Model) -> tuple[dict[str, Any], Tensors]:
    """The plain values that JSON holds, and the arrays."""
    tensors: Tensors = {}
    plain = {
        "format": FORMAT,
        "plan": _lifted(model.plan.to_dict(), "plan", tensors),
        "classes": model.classes.to_dict(),
        "learner": _learner(model.learner, tensors),
        "card": finite(model.card),
    }
    if model.record is not None:
        plain["record"] = _record(model.record, tensors)
    return plain, tensors


def from_contents(plain: Mapping[str, Any], tensors: Tensors) -> Model:
    """The model; DataError where something is missing, does not fit, or is not finite."""
    _only(plain, {"format", "plan", "classes", "learner", "card"} | ({"record"} & set(plain)), "the model")
    free = dict(tensors)
    plan = Plan.from_dict(_settled(plain["plan"], free))
    check_plan(plan)
    classes = _classes(plain["classes"])
    learner = _read_learner(plain["learner"], free, plan, len(classes.names))
    record = _read_record(plain["record"], free, plan, len(classes.names)) if "record" in plain else None
    if free:
        raise DataError(f"the model holds an array that nothing uses, {min(free)!r}. Train it again.")
    if not isinstance(plain["card"], dict):
        raise DataError("the model's card is no table of values. Train it again.")
    return Model(plan, classes, learner, plain["card"], record)


def finite(value: Any) -> Any:
    """The value with null for numbers that JSON does not know."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: finite(each) for key, each in value.items()}
    return [finite(each) for each in value] if isinstance(value, list | tuple) else value


def _lifted(value: Any, name: str, tensors: Tensors) -> Any:
    """The value with long lists replaced by references to arrays."""
    if isinstance(value, dict):
        return {key: _lifted(each, f"{name}.{key}", tensors) for key, each in value.items()}
    if not isinstance(value, list | tuple):
        return value
    if len(value) > LONG and all(isinstance(each, str) for each in value):
        pieces = [each.encode() for each in value]
        tensors[f"{name}.bytes"] = np.frombuffer(b"".join(pieces), np.uint8)
        tensors[f"{name}.lengths"] = narrow(np.array([len(piece) for piece in pieces], np.int64))
        return {"strings": name}
    if len(value) > LONG and all(type(each) in (int, float) for each in value):
        array = np.array(value)
        tensors[name] = array if array.dtype == np.float64 else narrow(array)
        return {"numbers": name}
    return [_lifted(each, f"{name}.{place}", tensors) for place, each in enumerate(value)]


def _settled(value: Any, free: Tensors) -> Any:
    """The value with its references replaced by lists; each array is used once."""
    if isinstance(value, dict):
        if set(value) == {"strings"}:
            return _strings(free.pop(f"{value['strings']}.bytes"), free.pop(f"{value['strings']}.lengths"))
        if set(value) == {"numbers"}:
            return free.pop(value["numbers"]).tolist()
        return {key: _settled(each, free) for key, each in value.items()}
    return [_settled(each, free) for each in value] if isinstance(value, list) else value


def _strings(data: np.ndarray, lengths: np.ndarray) -> list[str]:
    ends = np.cumsum(lengths.astype(np.int64))
    if data.dtype != np.uint8 or lengths.dtype.kind != "u" or int(ends[-1]) != len(data):
        raise DataError("the model's words do not fit together. Train it again.")
    whole = data.tobytes()
    return [whole[end - size : end].decode() for end, size in zip(ends.tolist(), lengths.tolist(), strict=True)]


def narrow(array: np.ndarray) -> np.ndarray:
    """Whole numbers in the smallest type that holds them; negative ones as they are."""
    if array.size and array.min() < 0:
        return array.astype(np.int64)
    most = int(array.max(initial=0))
    return array.astype(np.min_scalar_type(most) if most else np.uint8)


def _learner(learner: Linear | Bayes, tensors: Tensors) -> dict[str, Any]:
    if isinstance(learner, Linear):
        small = learner.weights.astype(np.float32)
        exact = np.array_equal(small.astype(np.float64), learner.weights)
        tensors["weights"] = small if exact else np.ascontiguousarray(learner.weights)
        return {"kind": "linear", "ties": learner.ties, "threshold": learner.threshold}
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
        "kind": "bayes", "k": "inf" if learner.k == math.inf else learner.k, "on": learner.on,
        "threshold": learner.threshold, "columns": schema.n_columns,
        "names": None if schema.names is None else list(schema.names), "listed": _lifted(listed, "listed", tensors),
    }  # fmt: skip


def _classes(plain: Mapping[str, Any]) -> Classes:
    _only(plain, {"names", "numeric"}, "the classes")
    classes = Classes.from_dict(plain)
    if len(set(classes.names)) < max(2, len(classes.names)) or not all(isinstance(name, str) for name in classes.names):
        raise DataError("the model's classes are not two or more different names. Train it again.")
    return classes


def _read_learner(plain: Mapping[str, Any], free: Tensors, plan: Plan, n_classes: int) -> Linear | Bayes:
    threshold = plain["threshold"]
    if type(threshold) not in (int, float) or not math.isfinite(threshold):
        raise DataError(f"the model's threshold must be a finite number; got {threshold!r}. Train it again.")
    if plain["kind"] == "linear":
        _only(plain, {"kind", "ties", "threshold"}, "the learner")
        weights, shape = free.pop("weights"), (plan.width + 1,)
        wanted = shape if n_classes == 2 else (n_classes, *shape)
        if weights.shape != wanted or weights.dtype.kind != "f" or not np.isfinite(weights).all():
            raise DataError(
                f"the model's weights must be finite and of shape {wanted}; got {weights.shape}. Train it again."
            )
        if plain["ties"] not in TIES:
            raise DataError(f"the model has an unknown rule for ties, {plain['ties']!r}. Train it again.")
        return Linear(weights.astype(np.float64), plain["ties"], float(threshold))
    if plain["kind"] != "bayes":
        raise DataError(f"the model is of unknown kind {plain['kind']!r}. Install a newer rosenblatt.")
    _only(plain, {"kind", "k", "on", "threshold", "columns", "names", "listed"}, "the learner")
    k = math.inf if plain["k"] == "inf" else float(plain["k"])
    if plain["on"] not in ("matrix", "columns") or not k >= 0:
        raise DataError(f"the model counts {plain['on']!r} with k = {plain['k']!r}, which is unknown. Train it again.")
    return Bayes(_counts(plain, free, plan, n_classes), k, plain["on"], float(threshold))


def _counts(plain: Mapping[str, Any], free: Tensors, plan: Plan, n_classes: int) -> Counts:
    listed = tuple(
        Listed(int(c["column"]), tuple(c["values"]), None if c["cuts"] is None else tuple(map(float, c["cuts"])))
        for c in _settled(plain["listed"], free)
    )
    binary, counted, presence = (free.pop(f"schema.{name}") for name in ("binary", "counted", "presence"))
    names = None if plain["names"] is None else tuple(map(str, plain["names"]))
    schema = Schema(
        int(plain["columns"]), names, binary.astype(np.int64), presence == 1, counted.astype(np.int64), listed
    )
    cells, rows, gone = free.pop("counts.cells"), free.pop("counts.rows"), free.pop("counts.gone", None)
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
    if not fits or not all(np.isfinite(array).all() and (array >= 0).all() for array in arrays):
        raise DataError("the model's counts do not fit its plan and classes. Train it again.")
    typed = [array.astype(np.float64 if array.dtype.kind == "f" else np.int64) for array in arrays]
    return Counts(schema, np.arange(n_classes), typed[1], typed[0], typed[2] if gone is not None else None)


def _record(record: Record, tensors: Tensors) -> dict[str, Any]:
    rows = record.rows
    if isinstance(rows, Dense):
        tensors["record.values"] = rows.values
    else:
        lengths = np.diff(rows.starts)
        tensors["record.starts"], tensors["record.columns"] = rows.starts, rows.columns
        tensors["record.values"] = (
            np.repeat(rows.scales, lengths.astype(np.int64)) if isinstance(rows, Words) else rows.values
        )
    tensors["record.amounts"], tensors["record.labels"] = record.amounts, record.labels
    return {
        "dense": isinstance(rows, Dense),
        "origins": _lifted(list(record.origins), "record.origins", tensors),
        "shown": _lifted(list(record.shown), "record.shown", tensors),
    }


def _read_record(plain: Mapping[str, Any], free: Tensors, plan: Plan, n_classes: int) -> Record:
    _only(plain, {"dense", "origins", "shown"}, "the record")
    origins, shown = (tuple(_settled(plain[name], free)) for name in ("origins", "shown"))
    values, amounts, labels = (free.pop(f"record.{name}") for name in ("values", "amounts", "labels"))
    rows: Rows
    if plain["dense"]:
        rows = dense_rows(values)
    else:  # looks at every column: the loops do not
        rows = sparse_rows(free.pop("record.starts"), free.pop("record.columns"), values, plan.width)
    height = len(origins)
    fits = (
        n_rows(rows) == len(shown) == len(labels) == height and n_features(rows) == plan.width
        and amounts.shape == ((height,) if n_classes == 2 else (height, n_classes)) and labels.dtype.kind == "i"
        and np.isfinite(amounts).all() and np.isfinite(values).all()
        and ((labels >= 0) & (labels < n_classes)).all() and all(isinstance(each, str) for each in origins + shown)
    )  # fmt: skip
    if not fits:
        raise DataError("the model's record of training rows does not fit its plan and classes. Train it again.")
    return Record(rows, amounts, labels, origins, shown)


def _only(plain: Mapping[str, Any], known: set[str], what: str) -> None:
    if not isinstance(plain, Mapping) or set(plain) != known:
        given = set(plain) if isinstance(plain, Mapping) else set()
        raise DataError(f"{what} has unknown or missing parts: {', '.join(sorted(given ^ known))}. Train it again.")
