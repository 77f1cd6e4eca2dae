"""Opening a path: what is in it, and its bytes, decompressed on the way."""

from __future__ import annotations

import gzip
import io
import os
import re
import shutil
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from rosenblatt.errors import DataError
from rosenblatt.harmless import called

PEEK = 1 << 16
OPEN_FILES = "/proc/self/fd"
LONGEST_ROW = 1 << 28  # bytes; a small compressed file can unpack to a row without an end
COMPRESSIONS = {".gz": "gzip", ".zst": "zstd", ".zstd": "zstd"}
GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
MAIL_HEADERS = re.compile(
    rb"^(received|return-path|delivered-to|message-id|mime-version|x-mailer|in-reply-to)[ \t]*:", re.I | re.M
)
HEADER_LINE = re.compile(rb"(from [^\n]*\n)?[!-9;-~]+[ \t]*:", re.I)
WEB_PAGE = re.compile(rb"(\xef\xbb\xbf)?\s*(<\?xml[^>]*>\s*)?<(!doctype\s+html|html|head|body)\b", re.I)
SVMLIGHT_LINE = re.compile(rb"[ \t]*[+-]?[0-9.]+([eE][+-]?[0-9]+)?([ \t]+[^ \t:,]+:[^ \t,]+)+[ \t]*(#.*)?")


@dataclass(frozen=True)
class Source:
    """A file or folder, and what messages call it; or content that is in memory already and stays there."""

    path: Path
    name: str
    content: bytes | None = None

    @classmethod
    def at(cls, path: str | Path) -> Source:
        return cls(Path(path), called(path))


def standard_input() -> IO[bytes]:
    """The bytes that come through the pipe; a process may be started without one."""
    if sys.stdin is None:
        raise DataError("standard input: it is closed. Pipe the rows into the command, or name a file.")
    return sys.stdin.buffer


@contextmanager
def spooled(stream: IO[bytes], name: str) -> Iterator[Source]:
    """What comes through a pipe, copied to a temporary file: its format is looked at before it is read."""
    with temporary(name) as (copy, path):
        with copying(name):
            shutil.copyfileobj(stream, copy)
            copy.flush()
        yield Source(path, called(name))


@contextmanager
def temporary(name: str) -> Iterator[tuple[IO[bytes], Path]]:
    """A temporary file for what messages call by this name, and a path that opens it again.

    Where the system lists the open files of a process, the file has no name of its own: a process that is ended, by
    whatever signal, leaves nothing of it.
    """
    with copying(name):
        file = cast(IO[bytes], tempfile.TemporaryFile(prefix="rosenblatt-"))  # noqa: SIM115  closed below
        path = Path(f"{OPEN_FILES}/{file.fileno()}")
        if not path.exists():
            file.close()
            file = cast(IO[bytes], tempfile.NamedTemporaryFile(prefix="rosenblatt-"))  # noqa: SIM115
            path = Path(file.name)
    try:
        yield file, path
    finally:
        with suppress(OSError):  # what is left in its buffer may have no room either
            file.close()


@contextmanager
def copying(name: str) -> Iterator[None]:
    """One line for a folder of temporary files that is full or may not be written to."""
    try:
        yield
    except OSError as error:
        raise DataError(
            f"{name}: cannot be copied to {tempfile.gettempdir()} ({error.strerror or error}). Make room there, or set "
            "TMPDIR to another folder."
        ) from None


@contextmanager
def open_bytes(source: Source) -> Iterator[IO[bytes]]:
    """A stream of the file's bytes, decompressed if it is gzip or zstd. Its errors name the file."""
    path = source.name
    try:
        # Without a buffer until the head is known: reading the rest would copy it together with the buffer.
        with _raw(source) as raw, io.BufferedReader(raw) as stream:
            head = raw.read(4)
            raw.seek(0)
            if head.startswith(GZIP):
                with gzip.open(stream) as unpacked:
                    yield cast(IO[bytes], unpacked)
            elif head.startswith(ZSTD):
                with _zstd(source) as unpacked:
                    yield unpacked
            else:
                yield stream
    except FileNotFoundError:
        raise DataError(f"{path}: no such file or folder. Check the path.") from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"{path}: the gzip data is damaged or cut short ({error}). Copy the file again.") from None
    except OSError as error:
        raise unreadable(source, error) from None


@contextmanager
def _zstd(source: Source) -> Iterator[IO[bytes]]:
    """The unpacked bytes. Arrow opens the file itself: its threads could ask for a stream of Python while the
    interpreter ends, so it is never given one."""
    import pyarrow as pa

    packed = pa.OSFile(os.fsencode(source.path)) if source.content is None else pa.BufferReader(source.content)
    # Arrow's stream knows no lines; a buffer around it does.
    with packed, io.BufferedReader(pa.CompressedInputStream(packed, "zstd")) as unpacked:
        yield cast(IO[bytes], unpacked)


