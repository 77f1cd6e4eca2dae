"""The kinds of columns, in the order in which they are asked whether a column is theirs."""

from __future__ import annotations

import pyarrow as pa

from rosenblatt.features.bent import Bent
from rosenblatt.features.bins import Bins
from rosenblatt.features.category import Category, Ordered
from rosenblatt.features.facts import Facts
from rosenblatt.features.lines import Dropped, Line
from rosenblatt.features.moment import Moment
from rosenblatt.features.numeric import Numeric, Vector
from rosenblatt.features.sparse import Numbered
from rosenblatt.features.tags import Tags
from rosenblatt.features.text import Text

# A new kind is a file with its line and what learns it, and its name here.
KINDS: tuple[type[Line], ...] = (Numbered, Vector, Tags, Dropped, Moment, Ordered, Numeric, Bent, Text, Bins, Category)


def kind_named(name: str) -> type[Line] | None:
    """The kind of this name; None where there is none."""
    return next((kind for kind in KINDS if kind.kind == name), None)


def decided(facts: Facts) -> tuple[type[Line], str]:
    """The first kind that suits the facts, and why."""
    return next((kind, reason) for kind in KINDS if (reason := kind.suits(facts)))


def kind_of(column: pa.ChunkedArray, name: str = "") -> type[Line]:
    """What a column in memory is, judged by its values; and where these could be ids, by its name."""
    facts = Facts(name, column.type)
    facts.look(column, None)
    return decided(facts)[0]
