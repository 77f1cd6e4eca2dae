"""The data sets that need no file: the notes' own, a small set of mail, and four real ones from scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from rosenblatt.data.formats.columnar import JsonLines
from rosenblatt.data.formats.csv import Csv
from rosenblatt.data.reading import Reading
from rosenblatt.data.source import Source
from rosenblatt.data.table import Declaration, Table, counted, make_table, vector_column

AS_IS = Declaration("numeric", scale=False)
POINTS = {"x1": AS_IS, "x2": AS_IS}
# The notes give these numbers; no rule of sorting would find them.
APPLES = {
    "farm": Declaration("ordered", ("B", "A")),
    "color": Declaration("ordered", ("green", "red")),
    "size": Declaration("ordered", ("small", "medium", "large")),
    "firmness": Declaration("ordered", ("soft", "crunchy")),
}
TEXT = Declaration("text")
MAIL = {"subject": TEXT, "sender": TEXT, "text": TEXT}
PACKAGED: dict[str, tuple[str, dict[str, Declaration]]] = {
    "notes": ("notes.csv", POINTS),
    "apples": ("apples.csv", APPLES),
    "and": ("and.csv", POINTS),
    "or": ("or.csv", POINTS),
    "xor": ("xor.csv", POINTS),
    "mail": ("mail.jsonl", MAIL),
}
SCIKIT_LEARN = {
    "digits": "load_digits",
    "iris": "load_iris",
    "breast-cancer": "load_breast_cancer",
    "wine": "load_wine",
}
NAMES = (*PACKAGED, *SCIKIT_LEARN)


def read_builtin(name: str) -> Table:
    """The built-in data set of this name."""
    if name in SCIKIT_LEARN:
        return _from_scikit_learn(name)
    file, declared = PACKAGED[name]
    with resources.as_file(resources.files("rosenblatt.data") / "sets" / file) as path:
        form = Csv if file.endswith(".csv") else JsonLines
        table = next(form.blocks(Source(Path(path), name), Reading(header=True), None))
    return replace(table, declared=declared)


def _from_scikit_learn(name: str) -> Table:
    import sklearn.datasets

    load: Callable[[], Any] = getattr(sklearn.datasets, SCIKIT_LEARN[name])
    given = load()
    origin = counted(name, "row", len(given.target))
    labels = pa.array([str(given.target_names[k]) for k in given.target], pa.large_string())
    if name == "digits":
        columns = {
            "pixel": vector_column(given.data.astype(np.uint8)),
            "label": pa.array(given.target.astype(np.int64)),
        }
        names = {"pixel": [f"pixel {y},{x}" for y in range(8) for x in range(8)]}
        return make_table(pa.table(columns), origin, "label", feature_names=names)
    columns = {str(column): pa.array(given.data[:, k]) for k, column in enumerate(given.feature_names)}
    return make_table(pa.table({**columns, "label": labels}), origin, "label")
