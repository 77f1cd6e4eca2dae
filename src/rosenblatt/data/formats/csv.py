"""Values with commas or tabs between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rosenblatt.data.format import Format, Tables, encoding_of

if TYPE_CHECKING:
    from rosenblatt.data.csvtext import CsvSettings
    from rosenblatt.data.reading import Reading
    from rosenblatt.data.source import Source


class Csv(Format):
    """Comma-separated values, in which quotes may surround a value."""

    name, as_text = "csv", True
    endings: ClassVar[tuple[str, ...]] = (".csv",)
    delimiter: ClassVar[str] = ","

    @classmethod
    def resembles(cls, head: bytes, lines: list[bytes]) -> bool:
        return True

    @classmethod
    def settings(cls, how: Reading, encoding: str = "utf-8") -> CsvSettings:
        """The settings with those of the format, and the encoding of the file, where nothing else is asked for."""
        from rosenblatt.data.csvtext import CsvSettings

        delimiter = how.delimiter or cls.delimiter
        # Tab-separated values have no quoting by their definition; comma-separated values do.
        quotes = how.quotes if how.quotes is not None else delimiter != "\t"
        looks, wanted = how.delimiter is None and cls.delimiter == ",", how.labelled and how.label is None
        read_as = how.encoding or encoding
        return CsvSettings(delimiter, how.header, quotes, read_as, tuple(how.strings), how.raw, looks, wanted)

    @classmethod
    def blocks(cls, source: Source, how: Reading, rows: int | None) -> Tables:
        from rosenblatt.data.csv import csv_tables

        return csv_tables(
            source, how.label, how.labelled, cls.settings(how, encoding_of(source.head)), whole=rows is None
        )


class Tsv(Csv):
    """Tab-separated values, in which a quote is a character like any other."""

    name, endings, delimiter = "tsv", (".tsv", ".tab"), "\t"

    @classmethod
    def resembles(cls, head: bytes, lines: list[bytes]) -> bool:
        tabs, commas = (lines[0].count(sign) if lines else 0 for sign in (b"\t", b","))
        return tabs > 0 and (tabs >= commas or all(line.count(b"\t") == tabs for line in lines))
