"""How words become features: what a user can choose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt.errors import SettingError

# 0/1; counts; counts times rarity; 0/1 times how unevenly two classes have it; that times rarity.
WEIGHTS = ("presence", "counts", "tfidf", "ratio", "ratio-idf")
MOST_BITS = 30
MOST_WORDS = 3  # of an n-gram
LEAST_POWER, MOST_POWER = 0.25, 4.0  # of rarity
# Words of English that say next to nothing of what a text is about.
_ENGLISH = """
a about above after again against all also although am an and any are as at be because been before being below
between both but by can could did do does doing down during each else ever every few for from further had has
have having he her here hers herself him himself his how however i if in into is it its itself just let like
many may me might more most much must my myself neither no nor not now of off on once only or other our ours
ourselves out over own rather same shall she should since so some such than that the their theirs them
themselves then there therefore these they this those though through to too under until up upon us very was we
were what when where whether which while who whom whose why will with within without would yet you your yours
yourself yourselves
"""
ENGLISH = frozenset(_ENGLISH.split())


@dataclass(frozen=True)
class TextSettings:
    """How words become features."""

    weight: str = "presence"  # 0/1; "counts"; "tfidf", counts times the logarithm of their rarity; "ratio"; "ratio-idf"
    damped: bool = False  # n occurrences in a row count 1 + ln n: the tenth says less than the first
    pairs: bool = False  # the same as ngrams=2
    capitals: bool = False  # also words in capitals, as features of their own
    stems: str | None = None  # a language of snowball: words that share a stem are one
    min_documents: int = 1  # words and n-grams in fewer rows of the training part are left out
    hash_bits: int | None = None  # no dictionary: 2 ** hash_bits features, found by a hash of the word
    ngrams: int | None = None  # also so many neighbouring words together, up to 3; 0: no words; None: `train` tries
    characters: bool | None = None  # also runs of 3 to 5 characters within words; None: `train` tries
    stop_words: str | Sequence[str] | None = None  # words to leave out: "english", or a list
    max_features: int | None = None  # only so many words and n-grams, those in most rows
    rarity: float | None = None  # the power of rarity, where words are weighed by it; None: 1, or what `train` tries

    def __post_init__(self) -> None:
        for name in ("damped", "pairs", "capitals"):
            if not isinstance(getattr(self, name), bool):
                raise SettingError(f"{name} must be True or False; got {getattr(self, name)!r}.")
        if self.weight not in WEIGHTS:
            raise SettingError(f"weight must be one of {', '.join(WEIGHTS)}; got {self.weight!r}.")
        if self.damped and self.weight not in ("counts", "tfidf"):
            raise SettingError("damped is for words that are counted: add weight='counts' or weight='tfidf'.")
        if not _whole(self.min_documents) or self.min_documents < 1:
            raise SettingError(f"min_documents must be at least 1; got {self.min_documents!r}.")
        if self.hash_bits is not None and not (_whole(self.hash_bits) and 1 <= self.hash_bits <= MOST_BITS):
            raise SettingError(f"hash_bits must be from 1 to {MOST_BITS}; got {self.hash_bits!r}.")
        if self.max_features is not None and (not _whole(self.max_features) or self.max_features < 1):
            raise SettingError(f"max_features must be at least 1; got {self.max_features!r}.")
        if self.rarity is not None and not (_number(self.rarity) and LEAST_POWER <= self.rarity <= MOST_POWER):
            raise SettingError(f"rarity must be from {LEAST_POWER:g} to {MOST_POWER:g}; got {self.rarity!r}.")
        weighed = self.weight not in ("presence", "counts")
        if self.hash_bits is not None and (self.min_documents > 1 or weighed or self.max_features is not None):
            raise SettingError(
                f"hashing keeps no counts of words: leave out min_documents, max_features and {self.weight}."
                if weighed
                else "hashing keeps no counts of words: leave out min_documents, max_features and tfidf."
            )
        if self.stems is not None:
            stemmer_of(self.stems)
        self._check_grams()
        self._check_stop_words()

    def _check_grams(self) -> None:
        if self.pairs:
            if self.ngrams not in (None, 2):
                raise SettingError(f"pairs is the same as ngrams=2; got ngrams={self.ngrams!r}. Leave out one of them.")
            object.__setattr__(self, "ngrams", 2)
            object.__setattr__(self, "pairs", False)
        if self.ngrams is not None and not (_whole(self.ngrams) and 0 <= self.ngrams <= MOST_WORDS):
            raise SettingError(f"ngrams must be from 0 to {MOST_WORDS}; got {self.ngrams!r}.")
        if self.characters not in (None, True, False):
            raise SettingError(f"characters must be True or False; got {self.characters!r}.")
        if self.ngrams == 0 and not self.characters:
            raise SettingError("ngrams=0 leaves no words: add characters=True, or let ngrams be 1 or more.")

    def _check_stop_words(self) -> None:
        words = self.stop_words
        if words is None or words == "english":
            return
        if isinstance(words, str) or not all(isinstance(word, str) for word in words):
            raise SettingError(f"stop_words must be 'english' or a list of words; got {words!r}.")
        object.__setattr__(self, "stop_words", tuple(words))

    @property
    def longest(self) -> int:
        """How many neighbouring words are a feature, at most; 0 where words are none."""
        return 1 if self.ngrams is None else self.ngrams

    @property
    def grams(self) -> bool:
        """Whether features are made of neighbouring words or of characters."""
        return self.longest > 1 or bool(self.characters)

    @property
    def classes(self) -> int:
        """For how many classes rows are counted: words are weighed by the two of them, or by none."""
        return 2 if self.weight in ("ratio", "ratio-idf") else 1

    def rarity_of(self, rows: int, holding: np.ndarray) -> np.ndarray:
        """How rare each word is: ln((1 + rows) / (1 + rows with the word)) + 1, to the power that is asked for.

        As if one more row held every word, so that none has weight 0.
        """
        rarity = np.log((1 + rows) / (1 + holding)) + 1
        return np.asarray(rarity if self.rarity is None else rarity**self.rarity)

    @property
    def left_out(self) -> frozenset[str]:
        """Words that are no features, in small letters."""
        return ENGLISH if self.stop_words == "english" else frozenset(word.lower() for word in self.stop_words or ())


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def stemmer_of(language: str) -> Any:
    import snowballstemmer

    if language not in snowballstemmer.algorithms():
        known = ", ".join(sorted(snowballstemmer.algorithms()))
        raise SettingError(f"stems must name a language of snowball: {known}; got {language!r}.")
    return snowballstemmer.stemmer(language)
