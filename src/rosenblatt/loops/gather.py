"""From the words of each row, in reading order, to the rows of a sparse matrix, in the order of columns."""

from __future__ import annotations

import numpy as np

from rosenblatt.loops.bits import lowest_bit
from rosenblatt.loops.compile import loop_of, part

ZERO, ONE, SIX, LOW_SIX = (np.uint64(number) for number in (0, 1, 6, 63))


@loop_of(lambda numbers, starts, columns, n_columns, _: len(numbers) + len(starts) * (1 + n_columns // 4096))
def gather(numbers, starts, columns, n_columns, counted):
    """The rows of the matrix: starts, columns in increasing order, and how often each occurs.

    Given    columns[number]: the column of a word, -1 for none; counted: False to leave all counts at 1
    Method   a row's columns are bits of a map, read off in order. A second map tells which words of the first hold
             any, so that a row takes time for what it holds and one step for every 4096 columns.
    """
    n = len(starts) - 1
    found = np.empty(len(numbers), np.uint32)
    counts = np.empty(len(numbers) if counted else 0, np.uint32)
    row_starts = np.zeros(n + 1, np.int64)
    often = np.zeros(n_columns if counted else 1, np.uint32)
    bits = np.zeros(n_columns // 64 + 1, np.uint64)
    words = np.zeros(n_columns // 4096 + 1, np.uint64)
    m = 0
    for i in range(n):
        for k in range(starts[i], starts[i + 1]):
            column = columns[numbers[k]]
            if column >= 0:
                word = np.uint64(column) >> SIX
                bits[word] |= ONE << (np.uint64(column) & LOW_SIX)
                words[word >> SIX] |= ONE << (word & LOW_SIX)
                if counted:
                    often[column] += np.uint32(1)
        begin = m
        m = read_off(bits, words, found, m)
        if counted:
            for k in range(begin, m):
                counts[k] = often[found[k]]
                often[found[k]] = 0
        row_starts[i + 1] = m
    return row_starts, found[:m], counts[: m if counted else 0]


@loop_of(lambda numbers, starts, *_: len(numbers) + len(starts))
def count_rows(numbers, starts, classes, documents):
    """documents[c, number] += the rows of class c that hold the number."""
    last = np.zeros(documents.shape[1], np.uint32)  # the row that each was seen in last, from 1
    for i in range(len(starts) - 1):
        row, own = np.uint32(i + 1), documents[classes[i]]
        for k in range(starts[i], starts[i + 1]):
            number = numbers[k]
            own[number] += last[number] != row
            last[number] = row


@loop_of(lambda columns, *_: len(columns))
def weigh(columns, counts, amounts, weights, values):
    """values[k] = what its count amounts to, where there are counts, times the weight of its column, if it has one."""
    for k in range(len(columns)):
        value = amounts[counts[k]] if len(counts) else 1.0
        values[k] = value * weights[columns[k]] if len(weights) else value


@loop_of(lambda starts, values, _: len(values) + len(starts))
def add_squares(starts, values, squares):
    """squares[i] += the sum of the squares of row i, from the left."""
    for i in range(len(starts) - 1):
        total = 0.0
        for k in range(starts[i], starts[i + 1]):
            total += values[k] * values[k]
        squares[i] += total


@loop_of(lambda starts, values, *_: len(values) + len(starts))
def scale_rows(starts, values, factors, scaled):
    """scaled[k] = values[k] times the factor of its row."""
    for i in range(len(starts) - 1):
        for k in range(starts[i], starts[i + 1]):
            scaled[k] = values[k] * factors[i]


@loop_of(lambda numbers, starts, *_: len(numbers) + len(starts))
def gather_few(numbers, starts, columns, counted):
    """What `gather` finds, of rows that have few words for so many columns.

    Method   a row's columns are sorted: there is no map of all columns, which would have to be emptied for each call
    """
    n = len(starts) - 1
    found = np.empty(len(numbers), np.uint32)
    counts = np.empty(len(numbers) if counted else 0, np.uint32)
    row_starts = np.zeros(n + 1, np.int64)
    m = 0
    for i in range(n):
        own = np.sort(columns[numbers[starts[i] : starts[i + 1]]])
        begin = m
        for column in own:
            if column < 0:
                continue
            if m > begin and found[m - 1] == np.uint32(column):
                if counted:
                    counts[m - 1] += np.uint32(1)
                continue
            found[m] = column
            if counted:
                counts[m] = 1
            m += 1
        row_starts[i + 1] = m
    return row_starts, found[:m], counts[: m if counted else 0]


@part
def read_off(bits, words, found, m):
    """Writes the columns in the maps to found[m:] in increasing order and empties the maps; returns the new m."""
    for top in range(len(words)):
        left = words[top]
        words[top] = ZERO
        while left:
            word = np.uint64(top) << SIX | lowest_bit(left)
            left &= left - ONE
            inner = bits[word]
            bits[word] = ZERO
            while inner:
                found[m] = word << SIX | lowest_bit(inner)
                inner &= inner - ONE
                m += 1
    return m


@loop_of(lambda first, first_starts, second, *_: len(first) + len(second))
def join_rows(first, first_starts, second, second_starts, shift):
    """Each row of the first followed by the same row of the second, whose numbers are raised by `shift`."""
    n = len(first_starts) - 1
    joined, starts = np.empty(len(first) + len(second), np.uint32), np.zeros(n + 1, np.int64)
    m = 0
    for i in range(n):
        for k in range(first_starts[i], first_starts[i + 1]):
            joined[m] = first[k]
            m += 1
        for k in range(second_starts[i], second_starts[i + 1]):
            joined[m] = second[k] + np.uint32(shift)
            m += 1
        starts[i + 1] = m
    return joined, starts
