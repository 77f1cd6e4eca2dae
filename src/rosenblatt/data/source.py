"""Opening a path: what is in it, and its bytes, decompressed on the way."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import IO, cast

from rosenblatt.errors import DataError
from rosenblatt.harmless import called

PEEK = 1 << 16
OPEN_FILES = "/proc/self/fd"
LONGEST_ROW = 1 << 28  # bytes; a small compressed file can unpack to a row without an end
COMPRESSIONS = {".gz": "gzip", ".zst": "zstd", ".zstd": "zstd"}
GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"


@dataclass(frozen=True)
class Source:
    """A file or folder, and what messages call it; or content that is in memory already and stays there."""

    path: Path
    name: str
    content: bytes | None = None
    file: io.FileIO | None = None  # the open file, where somebody keeps it open for all who read it

    @classmethod
    def at(cls, path: str | Path) -> Source:
        return cls(Path(path), called(path))

    @cached_property
    def head(self) -> bytes:
        """The first bytes, decompressed; fewer than PEEK only when there are no more."""
        with open_bytes(self) as stream:
            return read_up_to(stream, PEEK)

    @property
    def size(self) -> int:
        """Bytes of what is in it; 0 where that is not known before it is read."""
        if self.content is not None:
            return len(self.content)
        return 0 if self.packed else self.path.stat().st_size

    @cached_property
    def packed(self) -> bool:
        """Whether the file is compressed, so that its size does not tell how much is in it."""
        try:
            with _raw(self) as raw:
                return raw.read(4).startswith((GZIP, ZSTD))
        except OSError:  # opening it to read meets the same error and explains it
            return False


@contextmanager
def located(given: str | Path) -> Iterator[Source]:
    """The file, opened once for all who read it, or the folder; what comes through a pipe is copied first."""
    with ExitStack() as stack:
        if str(given) == "-":
            yield stack.enter_context(spooled(standard_input(), "standard input"))
            return
        source = Source.at(given)
        try:
            if source.path.is_fifo():
                source = stack.enter_context(spooled(stack.enter_context(source.path.open("rb")), str(given)))
            elif source.path.is_file():
                source = replace(source, file=stack.enter_context(source.path.open("rb", buffering=0)))
        except OSError as error:
            raise unreadable(source, error) from None
        yield source


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


def _raw(source: Source) -> io.RawIOBase:
    """The file without a buffer, from its beginning. Where it is kept open, it is read by one at a time."""
    if source.content is not None:
        return cast(io.RawIOBase, io.BytesIO(source.content))  # it reads and seeks as a file without a buffer does
    if source.file is None:
        return source.path.open("rb", buffering=0)
    source.file.seek(0)
    return io.FileIO(os.dup(source.file.fileno()))


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


def ending_of(path: Path) -> str:
    """What tells the format of a file by its name: the ending before that of a compression."""
    return Path(plain_name(path)).suffix
