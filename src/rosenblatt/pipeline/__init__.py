"""`train`: the whole job on one page. Read, split, search on the validation part, refit, open the test part once."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from inspect import signature
from os import PathLike
from typing import Any, ParamSpec

from rosenblatt.data.memory import parse_size
from rosenblatt.data.spool import within
from rosenblatt.features import Wishes, learn_and_encode
from rosenblatt.learn.shards import Here, Site
from rosenblatt.loops.compile import expect_much
from rosenblatt.model import Curve, Evidence, Model
from rosenblatt.pipeline.card import describe_disk, with_test
from rosenblatt.pipeline.choices import Choices
from rosenblatt.pipeline.config import NAMES, Config, asked_for, read_config, refusing_unknown, to_toml
from rosenblatt.pipeline.everything import check_all, fit_to_all
from rosenblatt.pipeline.evidence import gather
from rosenblatt.pipeline.family import Candidate, Parts
from rosenblatt.pipeline.folded import check_folded, cross_validated
from rosenblatt.pipeline.growth import grow
from rosenblatt.pipeline.hint import columns_hint, curve_hint
from rosenblatt.pipeline.operating import Goal
from rosenblatt.pipeline.procedure import learn_whole
from rosenblatt.pipeline.progress import Progress, Watch, silent, watched
from rosenblatt.pipeline.ready import prepare
from rosenblatt.pipeline.resuming import Keeping
from rosenblatt.pipeline.runs import Conduct
from rosenblatt.pipeline.spread import spread

__all__ = ["Choices", "Goal", "Progress", "plan_only", "train", "train_with_evidence"]

P = ParamSpec("P")


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
    rule: str | None = None,
    C: float | None = None,
    k: float | None = None,
    counting: str | None = None,
    priors: str | None = None,
    seed: int = 0,
    seeds: int = 1,
    shards: int = 1,
    jobs: int | None = None,
    record: bool = False,
    choose_by: str = "accuracy",
    cv: int | None = None,
    fit_all: bool = False,
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
    watch: Watch | None = None,
    site: Site | None = None,
) -> tuple[Model, Evidence]:
    """The model of `train`, and what was seen on the way to it.

    curves     True also finds the accuracy of each pass or each k on training and validation rows, and the learning
               curve over the number of training rows, for a report
    watch      is told how the work goes on (pipeline.Progress); otherwise a notebook shows a bar
    site       where shards are visited
    choices    the settings of the search as one object, where they are not given by name
    """
    given = {name: value for name, value in locals().items() if name in NAMES}
    columns = Wishes(text, category, numeric, drop, ordered or {})
    asked = asked_for(read_config(config), given, columns, choices, wishes, goal)
    limit = None if memory is None else parse_size(memory)
    jobs = jobs if choices is None else choices.jobs
    with within(limit), watched(watch) as told, Keeping(checkpoint, resume, told) as keeping:
        return _job(source, asked, keeping, limit, told, jobs, site or Here(), curves)


def _alone(job: Callable[P, tuple[Model, Evidence]]) -> Callable[P, Model]:
    """The same with the model alone."""

    def train(*source: P.args, **settings: P.kwargs) -> Model:
        """The model that does best on the validation part of the data, fitted to all rows but those of the test.

        source     anything that `rosenblatt.data.read` takes, or a Table that it made
        label      the column to predict; otherwise the one named label, class or target
        test       rows for the test, where they are apart; otherwise a fifth of the rows is kept for it
        validation    rows to choose by, where they are apart: they alone decide, and nothing is learned from them
        model      "auto", "perceptron", "naive-bayes" or "kernel", whose file holds training rows (docs/kernel.md)
        weights, margin, passes, k    fix what would be searched
        ties, bias    of a perceptron: what a score of 0 is ("mistake", "positive", "negative"), and False for no bias
        rule, C    of a perceptron: what a step does ("perceptron", "pa1", "pa2", "arow"), and how far it may go
        counting   naive Bayes over words: "presence" (0/1, the Bernoulli filter of the notes) or "counts"
        priors     P(y) of naive Bayes: "smoothed" by k, or "uniform"; otherwise the shares of the classes
        seed       decides the split and the order; seeds    also fits in so many orders and reports the spread
        shards     parts of the rows that a perceptron visits at the same time, part of the result; jobs    threads
        choose_by  what candidates are compared by: "accuracy", "balanced-accuracy", "f1", "auc" or "log-loss"
        cv         so many folds in place of a test part: the whole procedure is cross-validated (`card["cv"]`), and the
                   model is what it makes of all rows
        fit_all    True fits the choice to all rows after the test, whose result is that of the model before
        record     True keeps the training rows behind a perceptron's weights, for `model.behind` and `explain`; of a
                   kernel the order of its updates, for `check`
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
        ready = prepare(source, config, limit, silent)
        rows = ready.table.take(ready.kept)
        plan = learn_and_encode(rows, ready.choices.wishes, ready.codes[ready.kept])[0]
    found = {name: value for name, value in rows.found.items() if name not in config.values}
    notes = [f"note: {note}" for note in rows.notes]
    return to_toml(config.joined(found, Wishes()), plan, set(rows.names) - set(rows.declared), notes)


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
    folded = asked.get("cv") is not None
    ready = prepare(source, asked, limit, watch, whole=folded)
    if folded:
        check_folded(ready, asked)
    if asked.get("fit_all"):
        check_all(ready)
    ready = replace(ready, choices=replace(ready.choices, jobs=jobs))
    table, choices, goal = ready.table, ready.choices, asked.goal
    checkpoints = keeping.open(
        ready.contents, ready.classes, ready.codes, choices, ready.apart is not None, ready.judges_fingerprint,
        asked.get("group"), asked.get("time"), goal,
    )  # fmt: skip
    conduct = Conduct(watch, choices.shards, choices.jobs, site, checkpoints)
    made = learn_whole(ready, asked, conduct)
    chosen, final = made.chosen, made.final
    if folded:
        evidence, model = cross_validated(made, ready, asked, conduct)
    else:
        tested = made.tested
        evidence = gather(made.model, tested, made.trials, final, made.opened.among(made.known), curves)
        model = with_test(made.model, evidence.evaluation, tested, goal)
        if choices.seeds > 1:
            model = replace(model, card={**model.card, "spread": spread(final, model, tested, choices)})
    curve = _curve(chosen, made.parts, choices, conduct) if curves else None
    growth = grow(ready, chosen, conduct) if curves else None
    hint = "" if table.spool is not None else curve_hint(made.parts, chosen, choices, len(ready.kept))
    hint = hint or columns_hint(chosen, made.candidates, choices)
    if asked.get("fit_all"):
        model = fit_to_all(model, chosen, final, ready, conduct)
    seen = replace(evidence, disk=describe_disk(table), curve=curve, growth=growth, hint=hint, ranking=made.ranking)
    return model, replace(seen, seconds=clock.perf_counter() - started)


def _curve(chosen: Candidate, parts: Parts, choices: Choices, conduct: Conduct) -> Curve:
    """How the choice does, learned from the training rows alone as in the search, so validation rows are new to it."""
    return chosen.curve(parts.encoded(chosen.way), parts, choices, conduct)
