"""What a format of files is, and what may be said about reading one. Light: every command has the table of formats."""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, TypeAlias, TypedDict

if TYPE_CHECKING:
    from rosenblatt.data.reading import Reading
    from rosenblatt.data.source import Source
    from rosenblatt.data.table import Table

Tables: TypeAlias = "Iterator[Table]"


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
    lines: str | None
    sheet: str | None
    usual: str | None


def encoding_of(head: bytes) -> str:
    """The encoding of a text with these first bytes: UTF-16 tells itself by its mark."""
    return "utf-16" if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8"


class Format:
    """What a file is known by, and how it becomes tables. Libraries are imported where a file is read."""

    name: ClassVar[str]
    endings: ClassVar[tuple[str, ...]] = ()  # of names of files, in lower case
    magic: ClassVar[bytes] = b""  # what every file begins with, and no file of another format
    as_text: ClassVar[bool] = False  # numbers are written as decimals, so that reading may have rounded them
    binary: ClassVar[bool] = False  # files may hold zero bytes
    takes_names: ClassVar[bool] = False  # columns have numbers alone, and may be given names
    takes_folders: ClassVar[bool] = False
    takes_sheets: ClassVar[bool] = False
    memory: ClassVar[int] = 8  # bytes that training in memory takes at its peak for each byte of a file, about

    @classmethod
    def begins(cls, head: bytes) -> bool:
        """Whether a file with these first bytes is certainly of this format."""
        return bool(cls.magic) and head.startswith(cls.magic)

    @classmethod
    def resembles(cls, head: bytes, lines: list[bytes]) -> bool:
        """Whether a file looks like it, where neither first bytes nor the ending of a name tell.

        lines    the first lines that are neither blank nor a comment
        """
        return False

    @classmethod
    def size(cls, source: Source) -> int:
        """Bytes of a file that is not compressed as a whole."""
        return source.path.stat().st_size

    @classmethod
    def blocks(cls, source: Source, how: Reading, rows: int | None) -> Tables:
        """The tables of the source, at least one, or DataError: a single one, or tables of about so many rows, or of
        some megabytes. Columns have the types that they have in the single one.

        how    its label is the name of a column, or None
        """
        raise NotImplementedError
