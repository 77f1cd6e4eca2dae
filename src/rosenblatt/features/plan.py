"""The plan: one line for each column, learned from the training rows, printed in reports, kept with the model."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from rosenblatt.claims import Misfit
from rosenblatt.data.cache import digest_of
from rosenblatt.data.spooled import once
from rosenblatt.data.table import Origin, Table, nearest_hint, some
from rosenblatt.errors import DataError, SettingError
from rosenblatt.features.blocks import Block, joined
from rosenblatt.features.executor import Executor, Here
from rosenblatt.features.grams import room
from rosenblatt.features.kinds import kind_named
from rosenblatt.features.learning import learn_lines, types_of
from rosenblatt.features.lines import Learner, Line
from rosenblatt.features.numeric import Vector
from rosenblatt.features.tags import Tags
from rosenblatt.features.terms import Term, Wired
from rosenblatt.features.text import Text
from rosenblatt.features.together import MANY, groups_of
from rosenblatt.features.units import FAN_IN, WIDEST, Units, units_of
from rosenblatt.features.wishes import Wishes
from rosenblatt.loops.rows import Rows

UNITS = ("text", "rows", "none")
VERSION = 1


@dataclass(frozen=True)
class Plan:
    """How the columns of a table become features; `print(plan)` shows a line for each column."""

    lines: tuple[Line, ...]  # one for each column
    unit: str = "text"  # what is scaled to unit length: the text of a row, whole "rows", or "none"
    units: Units | None = None  # association units that read what the lines make; they are then the features

    @property
    def names(self) -> list[str]:
        """The name of every feature, in order."""
        names = [name for line in self.lines for name in line.names()]
        return names if self.units is None else self.units.names(names)

    @property
    def notes(self) -> list[str]:
        """What a person should know of what was learned of the columns."""
        return [note for line in self.lines for note in line.notes()]

    @property
    def width(self) -> int:
        """How many features there are."""
        return sum(line.width for line in self.lines) if self.units is None else len(self.units)

    @property
    def plain(self) -> Plan:
        """The plan without association units."""
        return replace(self, units=None)

    @property
    def texts(self) -> list[str]:
        """The columns of text."""
        return [line.column for line in self.lines if line.width and isinstance(line, Text)]

    @property
    def only_text(self) -> str | None:
        """The column of text, where nothing else becomes a feature."""
        used = [line for line in self.lines if line.width]
        return used[0].column if len(used) == 1 and isinstance(used[0], Text) else None

    @property
    def image_shape(self) -> tuple[int, int] | None:
        """Height and width where the only column is an image, told by the names of its features."""
        used = [line for line in self.lines if line.width]
        names = used[0].names() if len(used) == 1 and isinstance(used[0], Vector) else []
        last = re.fullmatch(r"pixel (\d+),(\d+)", names[-1]) if names else None
        if last is None or not all(re.fullmatch(r"pixel \d+,\d+", name) for name in names):
            return None
        shape = int(last[1]) + 1, int(last[2]) + 1
        return shape if shape[0] * shape[1] == len(names) else None

    def encode(self, table: Table, learners: Mapping[str, Learner] | None = None) -> Matrix:
        """The rows of any table with the columns of the plan; what training did not see is zero.

        learners    those of the lines, by column, where they have seen this very table: text is not read again
        """
        self.refuse_absent(table)
        used = [line for line in self.lines if line.width]
        if table.spool is not None and used:
            from rosenblatt.features.onblocks import encode_table

            return Matrix(encode_table(used, self.unit, table, self.to_dict(), self.units), self, table)
        seen = learners or {}
        firsts, blocks = [], list[Block]()
        many = len(used) >= MANY and self.unit != "rows"  # lengths of rows are summed column by column
        for line, block in groups_of(used, table) if many else ((line, None) for line in used):
            firsts.append(line)
            kept = seen[line.column].encoded(line) if block is None and line.column in seen else block
            blocks.append(line.encode(table.columns[line.column], table.origin) if kept is None else kept)
        return self._matrix(firsts, blocks, table)

    def refuse_absent(self, table: Table, optional: Sequence[str] = ()) -> None:
        """DataError where a column that the plan makes features of is not there, nor optional; or has lists."""
        used = [line for line in self.lines if line.width]
        types = {field.name: field.type for field in table.columns.schema}
        absent = [line.column for line in used if line.column not in types and line.column not in optional]
        if absent:
            none = self.texts and not any(line.column in types for line in used)
            alone = " A message by itself is given with --text, or as a list of one." if none else ""
            raise DataError(
                f"{table.origin.source}: no column named {absent[0]!r}, which the model was trained with. "
                f"Columns are: {some(table.names)}.{nearest_hint(absent[0], table.names)}{alone}"
            )
        for name in (line.column for line in used if not line.nested and line.column in types):
            if pa.types.is_nested(types[name]) and not pa.types.is_dictionary(types[name]):
                refuse_nested(table.columns[name], name, table.origin)

    def completed(self, table: Table) -> Table:
        """The table with a column of missing values for each that is not there, if training saw missing ones in it."""
        there = set(table.names)
        optional = [each.column for each in self.lines if each.column not in there and getattr(each, "missing", False)]
        self.refuse_absent(table, optional)
        columns = table.columns
        for name in optional:
            columns = columns.append_column(name, pa.nulls(table.n_rows, pa.large_string()))
        return replace(table, columns=columns) if optional else table

    def together(self, table: Table) -> list[tuple[int, int, str, float]]:
        """For a single row the features that are explained together: from, to before, the column and its number."""
        found, start = [], 0
        for line in self.lines if self.units is None else ():
            value = line.together(table.columns[line.column], table.origin) if line.width else None
            if value is not None:
                found.append((start, start + line.width, line.column, value))
            start += line.width
        return found

    def terms(self) -> tuple[Term, ...]:
        """What the features of each column are, as another program can compute them."""
        if self.units is not None:
            described = "association units", "number", 0, self.width, self.units.describe()
            return (Wired(*described, self.plain.terms(), self.unit, *self.units.wires, self.units.thresholds),)
        firsts = np.cumsum([0, *(line.width for line in self.lines)]).tolist()
        return tuple(line.term(first) for line, first in zip(self.lines, firsts, strict=False) if line.width)

    def worth(self, weights: np.ndarray) -> tuple[list[str], np.ndarray, list[slice]]:
        """What adds to scores, by name, where the features have these weights; and which are points of one curve."""
        if self.units is not None:
            return self.names, weights, []
        names: list[str] = []
        found, curves, start = [weights[..., :0]], [], 0
        for line in self.lines:
            own, values, curved = line.worth(weights[..., start : start + line.width])
            curves += [slice(len(names), len(names) + len(own))] if curved else []
            names += own
            found.append(values)
            start += line.width
        return names, np.concatenate(found, axis=-1), curves

    def places(self) -> list[slice]:
        """The features of each line; of units none, since each reads several."""
        if self.units is not None:
            return []
        ends = np.cumsum([0, *(line.width for line in self.lines)]).tolist()
        return [slice(*each) for each in pairwise(ends)]

    @property
    def optional(self) -> np.ndarray:
        """Which features may be left out, as if training never saw what they stand for."""
        if self.units is not None:
            return np.zeros(self.width, bool)
        return np.concatenate([np.arange(line.width) < line.optional for line in self.lines] or [np.empty(0, bool)])

    def narrowed(self, kept: np.ndarray) -> Plan:
        """The plan with these features alone; only optional ones are left out."""
        if self.units is not None:
            return self
        both = zip(self.lines, self.places(), strict=True)
        return replace(self, lines=tuple(line if kept[own].all() else line.narrowed(kept[own]) for line, own in both))

    def _matrix(self, used: Sequence[Line], blocks: Sequence[Block], table: Table) -> Matrix:
        if not blocks:
            raise DataError(f"{table.origin.source}: {self._why_nothing()}")
        scaled = [self.unit == "text" and isinstance(line, Text) for line in used]
        rows = joined(blocks, table.n_rows, scaled, self.unit == "rows")
        return Matrix(rows if self.units is None else self.units.encode(rows), self, table)

    def _why_nothing(self) -> str:
        """Why the plan makes no features."""
        if not self.lines:
            return "there is no column beside the label. Give a table with columns to learn from."
        wordless = [line for line in self.lines if isinstance(line, Text)]
        dropped = [line for line in self.lines if not isinstance(line, Text)][:5]
        why = [line.why_nothing() for line in wordless[:5]]
        why += [f"{line.column!r} is dropped ({line.reason})" for line in dropped]
        ask = "Ask for one of them as text, category or numeric" if dropped else "Give rows with words"
        return f"no column is left to learn from. {'; '.join(why)}. {ask}."

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain values that JSON can hold."""
        wired = {} if self.units is None else {"units": self.units.to_dict()}
        return {"version": VERSION, "unit": self.unit, "lines": [line.to_dict() for line in self.lines], **wired}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Plan:
        """The plan that `to_dict` wrote; DataError where it is of another version."""
        if plain.get("version") != VERSION or plain.get("unit") not in UNITS:
            raise DataError(f"the plan has version {plain.get('version')!r}; this program reads version {VERSION}.")
        lines = []
        for line in plain["lines"]:
            kind = kind_named(line.get("kind"))
            if kind is None:
                raise DataError(f"the plan has a line of unknown kind {line.get('kind')!r} for {line.get('column')!r}.")
            lines.append(kind.from_dict(line))
        plan = cls(tuple(lines), plain["unit"])
        return replace(plan, units=Units.from_dict(plain["units"])) if "units" in plain else plan

    def __str__(self) -> str:
        longest = max((len(line.column) for line in self.lines), default=0)
        shown = [f"{line.column:<{longest}}  {line.describe()}  ({line.reason})" for line in self.lines]
        if self.unit == "rows":
            shown.append("each row is scaled to unit length")
        elif self.unit == "text" and any(isinstance(line, Text) for line in self.lines):
            shown.append("the text of each row is scaled to unit length")
        if self.units is not None:
            shown.append(f"these are read by {self.units.describe()}")
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


