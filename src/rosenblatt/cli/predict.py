"""`rosenblatt predict`: the class of every row, in the order of the rows, without holding them all."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import IO, TYPE_CHECKING, Any

import click

from rosenblatt.cli.options import how_to_read, reading, say, share
from rosenblatt.cli.outputs import check_outputs
from rosenblatt.cli.screen import refuse_binary
from rosenblatt.errors import DataError, SettingError
from rosenblatt.harmless import csv_lines, visible

if TYPE_CHECKING:
    import pyarrow as pa

    from rosenblatt.data.table import Table
    from rosenblatt.model import Model

ROWS = 20_000  # read, predicted and written at a time


@click.command()
@click.argument("model")
@click.argument("data", required=False)
@click.option("--text", help="A message, instead of DATA.")
@click.option("--keep", metavar="COLUMNS", help="Columns of DATA to write before the prediction, such as id,name.")
@click.option("--out", default="-", metavar="FILE", help="Where to write; - for standard output, the default.")
@click.option("--to", type=click.Choice(["csv", "jsonl", "parquet"]), help="Otherwise by the ending of --out, or csv.")
@click.option(
    "--scores", is_flag=True, help="Also the score of every class; of two, that of the second and its threshold."
)
@click.option("--probabilities", is_flag=True, help="Also the probability of every class.")
@click.option(
    "--sets", metavar="SHARE", help="Also all classes that a row may be of, right for this share, such as 95%."
)
@click.option(
    "--threshold", metavar="T", help="Of two classes: the second above this score, or above this probability (70%)."
)
@click.option("--positive", metavar="CLASS", help="Of two classes, the one that --scores and --threshold are about.")
@click.option("--json", "as_json", is_flag=True, help="What was noticed about the rows as one JSON object.")
@reading
def predict(
    model: str,
    data: str | None,
    text: str | None,
    keep: str | None,
    out: str,
    to: str | None,
    scores: bool,
    probabilities: bool,
    sets: str | None,
    threshold: str | None,
    positive: str | None,
    as_json: bool,
    **how: Any,
) -> None:
    """Predict the class of every row of DATA, a file or - for standard input, the default; or of a text."""
    if text is not None and (data is not None or keep is not None):
        raise click.UsageError("--text is the only message: leave out DATA and --keep, or leave out --text.")
    data = "-" if data is None else data
    form = to or {"jsonl": "jsonl", "ndjson": "jsonl", "parquet": "parquet"}.get(out.rpartition(".")[2], "csv")
    refuse_binary(out == "-" and form == "parquet")
    check_outputs({"--out": out}, {"MODEL": model, "DATA": data, "--names": how["names"]})
    from rosenblatt.data.table import add_notes, told_notes
    from rosenblatt.features.unseen import Unseen
    from rosenblatt.model.answers import Asked, answer_columns
    from rosenblatt.store import load

    loaded = load(model)
    if threshold is not None:
        loaded = _with_threshold(loaded, threshold, positive)
    asked = Asked(scores, probabilities, None if sets is None else share(sets), positive)
    promised = asked.check(loaded)
    how_read = how_to_read(labelled=False, **how)
    batches = _tables(loaded.read(data, batches=ROWS, **how_read) if text is None else iter([loaded.texts([text])]))
    unseen, notes, sizes = Unseen(loaded.plan), dict[str, int](), Counter[str]()
    with _stream(out) as stream, _writer(form, stream, out == "-") as write:
        for table in batches:
            answers = answer_columns(loaded, _scores(loaded, unseen.completed(table)), asked)
            write(_beside(table, keep, answers))
            add_notes(notes, table.notes)
            sizes.update(_sizes(answers))
    told = [*told_notes(notes), *promised, *_size_notes(sizes)]
    if as_json:
        say(json.dumps({**unseen.to_dict(), "notes": told}, ensure_ascii=False))
        return
    for note in (*(f"note: {note}" for note in told), *unseen.notes()):
        say(note)


def _tables(batches: Iterator[Table]) -> Iterator[Table]:
    """The tables; of a file that names its columns and has no rows, one without rows."""
    from rosenblatt.data.table import NoRows

    try:
        yield from batches
    except NoRows as empty:
        yield empty.table


def _scores(model: Model, table: Table) -> Any:
    if table.n_rows:
        return model.scores(table)
    import numpy as np

    return np.empty(0 if len(model.classes.names) == 2 else (0, len(model.classes.names)))


def _beside(table: Table, keep: str | None, answers: pa.Table) -> pa.Table:
    """The answers with the columns that are to be kept before them."""
    if keep is None:
        return answers
    from rosenblatt.data.table import nearest_hint, some

    columns = table.columns if table.label is None else table.columns.append_column(table.label, table.labels)
    there = columns.column_names
    names = [keep] if keep in there else [name.strip() for name in keep.split(",")]
    for place, name in enumerate(names):
        if name not in there:
            hint = nearest_hint(name, there)
            raise DataError(
                f"--keep: no column named {name!r} in {table.origin.source}. Columns are: {some(there)}.{hint}"
            )
        if name in answers.column_names or name in names[:place]:
            raise SettingError(f"--keep: {name!r} would be there twice. Leave it out, or rename the column.")
    for place, name in enumerate(names):
        answers = answers.add_column(place, name, columns[name])
    return answers


def _with_threshold(model: Model, text: str, positive: str | None) -> Model:
    """The model with its line at this score, or where the positive class (or the second) has this probability."""
    from rosenblatt.features.labels import place_of_positive

    try:
        value = float(text.removesuffix("%"))
    except ValueError:
        raise SettingError(f"--threshold is a score such as 0.5 or a probability such as 70%; got {text!r}.") from None
    turned = positive is not None and place_of_positive(positive, model.classes.names) == 0
    if text.endswith("%") and len(model.classes.names) == 2:
        from rosenblatt.learn.calibration import refuse_none

        value = refuse_none(model.decision.calibration).score_at((100 - value if turned else value) / 100)
    elif turned:
        value = 0.0 - value
    return model.with_threshold(value)


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


def _plain_cells(column: Any) -> list[Any]:
    """The values of a column; of sets the names with bars between."""
    values = column.to_pylist()
    return ["|".join(each) for each in values] if values and isinstance(values[0], list) else values


def _sizes(answers: pa.Table) -> Counter[str]:
    """How many sets are empty, single and larger; nothing where no sets were asked for."""
    if "set" not in answers.column_names:
        return Counter()
    lengths = Counter(len(each) for each in answers["set"].to_pylist())
    larger = sum(count for size, count in lengths.items() if size > 1)
    return Counter({"empty": lengths[0], "single": lengths[1], "larger": larger})


def _size_notes(sizes: Counter[str]) -> list[str]:
    if not sizes:
        return []
    counted = ", ".join(f"{sizes[name]:,} {name}" for name in ("empty", "single", "larger"))
    return [f"sets: {counted}{' (an empty set: unlike the rows of every class)' if sizes['empty'] else ''}"]


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
            rows = zip(*(_plain_cells(column) for column in table.columns), strict=True)
            text = csv_lines(rows if self.begun else chain([table.column_names], rows))
        self.begun = True
        self.stream.write(self.shown(text).encode())
