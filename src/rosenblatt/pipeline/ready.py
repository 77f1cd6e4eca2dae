"""The rows of a job, read and parted, before anything is learned from them; and who is to learn from which of them."""

from __future__ import annotations

import time as clock
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from rosenblatt.data import How
from rosenblatt.data.spool import read_within
from rosenblatt.data.table import Table
from rosenblatt.errors import DataError
from rosenblatt.features import Classes, Plan, Split, split_rows
from rosenblatt.features.contents import Contents
from rosenblatt.features.folds import Fold, folds
from rosenblatt.features.labels import with_label
from rosenblatt.features.split import ALL_TRAIN, PARTS, PARTS_WITHOUT_TEST, PARTS_WITHOUT_VALIDATION, times_of
from rosenblatt.pipeline.choices import Choices
from rosenblatt.pipeline.config import Config
from rosenblatt.pipeline.crossfit import Learned
from rosenblatt.pipeline.family import Parts
from rosenblatt.pipeline.merit import check_merit
from rosenblatt.pipeline.progress import Progress, Watch
from rosenblatt.pipeline.weighing import weighing_of
from rosenblatt.pipeline.wishes import without

GIVEN = ("test", "validation")  # rows that may be given apart
# How the rows are shared out, by which of these are.
SHARES = {
    (False, False): PARTS,
    (True, False): PARTS_WITHOUT_TEST,
    (False, True): PARTS_WITHOUT_VALIDATION,
    (True, True): ALL_TRAIN,
}


NONE = np.empty(0, np.int64)
NOT_YET = Split(NONE, NONE, NONE)  # the parts of rows before they are parted


@dataclass(frozen=True)
class Ready:
    """The rows, parted, before anything is learned from them."""

    table: Table
    classes: Classes
    codes: np.ndarray
    apart: Table | None  # test rows that are given apart
    judges: Table | None  # validation rows that are given apart
    choices: Choices
    contents: Contents
    split: Split
    times: np.ndarray | None = None  # numbers that sort as the times do, where rows are parted by time
    held: np.ndarray | None = None  # numbers of the rows that are held out for calibration

    @cached_property
    def kept(self) -> np.ndarray:
        """The rows that are learned from in the end."""
        return np.sort(np.concatenate([self.split.train, self.split.validation]))

    @property
    def parts(self) -> Parts:
        """The rows to learn from and those to choose by, which may be given apart."""
        table, codes, split = self.table, self.codes, self.split
        if self.judges is None:
            judges, wanted = table.take(split.validation), codes[split.validation]
        else:
            judges, wanted = self.judges, self.classes.encode(self.judges)
        truth = codes[split.train].astype(np.int32)
        return Parts(table.take(split.train), judges, truth, wanted, len(self.classes.names))

    @property
    def learned(self) -> Learned:
        """The training and the validation rows together, and how they are parted into folds."""
        kept, n_classes = self.kept, len(self.classes.names)
        truth, distinct = self.codes[kept].astype(np.int32), self.contents.take(kept).distinct
        parted = partial(self.folds, kept)
        return Learned(self.table.take(kept), truth, n_classes, self.choices.seed, distinct, parted)

    def folds(self, rows: np.ndarray, k: int) -> Sequence[Fold]:
        """At most k folds of these rows, by their places among them."""
        times = None if self.times is None else self.times[rows]
        return folds(self.codes[rows], self.contents.take(rows).together, k, self.choices.seed, times)

    def of_rows(self, rows: np.ndarray, asked: Config) -> Ready:
        """Some of the rows, parted anew into training and validation rows."""
        table, codes, contents = self.table.take(rows), self.codes[rows], self.contents.take(rows)
        times = None if self.times is None else self.times[rows]
        return _parted(replace(self, table=table, codes=codes, contents=contents, times=times, held=None), asked, True)

    def copies_of_judges(self, plan: Plan, others: Mapping[str, Contents]) -> list[str]:
        """A note for each of the other parts that validation rows given apart are copies of, which judge little."""
        if self.judges is None:
            return []
        own = Contents.of_plan(self.judges, plan)
        found = {name: int(own.among(contents).sum()) for name, contents in others.items()}
        some = {name: f"{count:,} of the {self.judges.n_rows:,}" for name, count in found.items() if count}
        return [f"{share} validation rows are copies of {name} rows" for name, share in some.items()]

    @property
    def judges_fingerprint(self) -> str:
        """What the validation rows given apart are; nothing where there are none."""
        if self.judges is None:
            return ""
        wishes, names = self.choices.wishes, self.judges.names
        present = replace(wishes, drop=[name for name in wishes.drop if name in names])
        return Contents.of(self.judges, present, None).fingerprint(self.classes.encode(self.judges))


