"""`train`: the whole job on one page. Read, split, search on the validation part, refit, open the test part once."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import signature
from os import PathLike
from typing import Any, ParamSpec

import numpy as np

from rosenblatt.data import How
from rosenblatt.data.memory import parse_size
from rosenblatt.data.spool import read_within, within
from rosenblatt.data.table import Table
from rosenblatt.features import Classes, Plan, Split, Wishes, split_rows
from rosenblatt.features import learn as learn_plan
from rosenblatt.features.contents import Contents, columns_read
from rosenblatt.features.folds import Fold, folds
from rosenblatt.features.labels import with_label
from rosenblatt.features.split import ALL_TRAIN, PARTS, PARTS_WITHOUT_TEST, PARTS_WITHOUT_VALIDATION, times_of
from rosenblatt.learn.shards import Here, Site
from rosenblatt.loops.compile import expect_much
from rosenblatt.model import Curve, Evidence, Model, Seen
from rosenblatt.pipeline.card import describe_disk, describe_search, with_test
from rosenblatt.pipeline.choices import Choices
from rosenblatt.pipeline.config import NAMES, Config, asked_for, read_config, refusing_unknown, to_toml
from rosenblatt.pipeline.evidence import gather
from rosenblatt.pipeline.family import Candidate, Parts
from rosenblatt.pipeline.final import fit, record_of
from rosenblatt.pipeline.finalists import Learned, settle, trials
from rosenblatt.pipeline.operating import Goal, set_threshold
from rosenblatt.pipeline.progress import Progress, Watch, silent
from rosenblatt.pipeline.resuming import Keeping
from rosenblatt.pipeline.runs import Conduct
from rosenblatt.pipeline.search import search
from rosenblatt.pipeline.spread import spread
from rosenblatt.pipeline.ways import encode
from rosenblatt.pipeline.wishes import without

__all__ = ["Choices", "Goal", "Progress", "plan_only", "train", "train_with_evidence"]

P = ParamSpec("P")
GIVEN = ("test", "validation")  # rows that may be given apart
# How the rows are shared out, by which of these are.
SHARES = {
    (False, False): PARTS,
    (True, False): PARTS_WITHOUT_TEST,
    (False, True): PARTS_WITHOUT_VALIDATION,
    (True, True): ALL_TRAIN,
}


@refusing_unknown
def train_with_evidence(
    source: Any,
    *,
    label: Any = None,
    test: Any = None,
    validation: Any = None,
    model: str = "auto",
    weights: str | None = None,
    ties: str | None = None,
    bias: bool = True,
    margin: float | None = None,
    passes: int | None = None,
    k: float | None = None,
    counting: str | None = None,
    priors: str | None = None,
    seed: int = 0,
    seeds: int = 1,
    shards: int = 1,
    jobs: int | None = None,
    record: bool = False,
    drop: Sequence[str] = (),
    text: Sequence[str] = (),
    category: Sequence[str] = (),
    numeric: Sequence[str] = (),
    ordered: Mapping[str, Sequence[str]] | None = None,
    wishes: Wishes | None = None,
    group: str | None = None,
    time: str | None = None,
    goal: Goal | None = None,
    format: str | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
    quotes: bool | None = None,
    encoding: str | None = None,
    strings: Sequence[str] = (),
    names: str | Sequence[str] | None = None,
    sheet: str | None = None,
    relabel: Mapping[str, str] | None = None,
    config: str | PathLike[str] | Mapping[str, Any] | Config | None = None,
    choices: Choices | None = None,
    memory: int | str | None = None,
    checkpoint: str | PathLike[str] | None = None,
    resume: bool = False,
    curves: bool = False,
    watch: Watch = silent,
    site: Site | None = None,
) -> tuple[Model, Evidence]:
    """The model of `train`, and what was seen on the way to it.

    curves     True also finds the accuracy of each pass or each k on training and validation rows, for a report
    watch      is told how the work goes on (pipeline.Progress); site    where shards are visited
    choices    the settings of the search as one object, where they are not given by name
    """
    given = {name: value for name, value in locals().items() if name in NAMES}
    columns = Wishes(text, category, numeric, drop, ordered or {})
    asked = asked_for(read_config(config), given, columns, choices, wishes, goal)
    limit = None if memory is None else parse_size(memory)
    with within(limit), Keeping(checkpoint, resume, watch) as keeping:
        jobs = jobs if choices is None else choices.jobs
        return _job(source, asked, keeping, limit, watch, jobs, site or Here(), curves)


def _alone(job: Callable[P, tuple[Model, Evidence]]) -> Callable[P, Model]:
    """The same with the model alone."""

    def train(*source: P.args, **settings: P.kwargs) -> Model:
        """The model that does best on the validation part of the data, fitted to all rows but those of the test.

        source     anything that `rosenblatt.data.read` takes, or a Table that it made
        label      the column to predict; otherwise the one named label, class or target
        test       rows for the test, where they are apart; otherwise a fifth of the rows is kept for it
        validation    rows to choose by, where they are apart: they alone decide, and nothing is learned from them
        model      "auto", "perceptron" or "naive-bayes"; weights, margin, passes, k    fix what would be searched
        ties, bias    of a perceptron: what a score of 0 is ("mistake", "positive", "negative"), and False for no bias
        counting   naive Bayes over words: "presence" (0/1, the Bernoulli filter of the notes) or "counts"
        priors     P(y) of naive Bayes: "smoothed" by k, or "uniform"; otherwise the shares of the classes
        seed       decides the split and the order; seeds    also fits in so many orders and reports the spread
        shards     parts of the rows that a perceptron visits at the same time, part of the result; jobs    threads
        record     True keeps the training rows behind a perceptron's weights, for `model.behind` and `explain`
        drop, text, category, numeric    columns to leave out, to read word by word, as names, as numbers
        ordered    for a column its values, lowest first; wishes    all that can be said of columns (features.Wishes)
        group      a column: rows with the same value stay in one part; time    a column: the latest rows are the test
        goal       for two classes: which one matters, and what may be had for it (pipeline.Goal)
        format, header, delimiter, quotes, encoding, strings, names, sheet, relabel    as `rosenblatt.data.read` has
        config     a TOML file or a dictionary with any of these settings, as `rosenblatt train --plan-only` prints it;
                   a setting by name that is not the default comes first
        memory     what the data may take in memory, such as "1GB"; what is larger lies on the disk (docs/scale.md)
        checkpoint    a folder that keeps every run after each pass; resume    True goes on from what is there
        """
        return job(*source, **settings)[0]

    own = signature(job)
    train.__dict__["__signature__"] = own.replace(return_annotation="Model")
    train.__qualname__ = "train"
    return train


train = _alone(train_with_evidence)


def plan_only(source: Any, config: Config, memory: int | str | None = None) -> str:
    """The config in full, as TOML, with the plan that the rows outside the test suggest; nothing is trained."""
    limit = None if memory is None else parse_size(memory)
    with within(limit):
        ready = _prepared(source, config, limit, silent)
        rows = ready.table.take(ready.kept)
        plan = learn_plan(rows, ready.choices.wishes)
    found = {name: value for name, value in rows.found.items() if name not in config.values}
    return to_toml(config.joined(found, Wishes()), plan, chosen=set(rows.names) - set(rows.declared))


@dataclass(frozen=True)
class _Ready:
    """The rows, parted, before anything is learned from them."""

    table: Table
    classes: Classes
    codes: np.ndarray
    apart: Table | None  # test rows that are given apart
    judges: Table | None  # validation rows that are given apart
    choices: Choices
    contents: Contents
    split: Split

    @property
    def kept(self) -> np.ndarray:
        """The rows that are learned from in the end."""
        return np.sort(np.concatenate([self.split.train, self.split.validation]))


def _prepared(source: Any, asked: Config, limit: int | None, watch: Watch) -> _Ready:
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
    contents = Contents.of(table, choices.wishes, group)
    shares = SHARES[apart is not None, judges is not None]
    split = split_rows(table, codes, seed=choices.seed, parts=shares, group=group, time=time, contents=contents)
    return _Ready(table, classes, codes, apart, judges, choices, contents, split)


def _job(
    source: Any,
    asked: Config,
    keeping: Keeping,
    limit: int | None,
    watch: Watch,
    jobs: int | None,
    site: Site,
    curves: bool,
) -> tuple[Model, Evidence]:
    expect_much()  # before the clock: it is no part of reading
    started = clock.perf_counter()
    ready = _prepared(source, asked, limit, watch)
    table, classes, codes, split, contents = ready.table, ready.classes, ready.codes, ready.split, ready.contents
    choices, kept, goal = replace(ready.choices, jobs=jobs), ready.kept, asked.goal
    group, time = asked.get("group"), asked.get("time")
    parts = _parts(ready)
    judged = "" if ready.judges is None else _fingerprint(ready.judges, choices.wishes, parts.wanted)
    checkpoints = keeping.open(contents, classes, codes, choices, ready.apart is not None, judged, group, time, goal)
    conduct = Conduct(watch, choices.shards, choices.jobs, site, checkpoints)
    searched = search(parts, choices, conduct)
    rows = table.take(kept)

    dates = None if time is None else times_of(table, time)[kept]
    both = _both_parts(rows, codes[kept], len(classes.names), choices.seed, contents.take(kept), dates)
    judges = both if ready.judges is None else None
    settled, candidates = settle(searched, len(parts.wanted), judges, choices, conduct)
    chosen = settled.chosen
    final = fit(chosen, rows, codes[kept], len(classes.names), choices.seed, conduct, choices.record)
    kind = f"by group {group!r}" if group else f"by time {time!r}" if time else "by class"
    card = describe_search(
        table, classes, codes, split, contents, choices, settled, final, kind, asked.to_dict(), ready.judges
    )
    part = np.isin(np.arange(table.n_rows), kept)
    record = record_of(final, rows, part, contents.take(kept)) if choices.record else None
    whole = contents.of_columns(table, columns_read(final.plan))
    learned = whole.take(kept)
    tested = table.take(split.test) if ready.apart is None else ready.apart
    opened = whole.take(split.test) if ready.apart is None else Contents.of_plan(ready.apart, final.plan)
    if ready.judges is not None:
        card["notes"] += _copies(ready.judges, final.plan, {"training": learned, "test": opened})
    model = Model(final.plan, classes, final.learner, card, record, Seen.of(learned), chosen.decision)
    if goal is not None:
        model = set_threshold(model, goal, parts, chosen, choices.seed, conduct)

    evidence = gather(model, tested, trials(candidates, settled), final, opened.among(learned))
    model = with_test(model, evidence.evaluation, tested, goal)
    if choices.seeds > 1:
        model = replace(model, card={**model.card, "spread": spread(final, model, tested, choices)})
    curve = _curve(chosen, parts, choices, conduct) if curves else None
    seconds = clock.perf_counter() - started
    return model, replace(evidence, disk=describe_disk(table), curve=curve, seconds=seconds)


def _curve(chosen: Candidate, parts: Parts, choices: Choices, conduct: Conduct) -> Curve:
    """How the choice does, learned from the training rows alone as in the search, so validation rows are new to it."""
    return chosen.curve(encode(chosen.way, parts.train, parts.validation), parts, choices, conduct)


def _as_it_is(table: Table) -> Table:
    return table


def _given_rows(source: Any, label: Any, limit: int | None, how: How) -> Table | None:
    """Test or validation rows that are given apart. Their values stay as they stand: the model knows how they read."""
    if source is None or isinstance(source, Table):
        return source
    given: How = {**how, "raw": True}
    return read_within(source, label, limit, **given)


def _fingerprint(table: Table, wishes: Wishes, codes: np.ndarray) -> str:
    return Contents.of(
        table, replace(wishes, drop=[name for name in wishes.drop if name in table.names]), None
    ).fingerprint(codes)


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


def _copies(judges: Table, plan: Plan, others: Mapping[str, Contents]) -> list[str]:
    """A note for each of the other parts that validation rows are copies of: what is known there is no new judge."""
    own = Contents.of_plan(judges, plan)
    found = {name: int(own.among(contents).sum()) for name, contents in others.items()}
    some = {name: f"{count:,} of the {judges.n_rows:,}" for name, count in found.items() if count}
    return [f"{share} validation rows are copies of {name} rows" for name, share in some.items()]


def _parts(ready: _Ready) -> Parts:
    """The rows to learn from and those to choose by, which may be given apart."""
    table, codes, split = ready.table, ready.codes, ready.split
    if ready.judges is None:
        judges, wanted = table.take(split.validation), codes[split.validation]
    else:
        judges, wanted = ready.judges, ready.classes.encode(ready.judges)
    return Parts(table.take(split.train), judges, codes[split.train].astype(np.int32), wanted, len(ready.classes.names))
