"""The likelihood of two counts: its curve, every theta on it, and where each k from 0 to infinity puts the estimate.

All stops of both sliders are answered at once, so that moving one asks nobody.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from rosenblatt.errors import DataError
from rosenblatt.lab.bayes import STOPS, k_text
from rosenblatt.lab.sessions import Session
from rosenblatt.lab.wanted import several, text, whole
from rosenblatt.report.estimate import Estimate, estimate
from rosenblatt.report.formulas import exact, likelihood_formula, slope_formula
from rosenblatt.report.likelihood import height

MOST = 50  # draws of each value
PLACES = 100  # steps of theta from 0 to 1
LONGEST_NAME = 20
EXAMPLES: tuple[dict[str, Any], ...] = (
    {
        "name": "coin",
        "title": "Ten flips of a coin",
        "about": "Seven heads of ten: which θ makes that most likely?",
        "values": ["heads", "tails"],
        "counts": [7, 3],
    },
    {
        "name": "balls",
        "title": "Three balls: red, red, blue",
        "about": "Drawn from a bag and put back each time. L has its maximum of 4/27 at θ = 2/3, and a minimum at 0.",
        "values": ["red", "blue"],
        "counts": [2, 1],
    },
    {
        "name": "word",
        "title": "A word that was never seen",
        "about": "“minute” was in none of five ham mails. The maximum lies at the edge, θ = 0; only k moves it away.",
        "values": ["with “minute”", "without"],
        "counts": [0, 5],
    },
)


def show_likelihood(_session: Session, body: dict[str, Any]) -> dict[str, Any]:
    """The curve of the counts, what stands at each theta, and the estimate of each k."""
    values = [text("a value", value, LONGEST_NAME) for value in several("values", body.get("values"), 2, 2)]
    counts = [whole("a count", count, 0, MOST) for count in several("counts", body.get("counts"), 2, 2)]
    if values[0] == values[1] or not all(values):
        raise DataError("values must be two different names.")
    found = estimate(dict(zip(values, counts, strict=True)))
    return {
        "formulas": [*likelihood_formula(values, counts).split("\n"), *slope_formula(found)],
        "top": _short(float(found.likelihood())),
        "places": [_place(found, Fraction(place, PLACES)) for place in range(PLACES + 1)],
        "stops": [_stop(found.smoothed(k)) for k in STOPS],
    }


def _place(found: Estimate, theta: Fraction) -> dict[str, Any]:
    """What stands at a theta that a person tries."""
    slope = found.log_derivative(theta)
    assert not isinstance(slope, dict)
    return {**_at(found, theta), "slope": _signed(float(slope))}


def _stop(found: Estimate) -> dict[str, Any]:
    theta = next(iter(found.probabilities.values()))
    return {"k": k_text(found.k), **_at(found, theta), "shown": exact(theta)}


def _at(found: Estimate, theta: Fraction) -> dict[str, Any]:
    log = found.log_likelihood(theta)
    return {
        "theta": float(f"{float(theta):.6g}"),
        "height": round(height(found.drawn[0], found.total, float(theta)), 6),
        "likelihood": _short(float(found.likelihood(theta))),
        "log": "-∞" if log == -math.inf else f"{log:.4f}",
    }


def _short(value: float) -> str:
    return f"{value:.4g}"


def _signed(slope: float) -> str:
    """How the curve goes on: a number with its sign, or what stands at an edge."""
    if math.isinf(slope):
        return "+∞" if slope > 0 else "-∞"
    return f"{slope:+.4g}" if slope else "0"


def list_likelihoods(_session: Session, _body: dict[str, Any]) -> dict[str, Any]:
    """The samples to begin with, and the stops of the sliders."""
    return {"examples": list(EXAMPLES), "stops": [k_text(k) for k in STOPS], "most": MOST, "places": PLACES}
