"""svmlight and libsvm files: `label column:value column:value …`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rosenblatt.data.format import Format, Tables
from rosenblatt.errors import DataError

if TYPE_CHECKING:
    from rosenblatt.data.reading import Reading
    from rosenblatt.data.source import Source

LINE = rb"[ \t]*[+-]?[0-9.]+([eE][+-]?[0-9]+)?([ \t]+[^ \t:,]+:[^ \t,]+)+[ \t]*(#.*)?"


class Svmlight(Format):
    """Sparse rows, whose label comes first."""

    name, endings, as_text = "svmlight", (".svm", ".svmlight", ".libsvm"), True
    takes_names, memory = True, 9

    @classmethod
    def resembles(cls, head: bytes, lines: list[bytes]) -> bool:
        return 2 * sum(bool(re.fullmatch(LINE, line)) for line in lines) > len(lines)

    @classmethod
    def blocks(cls, source: Source, how: Reading, rows: int | None) -> Tables:
        from rosenblatt.data.svmlight import svmlight_tables

        if how.label not in (None, "label"):
            raise DataError(
                f"{source.name}: a svmlight file has its label first on each line and no column named {how.label!r}. "
                "Leave the label out."
            )
        return svmlight_tables(source, how.labelled, how.feature_names(), whole=rows is None)
