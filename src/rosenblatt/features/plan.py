"""The plan: one line for each column, learned from the training rows, printed in reports, kept with the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from rosenblatt.claims import Misfit
from rosenblatt.data.table import Declaration, Origin, Table, nearest_hint, some
from rosenblatt.data.values import names_of, numbers_of, reading_of
from rosenblatt.errors import DataError, SettingError
from rosenblatt.features.blocks import Block, joined
from rosenblatt.features.category import Category, Ordered
from rosenblatt.features.choose import Choice, choose
from rosenblatt.features.lines import Dropped, Line
from rosenblatt.features.numeric import Numeric, Vector, vector_values
from rosenblatt.features.sparse import Numbered
from rosenblatt.features.text import Text, TextSettings, learn_text
from rosenblatt.loops.rows import Rows

KINDS: dict[str, type[Line]] = {
    line.kind: line for line in (Dropped, Numeric, Vector, Ordered, Category, Text, Numbered)
}
UNITS = ("text", "rows", "none")
VERSION = 1


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

    def declared(self, table: Table) -> dict[str, tuple[Declaration, str]]:
        """For each column spoken of, by the user or by the data, what it is and who says so."""
        said = {name: (what, "declared by the data") for name, what in table.declared.items()}
        kinds = {"text": self.text, "category": self.category, "numeric": self.numeric, "drop": self.drop}
        asked: dict[str, Declaration] = {}
        there = set(table.names)
        for kind, names in [*kinds.items(), ("ordered", self.ordered)]:
            for name in names:
                if name not in there:
                    hint = nearest_hint(name, table.names)
                    raise SettingError(f"{kind}: no column named {name!r}. Columns are: {some(table.names)}.{hint}")
                if name in asked:
                    raise SettingError(f"column {name!r} cannot be both {asked[name].kind} and {kind}. Choose one.")
                order = tuple(self.ordered[name]) if kind == "ordered" else ()
                if kind == "ordered" and (len(order) < 2 or len(set(order)) < len(order)):
                    raise SettingError(f"ordered: {name!r} needs at least two distinct values; got {list(order)}.")
                asked[name] = Declaration(kind, order)
        return said | {name: (what, "as asked") for name, what in asked.items()}


@dataclass(frozen=True)
class Plan:
    """How the columns of a table become features; `print(plan)` shows a line for each column."""

    lines: tuple[Line, ...]  # one for each column
    unit: str = "text"  # what is scaled to unit length: the text of a row, whole "rows", or "none"

    @property
    def names(self) -> list[str]:
        """The name of every feature, in order."""
        return [name for line in self.lines for name in line.names()]

    @property
    def width(self) -> int:
        """How many features there are."""
        return sum(line.width for line in self.lines)

    def encode(self, table: Table) -> Matrix:
        """The rows of any table with the columns of the plan; what training did not see is zero."""
        self.refuse_absent(table)
        used = [line for line in self.lines if line.width]
        if table.spool is not None and used:
            from rosenblatt.features.onblocks import encode_table

            return Matrix(encode_table(used, self.unit, table, self.to_dict()), self, table)
        blocks = [line.encode(table.columns[line.column], table.origin) for line in used]
        return self._matrix(used, blocks, table)

    def refuse_absent(self, table: Table) -> None:
        """DataError where a column that the plan makes features of is not there."""
        there = set(table.names)
        absent = [line.column for line in self.lines if line.width and line.column not in there]
        if absent:
            raise DataError(
                f"{table.origin.source}: no column named {absent[0]!r}, which the model was trained with. "
                f"Columns are: {some(table.names)}.{nearest_hint(absent[0], table.names)}"
            )

    def _matrix(self, used: Sequence[Line], blocks: Sequence[Block], table: Table) -> Matrix:
        if not blocks:
            raise DataError(f"{table.origin.source}: {self._why_nothing()}")
        scaled = [self.unit == "text" and isinstance(line, Text) for line in used]
        return Matrix(joined(blocks, table.n_rows, scaled, self.unit == "rows"), self, table)

    def _why_nothing(self) -> str:
        """Why the plan makes no features."""
        if not self.lines:
            return "there is no column beside the label. Give a table with columns to learn from."
        wordless = [line.column for line in self.lines if isinstance(line, Text)]
        dropped = [line for line in self.lines if not isinstance(line, Text)][:5]
        why = [f"{column!r} holds no word" for column in wordless[:5]]
        why += [f"{line.column!r} is dropped ({line.reason})" for line in dropped]
        ask = "Ask for one of them as text, category or numeric" if dropped else "Give rows with words"
        return f"no column is left to learn from. {'; '.join(why)}. {ask}."

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain values that JSON can hold."""
        return {"version": VERSION, "unit": self.unit, "lines": [line.to_dict() for line in self.lines]}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Plan:
        """The plan that `to_dict` wrote; DataError where it is of another version."""
        if plain.get("version") != VERSION or plain.get("unit") not in UNITS:
            raise DataError(f"the plan has version {plain.get('version')!r}; this program reads version {VERSION}.")
        lines = []
        for line in plain["lines"]:
            if line.get("kind") not in KINDS:
                raise DataError(f"the plan has a line of unknown kind {line.get('kind')!r} for {line.get('column')!r}.")
            lines.append(KINDS[line["kind"]].from_dict(line))
        return cls(tuple(lines), plain["unit"])

    def __str__(self) -> str:
        longest = max((len(line.column) for line in self.lines), default=0)
        shown = [f"{line.column:<{longest}}  {line.describe()}  ({line.reason})" for line in self.lines]
        if self.unit == "rows":
            shown.append("each row is scaled to unit length")
        elif self.unit == "text" and any(isinstance(line, Text) for line in self.lines):
            shown.append("the text of each row is scaled to unit length")
        return "\n".join(shown)


