"""Learning more: new or corrected rows on top of what a model knows. The plan stays, a new class is taken in."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rosenblatt.data.table import Table
from rosenblatt.errors import SettingError
from rosenblatt.features.contents import Contents
from rosenblatt.learn.calibration import Calibration
from rosenblatt.model import Model, Seen
from rosenblatt.model.card import UpdateEntry
from rosenblatt.pipeline.families import by_name


def update(model: Model, table: Table, passes: int = 1) -> Model:
    """The model after learning from these rows; its card says so.

    A perceptron goes on from its weights by the rule it was trained with, so rows that it gets right change nothing.
    Naive Bayes counts the rows as if they had been there from the beginning. A record of training rows is dropped: it
    would no longer add up to the weights.
    """
    found = model.classes.and_new(table)
    new = [name for name in found.names if name not in model.classes.names]
    fixed = "a line is drawn between two" if model.decision.threshold else ""
    fixed = fixed or ("the others have weights" if "class_weights" in model.card["choice"] else "")
    if new and fixed:
        raise SettingError(f"{table.origin.source}: class {new[0]!r} is new, and {fixed}. Train again.")
    truth = found.encode(table)
    before = [model.classes.names[code] for code in model.codes(table)]
    mistakes = sum(name != found.names[code] for name, code in zip(before, truth, strict=True))
    places = np.array([found.names.index(name) for name in model.classes.names])
    family = by_name()[model.learner.family]
    learner, made = family.update(model, table, truth, places, len(found.names), passes)
    contents = Contents.of_plan(table, model.plan)
    entry: UpdateEntry = {
        "source": table.origin.source, "rows": table.n_rows, "mistakes": int(mistakes), "new_classes": new,
        "passes": made, "fingerprint": contents.fingerprint(truth),
    }  # fmt: skip
    return replace(
        model,
        classes=found,
        learner=learner,
        record=None,
        decision=replace(model.decision, calibration=None if new else _after(model.decision.calibration)),
        seen=None if model.seen is None else model.seen.joined(Seen.of(contents)),
        card={**model.card, "updates": [*model.card["updates"], entry]},
    )


def _after(calibration: Calibration | None) -> Calibration | None:
    """The calibration of the model before: of new rows it knows nothing, so that sets are no longer guaranteed."""
    if calibration is None or calibration.ranks is None:
        return calibration
    return replace(calibration, ranks=replace(calibration.ranks, held_out=False))
