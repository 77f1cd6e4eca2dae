"""How a score is made, term by term, as plain values: who explains, reports or exports a model reads this alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rosenblatt.features.terms import Term
from rosenblatt.learn.kernel.support import Support

BRIEF = 60  # letters of a training row that an explanation shows


class RowTerms(NamedTuple):
    """Training rows as the terms of scores: the value of each is its kernel with the row that is scored."""

    support: Support
    labels: np.ndarray  # numbers of their classes
    origins: tuple[str, ...]  # where they came from
    shown: tuple[str, ...]  # how a person reads them

    def names(self, classes: Sequence[str]) -> list[str]:
        """What an explanation calls each."""
        rows = zip(self.origins, self.labels.tolist(), self.shown, strict=True)
        return [f"{at.rpartition('/')[2]} ({classes[c]}) {shown[:BRIEF]}".removesuffix(" ") for at, c, shown in rows]


@dataclass(frozen=True, eq=False)
class Formula:
    """The score of the second of two classes, or of each of more: its constant, and weights times values of features.

    The terms say what the values of features are, for each column of a table that is read; of a kernel the training
    rows stand in the place of features.
    """

    weights: np.ndarray  # (scores, features)
    constant: np.ndarray  # (scores,)
    names: Sequence[str]  # of the features
    terms: tuple[Term, ...]
    unit: str = "none"  # what is scaled to unit length: the "text" of a row, whole "rows", or "none"
    presence: bool = False  # whether a value above 0 counts as 1
    logs: bool = False  # whether more than two scores are made logarithms of probabilities: less that of their sum
    each: np.ndarray | None = None  # of logs: the weights of each class, its constant last; scores compare their sums
    called: str = "weight"  # what a weight is to a reader
    rows: RowTerms | None = None  # in the place of features
    unless: str = ""  # why scores are no such sum, where they are not
