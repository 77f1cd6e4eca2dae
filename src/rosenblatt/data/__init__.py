"""Reading: from whatever holds labelled rows to a Table. `read` is the one door.

Each format has its file in formats/. pyarrow loads on the first reading, not on import.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, overload

from rosenblatt.data import formats
from rosenblatt.data.format import Format, How
from rosenblatt.errors import DataError, SettingError

if TYPE_CHECKING:
    from rosenblatt.data.reading import Reading
    from rosenblatt.data.source import Source
    from rosenblatt.data.table import Table as Table

__all__ = ["BUILTIN", "FORMATS", "How", "read"]

FORMATS = tuple(form.name for form in formats.FORMATS)
BUILTIN = ("notes", "apples", "and", "or", "xor", "mail", "digits", "iris", "breast-cancer", "wine")


@overload
def read(source: Any, label: Any = None, *, batches: None = None, **how: Unpack[How]) -> Table: ...
@overload
def read(source: Any, label: Any = None, *, batches: int, **how: Unpack[How]) -> Iterator[Table]: ...
def read(source: Any, label: Any = None, *, batches: int | None = None, **how: Unpack[How]) -> Table | Iterator[Table]:
    """The rows of the source with their labels and origins; with `batches`, tables of at most so many rows.

    source     a path, `-` for standard input, a built-in name (BUILTIN), a data frame, an Arrow table, an array of
               numbers, a scipy matrix, or a list of texts; a path that exists comes before a built-in name
    label      the column to predict (for idx: the file of labels; for rows in memory also the labels themselves);
               otherwise the column named label, class or target
    labelled   False for rows to be predicted, which need no label
    format     one of FORMATS, where name and content do not tell it
    header, delimiter, quotes, encoding, strings    for CSV; quotes=False takes them literally, as is usual between
               tabs; strings names columns that are text although they look like numbers; encoding also for folders
    names      for svmlight: the names of columns 1, 2, …, or a file with one on each line
    sheet      for Excel: the name of the sheet; otherwise the usual one where there is such a sheet, or the first
    relabel    new names for labels, so that several form one class
    lines      the only column of text that is wanted: a file that does not look like a table with it has a text on
               each line
    raw        True for the rows of a model, which knows how the values of its columns read: text stays as it is
    """
    from rosenblatt.data.reading import Reading

    if batches is not None and (isinstance(batches, bool) or batches < 1):
        raise SettingError(f"batches must be a number of rows, at least 1; got {batches!r}.")
    tables = _tables(source, Reading(label, **how), batches)
    return tables if batches is not None else next(tables)


def _tables(source: Any, how: Reading, rows: int | None) -> Iterator[Table]:
    if is_path(source):
        with opened(source, how) as (at, form):
            for table in blocks_of(at, form, how, rows):
                yield from _cut(table, how, rows)
    elif isinstance(source, str | Path):
        yield from _cut(_builtin(str(source), how), how, rows)
    else:
        from rosenblatt.data.frames import read_memory

        yield from _cut(read_memory(source, how.label, how.labelled), how, rows)


def is_path(source: Any) -> bool:
    """Whether the source is a file or a folder, there or not: neither in memory nor the name of a built-in set."""
    return isinstance(source, str | Path) and (str(source) not in BUILTIN or Path(source).exists())


@contextmanager
def opened(source: str | Path, how: Reading) -> Iterator[tuple[Source, type[Format]]]:
    """The file or folder, and its format."""
    from rosenblatt.data.source import located
    from rosenblatt.data.table import nearest_hint

    with located(source) as at:
        if not at.path.exists():
            hint = nearest_hint(at.name, BUILTIN)
            raise DataError(f"{at.name}: no such file or folder.{hint or ' Check the path.'}")
        yield at, formats.format_of(at, how)


def blocks_of(source: Source, form: type[Format], how: Reading, rows: int | None) -> Iterator[Table]:
    """The tables of a file or a folder: one, or blocks of about so many rows, with the types of the one."""
    from dataclasses import replace

    tables = form.blocks(source, replace(how, label=how.column(source.name)), rows)
    return (replace(table, as_text=form.as_text) for table in tables)


def _cut(table: Table, how: Reading, rows: int | None) -> Iterator[Table]:
    """The table with its labels renamed, in pieces of at most so many rows."""
    table = table.relabel(how.relabel) if how.relabel else table
    for start in range(0, table.n_rows, rows or table.n_rows):
        yield table.slice(start, rows) if rows else table


def _builtin(name: str, how: Reading) -> Table:
    """A built-in set has its label; another one that was asked for must not be passed over in silence."""
    from rosenblatt.data.builtin import read_builtin

    table, label = read_builtin(name), how.column(name)
    if how.labelled and label not in (None, table.label):
        raise DataError(
            f"{name}: no label {label!r} in this built-in set; its label is {table.label!r}. "
            "Leave the label (--label) out."
        )
    if how.names is not None:
        formats.refuse_names(name, "a built-in set")
    return table
