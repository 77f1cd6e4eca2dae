"""Models and evidence for the tests of reports and exports, learned without a search so that they are there at once."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
from safetensors.numpy import save as pack

from rosenblatt.data.table import Table, counted, make_table
from rosenblatt.features import Classes, Wishes, learn_and_encode
from rosenblatt.learn.problem import make_problem
from rosenblatt.learn.run import Run, learn
from rosenblatt.learn.settings import Settings
from rosenblatt.model import Bayes, Evidence, Linear, Model, Trial, Worst
from rosenblatt.model.bayes import count_matrix
from rosenblatt.store import checksum
from rosenblatt.store.contents import to_contents


def table_of(columns: dict[str, list], label: str = "label", source: str = "sample.csv") -> Table:
    rows = len(next(iter(columns.values())))
    return make_table(pa.table(columns), counted(source, "row", rows), label)


def card_of(table: Table, classes: Classes, width: int, name: str) -> dict:
    codes = classes.encode(table)
    counts = {c: int(n) for c, n in zip(classes.names, np.bincount(codes, minlength=len(classes.names)), strict=True)}
    common = max(counts, key=lambda c: counts[c])
    n = table.n_rows
    return {
        "format": 1, "source": table.origin.source, "rows": n, "columns": len(table.names), "features": width,
        "label": table.label, "class_counts": counts, "majority": {"class": common, "share": counts[common] / n},
        "fingerprint": "0f" * 16, "plan": [], "choice": {"model": "perceptron", "name": name},
        "split": {"train": n, "validation": 0, "test": n, "seed": 0, "duplicates": 0, "kind": "random"},
        "validation": {"accuracy": 0.9, "rows": 7}, "margin": None, "proof": None, "versions": {"numpy": "2.0"},
        "updates": [],
    }  # fmt: skip


def linear_model(table: Table, wishes: Wishes | None = None, weights: str = "averaged") -> tuple[Model, Run]:
    """A perceptron after at most ten passes over all rows of the table."""
    plan, matrix = learn_and_encode(table, wishes)
    classes = Classes.learn(table)
    problem = make_problem(matrix.rows, classes.encode(table), len(classes.names))
    run = learn(problem, Settings(max_iter=10))
    card = card_of(table, classes, plan.width, f"{weights} perceptron, {run.passes} passes")
    low, high = run.margin_bracket
    card["plan"] = str(plan).splitlines()
    card["margin"] = {"low": float(low), "high": float(high)}
    card["proof"] = {
        "separated": run.separated, "stopped": run.stopped, "passes": run.passes, "mistakes": run.mistakes,
        "updates": run.updates,
    }  # fmt: skip
    return Model(plan, classes, Linear(run.weights_of(weights)), card), run


def bayes_model(table: Table, wishes: Wishes | None = None) -> Model:
    plan, matrix = learn_and_encode(table, wishes)
    classes = Classes.learn(table)
    counts = count_matrix(matrix.rows, classes.encode(table), len(classes.names), False)
    return Model(plan, classes, Bayes(counts, 1.0, "matrix"), card_of(table, classes, plan.width, "naive Bayes, k = 1"))


def evidence_of(model: Model, table: Table, **more: object) -> Evidence:
    """What a run could have seen; the parts that a test is about are given."""
    evaluation = model.evaluate(table)
    found, codes = model.codes(table), model.classes.encode(table)
    wrong = np.flatnonzero(found != codes)[:20].tolist()
    names = model.classes.names
    parts = dict(
        trials=[Trial("averaged perceptron", 0.987, 0.04, True), Trial("naive Bayes, k = 1", 0.983, 0.01, False)],
        per_pass=[(40, 40), (22, 20), (9, 7), (3, 2)],
        bracket=[(1, 0.0, 2.5), (2, 0.0, 1.2), (4, 0.0, 0.8), (8, 0.01, 0.4), (16, 0.05, 0.2), (74, 0.08, 0.11)],
        evaluation=evaluation,
        worst=[
            Worst(table.origin.of(k), names[codes[k]], names[found[k]], 1.5, _shown(table, k)) for k in wrong
        ],
        posterior=None, heaviest=model.heaviest(8), image_shape=None, files=["sample.rosenblatt", "sample.html"],
        next="rosenblatt predict sample.rosenblatt new.csv",
    )  # fmt: skip
    return Evidence(**{**parts, **more})


def _shown(table: Table, row: int) -> str:
    return ", ".join(f"{name}={table.columns[name][row].as_py()}" for name in table.names)


def changed(model, change):
    """The bytes of a file whose checksum is right and whose content was changed."""
    plain, tensors = to_contents(model)
    plain = json.loads(json.dumps(plain))
    tensors = {name: array.copy() for name, array in tensors.items()}
    change(plain, tensors)
    text = json.dumps(plain)
    return pack(tensors, {"rosenblatt": f"{checksum(text, tensors)}\n{text}"})
