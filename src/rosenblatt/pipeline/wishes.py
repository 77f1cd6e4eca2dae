"""Columns that decide the split are no features: who or when a row is would give it away."""

from __future__ import annotations

from dataclasses import replace

from rosenblatt.data.table import Table
from rosenblatt.pipeline.choices import Choices


def spoken_of(choices: Choices) -> set[str]:
    """The columns that the user says are features."""
    wishes = choices.wishes
    return {*wishes.text, *wishes.category, *wishes.numeric, *wishes.ordered}


def without(choices: Choices, table: Table, *names: str | None) -> Choices:
    """The choices, with these columns dropped unless the user spoke of them."""
    wishes = choices.wishes
    spoken = spoken_of(choices) | set(wishes.drop)
    extra = [name for name in names if name is not None and name in table.names and name not in spoken]
    return replace(choices, wishes=replace(wishes, drop=[*wishes.drop, *extra])) if extra else choices
