"""How words become features: what a user can choose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rosenblatt.errors import SettingError

WEIGHTS = ("presence", "counts", "tfidf")
MOST_BITS = 30


@dataclass(frozen=True)
class TextSettings:
    """How words become features."""

    weight: str = "presence"  # 0/1; "counts"; or "tfidf", counts times the logarithm of their rarity
    damped: bool = False  # n occurrences in a row count 1 + ln n: the tenth says less than the first
    pairs: bool = False  # also pairs of neighbouring words
    capitals: bool = False  # also words in capitals, as features of their own
    stems: str | None = None  # a language of snowball: words that share a stem are one
    min_documents: int = 1  # words in fewer rows of the training part are left out
    hash_bits: int | None = None  # no dictionary: 2 ** hash_bits features, found by a hash of the word

    def __post_init__(self) -> None:
        for name in ("damped", "pairs", "capitals"):
            if not isinstance(getattr(self, name), bool):
                raise SettingError(f"{name} must be True or False; got {getattr(self, name)!r}.")
        if self.weight not in WEIGHTS:
            raise SettingError(f"weight must be one of {', '.join(WEIGHTS)}; got {self.weight!r}.")
        if self.damped and self.weight == "presence":
            raise SettingError("damped is for words that are counted: add weight='counts' or weight='tfidf'.")
        if not _whole(self.min_documents) or self.min_documents < 1:
            raise SettingError(f"min_documents must be at least 1; got {self.min_documents!r}.")
        if self.hash_bits is not None and not (_whole(self.hash_bits) and 1 <= self.hash_bits <= MOST_BITS):
            raise SettingError(f"hash_bits must be from 1 to {MOST_BITS}; got {self.hash_bits!r}.")
        if self.hash_bits is not None and (self.min_documents > 1 or self.weight == "tfidf"):
            raise SettingError("hashing keeps no counts of words: leave out min_documents and tfidf.")
        if self.stems is not None:
            stemmer_of(self.stems)


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def stemmer_of(language: str) -> Any:
    import snowballstemmer

    if language not in snowballstemmer.algorithms():
        known = ", ".join(sorted(snowballstemmer.algorithms()))
        raise SettingError(f"stems must name a language of snowball: {known}; got {language!r}.")
    return snowballstemmer.stemmer(language)
