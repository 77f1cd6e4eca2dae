"""The training rows of a recorded model and the ordered list of its updates, as plain values and arrays, and back.

Rising numbers are kept as the gaps between them, in the smallest type that holds these: no list can be out of order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from rosenblatt.errors import DataError
from rosenblatt.features import Plan
from rosenblatt.learn.recording import Recording
from rosenblatt.learn.rule import NONE
from rosenblatt.learn.rules import RULES
from rosenblatt.learn.settings import Settings
from rosenblatt.learn.variants import VARIANTS
from rosenblatt.loops.rows import FLOATS, Dense, Rows, Words, dense_rows, n_features, n_rows, sparse_rows
from rosenblatt.model import Learner
from rosenblatt.model.kept_rows import KeptRows
from rosenblatt.model.training import Training
from rosenblatt.store.arrays import Tensors, lifted, narrow, only, settled

DECIDED = {"weights", "margin", "ties", "max_iter", "shuffle", "seed"}  # what settings decide about a run of `train`
OF_RULES = {"rule", "C"}  # where the rule is not that of the notes
MOST = 2**53  # steps of a run


def record_contents(record: KeptRows, n_classes: int, plan: Plan, tensors: Tensors, own: bool) -> dict[str, Any]:
    """The plain values of a record; its arrays go to the tensors.

    own    whether the rows are those of the learner, so that they are in the file already
    """
    if own and record.training is not None:
        tensors["run.numbers"] = narrow(record.training.numbers)
        return {"run": _run(record.training, n_classes, plan, tensors)}
    rows_contents(record.rows, "record", tensors)
    tensors["record.labels"] = record.labels
    if record.shares is not None:
        tensors["record.amounts"] = record.shares
    plain = {
        "dense": isinstance(record.rows, Dense),
        "origins": lifted(list(record.origins), "record.origins", tensors),
        "shown": lifted(list(record.shown), "record.shown", tensors),
    }
    if record.training is not None:
        tensors["run.numbers"] = _gaps(record.training.numbers)
        plain["run"] = _run(record.training, n_classes, plan, tensors)
    return plain


def _run(training: Training, n_classes: int, plan: Plan, tensors: Tensors) -> dict[str, Any]:
    made, rule = training.recording, RULES[training.settings.rule]
    tensors["run.part"] = np.packbits(training.part)
    tensors["run.steps"] = _gaps(made.steps)
    tensors["run.rows"] = narrow(made.rows)
    if n_classes > 2:  # of two classes the one that is punished is the other
        tensors["run.rivals"] = narrow(made.rivals)
    if not rule.plain:  # otherwise each update adds its row as often as a row of its class counts
        tensors["run.amounts"] = made.amounts
    if not rule.multiples:
        tensors["run.shrinks"] = made.shrinks
    decided = DECIDED if rule.plain else DECIDED | OF_RULES
    plain = {
        "settings": {name: getattr(training.settings, name) for name in sorted(decided)},
        "passes": training.passes, "data": len(training.part), "fingerprint": training.fingerprint,
    }  # fmt: skip
    if training.counts is not None:
        tensors["run.counts"] = training.counts
    if training.columns is not None:
        counted = set(training.columns)
        tensors["run.columns"] = np.array([line.column in counted for line in plan.lines], np.uint8)
        plain["encoded"] = training.encoded
    return plain


def read_record(plain: Mapping[str, Any], free: Tensors, plan: Plan, n_classes: int, learner: Learner) -> KeptRows:
    """The record; DataError where it does not fit the plan, the classes, or itself."""
    if learner.holds_rows:
        only(plain, {"run"}, "the record")
        numbers = free.pop("run.numbers")
        if numbers.ndim != 1 or numbers.dtype.kind != "u" or len(np.unique(numbers)) != len(numbers):
            raise _misfit()
        labels, numbers = learner.kept_rows(None).labels, numbers.astype(np.int64)
        return learner.kept_rows(_read_run(plain["run"], free, labels, n_classes, plan, numbers))
    only(plain, {"dense", "origins", "shown"} | ({"run"} & set(plain)), "the record")
    origins, shown = (tuple(settled(plain[name], free)) for name in ("origins", "shown"))
    shares, labels = free.pop("record.amounts", None), free.pop("record.labels")
    if type(plain["dense"]) is not bool:
        raise DataError("the model's record does not say how its rows are stored. Train it again.")
    rows = read_rows("record", plain["dense"], free, plan.width)
    height = len(origins)
    fits = (
        n_rows(rows) == len(shown) == height and labels.shape == (height,) and labels.dtype.kind == "i"
        and ((labels >= 0) & (labels < n_classes)).all() and all(isinstance(each, str) for each in origins + shown)
    )  # fmt: skip
    if not fits:
        raise _no_rows()
    training = None
    if "run" in plain:
        training = _read_run(plain["run"], free, labels, n_classes, plan, _risen(free.pop("run.numbers")))
    summed = training is None or RULES[training.settings.rule].multiples
    shape = (height,) if n_classes == 2 else (height, n_classes)
    if summed != (shares is not None) or (shares is not None and not _finite(shares, shape)):
        raise _no_rows()
    return KeptRows(rows, shares, labels, origins, shown, training)


def rows_contents(rows: Rows, name: str, tensors: Tensors) -> None:
    """Encoded rows as arrays of that name."""
    if isinstance(rows, Dense):
        tensors[f"{name}.values"] = rows.values
        return
    tensors[f"{name}.starts"], tensors[f"{name}.columns"] = rows.starts, rows.columns
    tensors[f"{name}.values"] = (
        np.repeat(rows.scales, np.diff(rows.starts).astype(np.int64)) if isinstance(rows, Words) else rows.values
    )


def read_rows(name: str, dense: bool, free: Tensors, width: int) -> Rows:
    """The encoded rows of that name; DataError where they are not finite or not so wide."""
    values = free.pop(f"{name}.values")
    rows: Rows = (
        dense_rows(values) if dense else _sparse(free.pop(f"{name}.starts"), free.pop(f"{name}.columns"), values, width)
    )
    typed = values.dtype == np.uint8 or values.dtype in FLOATS
    if n_features(rows) != width or not typed or not np.isfinite(values).all():
        raise _no_rows()
    return rows


def _sparse(starts: np.ndarray, columns: np.ndarray, values: np.ndarray, width: int) -> Rows:
    """The rows, whose arrays must be as they were written: whole, in order, and of the loops' own types."""
    types = starts.dtype == np.uint64 and columns.dtype == np.uint32
    flat = starts.ndim == columns.ndim == values.ndim == 1
    if not types or not flat or not len(starts) or not int(starts[-1]) == len(columns) == len(values):
        raise _no_rows()
    rows = sparse_rows(starts, columns, values, width)  # looks at every column: the loops do not
    if isinstance(rows, Dense) or not np.array_equal(rows.columns, columns):
        raise DataError("the model's record of training rows is out of order. Train it again.")
    return rows


