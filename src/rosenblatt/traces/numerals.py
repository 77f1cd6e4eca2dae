"""Numbers, vectors and sums as the notes write them: [-1, 0, 0] and -1·1 + 0·3 + 0·2 = -1."""

from __future__ import annotations

from collections.abc import Sequence

MOST_SHOWN = 12  # numbers of a vector, terms of a sum


def numeral(value: float) -> str:
    """A whole number without a point, any other with at most six digits."""
    if value == int(value) and abs(value) < 2**53:
        return str(int(value))
    return f"{value:.6g}"


def vector(values: Sequence[float]) -> str:
    shown = [numeral(value) for value in values[:MOST_SHOWN]]
    if len(values) > MOST_SHOWN:
        shown.append(f"… {len(values) - MOST_SHOWN} more")
    return f"[{', '.join(shown)}]"


def named(names: Sequence[str], values: Sequence[float], most: int) -> str:
    """The largest values that are not 0, with their names: [bias 1, free 0.31, … 14 more]."""
    order = sorted((j for j, value in enumerate(values) if value), key=lambda j: -abs(values[j]))
    shown = [f"{names[j]} {numeral(values[j])}" for j in order[:most]]
    if len(order) > most:
        shown.append(f"… {len(order) - most} more")
    return f"[{', '.join(shown)}]"


def expanded(weights: Sequence[float], features: Sequence[float], score: float) -> str:
    """The score as a sum of products; a negative weight keeps its sign after the plus: -23·1 + 8·1 + -2·1 = -17."""
    terms = [f"{numeral(w)}·{numeral(f)}" for w, f in zip(weights, features, strict=True)][:MOST_SHOWN]
    if len(weights) > MOST_SHOWN:
        terms.append("…")
    return f"{' + '.join(terms)} = {numeral(score)}"


def change(amount: float, features: Sequence[float]) -> str:
    """What is added to the weights: +[1, 3, 2] or -[1, 2, 3], with a factor unless it is 1."""
    size = "" if abs(amount) == 1 else f"{numeral(abs(amount))}·"
    return f"{'+' if amount > 0 else '-'}{size}{vector(features)}"
