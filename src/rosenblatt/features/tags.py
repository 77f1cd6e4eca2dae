"""Lists of names in one value, such as the tags of an article: a 0/1 feature for each name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress
from typing import ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rosenblatt.data.plain import BETWEEN
from rosenblatt.data.table import Origin, string_column
from rosenblatt.features.blocks import Block, Entries
from rosenblatt.features.category import NamesLearner, often_enough
from rosenblatt.features.facts import SIGNS, Facts, separator_of
from rosenblatt.features.lines import MISSING, Asked, Learner, Line, are_names


@dataclass(frozen=True)
class Tags(Line):
    """One 0/1 feature for each tag that training saw often enough; a row may have several, or none."""

    values: tuple[str, ...]
    separator: str  # between the tags of a value; where it is empty, each value is one tag
    missing: bool
    kind: ClassVar[str] = "tags"
    unseen: ClassVar[str] = "with a tag that training never saw, or too seldom to learn from it"

    @classmethod
    def suits(cls, facts: Facts) -> str:
        sign = facts.between_tags if facts.type.text else ""
        return f"lists of names{_shown(sign)}" if sign else ""

    @classmethod
    def learner(cls, asked: Asked) -> Learner:
        return TagsLearner(asked)

    def holds(self) -> bool:
        known = are_names(self.values) and len(set(self.values)) == len(self.values)
        return known and isinstance(self.separator, str) and isinstance(self.missing, bool)

    def names(self) -> list[str]:
        shown = [*self.values, MISSING] if self.missing else self.values
        return [f"{self.column}: {value}" for value in shown]

    @property
    def optional(self) -> int:
        return len(self.values)

    def narrowed(self, kept: np.ndarray) -> Tags:
        return replace(self, values=tuple(compress(self.values, kept)))

    def encode(self, column: pa.ChunkedArray, origin: Origin) -> Block:
        texts = self.values_of(column, origin)
        rows, places = self._places(texts)
        known = places >= 0
        rows, places = rows[known], places[known]
        if self.missing:
            gone = np.flatnonzero(texts.is_null().to_numpy(zero_copy_only=False))
            rows, places = np.append(rows, gone), np.append(places, np.full(len(gone), self.width - 1))
        rows, places = np.divmod(np.unique(rows * self.width + places), self.width)  # a tag given twice counts once
        starts = np.zeros(len(texts) + 1, np.int64)
        np.cumsum(np.bincount(rows, minlength=len(texts)), out=starts[1:])
        return Entries(starts, places.astype(np.uint32), np.ones(len(places)), self.width)

    def unknown(self, values: pa.Array) -> np.ndarray:
        rows, places = self._places(values)
        return np.unique(rows[places < 0])

    def _places(self, texts: pa.Array) -> tuple[np.ndarray, np.ndarray]:
        """For each tag of the texts its row, and its place among the known ones, −1 for others."""
        tags, rows = tags_of(texts, self.separator)
        places = pc.index_in(tags, value_set=self._known).fill_null(-1)
        return rows, np.asarray(places.to_numpy(zero_copy_only=False)).astype(np.int64)

    @cached_property
    def _known(self) -> pa.LargeStringArray:
        return string_column(self.values)

    def describe(self) -> str:
        return f"lists of {len(self.values)} tags{_shown(self.separator)}, 0/1 each" + (
            ", one for missing" if self.missing else ""
        )


class TagsLearner(NamesLearner):
    """The distinct lists with how often each occurs."""

    def settle(self) -> Line:
        lists = self.names()
        sign = separator_of(lists) or _commonest(lists)
        counted: dict[str, int] = {}
        for text, count in lists.items():
            pieces = text.split(sign) if sign else [text]
            for tag in {piece.strip() for piece in pieces} - {""}:
                counted[tag] = counted.get(tag, 0) + count
        values = often_enough(dict(sorted(counted.items())), least=0) if self.asked.share else tuple(sorted(counted))
        return Tags(self.asked.column, self.asked.reason, values, sign, self.missing, reads=self.asked.reads)


def tags_of(texts: pa.Array, separator: str) -> tuple[pa.Array, np.ndarray]:
    """All tags of all texts, and the row of each; a missing text has none, and neither has an empty one."""
    filled = texts.fill_null("")
    if separator != BETWEEN:  # tags that were read as a list
        filled = pc.replace_substring(filled, BETWEEN, separator or " ")
    lists = pc.split_pattern(filled, separator) if separator else None
    tags = pc.utf8_trim_whitespace(filled if lists is None else lists.flatten())
    sizes = np.ones(len(texts), np.int64) if lists is None else pc.list_value_length(lists).to_numpy()
    rows = np.repeat(np.arange(len(texts)), sizes)
    there = pc.not_equal(tags, "")
    return tags.filter(there), rows[there.to_numpy(zero_copy_only=False)]


def _commonest(values: Mapping[str, int]) -> str:
    """The sign between tags that most rows have, where somebody says that these are tags; nothing where none has."""
    rows = {sign: sum(count for value, count in values.items() if sign in value) for sign in SIGNS}
    return max(SIGNS, key=lambda sign: rows[sign]) if any(rows.values()) else ""


def _shown(sign: str) -> str:
    return "" if sign in ("", BETWEEN) else f" with {sign!r} between them"
