"""Reading: from whatever holds labelled rows to a Table. `read` is the one door.

Each format has its file here. pyarrow loads on the first reading, not on import.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, overload

from rosenblatt.errors import DataError, SettingError

if TYPE_CHECKING:
    from rosenblatt.data.csvtext import CsvSettings
    from rosenblatt.data.source import Source
    from rosenblatt.data.table import Table as Table

__all__ = ["BUILTIN", "FORMATS", "How", "read"]

FORMATS = ("csv", "tsv", "parquet", "arrow", "jsonl", "svmlight", "idx", "text", "mail", "mbox")
BUILTIN = ("notes", "apples", "and", "or", "xor", "mail", "digits", "iris", "breast-cancer", "wine")


class How(TypedDict, total=False):
    """The settings of `read`, for callers that pass them on."""

    labelled: bool
    format: str | None
    header: bool | None
    delimiter: str | None
    quotes: bool | None
    encoding: str | None
    strings: Sequence[str]
    names: str | Sequence[str] | None
    relabel: Mapping[str, str] | None
    raw: bool


@overload
def read(source: Any, label: Any = None, *, batches: None = None, **how: Unpack[How]) -> Table: ...
@overload
def read(source: Any, label: Any = None, *, batches: int, **how: Unpack[How]) -> Iterator[Table]: ...
def read(
    source: Any,
    label: Any = None,
    *,
    batches: int | None = None,
    labelled: bool = True,
    format: str | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
    quotes: bool | None = None,
    encoding: str | None = None,
    strings: Sequence[str] = (),
    names: str | Sequence[str] | None = None,
    relabel: Mapping[str, str] | None = None,
    raw: bool = False,
) -> Table | Iterator[Table]:
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
    relabel    new names for labels, so that several form one class
    raw        True for the rows of a model, which knows how the values of its columns read: text stays as it is
    """
    if batches is not None and (isinstance(batches, bool) or batches < 1):
        raise SettingError(f"batches must be a number of rows, at least 1; got {batches!r}.")
    how = settings_of(label, labelled, format, header, delimiter, quotes, encoding, strings, names, raw=raw)
    tables = _tables(source, how, batches)
    if relabel:
        tables = (table.relabel(relabel) for table in tables)
    return tables if batches is not None else next(tables)


def settings_of(
    label: Any = None,
    labelled: bool = True,
    format: str | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
    quotes: bool | None = None,
    encoding: str | None = None,
    strings: Sequence[str] = (),
    names: str | Sequence[str] | None = None,
    relabel: Mapping[str, str] | None = None,
    raw: bool = False,
) -> Reading:
    """The settings of `read`, checked; what is renamed is renamed after reading."""
    if format is not None and format not in FORMATS:
        raise SettingError(f"format must be one of {', '.join(FORMATS)}; got {format!r}.")
    if delimiter is not None and (len(delimiter) != 1 or not delimiter.isascii()):
        raise SettingError(f"delimiter must be one ASCII character; got {delimiter!r}.")
    _check_encoding(encoding)
    return Reading(label, labelled, format, header, delimiter, quotes, encoding, tuple(strings), names, raw)


def _check_encoding(encoding: str | None) -> None:
    """Refuses what is no encoding of text: Python also knows base64, rot13 and zlib by such names."""
    try:
        "".encode(encoding or "utf-8")
    except (LookupError, ValueError):
        raise SettingError(
            f"there is no text encoding named {encoding!r}. Name one such as latin-1 (--encoding latin-1)."
        ) from None


class Reading:
    """The settings of one call of read."""

    def __init__(self, label: Any, labelled: bool, *form: Any) -> None:
        self.label, self.labelled = label, labelled
        self.format, self.header, self.delimiter, self.quotes, self.encoding, self.strings, self.names, self.raw = form

    def plain(self) -> dict[str, Any]:
        """The settings that decide what a file is read as; names of svmlight columns are apart from it."""
        return {**{name: value for name, value in vars(self).items() if name != "names"}, "label": str(self.label)}

    def feature_names(self) -> Sequence[str] | None:
        from rosenblatt.data.svmlight import feature_names

        return None if self.names is None else feature_names(self.names)


def _tables(source: Any, how: Reading, rows: int | None) -> Iterator[Table]:
    from rosenblatt.data.source import Source, spooled, standard_input

    if not isinstance(source, str | Path):
        from rosenblatt.data.frames import read_memory

        yield from _cut(read_memory(source, how.label, how.labelled), rows)
    elif str(source) == "-":
        with spooled(standard_input(), "standard input") as copy:
            yield from read_path(copy, how, rows)
    elif Path(source).is_fifo():
        with Path(source).open("rb") as stream, spooled(stream, str(source)) as copy:
            yield from read_path(copy, how, rows)
    elif str(source) in BUILTIN and not Path(source).exists():
        from rosenblatt.data.builtin import read_builtin

        table = read_builtin(str(source))
        _refuse_other_label(Source.at(source), how, table)
        _refuse_names(Source.at(source), "a built-in set", how)
        yield from _cut(table, rows)
    else:
        yield from read_path(Source.at(source), how, rows)


def read_path(source: Source, how: Reading, rows: int | None) -> Iterator[Table]:
    label, form = label_of(source, how), form_of(source, how)
    as_text = form in ("csv", "tsv", "svmlight", "jsonl")
    return (replace(table, as_text=as_text) for table in _read_form(source, label, how, form, rows))


def _read_form(source: Source, label: str | None, how: Reading, form: str, rows: int | None) -> Iterator[Table]:
    if form in ("csv", "tsv"):
        yield from _csv(source, label, how, form, rows)
    elif form == "svmlight":
        yield from _svmlight(source, label, how, rows)
    elif form == "idx":
        from rosenblatt.data.idx import read_idx

        yield from _cut(read_idx(source, label, how.labelled), rows)
    else:
        yield from _others(source, label, how, form, rows)


