"""Reading what does not fit into memory: once, in blocks, to typed columns on the disk, which are then mapped."""

from __future__ import annotations

import os
import re
import weakref
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import asdict, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, Unpack

import pyarrow as pa
import pyarrow.compute as pc

from rosenblatt import claims
from rosenblatt.claims import Misfit, either, fields, listed, nothing, text, truth, whole, words
from rosenblatt.data import How, blocks_of, cache, is_path, opened, read
from rosenblatt.data.columnfile import ColumnWriter
from rosenblatt.data.columnfile import read as read_column
from rosenblatt.data.format import Format
from rosenblatt.data.maps import at_most
from rosenblatt.data.memory import ROW, asking, available, estimate, show_size
from rosenblatt.data.reading import Reading
from rosenblatt.data.source import Source
from rosenblatt.data.spooled import Spool
from rosenblatt.data.table import Declaration, Origin, Table, add_notes, told_notes
from rosenblatt.errors import SettingError

ROWS = 1 << 14  # of a batch, in formats that are read by rows


@contextmanager
def within(memory: int | None) -> Iterator[None]:
    """While the block runs, what lies on the disk takes no more memory than this, or than half of what is free."""
    limit = memory if memory is not None else (available() or 0) // 2
    cache.forget_used()
    try:
        with asking(memory), at_most(limit) if limit else nullcontext():
            yield
    finally:
        cache.forget_used()


def read_within(source: Any, label: Any, memory: int | None, **how: Unpack[How]) -> Table:
    """The table in memory if it fits there, otherwise on the disk.

    memory    bytes that the data may take; None for half of what is free
    """
    limit = memory if memory is not None else (available() or 0) // 2
    if not limit or not is_path(source):
        return read(source, label, **how)
    asked = Reading(label, **how)
    with opened(source, asked) as (at, form):
        fits = estimate(at, form) <= limit
        table = next(blocks_of(at, form, asked, None)) if fits else read_spooled(at, form, asked, limit)
    return table.relabel(asked.relabel) if asked.relabel else table


