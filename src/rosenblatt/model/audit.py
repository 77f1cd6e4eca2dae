"""What replay and audit ask of a model of `train`: its run, on the rows that it keeps or on the data it came from.

`traces.replay.Replay(model)` gives the weights at any step; `traces.replay.verify(model, data)` proves the model.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np

from rosenblatt.data import How, read
from rosenblatt.data.table import Table
from rosenblatt.errors import DataError
from rosenblatt.features.contents import Contents, columns_before, readings
from rosenblatt.learn.problem import Problem, make_problem
from rosenblatt.learn.run import Run
from rosenblatt.loops.rows import Dense, Rows, take
from rosenblatt.model.history import History, digest_of, entries_of
from rosenblatt.model.record import Record, amounts_of
from rosenblatt.traces.recorded import Recorded

if TYPE_CHECKING:
    from rosenblatt.model.trained import Model


class Kept(NamedTuple):
    """What a recorded model has to be replayed from."""

    learner: Any
    record: Record
    history: History


def kept_by(model: Model) -> Kept:
    """What a model keeps of its run; DataError says why there is nothing."""
    learner = model.learner
    if learner.unrecorded:
        raise DataError(learner.unrecorded)
    if model.record is None:
        why = "it was updated since" if model.card.get("updates") else "train it with record=True (--record)"
        raise DataError(f"the model keeps no record of its run: {why}.")
    if model.record.history is None:
        raise DataError(
            "the model keeps its training rows but not the order of its updates. Train it again to have it."
        )
    return Kept(learner, model.record, model.record.history)


def read_recorded(model: Model, data: Any, label: Any = None, **how: Unpack[How]) -> Table:
    """The data of a recorded training. A file of format 2 names it by the types of its columns, as they were read."""
    if kept_by(model).history.columns is None:
        return read(data, model.label if label is None else label, **how)
    return model.read(data, label, **how)


def as_recorded(model: Model, data: Any = None, labels: Any = None) -> Recorded:
    """The run over the rows that the model keeps; where data is given, over all rows of it that were visited."""
    _, record, history = kept_by(model)
    names = model.classes.names
    if data is None:
        problem = make_problem(record.rows, record.labels, len(names))
        return Recorded(history.run_over(problem, history.rows), problem, names, record.origins.__getitem__)
    table = data if isinstance(data, Table) else read_recorded(model, data, labels)
    codes = model.classes.encode(table)
    source = table.origin.source
    if table.n_rows != len(history.part):
        raise DataError(
            f"{source}: {table.n_rows} rows; the model was trained with {len(history.part)}. Give the same data."
        )
    visited = table.take(np.flatnonzero(history.part))
    truth = codes[history.part]
    problem = make_problem(model.plan.encode(visited).rows, truth, len(names))
    other = first_other(take(problem.rows, history.numbers), record.rows, truth[history.numbers], record.labels)
    if other is not None:
        place = visited.origin.of(int(history.numbers[other]))
        raise DataError(f"{place}: not the row that the model keeps from its training, of {record.origins[other]}.")
    # A row that was always right leaves no trace in the weights.
    if history.columns is None:
        contents = Contents.under(visited, columns_before(visited))
    else:
        contents = Contents.under(visited, history.columns, readings(model.plan))
    same = contents.fingerprint(truth) == history.fingerprint
    if not same or (history.encoded and digest_of(problem) != history.encoded):
        raise DataError(
            f"{source}: not the rows that the model was trained with, though those it keeps are among them."
        )
    run = history.run_over(problem, history.numbers[history.rows])
    return Recorded(run, problem, names, visited.origin.of, partial(check_model, model, problem))


def check_model(model: Model, problem: Problem, run: Run) -> None:
    """DataError unless the run ended when it should, and the weights and the shares of rows follow from it."""
    learner, record, history = kept_by(model)
    clean = [number for number, notes in enumerate(run.notes, 1) if not len(notes.steps)]
    end = min([*clean, history.settings.max_iter])
    if run.passes != end:
        raise DataError(f"the run of the model has {run.passes} passes; by its settings it ends after {end}.")
    variant = history.settings.weights
    used, amounts = amounts_of(run, problem, variant)
    if not np.array_equal(used, history.numbers) or not np.array_equal(amounts, record.amounts):
        raise DataError("the shares of the training rows that the model keeps do not follow from its updates.")
    weights = run.weights_of(variant).astype(np.float64)
    # Large models are rounded to 32 bits before they see a test row.
    if not any(np.array_equal(each, learner.weights) for each in (weights, weights.astype(np.float32))):
        raise DataError(f"the weights that the model decides by are not the {variant} ones that its updates give.")
    if model.decision.ties != history.settings.ties:
        raise DataError("the model decides ties by another rule than its run did.")


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