@dataclass(frozen=True)
class Matrix:
    """Encoded rows, the plan they were encoded by, and the table they were."""

    rows: Rows
    plan: Plan
    table: Table

    @property
    def names(self) -> list[str]:
        """The name of every feature; made when asked for, since a text has a hundred thousand."""
        return self.plan.names


def learn(table: Table, wishes: Wishes | None = None) -> Plan:
    """The plan that the rows of this table, the training part, suggest."""
    return learn_and_encode(table, wishes)[0]


def learn_and_encode(table: Table, wishes: Wishes | None = None) -> tuple[Plan, Matrix]:
    """The plan, and the table encoded by it; text is read once for both."""
    wishes = wishes or Wishes()
    if wishes.unit not in UNITS:
        raise SettingError(f"unit must be one of {', '.join(UNITS)}; got {wishes.unit!r}.")
    said = wishes.declared(table)
    if table.spool is not None:
        return _learn_on_disk(table, wishes, said)
    choices = {name: _choice(name, table.columns[name], said.get(name)) for name in table.names}
    texts = [name for name, choice in choices.items() if choice.kind == "text"]
    lines: list[Line] = []
    used: list[Line] = []
    blocks: list[Block] = []
    for name, choice in choices.items():
        column = table.columns[name]
        block: Block | None = None
        if choice.kind == "text":
            prefix = f"{name}: " if len(texts) > 1 else ""
            line: Line
            line, block = learn_text(name, choice.reason, names_of(column), wishes.words, prefix)
            line = replace(line, reads=reading_of(column.type))
        else:
            scale = wishes.scale and (name not in said or said[name][0].scale)
            line = _line(name, choice, column, table, scale, wishes.rare)
        lines.append(line)
        if line.width:
            used.append(line)
            blocks.append(line.encode(column, table.origin) if block is None else block)
    plan = Plan(tuple(lines), wishes.unit)
    return plan, plan._matrix(used, blocks, table)


def _learn_on_disk(table: Table, wishes: Wishes, said: dict[str, tuple[Declaration, str]]) -> tuple[Plan, Matrix]:
    """The same from a table that lies on the disk. What was learned and encoded once is not done again."""
    from rosenblatt.data import cache
    from rosenblatt.features.checks import read_plan
    from rosenblatt.features.onblocks import kept, learn_lines

    assert table.spool is not None
    target = kept(table.spool, "plan", asdict(wishes))

    def make(_: Path, about: dict[str, Any]) -> None:
        lines = learn_lines(table, said, wishes.scale, wishes.words, wishes.rare)
        about["plan"] = Plan(tuple(lines), wishes.unit).to_dict()

    def load(about: dict[str, Any]) -> Plan:
        plan = read_plan(about.get("plan"))
        if [line.column for line in plan.lines] != list(table.names) or plan.unit != wishes.unit:
            raise Misfit("the plan is not of the table's columns")
        return plan

    plan = cache.entry(target, make, load)
    if not plan.width:
        plan._matrix([], [], table)  # raises, with the words that fit
    return plan, plan.encode(table)


def _choice(name: str, column: pa.ChunkedArray, said: tuple[Declaration, str] | None) -> Choice:
    if said is None:
        return choose(column, name)
    what, reason = said
    if what.kind == "category":
        values = names_of(column).drop_null().unique().to_pylist()
        return Choice("category", reason, tuple(sorted(values)))
    return Choice({"drop": "dropped"}.get(what.kind, what.kind), reason, what.order)


def _line(name: str, choice: Choice, column: pa.ChunkedArray, table: Table, scale: bool, rare: bool) -> Line:
    reads = reading_of(column.type)
    if choice.kind == "numeric":
        return Numeric.learn(name, choice.reason, numbers_of(column, name, table.origin), scale, reads)
    if choice.kind == "ordered":
        line = Ordered(name, choice.reason, choice.values, has_missing(column), reads=reads)
        refuse_unknown(line, column, table.origin)
        return line
    if choice.kind == "category":
        return Category(name, choice.reason, choice.values, has_missing(column), reads=reads)
    if choice.kind == "numbered":
        return Numbered.learn(name, choice.reason, lambda: [column], table.feature_names.get(name), rare)
    if choice.kind == "vector":
        values = vector_values(column, name, table.origin)
        scale = scale and values.dtype.itemsize > 1
        return Vector.learn(name, choice.reason, values, scale, table.feature_names.get(name))
    return Dropped(name, choice.reason, reads=reads)


def has_missing(column: pa.ChunkedArray) -> bool:
    """Whether a value is missing; NaN is no name."""
    return bool(pc.any(column.is_null(nan_is_null=True)).as_py())


def refuse_unknown(line: Ordered, column: pa.ChunkedArray, origin: Origin) -> None:
    """A declared order that leaves out a value of the training rows is a mistake of the one who declared it."""
    values = line.values_of(column, origin)
    unknown = line.unknown(values)
    if len(unknown):
        row = int(unknown[0])
        raise DataError(
            f"{origin.of(row)}, column {line.column!r}: {values[row].as_py()!r} is not in the order "
            f"{', '.join(line.values)}. "
            "Add it to the order, or mend the row."
        )
