"""What replay and audit ask of a model of `train`: its run, on the rows that it keeps or on the data it came from.

`traces.replay.Replay(model)` gives the weights at any step; `traces.replay.verify(model, data)` proves the model.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from rosenblatt.data import How, read
from rosenblatt.data.table import Table
from rosenblatt.errors import DataError
from rosenblatt.features.contents import Contents, columns_before, readings
from rosenblatt.learn.any_run import AnyRun
from rosenblatt.learn.problem import Problem, make_problem
from rosenblatt.loops.rows import Dense, Rows, take
from rosenblatt.model.kept_rows import KeptRows
from rosenblatt.model.training import Training, digest_of, entries_of
from rosenblatt.traces.source import Played

if TYPE_CHECKING:
    from rosenblatt.model.trained import Model


def training_kept(model: Model) -> tuple[KeptRows, Training]:
    """The rows that a model keeps, and its run on them; DataError says why there are none."""
    if model.learner.unrecorded:
        raise DataError(model.learner.unrecorded)
    if model.record is None:
        why = "it was updated since" if model.card.get("updates") else "train it with record=True (--record)"
        raise DataError(f"the model keeps no record of its run: {why}.")
    if model.record.training is None:
        raise DataError(
            "the model keeps its training rows but not the order of its updates. Train it again to have it."
        )
    return model.record, model.record.training


def read_recorded(model: Model, data: Any, label: Any = None, **how: Unpack[How]) -> Table:
    """The data of a recorded training. A file of format 2 names it by the types of its columns, as they were read."""
    if training_kept(model)[1].columns is None:
        return read(data, model.label if label is None else label, **how)
    return model.read(data, label, **how)


def as_recorded(model: Model, data: Any = None, labels: Any = None) -> Played:
    """The run over the rows that the model keeps; where data is given, over all rows of it that were visited."""
    kept, training = training_kept(model)
    names = model.classes.names
    if data is None:
        problem = make_problem(kept.rows, kept.labels, len(names), training.amounts(kept.labels))
        run = model.learner.run_over(training, problem, training.recording.rows)
        return run, problem, names, kept.origins.__getitem__, None
    table = data if isinstance(data, Table) else read_recorded(model, data, labels)
    codes = model.classes.encode(table)
    source = table.origin.source
    if table.n_rows != len(training.part):
        raise DataError(
            f"{source}: {table.n_rows} rows; the model was trained with {len(training.part)}. Give the same data."
        )
    visited = table.take(np.flatnonzero(training.part))
    truth = codes[training.part]
    rows = model.plan.encode(visited).rows._replace(bias=kept.rows.bias)
    problem = make_problem(rows, truth, len(names), training.amounts(truth))
    other = first_other(take(problem.rows, training.numbers), kept.rows, truth[training.numbers], kept.labels)
    if other is not None:
        place = visited.origin.of(int(training.numbers[other]))
        raise DataError(f"{place}: not the row that the model keeps from its training, of {kept.origins[other]}.")
    # A row that was always right leaves no trace in the weights.
    if training.columns is None:
        contents = Contents.under(visited, columns_before(visited))
    else:
        contents = Contents.under(visited, training.columns, readings(model.plan))
    same = contents.fingerprint(truth) == training.fingerprint
    if not same or (training.encoded and digest_of(problem) != training.encoded):
        raise DataError(
            f"{source}: not the rows that the model was trained with, though those it keeps are among them."
        )
    run = model.learner.run_over(training, problem, training.numbers[training.recording.rows])
    return run, problem, names, visited.origin.of, partial(check_model, model)


def check_model(model: Model, run: AnyRun, problem: Problem) -> None:
    """DataError unless the run ended when it should, and what the model decides by follows from it."""
    kept, training = training_kept(model)
    clean = [number for number, made in enumerate(run.recording.by_pass(), 1) if not len(made.steps)]
    end = min([*clean, training.settings.max_iter])
    if run.passes != end:
        raise DataError(f"the run of the model has {run.passes} passes; by its settings it ends after {end}.")
    if model.decision.ties != training.settings.ties:
        raise DataError("the model decides ties by another rule than its run did.")
    model.learner.check_run(run, kept, training, problem)


def first_other(mine: Rows, its: Rows, labels: np.ndarray, its_labels: np.ndarray) -> int | None:
    """The first row that differs in a value or in its label; None where all are the same to the bit."""
    differs = labels != its_labels
    if isinstance(mine, Dense) and isinstance(its, Dense) and mine.values.shape == its.values.shape:
        differs |= (mine.values != its.values).any(axis=1)
    else:
        (lengths, columns, values), (its_lengths, its_columns, its_values) = entries_of(mine), entries_of(its)
        differs |= lengths != its_lengths
        size = len(columns) if not differs.any() else int(lengths[: int(np.argmax(differs))].sum())
        wrong = (columns[:size] != its_columns[:size]) | (values[:size] != its_values[:size])
        differs[np.repeat(np.arange(len(lengths)), lengths)[:size][wrong]] = True
    return int(np.argmax(differs)) if differs.any() else None
