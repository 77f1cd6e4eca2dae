"""Columns that decide the split are no features: who or when a row is would give it away."""

from __future__ import annotations

from dataclasses import replace

from rosenblatt.data.table import Table
from rosenblatt.features import Wishes
from rosenblatt.pipeline.choices import Choices


def spoken_of(wishes: Wishes) -> set[str]:
    """The columns of which the user says what they are."""
    return {
        *wishes.text,
        *wishes.category,
        *wishes.numeric,
        *wishes.bent,
        *wishes.date,
        *wishes.bins,
        *wishes.drop,
        *wishes.ordered,
    }


def without(choices: Choices, table: Table, *names: str | None) -> Choices:
    """The choices, with these columns dropped unless the user spoke of them."""
    wishes = choices.wishes
    spoken = spoken_of(wishes)
    extra = [name for name in names if name is not None and name in table.names and name not in spoken]
    return replace(choices, wishes=replace(wishes, drop=[*wishes.drop, *extra])) if extra else choices