def refuse_nested(column: pa.ChunkedArray, name: str, origin: Origin) -> None:
    """DataError that names the first value which is a list or an object, where the model reads single ones."""
    there = column.is_valid().to_numpy()
    if there.any():
        raise DataError(
            f"{origin.of(int(there.argmax()))}, column {name!r}: a list or an object of type {column.type}, where "
            "the model reads a single value or names. Give that."
        )


def learn(table: Table, wishes: Wishes | None = None) -> Plan:
    """The plan that the rows of this table, the training part, suggest."""
    return learn_and_encode(table, wishes)[0]


def learn_on(executor: Executor, columns: Table, wishes: Wishes) -> Plan:
    """The plan that rows suggest which the executor looks at; `columns` is a table of the same columns, maybe empty."""
    said = wishes.declared(columns)
    lines, _ = learn_lines(executor, types_of(columns), said, wishes, columns.feature_names)
    return wired(Plan(tuple(lines), wishes.unit), executor, wishes)


def wired(plan: Plan, executor: Executor, wishes: Wishes) -> Plan:
    """The plan with the association units that are wished for, drawn for the rows that the executor looks at."""
    if not wishes.units:
        return plan
    sparse = next((line for line in plan.lines if line.width > WIDEST or isinstance(line, Text | Tags)), None)
    if sparse is not None:
        raise SettingError(
            f"units read up to {WIDEST:,} numbers and names; {sparse.column!r} is {sparse.describe()}. Leave out "
            "units, or drop the column."
        )
    sums = executor.sums([line.column for line in plan.lines if line.width], lambda part: plan.encode(part).rows)
    return replace(plan, units=units_of(sums, wishes.units, FAN_IN, 0, plan.image_shape))


