"""Texts that stand one on each line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rosenblatt.data.format import Format, Tables

if TYPE_CHECKING:
    from rosenblatt.data.reading import Reading
    from rosenblatt.data.source import Source

PREFIX = "__label__"


class FastText(Format):
    """A label and a text on each line: `__label__spam Win money now`."""

    name = "fasttext"

    @classmethod
    def resembles(cls, head: bytes, lines: list[bytes]) -> bool:
        return bool(re.match(rb"(\xef\xbb\xbf)?\s*" + PREFIX.encode(), head))

    @classmethod
    def blocks(cls, source: Source, how: Reading, rows: int | None) -> Tables:
        from rosenblatt.data.lines import fasttext_tables

        return fasttext_tables(source, how, rows)