def prepare(source: Any, asked: Config, limit: int | None, watch: Watch, whole: bool = False) -> Ready:
    """The rows as the config has them read and parted; whole    True for no test part, where none is to be opened."""
    started, how, goal = clock.perf_counter(), asked.how, asked.goal
    label, group, time = asked.get("label"), asked.get("group"), asked.get("time")
    choices = asked.choices
    labelled = with_label if asked.get("unlabelled") == "skip" else _as_it_is
    table = labelled(source if isinstance(source, Table) else read_within(source, label, limit, **how))
    watch(Progress("reading", seconds=clock.perf_counter() - started))
    classes = Classes.learn(table, None if goal is None else goal.positive)
    if goal is not None:
        goal.check(classes.names)
    codes = classes.encode(table)
    given = (_given_rows(asked.get(name), _label_for(label, table), limit, how) for name in GIVEN)
    apart, judges = (None if rows is None else labelled(rows) for rows in given)
    choices = without(choices, table, group, time)
    check_merit(choices, classes.names)
    costs = None if goal is None else goal.costs
    weighing = weighing_of(choices.class_weights, costs, classes.names)
    choices = replace(choices, costs=costs, weighing=weighing)
    contents = Contents.of(table, choices.wishes, group)
    times = None if time is None else times_of(table, time)
    return _parted(Ready(table, classes, codes, apart, judges, choices, contents, NOT_YET, times), asked, whole)


def _parted(ready: Ready, asked: Config, whole: bool) -> Ready:
    """The rows with their parts; whole    True for no test part."""
    choices = ready.choices
    shares = SHARES[whole or ready.apart is not None, ready.judges is not None]
    split = split_rows(
        ready.table, ready.codes, seed=choices.seed, parts=shares, group=asked.get("group"), time=asked.get("time"),
        contents=ready.contents,
    )  # fmt: skip
    ready = replace(ready, split=split)
    return ready if isinstance(choices.calibration, str) else _holding_out(ready, choices.calibration)


def _holding_out(ready: Ready, share: float) -> Ready:
    """The rows with a share of those outside the test held out for calibration; parted by time, the latest of them."""
    kept, split = ready.kept, ready.split
    if ready.times is not None:
        order = np.argsort(ready.times[kept], kind="stable")
        held = np.sort(kept[order[-max(1, round(share * len(kept))) :]])
    else:
        together = ready.contents.take(kept).together
        parts = folds(ready.codes[kept], together, max(2, round(1 / share)), ready.choices.seed)
        held = kept[parts[0].validation] if parts else kept[:0]
    train, validation = (part[~np.isin(part, held)] for part in (split.train, split.validation))
    fewest = np.min(
        [np.bincount(ready.codes[rows], minlength=len(ready.classes.names)) for rows in (held, train)], axis=0
    )
    if not fewest.all():
        raise DataError(
            f"{ready.table.origin.source}: calibration {share:g} leaves no row of class "
            f"{ready.classes.names[int(fewest.argmin())]!r} to calibrate by or to learn from. Give more rows of it."
        )
    return replace(ready, split=replace(split, train=train, validation=validation), held=held)


def _as_it_is(table: Table) -> Table:
    return table


def _given_rows(source: Any, label: Any, limit: int | None, how: How) -> Table | None:
    """Test or validation rows that are given apart. Their values stay as they stand: the model knows how they read."""
    if source is None or isinstance(source, Table):
        return source
    given: How = {**how, "raw": True}
    return read_within(source, label, limit, **given)


def _label_for(label: Any, table: Table) -> Any:
    """The label of the test rows: the column of the same name, unless the labels were given by themselves."""
    return label if label is None or isinstance(label, str) else table.label