def learn_and_encode(
    table: Table, wishes: Wishes | None = None, classes: np.ndarray | None = None
) -> tuple[Plan, Matrix]:
    """The plan, and the table encoded by it; text is read once for both.

    classes    the class of each row, for words that are weighed by them
    """
    wishes = wishes or Wishes()
    if wishes.unit not in UNITS:
        raise SettingError(f"unit must be one of {', '.join(UNITS)}; got {wishes.unit!r}.")
    said, learners = wishes.declared(table), dict[str, Learner]()

    def find() -> Plan:
        keep = table.spool is None  # where blocks are many, each is encoded when its turn comes
        here = Here(table, classes)
        lines, found = learn_lines(here, types_of(table), said, wishes, table.feature_names, keep)
        learners.update(found)
        return wired(Plan(tuple(lines), wishes.unit), here, wishes)

    def back(kept: Any, _: Path) -> Plan:
        from rosenblatt.features.checks import read_plan

        plan = read_plan(kept)
        if [line.column for line in plan.lines] != list(table.names) or plan.unit != wishes.unit:
            raise Misfit("the plan is not of the table's columns")
        return plan

    weighed = None if classes is None or wishes.words.classes == 1 else digest_of(np.ascontiguousarray(classes))
    key = ("plan", asdict(wishes), weighed, room() if wishes.words.grams else 0)
    plan = once(table, key, find, lambda plan, _: plan.to_dict(), back)
    return plan, plan.encode(table, learners)
