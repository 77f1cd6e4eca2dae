"""`train`: the whole job on one page. Read, split, search on the validation part, refit, open the test part once."""

from __future__ import annotations

import time as clock
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np

from rosenblatt.data import How
from rosenblatt.data.memory import parse_size
from rosenblatt.data.spool import read_within, within
from rosenblatt.data.table import Table, nearest_hint
from rosenblatt.errors import SettingError
from rosenblatt.features import Classes, Split, split_rows
from rosenblatt.features.contents import Contents, columns_read
from rosenblatt.features.folds import Fold, folds
from rosenblatt.features.split import PARTS, PARTS_WITHOUT_TEST, times_of
from rosenblatt.learn.shards import Here, Site
from rosenblatt.model import Evidence, Model, Seen
from rosenblatt.pipeline.card import describe_disk, describe_search, with_test
from rosenblatt.pipeline.choices import Choices
from rosenblatt.pipeline.evidence import gather
from rosenblatt.pipeline.final import fit, record_of
from rosenblatt.pipeline.finalists import Learned, settle, trials
from rosenblatt.pipeline.operating import Goal, set_threshold
from rosenblatt.pipeline.progress import Progress, Watch, silent
from rosenblatt.pipeline.resuming import Keeping
from rosenblatt.pipeline.runs import Conduct
from rosenblatt.pipeline.search import Parts, search
from rosenblatt.pipeline.spread import spread
from rosenblatt.pipeline.wishes import without

__all__ = ["Choices", "Goal", "Progress", "train", "train_with_evidence"]


def train(source: Any, *, label: Any = None, test: Any = None, **settings: Any) -> Model:
    """The model that does best on the validation part of the data, fitted to all rows but those of the test.

    source     anything that `rosenblatt.data.read` takes, or a Table that it made
    label      the column to predict; otherwise the one named label, class or target
    test       rows for the test, where they are apart; otherwise a fifth of the rows is kept for it
    model      "auto", "perceptron" or "naive-bayes"; weights, margin, passes, k    fix what would be searched
    shards     parts of the rows that a perceptron visits at the same time, part of the result; jobs    threads for it
    seed       decides the split and the order; seeds    also fits in so many orders and reports the spread
    wishes     what the user says of columns (features.Wishes); group, time    how to split
    record     True keeps the training rows behind a perceptron's weights, for `model.behind` and `explain`
    memory     what the data may take in memory, such as "1GB"; what is larger lies on the disk (docs/scale.md)
    goal       for two classes: which one matters, and what may be had for it (pipeline.Goal)
    checkpoint    a folder that keeps every run after each pass; resume    True goes on from what is there
    Others     go to `read`, such as `format`, `relabel`, `names`
    """
    return train_with_evidence(source, label=label, test=test, **settings)[0]


def train_with_evidence(
    source: Any,
    *,
    watch: Watch = silent,
    checkpoint: str | PathLike[str] | None = None,
    resume: bool = False,
    memory: int | str | None = None,
    **settings: Any,
) -> tuple[Model, Evidence]:
    """The model, and what was seen on the way to it. Other settings are those of `train`, as one object or by name."""
    limit = None if memory is None else parse_size(memory)
    with within(limit), Keeping(checkpoint, resume, watch) as keeping:
        return _job(source, watch=watch, keeping=keeping, limit=limit, **settings)


