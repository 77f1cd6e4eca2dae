"""Model: a plan, what was learned over its features, and the card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Unpack, overload

import numpy as np

from rosenblatt.data import How, read
from rosenblatt.data.table import LABEL_NAMES, Table
from rosenblatt.errors import DataError, SettingError
from rosenblatt.features import Classes, Plan
from rosenblatt.features.contents import Contents
from rosenblatt.learn.decide import Decision
from rosenblatt.learn.explain import Explanation
from rosenblatt.model.audit import as_recorded
from rosenblatt.model.card import Card
from rosenblatt.model.evaluation import Evaluation, judge
from rosenblatt.model.flips import Flip, find_flip
from rosenblatt.model.formula import Formula
from rosenblatt.model.kept_rows import Behind, KeptRows
from rosenblatt.model.learner import Learner
from rosenblatt.model.messages import text_table, warn_of_path
from rosenblatt.model.reliability import believed
from rosenblatt.model.seen import Seen
from rosenblatt.notebook import InCell
from rosenblatt.traces.source import Played


@dataclass(frozen=True, eq=False, repr=False)
class Model(InCell):
    """What `train` returns and a .rosenblatt file holds.

    Rows are given as a Table, or as anything that `rosenblatt.data.read` takes.
    """

    plan: Plan  # from columns to features
    classes: Classes
    learner: Learner  # weights, counts, or updates that vote, over the features of the plan
    card: Card  # plain values: where the data came from, what was tried and chosen, and how it did
    record: KeptRows | None = None  # the training rows that it was updated on, only where that was asked for
    seen: Seen | None = None  # hashes of the training rows, to know them again; None in files of older versions
    decision: Decision = field(default_factory=Decision)  # how scores become classes

    def __repr__(self) -> str:
        name, features = self.card["choice"]["name"], self.card["features"]
        return f"<Model: {name}; {len(self.classes.names)} classes, {features:,} feature{'' if features == 1 else 's'}>"

    @property
    def label(self) -> str | None:
        """The column it was trained to predict; None for a usual name, which `read` finds by itself."""
        name = self.card.get("label")
        return None if name is None or name in LABEL_NAMES else str(name)

    def scores(self, rows: Any) -> np.ndarray:
        """The score of the second class for each row; with more than two classes, one for each class.

        A class that was called positive when the model was trained is the second.
        """
        return self.learner.scores(self.learner.rows(self.plan, self.table(rows)))

    def codes(self, rows: Any) -> np.ndarray:
        """The number of each row's predicted class."""
        return self.decision.decide(self.scores(rows))

    def predict(self, rows: Any) -> list[str]:
        """The predicted class of each row."""
        return [self.classes.names[code] for code in self.codes(rows)]

    def predict_proba(self, rows: Any) -> np.ndarray:
        """The probability of each class for each row, columns as `classes.names`; DataError where a model has none."""
        return self.decision.probabilities(self.scores(rows))

    def sets(self, rows: Any, coverage: float = 0.95) -> list[list[str]]:
        """For each row the classes that it may be of, so that each class is in that share of the sets of its rows.

        An empty set is of a row unlike the rows of every class. The share is guaranteed, for rows like those of the
        training, where calibration rows were held out (config key `calibration`), and otherwise measured.
        """
        members = self.decision.sets(self.scores(rows), coverage)
        return [[self.classes.names[c] for c in np.flatnonzero(row)] for row in members]

    def evaluate(self, rows: Any) -> Evaluation:
        """How the model does on rows that have labels."""
        table = rows if isinstance(rows, Table) else self.read(rows)
        truth, scores = self.classes.encode(table), self.scores(table)
        contents, codes = Contents.of_plan(table, self.plan), self.decision.decide(scores)
        found = judge(self.classes.names, truth, codes, self.seen, contents)
        return replace(found, **believed(self.decision, scores, truth))

    def explain(self, row: Any) -> Explanation:
        """What each feature of one row adds to the scores; the parts sum to them."""
        table = self.one_row(row, "explain")
        rows = self.learner.rows(self.plan, table)
        predicted = self.classes.names[int(self.decision.decide(self.learner.scores(rows))[0])]
        return self.learner.explain(rows, self.plan, table, self.classes.names, predicted)

    def formula(self, what: str = "this") -> Formula:
        """How its scores are made, term by term; SettingError where they are no sums, which `what` needs."""
        return self.learner.summed(self.plan, what)

    def flip(self, row: Any) -> Flip:
        """The fewest words taken out, or values changed, that turn the decision about one row."""
        return find_flip(self, self.one_row(row, "flip"))

    def behind(self, row: Any, label: str, count: int = 5) -> list[Behind]:
        """The training rows that add most to the score of a class; with two classes to that of the second."""
        rows = self.learner.rows(self.plan, self.table(row))
        asked = rows, self.classes.names.index(label), self.classes.names, count
        own = self.learner.behind(*asked)
        if own is not None:
            return own
        if self.record is None:
            raise DataError("the model keeps no training rows. Train it with record=True (--record) to see them.")
        return self.record.behind(*asked)

    def as_recorded(self, data: Any = None, labels: Any = None) -> Played:
        """Its run, for `traces.replay`: over the rows that it keeps, or over the data that it was trained with."""
        return as_recorded(self, data, labels)

    def heaviest(self, count: int = 10) -> dict[str, list[tuple[str, float]]]:
        """For each class the features that speak for it most, with their weights."""
        return self.learner.heaviest(self.plan, self.classes.names, count)

    def with_threshold(self, threshold: float) -> Model:
        """The same model with its line between two classes drawn at another score of the second class."""
        if len(self.classes.names) > 2:
            raise SettingError(f"a threshold is for two classes; these are {len(self.classes.names)}. Leave it out.")
        return replace(self, decision=replace(self.decision, threshold=threshold))

    def one_row(self, row: Any, what: str) -> Table:
        """The row as a table; DataError where they are several."""
        table = self.table(row)
        if table.n_rows != 1:
            raise DataError(f"{table.origin.source}: {what} takes one row; got {table.n_rows}. Name one of them.")
        return table

    def table(self, rows: Any) -> Table:
        """The rows as a table; texts alone are the column of text that it reads, a dictionary of values is a row."""
        if isinstance(rows, Table):
            return rows
        if isinstance(rows, str) and self.plan.texts:
            warn_of_path()
        if isinstance(rows, list) and rows and all(isinstance(row, str) for row in rows):  # as nearly all texts come
            return self.texts(rows)
        if isinstance(rows, dict) and not all(hasattr(v, "__len__") and not isinstance(v, str) for v in rows.values()):
            rows = [rows]
        if isinstance(rows, Sequence) and not isinstance(rows, str) and all(isinstance(row, str) for row in rows):
            return self.texts(rows)
        return self.read(rows, labelled=False)

    @overload
    def read(self, source: Any, label: Any = None, *, batches: None = None, **how: Unpack[How]) -> Table: ...
    @overload
    def read(self, source: Any, label: Any = None, *, batches: int, **how: Unpack[How]) -> Iterator[Table]: ...
    def read(
        self, source: Any, label: Any = None, *, batches: int | None = None, **how: Unpack[How]
    ) -> Table | Iterator[Table]:
        """The rows of any source, or batches of them, with settings of `rosenblatt.data.read`.

        Values stay as they stand in it: the model knows how those of its columns and its label read.
        """
        own, sheet = self.label if label is None else label, self.card.get("config", {}).get("reading", {}).get("sheet")
        texts = None if how.get("labelled", True) else self.plan.only_text
        given: How = {**how, "raw": True, "lines": texts, "usual": sheet}
        return read(source, own, **given) if batches is None else read(source, own, batches=batches, **given)

    def texts(self, texts: Sequence[str]) -> Table:
        """Messages as a table; columns that the model reads beside the text are missing."""
        return text_table(self.plan, texts)
