"""What every replay of a recorded run has: the run, the rows that it visited, their order, and what they are called."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any, Self

import numpy as np

from rosenblatt.errors import DataError
from rosenblatt.learn.course import Course, hold_out
from rosenblatt.learn.recording import Recording
from rosenblatt.traces.source import Played, played


class AnyReplay(ABC):
    """Of weights or of a kernel. Steps, passes, rows and updates count from 0."""

    def __init__(self, source: Any, X: Any = None, y: Any = None, sample_weight: Any = None):
        self._take(played(source, X, y, sample_weight))

    @classmethod
    def of(cls, found: Played) -> Self:
        """Of a run that was found already."""
        made = cls.__new__(cls)
        made._take(found)
        return made

    def _take(self, found: Played) -> None:
        self.run: Any
        self.run, self.problem, classes, self.origin, self.check = found
        if not self.run.settings.record or not self.run.recorded:
            raise DataError("the run kept no mistake list. Train with record=True.")
        if self.run.fingerprint != self.problem.fingerprint:
            raise DataError("these are not the rows that the run visited; give the same rows, labels and weights.")
        self.classes = None if classes is None else list(classes)
        self.recording: Recording = self.run.recording
        self.steps, self.rows, self.rivals, self.amounts, *_ = self.recording  # of each update
        self._begin()

    @abstractmethod
    def _begin(self) -> None:
        """DataError where this run has nothing of this kind to replay."""

    @abstractmethod
    def made_again(self) -> Recording:
        """The list that the rule makes of the rows."""

    @abstractmethod
    def check_end(self) -> None:
        """DataError unless the run ended where the list that was made again does."""

    def row_name(self, number: int) -> str:
        """What a message calls a row."""
        known = self.origin is not None and 0 <= number < len(self.problem.truth)
        return self.origin(number) if known and self.origin is not None else f"row {number}"

    def class_name(self, number: int) -> str:
        """What a message calls a class."""
        known = self.classes is not None and 0 <= number < len(self.classes)
        return str(self.classes[number]) if known and self.classes is not None else f"number {number}"

    @cached_property
    def course(self) -> Course:
        """The order of the rows in each pass."""
        settings, visited = self.run.settings, self.problem.visited
        if settings.early_stopping:
            held = hold_out(self.problem.truth, visited, settings.validation_fraction, settings.seed)
            visited = np.setdiff1d(visited, held, assume_unique=True)
        return Course(self.problem, visited, settings)

    def order(self, number: int) -> np.ndarray:
        """The rows of a pass, in the order of its steps."""
        return self.course.row_numbers(self.course.orders(number)[0]).astype(np.intp)
