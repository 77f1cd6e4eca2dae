"""Text as words and n-grams: which of a dictionary occur in each row, or how often, or with what weight."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from itertools import count
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rosenblatt.data.table import Origin, string_column
from rosenblatt.data.values import READINGS
from rosenblatt.errors import DataError
from rosenblatt.features import grams, tokens
from rosenblatt.features.blocks import Block
from rosenblatt.features.facts import Facts
from rosenblatt.features.lines import Asked, Learner, Line
from rosenblatt.features.textrows import find, gathered, hash_places
from rosenblatt.features.textsettings import TextSettings as TextSettings
from rosenblatt.features.tokens import CUT, UNCUT, Found
from rosenblatt.loops.grams import find_hashes, find_spans, table_of
from rosenblatt.loops.threads import in_threads

# Saved models depend on the hash: a new one gets a new number and the old one stays.
HASH_VERSION = 1
# One in so many of a dictionary's words is few. A kept table is the faster up to one in five or so, but making it takes
# as long as some searches by Arrow.
MANY = 16
# Settings that are None unless somebody says something.
LATER = {"ngrams", "characters", "stop_words", "max_features", "rarity"}
ADDED = {"damped", *LATER}  # settings that plans of earlier versions do not name
HOW = {"presence": "0/1", "counts": "counts", "tfidf": "tf-idf", "ratio": "ratio", "ratio-idf": "ratio times rarity"}
WHAT = ("", "words", "words and pairs", "words, pairs and triples")


@dataclass(frozen=True)
class Text(Line):
    """Words of the dictionary, sorted, and n-grams by their hashes; or, hashed, any words.

    Words that training did not see have no feature.
    """

    settings: TextSettings
    words: pa.LargeStringArray  # and n-grams: words with spaces between them, characters with dots beside them
    rarity: np.ndarray  # the weight of each word where words are weighed, otherwise empty
    prefix: str  # before each name, where several columns are text
    hash_version: int = field(default=HASH_VERSION)
    rule: int = field(default=CUT)  # for scripts without spaces
    least: int = 1  # rows that an n-gram must be in, because memory holds no more
    alone: bool = False  # nearly every word of the training rows was in one of them alone
    kind: ClassVar[str] = "text"

    @classmethod
    def suits(cls, facts: Facts) -> str:
        return f"{facts.words:.1f} words a value" if facts.reads_as_text else ""

    @classmethod
    def learner(cls, asked: Asked) -> Learner:
        from rosenblatt.features.textlearner import TextLearner

        return TextLearner(asked)

    def holds(self) -> bool:
        size, words = len(self.rarity), self.words
        whole = words.null_count == 0 and np.isfinite(self.rarity).all() and isinstance(self.prefix, str)
        weighed = self.settings.weight not in ("presence", "counts")
        told = self.rule in (UNCUT, CUT) and type(self.least) is int and type(self.alone) is bool
        return bool(whole and told and self._ordered and size == (len(words) if weighed else 0))

    @property
    def _ordered(self) -> bool:
        """Words are found whatever their order, but a dictionary that was learned has one and has none twice."""
        if _rising(self.words):  # before n-grams had hashes, they stood among the words
            return True
        n, hashes = len(self.words) - len(self._places_of_grams), self._hashes
        return _rising(self.words[:n]) and bool((hashes[1:] > hashes[:-1]).all()) and self._places_of_grams[0] == n

    @property
    def width(self) -> int:
        return 1 << self.settings.hash_bits if self.settings.hash_bits else len(self.words)

    @property
    def optional(self) -> int:
        return 0 if self.settings.hash_bits else len(self.words)

    def narrowed(self, kept: np.ndarray) -> Text:
        rarity = self.rarity[kept] if len(self.rarity) else self.rarity
        return replace(self, words=self.words.filter(pa.array(kept)), rarity=rarity)

    def names(self) -> list[str]:
        if self.settings.hash_bits:
            return [f"{self.prefix}hash {number}" for number in range(self.width)]
        return [self.prefix + word for word in self.words.to_pylist()]

    def encode(self, column: pa.ChunkedArray, origin: Origin) -> Block:
        parts = find(tokens.as_texts(self.values_of(column, origin)), self.settings, self.rule)
        if not self.settings.grams:
            return self.of([words for words, _ in parts])
        if self.settings.hash_bits:
            return self.of([tokens.with_grams(*part, self.settings.longest, self.rule) for part in parts])
        rows = in_threads(lambda part: self._placed(*part), parts)
        every = np.arange(self.width, dtype=np.int32)
        return self.of(rows, [every] * len(rows))

    def of(self, parts: list[Found], places: list[np.ndarray] | None = None) -> Block:
        """The block of rows whose words are found; the places of these in the dictionary, where they are known."""
        if self.settings.hash_bits:
            places = [hash_places(named(part), self.settings.hash_bits) for part in parts]
        elif places is None:
            places = [self._known(part.words) for part in parts]
        return gathered(parts, places, self.width, self.settings, self.rarity)

    def _placed(self, found: Found, chunks: Found | None) -> Found:
        """The rows with places in the dictionary as their numbers; unknown words and n-grams are left out."""
        own, table = self._known(found.words), self._table
        ids, starts = np.empty(0, np.int32), np.zeros_like(found.starts)
        if self.settings.longest > 1:
            plain = tokens.plain_words(found.words, self.rule)
            occurring = tokens.word_grams(found, plain, self.settings.longest)
            ids, starts = find_hashes(occurring.hashes, *table), occurring.starts
        rows = tokens.spread(found, own, ids, starts)
        if chunks is not None:
            occurring = grams.of_characters(*tokens.buffers(chunks.words))
            rows = tokens.spread_runs(chunks, find_hashes(occurring.hashes, *table), occurring.starts, *rows)
        return Found(*rows, found.words)

    @cached_property
    def _marked(self) -> pa.UInt64Array:
        """Where n-grams stand in the dictionary, as Arrow has it: arrays of numpy's, to and fro, load pandas."""
        if not self.settings.grams:
            return pc.indices_nonzero(pc.is_null(self.words[:0]))
        return pc.indices_nonzero(pc.or_(*(pc.match_substring(self.words, mark) for mark in (" ", "…"))))

    @cached_property
    def _places_of_grams(self) -> np.ndarray:
        return np.frombuffer(self._marked.buffers()[1], np.uint64, len(self._marked)).astype(np.int64)

    @cached_property
    def _hashes(self) -> np.ndarray:
        """The hashes of the n-grams."""
        return grams.name_hashes(*tokens.buffers(self.words.take(self._marked)))

    @cached_property
    def _table(self) -> tuple[np.ndarray, np.uint64]:
        key = grams.random_key()
        with np.errstate(over="ignore"):
            return table_of(self._hashes, self._places_of_grams, key), key

    @cached_property
    def _single(self) -> pa.LargeStringArray:
        """The words without the n-grams after them."""
        places = self._places_of_grams
        after = len(places) and places[0] == len(self.words) - len(places)
        return self.words[: places[0]] if after else self.words

    def _known(self, words: pa.LargeStringArray) -> np.ndarray:
        """The place of each word in the dictionary, -1 where it has none.

        Arrow's table of the dictionary is made anew for each call, ours is kept: a message has few words. A program
        that asks for one message is spared both. And over buffers, because Arrow's scalars and `to_numpy` load pandas
        where it is installed, 0.15 s of a first answer.
        """
        if len(words) < len(self._single) // MANY:
            if next(self._calls) and self._kept is not None:
                return self._looked_up(words)
            return np.array([self._search(word, -1) for word in words.to_pylist()], np.int32)
        nowhere = pa.Array.from_buffers(pa.int32(), 1, [None, pa.py_buffer(np.full(1, -1, np.int32))])[0]
        found = pc.coalesce(pc.index_in(words, value_set=self._single), nowhere)
        return np.frombuffer(found.buffers()[1], np.int32, len(found)).copy()

    def _looked_up(self, words: pa.LargeStringArray) -> np.ndarray:
        data, starts = tokens.buffers(words)
        places: np.ndarray = find_spans(data, starts, grams.word_hashes(data, starts), *self._kept)  # type: ignore[misc]
        return places

    @cached_property
    def _kept(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.uint64] | None:
        """By this a word's place is found from its hash; None where two words of the dictionary have the same hash."""
        data, starts = tokens.buffers(self._single)
        hashes, key = grams.word_hashes(data, starts), grams.random_key()
        if len(np.unique(hashes)) < len(hashes):
            return None
        with np.errstate(over="ignore"):
            return data, starts, table_of(hashes, np.arange(len(hashes)), key), key

    @cached_property
    def _calls(self) -> Iterator[int]:
        return count()

    def _search(self, word: str, default: int) -> int:
        """The place of the word among those of the dictionary, which are sorted."""
        data, starts = tokens.buffers(self._single)
        wanted = word.encode()

        def at(place: int) -> bytes:
            return data[starts[place] : starts[place + 1]].tobytes()

        place = bisect_left(range(len(self._single)), wanted, key=at)
        return place if place < len(self._single) and at(place) == wanted else default

    def describe(self) -> str:
        s = self.settings
        options = ["capitals"] if s.capitals else []
        options += [f"{s.stems} stems"] if s.stems else []
        options += ["without stop words"] if s.stop_words else []
        options += [f"in at least {s.min_documents} rows"] if s.min_documents > 1 else []
        options += [f"n-grams in at least {self.least} rows, as memory holds no more"] if self.least > 1 else []
        what = " and ".join(filter(None, [WHAT[s.longest], "runs of characters" if s.characters else ""]))
        strong = f", rarity^{s.rarity:g}" if s.rarity and s.weight in ("tfidf", "ratio-idf") else ""
        size = f"2^{s.hash_bits} hashed" if s.hash_bits else f"{len(self.words)}"
        return ", ".join([f"text, {size} {what}, {HOW[s.weight]}{' damped' if s.damped else ''}{strong}", *options])

    def why_nothing(self) -> str:
        """Why there is not a single feature."""
        least = self.settings.min_documents
        if self.least > least:
            return f"{self.column!r} has more n-grams than memory holds, and none is in {self.least} rows"
        if least > 1:
            return f"{self.column!r} holds no word that is in min_documents = {least} rows: ask for fewer"
        return f"{self.column!r} holds no word"

    def notes(self) -> list[str]:
        found = []
        if self.alone:
            found.append(
                f"nearly every word of column {self.column!r} is in one row alone, so little can be learned from it; "
                "where it has no spaces between words, characters = true under [text] of a config may tell more"
            )
        if self.least > 1:
            found.append(
                f"column {self.column!r} has more n-grams than memory holds: those in fewer than {self.least} rows are "
                "left out"
            )
        return found

    def to_dict(self) -> dict[str, Any]:
        """What earlier versions do not name is named only where it is not the default: they read what they can."""
        settings = {
            name: value for name, value in asdict(self.settings).items() if name not in LATER or value is not None
        }
        more = {"rule": (self.rule, UNCUT), "least": (self.least, 1), "alone": (self.alone, False)}
        return {
            "kind": self.kind, "column": self.column, "reason": self.reason, "settings": settings,
            "words": self.words.to_pylist(), "rarity": self.rarity.tolist(), "prefix": self.prefix,
            "hash_version": self.hash_version, "reads": self.reads,
            **{name: value for name, (value, default) in more.items() if value != default},
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
            given = {"rule": UNCUT, "least": 1, "alone": False, **given}
            given["words"] = string_column(given["words"])
            given["rarity"] = np.asarray(given["rarity"], np.float64)
            line = cls(**given)
        except (KeyError, TypeError, AttributeError, DataError) as error:
            raise DataError(f"the plan's line for text column {plain.get('column')!r} does not fit: {error}.") from None
        if line.reads not in READINGS:
            raise DataError(f"the plan's line for {line.column!r} reads {line.reads!r}, which is unknown.")
        if line.hash_version != HASH_VERSION:
            raise DataError(f"the plan hashes words by rule {line.hash_version}; this version knows {HASH_VERSION}.")
        return line


def _rising(words: pa.LargeStringArray) -> bool:
    """Whether the words are sorted, and none is there twice."""
    return len(words) < 2 or bool(pc.all(pc.less(words[:-1], words[1:])).as_py())


def named(found: Found) -> pa.LargeStringArray:
    """The words and the names of the n-grams, by their numbers."""
    names = [found.words, grams.names_of(found.grams, *tokens.buffers(found.words))]
    names += [] if found.chunks is None else [grams.names_of(found.runs, *tokens.buffers(found.chunks))]
    return pa.concat_arrays(names)
