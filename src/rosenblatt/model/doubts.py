"""What a review of labels found: a queue of doubtful ones, and the least repair of the data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pyarrow as pa

from rosenblatt.data.table import Table
from rosenblatt.errors import SettingError
from rosenblatt.features import Classes
from rosenblatt.model.kept_rows import Behind
from rosenblatt.notebook import InCell
from rosenblatt.proofs.repair import Repair
from rosenblatt.proofs.verdicts import Verdict

Proved = tuple[Verdict | None, Repair | None]


@dataclass(frozen=True, eq=False)
class Doubt:
    """A row whose label is doubtful, and why."""

    row: int  # its number, from 0
    place: str  # where it came from
    label: str  # as given
    probability: float  # of the given label, by a model that did not see the row
    suggested: str  # the most probable label
    confidence: float  # its probability
    copies: tuple[str, ...]  # places of rows that hold the same and have another label
    contradicts: bool  # it is one of the rows that contradict each other in the certificate of inseparability
    in_repair: bool  # the least repair found takes it out
    every_pass: bool  # a perceptron over all rows was mistaken about it in every pass
    behind: tuple[Behind, ...]  # the rows that speak most against its label; of the first few hundred doubtful rows
    shown: str  # the row as a person reads it


@dataclass(frozen=True, eq=False, repr=False)
class Review(InCell):
    """What a review found, for every row and for the doubtful ones, the most doubtful first."""

    table: Table
    classes: Classes
    codes: np.ndarray  # the number of each row's given class
    probabilities: np.ndarray  # of each class for each row, out of fold; NaN in rows that no fold scored
    judge: str  # what judged
    lister: Callable[[Review], list[Doubt]] = field(repr=False)  # makes the queue when it is first asked for
    prover: Callable[[Review], Proved] = field(repr=False)  # and the proofs

    def __repr__(self) -> str:
        return f"<Review: {self.n:,} rows of {len(self.classes.names)} classes, judged by {self.judge}>"

    @cached_property
    def queue(self) -> list[Doubt]:
        """The rows for which another label is more probable, or that have a copy with another label; worst first."""
        return self.lister(self)

    @property
    def verdict(self) -> Verdict | None:
        """Whether a linear boundary can tell the labels apart; None where the data is too large to be proved."""
        return self._proved[0]

    @property
    def repair(self) -> Repair | None:
        """The least repair found; None where the data is separable, or none was found."""
        return self._proved[1]

    @cached_property
    def _proved(self) -> Proved:
        return self.prover(self)

    @cached_property
    def probability(self) -> np.ndarray:
        """For each row the probability of its given label."""
        return np.asarray(self.probabilities[np.arange(len(self.codes)), self.codes])

    @property
    def n(self) -> int:
        """How many rows were reviewed."""
        return len(self.codes)

    def corrected(self, labels: Mapping[int, str | None]) -> pa.Table:
        """A copy of the rows with these labels, by number of the row; None for a label takes the row out.

        The source itself is never touched. SettingError for a row that is not there, or a label that is no class.
        """
        names: list[str | None] = [self.classes.names[code] for code in self.codes]
        for row, label in labels.items():
            if not 0 <= row < self.n:
                raise SettingError(f"there is no row {row}; the first is 0 and the last {self.n - 1}.")
            if label is not None and label not in self.classes.names:
                raise SettingError(f"row {row}: {label!r} is none of the labels {', '.join(self.classes.names)}.")
            names[row] = label
        kept = [row for row, name in enumerate(names) if name is not None]
        column = pa.array([names[row] for row in kept], pa.large_string())
        columns = self.table.take(np.array(kept, np.int64)).columns
        return columns.append_column(self.table.label or "label", column)
