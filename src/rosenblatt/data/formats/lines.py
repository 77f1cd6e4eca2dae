"""Texts that stand one on each line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rosenblatt.data.format import Format, Tables
from rosenblatt.errors import DataError

if TYPE_CHECKING:
    from rosenblatt.data.reading import Reading
    from rosenblatt.data.source import Source

PREFIX = "__label__"


class Lines(Format):
    """A text on each line and nothing else, for a model to predict. Only whoever has such a model can tell them."""

    name = "lines"

    @classmethod
    def blocks(cls, source: Source, how: Reading, rows: int | None) -> Tables:
        from rosenblatt.data.lines import plain_tables

        if how.labelled:
            raise DataError(
                f"{source.name}: lines of plain text have no labels. Write each as {PREFIX}spam Win money now, or put "
                "the texts of each class into a file of its own."
            )
        return plain_tables(source, how, rows)


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


def name_no(column: str, first: bytes) -> bool:
    """Whether lines of which this is the first are no table with this column: those that name none have c1, c2, …"""
    cells = [cell.strip(b' \t\r"') for cell in re.split(rb"[,;|\t]", first)]
    return column.encode() not in cells and not re.fullmatch("c[1-9][0-9]*", column)
