"""The lab in a cell of a notebook: the exported page with a person's own points on its plane."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

from rosenblatt.data.door import read_numbers, rows_of
from rosenblatt.data.door_labels import all_classes, read_labels
from rosenblatt.errors import DataError
from rosenblatt.lab.builtin import builtin
from rosenblatt.learn.problem import check_finite
from rosenblatt.web import embed, one_file

MOST_POINTS, MOST_CLASSES = 2000, 6  # as the page has them
HEIGHT = 900  # pixels of the frame


@dataclass(frozen=True)
class Lab:
    """A page that a notebook shows; `html` is all of it, in one file that asks nobody for anything."""

    html: str

    def _repr_html_(self) -> str:
        return (
            f'<iframe title="rosenblatt lab" srcdoc="{escape(self.html)}" sandbox="allow-scripts allow-downloads" '
            f'width="100%" height="{HEIGHT}" style="border: 0"></iframe>'
        )


def show_lab(X: Any, y: Any, *, names: Any = None) -> Lab:
    """The lab with the points X, rows of two numbers, and their classes y on its plane, for a cell of a notebook.

    names     of the two columns; otherwise those of the table given, or x0 and x1
    """
    frame = read_numbers(X)
    check_finite(rows_of(frame, 0.0))
    if frame.n_columns != 2:
        raise DataError(f"the plane has two columns; X has {frame.n_columns}. Give the two that are to be drawn.")
    if frame.n_rows > MOST_POINTS:
        raise DataError(f"the lab takes at most {MOST_POINTS} points; got {frame.n_rows}. Give a sample of them.")
    known, truth = all_classes(read_labels(y, frame.n_rows).values, None)
    if len(known) > MOST_CLASSES:
        raise DataError(f"the lab has shapes for {MOST_CLASSES} classes; y has {len(known)}. Give fewer.")
    values = frame.dense if frame.dense is not None else frame.sparse.toarray()
    points = {
        "points": [[float(value) for value in row] for row in values],
        "labels": truth.tolist(),
        "classes": [str(name) for name in known.tolist()],
        "features": [str(name) for name in (names or frame.names or ("x0", "x1"))],
    }
    held = f'<script type="application/json" id="points">{embed(points)}</script>\n'
    page = one_file("lab/index.html", embed(builtin()))
    return Lab(page.replace("</head>", f"{held}</head>", 1))
