"""Workbooks of Excel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rosenblatt.data.format import Format, Tables

if TYPE_CHECKING:
    from rosenblatt.data.reading import Reading
    from rosenblatt.data.source import Source


class Excel(Format):
    """One sheet of a workbook, which is a zip archive; what other zip archives are told is said where it is read."""

    name, endings, magic, binary, takes_sheets = "excel", (".xlsx", ".xlsm", ".xls"), b"PK\x03\x04", True, True
    memory = 50

    @classmethod
    def blocks(cls, source: Source, how: Reading, rows: int | None) -> Tables:
        from rosenblatt.data.excel import read_excel

        yield read_excel(source, how)
