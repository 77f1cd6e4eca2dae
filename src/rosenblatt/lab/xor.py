"""XOR: proved impossible for one perceptron, then solved twice, by three perceptrons and by one more column.

Everything is worked out by the engine on the built-in sets `xor`, `or` and `and`; nothing here knows the answer.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from rosenblatt.data import read
from rosenblatt.lab.sessions import Session
from rosenblatt.lab.xor_plane import Window, clip, corners, line_in, product_shapes, tidy
from rosenblatt.proofs import Inseparable, Separable, prove
from rosenblatt.traces import Trace, trace
from rosenblatt.traces.numerals import expanded, numeral, vector
from rosenblatt.traces.step import Step

WINDOW: Window = (-0.5, 1.5, -0.5, 1.5)
PASSES = 1000  # the most that a run here may take; all of them end long before


def tell_xor(_session: Session, _body: dict[str, Any]) -> dict[str, Any]:
    """The whole story in plain values: the rows, the proof, the run that goes round, and the two ways out."""
    return _story()


@cache
def _story() -> dict[str, Any]:
    X, y = _rows("xor")
    return {
        "rows": X.astype(int).tolist(),
        "labels": [int(label > 0) for label in y.tolist()],
        "classes": ["0", "1"],  # what a perceptron says, here and where the next one reads it
        "window": WINDOW,
        "proof": _proof(X, y),
        "cycle": _cycle(X, y),
        "network": _network(X, y),
        "product": _product(X, y),
    }


def _rows(name: str) -> tuple[np.ndarray, np.ndarray]:
    table = read(name)
    assert table.labels is not None
    points = np.column_stack([table.columns[column].to_numpy() for column in table.names]).astype(np.float64)
    return points, table.labels.to_numpy()


def _proof(X: np.ndarray, y: np.ndarray) -> dict[str, Any]:
    """The cancelling rows of `prove`, with the share of each, and their sum."""
    verdict = prove(X, y)
    assert isinstance(verdict, Inseparable)
    assert verdict.check(X, y)
    total = sum(verdict.multipliers)
    parts, rest = [], [Fraction()] * (X.shape[1] + 1)
    for row, multiplier in zip(verdict.rows, verdict.multipliers, strict=True):
        share, sign = Fraction(multiplier, total), 1 if y[row] > 0 else -1
        signed = [sign * Fraction(value) for value in (1.0, *X[row].tolist())]
        rest = [before + share * value for before, value in zip(rest, signed, strict=True)]
        parts.append(
            {
                "row": row,
                "weight": str(share),
                "signed": vector([float(value) for value in signed]),
                "times": f"[{', '.join(str(share * value) for value in signed)}]",
            }
        )
    return {
        "parts": parts,
        "meet": _meeting(verdict, X, y),
        "sum": f"[{', '.join(map(str, rest))}]",
        "words": (
            f"The rows, those of class 0 with the other sign and each taken {parts[0]['weight']} times, add up to "
            f"{vector([float(v) for v in rest])}. Weights that were right on all of them would give that sum a score "
            "above 0, and its score is 0."
        ),
    }


def _meeting(verdict: Inseparable, X: np.ndarray, y: np.ndarray) -> list[list[float]]:
    """For each class the mean of its rows by their multipliers. The two are one point: both classes surround it."""
    rows, amounts = np.array(verdict.rows), np.array(verdict.multipliers, np.float64)
    return [np.average(X[rows[side]], axis=0, weights=amounts[side]).tolist() for side in (y[rows] < 0, y[rows] > 0)]


def _cycle(X: np.ndarray, y: np.ndarray) -> dict[str, Any]:
    """One pass of the perceptron from 0, which ends where it began."""
    run = trace(X, y)
    assert np.array_equal(run.weights, run.start)
    end = vector(run.weights.tolist())
    return {
        "steps": [_step(step) for step in run],
        "weights": end,
        "words": f"One pass makes {run.n_mistakes} mistakes on {len(X)} rows and is back at {end}.",
    }


def _step(step: Step) -> dict[str, Any]:
    return {
        "step": step.step,
        "pass": step.number,
        "row": step.row,
        "before": vector(step.before.tolist()),
        "arithmetic": step.arithmetic,
        "correct": step.correct,
        "update": step.update,
        "after": vector(step.after.tolist()),
    }


def _trained(X: np.ndarray, y: np.ndarray) -> Trace:
    run = trace(X, y, passes=PASSES)
    assert all(step.correct for step in run.steps[-len(X) :]), "the run did not end with a clean pass"
    return run


def _network(X: np.ndarray, y: np.ndarray) -> dict[str, Any]:
    """OR and AND, each trained on its own rows, and a third perceptron trained on what the two say about XOR's rows."""
    runs = {name: _trained(*_rows(name)) for name in ("or", "and")}
    hidden = np.column_stack([_fires(run.weights, X) for run in runs.values()]).astype(np.float64)
    last = _trained(hidden, y)
    inputs = []
    for x, h, label in zip(X, hidden, y.tolist(), strict=True):
        units = [_unit(run.weights, x) for run in runs.values()]
        end = _unit(last.weights, h)
        inputs.append(
            {"x": x.astype(int).tolist(), "units": [*units, end], "says": end["fires"], "true": int(label > 0)}
        )
    shown = zip(
        ("OR", "AND", "OR and not AND"), (*runs.values(), last), (("x1", "x2"),) * 2 + (("OR", "AND"),), strict=True
    )
    return {
        "units": [_perceptron(name, run, names) for name, run, names in shown],
        "inputs": inputs,
        "regions": _cells(runs["or"].weights, runs["and"].weights, last.weights),
        "right": sum(one["says"] == one["true"] for one in inputs),
    }


