"""The probability tables of a naive Bayes model as data frames, and its size beside that of the full joint table."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from rosenblatt.learn.counts import Counts
from rosenblatt.learn.smoothing import log_factor

WORDS = "words"


class Tables(Mapping[str, Any]):
    """A data frame per feature, P(value | class), values down and classes across; made when it is asked for.

    All word counts share one table, called "words" (unless a column has that name: then "words ").
    """

    def __init__(self, counts: Counts, k: float, priors: np.ndarray) -> None:
        self._counts, self._k, self._priors = counts, k, priors
        schema = counts.schema
        self._binary = {schema.label(int(j)): b for b, j in enumerate(schema.binary)}
        self._word_cells, *lists = counts.groups()
        self._listed = {schema.label(c.column): (c, cells) for c, cells in zip(schema.listed, lists, strict=True)}
        self._words = WORDS
        while self._words in self._binary or self._words in self._listed:
            self._words += " "

    @property
    def priors(self) -> Any:
        """P(y), one row."""
        return self._frame(np.exp(self._priors)[np.newaxis], ["P(y)"])

    @property
    def size(self) -> int:
        """Entries of this model: K + K times the sum of |X|; 4n + 2 for n binary features and two classes."""
        return len(self._counts.classes) * (1 + sum(self._sizes()))

    @property
    def joint_size(self) -> int | float:
        """Entries of the full joint table: K times the product of |X|; infinite where words are counted."""
        return math.inf if len(self._counts.schema.counted) else len(self._counts.classes) * math.prod(self._sizes())

    def _sizes(self) -> list[int]:
        schema = self._counts.schema
        return [*([2] * len(schema.binary)), *([len(schema.counted)] if len(schema.counted) else []),
                *(column.size for column in schema.listed)]  # fmt: skip

    def __getitem__(self, name: str) -> Any:
        counts, schema = self._counts, self._counts.schema
        if name in self._binary:
            b = self._binary[name]
            present = counts.present()[b if counts.gone is not None else 0]
            return self._frame(self._chances(np.stack([counts.zeros()[b], counts.cells[b]]), present), [0, 1])
        if name in self._listed:
            column, cells = self._listed[name]
            return self._frame(self._chances(cells, cells.sum(axis=0)), column.names())
        if name == self._words and len(schema.counted):
            words = [schema.label(int(j)) for j in schema.counted]
            return self._frame(self._chances(self._word_cells, self._word_cells.sum(axis=0)), words)
        raise KeyError(name)

    def _chances(self, cells: np.ndarray, totals: np.ndarray) -> np.ndarray:
        factor = log_factor(cells, totals, max(1, len(cells)), self._k)
        chances = np.exp(factor.logs)
        return chances if factor.zeros is None else np.where(factor.zeros > 0, 0.0, chances)

    def _frame(self, values: np.ndarray, index: list[Any]) -> Any:
        try:
            import pandas as pd
        except ModuleNotFoundError:
            raise ModuleNotFoundError("tables() gives pandas data frames; install pandas to read them.") from None
        return pd.DataFrame(values, index=pd.Index(index, name="value"), columns=self._counts.classes)

    def __iter__(self) -> Iterator[str]:
        yield from self._binary
        if len(self._counts.schema.counted):
            yield self._words
        yield from self._listed

    def __len__(self) -> int:
        return len(self._binary) + len(self._listed) + bool(len(self._counts.schema.counted))

    def __str__(self) -> str:
        joint = self.joint_size
        full = (
            f"{joint:,}" if joint < 10**15 else "infinite" if joint == math.inf else f"about 2^{math.log2(joint):.0f}"
        )
        return f"{len(self)} tables with {self.size:,} entries; the full joint table would have {full}."

    __repr__ = __str__
