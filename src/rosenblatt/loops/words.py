"""Finding words in UTF-8 text, and numbering them: one pass over the bytes, linear whatever the text.

A word is a run of two or more word characters. ASCII letters are lowered on the way; a text with other letters
must come lowered, because lowering one of these may depend on its neighbours. A run of a script that has no spaces
between its words is cut into its characters, with their marks, and these with their neighbours are the words.

Each row is first copied in small letters, with one bit for each byte that belongs to a word. Words are then runs of
bits, and a word of up to 8 bytes is one number: this is three times as fast as going from byte to byte.
"""

from __future__ import annotations

import numpy as np

from rosenblatt.loops.bits import eight_bytes, lowest_bit
from rosenblatt.loops.compile import loop_of, part
from rosenblatt.loops.order import hashed

WIDE = 255  # in the table of letters: a byte of a character beyond ASCII
# In the table of characters: no word character 0, and of scripts without spaces one of these.
WORD, UNIT, EXTENDS, JOINS = 1, 2, 3, 4  # begins a unit; belongs to the one before it; also takes the next one in
ZERO, ONE, TWO, THREE, FOUR, SIX, EIGHT = (np.uint64(number) for number in (0, 1, 2, 3, 4, 6, 8))
SEVEN, LOW_SIX, S32, LOW_32 = np.uint64(7), np.uint64(63), np.uint64(32), np.uint64(0xFFFFFFFF)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
# Eight bytes at once: the low seven bits of each, the top ones, and a product that puts the lowest ones side by side.
SEVEN_BITS, TOP_BITS = np.uint64(0x7F7F7F7F7F7F7F7F), np.uint64(0x8080808080808080)
GATHER, S56 = np.uint64(0x0102040810204080), np.uint64(56)
STRETCH = 1 << 15  # bytes looked at together: what is noted of them stays in the second-level cache
LONG = np.uint64(1 << 63)  # in an entry of the table: a word of more than 8 bytes, whose hash is not one to one


def span_size(starts):
    """The bytes of the rows that start there, and one step for each row."""
    return len(starts) + int(starts[-1] - starts[0])