def unreadable(source: Source, error: OSError) -> DataError:
    """One line for a file that cannot be read. An error without a number is none of the system's: Arrow could not
    unpack what it read."""
    if error.errno is None:
        what = str(error).splitlines()[0].removesuffix(".")
        return DataError(f"{source.name}: the packed data is damaged or cut short ({what}). Copy the file again.")
    return DataError(f"{source.name}: cannot be read ({error.strerror}). Check the file and its permissions.")


def is_packed(source: Source) -> bool:
    """Whether the file is compressed, so that its size does not tell how much is in it."""
    try:
        with _raw(source) as raw:
            return raw.read(4).startswith((GZIP, ZSTD))
    except OSError:  # opening it to read meets the same error and explains it
        return False


def _raw(source: Source) -> io.RawIOBase:
    if source.content is None:
        return source.path.open("rb", buffering=0)
    return cast(io.RawIOBase, io.BytesIO(source.content))  # it reads and seeks as a file without a buffer does


def peek(source: Source) -> bytes:
    """The first bytes of the file, decompressed; fewer only when it is shorter."""
    with open_bytes(source) as stream:
        return read_up_to(stream, PEEK)


def read_up_to(stream: IO[bytes], most: int) -> bytes:
    """At most `most` bytes, collected piece by piece, so that memory follows what is there and not what is asked."""
    pieces, got = [], 0
    while got < most:
        piece = stream.read(min(most - got, 1 << 20))
        if not piece:
            break
        pieces.append(bytes(piece))
        got += len(piece)
    return b"".join(pieces)


def whole_rows(pieces: Iterable[bytes], end: Callable[[bytes], int], source: Source) -> Iterator[bytes]:
    """The pieces cut anew where rows end; `end` tells of each, in order, how many of its bytes belong to whole rows."""
    rest: list[bytes] = []
    for piece in pieces:
        cut = end(piece)
        if cut == len(piece) > 0 and not any(rest):
            yield piece  # a whole file that ends as it should is not copied
        elif cut:
            yield b"".join([*rest, piece[:cut]])
            rest = [piece[cut:]]
        else:
            rest.append(piece)
            if sum(map(len, rest)) > LONGEST_ROW:
                raise DataError(
                    f"{source.name}: it has a row of more than {LONGEST_ROW >> 20} MB. This is hardly a table; check "
                    "the file, and whether a quote in it is left open."
                )
    if any(rest):
        yield b"".join(rest)


def plain_name(path: Path) -> str:
    """The file's name in lower case, without the ending of a compression."""
    name = path.name.lower()
    for ending in COMPRESSIONS:
        name = name.removesuffix(ending)
    return name


def format_of(source: Source, head: bytes) -> str:
    """The format of a file: by what it contains where that is certain, otherwise by its name."""
    if not head.strip():
        raise DataError(f"{source.name}: the file is empty. Give a file with rows.")
    by_content = _by_content(source.name, head)
    if by_content:
        return by_content
    ending = Path(plain_name(source.path)).suffix
    if WEB_PAGE.match(head) and ending not in (".csv", ".tsv", ".tab"):
        raise DataError(f"{source.name}: this is a web page, not a table. Save its table as CSV, or name another file.")
    by_name = {
        ".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl",
        ".svm": "svmlight", ".svmlight": "svmlight", ".libsvm": "svmlight", ".mbox": "mbox", ".eml": "mail",
    }  # fmt: skip
    if ending in by_name:
        return by_name[ending]
    lines = head.splitlines()[: -1 if len(head) == PEEK else None] or [head]
    lines = [line for line in lines if line.strip() and not line.lstrip().startswith(b"#")]
    if 2 * sum(bool(SVMLIGHT_LINE.fullmatch(line)) for line in lines[:20]) > len(lines[:20]):
        return "svmlight"
    if head.startswith(b"From ") and MAIL_HEADERS.search(head):
        return "mbox"
    if looks_like_mail(head):
        return "mail"
    if lines and lines[0].lstrip().startswith(b"{"):
        return "jsonl"
    first = lines[0] if lines else b""  # nothing but comments
    tabs, commas = first.count(b"\t"), first.count(b",")
    if tabs and (tabs >= commas or all(line.count(b"\t") == tabs for line in lines[:20])):
        return "tsv"
    return "csv"


def _by_content(path: str, head: bytes) -> str | None:
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith(b"ARROW1"):
        return "arrow"
    if head[257:262] == b"ustar":
        raise DataError(f"{path}: this is a tar archive. Unpack it and give the folder.")
    if head.startswith(b"PK\x03\x04"):
        raise DataError(f"{path}: this is a zip archive or a spreadsheet. Unpack it, or save it as CSV.")
    if head.startswith(b"\x00\x00") and len(head) >= 4 and head[2] in (8, 9, 11, 12, 13, 14):
        return "idx"
    return None


def looks_like_mail(head: bytes) -> bool:
    """True for a raw e-mail: it begins with a header, and one that mail programs add comes before the text."""
    if not HEADER_LINE.match(head):
        return False
    headers = re.split(rb"\r?\n\r?\n", head, maxsplit=1)[0]
    return bool(MAIL_HEADERS.search(headers))
