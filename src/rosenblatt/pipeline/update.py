"""Learning more: new or corrected rows on top of what a model knows. The plan stays, a new class is taken in."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rosenblatt.data.table import Table
from rosenblatt.errors import SettingError
from rosenblatt.features.contents import Contents
from rosenblatt.learn.counts import Counts
from rosenblatt.learn.growth import grown
from rosenblatt.learn.merging import merge, recast
from rosenblatt.learn.run import learn
from rosenblatt.learn.settings import Settings
from rosenblatt.model import Bayes, Linear, Model, Seen
from rosenblatt.model.bayes import count_matrix
from rosenblatt.model.card import UpdateEntry
from rosenblatt.model.columns import count, frame_of
from rosenblatt.model.voted import unless_voted
from rosenblatt.pipeline.final import rounded
from rosenblatt.pipeline.runs import problem_of


def update(model: Model, table: Table, passes: int = 1) -> Model:
    """The model after learning from these rows; its card says so.

    A perceptron goes on from its weights by the rule it was trained with, so rows that it gets right change nothing.
    Naive Bayes counts the rows as if they had been there from the beginning. A record of training rows is dropped: it
    would no longer add up to the weights.
    """
    old = unless_voted(model.learner, "update")
    found = model.classes.and_new(table)
    new = [name for name in found.names if name not in model.classes.names]
    if new and model.decision.threshold:
        raise SettingError(
            f"{table.origin.source}: class {new[0]!r} is new, and a line is drawn between two. Train again."
        )
    truth = found.encode(table)
    before = [model.classes.names[code] for code in model.codes(table)]
    mistakes = sum(name != found.names[code] for name, code in zip(before, truth, strict=True))
    places = np.array([found.names.index(name) for name in model.classes.names])
    if isinstance(old, Linear):
        learner: Linear | Bayes = _more_weights(model, old, table, truth, places, len(found.names), passes)
    else:
        learner = _more_counts(model, old, table, truth, places, len(found.names))
    contents = Contents.of_plan(table, model.plan)
    entry: UpdateEntry = {
        "source": table.origin.source, "rows": table.n_rows, "mistakes": int(mistakes), "new_classes": new,
        "passes": passes if isinstance(learner, Linear) else 1, "fingerprint": contents.fingerprint(truth),
    }  # fmt: skip
    return replace(
        model,
        classes=found,
        learner=learner,
        record=None,
        seen=None if model.seen is None else model.seen.joined(Seen.of(contents)),
        card={**model.card, "updates": [*model.card["updates"], entry]},
    )


def _more_weights(
    model: Model, learner: Linear, table: Table, truth: np.ndarray, places: np.ndarray, n_classes: int, passes: int
) -> Linear:
    same = n_classes == len(model.classes.names)
    start = learner.weights if same else grown(learner.weights, places, n_classes)
    problem = problem_of(learner.rows(model.plan, table), truth, n_classes, model.card["choice"].get("bias", True))
    margin = float(model.card["choice"].get("threshold", 0.0))
    settings = Settings(weights="final", margin=margin, ties=model.decision.ties, tol=None, max_iter=passes)
    return replace(learner, weights=rounded(learn(problem, settings, start).weights_of("final")))


def _more_counts(
    model: Model, learner: Bayes, table: Table, truth: np.ndarray, places: np.ndarray, n_classes: int
) -> Bayes:
    old = replace(learner.counts, classes=places)
    if learner.on == "columns":
        more = count(frame_of(model.plan, table), truth, "auto", like=old.schema)
    else:
        rows = model.plan.encode(table).rows
        more = count_matrix(rows, truth, n_classes, bool(len(old.schema.counted)))
        more = Counts(old.schema, more.classes, more.rows, more.cells)
    both = merge(old, more)
    return replace(learner, counts=recast(both, both.schema, np.arange(n_classes)))
