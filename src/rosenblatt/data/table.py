"""A table: Arrow columns, the labels apart from them, and where every row came from.

Two kinds of column hold many features at once, so that pixels and word counts stay compact:
a fixed-size list of numbers is a vector, and a list of {column, value} is a sparse row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rosenblatt.data.fractions import Fractions
from rosenblatt.errors import DataError, SettingError

if TYPE_CHECKING:
    from rosenblatt.data.spooled import Spool

LABEL_NAMES = ("label", "class", "target")
# Offsets of 64 bits: a table of large text or of many sparse rows does not end at 2 GB.
SPARSE = pa.large_list(pa.struct([pa.field("column", pa.uint32()), pa.field("value", pa.float64())]))


class NoRows(DataError):
    """A file that names its columns and has no rows; what is read for a prediction may be so."""

    def __init__(self, source: str, what: str, names: Sequence[str]) -> None:
        super().__init__(f"{source}: {what}: its only line is read as the names of columns, {some(names)}. Give rows.")
        self.source, self.names = source, tuple(names)

    @property
    def table(self) -> Table:
        """Its columns, without rows."""
        columns = pa.table({name: string_column([]) for name in self.names})
        return Table(columns, None, None, counted(self.source, "row", 0))


@dataclass(frozen=True)
class Origin:
    """Where rows came from: one source and a number within it, or a file for each row."""

    source: str
    unit: str  # what the numbers count: "row", "line" or "message"
    numbers: np.ndarray  # from 1
    paths: pa.ChunkedArray | None = None
    before: int = 0  # rows of other sources that come before this one's

    def of(self, row: int) -> str:
        """The place of one row, as a message names it."""
        source = self.source if self.paths is None else self.paths[row].as_py()
        number = int(self.numbers[row])
        return f"{source}, {self.unit} {number}" if number else source

    def take(self, which: np.ndarray) -> Origin:
        paths = None if self.paths is None else self.paths.take(pa.array(which))
        return replace(self, numbers=self.numbers[which], paths=paths)


@dataclass(frozen=True)
class Declaration:
    """What a source says about one of its columns, so that nobody needs to guess."""

    kind: str  # "numeric", "bent", "date", "bins", "tags", "ordered", "category", "text" or "drop"
    order: tuple[str, ...] = ()  # of an ordered column, lowest first
    scale: bool = True  # of a numeric column: False to leave it as it is
    reads: str = ""  # how its values read (data.values.READINGS), where their type does not tell


@dataclass(frozen=True)
class Table:
    """Rows with names, labels and origins."""

    columns: pa.Table
    labels: pa.ChunkedArray | None  # None for rows to be predicted
    label: str | None  # the name of the column they came from, if they did
    origin: Origin  # `origin.of(i)` says where row i came from: file and line
    declared: Mapping[str, Declaration] = field(default_factory=dict)  # columns whose meaning the data itself tells
    feature_names: Mapping[str, Sequence[str]] = field(default_factory=dict)  # of vector and sparse columns
    notes: tuple[str, ...] = ()  # decisions taken while reading that a person should know of
    found: Mapping[str, Any] = field(default_factory=dict)  # settings of reading that the content told, by their names
    spool: Spool | None = None  # where the columns lie, if not in memory
    as_text: bool = False  # its numbers were written as decimals, so that reading may have rounded them

    @property
    def n_rows(self) -> int:
        """How many rows there are; also `len(table)`."""
        return len(self.origin.numbers)

    @cached_property
    def names(self) -> list[str]:
        """The columns, the label not among them."""
        return list(self.columns.column_names)  # Arrow makes each string anew whenever it is asked

    @cached_property
    def kinds(self) -> dict[str, Any]:
        """By column what its values show it to be, as far as somebody has asked; `features.learning` fills it."""
        return {}

    @cached_property
    def fractions(self) -> Fractions:
        """The columns of plain numbers, found once for all who look at very many of them as matrices."""
        return Fractions(self.columns)

    def __len__(self) -> int:
        return self.n_rows

    def __repr__(self) -> str:
        label = f", label {self.label!r}" if self.label is not None else ""
        return f"Table({self.n_rows} rows from {self.origin.source}; columns: {', '.join(self.names)}{label})"

    def take(self, which: np.ndarray) -> Table:
        """The rows of the given numbers, in that order."""
        which = np.asarray(which, np.int64)
        if self.spool is not None:
            return self.spool.take(self, which)
        index = pa.array(which)
        labels = None if self.labels is None else self.labels.take(index)
        return replace(self, columns=self.columns.take(index), labels=labels, origin=self.origin.take(which))

    def slice(self, start: int, most: int) -> Table:
        """The rows from this one on, at most so many, as views; of a table on the disk they come into memory."""
        stop = start + most
        labels = None if self.labels is None else self.labels.slice(start, most)
        paths = None if self.origin.paths is None else self.origin.paths[start:stop]
        origin = replace(self.origin, numbers=self.origin.numbers[start:stop], paths=paths)
        return replace(self, columns=self.columns.slice(start, most), labels=labels, origin=origin, spool=None)

    def value(self, name: str, row: int) -> Any:
        """One value of one row."""
        columns = self.columns if self.spool is None or self.spool.base is None else self.spool.base.columns
        if self.spool is not None and self.spool.which is not None:
            row = int(self.spool.which[row])
        return columns[name][row].as_py()

    def relabel(self, names: Mapping[str, str]) -> Table:
        """The table with its labels renamed, so that several folders or values can form one class."""
        if self.labels is None:
            return self
        from rosenblatt.data.values import one_array, reading_of_labels, shown_value, spelled

        old = one_array(self.labels)
        old = old if pa.types.is_dictionary(old.type) else old.dictionary_encode()
        shown = [shown_value(value) for value in old.dictionary.to_pylist()]
        reads = reading_of_labels(old.dictionary.type, shown)
        values = [None if text is None else spelled(text, reads) or text for text in shown]
        wanted = {spelled(name, reads) or name: new for name, new in names.items()}
        unknown = [name for name in names if (spelled(name, reads) or name) not in values]
        if unknown:
            present = [value for value in values if value is not None]
            raise SettingError(
                f"{self.origin.source}: there is no label {unknown[0]!r} to rename. Labels are: {some(present)}."
            )
        new = pa.array([None if value is None else wanted.get(value, value) for value in values], pa.large_string())
        return replace(self, labels=pa.chunked_array([new.take(old.indices)]))


def add_notes(added: dict[str, int], notes: Sequence[str]) -> None:
    """Adds the notes of one more part of a table: where they begin with a number, the numbers add up."""
    for note in notes:
        what = note.lstrip("0123456789")
        count = note[: len(note) - len(what)]
        added[what] = added.get(what, 0) + int(count) if count else -1


def told_notes(added: Mapping[str, int]) -> list[str]:
    """The notes that were added up."""
    return [what if count < 0 else f"{count}{what}" for what, count in added.items()]


def make_table(columns: pa.Table, origin: Origin, label: str | None, labelled: bool = True, **more: Any) -> Table:
    """The table with its label column found and set apart.

    The label is the column asked for, or the one named label, class or target. With `labelled` false a table
    without it is taken as it is: rows to be predicted need none.
    """
    check_names(columns.column_names, origin.source)
    name = find_label(columns.column_names, label, origin.source, labelled)
    if name is None:
        return Table(columns, None, None, origin, **more)
    labels = columns[name]
    if pa.types.is_nested(labels.type):
        raise DataError(f"{origin.source}: column {name!r} holds lists, which cannot be labels. Name another column.")
    more["declared"] = {each: what for each, what in more.get("declared", {}).items() if each != name}
    return Table(columns.drop_columns([name]), labels, name, origin, **more)


def find_label(names: Sequence[str], label: str | None, source: str, labelled: bool) -> str | None:
    """The name of the label column; None only where no label is required."""
    if label is not None:
        if label in names:
            return label
        if not labelled:
            return None
        raise DataError(f"{source}: no column named {label!r}. Columns are: {some(names)}.{nearest_hint(label, names)}")
    found = [name for name in names if name.strip().lower() in LABEL_NAMES]
    if len(found) == 1:
        return found[0]
    if not labelled:
        return None
    if found:
        raise DataError(f"{source}: the label could be any of {some(found)}. Name one of them as the label (--label).")
    raise DataError(
        f"{source}: no column is named label, class or target. Columns are: {some(names)}. "
        "Name one as the label (--label)."
    )


def check_names(names: Sequence[str], source: str) -> None:
    seen: dict[str, int] = {}
    for number, name in enumerate(names, 1):
        if name in seen:
            raise DataError(f"{source}: columns {seen[name]} and {number} are both named {name!r}. Rename one of them.")
        seen[name] = number


def some(names: Sequence[str], most: int = 30) -> str:
    """The names with commas between, shortened when there are very many."""
    shown = ", ".join(str(name) if str(name).isprintable() else repr(str(name)) for name in names[:most])
    return shown if len(names) <= most else f"{shown}, … ({len(names)} in all)"


def nearest_hint(name: str, names: Sequence[str]) -> str:
    """A sentence that suggests the nearest of the names, or nothing when none is near."""
    import difflib

    near = difflib.get_close_matches(name, [str(other) for other in names], n=1)
    if not near:
        near = [other for other in names if str(other).lower() == name.lower()]
    return f" Did you mean {near[0]!r}?" if near else ""


FEW = 1_000  # rows
TOGETHER = 1 << 16  # values


def tidy_strings(columns: pa.Table) -> pa.Table:
    """String columns with the spaces around their values removed, and empty values and `?` taken as missing."""
    texts: dict[int, pa.ChunkedArray] = {}
    for number, column in enumerate(columns.schema):
        kind = column.type
        if pa.types.is_dictionary(kind) and (
            pa.types.is_string(kind.value_type) or pa.types.is_large_string(kind.value_type)
        ):
            kind = kind.value_type
        if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
            text = columns[number]
            texts[number] = text if column.type == pa.large_string() else text.cast(pa.large_string())
    if len(columns) > FEW:
        return with_columns(columns, {number: _tidy(text) for number, text in texts.items()})
    # Of few rows many columns are tidied at once, since each call takes longer than its work; as many as caches hold.
    tidied, numbers, count = {}, list(texts), max(1, TOGETHER // max(1, len(columns)))
    for first in range(0, len(numbers), count):
        some = numbers[first : first + count]
        chunks = [chunk for number in some for chunk in texts[number].chunks]
        whole = _tidy(pa.chunked_array(chunks, pa.large_string())).combine_chunks()
        for k, number in enumerate(some):
            tidied[number] = pa.chunked_array([whole.slice(k * len(columns), len(columns))])
    return with_columns(columns, tidied)


def _tidy(texts: pa.ChunkedArray) -> pa.ChunkedArray:
    values = pc.utf8_trim_whitespace(texts)
    missing = pc.or_(pc.equal(values, ""), pc.equal(values, "?"))
    return pc.if_else(missing, pa.scalar(None, pa.large_string()), values)


def with_columns(columns: pa.Table, changed: Mapping[int, pa.ChunkedArray]) -> pa.Table:
    """The table with the columns at these places changed, all at once: `set_column` copies the list of columns."""
    if not changed:
        return columns
    fields, values = list(columns.schema), columns.columns
    for place, column in changed.items():
        fields[place], values[place] = pa.field(fields[place].name, column.type), column
    return pa.Table.from_arrays(values, schema=pa.schema(fields, columns.schema.metadata))


class Strings(Sequence[str]):
    """Strings in Arrow's memory, made Python's only for those who read them: for 100,000 words that takes 50 ms."""

    def __init__(self, column: pa.LargeStringArray):
        self.column = column

    def __len__(self) -> int:
        return len(self.column)

    def __getitem__(self, place: Any) -> Any:
        return self.column.to_pylist()[place]

    def __iter__(self) -> Iterator[str]:
        return iter(self.column.to_pylist())


def string_column(texts: Sequence[str]) -> pa.LargeStringArray:
    """The texts as Arrow has them. `pa.array` does the same, but loads pandas first where that is installed: 0.15 s."""
    if isinstance(texts, Strings):
        return texts.column
    try:
        pieces = [text.encode() for text in texts]
    except UnicodeEncodeError as error:
        shown = ascii(error.object[max(0, error.start - 10) : error.start + 10])
        raise DataError(f"a text holds half of a character, a lone surrogate: {shown}. Remove it.") from None
    ends = np.zeros(len(pieces) + 1, np.int64)
    np.cumsum([len(piece) for piece in pieces], out=ends[1:])
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(pieces))]
    return pa.Array.from_buffers(pa.large_string(), len(pieces), buffers)


def sparse_column(starts: np.ndarray, columns: np.ndarray, values: np.ndarray) -> pa.LargeListArray:
    """The three arrays of a CSR matrix as one Arrow column; nothing is copied when they have Arrow's types."""
    entries = pa.StructArray.from_arrays(
        [pa.array(columns.astype(np.uint32, copy=False)), pa.array(values.astype(np.float64, copy=False))],
        fields=list(SPARSE.value_type),
    )
    return pa.LargeListArray.from_arrays(pa.array(starts.astype(np.int64, copy=False)), entries)


def vector_column(values: np.ndarray) -> pa.FixedSizeListArray:
    """A two-dimensional array of numbers as one Arrow column."""
    return pa.FixedSizeListArray.from_arrays(pa.array(np.ascontiguousarray(values).reshape(-1)), values.shape[1])


def counted(source: str, unit: str, n: int, first: int = 1) -> Origin:
    """The origin of n rows counted on from `first`."""
    return Origin(source, unit, np.arange(first, first + n))