@loop_of(lambda text, starts, instead, *_: span_size(starts) + span_size(instead[2]))
def find_words(text, starts, instead, letters, wide, longest, key, once):
    """The number of every word of every row, in order, where the rows start, and the words one after the other.

    Given    instead = (which, others, other_starts): row i is row which[i] of the others where that is not negative
             letters[byte]: the lowered byte, 0 if it is no word character, or WIDE; wide[character]: WORD for
             those beyond ASCII, UNIT, EXTENDS or JOINS for those of scripts without spaces; longest: how many
             neighbouring units make a word, from 1 to 3; key, random, so that nobody can prepare words that collide
             in the table; once: note a word only where it first occurs in a row
    Returns  numbers, starts, letters of all words, ends; word w is letters[ends[w]:ends[w + 1]]
    """
    which, others, other_starts = instead
    n = len(starts) - 1
    row_starts = np.zeros(n + 1, np.int64)
    size = starts[n] - starts[0] + other_starts[-1] - other_starts[0] + n
    numbers = np.empty(size // 3 + 1 if len(wide) == 1 else size + 1, np.uint32)  # a unit of 3 bytes may be in 3 words
    table = np.zeros(4 * slots_for(size), np.uint64)  # of each slot the word's hash, then its number + 1 and last row
    known, ends = np.empty(4096, np.uint8), np.zeros(513, np.int64)
    low, marks, runs = room_for(min(STRETCH, size))
    n_words, k = np.uint64(0), np.uint64(0)
    for i in range(n):
        source, at, end, row = text, starts[i], starts[i + 1], np.uint64(i + 1) & LOW_32
        if which[i] >= 0:
            source, at, end = others, other_starts[which[i]], other_starts[which[i] + 1]
        while at < end:
            stop = stretch_end(source, at, end, letters)
            if stop - at > len(low) - 64:
                low, marks, runs = room_for(stop - at)
            found = find_runs(source[at:stop], letters, wide, longest, key, low, marks, runs)
            while FOUR * (n_words + np.uint64(found)) > len(table):
                table = larger_table(table)
            known, ends = with_room(known, ends, n_words, runs[:found])
            k, n_words = number_runs(runs[:found], low, table, known, ends, numbers, k, n_words, row, once)
            at = stop
        row_starts[i + 1] = k
    return numbers[:k], row_starts, known[: ends[n_words]], ends[: n_words + ONE]


@part
def slots_for(size):
    """Half the slots of a first table: few for a message, and some thousands where there is much text."""
    slots = 512
    while slots < 1 << 15 and 32 * slots < size:
        slots *= 2
    return slots


@part
def number_runs(runs, low, table, known, ends, numbers, k, n_words, row, once):
    """Notes the number of each word of a stretch, and keeps those that are new; returns how many there are of both.

    There is room for all of them, so that no array changes here and the processor can look ahead.
    """
    mask = np.uint64(len(table) // 2 - 1)
    for r in range(len(runs)):
        bits, begin, length = runs[r, 0], runs[r, 1], runs[r, 2]
        slot, long = bits & mask, LONG if length > EIGHT else ZERO
        entry, word = table[TWO * slot + ONE], ZERO
        while entry != ZERO:
            word = ((entry & ~LONG) >> S32) - ONE
            same = table[TWO * slot] == bits and entry & LONG == long
            if same and (long == ZERO or same_word(known, ends[word], ends[word + ONE], low, begin, length)):
                break
            slot = (slot + ONE) & mask
            entry = table[TWO * slot + ONE]
        if entry == ZERO:
            start, word = np.uint64(ends[n_words]), n_words
            for letter in range(length):
                known[start + letter] = low[begin + letter]
            n_words += ONE
            ends[n_words] = start + length
            table[TWO * slot], entry = bits, long | (n_words << S32)
        numbers[k] = word
        k += ONE - np.uint64(once and entry & LOW_32 == row)
        table[TWO * slot + ONE] = (entry & ~LOW_32) | row
    return k, n_words


@loop_of(lambda row, *_: len(row))
def place_words(row, letters, wide, longest):
    """Where each word of one row begins and ends, in bytes: those that `find_words` notes, in the same order."""
    places = np.empty((len(row) + 1, 2), np.int64)
    low, marks, runs = room_for(STRETCH)
    at, end, k = np.int64(0), np.int64(len(row)), 0
    while at < end:
        stop = stretch_end(row, at, end, letters)
        if stop - at > len(low) - 64:
            low, marks, runs = room_for(stop - at)
        for r in range(find_runs(row[at:stop], letters, wide, longest, ZERO, low, marks, runs)):
            places[k, 0] = at + np.int64(runs[r, 1])
            places[k, 1] = places[k, 0] + np.int64(runs[r, 2])
            k += 1
        at = stop
    return places[:k]


@part
def room_for(size):
    """Arrays for a stretch of this many bytes: its small letters, its bits, and its words."""
    n = np.int64(size) // 64 + 2
    return np.zeros(64 * n, np.uint8), np.zeros(n + 1, np.uint64), np.empty((64 * n, 3), np.uint64)


@part
def stretch_end(text, at, end, letters):
    """Where to stop so that no word is cut and the arrays stay small: after a byte that is in no word."""
    size = STRETCH
    while at + size < end:
        stop = at + size
        while stop > at and letters[text[stop - 1]] != 0 and not ends_in_stop(text, at, stop):
            stop -= 1
        if stop > at:
            return stop
        size *= 2
    return end


@part
def ends_in_stop(text, at, stop):
    """Whether the bytes before a place are a space, comma or full stop of texts that have none of ASCII."""
    if stop - at < 3 or text[stop - 3] != 0xE3 or text[stop - 2] != 0x80:
        return False
    return text[stop - 1] >= 0x80 and text[stop - 1] <= 0x82


@part
def find_runs(row, letters, wide, longest, key, low, marks, runs):
    """Fills runs with the hash, start and length of each word of a stretch; returns how many there are.

    Apart from the search in the table, so that the processor can wait for several places of the table at once.
    """
    packs = low.view(np.uint64)
    some_wide, some_units = mark(row, letters, low, packs, marks), False
    if some_wide:
        some_units = mark_wide(row, wide, low, marks)
    n, r = np.uint64(find_edges(marks, len(row), runs)), 0
    if some_units:
        pieces = cut_runs(low[: len(row)], wide, longest, runs[:n])
        for begin, length in pieces:
            runs[r, 0], runs[r, 1], runs[r, 2] = word_hash(low, begin, length, key), begin, length
            r += 1
        return r
    for edge in range(n):
        begin, length = runs[edge, 1], runs[edge, 2] - runs[edge, 1]
        runs[r, 0], runs[r, 1], runs[r, 2] = word_hash(low, begin, length, key), begin, length
        # Words of one character are overwritten by the next: a branch here would be guessed wrong too often.
        r += length >= TWO and not (some_wide and length <= FOUR and is_one_character(low, begin, begin + length))
    return r


@part
def find_edges(marks, size, runs):
    """Notes in runs where each run of bits begins and ends; returns how many runs there are."""
    carry, n = ZERO, np.uint64(0)
    for word in range(size // 64 + 1):
        bits = marks[word]
        changes = bits ^ ((bits << ONE) | carry)
        carry = bits >> LOW_SIX
        while changes != ZERO:
            runs[n >> ONE, ONE + (n & ONE)] = (np.uint64(word) << SIX) | lowest_bit(changes)
            changes &= changes - ONE
            n += ONE
    return n >> ONE


@part
def mark(row, letters, low, packs, marks):
    """Copies the row in small letters and sets a bit for each byte of a word; True if some are beyond ASCII."""
    seen = np.uint8(0)
    for at in range(np.uint64(len(row))):
        low[at] = letters[row[at]]
        seen |= row[at]
    size = np.uint64(len(row))
    for at in range(size, (size | LOW_SIX) + ONE):
        low[at] = 0
    for word in range((size >> SIX) + ONE):
        bits = ZERO
        for k in range(EIGHT):
            pack = packs[word * EIGHT + k]
            used = (((pack & SEVEN_BITS) + SEVEN_BITS) | pack) & TOP_BITS  # of each byte that is not 0 the top bit
            bits |= (((used >> SEVEN) * GATHER) >> S56) << (EIGHT * k)
        marks[word] = bits
    return seen >= 128


@part
def mark_wide(row, wide, low, marks):
    """Copies the bytes beyond ASCII, and clears the bits of those characters that belong to no word.

    True if some are of scripts without spaces.
    """
    at, size, some_units, packs = 0, len(row), False, low.view(np.uint64)
    while at < size:
        if at & 7 == 0 and packs[at >> 3] & TOP_BITS == ZERO:  # eight of ASCII
            at += 8
            continue
        width = 1
        if row[at] >= 0x80:
            code, width = character_at(row, at)
            is_word = row[at] >= 0xC0 and at + width <= size and code < len(wide) and wide[code] != 0
            some_units |= is_word and wide[code] >= UNIT
            width = min(width, size - at)
            for place in range(at, at + width):
                low[place] = row[place]
                if not is_word:
                    marks[place >> 6] &= ~(ONE << (np.uint64(place) & LOW_SIX))
        at += width
    return some_units


@part
def cut_runs(low, wide, longest, runs):
    """Where the words of runs begin and how long they are, where some characters are of scripts without spaces.

    Of these a unit is a character with the marks that belong to it; words are units, and up to so many neighbours.
    """
    pieces = np.empty((len(low) + 1, 2), np.uint64)
    p = 0
    for edge in range(len(runs)):
        at, end = np.int64(runs[edge, 1]), np.int64(runs[edge, 2])
        while at < end:
            begin, count = at, 0
            if kind_at(low, at, wide)[0] < UNIT:
                while at < end and kind_at(low, at, wide)[0] < UNIT:
                    at += kind_at(low, at, wide)[1]
                    count += 1
                pieces[p, 0], pieces[p, 1] = begin, at - begin
                p += count >= 2
                continue
            before, last = at, at  # where the unit before the last one began, and the last one
            while at < end and kind_at(low, at, wide)[0] >= UNIT:
                stop = unit_end(low, at, end, wide)
                count += 1
                for length in range(1, min(count, longest) + 1):
                    first = at if length == 1 else last if length == 2 else before
                    pieces[p, 0], pieces[p, 1] = first, stop - first
                    p += 1
                before, last, at = last, at, stop
    return pieces[:p]


@part
def unit_end(low, at, end, wide):
    """Where the unit that begins there ends: after its marks, and after what a joining mark takes in."""
    kind, width = kind_at(low, at, wide)
    at += width
    while at < end:
        after, width = kind_at(low, at, wide)
        if after < EXTENDS and not (after == UNIT and kind == JOINS):
            break
        kind = after
        at += width
    return at


@part
def kind_at(low, at, wide):
    """What the table of characters says of the one at a place, and how many bytes it has."""
    if low[at] < 0x80:
        return np.int64(WORD), 1
    code, width = character_at(low, at)
    return np.int64(wide[code]), width


@part
def character_at(row, at):
    """The character beyond ASCII that begins at a place, and how many bytes it has; of a cut one what is there."""
    first = np.int64(row[at])
    width = 1 if first < 0xC0 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4
    code = first & (0x7F >> width)
    for place in range(at + 1, min(at + width, len(row))):
        code = (code << 6) | (np.int64(row[place]) & 0x3F)
    return code, width


@loop_of(lambda text, starts, *_: span_size(starts))
def mark_changing(text, starts, changing, found):
    """Sets found[i] for rows with a character beyond ASCII that another takes the place of when it is lowered."""
    for i in range(len(starts) - 1):
        row, seen = text[starts[i] : starts[i + 1]], np.uint8(0)
        for at in range(len(row)):
            seen |= row[at]
        at = 0 if seen >= 128 else len(row)
        while at < len(row) and not found[i]:
            width = 1
            if row[at] >= 0x80:
                code, width = character_at(row, at)
                found[i] = code >= len(changing) or changing[code] != 0
            at += width


@loop_of(lambda data, starts, *_: span_size(starts))
def mark_plain(data, starts, wide, plain):
    """Clears plain[w] for words that are empty, of a script without spaces, or hold a colon, which no word does."""
    for word in range(len(starts) - 1):
        begin, end = starts[word], starts[word + 1]
        if begin == end or (data[begin] >= 0x80 and kind_at(data[begin:end], 0, wide)[0] >= UNIT):
            plain[word] = False
    for at in range(starts[0], starts[-1]):
        if data[at] == 58:
            plain[np.searchsorted(starts, at, side="right") - 1] = False


@part
def is_one_character(low, begin, end):
    """True if the bytes after the first only continue it."""
    place = begin + ONE
    while place < end and low[place] & 0xC0 == 0x80:
        place += ONE
    return place == end


@part
def word_hash(low, begin, length, key):
    """A hash of the word: one to one up to 8 bytes, otherwise mixed 8 bytes at a time."""
    bits = key
    while length > EIGHT:
        bits = hashed(bits, eight_bytes(low, begin))
        begin += EIGHT
        length -= EIGHT
    return hashed(bits, eight_bytes(low, begin) & (ALL >> (EIGHT * (EIGHT - length))))


@part
def same_word(known, begin, end, low, at, length):
    """Whether a known word has these letters."""
    if np.uint64(end - begin) != length:
        return False
    other = np.uint64(begin)
    while length > EIGHT:
        if eight_bytes(known, other) != eight_bytes(low, at):
            return False
        other, at, length = other + EIGHT, at + EIGHT, length - EIGHT
    return (eight_bytes(known, other) ^ eight_bytes(low, at)) << (EIGHT * (EIGHT - length)) == ZERO


@part
def larger_table(table):
    """A table of four times as many slots with the same words."""
    grown = np.zeros(4 * len(table), np.uint64)
    mask = np.uint64(len(grown) // 2 - 1)
    for old in range(0, len(table), 2):
        if table[old + 1] != ZERO:
            slot = table[old] & mask
            while grown[TWO * slot + ONE] != ZERO:
                slot = (slot + ONE) & mask
            grown[TWO * slot], grown[TWO * slot + ONE] = table[old], table[old + 1]
    return grown


@part
def with_room(known, ends, number, runs):
    """The arrays of known words, with room for so many more."""
    size = ends[number]
    for r in range(len(runs)):
        size += np.int64(runs[r, 2])
    if size + 8 > len(known):  # they are compared eight bytes at a time
        more = np.empty(2 * size + 8, np.uint8)
        more[: ends[number]] = known[: ends[number]]
        known = more
    if number + np.uint64(len(runs)) >= len(ends):
        more_ends = np.zeros(2 * (np.int64(number) + len(runs) + 1), np.int64)
        more_ends[: len(ends)] = ends
        ends = more_ends
    return known, ends
