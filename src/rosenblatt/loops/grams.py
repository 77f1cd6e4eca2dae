"""N-grams of words and of characters: hashes made of those of words, numbered without a string being made.

The hash of a word or of a run of characters is a fixed function of its bytes (`loops/contents.py`), and that of an
n-gram of the hashes of its words. So n-grams have the same hash in every block, on every worker and in a model file.
"""

from __future__ import annotations

import numpy as np

from rosenblatt.loops.compile import loop_of, part
from rosenblatt.loops.hint import ask_for
from rosenblatt.loops.order import hashed

ZERO, ONE, TWO, THREE, EIGHT = (np.uint64(number) for number in (0, 1, 2, 3, 8))
SHORTEST, LONGEST = 3, 5  # characters of a run, the marks of the ends of a word counted
AHEAD = 16  # hashes between asking for a place of the table and looking there
# What an n-gram is made of: the numbers of its words, the last of them NONE for a pair. Of a run of characters the word
# that it was found in, its first byte there, and CHARACTERS with its bytes and whether it begins and ends the word.
NONE, CHARACTERS, BEGINS, ENDS = 0xFFFFFFFF, 0x80000000, 0x40000000, 0x20000000
BYTES = 0x1FFFFFFF


@loop_of(lambda numbers, *_: 2 * len(numbers))
def hash_grams(numbers, starts, hashes, plain, longest):
    """The hash of every pair, and triple where longest is 3, of neighbouring words; where the rows start; the words.

    Given    hashes[word], and plain[word]: False for a word that is in no n-gram
    Returns  for each n-gram its hash, and the place in `numbers` of its last word, twice that and one for a triple
    """
    n = len(starts) - 1
    room = (longest - 1) * len(numbers)
    found, places = np.empty(room, np.uint64), np.empty(room, np.uint64)
    row_starts = np.zeros(n + 1, np.int64)
    k = 0
    for i in range(n):
        before, pair, run = ZERO, ZERO, 0  # the hashes of the last word and the last pair, and how many words in a row
        for at in range(starts[i], starts[i + 1]):
            word = numbers[at]
            if not plain[word]:
                run = 0
                continue
            bits = hashes[word]
            if run >= 2 and longest >= 3:
                found[k], places[k] = hashed(pair, bits), TWO * np.uint64(at) + ONE
                k += 1
            if run >= 1:
                pair = hashed(before, bits)
                found[k], places[k] = pair, TWO * np.uint64(at)
                k += 1
            before = bits
            run += 1
        row_starts[i + 1] = k
    return found[:k], row_starts, places[:k]


