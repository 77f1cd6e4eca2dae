"""Numbers that belong to a student: the same for the same words on every machine and in every version of a library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from rosenblatt.loops.order import key_of

Item = TypeVar("Item")


class Draws:
    """A stream of numbers from the project's hash, told apart by words such as student, assignment and exercise."""

    def __init__(self, *words: str) -> None:
        letters = [code + 1 for word in words for code in (*word.encode(), -1)]  # 0 ends a word
        self._key = int(key_of(0, *letters))
        self._made = 0

    def whole(self, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        self._made += 1
        return low + int(key_of(self._key, self._made)) % (high - low + 1)

    def one_of(self, items: Sequence[Item]) -> Item:
        return items[self.whole(0, len(items) - 1)]
