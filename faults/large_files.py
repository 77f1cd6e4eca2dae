"""Large files with one fault, made by repeating a piece: as CSV, JSON lines and Parquet, packed or not."""

from __future__ import annotations

import gzip
import io
import json

import pyarrow as pa
import pyarrow.parquet

FORMS = ("csv", "csv.gz", "csv.zst", "jsonl", "jsonl.gz", "jsonl.zst", "parquet", "parquet.gz")
LATE = ("row", "type")  # faults of the last row
MEGABYTE = 1 << 20
ROWS = [
    {"a": number / 7, "b": number % 11, "word": ("red", "green", "blue")[number % 3], "text": f"{number:040}",
     "label": "xy"[number % 5 > 2]}
    for number in range(900)
]  # fmt: skip


def content(form: str, size: int, fault: str | None) -> bytes:
    """A table of at least so many bytes of text.

    fault    columns: none is the model's · label: there is none of that name · row: the last is no row · type: the last
             has a word for a number
    """
    rows = [dict(row) for row in ROWS]
    if fault == "columns":
        rows = [{f"other {name}": value for name, value in row.items()} for row in rows]
    elif fault == "label":
        rows = [{name: value for name, value in row.items() if name != "label"} for row in rows]
    last = {**rows[-1], "a": "many"} if fault == "type" else rows[-1]
    if form.startswith("parquet"):
        return _parquet(rows, last, size)
    written = _json if form.startswith("jsonl") else _csv
    piece = "".join(map(written, rows)).encode()
    end = {"row": written(last)[:-10] + ("" if written is _json else ",1,2,3\n")}.get(fault or "", written(last))
    head = b"" if written is _json else (",".join(rows[0]) + "\n").encode()
    return head + piece * (1 + size // len(piece)) + end.encode()


def _csv(row: dict[str, object]) -> str:
    return ",".join(map(str, row.values())) + "\n"


def _json(row: dict[str, object]) -> str:
    return json.dumps(row) + "\n"


def _parquet(rows: list[dict[str, object]], last: dict[str, object], size: int) -> bytes:
    """Of one type for each column, as the format demands: another type at the end is one everywhere."""
    if isinstance(last.get("a"), str):
        rows = [{**row, "a": str(last["a"])} for row in rows]
    piece = pa.Table.from_pylist(rows)
    whole = pa.concat_tables([piece] * (1 + size // (len(rows) * 90)))
    sink = io.BytesIO()
    pyarrow.parquet.write_table(whole, sink, compression="snappy", use_dictionary=False)
    return sink.getvalue()


def packed(text: bytes, form: str, damaged: bool) -> bytes:
    """The text as its form says; a damaged one has lost its last third, or all but a third in the middle of a Parquet
    file, whose end tells where everything is."""
    if form.endswith(".gz"):
        text = gzip.compress(text, 1)
    elif form.endswith(".zst"):
        sink = pa.BufferOutputStream()
        with pa.CompressedOutputStream(sink, "zstd") as stream:
            stream.write(text)
        text = sink.getvalue().to_pybytes()
    if not damaged:
        return text
    third = len(text) // 3
    return text[:third] + bytes(third) + text[2 * third :] if form == "parquet" else text[: 2 * third]