@loop_of(lambda hashes, *_: len(hashes))
def number_hashes(hashes, key, table, numbers, firsts):
    """The number of each hash, counted from 0 as they come, and where each first is; returns how many there are.

    Given    key, random, spreads the table; table, of zeros: for each of 2^k slots the hash, then its number + 1
    Fills    numbers, firsts
    """
    n = ZERO
    for at in range(len(hashes)):
        mask = np.uint64(len(table) // 2 - 1)
        if at + AHEAD < len(hashes):
            ask_for(table, np.uintp(TWO * (hashed(key, hashes[at + AHEAD]) & mask)))
        bits = hashes[at]
        slot = hashed(key, bits) & mask
        while table[TWO * slot + ONE] != ZERO and table[TWO * slot] != bits:
            slot = (slot + ONE) & mask
        if table[TWO * slot + ONE] == ZERO:
            firsts[n] = at
            n += ONE
            table[TWO * slot], table[TWO * slot + ONE] = bits, n
            if THREE * n > len(table):
                table = larger(table, key)
                numbers[at] = n - ONE
                continue
        numbers[at] = table[TWO * slot + ONE] - ONE
    return n


@part
def larger(table, key):
    """A table of four times as many slots with the same hashes."""
    grown = np.zeros(4 * len(table), np.uint64)
    mask = np.uint64(len(grown) // 2 - 1)
    for old in range(0, len(table), 2):
        if table[old + 1] != ZERO:
            slot = hashed(key, table[old]) & mask
            while grown[TWO * slot + ONE] != ZERO:
                slot = (slot + ONE) & mask
            grown[TWO * slot], grown[TWO * slot + ONE] = table[old], table[old + 1]
    return grown


@loop_of(lambda hashes, *_: len(hashes))
def table_of(hashes, places, key):
    """A table by which `find_hashes` finds places[i] of each hashes[i], none of which is there twice."""
    size = 16
    while size < 3 * len(hashes):
        size *= 2
    table = np.zeros(2 * size, np.uint64)
    mask = np.uint64(size - 1)
    for at in range(len(hashes)):
        if at + AHEAD < len(hashes):
            ask_for(table, np.uintp(TWO * (hashed(key, hashes[at + AHEAD]) & mask)))
        slot = hashed(key, hashes[at]) & mask
        while table[TWO * slot + ONE] != ZERO:
            slot = (slot + ONE) & mask
        table[TWO * slot], table[TWO * slot + ONE] = hashes[at], np.uint64(places[at]) + ONE
    return table


@loop_of(lambda hashes, *_: len(hashes))
def find_hashes(hashes, table, key):
    """The place of each hash by the table, -1 where it has none."""
    places = np.empty(len(hashes), np.int32)
    mask = np.uint64(len(table) // 2 - 1)
    for at in range(len(hashes)):
        if at + AHEAD < len(hashes):
            ask_for(table, np.uintp(TWO * (hashed(key, hashes[at + AHEAD]) & mask)))
        bits = hashes[at]
        slot = hashed(key, bits) & mask
        while table[TWO * slot + ONE] != ZERO and table[TWO * slot] != bits:
            slot = (slot + ONE) & mask
        places[at] = np.int64(table[TWO * slot + ONE]) - 1
    return places


@loop_of(lambda data, starts, *_: len(starts) + int(starts[-1] - starts[0]))
def find_spans(data, starts, hashes, known, known_starts, table, key):
    """The place of each word among the known ones, -1 where it is none of them; by its hash, then byte by byte."""
    places = find_hashes(hashes, table, key)
    for at in range(len(places)):
        begin, size = starts[at], starts[at + 1] - starts[at]
        if places[at] >= 0:
            other = known_starts[places[at]]
            same = known_starts[places[at] + 1] - other == size
            k = 0
            while same and k < size:
                same = data[begin + k] == known[other + k]
                k += 1
            if not same:
                places[at] = -1
    return places


@loop_of(lambda data, starts, *_: 16 * int(starts[-1] - starts[0]) + len(starts))
def hash_characters(data, starts, keys):
    """The hashes of the runs of 3 to 5 characters of each word, its ends counted as characters; where the words start.

    A run that is a whole word is none. Given    keys: of runs inside a word, that end it, and that begin it
    Returns  hashes, starts, and for each run its first byte in the word and what it is: its bytes, BEGINS, ENDS
    """
    n = len(starts) - 1
    room = 3 * (starts[n] - starts[0] + 2 * n)
    hashes, parts, run_starts = np.empty(room, np.uint64), np.empty((room, 2), np.uint32), np.zeros(n + 1, np.int64)
    places = np.empty(64, np.int64)
    k = 0
    for word in range(n):
        begin, end = starts[word], starts[word + 1]
        if end - begin + 1 > len(places):
            places = np.empty(2 * (end - begin + 1), np.int64)
        size = characters_of(data, begin, end, places)
        padded = size + 2
        for length in range(SHORTEST, min(LONGEST, padded - 1) + 1):
            for first in range(padded - length + 1):
                begins, ends = first == 0, first + length == padded
                low, high = places[max(first - 1, 0)], places[min(first + length - 1, size)]
                hashes[k] = span_hash(data, low, high, keys[2 * begins + ends])
                what = np.uint32(high - low) | np.uint32(BEGINS * begins) | np.uint32(ENDS * ends)
                parts[k, 0], parts[k, 1] = low - begin, np.uint32(CHARACTERS) | what
                k += 1
        run_starts[word + 1] = k
    return hashes[:k], run_starts, parts[:k]


@part
def characters_of(data, begin, end, places):
    """Notes where each character begins, and the end; returns how many there are."""
    n = 0
    for at in range(begin, end):
        if data[at] & 0xC0 != 0x80:
            places[n] = at
            n += 1
    places[n] = end
    return n


@part
def span_hash(data, start, stop, key):
    """A hash of the key and the bytes: the rule of `mix_spans`."""
    bits = hashed(key, np.uint64(stop - start))
    for first in range(start, stop, 8):
        packed = ZERO
        for place in range(first, min(first + 8, stop)):
            packed |= np.uint64(data[place]) << (EIGHT * np.uint64(place - first))
        bits = hashed(bits, packed)
    return bits


@loop_of(lambda numbers, starts, lists, list_starts, grams, *_: len(numbers) + len(lists) + len(grams))
def spread_rows(numbers, starts, lists, list_starts, grams, gram_starts):
    """The rows with, for each word, lists[list_starts[word]:list_starts[word + 1]], and then the n-grams of the row.

    What is negative is left out.
    """
    n, size = len(starts) - 1, len(grams)
    for at in range(len(numbers)):
        size += list_starts[numbers[at] + 1] - list_starts[numbers[at]]
    joined, row_starts = np.empty(size, np.uint32), np.zeros(n + 1, np.int64)
    m = 0
    for i in range(n):
        for at in range(starts[i], starts[i + 1]):
            word = numbers[at]
            for k in range(list_starts[word], list_starts[word + 1]):
                joined[m] = lists[k]
                m += lists[k] >= 0
        for k in range(gram_starts[i], gram_starts[i + 1]):
            joined[m] = grams[k]
            m += grams[k] >= 0
        row_starts[i + 1] = m
    return joined[:m], row_starts


@loop_of(lambda data, starts, parts, *_: 16 * len(parts))
def name_grams(data, starts, parts, dots):
    """The names of n-grams, one after the other, and where each begins: words with spaces between; or characters,
    with three dots where the word goes on."""
    ends = np.zeros(len(parts) + 1, np.int64)
    for g in range(len(parts)):
        ends[g + 1] = ends[g] + name_size(starts, parts[g], len(dots))
    names = np.empty(max(1, ends[-1]), np.uint8)
    for g in range(len(parts)):
        at, first, last = ends[g], starts[np.int64(parts[g, 0])], parts[g, 2]
        if last != NONE and last & CHARACTERS:
            if not last & BEGINS:
                at = copied(names, at, dots, 0, len(dots))
            start = first + np.int64(parts[g, 1])
            at = copied(names, at, data, start, start + np.int64(last & BYTES))
            if not last & ENDS:
                at = copied(names, at, dots, 0, len(dots))
            continue
        for k in range(2 if last == NONE else 3):
            if k:
                names[at] = 32
                at += 1
            word = np.int64(parts[g, k])
            at = copied(names, at, data, starts[word], starts[word + 1])
    return names, ends


@part
def name_size(starts, part, dots):
    """The bytes of the name of an n-gram."""
    last = part[2]
    if last != NONE and last & CHARACTERS:
        return np.int64(last & BYTES) + (0 if last & BEGINS else dots) + (0 if last & ENDS else dots)
    size = np.int64(1)
    for k in range(2):
        size += starts[np.int64(part[k]) + 1] - starts[np.int64(part[k])]
    if last != NONE:
        size += 1 + starts[np.int64(last) + 1] - starts[np.int64(last)]
    return size


@part
def copied(target, at, source, begin, end):
    """Copies some bytes; returns the place after them."""
    for place in range(begin, end):
        target[at] = source[place]
        at += 1
    return at


@loop_of(lambda data, starts, *_: 8 * int(starts[-1] - starts[0]) + len(starts))
def hash_names(data, starts, key, keys, dots, hashes):
    """hashes[i] = the hash of the n-gram of this name: the inverse of `name_grams`."""
    for i in range(len(starts) - 1):
        begin, end = starts[i], starts[i + 1]
        space = begin
        while space < end and data[space] != 32:
            space += 1
        if space == end:
            opens = begin + len(dots) <= end and is_at(data, begin, dots)
            closes = end - len(dots) >= begin and is_at(data, end - len(dots), dots)
            low, high = begin + (len(dots) if opens else 0), end - (len(dots) if closes else 0)
            hashes[i] = span_hash(data, low, max(low, high), keys[min(2, 2 * (not opens) + (not closes))])
            continue
        bits = span_hash(data, begin, space, key)
        while space < end:
            first = space + 1
            space = first
            while space < end and data[space] != 32:
                space += 1
            bits = hashed(bits, span_hash(data, first, space, key))
        hashes[i] = bits


@part
def is_at(data, at, dots):
    k = 0
    while k < len(dots) and data[at + k] == dots[k]:
        k += 1
    return k == len(dots)
