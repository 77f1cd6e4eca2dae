"""A person's own messages: a CSV of texts and labels becomes a model for their page, and nothing touches a disk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rosenblatt.data.table import Table, some
from rosenblatt.data.values import names_of
from rosenblatt.errors import DataError
from rosenblatt.lab.datasets import read_bytes
from rosenblatt.lab.mail_model import MOST_CLASSES, learn_mail, tell
from rosenblatt.lab.mail_texts import is_text
from rosenblatt.lab.sessions import Session
from rosenblatt.lab.wanted import text

LONGEST_NAME = 200


def learn_file(_session: Session, body: bytes, query: Mapping[str, str]) -> dict[str, Any]:
    """Learns from a CSV with a column of messages and one of labels."""
    name = text("name", query.get("name", "your file"), LONGEST_NAME).replace("/", "_") or "your file"
    return tell(learn_mail(with_label(read_bytes(body, name)), name))


def with_label(table: Table) -> Table:
    """The table with its label apart: the column named label, class or target, or the only one that can be it."""
    if table.labels is not None:
        return table
    able = [name for name in table.names if not is_text(table, name) and 2 <= _distinct(table, name) <= MOST_CLASSES]
    if len(able) != 1:
        what = f"could be any of {some(able)}" if able else "is not among its columns"
        raise DataError(
            f"{table.origin.source}: the label {what}. Columns are: {some(table.names)}. "
            "Name the column of labels label, class or target."
        )
    return replace(table, columns=table.columns.drop_columns(able), labels=table.columns[able[0]], label=able[0])


def _distinct(table: Table, name: str) -> int:
    return len(names_of(table.columns[name]).drop_null().unique())
