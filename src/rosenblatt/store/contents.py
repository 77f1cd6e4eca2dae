"""A model as plain values and arrays, and back. Lists that grow with the data are arrays, in the type they need."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.errors import DataError
from rosenblatt.features import Classes, Plan
from rosenblatt.features.checks import read_plan
from rosenblatt.learn.rules import RULES
from rosenblatt.learn.smoothing import Weighted
from rosenblatt.loops.ties import TIES
from rosenblatt.model import Decision, Learner, Model, Seen
from rosenblatt.model.card import read_card
from rosenblatt.model.seen import MOST
from rosenblatt.store.arrays import Tensors, lifted, only, settled, written
from rosenblatt.store.calibrations import calibration_contents, read_calibration
from rosenblatt.store.counted import count_contents, read_counts
from rosenblatt.store.curved import curve_contents, read_curve
from rosenblatt.store.records import read_record, record_contents
from rosenblatt.store.votes import read_votes, vote_contents
from rosenblatt.store.weights import read_weights, weight_contents


class State(NamedTuple):
    """How a file holds a kind of learner: plain values, with the arrays beside them, and back."""

    write: Callable[[Any, Tensors], dict[str, Any]]
    read: Callable[[Mapping[str, Any], Tensors, Plan, int, str], Learner]  # the last two: how many classes, and ties
    ties: bool = True  # whether its plain values name the rule for ties


STATES = {
    "linear": State(weight_contents, read_weights),
    "bayes": State(count_contents, read_counts, ties=False),
    "voted": State(vote_contents, read_votes),
    "kernel": State(curve_contents, read_curve),
}
# 2 added the order of updates to the record, 3 hashes of the training rows and what counts, 4 voted weights,
# 5 recorded runs of rules whose updates have amounts of their own, variances beside weights, and how scores become
# probabilities, 6 kernels, 7 association units, 8 recorded runs of kernels, and weights of classes in recorded runs and
# naive Bayes.
FORMAT = 8  # the newest


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
        own = model.learner.holds_rows
        plain["record"] = record_contents(model.record, len(model.classes.names), model.plan, tensors, own)
    if model.decision.calibration is not None:
        plain["calibration"] = calibration_contents(model.decision.calibration, tensors)
    if model.seen is not None:
        tensors["seen"] = model.seen.hashes.astype("<u8").view(np.uint8).reshape(-1, 8)
        plain["seen"] = {"whole": model.seen.whole}
    return plain, tensors


def format_of(model: Model) -> int:
    """The oldest format that can hold the model, so that older programs read what they can."""
    training = None if model.record is None else model.record.training
    weighed = training is not None and (training.counts is not None or model.learner.holds_rows)
    if weighed or isinstance(getattr(model.learner, "priors", None), Weighted):
        return 8
    if model.plan.units is not None:
        return 7
    own = training is not None and not RULES[training.settings.rule].plain
    beside = getattr(model.learner, "variances", None)
    if own or beside is not None or model.decision.calibration is not None:
        return max(5, model.learner.format)
    if model.seen is not None or (training is not None and training.columns is not None):
        return max(3, model.learner.format)
    return max(1 if training is None else 2, model.learner.format)


def from_contents(plain: Mapping[str, Any], tensors: Tensors) -> Model:
    """The model; DataError where something is missing, does not fit, or is not finite."""
    may = {"record", "seen", "calibration"} & set(plain)
    only(plain, {"format", "plan", "classes", "learner", "card"} | may, "the model")
    free = dict(tensors)
    plan = read_plan(settled(plain["plan"], free))
    classes = _classes(plain["classes"])
    decision = _read_decision(plain["learner"])
    if "calibration" in plain:
        decision = replace(decision, calibration=read_calibration(plain["calibration"], free, len(classes.names)))
    learner = _read_learner(plain["learner"], free, plan, len(classes.names), decision)
    record = read_record(plain["record"], free, plan, len(classes.names), learner) if "record" in plain else None
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
    state = STATES[learner.kind]
    ties = {"ties": decision.ties} if state.ties else {}
    return {"kind": learner.kind, **state.write(learner, tensors), **ties, "threshold": written(decision.threshold)}


def _classes(plain: Mapping[str, Any]) -> Classes:
    only(plain, {"names", "reads"} if "reads" in plain else {"names", "numeric"}, "the classes")
    classes = Classes.from_dict(plain)
    texts = all(isinstance(name, str) for name in classes.names) and type(plain.get("numeric", False)) is bool
    if not texts or len(set(classes.names)) < max(2, len(classes.names)):
        raise DataError("the model's classes are not two or more different names. Train it again.")
    return classes


def _read_learner(plain: Mapping[str, Any], free: Tensors, plan: Plan, n_classes: int, decision: Decision) -> Learner:
    state = STATES.get(plain["kind"])
    if state is None:
        raise DataError(f"the model is of unknown kind {plain['kind']!r}. Install a newer rosenblatt.")
    return state.read(plain, free, plan, n_classes, decision.ties)


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
