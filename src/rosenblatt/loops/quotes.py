"""Following the quotes of a CSV file, byte by byte."""

from __future__ import annotations

from rosenblatt.loops.compile import loop_of

# Where in a value the last byte was.
START, PLAIN, OPEN, CLOSED = 0, 1, 2, 3
QUOTE, NEWLINE, RETURN = 34, 10, 13


@loop_of(lambda text, *_: len(text))
def follow_quotes(text, delimiter, state):
    """True where text follows a closing quote; state[1] is then its line, counted from 0.

    Updates  state: where in a value the last byte was, the line, the line on which the open quote began, and where
             the last row that ends in the text ends, 0 if none does
    """
    where, line, end = state[0], state[1], 0
    for place in range(len(text)):
        byte = text[place]
        if byte == NEWLINE:
            line += 1
            if where != OPEN:
                end = place + 1
        if where == OPEN:
            if byte == QUOTE:
                where = CLOSED
        elif byte in (delimiter, NEWLINE, RETURN):
            where = START
        elif where == PLAIN:
            continue
        elif byte == QUOTE:  # at the start of a value, or doubled inside one
            if where == START:
                state[2] = line
            where = OPEN
        elif where == START:
            where = PLAIN
        else:
            state[0], state[1] = where, line
            return True
    state[0], state[1], state[3] = where, line, end
    return False
