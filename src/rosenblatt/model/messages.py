"""Messages as rows of a model that reads text."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import pyarrow as pa

from rosenblatt.data.table import Table, counted, string_column
from rosenblatt.errors import DataError
from rosenblatt.features import Plan
from rosenblatt.features.text import Text


def text_table(plan: Plan, texts: Sequence[str]) -> Table:
    """Messages as a table; columns that the plan has beside the text are missing."""
    columns = [line.column for line in plan.lines if isinstance(line, Text)]
    if not columns:
        used = ", ".join(line.column for line in plan.lines if line.width)
        raise DataError(f"the model reads no text but the columns {used}. Give a file with these columns.")
    main = "text" if "text" in columns else columns[-1]
    others = [line.column for line in plan.lines if line.width and line.column != main]
    missing = [pa.nulls(len(texts), pa.large_string())] * len(others)
    table = pa.Table.from_arrays([*missing, string_column(texts)], [*others, main])
    return Table(table, None, None, counted("the text given", "row", len(texts)))


def warn_of_path() -> None:
    """Warns that a string is opened as a file by a model that reads text, which will take it for a text."""
    warnings.warn(
        "a string is opened as a file; from 0.3 on a model that reads text will take it for a text. "
        "Give pathlib.Path(…) or model.read(…) for a file, and a list for texts.",
        DeprecationWarning,
        stacklevel=6,  # the caller of predict
    )