def _fires(weights: np.ndarray, X: np.ndarray) -> np.ndarray:
    return np.asarray(weights[0] + X @ weights[1:] > 0)


def _unit(weights: np.ndarray, x: np.ndarray) -> dict[str, Any]:
    features = [1.0, *x.tolist()]
    score = float(weights @ np.array(features))
    return {"arithmetic": expanded(weights.tolist(), features, score), "score": score, "fires": int(score > 0)}


def _perceptron(name: str, run: Trace, inputs: tuple[str, ...]) -> dict[str, Any]:
    return {
        "name": name,
        "inputs": inputs,
        "weights": run.weights.tolist(),
        "text": vector(run.weights.tolist()),
        "passes": run.n_passes,
        "mistakes": run.n_mistakes,
        "line": line_in(WINDOW, run.weights.tolist()),
    }


def _cells(first: np.ndarray, second: np.ndarray, last: np.ndarray) -> list[dict[str, Any]]:
    """The plane cut by the two lines, and what the third perceptron says on each piece."""
    pieces = []
    for a in (0, 1):
        for b in (0, 1):
            piece = clip(clip(corners(WINDOW), first.tolist(), bool(a)), second.tolist(), bool(b))
            if len(piece) > 2:
                says = int(_fires(last, np.array([[a, b]], np.float64))[0])
                pieces.append({"polygon": tidy(piece), "hidden": [a, b], "says": says})
    return pieces


def _product(X: np.ndarray, y: np.ndarray) -> dict[str, Any]:
    """One perceptron with the column x1·x2 added: the run mistake by mistake, and what it proves."""
    more = np.column_stack([X, X[:, 0] * X[:, 1]])
    run, verdict = _trained(more, y), prove(more, y)
    assert isinstance(verdict, Separable)
    assert verdict.check(more, y)
    moments = [{"mistake": 0, "row": None, "after": vector(run.start.tolist()), **_shapes(run.start)}]
    for step in run:
        if not step.correct:
            moments.append({"mistake": len(moments), **_step(step), **_shapes(step.after)})
    rows = []
    for x, label in zip(more, y.tolist(), strict=True):
        unit = _unit(run.weights, x)
        rows.append({"features": vector(x.tolist()), **unit, "true": int(label > 0)})
    return {
        "names": ["1", "x1", "x2", "x1·x2"],
        "moments": moments,
        "rows": rows,
        "weights": run.weights.tolist(),
        "text": vector(run.weights.tolist()),
        "passes": run.n_passes,
        "mistakes": run.n_mistakes,
        "margin": numeral(verdict.margin),
        "bound": verdict.mistake_bound,
        "words": (
            f"{run.n_mistakes} mistakes in {run.n_passes} passes, then every row is right: [1, x1, x2, x1·x2] with "
            f"weights {vector(run.weights.tolist())}. The proof gives a margin of at least {numeral(verdict.margin)}."
        ),
    }


def _shapes(weights: np.ndarray) -> dict[str, Any]:
    lines, regions = product_shapes(WINDOW, weights.tolist())
    return {"lines": lines, "regions": regions}
