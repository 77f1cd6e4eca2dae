"""Parsing svmlight text: one pass over the bytes, strict, and without a step that depends on a column's size."""

from __future__ import annotations

import numpy as np

from rosenblatt.loops.compile import loop_of, part

# What can be wrong with a line.
LABEL, COLUMN, COLON, ZERO_COLUMN, LARGE, REPEATED, ORDER, VALUE, QID = range(1, 10)
SPACE, TAB, RETURN, NEWLINE, HASH, COLON_SIGN, PLUS, MINUS, POINT = 32, 9, 13, 10, 35, 58, 43, 45, 46
LARGEST = np.uint64(2**31 - 1)
# A decimal of at most 53 bits times or over one of these is rounded once, so it is exact (Clinger 1990).
POWERS_OF_TEN = 10.0 ** np.arange(23)
BITS_53, ROOM = np.uint64(2**53), np.uint64(10**18)
ZERO, ONE, TWO, THREE, NINE, TEN, ZERO_SIGN = (np.uint64(number) for number in (0, 1, 2, 3, 9, 10, 48))


@loop_of(lambda text, *_: len(text))
def parse(text, per_row, columns, values, hard, powers):
    """Fills the arrays; returns rows, hard numbers, the problem found or 0, and where its token lies.

    Given    text, whole lines; per_row, the arrays labels, lines and starts; room for every colon and line
    Updates  hard[k] = (entry, start, stop) of numbers that must be rounded with care; entry is -1 - row for a label
    """
    labels, lines, starts = per_row
    end = np.uint64(len(text))  # places are unsigned: a signed index costs a test for counting from the end
    at, k = ZERO, ZERO
    n, n_hard, line = 0, 0, 0
    while at < end:
        line += 1
        at = skip_blanks(text, at, end)
        if at < end and text[at] != NEWLINE and text[at] != HASH:
            stop, kind, value = number(text, at, end, powers)
            if kind == 0 or not ends_token(text, stop, end):
                return n, n_hard, LABEL, at, token_end(text, at, end)
            if kind == 2:
                hard[n_hard, 0], hard[n_hard, 1], hard[n_hard, 2] = -1 - n, at, stop
                n_hard += 1
            labels[n], lines[n] = value, line
            previous = ZERO
            at = skip_blanks(text, stop, end)
            while at < end and text[at] != NEWLINE and text[at] != HASH:
                problem, stop, column = column_number(text, at, end, previous)
                if problem:
                    return n, n_hard, problem, at, stop
                first = stop + ONE
                stop, kind, value = number(text, first, end, powers)
                if kind == 0 or not ends_token(text, stop, end):
                    return n, n_hard, VALUE, first, token_end(text, first, end)
                if kind == 2:
                    hard[n_hard, 0], hard[n_hard, 1], hard[n_hard, 2] = k, first, stop
                    n_hard += 1
                columns[k], values[k] = column, value
                k += ONE
                previous = column
                at = skip_blanks(text, stop, end)
            n += 1
            starts[n] = k
        while at < end and text[at] != NEWLINE:
            at += ONE
        at += ONE
    return n, n_hard, 0, ZERO, ZERO


@part
def column_number(text, at, end, previous):
    """The problem or 0, the position of the colon (or the end of the token that is wrong), and the column."""
    column, stop = ZERO, at
    while stop < end:
        digit = np.uint64(text[stop]) - ZERO_SIGN  # wraps for what comes before 0
        if digit > NINE:
            break
        if column <= LARGEST:
            column = column * TEN + digit
        stop += ONE
    if stop == at or stop >= end or text[stop] != COLON_SIGN:
        return what_is_wrong(text, at, end), token_end(text, at, end), column
    if column > previous and column <= LARGEST:
        return 0, stop, column
    if column == ZERO:
        return ZERO_COLUMN, stop, column
    if column > LARGEST:
        return LARGE, stop, column
    return (REPEATED if column == previous else ORDER), stop, column


@part
def what_is_wrong(text, at, end):
    for place in range(at, token_end(text, at, end)):
        if text[place] == COLON_SIGN:
            is_query = place == at + THREE and text[at] == 113 and text[at + ONE] == 105 and text[at + TWO] == 100
            return QID if is_query else COLUMN
    return COLON


@part
def number(text, at, end, powers):
    """Where the number ends, 0 if it is none, 1 if its value is exact, 2 if the value must be found with care."""
    negative = at < end and text[at] == MINUS
    if at < end and (negative or text[at] == PLUS):
        at += ONE
    first = at
    digits, at, crowded = digits_from(text, first, end, ZERO)
    n_digits, exponent = at - first, 0
    if at < end and text[at] == POINT:
        first = at + ONE
        digits, at, more = digits_from(text, first, end, digits)
        crowded |= more
        n_digits += at - first
        exponent = -np.int64(at - first)
    if n_digits == ZERO:
        return at, 0, 0.0
    if at < end and (text[at] == 101 or text[at] == 69):
        at, given, proper = exponent_part(text, at + ONE, end)
        if not proper:
            return at, 0, 0.0
        exponent += given
    value = np.float64(digits)
    if crowded or digits > BITS_53 or exponent > 22 or exponent < -22:
        return at, 2, value
    if exponent < 0:
        value = value / powers[np.uint64(-exponent)]
    elif exponent > 0:
        value = value * powers[np.uint64(exponent)]
    return at, 1, -value if negative else value


@part
def digits_from(text, at, end, value):
    """The value with the digits from here on appended, where they end, and whether they were too many to keep."""
    crowded = False
    while at < end:
        digit = np.uint64(text[at]) - ZERO_SIGN
        if digit > NINE:
            break
        crowded |= value >= ROOM
        value = value * TEN + digit
        at += ONE
    return value, at, crowded


@part
def exponent_part(text, at, end):
    """Where the exponent ends, its value (no larger than matters), and whether it has digits."""
    negative = at < end and text[at] == MINUS
    if at < end and (negative or text[at] == PLUS):
        at += ONE
    value, first = 0, at
    while at < end and 48 <= text[at] <= 57:
        if value < 100_000:
            value = value * 10 + (text[at] - 48)
        at += ONE
    return at, -value if negative else value, at > first


@part
def skip_blanks(text, at, end):
    while at < end and (text[at] == SPACE or text[at] == TAB or text[at] == RETURN):
        at += ONE
    return at


@part
def token_end(text, at, end):
    while at < end and text[at] != SPACE and text[at] != TAB and text[at] != NEWLINE and text[at] != RETURN:
        at += ONE
    return at


@part
def ends_token(text, at, end):
    """True if a token may end before this byte."""
    return at >= end or text[at] in (SPACE, TAB, NEWLINE, RETURN, HASH)
