"""Rows of the loops in files: written block by block, mapped as the arrays that the loops read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from rosenblatt.claims import Misfit, fields, number, whole, words
from rosenblatt.data.maps import is_mapped, mapped, relieve
from rosenblatt.loops.rows import Dense, Rows, Sparse, Words, columns_increase, n_bytes, n_features, n_rows

PIECE = 1 << 21  # values that are converted at a time
AT_A_TIME = 1 << 25  # bytes
FEW = 1 << 20  # bytes of rows that are not worth looking where they lie
KINDS = ("Dense", "Sparse", "Words")
TYPES = tuple(np.dtype(kind).str for kind in (np.uint8, np.float32, np.float64))


class RowsWriter:
    """Appends rows of any storage. Words stay Words until the first rows that are not: the same choice as in memory."""

    def __init__(self, folder: Path, stem: str = "", buffering: int = 1 << 20) -> None:
        self.folder, self.stem, self.buffering = folder, stem, buffering
        self.files: dict[str, Any] = {}
        self.kind: type[Rows] | None = None
        self.type = np.dtype(np.float64)
        self.rows = self.end = self.width = 0
        self.bias = 1.0

    def append(self, rows: Rows) -> None:
        """The rows behind those that were appended before."""
        relieve()
        if self.kind is None:
            self.kind, self.bias = type(rows), rows.bias
            self.type = (rows.scales if isinstance(rows, Words) else rows.values).dtype
            if not isinstance(rows, Dense):
                self._write("starts", np.zeros(1, np.uint64))
        self.width = max(self.width, n_features(rows))
        self.rows += n_rows(rows)
        if isinstance(rows, Dense):
            self._write("values", rows.values)
            return
        first, last = int(rows.starts[0]), int(rows.starts[-1])
        self._write("starts", rows.starts[1:] - rows.starts[0] + np.uint64(self.end))
        self._write("columns", rows.columns[first:last])
        if self.kind is Words and isinstance(rows, Sparse):
            self._spread()
        if self.kind is Words and isinstance(rows, Words):
            self._write("scales", rows.scales)
        elif isinstance(rows, Words):
            self._write("values", np.repeat(rows.scales, np.diff(rows.starts).astype(np.int64)))
        else:
            self._write("values", rows.values[first:last])
        self.end += last - first

    def _spread(self) -> None:
        """Gives every value of the rows so far a place of its own."""
        for part in ("starts", "scales"):
            if part in self.files:
                self.files[part].flush()
        before = self._path("scales").stat().st_size // self.type.itemsize if "scales" in self.files else 0
        starts = mapped(self._path("starts"), np.uint64, (before + 1,))
        scales = mapped(self._path("scales"), self.type, (before,))
        step = max(1, PIECE * before // max(1, self.end))
        for at in range(0, before, step):
            lengths = np.diff(starts[at : at + step + 1]).astype(np.int64)
            self._write("values", np.repeat(scales[at : at + step], lengths))
        if "scales" in self.files:
            self.files.pop("scales").close()
            self._path("scales").unlink()
        self.kind = Sparse

    def _path(self, part: str) -> Path:
        return self.folder / f"{self.stem}{part}"

    def _write(self, part: str, values: np.ndarray) -> None:
        if part not in self.files:
            self.files[part] = self._path(part).open("wb", self.buffering)
        if values.size:
            left = np.ascontiguousarray(values).data.cast("B")
            while len(left):  # without a buffer a write may end early
                left = left[self.files[part].write(left) :]

    def close(self) -> dict[str, Any]:
        """Ends the files; the answer, plain values, is what `load_rows` needs."""
        for file in self.files.values():
            file.close()
        return {
            "kind": "" if self.kind is None else self.kind.__name__, "type": self.type.str, "rows": self.rows,
            "end": self.end, "width": self.width, "bias": self.bias,
        }  # fmt: skip


def load_rows(folder: Path, plain: dict[str, Any], stem: str = "") -> Rows:
    """The rows over their mapped files, which this process has just written; nothing is read."""
    rows, end, width = plain["rows"], plain["end"], plain["width"]
    if plain["kind"] == "Dense":
        return Dense(mapped(folder / f"{stem}values", plain["type"], (rows, width)), plain["bias"])
    starts = mapped(folder / f"{stem}starts", np.uint64, (rows + 1,))
    columns = mapped(folder / f"{stem}columns", np.uint32, (end,))
    if plain["kind"] == "Words":
        scales = mapped(folder / f"{stem}scales", plain["type"], (rows,))
        return Words(starts, columns, scales, width, plain["bias"])
    return Sparse(starts, columns, mapped(folder / f"{stem}values", plain["type"], (end,)), width, plain["bias"])


def read_rows(folder: Path, plain: Any, count: int, width: int, stem: str = "") -> Rows:
    """The rows of files that somebody may have written to: so many, over so many columns. Misfit where they cannot be.

    All starts and columns are looked at: the loops do not look again.
    """
    form = {"kind": words(*KINDS), "type": words(*TYPES), "rows": whole(count, count), "end": whole(),
            "width": whole(width, width), "bias": number(0, 1)}  # fmt: skip
    fields(form)(plain, "the rows")
    if plain["type"] == TYPES[0] and plain["kind"] != "Dense":
        raise Misfit(f"the rows.type must be {TYPES[1]} or {TYPES[2]} where rows are sparse; got {TYPES[0]}")
    rows = load_rows(folder, plain, stem)
    if not isinstance(rows, Dense):
        _check_starts(rows.starts, plain["end"])
    for start, _, some in pieces(rows):
        values = some.scales if isinstance(some, Words) else some.values
        if values.dtype.kind == "f" and not np.isfinite(values).all():
            raise Misfit(f"the rows from {start} on must be finite")
        if not isinstance(some, Dense) and not columns_increase(some.starts, some.columns, np.uint32(width)):
            raise Misfit(f"the rows from {start} on must have rising columns below {width}")
    return rows


def _check_starts(starts: np.ndarray, end: int) -> None:
    """Misfit unless they rise from 0 to the end."""
    rising = starts[0] == 0 and starts[-1] == end
    for first in range(0, len(starts), PIECE):
        some = starts[first : first + PIECE + 1]
        rising = rising and not (some[1:] < some[:-1]).any()
        relieve()
    if not rising:
        raise Misfit(f"the row starts must rise from 0 to {end}")


def main_array(rows: Rows) -> np.ndarray:
    """An array that every storage has and that is never empty: where it lies, the rows lie."""
    return rows.values if isinstance(rows, Dense) else rows.starts


def pieces(rows: Rows) -> Iterator[tuple[int, int, Rows]]:
    """Rows on the disk some megabytes at a time, with the numbers of the first and of the one behind the last.

    Rows in memory, and few rows wherever they lie, come in one piece.
    """
    count, size = n_rows(rows), n_bytes(rows)
    if size <= FEW or not is_mapped(main_array(rows)):
        yield 0, count, rows
        return
    step = max(1, AT_A_TIME * count // size)
    for start in range(0, count, step):
        yield start, min(start + step, count), slice_rows(rows, start, min(start + step, count))
        relieve()


def converted(rows: Rows, change: Callable[[Any], Rows]) -> Rows:
    """The rows after a change that looks at each by itself; on the disk if they are there."""
    if not is_mapped(main_array(rows)):
        return change(rows)
    return written(change(some) for _, _, some in pieces(rows))


def on_disk(values: np.ndarray) -> np.ndarray:
    """The array in a file that has no name any more."""
    from rosenblatt.data import cache

    with cache.unnamed() as folder:
        with (folder / "values").open("wb") as file:
            file.write(np.ascontiguousarray(values).data.cast("B"))
        return mapped(folder / "values", values.dtype, values.shape)


def written(parts: Iterable[Rows]) -> Rows:
    """The rows of all parts, in files that have no name any more: they go when nobody uses the rows."""
    from rosenblatt.data import cache

    with cache.unnamed() as folder:
        writer = RowsWriter(folder)
        for part in parts:
            writer.append(part)
        return load_rows(folder, writer.close())


def slice_rows(rows: Rows, start: int, stop: int) -> Rows:
    """Rows start to stop, as views; the row starts alone are copied."""
    if isinstance(rows, Dense):
        return Dense(rows.values[start:stop], rows.bias)
    starts = rows.starts[start : stop + 1]
    first, last = int(starts[0]), int(starts[-1])
    starts, columns = starts - starts[0], rows.columns[first:last]
    if isinstance(rows, Words):
        return Words(starts, columns, rows.scales[start:stop], rows.n_columns, rows.bias)
    return Sparse(starts, columns, rows.values[first:last], rows.n_columns, rows.bias)
