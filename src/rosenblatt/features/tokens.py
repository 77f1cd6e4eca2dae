"""Text as numbered words: the tokens of scikit-learn's default, found by compiled code in Arrow's own memory.

A token is what the pattern (?u)\\b\\w\\w+\\b finds in the lowered text. Which characters belong to words is asked of
Python's own `re`, once, and lowering beyond ASCII is done by Python's own `str.lower`, so that both agree exactly.
Scripts without spaces are cut (`features/scripts.py`), which scikit-learn does not do.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rosenblatt.data.table import string_column
from rosenblatt.features import grams
from rosenblatt.features.grams import Grams
from rosenblatt.features.scripts import character_table, chunk_table
from rosenblatt.loops.gather import join_rows
from rosenblatt.loops.grams import spread_rows
from rosenblatt.loops.threads import in_threads, thread_count
from rosenblatt.loops.words import WIDE, find_words, mark_changing, mark_plain, place_words

SMALL = 1 << 16  # bytes of text that are not worth a second thread
UNCUT, CUT = 0, 1  # rules for scripts without spaces: none, as in plans that do not say; units and their neighbours


class Found(NamedTuple):
    """The words of some rows: their numbers in reading order, where each row starts, and the words by number.

    Numbers from len(words) on are those of n-grams of words, and then those of runs of characters, which are of chunks:
    what stands between spaces, signs included.
    """

    numbers: np.ndarray
    starts: np.ndarray
    words: pa.LargeStringArray
    grams: Grams = Grams.none()
    chunks: pa.LargeStringArray | None = None
    runs: Grams = Grams.none()


def find(
    texts: pa.LargeStringArray,
    lowered: bool = True,
    once: bool = False,
    threads: int | None = None,
    rule: int = CUT,
    longest: int = 1,
) -> list[Found]:
    """The words of all rows, in as many parts, one after the other, as there were threads to find them.

    once       a word is noted where it first occurs in a row and not again
    rule       for scripts without spaces: UNCUT or CUT; longest    words that are taken together, from 1 to 3
    """
    parts = cut(texts, threads)
    return in_threads(lambda part: _find(part, lowered, once, lambda: character_table(rule == CUT), longest), parts)


def find_chunks(texts: pa.LargeStringArray, once: bool, threads: int | None) -> list[Found]:
    """The same for chunks, whose numbers are no features: runs of characters are made of them."""
    parts = cut(texts, threads)
    return in_threads(lambda part: _find(part, True, once, chunk_table, 1, chunk_letters()), parts)


def _find(
    texts: pa.LargeStringArray,
    lowered: bool,
    once: bool,
    table: Callable[[], np.ndarray],
    longest: int,
    letters: np.ndarray | None = None,
) -> Found:
    letters, wide = letter_table(lowered) if letters is None else letters, no_wide()
    text, starts = buffers(texts)
    instead = np.full(len(texts), -1), *no_text()
    if not is_ascii(text, starts):
        wide = table()
        if lowered:
            which, others = lowered_beyond_ascii(texts)
            instead = which, *buffers(others)
    key = np.uint64(int.from_bytes(os.urandom(8), "little"))
    numbers, row_starts, known, ends = find_words(text, starts, instead, letters, wide, min(longest + 1, 3), key, once)
    words = pa.LargeStringArray.from_buffers(len(ends) - 1, pa.py_buffer(ends), pa.py_buffer(known))
    return Found(numbers, row_starts, words)


def places(text: str, lowered: bool = True, rule: int = CUT, longest: int = 1, chunks: bool = False) -> np.ndarray:
    """Where each word, or each chunk, of a text begins and ends: in bytes of the text as it is read, in their order."""
    letters = chunk_letters() if chunks else letter_table(lowered)
    wide = no_wide() if text.isascii() else chunk_table() if chunks else character_table(rule == CUT)
    row = readonly(np.frombuffer(_as_read(text, lowered).encode() + b" ", np.uint8)[:-1])
    return np.asarray(place_words(row, letters, wide, min(longest + 1, 3)))


def in_characters(text: str, ends: np.ndarray, lowered: bool = True) -> np.ndarray:
    """Beginnings and ends in bytes of the text as it is read, in characters of the text itself.

    A character can have several bytes, and one that is lowered can become two.
    """
    if text.isascii():
        return ends
    read = _as_read(text, lowered)
    place = np.repeat(np.arange(len(read)), [len(letter.encode()) for letter in read])
    if len(read) != len(text):
        place = np.repeat(np.arange(len(text)), [len(letter.lower()) for letter in text])[place]
    return np.stack([place[ends[:, 0]], place[ends[:, 1] - 1] + 1], axis=1)


def _as_read(text: str, lowered: bool) -> str:
    return text.lower() if lowered and not text.isascii() else text


def as_texts(column: pa.ChunkedArray | pa.Array) -> pa.LargeStringArray:
    """The column as one array of strings; a missing text is an empty one."""
    if isinstance(column, pa.ChunkedArray):
        column = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    if not pa.types.is_large_string(column.type):
        column = column.cast(pa.large_string())
    # Not by fill_null, which would load pandas for its scalar.
    return pc.coalesce(column, string_column([""])[0]) if column.null_count else column


def buffers(texts: pa.LargeStringArray) -> tuple[np.ndarray, np.ndarray]:
    """The bytes of the texts and where each starts, without a copy."""
    _, offsets, data = texts.buffers()
    starts = np.frombuffer(offsets, np.int64)[texts.offset : texts.offset + len(texts) + 1]
    text = np.frombuffer(data, np.uint8) if data and data.size else np.zeros(1, np.uint8)
    return readonly(text), readonly(starts)


def readonly(array: np.ndarray) -> np.ndarray:
    """The array, not to be written to: loops are compiled anew for arrays that may be."""
    array.flags.writeable = False
    return array


def all_ascii(texts: pa.LargeStringArray) -> bool:
    return is_ascii(*buffers(texts))


def is_ascii(text: np.ndarray, starts: np.ndarray) -> bool:
    """Whether the bytes of all texts are ASCII."""
    return bool(text[starts[0] : starts[-1]].max(initial=0) < 128)


def lowered_beyond_ascii(texts: pa.LargeStringArray) -> tuple[np.ndarray, pa.LargeStringArray]:
    """The texts in which lowering changes characters beyond ASCII, lowered by Python, and for each text which it is.

    That is -1 for the others, which are most: they are lowered where they are read.
    """
    found = np.zeros(len(texts), np.bool_)
    mark_changing(*buffers(texts), changing_table(), found)
    # Not by pa.array, which would load pandas.
    bits = pa.py_buffer(np.packbits(found, bitorder="little"))
    chosen = texts.filter(pa.Array.from_buffers(pa.bool_(), len(texts), [None, bits]))
    lowered = [text.lower() for text in chosen.to_pylist()]
    return np.where(found, np.cumsum(found) - 1, -1), string_column(lowered)


@cache
def letter_table(lowered: bool) -> np.ndarray:
    """For each byte what it adds to a word: itself or its small letter, 0 for none, WIDE beyond ASCII."""
    table = np.full(256, WIDE, np.uint8)
    for code in range(128):
        letter = chr(code).lower() if lowered else chr(code)
        table[code] = ord(letter) if re.match(r"\w", letter) else 0
    return table


@cache
def chunk_letters() -> np.ndarray:
    """For each byte what it adds to a chunk."""
    table = np.full(256, WIDE, np.uint8)
    for code in range(128):
        table[code] = ord(chr(code).lower()) if 32 < code < 127 else 0
    return table


@cache
def changing_table() -> np.ndarray:
    """For each character whether `str.lower` puts another in its place; its neighbours decide at most which."""
    every, size = np.arange(0x110000, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass"), 1024
    table = np.zeros(0x110000, np.uint8)
    for start in range(0, len(every), size):
        letters = every[start : start + size]
        if letters.lower() != letters:  # seldom
            table[start : start + size] = [letter.lower() != letter for letter in letters]
    return table


@cache
def no_text() -> tuple[np.ndarray, np.ndarray]:
    """The buffers of no texts."""
    return buffers(string_column([]))


@cache
def no_wide() -> np.ndarray:
    return np.zeros(1, np.uint8)


def cut(texts: pa.LargeStringArray, threads: int | None) -> list[pa.LargeStringArray]:
    """The texts in as many runs of rows, of about the same number of bytes; as many as processors for None."""
    _, starts = buffers(texts)
    size = int(starts[-1] - starts[0])
    threads = 1 if size < SMALL else threads or thread_count()
    if threads < 2:
        return [texts]
    aims = starts[0] + size * np.arange(threads + 1) // threads
    bounds = np.searchsorted(starts, aims)
    bounds[0], bounds[-1] = 0, len(texts)
    return [texts.slice(a, b - a) for a, b in pairwise(bounds.tolist()) if b > a]


def sorted_order(words: pa.LargeStringArray) -> np.ndarray:
    """The order that sorts distinct words as Python does.

    UTF-8 sorts as its characters do, so the first 8 bytes, read as one number, decide nearly all; what they leave
    equal is compared in full. That takes a quarter of the time of comparing strings.
    """
    keys = first_eight_bytes(words)
    order = np.argsort(keys)
    ordered = keys[order]
    equal = np.zeros(len(order) + 1, bool)
    equal[1:-1] = ordered[1:] == ordered[:-1]
    tied = np.flatnonzero(equal[1:] | equal[:-1])
    unclear = order[tied]
    order[tied] = unclear[pc.sort_indices(words.take(pa.array(unclear))).to_numpy()]
    return order


def first_eight_bytes(words: pa.LargeStringArray) -> np.ndarray:
    """The first 8 bytes of each word as one number, the first of them highest, with zeros where the word is shorter."""
    data, starts = buffers(words)
    eights = np.concatenate([data, np.zeros(16 - len(data) % 8, np.uint8)]).view("<u8")
    at, shift = starts[:-1] >> 3, (starts[:-1] & 7).astype(np.uint64) << np.uint64(3)
    lowest_first = (eights[at] >> shift) | ((eights[at + 1] << np.uint64(1)) << (np.uint64(63) - shift))
    beyond = np.uint64(64) - np.uint64(8) * np.minimum(np.diff(starts), 8).astype(np.uint64)
    return np.asarray(((lowest_first << beyond) >> beyond).astype(">u8").view("<u8").astype(np.uint64))


def rename(found: Found, new: Sequence[str]) -> Found:
    """The same rows with each word replaced, words that became equal sharing one number; an empty one goes out."""
    encoded = pa.array(new, pa.large_string()).dictionary_encode()
    places = encoded.indices.to_numpy().astype(np.uint32)
    return Found(places[found.numbers], found.starts, encoded.dictionary)


def without(found: Found, words: frozenset[str]) -> Found:
    """The rows without these words: what is left stands side by side."""
    kept = np.array([word not in words for word in found.words.to_pylist()], bool)
    there = kept[found.numbers]
    starts = np.concatenate([[0], np.cumsum(there)])[found.starts]
    return Found(found.numbers[there], starts, found.words)


def beside(one: Found, other: Found) -> Found:
    """The rows of both, joined row by row."""
    numbers, starts = join_rows(one.numbers, one.starts, other.numbers, other.starts, len(one.words))
    return Found(numbers, starts, pa.concat_arrays([one.words, other.words]))


def plain_words(words: pa.LargeStringArray, rule: int) -> np.ndarray:
    """Which are words with spaces around them, that n-grams are made of: not units, capitals, or what was taken out."""
    plain = np.ones(len(words), np.bool_)
    mark_plain(*buffers(words), no_wide() if all_ascii(words) else character_table(rule == CUT), plain)
    return plain


def holds_units(words: pa.LargeStringArray) -> bool:
    """Whether some of the words are of scripts without spaces."""
    return not all_ascii(words) and not np.array_equal(plain_words(words, CUT), plain_words(words, UNCUT))


def with_grams(found: Found, chunks: Found | None, longest: int, rule: int) -> Found:
    """The rows with the n-grams of their words and the runs of their chunks, numbered after the words."""
    plain, n = plain_words(found.words, rule), len(found.words)
    ids, gram_starts, made, runs = np.empty(0, np.int64), np.zeros_like(found.starts), Grams.none(), Grams.none()
    if longest > 1:
        occurring = word_grams(found, plain, longest)
        numbers, firsts = occurring.numbered()
        ids, gram_starts = numbers + np.int64(n), occurring.starts
        made = Grams(occurring.hashes[firsts], grams.made_of_words(occurring, firsts, found.numbers))
    own = np.arange(n)
    rows = spread(found, np.where(plain, -1, own) if longest == 0 else own, ids, gram_starts)
    if chunks is not None:
        occurring = grams.of_characters(*buffers(chunks.words))
        numbers, firsts = occurring.numbered()
        runs = Grams(occurring.hashes[firsts], grams.made_of_characters(occurring, firsts))
        rows = spread_runs(chunks, numbers + np.int64(n + len(made.hashes)), occurring.starts, *rows)
    return Found(*rows, found.words, made, None if chunks is None else chunks.words, runs)


def word_grams(found: Found, plain: np.ndarray, longest: int) -> grams.Occurring:
    """The n-grams of the words of each row, as they come."""
    return grams.of_words(found.numbers, found.starts, grams.word_hashes(*buffers(found.words)), plain, longest)


def spread(found: Found, own: np.ndarray, ids: np.ndarray, starts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows of own[word] for each word, and after them of the n-grams; what is negative is left out."""
    lists = np.arange(len(own) + 1)
    numbers, row_starts = spread_rows(found.numbers, found.starts, own.astype(np.int64), lists, ids, starts)
    return numbers, row_starts


def spread_runs(
    chunks: Found, runs: np.ndarray, run_starts: np.ndarray, numbers: np.ndarray, starts: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the runs of each chunk, and after them of the numbers that there are; what is negative is left out."""
    numbers, row_starts = spread_rows(chunks.numbers, chunks.starts, runs, run_starts, numbers.astype(np.int64), starts)
    return numbers, row_starts
