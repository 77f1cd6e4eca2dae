"""What a job wishes of columns by itself: those that decide the split are left out, proofs have numbers as given."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa

from rosenblatt.data.table import Table
from rosenblatt.features import Wishes
from rosenblatt.features.executor import Here
from rosenblatt.features.facts import is_number
from rosenblatt.features.kinds import kind_of
from rosenblatt.features.learning import kinds_of, types_of
from rosenblatt.features.lines import Dropped, Line
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
        *wishes.tags,
        *wishes.drop,
        *wishes.ordered,
    }


def without(choices: Choices, table: Table, *names: str | None) -> Choices:
    """The choices, with these columns dropped unless the user spoke of them: who or when a row is gives it away."""
    wishes = choices.wishes
    spoken = spoken_of(wishes)
    extra = [name for name in names if name is not None and name in table.names and name not in spoken]
    return replace(choices, wishes=replace(wishes, drop=[*wishes.drop, *extra])) if extra else choices


def as_found(table: Table, wishes: Wishes) -> tuple[Wishes, set[type[Line]]]:
    """The wishes with what all rows show the columns to be, for those who learn from some of them; and these kinds.

    Kinds that are told by a type, such as vectors, or by the data itself are no wish.
    """
    found = kinds_of(Here(table), types_of(table), wishes.declared(table))
    kinds: dict[str, list[str]] = {kind: [*getattr(wishes, kind)] for kind in ("text", "category", "numeric", "drop")}
    spoken = {*spoken_of(wishes), *table.declared}
    for name, (kind, _) in found.items():
        wish = "drop" if kind is Dropped else kind.kind
        if name not in spoken and wish in kinds:
            kinds[wish].append(name)
    known = replace(
        wishes, text=kinds["text"], category=kinds["category"], numeric=kinds["numeric"], drop=kinds["drop"]
    )
    return known, {kind for kind, _ in found.values()}


def as_given(table: Table, wishes: Wishes) -> Wishes:
    """Every number as it is, every category as 0/1 columns, every word as 0/1, and no time, which is no number of
    its own; what data or user declare stays."""
    numeric, category, drop, spoken = [*wishes.numeric], [*wishes.category], [*wishes.drop], spoken_of(wishes)
    for field in table.columns.schema:
        if field.name in spoken or pa.types.is_nested(field.type):
            continue
        if field.name in table.declared:
            drop += [field.name] if table.declared[field.name].kind == "date" else []
            continue
        if is_number(field.type):
            numeric.append(field.name)
        elif pa.types.is_temporal(field.type):
            drop.append(field.name)
        elif kind_of(table.columns[field.name], field.name).kind in ("category", "ordered"):
            category.append(field.name)
    return replace(wishes, numeric=numeric, category=category, drop=drop, scale=False, unit="none")