def _job(
    source: Any,
    *,
    keeping: Keeping,
    watch: Watch,
    limit: int | None,
    label: Any = None,
    test: Any = None,
    choices: Choices | None = None,
    group: str | None = None,
    time: str | None = None,
    goal: Goal | None = None,
    site: Site | None = None,
    how: How | None = None,
    **more: Any,
) -> tuple[Model, Evidence]:
    started = clock.perf_counter()
    choices, how = _sorted_out(choices, how, more)
    table = source if isinstance(source, Table) else read_within(source, label, limit, **how)
    watch(Progress("reading", seconds=clock.perf_counter() - started))
    classes = Classes.learn(table, None if goal is None else goal.positive)
    if goal is not None:
        goal.check(classes.names)
    codes = classes.encode(table)
    apart = _test_rows(test, _label_for(label, table), limit, how)
    choices = without(choices, table, group, time)
    contents = Contents.of(table, choices.wishes, group)
    shares = PARTS if apart is None else PARTS_WITHOUT_TEST
    split = split_rows(table, codes, seed=choices.seed, parts=shares, group=group, time=time, contents=contents)
    parts = _parts(table, codes, split, len(classes.names))
    checkpoints = keeping.open(contents, classes, codes, choices, apart is not None, group, time, goal)
    conduct = Conduct(watch, choices.shards, choices.jobs, site or Here(), checkpoints)
    candidates = search(parts, choices, conduct)
    kept = np.sort(np.concatenate([split.train, split.validation]))
    rows = table.take(kept)

    dates = None if time is None else times_of(table, time)[kept]
    both = _both_parts(rows, codes[kept], len(classes.names), choices.seed, contents.take(kept), dates)
    settled = settle(candidates, len(split.validation), both, conduct)
    chosen = settled.chosen
    final = fit(chosen, rows, codes[kept], len(classes.names), choices.seed, conduct, choices.record)
    kind = f"by group {group!r}" if group else f"by time {time!r}" if time else "by class"
    card = describe_search(table, classes, codes, split, contents, choices, settled, final, kind, {})
    part = np.isin(np.arange(table.n_rows), kept)
    record = record_of(final, chosen, rows, part, contents.take(kept)) if choices.record else None
    whole = contents.of_columns(table, columns_read(final.plan))
    learned = whole.take(kept)
    model = Model(final.plan, classes, final.learner, card, record, Seen.of(learned))
    if goal is not None:
        model = set_threshold(model, goal, parts, chosen, choices.seed, conduct)

    tested = table.take(split.test) if apart is None else apart
    opened = whole.take(split.test) if apart is None else Contents.of_plan(apart, final.plan)
    evidence = gather(model, tested, trials(candidates, settled), final, opened.among(learned))
    model = with_test(model, evidence.evaluation, tested, goal)
    if choices.seeds > 1:
        model = replace(model, card={**model.card, "spread": spread(chosen, final, model, tested, choices, conduct)})
    return model, replace(evidence, disk=describe_disk(table), seconds=clock.perf_counter() - started)


def _sorted_out(choices: Choices | None, how: How | None, more: dict[str, Any]) -> tuple[Choices, How]:
    """Settings given by name, to Choices or to `read`, whichever knows them."""
    known = set(Choices.__dataclass_fields__)
    of_read: Any = {name: value for name, value in more.items() if name not in known}
    of_search = {name: value for name, value in more.items() if name in known}
    for name in of_read:
        if name not in How.__annotations__:
            others = ("label", "test", "group", "time", "goal", "memory", "checkpoint", "resume")
            names = sorted({*known, *How.__annotations__, *others})
            raise SettingError(
                f"train has no setting named {name!r}.{nearest_hint(name, names)} Settings are: {', '.join(names)}."
            )
    return choices or Choices(**of_search), {**(how or {}), **of_read}


def _test_rows(test: Any, label: Any, limit: int | None, how: How) -> Table | None:
    """Test rows that are given apart. Their values stay as they stand: the model knows how they read."""
    if test is None or isinstance(test, Table):
        return test
    given: Any = {**how, "raw": True}
    return read_within(test, label, limit, **given)


def _both_parts(
    rows: Table, codes: np.ndarray, n_classes: int, seed: int, contents: Contents, times: np.ndarray | None
) -> Learned:
    """The training and the validation rows together, and how they are parted into folds."""

    def parted(k: int) -> list[Fold]:
        return folds(codes, contents.together, k, seed, times)

    return Learned(rows, codes.astype(np.int32), n_classes, seed, contents.distinct, parted)


def _label_for(label: Any, table: Table) -> Any:
    """The label of the test rows: the column of the same name, unless the labels were given by themselves."""
    return label if label is None or isinstance(label, str) else table.label


def _parts(table: Table, codes: np.ndarray, split: Split, n_classes: int) -> Parts:
    train, validation = table.take(split.train), table.take(split.validation)
    return Parts(train, validation, codes[split.train].astype(np.int32), codes[split.validation], n_classes)
