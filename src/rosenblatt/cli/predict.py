"""`rosenblatt predict`: the class of every row, in the order of the rows, without holding them all."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import IO, TYPE_CHECKING, Any

import click

from rosenblatt.cli.options import how_to_read, reading, say
from rosenblatt.cli.outputs import check_outputs
from rosenblatt.cli.screen import refuse_binary
from rosenblatt.harmless import csv_lines, visible

if TYPE_CHECKING:
    import pyarrow as pa

    from rosenblatt.model import Model

ROWS = 20_000  # read, predicted and written at a time


@click.command()
@click.argument("model")
@click.argument("data", default="-")
@click.option("--out", default="-", metavar="FILE", help="Where to write; - for standard output, the default.")
@click.option("--to", type=click.Choice(["csv", "jsonl", "parquet"]), help="Otherwise by the ending of --out, or csv.")
@click.option(
    "--scores", is_flag=True, help="Also the score of every class; of two, that of the second and its threshold."
)
@click.option("--json", "as_json", is_flag=True, help="What was noticed about the rows as one JSON object.")
@reading
def predict(model: str, data: str, out: str, to: str | None, scores: bool, as_json: bool, **how: Any) -> None:
    """Predict the class of every row of DATA, a file or - for standard input."""
    form = to or {"jsonl": "jsonl", "ndjson": "jsonl", "parquet": "parquet"}.get(out.rpartition(".")[2], "csv")
    refuse_binary(out == "-" and form == "parquet")
    check_outputs({"--out": out}, {"MODEL": model, "DATA": data, "--names": how["names"]})
    from rosenblatt.data.table import add_notes, told_notes
    from rosenblatt.features.unseen import Unseen
    from rosenblatt.store import load

    loaded = load(model)
    batches = loaded.read(data, batches=ROWS, **how_to_read(labelled=False, **how))
    unseen, notes = Unseen(loaded.plan), dict[str, int]()
    with _stream(out) as stream, _writer(form, stream, out == "-") as write:
        for table in batches:
            write(_answers(loaded, unseen.completed(table), scores))
            add_notes(notes, table.notes)
    if as_json:
        say(json.dumps({**unseen.to_dict(), "notes": told_notes(notes)}, ensure_ascii=False))
        return
    for note in (*(f"note: {note}" for note in told_notes(notes)), *unseen.notes()):
        say(note)


def _answers(model: Model, table: Any, scores: bool) -> pa.Table:
    import numpy as np
    import pyarrow as pa

    from rosenblatt.data.table import string_column

    found = model.scores(table)
    codes = model.decision.decide(found)
    names = string_column(model.classes.names).cast(pa.string())
    columns: dict[str, Any] = {"prediction": names.take(_column(codes.astype(np.int64)))}
    if scores and found.ndim == 1:
        columns[f"score {model.classes.names[1]}"] = _column(found.astype(np.float64))
        columns["threshold"] = _column(np.full(len(found), model.decision.threshold, np.float64))
    elif scores:
        for place, name in enumerate(model.classes.names):
            columns[f"score {name}"] = _column(np.ascontiguousarray(found[:, place], np.float64))
    return pa.table(columns)


def _column(numbers: Any) -> pa.Array:
    """The numbers as Arrow has them, over the same memory. `pa.array` would load what it never needs: 0.03 s."""
    import pyarrow as pa

    return pa.Array.from_buffers(pa.from_numpy_dtype(numbers.dtype), len(numbers), [None, pa.py_buffer(numbers)])


@contextmanager
def _stream(out: str) -> Iterator[IO[bytes]]:
    if out == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    from rosenblatt.writing import writing_whole

    with writing_whole(out) as stream:
        yield stream


@contextmanager
def _writer(form: str, stream: IO[bytes], stdout: bool) -> Iterator[Callable[[pa.Table], None]]:
    """What writes one table after the other in this format. Arrow writes Parquet in the thread that calls it."""
    if form != "parquet":
        yield _LineWriter(form, stream, visible if stdout and sys.stdout.isatty() else str)
        return
    import pyarrow.parquet as pq

    opened: list[Any] = []

    def write(table: pa.Table) -> None:
        if not opened:
            opened.append(pq.ParquetWriter(stream, table.schema))
        opened[0].write_table(table)

    try:
        yield write
    finally:
        for writer in opened:
            writer.close()


class _LineWriter:
    """CSV with a header, or JSON lines. Arrow's own CSV writer would put quotes around every word.

    JSON has no infinite numbers: there a score is null, and the prediction says which way it points.
    """

    def __init__(self, form: str, stream: IO[bytes], shown: Callable[[str], str]) -> None:
        self.form, self.stream, self.shown, self.begun = form, stream, shown, False

    def __call__(self, table: pa.Table) -> None:
        if self.form == "jsonl":
            from rosenblatt.store.contents import finite

            text = "".join(json.dumps(finite(row), ensure_ascii=False) + "\n" for row in table.to_pylist())
        else:
            rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
            text = csv_lines(rows if self.begun else chain([table.column_names], rows))
        self.begun = True
        self.stream.write(self.shown(text).encode())
