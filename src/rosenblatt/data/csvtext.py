"""A CSV file as blocks of whole rows in UTF-8, with what pyarrow would misread refused on the way."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import IO

import numpy as np

from rosenblatt.data.source import Source, open_bytes, whole_rows
from rosenblatt.errors import DataError

SIZE = 1 << 22  # bytes of a block, which caches of a processor hold; no row may be longer than source.LONGEST_ROW
FIRST = 1 << 18
WIDE = 1_000  # columns: blocks of wide tables are so many times larger, since each costs some time for every column
NAME_ENCODING = "Name its encoding, for example latin-1 (--encoding latin-1)."
LITERAL = "if quotes in this file are literal, say so (--no-quotes; quotes=False in Python)."
NOT_LITERAL = "if quotes surround its values, say so (--quotes; quotes=True in Python)."


@dataclass(frozen=True)
class CsvSettings:
    """How a CSV file is to be understood; None where the file itself is to tell."""

    delimiter: str = ","
    header: bool | None = None
    quotes: bool = True  # False: a quote is a character like any other
    encoding: str = "utf-8"
    strings: tuple[str, ...] = ()  # columns that are text although they look like numbers
    raw: bool = False  # all of them: whoever asks knows how the values read
    looks: bool = False  # whether the first rows tell the delimiter, since nobody has
    labelled: bool = True  # whether a label is wanted


def texts(source: Source, settings: CsvSettings, start: int, larger: int) -> Iterator[bytes]:
    """Whole rows as text, some megabytes at a time; the first piece is small, to see what the values are.

    start     bytes in UTF-8 before the first row: a header may have blank lines before it and line ends inside
    larger    how many times larger than usual the pieces are
    """
    with open_bytes(source) as stream:
        pieces = without_mark(utf8(stream, source, settings, larger))
        for piece in cut_at_rows(pieces, settings, source):
            if start < len(piece):
                yield piece[start:] if start else piece
            start = max(0, start - len(piece))


def utf8(stream: IO[bytes], source: Source, settings: CsvSettings, larger: int = 1) -> Iterator[bytes]:
    """The stream in pieces of UTF-8, so many times larger than usual."""
    size = larger * SIZE
    if settings.encoding.lower().replace("_", "-") in ("utf-8", "utf8", "ascii", "us-ascii"):
        yield stream.read(min(size, FIRST))
        while piece := stream.read(size):
            yield piece
        return
    decoder = codecs.getincrementaldecoder(settings.encoding)()
    try:
        yield decoder.decode(stream.read(min(size, FIRST))).encode()
        while piece := stream.read(size):
            yield decoder.decode(piece).encode()
        yield decoder.decode(b"", final=True).encode()
    except UnicodeDecodeError as error:
        raise DataError(
            f"{source.name}: the file is not {settings.encoding} text ({error.reason} at byte {error.start}). "
            f"{NAME_ENCODING}"
        ) from None
    except UnicodeEncodeError:  # utf-7 and the like can spell half a character
        raise DataError(
            f"{source.name}: the file is not {settings.encoding} text (half a character). {NAME_ENCODING}"
        ) from None
    except UnicodeError as error:  # utf-16 without the mark it begins with
        raise DataError(f"{source.name}: the file is not {settings.encoding} text ({error}). {NAME_ENCODING}") from None


def without_mark(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The pieces without the mark of UTF-8 that some programs write first."""
    first = next(pieces, b"")
    while len(first) < len(codecs.BOM_UTF8) and (more := next(pieces, b"")):
        first += more
    return chain([first.removeprefix(codecs.BOM_UTF8)], pieces)


def cut_at_rows(pieces: Iterator[bytes], settings: CsvSettings, source: Source) -> Iterator[bytes]:
    """The pieces cut anew where rows end: at a line's end that is not inside quotes.

    Quotes that pyarrow would silently misread are refused: a quoted value must end with its quote, at a delimiter or at
    the end of its line. A quote that begins a word in a file whose quotes are literal would swallow all up to the next.
    """
    from rosenblatt.loops.quotes import NEWLINE, OPEN, PLAIN, RETURN, START, follow_quotes

    delimiter = ord(settings.delimiter)
    state = np.zeros(4, np.int64)  # where in a value the last byte was; line; line where the open quote began; row end

    def end(piece: bytes) -> int:
        if state[0] <= PLAIN and (not settings.quotes or b'"' not in piece):  # no quote is open, and none opens
            state[0] = START if piece and piece[-1] in (delimiter, NEWLINE, RETURN) else PLAIN
            state[1] += piece.count(b"\n")
            return piece.rfind(b"\n") + 1
        if follow_quotes(np.frombuffer(piece, np.uint8), delimiter, state):
            raise DataError(
                f"{source.name}, line {state[1] + 1}: text follows a closing quote. "
                f"Double the quotes inside a quoted value; {LITERAL}"
            )
        return int(state[3])

    def all_of_them() -> Iterator[bytes]:
        yield from pieces
        if state[0] == OPEN:
            raise DataError(
                f"{source.name}, line {state[2] + 1}: a quote opens here and never closes. Close it; {LITERAL}"
            )

    return whole_rows(all_of_them(), end, source)
