"""A folder of class folders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rosenblatt.data.format import Format, Tables
from rosenblatt.errors import DataError

if TYPE_CHECKING:
    from rosenblatt.data.reading import Reading
    from rosenblatt.data.source import Source


class Text(Format):
    """Files of text; where nobody asks for texts and most of the files look like mail, they are read as that."""

    name, takes_folders, memory = "text", True, 6

    @classmethod
    def blocks(cls, source: Source, how: Reading, rows: int | None) -> Tables:
        from rosenblatt.data.folder import read_folder

        if not source.path.is_dir():
            raise DataError(f"{source.name}: format text is for a folder of class folders, and this is a file.")
        return read_folder(source, how, rows)
