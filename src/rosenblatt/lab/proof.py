"""The call `proof`: whether the points can be separated, with what proves it, and how good the best margin is."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rosenblatt.lab.bench import Bench, read_bench
from rosenblatt.lab.sessions import Session
from rosenblatt.proofs.clock import Clock
from rosenblatt.proofs.exact import signed_sum
from rosenblatt.proofs.input import read_question
from rosenblatt.proofs.portfolio import answer
from rosenblatt.proofs.question import Question
from rosenblatt.proofs.verdicts import Inseparable, Separable, Undecided
from rosenblatt.traces.numerals import vector

SECONDS = 3.0
FEW = 10**6  # multiples that add up to more are told as shares
EXACT = 2**53  # larger whole numbers lose digits in a browser


def proof(session: Session, body: dict[str, Any]) -> dict[str, Any]:
    """The verdict about the points of the bench. Of its settings the bias, start, margin and rate count."""
    bench = read_bench(body)
    kept = session.get(f"proof {bench.key}")
    return kept if isinstance(kept, dict) else session.keep(f"proof {bench.key}", tell(bench), 20_000)


def tell(bench: Bench) -> dict[str, Any]:
    question = read_question(bench.points, bench.codes, bench.bias)
    verdict = answer(question, Clock(SECONDS))
    plain: dict[str, Any] = {"kind": verdict.kind, "found_by": getattr(verdict, "found_by", "")}
    if isinstance(verdict, Separable):
        return plain | _separable(verdict, bench)
    if isinstance(verdict, Inseparable):
        return plain | _inseparable(question, verdict, bench)
    return plain | _undecided(verdict)


def _separable(verdict: Separable, bench: Bench) -> dict[str, Any]:
    """Told are the weights of the best margin, and the two bounds that the proofs give for it."""
    low, high = verdict.best_margin
    best = verdict.best
    words = (
        f"{best.statement.capitalize()}: a boundary has every point strictly on its side, with margin γ = {low:.4g}. "
        f"No row is longer than R = {best.radius:.4g}, so a run from 0 makes at most (R/γ)² = {_count(best)} mistakes."
    )
    return {
        "words": words,
        "margin": low,
        "best_margin": [low, high if math.isfinite(high) else None],
        "support": list(verdict.support),
        "gap": best.gap,
        "radius": best.radius,
        "bound": best.mistake_bound if best.mistake_bound < EXACT else float(min(best.mistake_bound, 10**300)),
        "bound_here": bound_here(best, bench),
        "weights": np.asarray(best.weights, np.float64).ravel().tolist(),
    }


def _count(verdict: Separable) -> str:
    most = verdict.mistake_bound
    return f"{most:,}" if most < EXACT else f"{float(min(most, 10**300)):.3g}"


def bound_here(verdict: Separable, bench: Bench) -> float | None:
    """At most so many updates of a run with this start, margin and rate.

    With u of length 1 and margin γ, each update on z adds at least γ to w·u and at most R² + 2τ to |w|² (it happens
    only where z·w <= τ). So after n updates n γ + w₀·u <= |w| <= √(|w₀|² + n (R² + 2τ)), a quadratic in n. From 0 with
    τ = 0 it is Novikoff's (R/γ)². A rate α is as good as 1 with w₀ / α and τ / α.
    """
    weights = np.asarray(verdict.weights, np.float64)
    if not verdict.margin > 0:
        return None
    start = np.zeros(weights.shape) if bench.start is None else bench.start / bench.alpha
    along = float(np.sum(start * weights) / np.linalg.norm(weights))
    length = float(np.sum(start * start))
    gamma, grows = verdict.margin, verdict.radius**2 + 2 * bench.margin / bench.alpha
    half = grows - 2 * gamma * along
    most = (half + math.sqrt(half * half + 4 * gamma * gamma * max(0.0, length - along * along))) / (2 * gamma * gamma)
    return math.floor(most * (1 + 1e-9)) if math.isfinite(most) else None


def _inseparable(question: Question, verdict: Inseparable, bench: Bench) -> dict[str, Any]:
    total = sum(verdict.multipliers)
    largest = max(verdict.multipliers)
    rest = signed_sum(question, verdict.rows, verdict.others, verdict.multipliers)
    width = question.width
    blocks = 1 if question.n_classes == 2 else question.n_classes
    zero = [float(value) for value in rest.values()] or [0.0] * width * blocks
    shares = [f"{m} ×" if total < FEW else f"{m / total:.2%} of" for m in verdict.multipliers]
    parts = [f"{share} point {row + 1}" for row, share in zip(verdict.rows, shares, strict=True)]
    shown = ", ".join(parts[:6]) + (f" and {len(parts) - 6} more" if len(parts) > 6 else "")
    claim = verdict.statement.capitalize()
    if verdict.found_by == "equal rows":
        first, second = verdict.rows
        words = f"{claim}: points {first + 1} and {second + 1} lie in the same place and are of different classes."
    elif len(verdict.rows) == 1:
        words = f"{claim}: point {verdict.rows[0] + 1} is the origin, and without a bias every boundary meets it."
    else:
        words = (
            f"{claim}: {shown}, each counted towards its class, sum to {vector(zero[:width])} exactly. Weights "
            "that were right on all of them would give that sum a score above 0, but its score is 0."
        )
    return {
        "words": words,
        "rows": list(verdict.rows),
        "multipliers": list(verdict.multipliers) if largest < EXACT else [m / total for m in verdict.multipliers],
        "shares": [m / total for m in verdict.multipliers],
        "others": [bench.classes[other] for other in verdict.others],
        "sum": zero,
        "meeting": _meeting(verdict, bench),
    }


def _meeting(verdict: Inseparable, bench: Bench) -> list[float] | None:
    """Where both classes surround the same point: the mean of the rows of one, by their multipliers, with a bias."""
    if len(bench.classes) > 2 or not bench.bias:
        return None
    rows, amounts = np.array(verdict.rows), np.array(verdict.multipliers, np.float64)
    side = bench.codes[rows] == 1
    return [float(value) for value in np.average(bench.points[rows[side]], axis=0, weights=amounts[side])]


def _undecided(verdict: Undecided) -> dict[str, Any]:
    return {
        "words": (
            f"{verdict.statement.capitalize()} after {SECONDS:g} seconds: neither proof was found. No margin exceeds "
            f"{verdict.high:.4g}."
        ),
        "best_margin": [0.0, verdict.high if math.isfinite(verdict.high) else None],
    }
