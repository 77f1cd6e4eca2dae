"""Exact answers from a solver's hint: the one combination of a few integer rows that vanishes (Dixon 1982).

Modulo a prime, elimination finds which rows and columns are independent. The system that is left is solved modulo
p, p², p³, ... by lifting, and the rational solution is read off as soon as it fits. All of it is checked afterwards in
integers, so an unlucky prime or a wrong guess costs time and nothing else.
"""

from __future__ import annotations

import math

import numpy as np

from rosenblatt.proofs.clock import Clock

PRIME = 67108859  # the largest below 2^26: a product has 52 bits, so 1,024 of them can be added in 64


def vanishing(matrix: np.ndarray, clock: Clock) -> list[int] | None:
    """Integers c, not all zero, with c @ matrix = 0; None unless there is just one such c up to its scale."""
    residues = (matrix % PRIME).astype(np.int64)
    independent, columns = _eliminate(residues, clock)
    if len(independent) != len(matrix) - 1 or len(independent) > 1024:
        return None
    (free,) = set(range(len(matrix))) - set(independent)
    if not independent:
        return [1]
    system = matrix[np.ix_(independent, columns)].T
    solution = solve_exactly(system, -matrix[free, columns], clock)
    if solution is None:
        return None
    tops, bottom = solution
    result = [0] * len(matrix)
    result[free] = bottom
    for row, top in zip(independent, tops, strict=True):
        result[row] = top
    if any(np.array(result, object) @ matrix):
        return None
    return result


def _eliminate(residues: np.ndarray, clock: Clock) -> tuple[list[int], list[int]]:
    """Rows that are independent modulo the prime, as many as there are, and columns in which they are."""
    left = residues.copy()
    rows, columns = [], []
    for row in range(len(left)):
        if row % 64 == 0:
            clock.look()
        places = np.flatnonzero(left[row])
        if not len(places):
            continue
        column = int(places[0])
        rows.append(row)
        columns.append(column)
        if row + 1 < len(left):
            factors = left[row + 1 :, column] * pow(int(left[row, column]), -1, PRIME) % PRIME
            touched = np.flatnonzero(factors)
            below = row + 1 + touched
            left[below] = (left[below] - factors[touched, None] * left[row]) % PRIME
    return rows, columns


def _inverse(residues: np.ndarray, clock: Clock) -> np.ndarray | None:
    """The inverse modulo the prime (Gauss and Jordan), or None."""
    size = len(residues)
    work = np.concatenate([residues, np.eye(size, dtype=np.int64)], axis=1)
    for k in range(size):
        if k % 64 == 0:
            clock.look()
        places = np.flatnonzero(work[k:, k])
        if not len(places):
            return None
        pivot = k + int(places[0])
        work[[k, pivot]] = work[[pivot, k]]
        work[k] = work[k] * pow(int(work[k, k]), -1, PRIME) % PRIME
        factors = work[:, k].copy()
        factors[k] = 0
        touched = np.flatnonzero(factors)
        work[touched] = (work[touched] - factors[touched, None] * work[k]) % PRIME
    return work[:, size:]


def solve_exactly(system: np.ndarray, right: np.ndarray, clock: Clock) -> tuple[list[int], int] | None:
    """Integers (tops, bottom) with system @ tops = bottom * right and bottom > 0."""
    inverse = _inverse((system % PRIME).astype(np.int64), clock)
    if inverse is None:
        return None
    largest = max(abs(v) for v in system.ravel().tolist())
    small = largest * PRIME * len(system) < 2**62
    lifted = system.astype(np.int64) if small else system
    bits = sum(math.log2(1 + sum(v * v for v in line)) for line in system.tolist())  # Hadamard, squared
    bits += 2 * max(1, max(abs(v) for v in right.tolist())).bit_length() + 64
    digits: list[list[int]] = []
    residue, target = right, 4
    while len(digits) * 26 < 2 * bits + 128:
        clock.look()
        digit = inverse @ (residue % PRIME).astype(np.int64) % PRIME
        digits.append(digit.tolist())
        change = lifted @ (digit if small else digit.astype(object))
        residue = (residue - change.astype(object)) // PRIME
        if len(digits) == target:
            target *= 2
            found = _reconstruct(digits, system, right)
            if found is not None:
                return found
    return _reconstruct(digits, system, right)


def _reconstruct(digits: list[list[int]], system: np.ndarray, right: np.ndarray) -> tuple[list[int], int] | None:
    """The rational vector with these digits to base p, if the guess solves the system."""
    modulus = PRIME ** len(digits)
    bound = math.isqrt(modulus // 2)
    values = [0] * len(digits[0])
    for digit in reversed(digits):
        values = [value * PRIME + d for value, d in zip(values, digit, strict=True)]
    bottom = 1
    tops: list[int] = []
    for value in values:
        value = value * bottom % modulus  # denominators seen so far are divided out: most entries need no more
        if value > bound and modulus - value <= bound:
            value -= modulus
        if abs(value) > bound:
            top, extra = _fraction(value, modulus, bound)
            if not extra or bottom * extra > bound:
                return None
            tops = [earlier * extra for earlier in tops]
            bottom, value = bottom * extra, top
        tops.append(value)
    vector = np.empty(len(tops), object)
    vector[:] = tops
    return (tops, bottom) if not any(system @ vector - bottom * right) else None


def _fraction(value: int, modulus: int, bound: int) -> tuple[int, int]:
    """A small fraction that equals the value modulo the modulus (Wang 1981), denominator positive; (0, 0) if none."""
    before, now, s, t = modulus, value % modulus, 0, 1
    while now > bound:
        quotient = before // now
        before, now, s, t = now, before - quotient * now, t, s - quotient * t
    if not t or abs(t) > bound:
        return 0, 0
    return (now, t) if t > 0 else (-now, -t)
