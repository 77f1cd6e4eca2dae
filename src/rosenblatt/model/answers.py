"""What is told of rows: their classes and, where that is asked for, scores, probabilities and sets; and why.

`predict` writes the columns, a server gives the plain values: both are made here, so they cannot differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from rosenblatt.data.table import Table, string_column
from rosenblatt.features.labels import place_of_positive
from rosenblatt.learn.calibration import refuse_none
from rosenblatt.learn.decide import Decision
from rosenblatt.learn.explain import Explanation
from rosenblatt.model.marked import plain_spans

if TYPE_CHECKING:
    from rosenblatt.model.trained import Model


class Asked(NamedTuple):
    """What is to be told of a row beside its class."""

    scores: bool = False
    probabilities: bool = False
    coverage: float | None = None  # of sets
    positive: str | None = None  # of two classes, the one that scores point to; otherwise the second

    def check(self, model: Model) -> list[str]:
        """Refuses what the model cannot give, before any row is read; what is promised of sets comes back."""
        if self.positive is not None:
            place_of_positive(self.positive, model.classes.names)
        if not self.probabilities and self.coverage is None:
            return []
        ranks = refuse_none(model.decision.calibration).ranks
        return [] if self.coverage is None or ranks is None else ranks.promised(self.coverage, model.classes.names)


def answer_columns(model: Model, found: np.ndarray, asked: Asked) -> pa.Table:
    """The answers about rows of these scores, as columns."""
    codes = model.decision.decide(found)
    names = string_column(model.classes.names).cast(pa.string())
    columns: dict[str, Any] = {"prediction": names.take(_column(codes.astype(np.int64)))}
    if asked.scores and found.ndim == 1:
        turned = asked.positive == model.classes.names[0]
        towards, line = (0.0 - found, 0.0 - model.decision.threshold) if turned else (found, model.decision.threshold)
        columns[f"score {model.classes.names[0 if turned else 1]}"] = _column(towards.astype(np.float64))
        columns["threshold"] = _column(np.full(len(found), line, np.float64))
    elif asked.scores:
        for place, name in enumerate(model.classes.names):
            columns[f"score {name}"] = _column(np.ascontiguousarray(found[:, place], np.float64))
    if asked.probabilities:
        shares = model.decision.probabilities(found)
        for place, name in enumerate(model.classes.names):
            columns[f"probability {name}"] = _column(np.ascontiguousarray(shares[:, place]))
    if asked.coverage is not None:
        members = model.decision.sets(found, asked.coverage)
        ends = np.append(0, members.sum(axis=1).cumsum()).astype(np.int32)
        held = names.take(_column(np.nonzero(members)[1].astype(np.int64)))
        columns["set"] = pa.ListArray.from_arrays(_column(ends), held)
    return pa.table(columns)


def plain_answers(model: Model, found: np.ndarray, asked: Asked) -> list[dict[str, Any]]:
    """The answers about rows of these scores, as plain values; of two classes the score of the second."""
    names = model.classes.names
    answers: list[dict[str, Any]] = [{"prediction": names[code]} for code in model.decision.decide(found).tolist()]
    if asked.scores:
        towards = names[1:] if found.ndim == 1 else names
        line = {"threshold": model.decision.threshold} if found.ndim == 1 else {}
        for answer, scores in zip(answers, found.reshape(len(found), -1).tolist(), strict=True):
            answer.update(scores=dict(zip(towards, scores, strict=True)), **line)
    if asked.probabilities:
        for answer, shares in zip(answers, model.decision.probabilities(found).tolist(), strict=True):
            answer["probabilities"] = dict(zip(names, shares, strict=True))
    if asked.coverage is not None:
        for answer, members in zip(answers, model.decision.sets(found, asked.coverage), strict=True):
            answer["set"] = [names[place] for place in np.flatnonzero(members)]
    return answers


def plain_explanation(model: Model, table: Table, flip: bool = False, positive: str | None = None) -> dict[str, Any]:
    """Why the model decides as it does about one row, as plain values; positive    as `explanation_towards` has it."""
    turned = {"flip": model.flip(table).to_dict()} if flip else {}
    found, decision = explanation_towards(model, table, positive)
    spans = plain_spans(model.plan, table, found)
    return {**_plain(found, decision), **spans, **calibrated(model, table), **turned}


def explanation_towards(model: Model, table: Table, positive: str | None) -> tuple[Explanation, Decision]:
    """Why the model decides as it does about one row, and how; positive    of two classes, the one of the score."""
    found = model.explain(table)
    if positive is None or place_of_positive(positive, model.classes.names) == 1:
        return found, model.decision
    return found.turned(), model.decision.turned()


def calibrated(model: Model, table: Table) -> dict[str, Any]:
    """The calibrated probability of each class; nothing of a model without a calibration."""
    if model.decision.calibration is None:
        return {}
    return {"calibrated": dict(zip(model.classes.names, model.predict_proba(table)[0].tolist(), strict=True))}


def _plain(found: Explanation, decision: Decision) -> dict[str, Any]:
    """An infinite score stays one; `impossible` says what makes it so."""
    two = len(found.contributions) == 1
    towards = [found.classes[1]] if two else list(found.classes)
    lines = [(number, name, found.order(number)) for number, name in enumerate(towards)]
    plain = {
        "predicted": found.predicted,
        **({"threshold": decision.threshold} if two else {}),
        "scores": {name: float(score) for name, score in zip(towards, found.scores, strict=True)},
        "constant": {name: float(bias) for name, bias in zip(towards, found.bias, strict=True)},
        "contributions": {
            name: {str(found.names[j]): float(found.contributions[number, j]) for j in order}
            for number, name, order in lines
        },
    }
    never: dict[str, list[str]] = {}
    for number, _, order in lines:
        for j in order:
            if name := found.impossible(number, j):
                never.setdefault(name, []).append(str(found.names[j]))
    return {**plain, **({"impossible": never} if never else {}), **_probabilities(found)}


def _probabilities(found: Explanation) -> dict[str, Any]:
    """Of naive Bayes P(y | row), and the products that it comes from."""
    return {} if found.factors is None else {"probabilities": found.probabilities, "products": found.factors.to_dict()}


def _column(numbers: Any) -> pa.Array:
    """The numbers as Arrow has them, over the same memory. `pa.array` would load what it never needs: 0.03 s."""
    return pa.Array.from_buffers(pa.from_numpy_dtype(numbers.dtype), len(numbers), [None, pa.py_buffer(numbers)])
