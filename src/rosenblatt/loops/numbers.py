"""Parsing lines of numbers with a sign between them, of very many columns: one pass over the bytes into one matrix."""

from __future__ import annotations

import numpy as np

from rosenblatt.loops.compile import inlined_part, loop_of, part
from rosenblatt.loops.svmlight import MINUS, NEWLINE, NINE, ONE, POINT, RETURN, TEN, ZERO, ZERO_SIGN, number

FIFTEEN = np.uint64(15)  # digits that a float64 holds, whatever they are
# Eight bytes are looked at as one number of 64 bits, the first byte lowest.
TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT = (np.uint64(count) for count in range(2, 9))
EACH_ONE, EACH_ZERO_SIGN, EACH_HIGH, EACH_REST, TO_HIGH = (
    np.uint64(byte * 0x0101010101010101) for byte in (0x01, 0x30, 0x80, 0x7F, 0x80 - 10)
)
BYTE, POINT_DIGIT, HUNDRED, MYRIAD = (np.uint64(number) for number in (0xFF, 46 ^ 48, 100, 10_000))
PAIRS, FOURS, EIGHTS = (np.uint64(mask) for mask in (0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF, 0x00000000FFFFFFFF))
S8, S16, S24, S32, S40, S48, S56, S64 = (np.uint64(8 * count) for count in range(1, 9))


@loop_of(lambda text, *_: len(text))
def parse_lines(text, between, numeric, numbers, spans, parts, powers):
    """Fills the arrays; returns how many rows there are, or -1 where a line is not of this form.

    Given    text, whole lines without quotes; numeric, for each column whether its values are numbers; powers of ten
    Updates  numbers[row, j], NaN where nothing stands; spans[row, k] = (start, stop) of the k-th column that is no
             number; parts[j], whether a value of the column is no whole number
    """
    end, n_columns = np.uint64(len(text)), np.uint64(len(numeric))
    at, row = ZERO, ZERO
    while at < end:
        first, k = at, ZERO
        for j in range(n_columns):
            start = at
            if numeric[j]:
                at, kind, value, whole = shortest_number(text, at, end, powers)
                if kind == 0:
                    at, kind, value, whole = short_number(text, start, end, powers)
                if kind == 0:
                    return -1
                numbers[row, j] = value
                if not whole:
                    parts[j] = True
            else:
                while at < end and not ends_value(text[at], between):
                    at += ONE
                spans[row, k, 0], spans[row, k, 1] = start, at
                k += ONE
            if j + ONE < n_columns:
                if at < end and text[at] == between:
                    at += ONE
                elif j == ZERO and at == first:
                    break  # an empty line
                else:
                    return -1
        if at > first:
            row += ONE
        if at < end and text[at] == RETURN:
            at += ONE
        if at < end and text[at] != NEWLINE:
            return -1
        at += ONE
    return np.int64(row)


@inlined_part
def shortest_number(text, at, end, powers):
    """The same as `short_number` for a number within eight bytes, and what ends it; otherwise 0 for its kind.

    Method   digits are found, and made a number, eight at a time: most of the time would go to guessing, byte by byte,
             where a number ends (Lemire 2021)
    """
    negative = at < end and text[at] == MINUS
    if negative:
        at += ONE
    if at + EIGHT > end:
        return at, np.int64(0), 0.0, False
    digits = eight_bytes(text, at) ^ EACH_ZERO_SIGN
    others = ((digits & EACH_REST) + TO_HIGH | digits) & EACH_HIGH  # a mark in each byte that is no digit
    before = bytes_before(others)
    n_digits, stop, shift = before, before, before * EIGHT
    whole = before == EIGHT or (digits >> shift) & BYTE != POINT_DIGIT
    if not whole:
        others &= others - ONE
        stop = bytes_before(others)
        n_digits = stop - ONE
        digits = digits & ((ONE << shift) - ONE) | digits >> shift >> S8 << shift
    if others == ZERO or n_digits == ZERO or is_e(text[at + stop]):
        return at, np.int64(0), 0.0, False
    digits = digits << S64 - n_digits * EIGHT
    digits = (digits * TEN + (digits >> S8)) & PAIRS
    digits = (digits * HUNDRED + (digits >> S16)) & FOURS
    digits = (digits * MYRIAD + (digits >> S32)) & EIGHTS
    value = np.float64(digits) / powers[n_digits - before]
    return at + stop, np.int64(1), -value if negative else value, whole


@inlined_part
def eight_bytes(text, at):
    low = np.uint64(text[at]) | np.uint64(text[at + ONE]) << S8
    low |= np.uint64(text[at + TWO]) << S16 | np.uint64(text[at + THREE]) << S24
    high = np.uint64(text[at + FOUR]) << S32 | np.uint64(text[at + FIVE]) << S40
    return low | high | np.uint64(text[at + SIX]) << S48 | np.uint64(text[at + SEVEN]) << S56


@inlined_part
def bytes_before(marks):
    """How many bytes come before the first whose highest bit is set, where no other bits are; 8 where none is."""
    lowest = marks & (~marks + ONE)
    return (((lowest >> SEVEN) - ONE) & EACH_ONE) * EACH_ONE >> S56


@part
def short_number(text, at, end, powers):
    """Where the number ends, 0 if its value is not exact, the value, and whether it is whole; NaN where none stands."""
    start = at
    negative = at < end and text[at] == MINUS
    if negative:
        at += ONE
    first, digits, n_digits, behind = at, ZERO, ZERO, ZERO
    while at < end:
        digit = np.uint64(text[at]) - ZERO_SIGN
        if digit > NINE:
            break
        digits = digits * TEN + digit
        at += ONE
    n_digits = at - first
    whole = at >= end or text[at] != POINT
    if not whole:
        at += ONE
        first = at
        while at < end:
            digit = np.uint64(text[at]) - ZERO_SIGN
            if digit > NINE:
                break
            digits = digits * TEN + digit
            at += ONE
        behind = at - first
        n_digits += behind
    exponent = at < end and is_e(text[at])
    if exponent or n_digits > FIFTEEN:
        stop, kind, value = number(text, start, end, powers)
        return stop, np.int64(kind == 1), value, whole and not exponent
    if n_digits == ZERO:
        return at, np.int64(at == start), np.nan, True
    value = np.float64(digits) / powers[behind]
    return at, np.int64(1), -value if negative else value, whole


@inlined_part
def is_e(byte):
    return byte in (101, 69)


@part
def ends_value(byte, between):
    return byte in (between, NEWLINE, RETURN)
