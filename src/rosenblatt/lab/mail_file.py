"""A person's own messages: a CSV of texts and labels becomes the model of their session, and nothing touches a disk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rosenblatt.data.table import Table, some
from rosenblatt.data.values import names_of
from rosenblatt.errors import DataError
from rosenblatt.lab.datasets import read_bytes
from rosenblatt.lab.mail import KEPT, show_mail
from rosenblatt.lab.mail_model import MOST_CLASSES, Learned, learn_mail
from rosenblatt.lab.mail_texts import is_text
from rosenblatt.lab.sessions import Session
from rosenblatt.lab.wanted import text

LONGEST_NAME = 200
PER_WORD = 100  # bytes that a word takes, about: its name, its place among others, its weight


def learn_file(session: Session, body: bytes, query: Mapping[str, str]) -> dict[str, Any]:
    """Learns from a CSV with a column of messages and one of labels; if it cannot, the model stays what it was."""
    name = text("name", query.get("name", "your file"), LONGEST_NAME).replace("/", "_") or "your file"
    table = with_label(read_bytes(body, name))
    session.keep(KEPT, *_sized(learn_mail(table, name), table))
    return show_mail(session, {})


def _sized(learned: Learned, table: Table) -> tuple[Learned, int]:
    weights = learned.model.plan.width * PER_WORD * len(learned.model.classes.names)
    return learned, int(table.columns.nbytes) + weights


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