def whole_types(source: Source, how: Reading, rows: int) -> Iterator[Table]:
    """Tables of about so many rows; other than in batches, their types are those of the whole source read at once.

    Labels of svmlight files are the one exception: whether all are whole numbers is known at the end.
    """
    label = label_of(source, how)
    form = form_of(source, how)
    if form in ("csv", "tsv"):
        from rosenblatt.data.csv import csv_tables

        yield from csv_tables(source, label, how.labelled, csv_settings(form, how))
    elif form == "svmlight":
        from rosenblatt.data.svmlight import svmlight_tables

        _refuse_label(source, label)
        yield from svmlight_tables(source)
    elif form == "idx":
        yield from read_path(source, how, rows)
    else:
        yield from _others(source, label, how, form, rows)


def _others(source: Source, label: str | None, how: Reading, form: str, rows: int | None) -> Iterator[Table]:
    """Formats that are read the same way in any number of batches."""
    if form == "folder":
        from rosenblatt.data.folder import read_folder

        yield from read_folder(source, how.labelled, how.format, how.encoding, rows)
    elif form in ("mail", "mbox"):
        from rosenblatt.data.folder import read_mails

        yield from read_mails(source, how.labelled, form, rows)
    elif form == "text":
        raise DataError(f"{source.name}: format text is for a folder of class folders, and this is a file.")
    else:
        yield from _columnar(source, label, how, form, rows)


def label_of(source: Source, how: Reading) -> str | None:
    """The label as the name of a column."""
    if not isinstance(how.label, str | Path | None):
        raise SettingError(f"label must be the name of a column of {source.name}; got a {type(how.label).__name__}.")
    return None if how.label is None else str(how.label)


def form_of(source: Source, how: Reading) -> str:
    """One of FORMATS, as asked or as the content tells; or "folder"."""
    form = "folder" if source.path.is_dir() else how.format or _form(source, how.encoding)
    _refuse_names(source, form if form != "folder" else "a folder", how)
    return form


def _csv(source: Source, label: str | None, how: Reading, form: str, rows: int | None) -> Iterator[Table]:
    from rosenblatt.data.csv import csv_tables, read_csv

    settings = csv_settings(form, how)
    if rows is None:
        yield read_csv(source, label, how.labelled, settings)
    else:
        yield from csv_tables(source, label, how.labelled, settings, rows)


def csv_settings(form: str, how: Reading) -> CsvSettings:
    from rosenblatt.data.csvtext import CsvSettings

    delimiter = how.delimiter or ("\t" if form == "tsv" else ",")
    # Tab-separated values have no quoting by their definition; comma-separated values do.
    quotes = how.quotes if how.quotes is not None else delimiter != "\t"
    return CsvSettings(delimiter, how.header, quotes, how.encoding or "utf-8", how.strings, how.raw)


def _form(source: Source, encoding: str | None) -> str:
    from rosenblatt.data.source import format_of, peek
    from rosenblatt.data.table import nearest_hint

    if not source.path.exists():
        hint = nearest_hint(source.name, BUILTIN)
        raise DataError(f"{source.name}: no such file or folder.{hint or ' Check the path.'}")
    head = peek(source)
    form = format_of(source, head)
    if b"\0" in head and encoding is None and form not in ("parquet", "arrow", "idx"):
        raise DataError(
            f"{source.name}: it holds zero bytes, so it is no text in UTF-8. Name its encoding, for example utf-16 "
            "(--encoding utf-16), or its format (--format)."
        )
    return form


def _svmlight(source: Source, label: str | None, how: Reading, rows: int | None) -> Iterator[Table]:
    from rosenblatt.data.svmlight import read_svmlight, read_svmlight_batches

    _refuse_label(source, label)
    names = how.feature_names()
    if rows is None:
        yield read_svmlight(source, how.labelled, names)
    else:
        yield from read_svmlight_batches(source, how.labelled, names, rows)


def _refuse_label(source: Source, label: str | None) -> None:
    if label not in (None, "label"):
        raise DataError(
            f"{source.name}: a svmlight file has its label first on each line and no column named {label!r}. "
            "Leave the label out."
        )


def _refuse_other_label(source: Source, how: Reading, table: Table) -> None:
    """A built-in set has its label; another one that was asked for must not be passed over in silence."""
    label = label_of(source, how)
    if how.labelled and label not in (None, table.label):
        raise DataError(
            f"{source.name}: no label {label!r} in this built-in set; its label is {table.label!r}. "
            "Leave the label (--label) out."
        )


def _refuse_names(source: Source, form: str, how: Reading) -> None:
    """Names that would not be used are refused, whether or not there is a file of them."""
    if how.names is not None and form != "svmlight":
        raise SettingError(
            f"{source.name}: names of columns (--names) are for svmlight files, and this is {form}. Leave them out."
        )


def _columnar(source: Source, label: str | None, how: Reading, form: str, rows: int | None) -> Iterator[Table]:
    from rosenblatt.data.columnar import read_columnar, read_columnar_batches

    if rows is None:
        yield read_columnar(source, label, how.labelled, form, how.raw)
    else:
        yield from read_columnar_batches(source, label, how.labelled, form, rows, how.raw)


def _cut(table: Table, rows: int | None) -> Iterator[Table]:
    """A table that is in memory already, in pieces."""
    import numpy as np

    if rows is None:
        yield table
        return
    for start in range(0, table.n_rows, rows):
        yield table.take(np.arange(start, min(start + rows, table.n_rows)))
