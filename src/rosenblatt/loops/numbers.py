"""Parsing lines of numbers with a sign between them, of very many columns: one pass over the bytes into one matrix."""

from __future__ import annotations

import numpy as np

from rosenblatt.loops.compile import loop_of, part
from rosenblatt.loops.svmlight import MINUS, NEWLINE, NINE, ONE, POINT, RETURN, TEN, ZERO, ZERO_SIGN, number

FIFTEEN = np.uint64(15)  # digits that a float64 holds, whatever they are


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
                at, kind, value, whole = short_number(text, at, end, powers)
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
    exponent = at < end and (text[at] == 101 or text[at] == 69)
    if exponent or n_digits > FIFTEEN:
        stop, kind, value = number(text, start, end, powers)
        return stop, np.int64(kind == 1), value, whole and not exponent
    if n_digits == ZERO:
        return at, np.int64(at == start), np.nan, True
    value = np.float64(digits) / powers[behind]
    return at, np.int64(1), -value if negative else value, whole


@part
def ends_value(byte, between):
    return byte in (between, NEWLINE, RETURN)
