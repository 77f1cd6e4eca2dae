"""Messages as one text each."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from rosenblatt.data.table import Declaration, Table, some
from rosenblatt.data.values import names_of
from rosenblatt.errors import DataError
from rosenblatt.features.kinds import kind_of

NOT_SAID = ("sender",)  # a pasted message has none


def one_text(table: Table) -> Table:
    """The table with all its text in one column, subject before body, as a person would paste it."""
    names = [name for name in table.names if is_text(table, name) and name not in NOT_SAID]
    if not names:
        raise DataError(
            f"{table.origin.source}: no column holds texts of several words. Columns are: {some(table.names)}. "
            "Give a column of messages and one of labels."
        )
    columns = [pc.fill_null(names_of(table.columns[name]), "") for name in names]
    text = pc.binary_join_element_wise(*columns, pa.scalar("\n", pa.large_string())) if len(names) > 1 else columns[0]
    return replace(table, columns=pa.table({"text": text}), declared={"text": Declaration("text")})


def is_text(table: Table, name: str) -> bool:
    """Whether the column is text by what its source says, or by its values."""
    said = table.declared.get(name)
    return (said.kind if said else kind_of(table.columns[name]).kind) == "text"
