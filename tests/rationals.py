"""An independent judge of verdicts: plain Fractions over plain lists, sharing no code with the library."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any


def signed_rows(X: Any, y: Any, bias: bool = True) -> list[tuple[int, int, list[Fraction]]]:
    """(row, other class, signed row) for every row and other class, blocks of all classes side by side."""
    classes = sorted(set(y))
    found = []
    for i, (x, label) in enumerate(zip(X, y, strict=True)):
        f = ([Fraction(1)] if bias else []) + [Fraction(float(v)) for v in x]
        true = classes.index(label)
        for other in range(len(classes)):
            if other != true:
                z = [Fraction(0)] * (len(f) * len(classes))
                z[true * len(f) : (true + 1) * len(f)] = f
                z[other * len(f) : (other + 1) * len(f)] = [-v for v in f]
                found.append((i, other, z))
    return found


def holds(verdict: Any, X: Any, y: Any) -> bool:
    """Whether the statement of a verdict is true, margins and bounds included."""
    rows = signed_rows(X, y, verdict.data.bias)
    if verdict.kind == "separable":
        return _separates(verdict, rows, len(set(y)))
    if not verdict.rows or not all(type(c) is int and c > 0 for c in verdict.multipliers):
        return False
    by_name = {(i, other): z for i, other, z in rows}
    names = list(zip(verdict.rows, verdict.others, strict=True))
    if any(name not in by_name for name in names):
        return False
    total = [Fraction(0)] * len(rows[0][2])
    for name, c in zip(names, verdict.multipliers, strict=True):
        total = [t + c * v for t, v in zip(total, by_name[name], strict=True)]
    length = sum(t * t for t in total)
    if len(set(y)) == 2:
        length /= 2  # both blocks say the same: the signed row of two classes is y·f(x)
    if verdict.kind == "inseparable":
        return length == 0
    return length <= Fraction(verdict.high) ** 2 * sum(verdict.multipliers) ** 2


def _separates(verdict: Any, rows: list[tuple[int, int, list[Fraction]]], n_classes: int) -> bool:
    lines = verdict.weights.tolist()
    if n_classes == 2:
        lines = [[0] * len(lines), lines]
    w = [[Fraction(v) for v in line] for line in lines]
    flat = [v for line in w for v in line]
    square = sum(v * v for v in flat)
    first = int(verdict.data.bias)
    longest, least = Fraction(0), None
    margin, gap = Fraction(verdict.margin), Fraction(verdict.gap)
    if margin < 0 or gap < 0 or len(flat) != len(rows[0][2]):
        return False
    for _, other, z in rows:
        lead = sum((a * b for a, b in zip(z, flat, strict=True)), Fraction(0))
        true = next(c for c in range(n_classes) if c != other and any(z[c * len(w[0]) : (c + 1) * len(w[0])]))
        between = sum((a - b) ** 2 for a, b in zip(w[true][first:], w[other][first:], strict=True))
        least = lead if least is None else min(least, lead)
        if lead <= 0 or lead * lead < margin**2 * square or 4 * lead * lead < gap**2 * between:
            return False
        longest = max(longest, sum(v * v for v in z) / (2 if n_classes == 2 else 1))
    radius = Fraction(verdict.radius)
    return radius**2 >= longest and verdict.mistake_bound >= math.floor(radius**2 * square / least**2)
