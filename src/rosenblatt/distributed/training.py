"""`distributed.train`: a model from fragments that no machine has to hold together."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import reduce
from operator import add
from os import PathLike
from typing import Any

import numpy as np

from rosenblatt import __version__
from rosenblatt.data import read
from rosenblatt.data.table import Table
from rosenblatt.distributed import counting, dealing
from rosenblatt.distributed.cluster import RETRIES, Cluster, Tasks
from rosenblatt.distributed.dealing import Recipe
from rosenblatt.distributed.looking import Fragments
from rosenblatt.distributed.parquet import Fragment, fragments, located, outline
from rosenblatt.distributed.shard import Order
from rosenblatt.errors import SettingError
from rosenblatt.features import Classes, Plan, Wishes
from rosenblatt.features.learning import types_of
from rosenblatt.features.plan import learn_on
from rosenblatt.learn.problem import Problem, Sums
from rosenblatt.learn.rule import Rule
from rosenblatt.learn.run import Run
from rosenblatt.learn.settings import Settings
from rosenblatt.learn.shards import Crew
from rosenblatt.model import Bayes, Model
from rosenblatt.model.card import Card, ChosenModel, SplitCounts
from rosenblatt.model.columns import columns_schema
from rosenblatt.pipeline.card import describe, with_test
from rosenblatt.pipeline.choices import Choices
from rosenblatt.pipeline.families.naive_bayes import NaiveBayes
from rosenblatt.pipeline.families.perceptron import Perceptron, linear
from rosenblatt.pipeline.progress import Progress, Watch, silent
from rosenblatt.pipeline.resuming import Keeping
from rosenblatt.pipeline.runs import Conduct, run_settings, run_watched
from rosenblatt.pipeline.tries import PROBE_MARGIN, RUN_APART
from rosenblatt.pipeline.ways import Way, bayes_on

PASSES = 8


def train(
    given: str | Sequence[str] | Sequence[Fragment | tuple[str, int]],
    *,
    label: str | None = None,
    client: Any,
    shards: int = 8,
    model: str = "perceptron",
    weights: str = "averaged",
    margin: float = PROBE_MARGIN,
    passes: int = PASSES,
    rule: str = Settings.rule,
    C: float = Settings.C,
    k: float = 1.0,
    seed: int = 0,
    plan: Plan | None = None,
    wishes: Wishes | None = None,
    test: Any = None,
    watch: Watch = silent,
    checkpoint: str | PathLike[str] | None = None,
    resume: bool = False,
) -> Model:
    """The model of all rows of the fragments; nothing is searched, and no row is kept aside.

    given      row groups as `fragments` lists them, pairs of path and row group, or what `fragments` takes
    client     a distributed.Client
    shards     part of the result, as are seed, margin (in multiples of the mean |f(x)|²), passes and weights
    rule       "perceptron", or "pa1", "pa2", "arow", which have no margin but C
    model      "perceptron" or "naive-bayes" (of what is present; k smooths)
    plan       how columns become features; otherwise learned from all rows, with the `wishes`
    test       rows for a test, as `rosenblatt.data.read` takes them
    """
    started = time.perf_counter()
    steps = {"margin": margin} if rule == Settings.rule else {"C": C}
    own: Any = {"k": k} if model == NaiveBayes.model else {"weights": weights, "passes": passes, "rule": rule, **steps}
    choices = Choices(model=model, seed=seed, shards=shards, **own)
    runs = model == Perceptron.model
    if not runs and model != NaiveBayes.model:
        raise SettingError("distributed.train searches nothing: model must be 'perceptron' or 'naive-bayes'.")
    if choices.weights in RUN_APART:
        raise SettingError(f"distributed.train gives final or averaged weights; got {weights!r}. Choose one of them.")
    pieces = _as_fragments(given)
    columns, cluster = outline(pieces, label), Cluster(client, "")
    executor = Fragments(cluster, pieces, columns.label, types_of(columns))
    classes = executor.labels().settle(f"{pieces[0].path}, label {columns.label!r}")
    executor.classes = classes
    plan = plan or learn_on(executor, columns, wishes or Wishes())
    recipe = Recipe(plan, classes, columns.label, types_of(columns), seed, shards if runs else 1)
    dealt = client.map(dealing.deal, pieces, recipe=recipe, pure=False, retries=RETRIES)
    told = cluster.gather(client.map(dealing.told, dealt, pure=False, retries=RETRIES))
    watch(Progress("encoding", seconds=time.perf_counter() - started, state=cluster.state()))
    fingerprint = hashlib.sha256("".join(each.digest for each in told).encode()).hexdigest()
    size = reduce(add, (each.size for each in told))
    dense = None if told[0].words else size.worth_dense(plan.width)
    if not runs:
        card = _card(pieces, columns, classes, plan, told, fingerprint, choices, None)
        made = Model(plan, classes, _counted(executor, dealt, dense, recipe, k), card)
    else:
        job = {"rosenblatt version": __version__, "data": fingerprint, **asdict(choices)}
        del job["jobs"]
        with Keeping(checkpoint, resume, watch) as keeping:
            kept = keeping.open_for(job)
            crew, problem = _collected(cluster, dealt, told, dense, recipe)
            del dealt  # the pieces are in the shards now
            conduct = Conduct(watch, shards, None, _Ready(cluster, crew[0], crew[1]), kept)
            settings = run_settings(problem, choices.margin or 0.0, passes, seed, weights, rule=rule, C=C)
            run = run_watched(problem, settings, "final run", conduct, lambda run: None, [])
        card = _card(pieces, columns, classes, plan, told, fingerprint, choices, run)
        made = Model(plan, classes, linear(run, weights), card)
    if test is not None:
        rows = test if isinstance(test, Table) else read(test, columns.label)
        return with_test(made, made.evaluate(rows), rows, None)
    return made


class _Ready:
    """A Site whose shards are there already."""

    def __init__(self, cluster: Cluster, shards: list[Any], sizes: Sequence[int]):
        self.cluster, self.shards, self.sizes = cluster, shards, sizes

    def crew(self, problem: Problem, visited: np.ndarray, settings: Settings, rule: Rule, rate: float) -> Crew:
        order = Order(rule, rate, settings.seed, settings.shuffle, settings.record)
        return Tasks(self.cluster, self.shards, self.sizes, order)

    def state(self) -> str:
        return self.cluster.state()


def _as_fragments(given: str | Sequence[str] | Sequence[Fragment | tuple[str, int]]) -> list[Fragment]:
    if isinstance(given, str) or all(isinstance(each, str) for each in given):
        return fragments(given)  # type: ignore[arg-type]
    return located(given)  # type: ignore[arg-type]


def _collected(
    cluster: Cluster, dealt: list[Any], told: list[dealing.Told], dense: bool | None, recipe: Recipe
) -> tuple[tuple[list[Any], list[int]], Problem]:
    """The shards as tasks with their sizes, and the problem that they are together."""
    client, n_classes = cluster.client, len(recipe.classes.names)
    sizes = np.sum([each.sizes for each in told], axis=0)
    full = np.flatnonzero(sizes)  # shards without rows are none, as in memory
    shards = []
    for number, s in enumerate(full.tolist()):
        parts = client.map(dealing.piece, dealt, shard=s, pure=False, retries=RETRIES)
        shards.append(
            client.submit(
                dealing.collect, parts, number=number, dense=dense, n_classes=n_classes, pure=False, retries=RETRIES
            )
        )
    repeats = cluster.gather(client.map(dealing.repeats_one_value, shards, pure=False, retries=RETRIES))
    shards = client.map(
        dealing.in_first_order, shards, seed=recipe.seed, words=all(repeats), pure=False, retries=RETRIES
    )
    outlines = cluster.gather(client.map(dealing.outline, shards, pure=False, retries=RETRIES))
    together = reduce(Sums.merged, [each.sums for each in outlines])
    return (shards, sizes[full].tolist()), replace(outlines[0], told=together)


def _counted(executor: Fragments, dealt: list[Any], dense: bool | None, recipe: Recipe, k: float) -> Bayes:
    """Naive Bayes: the counts of each fragment, added up in a tree. They are whole numbers, so any order is exact."""
    on = bayes_on(recipe.plan)
    if on is None:
        raise SettingError(
            "naive Bayes has no way to count text beside other columns, or vectors of fractions. Use the perceptron."
        )
    if on == "columns":
        schema = columns_schema(executor, recipe.plan, executor.types)
        counts = executor.folded(counting.count_columns, counting.added, executor.pieces, recipe=recipe, schema=schema)
    else:
        n_classes = len(recipe.classes.names)
        counts = executor.folded(counting.count, counting.added, dealt, dense=dense, n_classes=n_classes)
    return Bayes(counts, k, on)


def _choice(choices: Choices, plan: Plan, run: Run | None) -> ChosenModel:
    made: ChosenModel = {"model": choices.model, "name": "", "unit": plan.unit}
    if run is None:
        on, k = bayes_on(plan), float(choices.k or 0)
        name = f"naive Bayes of {'columns' if on == 'columns' else 'presence'}, k = {k:g}"
        return {**made, "name": name, "k": k, "on": on, "counted": False}
    chosen = Perceptron(
        Way("", choices.wishes), weights=str(choices.weights), margin=float(choices.margin or 0),
        passes=int(choices.passes or 0), rule=run.settings.rule, C=run.settings.C,
    )  # fmt: skip
    made["name"] = chosen.name
    made.update(chosen.facts_of(run))  # type: ignore[typeddict-item]
    return made


def _card(
    pieces: list[Fragment],
    columns: Table,
    classes: Classes,
    plan: Plan,
    told: list[dealing.Told],
    fingerprint: str,
    choices: Choices,
    run: Run | None,
) -> Card:
    counts = np.sum([each.classes for each in told], axis=0)
    paths = list(dict.fromkeys(piece.path for piece in pieces))
    source = paths[0] if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1} more"
    split: SplitCounts = {
        "train": int(counts.sum()), "validation": 0, "test": 0, "seed": choices.seed, "kind": "none",
    }  # fmt: skip
    notes = [f"{len(pieces)} fragments"]
    choice = _choice(choices, plan, run)
    return describe(columns, source, classes, counts, counts, fingerprint, split, notes, plan, choice, run)
