"""N-grams as features: what a block shows of them, how blocks add up, and their names.

An n-gram is known by its hash, so that blocks and workers agree on it without a string; its name is made when the
dictionary is settled. The dictionary has n-grams in the order of their hashes, after the words.
"""

from __future__ import annotations

import os
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from rosenblatt.data.memory import asked
from rosenblatt.loops.contents import mix_spans
from rosenblatt.loops.grams import NONE, hash_characters, hash_grams, hash_names, name_grams, number_hashes

DOTS = np.frombuffer("…".encode(), np.uint8)  # where the word of a run of characters goes on; in no word
# Saved models depend on these: a new rule gets new keys, and the plan must then say which.
WORD_KEY = np.uint64(0x9AE16A3B2F90404F)
RUN_KEYS = np.array([0xD6E8FEB86659FD93, 0xA0761D6478BD642F, 0xE7037ED1A0B428DB], np.uint64)
# N-grams that a dictionary is made of, by the memory that was asked for; of more, those in too few rows are left out.
FEWEST, MOST = 1 << 18, 1 << 23
BYTES_EACH = 256  # of memory for each n-gram: what is counted of it, its name, and a weight or two
COUNTERS = 4  # for each n-gram that there is room for, where there are more


def room() -> int:
    """How many different n-grams there is room for."""
    size = asked()
    return MOST if size is None else max(FEWEST, min(MOST, size // BYTES_EACH))


class Grams(NamedTuple):
    """Different n-grams: their hashes, and what each is made of (`loops/grams.py`)."""

    hashes: np.ndarray
    parts: np.ndarray

    @classmethod
    def none(cls) -> Grams:
        return cls(np.empty(0, np.uint64), np.empty((0, 3), np.uint32))


def random_key() -> np.uint64:
    """A key for a table, so that nobody can prepare texts that collide in it."""
    return np.uint64(int.from_bytes(os.urandom(8), "little"))


def word_hashes(data: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """The hash of each word."""
    hashes = np.empty(len(starts) - 1, np.uint64)
    hashes.fill(WORD_KEY)
    mix_spans(data, starts, hashes)
    return hashes


def name_hashes(data: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """The hashes of n-grams by their names."""
    hashes = np.empty(len(starts) - 1, np.uint64)
    with np.errstate(over="ignore"):
        hash_names(data, starts, WORD_KEY, RUN_KEYS, DOTS, hashes)
    return hashes


def names_of(grams: Grams, data: np.ndarray, starts: np.ndarray) -> pa.LargeStringArray:
    """The names of n-grams of these words."""
    names, ends = name_grams(data, starts, grams.parts, DOTS)
    return pa.LargeStringArray.from_buffers(len(ends) - 1, pa.py_buffer(ends), pa.py_buffer(names))


class Occurring(NamedTuple):
    """The n-grams of rows, or the runs of words, as they come: a hash for each, and where rows or words start."""

    hashes: np.ndarray
    starts: np.ndarray
    places: np.ndarray

    def numbered(self) -> tuple[np.ndarray, np.ndarray]:
        """The number of each, counted as they come, and which are the first of their number."""
        return numbered(self.hashes)


def numbered(hashes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The number of each hash, counted as they come, and which are the first of their number."""
    # Memory from here comes in large pages, that from inside the loop would not, and a table is read all over.
    numbers, firsts = np.empty(len(hashes), np.uint32), np.empty(len(hashes), np.int64)
    table = np.zeros(2 << max(10, (len(hashes) // 2).bit_length()), np.uint64)
    with np.errstate(over="ignore"):
        n = number_hashes(hashes, random_key(), table, numbers, firsts)
    return numbers, firsts[:n]


def of_words(numbers: np.ndarray, starts: np.ndarray, hashes: np.ndarray, plain: np.ndarray, longest: int) -> Occurring:
    """The pairs, and with 3 the triples, of neighbouring words of each row."""
    with np.errstate(over="ignore"):
        return Occurring(*hash_grams(numbers, starts, hashes, plain, longest))


def of_characters(data: np.ndarray, starts: np.ndarray) -> Occurring:
    """The runs of characters of each word."""
    with np.errstate(over="ignore"):
        return Occurring(*hash_characters(data, starts, RUN_KEYS))


def made_of_words(occurring: Occurring, firsts: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """What different n-grams of words are made of."""
    places = occurring.places[firsts]
    last = (places >> np.uint64(1)).astype(np.int64)
    triple = (places & np.uint64(1)).astype(np.int64)
    words = [numbers[last - 1 - triple], numbers[last - triple], np.where(triple == 1, numbers[last], NONE)]
    return np.stack(words, axis=1).astype(np.uint32)


def made_of_characters(occurring: Occurring, firsts: np.ndarray) -> np.ndarray:
    """What different runs of characters are made of."""
    words = np.searchsorted(occurring.starts, firsts, side="right") - 1
    return np.concatenate([words[:, None].astype(np.uint32), occurring.places[firsts]], axis=1)


class Counted:
    """The n-grams of many blocks, as they come, with in how many rows of each class each is.

    Of more than there is room for, only a sum for each of a fixed number of groups of hashes is kept; what these let
    through, n-grams in enough rows, is collected when all blocks are looked at once more. That is the same whatever
    the blocks are, since sums do not care.
    """

    def __init__(self, classes: int, most: int, admitted: np.ndarray | None = None, least: int = 1) -> None:
        self.most, self.admitted, self.least = most, admitted, least
        self.hashes = np.empty(0, np.uint64)
        self.documents, self.parts = np.empty((classes, 0), np.int64), np.empty((0, 3), np.uint32)
        self.pending: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        self.sums: np.ndarray | None = None  # where there were too many

    def add(self, hashes: np.ndarray, documents: np.ndarray, parts: np.ndarray) -> None:
        """Adds different n-grams of a block; `documents` has a line for each class."""
        if self.sums is not None:
            self._count(hashes, documents)
            return
        if self.admitted is not None:
            let = self.admitted[self._group(hashes, len(self.admitted))]
            hashes, documents, parts = hashes[let], documents[:, let], parts[let]
        self.pending.append((hashes, documents, parts))
        if sum(len(each[0]) for each in self.pending) > max(1 << 16, len(self.hashes)):
            self.consolidate()

    def consolidate(self) -> None:
        """Adds what is pending to the rest."""
        if len(self.pending) == 1 and not len(self.hashes):
            self.hashes, self.documents, self.parts = self.pending.pop()
        if self.pending:
            blocks = [(self.hashes, self.documents, self.parts), *self.pending]
            hashes = np.concatenate([each[0] for each in blocks])
            documents, parts = np.hstack([each[1] for each in blocks]), np.vstack([each[2] for each in blocks])
            self.pending = []
            groups, firsts = numbered(hashes)
            self.hashes, self.parts = hashes[firsts], parts[firsts]
            self.documents = np.stack([np.bincount(groups, each, len(firsts)) for each in documents]).astype(np.int64)
        if len(self.hashes) > self.most and self.admitted is None:
            self._overflow()

    def _overflow(self) -> None:
        """Keeps nothing but sums from here on."""
        if self.sums is None:
            self.sums = np.zeros(1 << (COUNTERS * self.most).bit_length(), np.int64)
            for hashes, documents, _ in [(self.hashes, self.documents, self.parts), *self.pending]:
                self._count(hashes, documents)
            self.pending = []
            self.hashes, self.documents, self.parts = self.hashes[:0], self.documents[:, :0], self.parts[:0]

    def in_order(self, least: int) -> np.ndarray:
        """Which are in so many rows, in the order of their hashes."""
        enough = np.flatnonzero(self.documents.sum(axis=0) >= least)
        return enough[np.argsort(self.hashes[enough])]

    def merge(self, later: Counted, words: np.ndarray) -> None:
        """Adds those of later blocks; words[word] is the number that a word of theirs has here."""
        later.consolidate()
        if later.sums is None:
            self.add(later.hashes, later.documents, renumbered(later.parts, words))
            return
        self._overflow()
        self.sums = later.sums if self.sums is None else self.sums + later.sums

    def again(self, least: int) -> Counted | None:
        """What collects those that are in enough rows, where there were too many; otherwise None."""
        self.consolidate()
        if self.sums is None:
            return None
        least = max(least, 2)
        while np.count_nonzero(self.sums >= least) > self.most:
            least += 1
        return Counted(len(self.documents), self.most, self.sums >= least, least)

    def _count(self, hashes: np.ndarray, documents: np.ndarray) -> None:
        assert self.sums is not None
        groups = self._group(hashes, len(self.sums))
        self.sums += np.bincount(groups, documents.sum(axis=0), len(self.sums)).astype(np.int64)

    @staticmethod
    def _group(hashes: np.ndarray, groups: int) -> np.ndarray:
        return (hashes >> np.uint64(64 - (groups.bit_length() - 1))).astype(np.int64)


def renumbered(parts: np.ndarray, words: np.ndarray) -> np.ndarray:
    """What n-grams are made of, with words[word] for each word."""
    words = words.astype(np.uint32)
    found = parts.copy()
    found[:, 0] = words[parts[:, 0]]
    of_words_ = (parts[:, 2] == NONE) | (parts[:, 2] < 1 << 31)
    found[of_words_, 1] = words[parts[of_words_, 1]]
    triples = parts[:, 2] < 1 << 31
    found[triples, 2] = words[parts[triples, 2]]
    return found
