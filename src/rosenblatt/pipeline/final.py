"""The choice, learned again from the training and the validation rows together."""

from __future__ import annotations

import numpy as np

from rosenblatt.data.table import Table
from rosenblatt.features import learn_and_encode
from rosenblatt.features.contents import Contents
from rosenblatt.learn.run import Run
from rosenblatt.loops.rows import take
from rosenblatt.model.kept_rows import KeptRows, shares_of
from rosenblatt.model.prune import by_weight, kept_of
from rosenblatt.model.training import training_of
from rosenblatt.pipeline.family import Candidate, Final, Task
from rosenblatt.pipeline.runs import Conduct
from rosenblatt.pipeline.shown import shown


def fit(
    chosen: Candidate,
    table: Table,
    truth: np.ndarray,
    n_classes: int,
    seed: int,
    conduct: Conduct,
    record: bool = False,
    stage: str = "final run",
) -> Final:
    """The chosen candidate, fitted to these rows; where it is to have fewer features, to the heaviest of them again."""
    plan, matrix = learn_and_encode(table, chosen.way.wishes, truth)
    task = Task(plan, matrix.rows, table, truth, n_classes, seed, conduct, stage, record)
    made = chosen.fit(task)
    if chosen.features is None or plan.width <= chosen.features:
        return made
    del matrix, task  # and with them the rows
    fewer = plan.narrowed(kept_of(by_weight(plan, made.learner)[0], chosen.features))
    return chosen.fit(Task(fewer, fewer.encode(table).rows, table, truth, n_classes, seed, conduct, stage, record))


def record_of(final: Final, table: Table, part: np.ndarray, contents: Contents) -> KeptRows | None:
    """The rows behind a recorded run over this table, the part of the data that is marked; None where none was made."""
    if final.run is None or final.problem is None:
        return None
    training = training_of(final.run, final.weights, part, contents, final.problem)
    if not isinstance(final.run, Run):
        return None if training is None else final.learner.kept_rows(training)
    used, shares = shares_of(final.run, final.problem, final.weights)
    return KeptRows(
        take(final.problem.rows, used),
        shares,
        final.problem.truth[used],
        tuple(table.origin.of(int(i)) for i in used),
        tuple(shown(final.plan, table, int(i)) for i in used),
        training,
    )