def _check_rows(source: str, rows: int, limit: int) -> None:
    if rows * ROW > limit:
        step = 10 ** max(0, len(str(rows * ROW)) - 2)
        enough = -(-rows * ROW // step) * step  # in two digits, so that what is shown suffices
        raise SettingError(
            f"{source}: {rows} rows need {show_size(enough)} of memory beside what lies on the disk, {ROW} "
            f"bytes for each; got {show_size(limit)}. Raise memory, or give fewer rows."
        )


def read_spooled(source: Source, form: type[Format], how: Reading, limit: int) -> Table:
    """The table on the disk: the one in the cache if the source is still what it was, otherwise written anew.

    SettingError if its rows need more memory than the limit; then nothing of it stays in the cache.
    """
    piped = source.name != str(source.path)
    key = {"path": os.path.abspath(source.path), "state": _state(source.path)}
    name = cache.digest(key, how.plain(), version("rosenblatt"))
    if piped:
        try:
            folder = cache.to_build(cache.place())
            keeper = _Keeper(folder)
        except OSError as error:
            raise cache.refused(error) from None
        target = folder / "table"
    else:
        stem = re.sub(r"[^A-Za-z0-9._-]", "_", source.path.name)[:40]
        target, keeper = cache.place() / f"{stem}-{name}", None
        _forget(key, target)

    def make(made: Path, about: dict[str, Any]) -> None:
        _write(blocks_of(source, form, how, ROWS), made, about)
        _check_rows(source.name, about["rows"], limit)  # here, so that what is refused is not kept
        about |= {"source": source.name, "path": key["path"], "state": key["state"]}

    def load(about: dict[str, Any]) -> Table:
        ABOUT(about, "the table")
        found = replace(_open(target, about, how, keeper), as_text=form.as_text)
        _check_rows(source.name, found.n_rows, limit)
        return found

    return cache.entry(target, make, load)


class _Keeper:
    """A folder that is removed when nobody needs it any more, at the latest when the process ends."""

    def __init__(self, folder: Path) -> None:
        with ExitStack() as stack:
            stack.callback(cache.erase, folder)
            folder.mkdir(mode=0o700)
            stack.enter_context(cache.locked(folder))
            weakref.finalize(self, stack.pop_all().close)


def _state(path: Path) -> Any:
    """What changes when the file changes, or any file of the folder."""
    if not path.is_dir():
        about = path.stat()
        return _told(about)
    found = []
    for at, folders, names in os.walk(path):
        folders.sort()
        for name in sorted(names):
            about = os.stat(os.path.join(at, name))
            found.append([os.path.join(at, name), *_told(about)])
    return cache.digest(found)


def _told(about: os.stat_result) -> list[int]:
    """Size and time of the last change can be set to what they were; the system's own time of change cannot."""
    return [about.st_size, about.st_mtime_ns, about.st_ctime_ns, about.st_ino]


def _forget(key: dict[str, Any], target: Path) -> None:
    """Removes what was made of the same source when it was another: no run will ask for it again."""
    for entry in cache.entries():
        about = cache.read_about(entry.folder)
        if entry.folder != target and about.get("path") == key["path"] and about.get("state") != key["state"]:
            cache.remove(entry.folder)


def _write(tables: Iterator[Table], folder: Path, about: dict[str, Any]) -> None:
    """Writes the columns of all tables, one behind the other."""
    writers: dict[str, ColumnWriter] = {}
    first: Table | None = None
    notes: dict[str, int] = {}
    rows = 0
    for table in tables:
        columns = {f"c{number}": column for number, column in enumerate(table.columns.columns)}
        columns |= {} if table.labels is None else {"label": table.labels}
        columns["number"] = pa.chunked_array([pa.array(table.origin.numbers, pa.int64())])
        if table.origin.paths is not None:
            columns["path"] = table.origin.paths.cast(pa.large_string())
        if first is None:
            first = table
            writers = {stem: ColumnWriter(folder, stem, column.type) for stem, column in columns.items()}
        for stem, writer in writers.items():
            for chunk in columns[stem].chunks:
                writer.append(chunk)
        rows += table.n_rows
        add_notes(notes, table.notes)
    assert first is not None, "a source without rows is refused while it is read"
    written = {stem: writer.close() for stem, writer in writers.items()}
    kind = None if first.labels is None else first.labels.type
    schema = pa.schema([*first.columns.schema, *([] if kind is None else [pa.field("label", kind)])])
    about |= {
        "rows": rows, "schema": schema.serialize().to_pybytes().hex(), "columns": written, "label": first.label,
        "names": first.names, "unit": first.origin.unit, "bytes": cache.size_of(folder),
        "notes": told_notes(notes), "found": dict(first.found),
        "declared": {name: asdict(what) for name, what in first.declared.items()},
        "feature_names": {name: list(given) for name, given in first.feature_names.items()},
    }  # fmt: skip


DECLARED = fields(
    {
        "kind": words("numeric", "bent", "date", "bins", "tags", "ordered", "category", "text", "drop"),
        "order": listed(text),
        "scale": truth,
        "reads": text,
    }
)
ABOUT = fields(
    {
        "rows": whole(1), "schema": text, "columns": claims.table(fields({})), "label": either(nothing, text),
        "names": listed(text), "unit": text, "bytes": whole(), "notes": listed(text), "source": text,
        "declared": claims.table(DECLARED), "feature_names": claims.table(listed(text)),
        "found": claims.table(either(text, truth)),
    }
)  # fmt: skip


def _open(folder: Path, about: dict[str, Any], how: Reading, keeper: Any) -> Table:
    """The table over its files; Misfit, or an error of Arrow, where they cannot be what is said about them."""
    schema, written, rows = _schema(about), about["columns"], about["rows"]
    if written.get("number", {}).get("nulls") != 0:
        raise Misfit("every row must have a number")
    numbers = read_column(folder, pa.int64(), written["number"], rows).to_numpy()  # first: it shows how many rows
    columns = {
        name: read_column(folder, schema.field(number).type, written.get(f"c{number}"), rows)
        for number, name in enumerate(about["names"])
    }
    labels = None
    if "label" in written:
        array = read_column(folder, schema.field(len(schema) - 1).type, written["label"], rows)
        if pa.types.is_floating(array.type):
            array = pc.if_else(pc.is_nan(array), None, array)
        labels = pa.chunked_array([array if pa.types.is_null(array.type) else array.dictionary_encode()])
    paths = None
    if "path" in written:
        paths = pa.chunked_array([read_column(folder, pa.large_string(), written["path"], rows)])
    named = how.feature_names()
    # The names of columns are no part of the file, and all of the plan.
    name = cache.digest(folder.name, named)
    return Table(
        pa.table(columns) if columns else pa.table({}),
        labels,
        about["label"],
        Origin(about["source"], about["unit"], numbers, paths),
        declared={
            name: Declaration(d["kind"], tuple(d["order"]), d["scale"], d["reads"])
            for name, d in about["declared"].items()
        },
        feature_names=about["feature_names"] if named is None else {"column": named},
        notes=tuple(about["notes"]),
        found=about["found"],
        spool=Spool(folder, name, about["bytes"] // max(1, rows), keeper=keeper),
    )


def _schema(about: dict[str, Any]) -> pa.Schema:
    """The types of the columns and of the label behind them, one for each name."""
    try:
        schema = pa.ipc.read_schema(pa.py_buffer(bytes.fromhex(about["schema"])))
    except ValueError as error:  # no hexadecimal digits, or nothing that Arrow knows
        raise Misfit(f"the table.schema cannot be read: {error}") from None
    names = about["names"]
    if len(schema) != len(names) + ("label" in about["columns"]) or len(set(names)) < len(names):
        raise Misfit("the table.names must be different, one for each column")
    if not {*about["declared"], *about["feature_names"]} <= set(names):
        raise Misfit("the table.declared and the table.feature_names must be of its columns")
    return schema
