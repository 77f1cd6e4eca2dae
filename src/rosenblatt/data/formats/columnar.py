"""Parquet, Arrow IPC files and JSON: formats that carry their own names and types."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rosenblatt.data.format import Format, Tables

if TYPE_CHECKING:
    import pyarrow as pa

    from rosenblatt.data.reading import Reading
    from rosenblatt.data.source import Source


class Columnar(Format):
    """What Arrow reads in batches of columns."""

    memory = 6

    @classmethod
    def batches(cls, source: Source, rows: int, raw: bool) -> Iterator[pa.RecordBatch]:
        """Batches of about so many rows; `raw` leaves text that looks like a time as it is."""
        raise NotImplementedError

    @classmethod
    def blocks(cls, source: Source, how: Reading, rows: int | None) -> Tables:
        from rosenblatt.data.columnar import columnar_tables

        return columnar_tables(source, how, cls.name, cls.batches, rows)


class Parquet(Columnar):
    """Columns that are compressed one by one."""

    name, magic, binary = "parquet", b"PAR1", True

    @classmethod
    def batches(cls, source: Source, rows: int, raw: bool) -> Iterator[pa.RecordBatch]:
        from rosenblatt.data.columnar import parquet_batches

        return parquet_batches(source, rows, cls.magic)

    @classmethod
    def size(cls, source: Source) -> int:
        from rosenblatt.data.columnar import size_of_parquet

        return size_of_parquet(source)


class Arrow(Columnar):
    """Columns as they lie in Arrow's memory."""

    name, magic, binary = "arrow", b"ARROW1", True

    @classmethod
    def batches(cls, source: Source, rows: int, raw: bool) -> Iterator[pa.RecordBatch]:
        from rosenblatt.data.columnar import arrow_batches

        return arrow_batches(source, cls.magic)


class JsonLines(Columnar):
    """Objects of JSON, one on each line or all in one array."""

    name, endings, as_text = "jsonl", (".jsonl", ".ndjson", ".json"), True

    @classmethod
    def resembles(cls, head: bytes, lines: list[bytes]) -> bool:
        return bool(lines) and bool(re.match(rb"\s*(\[\s*)?\{", head.removeprefix(codecs.BOM_UTF8)))

    @classmethod
    def batches(cls, source: Source, rows: int, raw: bool) -> Iterator[pa.RecordBatch]:
        from rosenblatt.data.columnar import json_batches

        return json_batches(source, rows, raw)
