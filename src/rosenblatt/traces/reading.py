"""A trace from its JSON: run anew from what was given, so that a step that was changed cannot pass."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from rosenblatt.errors import DataError, SettingError
from rosenblatt.traces.steps import MOST_STEPS, Trace
from rosenblatt.traces.table import KIND, RECORDED_KIND, VERSION, step_of


def from_json(text: str) -> Trace:
    """The trace; DataError for another version, a damaged file, or a step that the rule does not give."""
    try:
        plain = json.loads(text)
    except ValueError as error:
        raise DataError(f"this is no trace: {error}.") from None
    if not isinstance(plain, dict) or plain.get("kind") != KIND:
        recorded = isinstance(plain, dict) and plain.get("kind") == RECORDED_KIND
        hint = " These are the updates of a model: `rosenblatt check` proves its file." if recorded else ""
        raise DataError(f"this is no trace: its kind is not {KIND!r}.{hint}")
    if plain.get("version") != VERSION:
        raise DataError(f"the trace has version {plain.get('version')!r}; this release reads version {VERSION}.")
    try:
        found = _run(plain)
        steps = plain["steps"]
        if len(steps) != len(found):
            raise DataError(f"the trace holds {len(steps)} steps; its rows and start give {len(found)}.")
        for step, given in zip(found, steps, strict=True):
            if step_of(step) != given:
                raise DataError(f"step {step.step}: the rule gives {step.update} here, and the trace says otherwise.")
    except (KeyError, TypeError, IndexError, OverflowError) as error:
        raise DataError(f"the trace is damaged: {type(error).__name__} {error}.") from None
    return found


def _run(plain: dict[str, Any]) -> Trace:
    """The trace of what was given, its shapes and values checked."""
    rows, truth, start = (np.asarray(plain[name]) for name in ("rows", "truth", "start"))
    classes, passes = tuple(plain["classes"]), plain["steps"][-1]["pass"]
    width = len(plain["features"])
    shape = (width,) if len(classes) == 2 else (len(classes), width)
    whole = truth.dtype.kind == "i" and truth.size and truth.min() >= 0 and truth.max() < len(classes)
    if rows.shape != (len(truth), width) or start.shape != shape or not whole or len(classes) < 2:
        raise DataError("the trace is damaged: rows, classes and start do not fit together.")
    if rows.dtype.kind not in "if" or start.dtype.kind not in "if" or not np.isfinite(rows).all():
        raise DataError("the trace is damaged: rows and start must be finite numbers.")
    if not isinstance(passes, int) or not 1 <= passes * len(truth) <= MOST_STEPS:
        raise DataError("the trace is damaged: its passes are not possible.")
    bias = bool(plain.get("bias", plain["features"][0] == "bias"))
    names = tuple(plain["features"][1 if bias else 0 :])
    choices = plain["ties"], bias, plain.get("margin", 0.0), plain.get("rate", 1.0), plain.get("seed")
    found = Trace(rows.astype(float), truth, classes, names, start.astype(float), passes, *choices)
    try:
        found._settings()
    except SettingError as error:
        raise DataError(f"the trace is damaged: {error}") from None
    return found
