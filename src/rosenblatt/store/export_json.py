"""A model as JSON that a person can read: the plan, the classes, and a weight for every feature by its name."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from rosenblatt.model import Model

FORMAT = "rosenblatt export"
VERSION = 1
SHORT = 12  # items of a list on one line


def to_json(model: Model) -> str:
    """Everything needed to compute the scores again, and the card."""
    plain: dict[str, Any] = {"format": FORMAT, "version": VERSION, "classes": model.classes.to_dict()}
    scores = _scores(model)
    plain["learner"] = {**model.learner.facts(model.plan), **scores}
    plain["plan"] = model.plan.to_dict()
    if model.plan.units is not None:  # the file has a seed for the wires; here they stand as they are
        plain["units"] = model.plan.units.listed(model.plan.plain.names)
    plain["card"] = model.card
    return laid_out(plain) + "\n"


def laid_out(value: Any, indent: str = "") -> str:
    """JSON with one member or item on a line, but short lists of plain values on one: a feature and its weight."""
    deeper = indent + " "
    if isinstance(value, dict) and value:
        lines = [
            f"{deeper}{json.dumps(str(key), ensure_ascii=False)}: {laid_out(v, deeper)}" for key, v in value.items()
        ]
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    if isinstance(value, list | tuple) and (
        len(value) > SHORT or any(isinstance(v, dict | list | tuple) for v in value)
    ):
        return "[\n" + ",\n".join(deeper + laid_out(v, deeper) for v in value) + f"\n{indent}]"
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def finite(value: float) -> float | str:
    """The number, or the word for an infinite one, which JSON does not have and float() reads."""
    return float(value) if np.isfinite(value) else str(float(value))


def _scores(model: Model) -> dict[str, Any]:
    """For each class (with two: for the second against the first) its constant and its weights by feature.

    Features are [name, weight] in the order of the formula, because names need not be unique. Where scores are no sum
    of weights, there are none.
    """
    formula, classes = model.learner.of_features(model.plan, "JSON"), model.classes.names
    several = len(formula.weights) > 1
    plain: dict[str, Any] = {
        "rule": "the class of the highest score" if several else "the second class where the score is above threshold",
        "ties": model.decision.ties,
        "threshold": finite(model.decision.threshold),
    }
    if formula.unless:
        return plain
    lines = zip(classes if several else classes[1:], formula.constant.tolist(), formula.weights.tolist(), strict=True)
    plain["scores"] = [
        {
            "class": name,
            "constant": finite(constant),
            "weights": [[feature, finite(weight)] for feature, weight in zip(formula.names, line, strict=True)],
        }
        for name, constant, line in lines
    ]
    return plain
