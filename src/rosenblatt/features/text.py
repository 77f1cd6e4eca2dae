"""Text as words: which of a dictionary occur in each row, or how often, or with what weight."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import count, pairwise
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rosenblatt.data.table import Origin, string_column
from rosenblatt.data.values import names_of
from rosenblatt.errors import DataError
from rosenblatt.features import tokens
from rosenblatt.features.blocks import Block, Entries
from rosenblatt.features.facts import Facts
from rosenblatt.features.lines import Asked, Learner, Line
from rosenblatt.features.textsettings import TextSettings as TextSettings
from rosenblatt.features.textsettings import stemmer_of
from rosenblatt.features.tokens import Found
from rosenblatt.loops.contents import mix_spans
from rosenblatt.loops.gather import gather
from rosenblatt.loops.threads import in_threads

CAPITALS = "capitals:"  # before a word in capitals; no token holds a colon
# Saved models depend on the hash: a new one gets a new number and the old one stays.
HASH_VERSION = 1
HASH_KEY = np.uint64(0x9AE16A3B2F90404F)
# One in so many of a dictionary's words is few. A kept table is the faster up to one in five or so, but making it takes
# as long as some searches by Arrow.
MANY = 16
ADDED = {"damped"}  # settings that plans of earlier versions do not name


@dataclass(frozen=True)
class Text(Line):
    """Words of the dictionary, sorted; or, hashed, any words. Words that training did not see have no feature."""

    settings: TextSettings
    words: pa.LargeStringArray
    rarity: np.ndarray  # the weight of each word under tfidf, otherwise empty
    prefix: str  # before each name, where several columns are text
    hash_version: int = field(default=HASH_VERSION)
    kind: ClassVar[str] = "text"

    @classmethod
    def suits(cls, facts: Facts) -> str:
        return f"{facts.words:.1f} words a value" if facts.reads_as_text else ""

    @classmethod
    def learner(cls, asked: Asked) -> Learner:
        return TextLearner(asked)

    def holds(self) -> bool:
        size, words = len(self.rarity), self.words
        whole = words.null_count == 0 and np.isfinite(self.rarity).all() and isinstance(self.prefix, str)
        # Words are found whatever their order, but a dictionary that was learned is sorted and has none twice.
        rising = len(words) < 2 or pc.all(pc.less(words[:-1], words[1:])).as_py()
        return bool(whole and rising and size == (len(words) if self.settings.weight == "tfidf" else 0))

    @property
    def width(self) -> int:
        return 1 << self.settings.hash_bits if self.settings.hash_bits else len(self.words)

    def names(self) -> list[str]:
        if self.settings.hash_bits:
            return [f"{self.prefix}hash {number}" for number in range(self.width)]
        return [self.prefix + word for word in self.words.to_pylist()]

    def encode(self, column: pa.ChunkedArray, origin: Origin) -> Block:
        return self.of(find(tokens.as_texts(self.values_of(column, origin)), self.settings))

    def of(self, parts: list[Found], places: list[np.ndarray] | None = None) -> Block:
        """The block of rows whose words are found; the places of these in the dictionary, where they are known."""
        if self.settings.hash_bits:
            places = [hash_places(part.words, self.settings.hash_bits) for part in parts]
        elif places is None:
            places = [self._known(part.words) for part in parts]
        entries = _gathered(parts, places, self.width, self.settings)
        if not len(self.rarity) or entries.values is None:
            return entries
        return entries._replace(values=entries.values * self.rarity[entries.columns])

    def _known(self, words: pa.LargeStringArray) -> np.ndarray:
        """The place of each word in the dictionary, -1 where it has none.

        Arrow's table of the dictionary is made anew for each call, ours is kept: a message has few words. A program
        that asks for one message is spared both. And over buffers, because Arrow's scalars and `to_numpy` load pandas
        where it is installed, 0.15 s of a first answer.
        """
        if len(words) < len(self.words) // MANY:
            place_of = self._places.get if next(self._calls) else self._search
            return np.array([place_of(word, -1) for word in words.to_pylist()], np.int32)
        nowhere = pa.Array.from_buffers(pa.int32(), 1, [None, pa.py_buffer(np.full(1, -1, np.int32))])[0]
        found = pc.coalesce(pc.index_in(words, value_set=self.words), nowhere)
        return np.frombuffer(found.buffers()[1], np.int32, len(found)).copy()

    @cached_property
    def _places(self) -> dict[str, int]:
        return {word: place for place, word in enumerate(self.words.to_pylist())}

    @cached_property
    def _calls(self) -> Iterator[int]:
        return count()

    def _search(self, word: str, default: int) -> int:
        """The place of the word among those of the dictionary, which are sorted."""
        data, starts = tokens.buffers(self.words)
        wanted = word.encode()

        def at(place: int) -> bytes:
            return data[starts[place] : starts[place + 1]].tobytes()

        place = bisect_left(range(len(self.words)), wanted, key=at)
        return place if place < len(self.words) and at(place) == wanted else default

    def describe(self) -> str:
        s = self.settings
        how = {"presence": "0/1", "counts": "counts", "tfidf": "tf-idf"}[s.weight] + (" damped" if s.damped else "")
        options = [name for name in ("pairs", "capitals") if getattr(s, name)]
        options += [f"{s.stems} stems"] if s.stems else []
        options += [f"in at least {s.min_documents} rows"] if s.min_documents > 1 else []
        what = f"2^{s.hash_bits} hashed" if s.hash_bits else f"{len(self.words)}"
        return ", ".join([f"text, {what} words, {how}", *options])

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind, "column": self.column, "reason": self.reason, "settings": asdict(self.settings),
            "words": self.words.to_pylist(), "rarity": self.rarity.tolist(), "prefix": self.prefix,
            "hash_version": self.hash_version, "reads": self.reads,
        }  # fmt: skip

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Text:
        try:
            given = {key: value for key, value in plain.items() if key != "kind"}
            given["hash_version"]  # has a default for those who make a line, not for those who read one
            absent = set(TextSettings.__dataclass_fields__) - set(given["settings"]) - ADDED
            if absent:
                raise KeyError(min(absent))
            given["settings"] = TextSettings(**given["settings"])
            given["words"] = string_column(given["words"])
            given["rarity"] = np.asarray(given["rarity"], np.float64)
            line = cls(**given)
        except (KeyError, TypeError, AttributeError, DataError) as error:
            raise DataError(f"the plan's line for text column {plain.get('column')!r} does not fit: {error}.") from None
        if line.hash_version != HASH_VERSION:
            raise DataError(f"the plan hashes words by rule {line.hash_version}; this version knows {HASH_VERSION}.")
        return line


class TextLearner(Learner):
    """The words of a column of text, and where that is asked, in how many rows each is."""

    def __init__(self, asked: Asked, threads: int | None = None) -> None:
        self.asked, self.settings, self.threads = asked, asked.words, threads
        self.words, self.documents, self.rows = pa.array([], pa.large_string()), np.empty(0, np.int64), 0
        self.counts = self.settings.min_documents > 1 or self.settings.weight == "tfidf"
        # So that text is read once, to learn and to encode: what was found, and the place of each word among all.
        self.found: list[Found] | None = [] if asked.keep else None
        self.places: list[np.ndarray] = []

    def look(self, column: pa.ChunkedArray, origin: Origin) -> None:
        self.rows += len(column)
        if self.settings.hash_bits and self.found is None:
            return
        parts = find(tokens.as_texts(names_of(column)), self.settings, self.threads)
        if self.found is not None:
            self.found += parts
        for part in [] if self.settings.hash_bits else parts:
            places = self._add(part.words)
            if self.found is not None:
                self.places.append(places)
            if self.counts:
                self.documents += tokens.rows_with(part, places, len(self.words))

    def merge(self, later: TextLearner) -> None:
        self.rows += later.rows
        places = self._add(later.words)
        if self.counts:
            self.documents[places] += later.documents

    def _add(self, words: pa.LargeStringArray) -> np.ndarray:
        """Adds words, none of them twice; their places among all."""
        before = len(self.words)
        if before:
            encoded = pa.concat_arrays([self.words, words]).dictionary_encode()
            self.words, places = encoded.dictionary, encoded.indices.to_numpy()[before:]
        else:
            self.words, places = words, np.arange(len(words), dtype=np.int32)
        if self.counts:
            self.documents = np.concatenate([self.documents, np.zeros(len(self.words) - before, np.int64)])
        return places

    def settle(self) -> Text:
        kept = np.diff(tokens.buffers(self.words)[1]) > 0  # an empty one is what `rename` took out
        if self.settings.min_documents > 1:
            kept &= self.documents >= self.settings.min_documents
        order = tokens.sorted_order(self.words)
        order = order[kept[order]]
        self.rank = np.full(len(self.words), -1, np.int32)
        self.rank[order] = np.arange(len(order))
        words, documents = self.words.take(pa.array(order)), self.documents[order] if self.counts else self.documents
        rarity = np.empty(0)
        if self.settings.weight == "tfidf":  # as if one more row held every word, so that none has weight 0
            rarity = np.log((1 + self.rows) / (1 + documents)) + 1
        asked = self.asked
        return Text(asked.column, asked.reason, self.settings, words, rarity, asked.prefix, reads=asked.reads)

    def encoded(self, line: Line) -> Block | None:
        if not isinstance(line, Text) or self.found is None:
            return None
        return line.of(self.found, [self.rank[places] for places in self.places])


def learn_text(
    name: str, column: pa.ChunkedArray, settings: TextSettings, threads: int | None = None
) -> tuple[Text, Block]:
    """The line for a column of text, and the column encoded by it, from one pass over the text."""
    learner = TextLearner(Asked(name, "", column.type, words=settings, keep=True), threads)
    learner.look(column, Origin("", "row", np.empty(0, np.int64)))
    line = learner.settle()
    return line, learner.encoded(line) or line.of([])


def find(texts: pa.LargeStringArray, settings: TextSettings, threads: int | None = None) -> list[Found]:
    """The words of the rows, stemmed, paired and with capitals as the settings say."""
    once = settings.weight == "presence" and not settings.pairs
    parts = tokens.find(texts, once=once, threads=threads)
    if settings.stems:
        stemmer = stemmer_of(settings.stems)
        parts = [tokens.rename(part, stemmer.stemWords(part.words.to_pylist())) for part in parts]
    if settings.pairs:
        parts = [tokens.with_pairs(part) for part in parts]
    if settings.capitals:
        spans = np.cumsum([0, *(len(part.starts) - 1 for part in parts)]).tolist()
        rows = [texts.slice(a, b - a) for a, b in pairwise(spans)]
        parts = [tokens.beside(part, _capitals(some)) for part, some in zip(parts, rows, strict=True)]
    return parts


def _capitals(texts: pa.LargeStringArray) -> Found:
    """The words of the rows that are written in capitals; those of other words are marked by an empty name."""
    (found,) = tokens.find(texts, lowered=False, threads=1)
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


def _gathered(parts: list[Found], places: list[np.ndarray], width: int, settings: TextSettings) -> Entries:
    """The rows of the matrix."""
    counted = settings.weight != "presence"

    def work(pair: tuple[Found, np.ndarray]) -> tuple[np.ndarray, ...]:
        part, place = pair
        result: tuple[np.ndarray, ...] = gather(part.numbers, part.starts, place, width, counted)
        return result

    done = in_threads(work, list(zip(parts, places, strict=True)))
    if len(done) == 1:
        starts, columns, counts, _ = done[0]
    else:
        ends = np.cumsum([0, *(len(part[1]) for part in done)])
        starts = np.concatenate([[0], *(part[0][1:] + end for part, end in zip(done, ends, strict=False))])
        columns, counts = (np.concatenate([part[k] for part in done]) for k in (1, 2))
    values = counts.astype(np.float64) if counted else None
    if values is not None and settings.damped:
        values = np.log(values) + 1
    return Entries(starts, columns, values, width)
