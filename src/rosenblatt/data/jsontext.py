"""Objects of JSON as lines: those of JSON lines as they are, those of one array taken out of it while it is read."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import IO

from rosenblatt.data.source import LONGEST_ROW, Source, open_bytes, whole_rows
from rosenblatt.errors import DataError

BLOCK = 1 << 24
BLANKS = re.compile(r"[ \t\r\n]*")
WRITE = 'Write one array of objects, as in [{"text": "…", "label": "…"}].'
CUT_OFF = "the file ends within the array. Copy it again, or close the array with ]."
DECODER = json.JSONDecoder(parse_int=str)  # what becomes of a number is for others to say
NEARLY = 16  # bytes: a word, a number or an escape that the end of the text cuts in two is refused where it begins


def is_array(head: bytes) -> bool:
    """Whether a text with these first bytes is one array."""
    return head.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"[")


def texts(source: Source) -> Iterator[bytes]:
    """Whole lines, an object on each, some megabytes at a time."""
    with open_bytes(source) as stream:
        if is_array(source.head):
            yield from _blocks(_Array(stream, source).elements())
        else:
            pieces = iter(lambda: stream.read(BLOCK), b"")
            yield from whole_rows(pieces, lambda piece: piece.rfind(b"\n") + 1, source)


def rows(source: Source) -> Iterator[bytes]:
    """The objects one by one, for whoever looks for one that is wrong; of JSON lines also those that are blank."""
    with open_bytes(source) as stream:
        if is_array(source.head):
            yield from _Array(stream, source).elements()
        else:
            yield from iter(lambda: stream.readline(LONGEST_ROW), b"")


def _blocks(lines: Iterator[bytes]) -> Iterator[bytes]:
    held, size = [], 0
    for line in lines:
        held.append(line)
        size += len(line)
        if size >= BLOCK:
            yield b"".join(held)
            held, size = [], 0
    if held:
        yield b"".join(held)


class _Array:
    """An array, a part of it in memory: bytes as latin-1 has them, so that what they spell is for others to say."""

    def __init__(self, stream: IO[bytes], source: Source) -> None:
        self.stream, self.source = stream, source
        self.text, self.at = "", 0
        self.row = self.line = 1  # the row that comes next, and the line in which the text begins

    def elements(self) -> Iterator[bytes]:
        """Each element as a line."""
        begun = self.stream.read(self.source.head.index(b"[") + 1)
        self.line += begun.count(b"\n")
        while self._sign() != "]" or self.row > 1:
            yield self._element()
            self.row += 1
            if self._sign() == "]":
                break
            self._pass(",")
        self._pass("]")
        if self._sign():
            raise self._wrong(f"text follows the end of the array. {WRITE}", self.at)

    def _element(self) -> bytes:
        while True:
            try:
                end = DECODER.raw_decode(self.text, self.at)[1]
            except json.JSONDecodeError as error:
                cut = error.msg.startswith("Unterminated string") or error.pos + NEARLY > len(self.text)
                if not cut or not self._more():
                    cut = cut and not self.text.rstrip().endswith("]")
                    raise self._wrong(CUT_OFF if cut else f"not JSON ({error.msg}). {WRITE}", error.pos) from None
            except RecursionError:
                raise self._wrong(f"not JSON (nested too deeply). {WRITE}", self.at) from None
            else:
                if end < len(self.text) or not self._more():  # a number may go on
                    break
        line = self.text[self.at : end].replace("\n", " ").replace("\r", " ")  # these can stand between values alone
        self.at = end
        return f"{line}\n".encode("latin-1")

    def _pass(self, sign: str) -> None:
        found = self._sign()
        if found != sign:
            raise self._wrong(f"{found!a} where {sign!r} is needed. {WRITE}" if found else CUT_OFF, self.at)
        self.at += 1

    def _sign(self) -> str:
        """The next character that is not blank, or nothing where the file ends."""
        while True:
            self.at = BLANKS.match(self.text, self.at).end()  # type: ignore[union-attr]
            if self.at < len(self.text) or not self._more():
                return self.text[self.at : self.at + 1]

    def _more(self) -> bool:
        """Whether the file goes on: a part of it as long as what is left, and at least a block."""
        left = len(self.text) - self.at
        if left > LONGEST_ROW:
            raise DataError(f"{self.source.name}, row {self.row}: longer than {LONGEST_ROW >> 20} MB. {WRITE}")
        piece = self.stream.read(max(BLOCK, left))
        if piece:
            self.line += self.text.count("\n", 0, self.at)
            self.text, self.at = self.text[self.at :] + piece.decode("latin-1"), 0
        return bool(piece)

    def _wrong(self, what: str, place: int) -> DataError:
        line = self.line + self.text.count("\n", 0, place)
        return DataError(f"{self.source.name}, row {self.row}, in line {line}: {what}")
