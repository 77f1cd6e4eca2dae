"""How a score is made, term by term, as plain values: who explains, reports or exports a model reads this alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rosenblatt.features.terms import Term


@dataclass(frozen=True, eq=False)
class Formula:
    """The score of the second of two classes, or of each of more: its constant, and weights times values of features.

    The terms say what the values of features are, for each column of a table that is read.
    """

    weights: np.ndarray  # (scores, features)
    constant: np.ndarray  # (scores,)
    names: Sequence[str]  # of the features
    terms: tuple[Term, ...]
    unit: str = "none"  # what is scaled to unit length: the "text" of a row, whole "rows", or "none"
    presence: bool = False  # whether a value above 0 counts as 1
    logs: bool = False  # whether more than two scores are made logarithms of probabilities: less that of their sum
    called: str = "weight"  # what a weight is to a reader
    unless: str = ""  # why scores are no such sum, where they are not
