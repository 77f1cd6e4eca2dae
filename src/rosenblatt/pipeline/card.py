"""The card of a model: where its data came from, what was chosen and why, and how it did."""

from __future__ import annotations

import math
import platform
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

import numpy as np

from rosenblatt import __version__
from rosenblatt.data.table import Table
from rosenblatt.features import Classes, Split
from rosenblatt.features.contents import Contents
from rosenblatt.model import Disk, Evaluation, Linear, Model
from rosenblatt.pipeline.choices import Choices
from rosenblatt.pipeline.final import Final
from rosenblatt.pipeline.finalists import Settled
from rosenblatt.pipeline.operating import Goal, measures

FORMAT = 1


def describe(
    table: Table,
    classes: Classes,
    codes: np.ndarray,
    split: Split,
    contents: Contents,
    choices: Choices,
    settled: Settled,
    final: Final,
    group: str | None,
    time: str | None,
) -> dict[str, Any]:
    """The card as plain values; what the test shows is added later."""
    counts = np.bincount(codes, minlength=len(classes.names))
    learned = np.bincount(codes[np.concatenate([split.train, split.validation])], minlength=len(classes.names))
    most = int(learned.argmax())
    kind = f"by group {group!r}" if group else f"by time {time!r}" if time else "by class"
    return {
        "format": FORMAT,
        "source": table.origin.source,
        "rows": table.n_rows,
        "columns": len(table.names),
        "features": final.plan.width,
        "label": table.label,
        "class_counts": {name: int(count) for name, count in zip(classes.names, counts, strict=True)},
        "majority": {"class": classes.names[most], "share": float(learned[most] / learned.sum())},
        "fingerprint": contents.fingerprint(codes),
        "split": {
            "train": len(split.train), "validation": len(split.validation), "test": len(split.test),
            "seed": choices.seed, "duplicates": contents.copies, "kind": kind,
        },
        "notes": [*table.notes, *split.notes, *choices.notes],
        "plan": str(final.plan).splitlines(),
        "choice": _choice(settled, final),
        "validation": {"accuracy": settled.chosen.accuracy, "rows": len(split.validation)},
        "margin": _bracket(final),
        "proof": _proof(final),
        "versions": {name: version(name) for name in ("numpy", "numba", "pyarrow")}
        | {"rosenblatt": __version__, "python": platform.python_version()},
        "updates": [],
    }  # fmt: skip


def describe_disk(table: Table) -> Disk | None:
    """How much of the rows lay on the disk, and where it is kept; None where they were in memory.

    What former runs left of them there is forgotten. The card does not hold it: where the rows lay changes no bit of
    the model, and so no byte of its file.
    """
    if table.spool is None:
        return None
    from rosenblatt.data.cache import prune, size_of

    prune(table.spool.folder)
    return Disk(size_of(table.spool.folder), str(table.spool.folder) if table.spool.keeper is None else "")


def describe_test(model: Model, evaluation: Evaluation, tested: Table, goal: Goal | None) -> None:
    """Writes into the card how the model did on the test rows."""
    low, high = evaluation.interval
    shares = zip(evaluation.precision, evaluation.recall, evaluation.rows, strict=True)
    model.card["test"] = {
        "accuracy": evaluation.accuracy,
        "low": low,
        "high": high,
        "rows": evaluation.n,
        "source": tested.origin.source,
        "always": evaluation.always(model.card["majority"]["class"]),
        "per_class": {
            name: {"precision": float(precision), "recall": float(recall), "rows": int(rows)}
            for name, (precision, recall, rows) in zip(evaluation.classes, shares, strict=True)
        },
    }
    common, always = model.card["majority"]["class"], model.card["test"]["always"]
    if evaluation.accuracy <= always:
        model.card["test"]["no_better"] = f"no better than always saying {common!r}, which gets {always:.1%}"
    if evaluation.training_rows and evaluation.fresh is not None:  # the test then measures memory too
        fresh = evaluation.fresh
        low, high = fresh.interval
        model.card["split"]["copies_in_test"] = evaluation.training_rows
        accuracy = fresh.accuracy if fresh.n else None
        model.card["test"]["without_copies"] = {"accuracy": accuracy, "low": low, "high": high, "rows": fresh.n}
    if goal is not None:
        truth = model.classes.encode(tested)
        model.card["goal"]["test"] = measures(model.scores(tested), truth, model.decision)


def _choice(settled: Settled, final: Final) -> dict[str, Any]:
    chosen = settled.chosen
    plain: dict[str, Any] = {"model": chosen.model, "name": chosen.name, "unit": final.plan.unit}
    plain["words"] = asdict(chosen.way.wishes.words)["weight"] if chosen.way.name != "unit rows" else "presence"
    if settled.finalists:
        found = [{"name": each.name, "accuracy": accuracy} for each, accuracy in settled.finalists]
        plain["cv"] = {"folds": settled.folds, "rows": settled.rows, "finalists": found}
    if chosen.model == "naive-bayes":
        return plain | {"k": chosen.k if chosen.k < math.inf else "inf", "on": chosen.on, "counted": chosen.counted}
    return plain | {
        "weights": chosen.weights,
        "margin": chosen.margin,
        "threshold": 0.0 if final.run is None else final.run.settings.margin,
        "passes": chosen.passes,
        "shards": 1 if final.run is None else final.run.settings.shards,
    }


def _bracket(final: Final) -> dict[str, float | None] | None:
    if final.run is None:
        return None
    low, high = final.run.margin_bracket
    return {"low": low, "high": high if math.isfinite(high) else None}


def _proof(final: Final) -> dict[str, Any] | None:
    run = final.run
    if run is None or not isinstance(final.learner, Linear):
        return None
    return {
        "separated": run.separated, "stopped": run.stopped, "passes": run.passes, "mistakes": run.mistakes,
        "updates": run.updates,
    }  # fmt: skip
