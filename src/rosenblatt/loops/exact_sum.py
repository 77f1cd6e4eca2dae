"""Sums without rounding, so that it does not matter in how many parts, or in which order, numbers are added up."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from rosenblatt.loops.compile import loop

LIMBS = 67  # of 32 bits: from the smallest float64, 2**-1074, to beyond the largest
TURN = 2**30  # numbers that a limb takes before it could overflow
LOWEST = 1074

FRACTION, HIDDEN, EXPONENT = np.uint64(2**52 - 1), np.uint64(2**52), np.uint64(2**11 - 1)
LIMB, FIVE, S32, S52, S63, ONE = (np.uint64(number) for number in (2**32 - 1, 5, 32, 52, 63, 1))


@loop
def add_bits(bits, limbs):
    """Adds float64 numbers, given as their 64 bits, to a whole number whose unit is 2**-1074.

    Method   a number is 53 bits, shifted by its exponent: at most three limbs of 32 bits (Neal 2015)
    """
    for word in bits:
        exponent = (word >> S52) & EXPONENT
        mantissa = word & FRACTION
        if exponent:
            mantissa |= HIDDEN
            exponent -= ONE
        place, shift = np.intp(exponent >> FIVE), exponent & np.uint64(31)
        low = (mantissa << shift) & LIMB
        rest = mantissa >> (S32 - shift)
        sign = -1 if word >> S63 else 1
        limbs[place] += sign * np.int64(low)
        limbs[place + 1] += sign * np.int64(rest & LIMB)
        limbs[place + 2] += sign * np.int64(rest >> S32)


@loop
def add_bits_by_row(bits, limbs):
    """The same for every row of a matrix, each with limbs of its own."""
    for i in range(len(bits)):
        add_bits(bits[i], limbs[i])


def exact_units_by_row(values: np.ndarray) -> list[int]:
    """The sum of each row of a matrix, as `exact_units` has it."""
    if values.shape[1] > TURN:
        return [exact_units(row) for row in values]
    limbs = np.zeros((len(values), LIMBS), np.int64)
    add_bits_by_row(np.ascontiguousarray(values, np.float64).view(np.uint64), limbs)
    totals = [0] * len(values)
    rows, places = np.nonzero(limbs)
    for row, place, limb in zip(rows.tolist(), places.tolist(), limbs[rows, places].tolist(), strict=True):
        totals[row] += limb << 32 * place
    return totals


def exact_units(values: np.ndarray) -> int:
    """The sum of finite numbers, exactly, in units of 2**-1074. Sums of parts add up to the sum of the whole."""
    bits = np.ascontiguousarray(values, np.float64).view(np.uint64)
    total = 0
    for start in range(0, len(bits), TURN):
        limbs = np.zeros(LIMBS, np.int64)
        add_bits(bits[start : start + TURN], limbs)
        total += sum(limb << 32 * place for place, limb in enumerate(limbs.tolist()) if limb)
    return total


def exact_sum(values: np.ndarray) -> Fraction:
    """The same as a fraction."""
    if (values == 1).all():  # the weights of rows, mostly
        return Fraction(len(values))
    total = exact_units(values)
    zeros = (total & -total).bit_length() - 1 if total else LOWEST  # without them a fraction is short, and quickly made
    return Fraction(total >> zeros << max(0, zeros - LOWEST), 1 << max(0, LOWEST - zeros))
