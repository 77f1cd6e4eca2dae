"""A folder of class folders: of text files, messages or Maildirs; or of mbox files or files of lines, one per class."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO

import numpy as np
import pyarrow as pa

from rosenblatt.data.formats import FORMATS
from rosenblatt.data.formats.mail import looks_like_mail
from rosenblatt.data.lines import TEXT, decoded, lines_of
from rosenblatt.data.mail import MOST_BYTES, parse_mail
from rosenblatt.data.reading import Reading
from rosenblatt.data.source import GZIP, ZSTD, Source, open_bytes, plain_name, read_up_to
from rosenblatt.data.table import Origin, Table, make_table
from rosenblatt.errors import DataError
from rosenblatt.harmless import called

MOST_TEXT = 1 << 28  # bytes of one text file
FEW_LINES = 10  # a file of fewer is one text
NO_CLASSES = (".txt", ".md", ".html", ".htm", ".xml", *(ending for form in FORMATS for ending in form.endings))
LOOKED_AT = 25  # files of a folder, to tell mail from text


@dataclass(frozen=True)
class Found:
    """A file with the class that its place gives it."""

    path: Path
    label: str | None


def read_folder(source: Source, how: Reading, rows: int | None) -> Iterator[Table]:
    """Tables of at most `rows` rows; one table if rows is None."""
    if how.format is None and (files := files_of_lines(source)):
        yield from _tables(_lines(files, how.encoding), source, "line", how.labelled, rows)
        return
    files = list(find_files(source, how.labelled))
    form = how.format or ("mail" if all_look_like_mail(files) else "text")
    made = _mails(files) if form == "mail" else _texts(files, how.encoding)
    yield from _tables(made, source, form, how.labelled, rows)


def read_mail(source: Source, how: Reading) -> Iterator[Table]:
    """The one message of a file."""
    return _tables(_mails([Found(source.path, None)]), source, "mail", how.labelled, None)


def read_mbox(source: Source, how: Reading, rows: int | None) -> Iterator[Table]:
    """The messages of one mbox file."""
    return _tables(_mbox(source, Found(source.path, None)), source, "mail", how.labelled, rows)


def _tables(made: Iterator[Row], source: Source, form: str, labelled: bool, rows: int | None) -> Iterator[Table]:
    """The rows, in tables of at most so many. Only mbox files can have none."""
    count = 0
    while chunk := list(islice(made, rows)):
        count += len(chunk)
        yield _table(source.name, chunk, form, labelled)
    if not count:
        raise DataError(f"{source.name}: no message begins here. An mbox message begins with a line 'From …'.")


Row = tuple[Found, int, tuple[str, ...], bool]  # file, number of the message in it, texts, was it latin-1


def _table(source: str, rows: list[Row], form: str, labelled: bool) -> Table:
    names = ("subject", "sender", "text") if form == "mail" else ("text",)
    columns: dict[str, pa.Array] = {
        name: pa.array([row[2][k] for row in rows], pa.large_string()) for k, name in enumerate(names)
    }
    labels = [row[0].label for row in rows]
    if any(label is not None for label in labels):
        columns["label"] = pa.array(labels, pa.large_string())
    numbers = np.array([row[1] for row in rows], np.int64)
    origin = Origin(
        source,
        "line" if form == "line" else "message",
        numbers,
        pa.chunked_array([pa.array([called(row[0].path) for row in rows])]),
    )
    latin = sum(row[3] for row in rows)
    what = "lines" if form == "line" else "files"
    notes = (f"{latin} {what} are not UTF-8 and were read as latin-1",) if latin else ()
    declared = dict.fromkeys(names, TEXT)
    if "label" not in columns and labelled:
        raise DataError(
            f"{source}: messages without classes. Put one mbox file or folder per class into a folder, and give that."
        )
    return make_table(pa.table(columns), origin, None, labelled, declared=declared, notes=notes)


def find_files(source: Source, labelled: bool) -> Iterator[Found]:
    """The files below the folder, class by class, in the order of their names."""
    inside = sorted(entry for entry in source.path.iterdir() if not entry.name.startswith("."))
    classes = [entry for entry in inside if entry.is_dir() or plain_name(entry).endswith(".mbox")]
    if is_maildir(source.path) or not classes:
        if labelled:
            raise DataError(
                f"{source.name}: no class folders in it. Put the files of each class into a folder named for it, or "
                "the texts of each class on lines of a file, as in texts.pos and texts.neg."
            )
        files = list(_below(source.path, source))
        if not files:
            raise DataError(f"{source.name}: the folder is empty. Give a folder with files.")
        yield from (Found(_regular(path), None) for path in files)
        return
    for entry in classes:
        _refuse_outside(entry, source)
        label = called(entry.name if entry.is_dir() else plain_name(entry).removesuffix(".mbox"))
        files = list(_below(entry, source)) if entry.is_dir() else [entry]
        if not files:
            raise DataError(f"{entry}: the class folder is empty. Put the files of the class into it, or remove it.")
        yield from (Found(_regular(path), label) for path in files)


def files_of_lines(source: Source) -> list[Found]:
    """The files of a folder that have one name and differ by their ending, the class of the texts on their lines.

    None where anything else is in the folder, where an ending tells a format, or where a file has but a few lines.
    """
    inside = sorted(entry for entry in source.path.iterdir() if not entry.name.startswith("."))
    parts = [os.path.splitext(entry.name[: len(plain_name(entry))]) for entry in inside]
    endings = {ending for _, ending in parts if ending and ending.lower() not in NO_CLASSES}
    if len(inside) < 2 or len({stem for stem, _ in parts}) > 1 or len(endings) < len(inside):
        return []
    for entry in inside:
        _refuse_outside(entry, source)
        if not entry.is_file() or sum(bool(line.strip()) for line in Source.at(entry).head.split(b"\n")) < FEW_LINES:
            return []
    return [Found(entry, called(ending[1:])) for entry, (_, ending) in zip(inside, parts, strict=True)]


def _regular(path: Path) -> Path:
    """The path, if it leads to a file. A pipe, a socket or a device in the folder may never end, or never begin."""
    if not path.is_file():
        what = "a link that leads nowhere" if not path.exists() else "a pipe, a socket or a device, not a file"
        raise DataError(f"{path}: {what}. Remove it from the folder.")
    return path


def _below(folder: Path, source: Source) -> Iterator[Path]:
    for at, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if is_maildir(Path(at)):
            folders[:] = [name for name in folders if name != "tmp"]  # messages still being delivered
        for name in sorted(files):
            if not name.startswith("."):
                path = Path(at, name)
                _refuse_outside(path, source)
                yield path


def _refuse_outside(path: Path, source: Source) -> None:
    """A folder may come from elsewhere; a link in it must not put words of other files of the reader into a model."""
    if path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(source.path)):
        raise DataError(
            f"{path}: a link to a place outside {source.name}. Put the files themselves there (cp -rL), or remove it."
        )


def is_maildir(folder: Path) -> bool:
    return (folder / "cur").is_dir() and (folder / "new").is_dir()


def all_look_like_mail(files: list[Found]) -> bool:
    """True if most of some files spread over the folder are raw e-mail."""
    some = files[:: max(1, len(files) // LOOKED_AT)][:LOOKED_AT]
    return 2 * sum(_is_mail(found.path) for found in some) > len(some)


def _is_mail(path: Path) -> bool:
    return plain_name(path).endswith(".mbox") or looks_like_mail(Source.at(path).head)


def _mails(files: list[Found]) -> Iterator[Row]:
    for found in files:
        if plain_name(found.path).endswith(".mbox"):
            yield from _mbox(Source.at(found.path), found)
        else:
            yield found, 0, parse_mail(_content(found.path, MOST_BYTES)), False


def _mbox(source: Source, found: Found) -> Iterator[Row]:
    with open_bytes(source) as stream:
        for number, raw in enumerate(split_mbox(stream), 1):
            yield found, number, parse_mail(raw), False


def split_mbox(stream: IO[bytes]) -> Iterator[bytes]:
    """The messages of an mbox: each begins at a line `From …` at the start of the file or after an empty line."""
    lines: list[bytes] = []
    size, started, after_empty = 0, False, True
    while line := stream.readline(MOST_BYTES):
        if after_empty and line.startswith(b"From "):
            if started:
                yield b"".join(lines)
            lines, size, started = [], 0, True
        elif started and size < MOST_BYTES:
            lines.append(line)
            size += len(line)
        after_empty = line in (b"\n", b"\r\n")
    if started:
        yield b"".join(lines)


def _texts(files: list[Found], encoding: str | None) -> Iterator[Row]:
    for found in files:
        content = _content(found.path, MOST_TEXT + 1)
        if len(content) > MOST_TEXT:
            raise DataError(f"{found.path}: a text of more than {MOST_TEXT >> 20} MB. Split it into documents.")
        text, latin = decoded(content, encoding, found.path)
        yield found, 0, (text,), latin


def _lines(files: list[Found], encoding: str | None) -> Iterator[Row]:
    for found in files:
        for line in lines_of(Source.at(found.path), encoding):
            yield found, line.number, (line.text.strip(),), line.latin


def _content(path: Path, most: int) -> bytes:
    with path.open("rb") as stream:
        content = stream.read(most)
    if content.startswith((GZIP, ZSTD)):
        with open_bytes(Source.at(path)) as unpacked:
            return read_up_to(unpacked, most)
    return content
