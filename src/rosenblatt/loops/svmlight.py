"""Parsing svmlight text: one pass over the bytes, strict, and without a step that depends on a column's size."""

from __future__ import annotations

import numpy as np

from rosenblatt.loops.compile import loop

# What can be wrong with a line.
LABEL, COLUMN, COLON, ZERO, LARGE, REPEATED, ORDER, VALUE, QID = range(1, 10)
SPACE, TAB, RETURN, NEWLINE, HASH, COLON_SIGN, PLUS, MINUS, POINT = 32, 9, 13, 10, 35, 58, 43, 45, 46
LARGEST = np.uint64(2**31 - 1)
# A decimal of at most 53 bits times or over one of these is rounded once, so it is exact (Clinger 1990).
POWERS_OF_TEN = 10.0 ** np.arange(23)
BITS_53, ROOM = np.uint64(2**53), np.uint64(10**18)
TEN = np.uint64(10)


@loop
def parse(text, per_row, columns, values, hard, powers):
    """Fills the arrays; returns rows, hard numbers, the problem found or 0, and where its token lies.

    Given    text, whole lines; per_row, the arrays labels, lines and starts; room for every colon and line
    Updates  hard[k] = (entry, start, stop) of numbers that must be rounded with care; entry is -1 - row for a label
    """
    labels, lines, starts = per_row
    end = len(text)
    n, k, n_hard, at, line = 0, 0, 0, 0, 0
    while at < end:
        line += 1
        at = skip_blanks(text, at)
        if at < end and text[at] != NEWLINE and text[at] != HASH:
            stop, kind, value = number(text, at, powers)
            if kind == 0 or not ends_token(text, stop):
                return n, n_hard, LABEL, at, token_end(text, at)
            if kind == 2:
                hard[n_hard] = -1 - n, at, stop
                n_hard += 1
            labels[n], lines[n] = value, line
            previous = np.uint64(0)
            at = skip_blanks(text, stop)
            while at < end and text[at] != NEWLINE and text[at] != HASH:
                problem, stop, column = column_number(text, at, previous)
                if problem:
                    return n, n_hard, problem, at, stop
                first = stop + 1
                stop, kind, value = number(text, first, powers)
                if kind == 0 or not ends_token(text, stop):
                    return n, n_hard, VALUE, first, token_end(text, first)
                if kind == 2:
                    hard[n_hard] = k, first, stop
                    n_hard += 1
                columns[k], values[k] = column, value
                k += 1
                previous = column
                at = skip_blanks(text, stop)
            n += 1
            starts[n] = k
        while at < end and text[at] != NEWLINE:
            at += 1
        at += 1
    return n, n_hard, 0, 0, 0


@loop
def column_number(text, at, previous):
    """The problem or 0, the position of the colon (or the end of the token that is wrong), and the column."""
    column, stop, end = np.uint64(0), at, len(text)
    while stop < end and 48 <= text[stop] <= 57:
        if column <= LARGEST:
            column = column * TEN + np.uint64(text[stop] - 48)
        stop += 1
    if stop == at or stop >= end or text[stop] != COLON_SIGN:
        return what_is_wrong(text, at), token_end(text, at), column
    if column == 0:
        return ZERO, stop, column
    if column > LARGEST:
        return LARGE, stop, column
    if column == previous:
        return REPEATED, stop, column
    if column < previous:
        return ORDER, stop, column
    return 0, stop, column


@loop
def what_is_wrong(text, at):
    stop = token_end(text, at)
    for place in range(at, stop):
        if text[place] == COLON_SIGN:
            is_query = place == at + 3 and text[at] == 113 and text[at + 1] == 105 and text[at + 2] == 100
            return QID if is_query else COLUMN
    return COLON


@loop
def number(text, at, powers):
    """Where the number ends, 0 if it is none, 1 if its value is exact, 2 if the value must be found with care."""
    end = len(text)
    negative = at < end and text[at] == MINUS
    if at < end and (text[at] == MINUS or text[at] == PLUS):
        at += 1
    digits, exponent, n_digits, crowded = np.uint64(0), 0, 0, False
    after_point = False
    while at < end:
        if 48 <= text[at] <= 57:
            if digits < ROOM:
                digits = digits * TEN + np.uint64(text[at] - 48)
                exponent -= after_point
            else:
                crowded = True
            n_digits += 1
        elif text[at] == POINT and not after_point:
            after_point = True
        else:
            break
        at += 1
    if n_digits == 0:
        return at, 0, 0.0
    if at < end and (text[at] == 101 or text[at] == 69):
        at, given, proper = exponent_part(text, at + 1)
        if not proper:
            return at, 0, 0.0
        exponent += given
    value = np.float64(digits)
    if crowded or digits > BITS_53 or exponent > 22 or exponent < -22:
        return at, 2, value
    value = value * powers[exponent] if exponent >= 0 else value / powers[-exponent]
    return at, 1, -value if negative else value


@loop
def exponent_part(text, at):
    """Where the exponent ends, its value (no larger than matters), and whether it has digits."""
    end = len(text)
    negative = at < end and text[at] == MINUS
    if at < end and (text[at] == MINUS or text[at] == PLUS):
        at += 1
    value, first = 0, at
    while at < end and 48 <= text[at] <= 57:
        if value < 100_000:
            value = value * 10 + (text[at] - 48)
        at += 1
    return at, -value if negative else value, at > first


@loop
def skip_blanks(text, at):
    end = len(text)
    while at < end and (text[at] == SPACE or text[at] == TAB or text[at] == RETURN):
        at += 1
    return at


@loop
def token_end(text, at):
    end = len(text)
    while at < end and text[at] != SPACE and text[at] != TAB and text[at] != NEWLINE and text[at] != RETURN:
        at += 1
    return at


@loop
def ends_token(text, at):
    """True if a token may end before this byte."""
    if at >= len(text):
        return True
    return text[at] in (SPACE, TAB, NEWLINE, RETURN, HASH)
