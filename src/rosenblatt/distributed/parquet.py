"""Fragments: row groups of Parquet files, on a disk or in an object store, read one at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from rosenblatt.data.plain import plain_types
from rosenblatt.data.table import Origin, Table, make_table, some, tidy_strings
from rosenblatt.errors import DataError

ENDING = ".parquet"


class Fragment(NamedTuple):
    """A row group, and where its rows come among all rows."""

    path: str  # of a file, or a URI such as s3://bucket/file.parquet
    group: int
    first: int  # number of its first row among the rows of all fragments, from 0
    rows: int
    before: int  # rows of the file before it

    def __str__(self) -> str:
        return f"{self.path}, row group {self.group}"


def fragments(source: str | Iterable[str]) -> list[Fragment]:
    """The row groups of a file, of the .parquet files in a folder (in the order of their names), or of several."""
    sources = [source] if isinstance(source, str) else [str(each) for each in source]
    files = [path for each in sources for path in _files(each)]
    if not files:
        raise DataError(f"{', '.join(sources)}: no {ENDING} files. Check the path.")
    found = [(path, group) for path in files for group in range(_metadata(path).num_row_groups)]
    return located(found)


def located(given: Sequence[Fragment | tuple[str, int]]) -> list[Fragment]:
    """Pairs of path and row group as fragments, counted on in the order given; row groups without rows left out."""
    about: dict[str, Any] = {}
    made: list[Fragment] = []
    first = 0
    for path, group, *_ in given:
        if path not in about:
            about[path] = _metadata(path)
        if not 0 <= group < about[path].num_row_groups:
            raise DataError(f"{path}: there is no row group {group}; it has {about[path].num_row_groups}.")
        rows = [about[path].row_group(number).num_rows for number in range(group + 1)]
        if rows[group]:
            made.append(Fragment(path, group, first, rows[group], sum(rows[:group])))
        first += rows[group]
    if not made:
        raise DataError("the fragments have no rows. Give at least one row group with rows.")
    return made


def read_fragment(fragment: Fragment, label: str | None, types: Mapping[str, pa.DataType] | None = None) -> Table:
    """The rows of a fragment with their labels. Other columns than those of `types` are refused; the fragment is named.

    types    of the columns of all fragments together, which may be wider than those of this one
    """
    with _opened(fragment.path) as opened:
        columns = opened.read_row_group(fragment.group)
    columns.validate(full=True)
    numbers = np.arange(fragment.before + 1, fragment.before + fragment.rows + 1)
    table = _table(columns, Origin(str(fragment), "row", numbers, before=fragment.first - fragment.before), label)
    return table if types is None else replace(table, columns=_typed(table.columns, types, str(fragment)))


def _table(columns: pa.Table, origin: Origin, label: str | None) -> Table:
    return make_table(tidy_strings(plain_types(columns, origin)), origin, label)


def _typed(columns: pa.Table, types: Mapping[str, pa.DataType], where: str) -> pa.Table:
    if sorted(columns.column_names) != sorted(types):
        raise DataError(
            f"{where}: its columns are {some(columns.column_names)}, where the first fragment has {some(list(types))}. "
            "Give fragments with the same columns."
        )
    return pa.table({name: columns[name].cast(kind) for name, kind in types.items()})


def outline(pieces: Sequence[Fragment], label: str | None) -> Table:
    """A table without rows, with the columns that all fragments have together: numbers of several types are floats."""
    found: Table | None = None
    for path in dict.fromkeys(piece.path for piece in pieces):
        with _opened(path) as opened:
            empty = opened.schema_arrow.empty_table()
        table = _table(empty, Origin(path, "row", np.empty(0, np.int64)), label)
        if found is None:
            found = table
            continue
        types = {field.name: field.type for field in found.columns.schema}
        if sorted(types) != sorted(table.columns.column_names):
            _typed(table.columns, types, f"{path}, row group 0")
        try:
            both = pa.unify_schemas([found.columns.schema, table.columns.schema], promote_options="permissive")
        except pa.ArrowTypeError as error:
            raise DataError(f"{path}: {error}. Give fragments whose columns have the same types.") from None
        found = replace(found, columns=both.empty_table())
    assert found is not None, "fragments without rows are refused"
    return found


def _files(source: str) -> list[str]:
    from pyarrow import fs

    system, path = _located(source)
    if system.get_file_info(path).type != fs.FileType.Directory:
        return [source]
    inside = system.get_file_info(fs.FileSelector(path, recursive=True))
    names = sorted(each.path for each in inside if each.is_file and each.path.endswith(ENDING))
    scheme = f"{source.partition('://')[0]}://" if "://" in source else ""
    return [f"{scheme}{name}" for name in names]


def _located(path: str) -> tuple[Any, str]:
    from pyarrow import fs

    try:
        return fs.FileSystem.from_uri(path) if "://" in path else (fs.LocalFileSystem(), path)
    except (pa.ArrowInvalid, OSError) as error:
        raise DataError(f"{path}: not an address of files ({str(error).splitlines()[0]}). Check it.") from None


def _metadata(path: str) -> Any:
    with _opened(path) as opened:
        return opened.metadata


@contextmanager
def _opened(path: str) -> Iterator[Any]:
    """A Parquet file; whatever is wrong with it is one line that names it, and the worker that could not read it."""
    import pyarrow.parquet

    from rosenblatt.distributed.shard import here

    system, place = _located(path)
    try:
        with system.open_input_file(place) as stream:
            yield pyarrow.parquet.ParquetFile(stream)
    except (pa.ArrowInvalid, OSError) as error:
        what = " ".join(str(error).split())[:120].removesuffix(".")
        raise DataError(f"{path}: {here()} cannot read it ({what}). Check the file.") from None