def _read_run(
    plain: Mapping[str, Any], free: Tensors, labels: np.ndarray, n_classes: int, plan: Plan, numbers: np.ndarray
) -> Training:
    newer = {"encoded"} & set(plain)  # a file of format 2 has neither this nor the columns
    only(plain, {"settings", "passes", "data", "fingerprint"} | newer, "the record of the run")
    only(plain["settings"], DECIDED | (OF_RULES & set(plain["settings"])), "the settings of the run")
    packed, rows = free.pop("run.part"), free.pop("run.rows")
    steps = _risen(free.pop("run.steps"))
    passes, data = plain["passes"], plain["data"]
    height = len(labels)
    fits = (
        _count(passes) and _count(data) and isinstance(plain["fingerprint"], str)
        and packed.dtype == np.uint8 and packed.shape == (-(-data // 8),)
        and numbers.shape == (height,) and rows.dtype.kind == "u" and rows.shape == steps.shape and len(rows) > 0
        and bool((rows < height).all())
    )  # fmt: skip
    if not fits:
        raise _misfit()
    part = np.unpackbits(packed)
    visited = int(np.count_nonzero(part))
    rows = rows.astype(np.int64)
    rivals = (1 - labels[rows]).astype(np.uint32) if n_classes == 2 else free.pop("run.rivals")
    fits = (
        not part[data:].any() and passes * visited < MOST and height > 0 and int(numbers.max()) < visited
        and passes <= len(rows) + 1  # a pass without an update is the last
        and int(steps[-1]) < passes * visited and rivals.shape == rows.shape and rivals.dtype.kind == "u"
        and bool((rivals < n_classes).all()) and bool((rivals != labels[rows]).all())
    )  # fmt: skip
    if not fits:
        raise _misfit()
    settings = _settings(plain["settings"])
    rule = RULES[settings.rule]
    counts = _above_0("run.counts", free, n_classes) if "run.counts" in free else None
    same = np.ones(len(rows)) if counts is None else counts[labels[rows]]
    amounts = same if rule.plain else _above_0("run.amounts", free, len(rows))
    shrinks = NONE if rule.multiples else _above_0("run.shrinks", free, len(rows))
    made = Recording(steps, rows, rivals.astype(np.int32), amounts, shrinks, (visited,) * passes)
    columns, encoded = _what_counts(plain, free, plan) if newer else (None, "")
    rows_of = part[:data].astype(bool)
    return Training(made, settings, rows_of, numbers, plain["fingerprint"], columns, encoded, counts)


def _above_0(name: str, free: Tensors, count: int) -> np.ndarray:
    """How much of its row each update added, or what it took from the variances."""
    found = free.pop(name)
    if not _finite(found, (count,)) or not (found > 0).all():
        raise _misfit()
    return found


def _finite(values: np.ndarray, shape: tuple[int, ...]) -> bool:
    return values.dtype == np.float64 and values.shape == shape and bool(np.isfinite(values).all())


def _what_counts(plain: Mapping[str, Any], free: Tensors, plan: Plan) -> tuple[tuple[str, ...], str]:
    """The columns that counted as contents, one mark for each of the plan, and the hash of the encoded rows."""
    marks, encoded = free.pop("run.columns"), plain["encoded"]
    if marks.dtype != np.uint8 or marks.shape != (len(plan.lines),) or marks.max(initial=0) > 1:
        raise _misfit()
    if not isinstance(encoded, str) or not re.fullmatch("[0-9a-f]{64}", encoded):
        raise _misfit()
    return tuple(line.column for line, mark in zip(plan.lines, marks, strict=True) if mark), encoded


def _settings(plain: Mapping[str, Any]) -> Settings:
    """The settings; they check their own values, but for what must be whole or a truth value."""
    seed = plain["seed"]
    if type(seed) is not int or not 0 <= seed < 2**64 or type(plain["shuffle"]) is not bool:
        raise _misfit()
    if plain["weights"] not in VARIANTS or VARIANTS[plain["weights"]].single:
        raise _misfit()
    return Settings(**plain, tol=None, record=True)


def _gaps(rising: np.ndarray) -> np.ndarray:
    """What lies between numbers that rise from 0 or more: 0 for the next one."""
    return narrow(np.diff(rising.astype(np.int64), prepend=-1) - 1)


def _risen(gaps: np.ndarray) -> np.ndarray:
    """The rising numbers again; none is beyond MOST, so that no sum of them overflows."""
    if gaps.ndim != 1 or gaps.dtype.kind != "u" or float(gaps.sum(dtype=np.float64)) + len(gaps) >= MOST:
        raise _misfit()
    return np.cumsum(gaps.astype(np.int64) + 1) - 1


def _count(value: Any) -> bool:
    return type(value) is int and 0 < value < MOST


def _no_rows() -> DataError:
    return DataError("the model's record of training rows does not fit its plan and classes. Train it again.")


def _misfit() -> DataError:
    return DataError("the model's list of updates does not fit the rows that it keeps. Train it again.")
