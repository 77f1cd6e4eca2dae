"""Folders of class folders, of texts or of mail; a file of one message, and an mbox of many."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rosenblatt.data.format import Format, Tables
from rosenblatt.errors import DataError

if TYPE_CHECKING:
    from rosenblatt.data.reading import Reading
    from rosenblatt.data.source import Source

# Compiled when the first file is looked at. Added by the programs that send and deliver mail:
ADDED = rb"(?im)^(received|return-path|delivered-to|message-id|mime-version|x-mailer|in-reply-to)[ \t]*:"
HEADER_LINE = rb"(?i)(from [^\n]*\n)?[!-9;-~]+[ \t]*:"


class Text(Format):
    """Files of text; where nobody asks for texts and most of the files look like mail, they are read as that."""

    name, takes_folders, memory = "text", True, 6

    @classmethod
    def blocks(cls, source: Source, how: Reading, rows: int | None) -> Tables:
        from rosenblatt.data.folder import read_folder

        if not source.path.is_dir():
            raise DataError(f"{source.name}: format text is for a folder of class folders, and this is a file.")
        return read_folder(source, how, rows)


class Mail(Format):
    """One message, or a folder of them: it begins with a header, and one that is added comes before the text."""

    name, endings, takes_folders, memory = "mail", (".eml",), True, 6

    @classmethod
    def resembles(cls, head: bytes, lines: list[bytes]) -> bool:
        return looks_like_mail(head)

    @classmethod
    def blocks(cls, source: Source, how: Reading, rows: int | None) -> Tables:
        from rosenblatt.data.folder import read_folder, read_mail

        return read_folder(source, how, rows) if source.path.is_dir() else read_mail(source, how)


class Mbox(Format):
    """Many messages, each of which begins at a line `From …`."""

    name, endings, memory = "mbox", (".mbox",), 6

    @classmethod
    def resembles(cls, head: bytes, lines: list[bytes]) -> bool:
        return head.startswith(b"From ") and bool(re.search(ADDED, head))

    @classmethod
    def blocks(cls, source: Source, how: Reading, rows: int | None) -> Tables:
        from rosenblatt.data.folder import read_mbox

        return read_mbox(source, how, rows)


def looks_like_mail(head: bytes) -> bool:
    """Whether this is the beginning of a raw e-mail."""
    return bool(re.match(HEADER_LINE, head) and re.search(ADDED, re.split(rb"\r?\n\r?\n", head, maxsplit=1)[0]))
