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
from rosenblatt.features.fingerprint import fingerprint
from rosenblatt.features.split import equal_rows
from rosenblatt.model import Disk, Evaluation, Linear, Model
from rosenblatt.pipeline.choices import Choices
from rosenblatt.pipeline.final import Final
from rosenblatt.pipeline.operating import Goal, measures
from rosenblatt.pipeline.search import Candidate
from rosenblatt.pipeline.wishes import spoken_of

FORMAT = 1


def describe(
    table: Table,
    classes: Classes,
    codes: np.ndarray,
    split: Split,
    choices: Choices,
    chosen: Candidate,
    final: Final,
    group: str | None,
    time: str | None,
) -> dict[str, Any]:
    """The card as plain values; what the test shows is added later."""
    counts = np.bincount(codes, minlength=len(classes.names))
    learned = np.bincount(codes[np.concatenate([split.train, split.validation])], minlength=len(classes.names))
    most = int(learned.argmax())
    kind = f"by group {group!r}" if group else f"by time {time!r}" if time else "by class"
    together = equal_rows(table, group, spoken_of(choices))
    return {
        "format": FORMAT,
        "source": table.origin.source,
        "rows": table.n_rows,
        "columns": len(table.names),
        "features": final.plan.width,
        "label": table.label,
        "class_counts": {name: int(count) for name, count in zip(classes.names, counts, strict=True)},
        "majority": {"class": classes.names[most], "share": float(learned[most] / learned.sum())},
        "fingerprint": fingerprint(table, codes),
        "split": {
            "train": len(split.train), "validation": len(split.validation), "test": len(split.test),
            "seed": choices.seed, "duplicates": table.n_rows - 1 - int(together.max()), "kind": kind,
        },
        "notes": [*table.notes, *choices.notes],
        "plan": str(final.plan).splitlines(),
        "choice": _choice(chosen, final),
        "validation": {"accuracy": chosen.accuracy, "rows": len(split.validation)},
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
    if goal is not None:
        truth = model.classes.encode(tested)
        model.card["goal"]["test"] = measures(model.scores(tested), truth, model.decision)


def _choice(chosen: Candidate, final: Final) -> dict[str, Any]:
    plain = {"model": chosen.model, "name": chosen.name, "unit": final.plan.unit}
    plain["words"] = asdict(chosen.way.wishes.words)["weight"] if chosen.way.name != "unit rows" else "presence"
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
