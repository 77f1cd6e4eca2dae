"""The choice, learned again from the training and the validation rows together."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from rosenblatt.claims import listed, number, row, whole
from rosenblatt.data.table import Table
from rosenblatt.features import Plan, learn_and_encode
from rosenblatt.features.contents import Contents
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.run import Run
from rosenblatt.loops.rows import Rows, take
from rosenblatt.model import Bayes, Linear, Record
from rosenblatt.model.bayes import count_matrix
from rosenblatt.model.columns import count_columns
from rosenblatt.model.history import history_of
from rosenblatt.model.record import amounts_of
from rosenblatt.model.voted import Learner, voted_of
from rosenblatt.pipeline.choices import LONGEST
from rosenblatt.pipeline.runs import Conduct, problem_of, run_settings, run_watched
from rosenblatt.pipeline.search import Candidate
from rosenblatt.pipeline.shown import shown

# Larger models are rounded to float32, before they see a test row: half the file, and no row decided otherwise later.
EXACT_WEIGHTS = 100_000
BRACKETS = listed(row(whole(1, 2**53), number(0), number(0, infinite=True)))  # updates, and bounds on the margin


@dataclass(frozen=True)
class Final:
    """A learner over its plan, and for a perceptron the run it came from."""

    plan: Plan
    learner: Learner
    problem: Problem | None = None
    run: Run | None = None
    bracket: list[tuple[int, float, float]] = field(default_factory=list)


def fit(
    chosen: Candidate,
    table: Table,
    truth: np.ndarray,
    n_classes: int,
    seed: int,
    conduct: Conduct,
    record: bool = False,
) -> Final:
    """The chosen candidate, fitted to these rows."""
    plan, matrix = learn_and_encode(table, chosen.way.wishes)
    return fit_encoded(chosen, plan, matrix.rows, table, truth, n_classes, seed, conduct, record=record)


def fit_encoded(
    chosen: Candidate,
    plan: Plan,
    rows: Rows,
    table: Table,
    truth: np.ndarray,
    n_classes: int,
    seed: int,
    conduct: Conduct,
    stage: str = "final run",
    record: bool = False,
) -> Final:
    """The candidate, fitted to the table, which the plan has made these rows of."""
    if chosen.model == "naive-bayes":
        columns = chosen.on == "columns"
        counts = (
            count_columns(plan, table, truth, n_classes)
            if columns
            else count_matrix(rows, truth, n_classes, chosen.counted)
        )
        return Final(plan, Bayes(counts, chosen.k, "columns" if columns else "matrix", chosen.priors))
    return run_again(chosen, plan, problem_of(rows, truth, n_classes, chosen.bias), seed, conduct, record, stage)


def run_again(
    chosen: Candidate,
    plan: Plan,
    problem: Problem,
    seed: int,
    conduct: Conduct,
    record: bool = False,
    stage: str = "final run",
) -> Final:
    """A run of the chosen perceptron over the problem, in the order of this seed."""
    passes = LONGEST if chosen.separated and chosen.weights == "final" else chosen.passes
    seen: list[Any] = []

    def note(run: Run) -> None:
        if run.updates >= 2 * (seen[-1][0] if seen else 0) and run.updates:
            seen.append([run.updates, *run.margin_bracket])

    settings = run_settings(problem, chosen.margin, passes, seed, chosen.weights, chosen.ties)
    settings = replace(settings, record=record or settings.record)
    run = run_watched(problem, settings, stage, conduct, note, seen, lambda kept, run: BRACKETS(kept, "seen"))
    bracket = [(updates, low, high) for updates, low, high in seen]
    if run.updates:
        if bracket and bracket[-1][0] == run.updates:
            bracket.pop()
        bracket.append((run.updates, *run.margin_bracket))
    if chosen.weights == "voted":
        return Final(plan, voted_of(run, problem), problem, run, bracket)
    return Final(plan, Linear(rounded(run.weights_of(chosen.weights))), problem, run, bracket)


def record_of(final: Final, chosen: Candidate, table: Table, part: np.ndarray, contents: Contents) -> Record | None:
    """The rows behind the weights of a recorded run over this table, the part of the data that is marked.

    None for naive Bayes, which keeps none.
    """
    if final.run is None or final.problem is None:
        return None
    used, amounts = amounts_of(final.run, final.problem, chosen.weights)
    return Record(
        take(final.problem.rows, used),
        amounts,
        final.problem.truth[used],
        tuple(table.origin.of(int(i)) for i in used),
        tuple(shown(final.plan, table, int(i)) for i in used),
        history_of(final.run, chosen.weights, part, contents, final.problem),
    )


def rounded(weights: np.ndarray) -> np.ndarray:
    """The weights, rounded to what a float32 can hold where there are many."""
    weights = np.ascontiguousarray(weights, np.float64)
    return weights if weights.size <= EXACT_WEIGHTS else weights.astype(np.float32).astype(np.float64)
