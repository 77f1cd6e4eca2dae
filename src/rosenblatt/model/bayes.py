"""Naive Bayes that was trained: counts, what they count, and the scores they give.

Counts are over the plan's features (words present or not, words counted, pixels), or over the columns of the table
themselves, where numbers fall into bins and nothing is scaled.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from rosenblatt.data.rowfile import converted, pieces
from rosenblatt.data.table import Table
from rosenblatt.errors import SettingError
from rosenblatt.features import Plan
from rosenblatt.features.lines import MISSING
from rosenblatt.learn.columns import Schema
from rosenblatt.learn.counts import Counts, all_whole, count_cells
from rosenblatt.learn.explain import Explanation
from rosenblatt.learn.smoothing import Weighted, Weights, log_posterior, log_priors, needs_gone, score, settle, weigh
from rosenblatt.loops.rows import Dense, Rows, Sparse, Words, n_features, n_rows
from rosenblatt.model.columns import column_cells, counted_terms
from rosenblatt.model.formula import Formula
from rosenblatt.model.learner import Learner
from rosenblatt.traces.bayes import trace_cells


@dataclass(frozen=True, eq=False)
class Bayes(Learner):
    """Counts and how to read them."""

    counts: Counts
    k: float
    on: str  # "matrix": over the plan's features; "columns": over the columns of the table; "": over those of an X
    priors: Any = None  # P(y), as `NaiveBayes` takes it
    kind: ClassVar[str] = "bayes"
    family: ClassVar[str] = "naive-bayes"
    unrecorded: ClassVar[str] = "naive Bayes counts and makes no updates, so there is no run to replay or to check."

    def rows(self, plan: Plan, table: Table, encoded: Rows | None = None) -> Rows:
        """The table as rows over the cells that are counted."""
        if self.on == "columns":
            return column_cells(plan, table, self.counts.schema)
        return as_cells(super().rows(plan, table, encoded), bool(len(self.counts.schema.counted)))

    def scores(self, rows: Rows) -> np.ndarray:
        """The log-odds of the second class; with more than two classes the log probability of each."""
        scores = self.settled(rows)
        if scores.shape[1] == 2:
            with np.errstate(invalid="ignore"):  # both impossible by their priors: a tie
                return np.nan_to_num(scores[:, 1] - scores[:, 0], nan=0.0, posinf=np.inf, neginf=-np.inf)
        return log_posterior(scores)

    def probabilities(self, rows: Rows) -> np.ndarray:
        return np.exp(log_posterior(self.settled(rows)))

    def settled(self, rows: Rows) -> np.ndarray:
        """The logarithm of P(y) times all factors for each row and class, -inf where a class is impossible."""
        return settle(*score(rows, self._gone if needs_gone(rows, self.counts) else self._weights))

    @cached_property
    def log_priors(self) -> np.ndarray:
        return log_priors(self.priors, self.counts, self.k)

    @cached_property
    def _weights(self) -> Weights:
        return weigh(self.counts, self.k, self.log_priors, False)

    @cached_property
    def _gone(self) -> Weights:
        """The weights with those of missing binary columns behind them."""
        return weigh(self.counts, self.k, self.log_priors, True)

    def explain(self, rows: Rows, plan: Plan, table: Table, classes: tuple[str, ...], predicted: str) -> Explanation:
        """What the single row holds, and what it lacks, adds to the score of every class; the prior is the constant.

        The parts are those of the products, as in `NaiveBayes.explain`. With more than two classes the scores are
        logarithms of P(y) times all factors; what the model gives out is that less the logarithm of their sum.
        """
        label = plan.names.__getitem__ if self.on == "matrix" else self.counts.schema.label
        factors = replace(trace_cells(rows, self.counts, self.k, self.priors, label), classes=classes)
        parts, priors = factors.parts(), self.log_priors
        if len(classes) == 2:
            pairs = [[part.between(1, 0) for part in parts]]
            with np.errstate(invalid="ignore"):  # both impossible: a tie
                constant = np.nan_to_num(priors[1:] - priors[:1], nan=0.0, posinf=np.inf, neginf=-np.inf)
        else:
            pairs, constant = [[part.of(c) for part in parts] for c in range(len(classes))], priors
        found = np.array(pairs, np.float64).reshape(len(pairs), len(parts), 2)
        contributions, zeros = found[..., 0], found[..., 1]
        return Explanation(
            classes,
            predicted,
            [part.name for part in parts],
            np.array([part.times for part in parts]),
            contributions,
            constant,
            self.scores(rows) if len(classes) == 2 else self.settled(rows)[0],
            zeros if self.k == 0 else None,
            factors,
        )

    def formula(self, plan: Plan) -> Formula:
        """The log-odds of each cell, those of missing binary columns behind the others; the constant is P(y) with all
        that a row may lack. With more than two classes logarithms of P(y) times the factors."""
        schema, names = self.counts.schema, self.cell_names(plan)
        if self.on == "matrix":
            weights, terms = self._weights, plan.terms()
        else:
            weights, terms = self._gone, counted_terms(plan, schema)
            names += [f"{schema.label(int(j))}={MISSING}" for j in schema.binary]
        each = weights.lines.T
        lines = each[1:] - each[:1] if len(each) == 2 else each
        why = "at k = 0 counts of 0 make classes impossible, and scores infinite" if self.k == 0 else ""
        return Formula(
            lines[:, :-1], lines[:, -1], names, terms, presence=not len(schema.counted), logs=True, each=each,
            called="log-odds", unless=why,
        )  # fmt: skip

    def matter(self, plan: Plan) -> np.ndarray:
        """How far its log-odds lie apart, times the root of how often it was counted, by ranks among those of a class.

        By ranks, because words that occur once have the same log-odds wherever they are of one class: a bound between
        them would leave out all those of one class and none of another.
        """
        if self.on != "matrix":
            raise SettingError("naive Bayes over columns counts each of their values, and none can be left out.")
        lines, often = self._weights.lines[:-1], self.counts.cells.sum(axis=1)
        far = np.sqrt(np.square(lines - lines.mean(axis=1, keepdims=True)).sum(axis=1) * often)
        found, own = np.zeros(len(far)), lines.argmax(axis=1)
        for c in range(lines.shape[1]):
            some = np.flatnonzero(own == c)
            order = some[np.argsort(-far[some], kind="stable")]
            found[order] = 1 - np.arange(len(order)) / max(1, len(order))
        return found

    def narrowed(self, kept: np.ndarray) -> Bayes:
        old = self.counts
        kind = "counts" if len(old.schema.counted) else "binary"
        gone = None if old.gone is None else np.ascontiguousarray(old.gone[kept[: len(old.gone)]])
        schema, cells = Schema.of(kind, None, int(kept.sum())), np.ascontiguousarray(old.cells[kept])
        return replace(self, counts=Counts(schema, old.classes, old.rows, cells, gone))

    def facts(self, plan: Plan) -> dict[str, Any]:
        counts = self.counts
        cells = zip(self.cell_names(plan), counts.cells.tolist(), strict=True)
        return {
            "kind": "naive Bayes",
            "on": self.on,
            "k": self.k if math.isfinite(self.k) else str(self.k),
            **({} if self.priors is None else {"priors": written_priors(self.priors)}),
            "rows": counts.rows.tolist(),
            "counts": [list(cell) for cell in cells],
        }

    def cell_names(self, plan: Plan) -> list[str]:
        """What each cell stands for."""
        if self.on == "matrix":
            return plan.names
        schema = self.counts.schema
        names = [schema.label(int(j)) for j in schema.single]
        for column in schema.listed:
            names += [column.cell_name(schema.label(column.column), value) for value in column.names()]
        return names

    def heaviest(self, plan: Plan, classes: tuple[str, ...], count: int) -> dict[str, list[tuple[str, float]]]:
        """For each class the cells whose presence speaks for it most, by log-odds times how often it has them.

        Without the second factor the list would be of words that occur once.
        """
        names, lines, cells = self.cell_names(plan), self._weights.lines[:-1], self.counts.cells
        others = _mean_of_others(lines)
        found = {}
        for c, name in enumerate(classes):
            odds = lines[:, c] - others[:, c]
            order = np.argsort(-odds * cells[:, c], kind="stable")[:count]
            found[name] = [(names[j], float(odds[j])) for j in order if odds[j] > 0 and cells[j, c]]
        return found


def _mean_of_others(lines: np.ndarray) -> np.ndarray:
    """For each class the mean over the others: sums from the left and from the right, so an infinite one stays its own.

    Leaving each class out in turn takes the square of the number of classes.
    """
    sums = np.zeros_like(lines)
    sums[:, 1:] = np.cumsum(lines[:, :-1], axis=1)
    sums[:, :-1] += np.cumsum(lines[:, :0:-1], axis=1)[:, ::-1]
    return sums / max(1, lines.shape[1] - 1)


def written_priors(priors: Any) -> Any:
    """The priors of a trained model as JSON holds them."""
    return {"weights": list(priors.weights)} if isinstance(priors, Weighted) else priors


def as_cells(rows: Rows, counted: bool) -> Rows:
    """The plan's rows as naive Bayes reads them: as they are where words are counted, otherwise as presence."""
    if counted:
        return rows
    if isinstance(rows, Dense):
        return converted(rows, lambda some: Dense(np.ascontiguousarray(some.values > 0).view(np.uint8), 1.0))
    return Words(rows.starts, rows.columns, np.ones(n_rows(rows)), rows.n_columns, 1.0)


def are_counts(rows: Rows) -> bool:
    """Whether the values are counts: whole numbers above 0, which may all be 1."""
    return weighs_words(rows) and all_whole(rows)


def are_repeated(rows: Rows) -> bool:
    """Whether the values are counts of words, of which some occur more than once."""
    return are_counts(rows) and any(
        some.values.max(initial=0) > 1 for _, _, some in pieces(rows) if isinstance(some, Sparse)
    )


def weighs_words(rows: Rows) -> bool:
    """Whether naive Bayes can read the values as words counted, be it in fractions: all above 0."""
    if isinstance(rows, Dense) or not len(rows.columns):
        return False
    values = (some.scales if isinstance(some, Words) else some.values for _, _, some in pieces(rows))
    return all(bool((each > 0).all()) for each in values)


def count_matrix(rows: Rows, truth: np.ndarray, n_classes: int, counted: bool) -> Counts:
    """How often each feature goes with each class."""
    cells = as_cells(rows, counted)
    schema = Schema.of("counts" if counted else "binary", None, n_features(cells))
    per_class = np.bincount(truth, minlength=n_classes).astype(np.int64)
    return Counts(schema, np.arange(n_classes), per_class, count_cells(cells, truth, n_classes, None))
