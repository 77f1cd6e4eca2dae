"""Where in a text its features are: the places of words, n-grams and runs of characters, by the tokenizer itself."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow.compute as pc

from rosenblatt.data.table import string_column
from rosenblatt.features import grams, tokens
from rosenblatt.features.text import Text, named
from rosenblatt.features.textrows import CAPITALS, hash_places
from rosenblatt.features.textsettings import stemmer_of
from rosenblatt.features.tokens import Found
from rosenblatt.loops.grams import BYTES


class Span(NamedTuple):
    """One occurrence: from a character to before another, and the number of the feature among those of its line."""

    start: int
    stop: int
    feature: int


def spans_of(line: Text, text: str) -> list[Span]:
    """Every occurrence of a known feature in the text, in reading order, of equal starts the longer first."""
    settings, texts = line.settings, string_column([text])
    found, where = _words(line, text)
    if settings.capitals:
        (written,) = tokens.find(texts, lowered=False, threads=1, rule=line.rule)
        names = [CAPITALS + word if word.isupper() else "" for word in written.words.to_pylist()]
        own = tokens.rename(written, names)
        where = np.vstack([where, tokens.in_characters(text, tokens.places(text, False, line.rule), False)])
        found = tokens.beside(found, own)
    parts = [(found.numbers.astype(np.int64), where)]
    chunks, first = None, len(found.words)
    if settings.characters:
        (chunks,) = tokens.find_chunks(texts, False, 1)
    if settings.grams:
        plain, made = tokens.plain_words(found.words, line.rule), 0
        if settings.longest == 0:
            parts[0] = (np.where(plain[found.numbers], -1, parts[0][0]), where)
        if settings.longest > 1:
            occurring = tokens.word_grams(found, plain, settings.longest)
            numbers, firsts = occurring.numbered()
            last, triple = (occurring.places >> np.uint64(1)).astype(int), (occurring.places & np.uint64(1)).astype(int)
            parts.append((numbers.astype(np.int64) + first, np.stack([where[last - 1 - triple, 0], where[last, 1]], 1)))
            made = len(firsts)
        if chunks is not None:
            parts.append(_runs(chunks, text, first + made))
    whole = tokens.with_grams(found, chunks, settings.longest, line.rule) if settings.grams else found
    places = _places(line, whole)
    spans = [
        Span(int(begin), int(end), int(places[number]))
        for numbers, ends in parts
        for number, (begin, end) in zip(numbers.tolist(), ends.tolist(), strict=True)
        if number >= 0 and places[number] >= 0
    ]
    return sorted(spans, key=lambda span: (span.start, -span.stop, span.feature))


def _words(line: Text, text: str) -> tuple[Found, np.ndarray]:
    """The words of the text as the settings want them, and where each is."""
    settings, longest = line.settings, max(1, line.settings.longest)
    (found,) = tokens.find(string_column([text]), threads=1, rule=line.rule, longest=longest)
    where = tokens.in_characters(text, tokens.places(text, rule=line.rule, longest=longest))
    if settings.stop_words:
        stays = np.array([word not in settings.left_out for word in found.words.to_pylist()], bool)
        where = where[stays[found.numbers]]
        found = tokens.without(found, settings.left_out)
    if settings.stems:
        found = tokens.rename(found, stemmer_of(settings.stems).stemWords(found.words.to_pylist()))
    return found, where


def _runs(chunks: Found, text: str, first: int) -> tuple[np.ndarray, np.ndarray]:
    """The runs of characters of each chunk: their numbers, and where they are."""
    occurring, where = grams.of_characters(*tokens.buffers(chunks.words)), tokens.places(text, chunks=True)
    sizes = np.diff(occurring.starts)[chunks.numbers]
    runs = np.repeat(occurring.starts[chunks.numbers] - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
    begins = np.repeat(where[:, 0], sizes) + occurring.places[runs, 0]
    ends = begins + (occurring.places[runs, 1] & BYTES)
    return occurring.numbered()[0][runs].astype(np.int64) + first, tokens.in_characters(
        text, np.stack([begins, ends], 1)
    )


def _places(line: Text, found: Found) -> np.ndarray:
    """The feature of each number, -1 where it has none."""
    names = named(found)
    if line.settings.hash_bits:
        return hash_places(names, line.settings.hash_bits)
    found_at = pc.index_in(names, value_set=line.words)
    return np.array([-1 if place is None else place for place in found_at.to_pylist()], np.int64)
