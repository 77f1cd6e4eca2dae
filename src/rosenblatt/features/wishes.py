"""What the user says about columns and features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from rosenblatt.data.table import Declaration, Table, nearest_hint, some
from rosenblatt.data.values import ORDERS, WRITTEN
from rosenblatt.errors import SettingError
from rosenblatt.features.textsettings import TextSettings

OVERS = ("rows", "values")  # whose quantiles the knots of a curve are
DECLARED, ASKED = "declared by the data", "as asked"
SAID_BY_DATA = {
    "decimal comma": "numbers with decimal commas", "thousands": "numbers with thousands apart",
    "day first": "dates, the day first", "month first": "dates, the month first",
}  # fmt: skip
# How the values of columns of a kind may be written, where their type does not tell.
WRITINGS = {**dict.fromkeys(("numeric", "bent", "bins"), tuple(WRITTEN)), "date": tuple(ORDERS)}
LEAST, USUAL, MOST_KNOTS = 3, 16, 64  # knots; a column that has fewer stays straight


@dataclass(frozen=True)
class Wishes:
    """What the user says about columns; each wish comes before what the values suggest."""

    text: Sequence[str] = ()  # columns to read word by word
    category: Sequence[str] = ()  # columns whose values are names
    numeric: Sequence[str] = ()  # columns whose values are numbers
    drop: Sequence[str] = ()  # columns to leave out
    ordered: Mapping[str, Sequence[str]] = field(default_factory=dict)  # values, lowest first
    scale: bool = True  # False: numbers are left as they are
    unit: str = "text"  # what is scaled to unit length: the text of a row, whole "rows", or "none"
    words: TextSettings = field(default_factory=TextSettings)  # how words become features
    rare: bool = False  # True: values of sparse rows count words, and are weighed by rarity, as tf-idf does for text
    knots: int | None = None  # of the curve of each column of numbers, at most; 0: straight; None: `train` tries both
    over: str = "rows"  # whose quantiles the knots are: of the "rows" or of the distinct "values"
    bent: Sequence[str] = ()  # columns whose numbers become curves
    date: Sequence[str] = ()  # columns of dates or times
    tags: Sequence[str] = ()  # columns whose values are lists of names
    share: bool = True  # whether rare names of a column with many share a feature
    units: int | None = None  # association units over all columns; 0: none; None: `train` tries both
    bins: Sequence[str] = ()  # columns whose numbers have a 0/1 feature for each bin they fall into
    reads: Mapping[str, str] = field(default_factory=dict)  # how the numbers of columns are written (values.WRITTEN)

    def declared(self, table: Table) -> dict[str, tuple[Declaration, str]]:
        """For each column spoken of, by the user or by the data, what it is and who says so."""
        if self.knots and not LEAST <= self.knots <= MOST_KNOTS:
            raise SettingError(f"knots must be 0, or from {LEAST} to {MOST_KNOTS}; got {self.knots!r}.")
        said = {name: (what, SAID_BY_DATA.get(what.reads, DECLARED)) for name, what in table.declared.items()}
        kinds = {
            kind: getattr(self, kind)
            for kind in ("text", "category", "numeric", "bent", "date", "bins", "tags", "drop")
        }
        asked: dict[str, Declaration] = {}
        there = set(table.names)
        for kind, names in [*kinds.items(), ("ordered", self.ordered)]:
            for name in names:
                if name not in there:
                    hint = nearest_hint(name, table.names)
                    raise SettingError(f"{kind}: no column named {name!r}. Columns are: {some(table.names)}.{hint}")
                if name in asked:
                    raise SettingError(f"column {name!r} cannot be both {asked[name].kind} and {kind}. Choose one.")
                if kind != "drop" and pa.types.is_nested(table.columns.schema.field(name).type):
                    raise SettingError(
                        f"{kind}: column {name!r} holds lists or tables of values, which are no {kind}. Leave the wish "
                        "out, or give each value a column of its own."
                    )
                order = tuple(self.ordered[name]) if kind == "ordered" else ()
                if kind == "ordered" and (len(order) < 2 or len(set(order)) < len(order)):
                    raise SettingError(f"ordered: {name!r} needs at least two distinct values; got {list(order)}.")
                reads = self.reads.get(name) or (said[name][0].reads if name in said else "")
                asked[name] = Declaration(kind, order, reads=reads if reads in WRITINGS.get(kind, ()) else "")
        return said | {name: (what, ASKED) for name, what in asked.items()}
