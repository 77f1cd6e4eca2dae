"""Naive Bayes: what is present, what is counted, or the values of columns, smoothed by each k that is tried."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rosenblatt.data.table import Table
from rosenblatt.errors import SettingError
from rosenblatt.features import Plan
from rosenblatt.learn.counts import Counts
from rosenblatt.learn.decide import Decision
from rosenblatt.learn.merging import merge, recast
from rosenblatt.learn.smoothing import Weighted
from rosenblatt.learn.tuning import tune
from rosenblatt.loops.rows import Rows, Sparse
from rosenblatt.model import Bayes, Curve, Model
from rosenblatt.model.bayes import are_counts, as_cells, count_matrix, weighs_words
from rosenblatt.model.columns import column_cells, count, count_columns, frame_of
from rosenblatt.pipeline.family import Candidate, Final, Parts, Task
from rosenblatt.pipeline.merit import merit
from rosenblatt.pipeline.progress import Progress
from rosenblatt.pipeline.runs import Conduct
from rosenblatt.pipeline.tries import STRENGTHS
from rosenblatt.pipeline.ways import Encoded, Way, Ways, bayes_on, counts_way
from rosenblatt.pipeline.weighing import EVEN

if TYPE_CHECKING:
    from rosenblatt.pipeline.choices import Choices


@dataclass(frozen=True)
class NaiveBayes(Candidate):
    """What is counted, in which way of encoding, and how much it is smoothed."""

    k: float = 0.0
    on: str = ""
    counted: bool = False
    priors: str | Weighted | None = None
    model: ClassVar[str] = "naive-bayes"
    settings: ClassVar[tuple[str, ...]] = ("k", "priors", "counting")
    unrecorded: ClassVar[str] = "naive Bayes makes no updates: it counts"
    lacks: ClassVar[str] = (
        "naive Bayes has no way to count text beside other columns, lists of tags, or vectors of fractions. "
        "Use the perceptron, or drop columns."
    )

    @classmethod
    def candidates(
        cls, ways: Ways, parts: Parts, choices: Choices, conduct: Conduct, thorough: bool
    ) -> Sequence[NaiveBayes]:
        """Of what is present; and where rows weigh words, of their weights, in each way of weighing them."""
        on = bayes_on(ways.first.plan)
        if on is None:
            return []
        if on == "columns" and choices.counting is not None:
            raise SettingError("counting is about words, and these columns are counted by their values. Leave it out.")
        # Weights of classes are factors of P(y). Of costs the line between the two classes has the same factor.
        weighing = EVEN if choices.weighing.costs else choices.weighing
        priors: str | Weighted | None = choices.priors
        if weighing and priors is None:
            weights = weighing.weights
            priors = "uniform" if isinstance(weights, str) else Weighted(weights)
        found: list[NaiveBayes] = []
        for encoded, counted in [(ways.first, False)] if on == "columns" else cls._counting(ways, parts, choices):
            blank = cls(encoded.way, on=on, counted=counted, priors=priors, weighing=weighing)
            found += blank._tuned(encoded, parts, choices, conduct)
        return found

    @classmethod
    def _counting(cls, ways: Ways, parts: Parts, choices: Choices) -> Iterator[tuple[Encoded, bool]]:
        """The ways to count words in, and whether as they are or by presence."""
        counting = counts_way(ways.first)
        if counting is None and choices.counting == "counts":
            raise SettingError("counting: counts needs words or whole numbers above 0. Leave it out, or use presence.")
        tried: list[tuple[Encoded | Way, bool]] = [(ways.first, False)]
        tried += [(counting, True)] if counting is not None else []
        if choices.counting != "presence":
            # Presence of words in texts, at unit length as well, is left to tf-idf.
            weighed = [way for way in ways.every() if isinstance(way.train, Sparse) or way.way.wishes.unit == "rows"]
            tried += [(way, True) for way in weighed if weighs_words(way.train) and not are_counts(way.train)]
        if choices.counting is not None:
            tried = [(way, counted) for way, counted in tried[:2] if counted == (choices.counting == "counts")]
        for way, counted in tried:
            yield (parts.encoded(way) if isinstance(way, Way) else way), counted

    def _tuned(self, encoded: Encoded, parts: Parts, choices: Choices, conduct: Conduct) -> list[NaiveBayes]:
        """The candidate with each k."""
        started = time.perf_counter()
        counts = self._counts(encoded.plan, encoded.train, parts.train, parts.truth, parts.n_classes)
        rows = self._cells(counts, encoded.plan, encoded.validation, parts.validation)
        strengths = list(STRENGTHS) if choices.k is None else [float(choices.k)]
        shares = self._accuracies(rows, parts.wanted, counts, strengths, choices)
        timed = replace(self, seconds=time.perf_counter() - started)
        found = [replace(timed, k=k, accuracy=share) for k, share in zip(strengths, shares, strict=True)]
        best = max(found, key=lambda each: each.accuracy)
        conduct.watch(Progress("tried", seconds=best.seconds, tried=(best.name, best.accuracy)))
        return found

    def _counts(self, plan: Plan, rows: Rows, table: Table, truth: np.ndarray, n_classes: int) -> Counts:
        if self.on == "columns":
            return count_columns(plan, table, truth, n_classes)
        return count_matrix(rows, truth, n_classes, self.counted)

    def _cells(self, counts: Counts, plan: Plan, rows: Rows, table: Table) -> Rows:
        return column_cells(plan, table, counts.schema) if self.on == "columns" else as_cells(rows, self.counted)

    def _accuracies(
        self, rows: Rows, truth: np.ndarray, counts: Counts, strengths: list[float], choices: Choices
    ) -> list[float]:
        """The share of the rows that are right with each k, or what else candidates are compared by."""
        if counts.stored.dtype.kind != "f" and choices.merit == "accuracy":
            return tune(rows, truth.astype(np.int64), counts, self.priors, strengths).accuracies.tolist()
        # Of fractions hardly any two cells are equal, so values of k have nothing to share.
        models = (Bayes(counts, k, self.on, self.priors) for k in strengths)
        return [merit(model.scores(rows), truth, Decision(), choices) for model in models]

    def fit(self, task: Task) -> Final:
        counts = self._counts(task.plan, task.rows, task.table, task.truth, task.n_classes)
        return Final(task.plan, Bayes(counts, self.k, "columns" if self.on == "columns" else "matrix", self.priors))

    @classmethod
    def update(
        cls, model: Model, table: Table, truth: np.ndarray, places: np.ndarray, n_classes: int, passes: int
    ) -> tuple[Bayes, int]:
        """The rows count as if they had been there from the beginning."""
        learner = model.learner
        assert isinstance(learner, Bayes)
        old = replace(learner.counts, classes=places)
        if learner.on == "columns":
            more = count(frame_of(model.plan, table), truth, "auto", like=old.schema)
        else:
            rows = model.plan.encode(table).rows
            more = count_matrix(rows, truth, n_classes, bool(len(old.schema.counted)))
            more = Counts(old.schema, more.classes, more.rows, more.cells)
        both = merge(old, more)
        return replace(learner, counts=recast(both, both.schema, np.arange(n_classes))), 1

    def curve(self, encoded: Encoded, parts: Parts, choices: Choices, conduct: Conduct) -> Curve:
        """Over every k of the search, and the chosen one."""
        counts = self._counts(encoded.plan, encoded.train, parts.train, parts.truth, parts.n_classes)
        strengths, plain = (
            sorted({*STRENGTHS, self.k}),
            replace(choices, choose_by="accuracy", costs=None, weighing=EVEN),
        )
        given = (encoded.train, parts.train, parts.truth), (encoded.validation, parts.validation, parts.wanted)
        found = [
            self._accuracies(self._cells(counts, encoded.plan, rows, table), truth, counts, strengths, plain)
            for rows, table, truth in given
        ]
        return Curve("k", list(zip(strengths, *found, strict=True)), self.k)

    def facts(self, final: Final) -> dict[str, Any]:
        return {"k": self.k if self.k < math.inf else "inf", "on": self.on, "counted": self.counted}

    @property
    def name(self) -> str:
        over = self.on if self.on == "columns" else (self.way.name or "values") if self.counted else "presence"
        return (
            f"naive Bayes of {over}, k = {self.k:g}{f', {self.priors} priors' if isinstance(self.priors, str) else ''}"
        )

    @property
    def kind(self) -> tuple[object, ...]:
        return self.model, self.way.name, self.counted

    @property
    def trial(self) -> tuple[object, ...]:
        return *self.kind, self.on

    @property
    def course(self) -> tuple[object, ...]:
        return *self.trial, self.k

    @property
    def simplicity(self) -> int:
        """Over words it is simpler than a perceptron."""
        return 1 if self.on == "columns" else 0
