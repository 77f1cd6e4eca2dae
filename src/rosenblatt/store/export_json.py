"""A model as JSON that a person can read: the plan, the classes, and a weight for every feature by its name."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.model import Bayes

if TYPE_CHECKING:
    from rosenblatt.model import Linear, Model

FORMAT = "rosenblatt export"
VERSION = 1
SHORT = 12  # items of a list on one line


def to_json(model: Model) -> str:
    """Everything needed to compute the scores again, and the card."""
    plain: dict[str, Any] = {"format": FORMAT, "version": VERSION, "classes": model.classes.to_dict()}
    learner: Any = model.learner.one_set("JSON")
    plain["learner"] = _bayes(model, learner) if isinstance(learner, Bayes) else _linear(model, learner)
    plain["plan"] = model.plan.to_dict()
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


def _linear(model: Model, learner: Linear) -> dict[str, Any]:
    """For each class (with two: for the second against the first) its constant and its weights by feature.

    Features are [name, weight] in the order of the plan, because names need not be unique.
    """
    weights = learner.weights
    classes = model.classes.names
    lines = np.atleast_2d(weights).astype(np.float64).tolist()
    features, several = model.plan.names, weights.ndim == 2
    return {
        "kind": "linear",
        "rule": "the class of the highest score" if several else "the second class where the score is above threshold",
        "ties": model.decision.ties,
        "threshold": finite(model.decision.threshold),
        "scores": [
            {"class": name, "constant": line[-1], "weights": [list(pair) for pair in zip(features, line, strict=False)]}
            for name, line in zip(classes if several else classes[1:], lines, strict=True)
        ],
    }  # fmt: skip


def _bayes(model: Model, learner: Bayes) -> dict[str, Any]:
    counts = learner.counts
    cells = zip(learner.cell_names(model.plan), counts.cells.tolist(), strict=True)
    return {
        "kind": "naive Bayes",
        "on": learner.on,
        "k": finite(learner.k),
        **({} if learner.priors is None else {"priors": learner.priors}),
        "threshold": finite(model.decision.threshold),
        "rows": counts.rows.tolist(),
        "counts": [list(cell) for cell in cells],
    }
