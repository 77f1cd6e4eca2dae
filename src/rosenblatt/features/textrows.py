"""From texts to rows of numbers: the words as the settings want them, and the n-grams of them.

To learn, n-grams are numbered as they come; to encode, each is looked up by its hash in the dictionary.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pyarrow as pa

from rosenblatt.features import tokens
from rosenblatt.features.blocks import Entries
from rosenblatt.features.textsettings import TextSettings, stemmer_of
from rosenblatt.features.tokens import Found
from rosenblatt.loops.contents import mix_spans
from rosenblatt.loops.gather import gather, gather_few, weigh
from rosenblatt.loops.threads import in_threads

CAPITALS = "capitals:"  # before a word in capitals; no token holds a colon
FEW = 16  # of so many columns one is in the rows: then sorting takes less than a map of all columns
HASH_KEY = np.uint64(0x9AE16A3B2F90404F)


def find(
    texts: pa.LargeStringArray, settings: TextSettings, rule: int = tokens.CUT, threads: int | None = None
) -> list[tuple[Found, Found | None]]:
    """The words of the rows, stemmed and with capitals as the settings say; and the chunks, where runs are wanted."""
    counted = settings.weight in ("counts", "tfidf")
    once = not counted and settings.longest < 2
    parts = tokens.find(texts, once=once, threads=threads, rule=rule, longest=max(1, settings.longest))
    if settings.stop_words:
        parts = [tokens.without(part, settings.left_out) for part in parts]
    if settings.stems:
        stemmer = stemmer_of(settings.stems)
        parts = [tokens.rename(part, stemmer.stemWords(part.words.to_pylist())) for part in parts]
    if settings.capitals:
        spans = np.cumsum([0, *(len(part.starts) - 1 for part in parts)]).tolist()
        rows = [texts.slice(a, b - a) for a, b in pairwise(spans)]
        parts = [tokens.beside(part, _capitals(some, rule)) for part, some in zip(parts, rows, strict=True)]
    chunks = tokens.find_chunks(texts, not counted, threads) if settings.characters else [None] * len(parts)
    return list(zip(parts, chunks, strict=True))


def find_to_learn(
    texts: pa.LargeStringArray, settings: TextSettings, rule: int = tokens.CUT, threads: int | None = None
) -> list[Found]:
    """The words and n-grams of the rows, numbered as they come."""
    parts = find(texts, settings, rule, threads)
    if not settings.grams:
        return [words for words, _ in parts]
    return in_threads(lambda part: tokens.with_grams(*part, settings.longest, rule), parts)


def _capitals(texts: pa.LargeStringArray, rule: int) -> Found:
    """The words of the rows that are written in capitals; those of other words are marked by an empty name."""
    (found,) = tokens.find(texts, lowered=False, threads=1, rule=rule)
    return tokens.rename(found, [CAPITALS + word if word.isupper() else "" for word in found.words.to_pylist()])


def hash_places(words: pa.LargeStringArray, bits: int) -> np.ndarray:
    """The feature of each word: the top bits of a hash of its UTF-8."""
    data, starts = tokens.buffers(words)
    hashes = np.full(len(words), HASH_KEY)
    with np.errstate(over="ignore"):
        mix_spans(data, starts, hashes)
    places = (hashes >> np.uint64(64 - bits)).astype(np.int32)
    places[np.diff(starts) == 0] = -1
    return places


def gathered(
    parts: list[Found], places: list[np.ndarray], width: int, settings: TextSettings, weights: np.ndarray
) -> Entries:
    """The rows of the matrix; weights of the columns, or none."""
    counted = settings.weight in ("counts", "tfidf")

    def work(pair: tuple[Found, np.ndarray]) -> tuple[np.ndarray, ...]:
        part, place = pair
        few = len(part.numbers) < width // FEW
        result: tuple[np.ndarray, ...] = (
            gather_few(part.numbers, part.starts, place, counted)
            if few
            else gather(part.numbers, part.starts, place, width, counted)
        )
        return result

    done = in_threads(work, list(zip(parts, places, strict=True)))
    if len(done) == 1:
        starts, columns, counts = done[0]
    else:
        ends = np.cumsum([0, *(len(part[1]) for part in done)])
        starts = np.concatenate([[0], *(part[0][1:] + end for part, end in zip(done, ends, strict=False))])
        columns, counts = (np.concatenate([part[k] for part in done]) for k in (1, 2))
    if not counted and not len(weights):
        return Entries(starts, columns, None, width)
    amounts = np.arange(int(counts.max(initial=0)) + 1, dtype=np.float64)
    if settings.damped:
        amounts[1:] = np.log(amounts[1:]) + 1
    values = np.empty(len(columns))
    weigh(columns, counts, amounts, weights, values)
    return Entries(starts, columns, values, width)
