"""A trace from its JSON: run anew from what was given, so that a step that was changed cannot pass."""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.claims import Misfit, either, fields, listed, nothing, number, text, truth, whole, words
from rosenblatt.errors import DataError, RosenblattError
from rosenblatt.learn.choosing import CHOSEN
from rosenblatt.strict_json import read_strictly
from rosenblatt.traces.steps import MOST_SCORES, MOST_STEPS, Trace
from rosenblatt.traces.table import KIND, RECORDED_KIND, VERSION, outcome_of, step_of

LINE = listed(number())
FORM = fields(
    {
        "classes": listed(text), "features": listed(text), "rows": listed(LINE), "truth": listed(whole()),
        "start": either(LINE, listed(LINE)), "ties": text, "steps": listed(fields({"pass": whole(1, MOST_STEPS)})),
    },
    {"bias": truth, "margin": number(), "rate": number(), "seed": either(nothing, whole(0, 2**64 - 1)),
     "order": words(*CHOSEN)},
)  # fmt: skip


def from_json(text: str | bytes) -> Trace:
    """The trace; DataError for another version, a damaged file, or a step that the rule does not give."""
    try:
        plain = read_strictly(text)
    except ValueError as error:
        raise DataError(f"this is no trace: {error}.") from None
    if not isinstance(plain, dict) or plain.get("kind") != KIND:
        recorded = isinstance(plain, dict) and plain.get("kind") == RECORDED_KIND
        hint = " These are the updates of a model: `rosenblatt check` proves its file." if recorded else ""
        raise DataError(f"this is no trace: its kind is not {KIND!r}.{hint}")
    if plain.get("version") != VERSION:
        raise DataError(
            f"the trace has version {ascii(plain.get('version'))[:40]}; this release reads version {VERSION}."
        )
    try:
        found = _run(plain)
        found.replay.scores  # noqa: B018  runs it
    except (Misfit, RosenblattError) as error:
        raise DataError(f"the trace is damaged: {str(error).removesuffix('.')}.") from None
    steps = plain["steps"]
    if len(steps) != len(found):
        raise DataError(f"the trace holds {len(steps)} steps; its rows and start give {len(found)}.")
    for step, given in zip(found, steps, strict=True):
        if step_of(step) != given:
            raise DataError(f"step {step.step}: the rule gives {step.update} here, and the trace says otherwise.")
    wrong = next((name for name, value in outcome_of(found).items() if plain.get(name, value) != value), None)
    if wrong is not None:
        raise DataError(f"{wrong}: the run ends otherwise than the trace says. {found.why()}")
    return found


def _run(plain: dict[str, Any]) -> Trace:
    """The trace of what was given, its shapes and values checked; no run is longer than the steps that are given."""
    FORM(plain, "the trace")
    n, width, classes = len(plain["truth"]), len(plain["features"]), tuple(plain["classes"])
    shape = (width,) if len(classes) == 2 else (len(classes), width)
    if len(classes) < 2 or not n or not width:
        raise Misfit("the trace must have rows, features, and two or more classes")
    rows, start = _numbers(plain["rows"], "rows", (n, width)), _numbers(plain["start"], "start", shape)
    if max(plain["truth"]) >= len(classes):
        raise Misfit(f"the trace.truth must be below {len(classes)}")
    steps = plain["steps"]
    passes, chosen = steps[-1]["pass"] if steps else 0, plain.get("order", "")
    if chosen:  # the updates, and where none is wrong any more all rows
        passes = -(-sum(step.get("rival") is not None for step in steps) // n) or 1
        if passes * n * n > MOST_SCORES:
            raise Misfit(f"the trace holds {len(steps)} steps, and {MOST_SCORES} scores are made at most")
    elif not 1 <= passes * n <= MOST_STEPS or passes * n != len(steps):
        raise Misfit(f"the trace holds {len(steps)} steps, and {passes} passes over {n} rows have {passes * n}")
    bias = bool(plain.get("bias", plain["features"][0] == "bias"))
    names = tuple(plain["features"][1 if bias else 0 :])
    choices = plain["ties"], bias, plain.get("margin", 0.0), plain.get("rate", 1.0), plain.get("seed"), chosen
    found = Trace(rows, np.asarray(plain["truth"]), classes, names, start, passes, *choices)
    found._settings()
    return found


def _numbers(given: list[Any], name: str, shape: tuple[int, ...]) -> np.ndarray:
    lines = given if given and isinstance(given[0], list) else [given]
    if len({len(line) for line in lines}) > 1 or (*((len(lines),) if lines is given else ()), len(lines[0])) != shape:
        raise Misfit(f"the trace.{name} must be of shape {shape}")
    return np.asarray(given, np.float64)
