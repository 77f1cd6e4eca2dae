"""Rows in tiles for a kernel: in the narrowest arithmetic that is exact for them.

Whole numbers have exact products: in 32 bits while every length² is below 2^31, in float64 below 2^53. All other rows
are summed in float64 in the order of their columns. Which of them it is changes the speed and no value.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.data.memory import available, show_size
from rosenblatt.errors import DataError
from rosenblatt.loops.rows import Dense, Rows, Sparse, Words, n_features, n_rows, take
from rosenblatt.loops.tiles import CSR, GROUP, TILE, Real, Whole, fill_squares, fill_tiles

INT32, EXACT = 2.0**31, 2.0**53
SHORT = 32  # columns: rows that are shorter do not fill the vector units one by one
FIRST_OTHERS = 1024


class Facts(NamedTuple):
    """What decides in which arithmetic rows are multiplied; facts of two sets of rows merge."""

    sparse: bool
    whole: bool
    lowest: float
    highest: float
    longest: float  # length²
    double: bool  # whether float32 does not hold every value

    def merged(self, other: Facts) -> Facts:
        return Facts(
            self.sparse or other.sparse,
            self.whole and other.whole,
            min(self.lowest, other.lowest),
            max(self.highest, other.highest),
            max(self.longest, other.longest),
            self.double or other.double,
        )

    @property
    def exact(self) -> bool:
        """Whether products are whole numbers that nothing rounds, and distances, up to four times as large, too."""
        return self.whole and 4 * self.longest < EXACT

    def form(self, width: int) -> tuple[type, Any]:
        """The storage of the tiles, and the type of their values."""
        if self.sparse:
            return CSR, np.float64
        if self.whole and self.longest < INT32 and width >= SHORT:
            if self.lowest >= 0 and self.highest <= 255:
                return Whole, np.uint8
            if self.lowest > -(2**15) and self.highest < 2**15:
                return Whole, np.int16
        return Real, np.float64 if self.double else np.float32


def facts_of(rows: Rows, squares: np.ndarray) -> Facts:
    """The facts of rows with these lengths², as any sum finds them."""
    longest = float(np.max(squares, initial=0.0))
    values = rows.scales if isinstance(rows, Words) else rows.values
    if not isinstance(rows, Dense | Words):
        values = values[int(rows.starts[0]) : int(rows.starts[-1])]
    if values.dtype == np.uint8 or not values.size:
        return Facts(not isinstance(rows, Dense), True, 0.0, 255.0, longest, False)
    whole, double = True, False
    for start in range(0, len(values), TILE * 16):
        part = values[start : start + TILE * 16]
        whole = whole and bool((part == np.rint(part)).all())
        with np.errstate(over="ignore"):  # what is infinite as float32 needs a double
            double = double or (values.dtype == np.float64 and not bool((part == part.astype(np.float32)).all()))
        if double and not whole:
            break
    lowest, highest = min(float(values.min()), 0.0), max(float(values.max()), 0.0)
    return Facts(not isinstance(rows, Dense), whole, lowest, highest, longest, double)


@dataclass
class Grid:
    """Rows in tiles, in some order, and the others with which they are multiplied."""

    tiles: Whole | Real | CSR
    squares: np.ndarray  # |x|² of each row
    width: int

    @property
    def count(self) -> int:
        """How many tiles there are."""
        return -(-len(self.squares) // TILE)

    def span(self, tile: int) -> slice:
        """The rows of a tile."""
        return slice(tile * TILE, min((tile + 1) * TILE, len(self.squares)))

    def own(self) -> Whole | Real | CSR:
        """The tiles for a thread: with scratch space of its own."""
        tiles = self.tiles
        return tiles._replace(spread=np.zeros_like(tiles.spread)) if isinstance(tiles, CSR) else tiles

    def reserve(self, others: int, values: int = 0) -> None:
        """Makes room for this many others; sparse ones have so many values together."""
        tiles = self.tiles
        if isinstance(tiles, CSR):
            tiles = tiles._replace(
                other_starts=_grown(tiles.other_starts, others + 1),
                other_columns=_grown(tiles.other_columns, values),
                others=_grown(tiles.others, values),
            )
            self.tiles = tiles
        elif len(tiles.others) < others:
            self.tiles = tiles._replace(others=_grown(tiles.others, others))

    def with_others(self, others: Others) -> Grid:
        """The same rows beside these others."""
        tiles = self.tiles
        if isinstance(tiles, CSR):
            starts, columns, values = others.arrays
            tiles = tiles._replace(other_starts=starts, other_columns=columns, others=values)
            return replace(self, tiles=tiles)
        return replace(self, tiles=tiles._replace(others=others.arrays[0]))


class Others(NamedTuple):
    """Rows in the form in which tiles are multiplied with them."""

    arrays: tuple[np.ndarray, ...]
    squares: np.ndarray


def _grown(array: np.ndarray, size: int) -> np.ndarray:
    """The array with room for at least this many entries; refused where memory does not have it."""
    if len(array) >= size:
        return array
    room = max(size, 2 * len(array), FIRST_OTHERS)
    shape = (room, *array.shape[1:])
    check_memory(int(np.prod(shape)) * array.itemsize, "the rows updated on")
    grown = np.zeros(shape, array.dtype)
    grown[: len(array)] = array
    return grown


def check_memory(size: int, what: str) -> None:
    """DataError where this many bytes are not to be had."""
    free = available()
    if free is not None and size > free:
        raise DataError(
            f"{what} would take {show_size(size)} of memory and {show_size(free)} are free. Learn from fewer rows, or "
            "from AssociationUnits, which keep none."
        )


def grid_size(rows: Rows, n_classes: int, form: tuple[type, Any]) -> int:
    """Bytes that the tiles of these rows and their scores take."""
    lines = 1 if n_classes == 2 else n_classes
    count = n_rows(rows)
    if form[0] is CSR:
        return 12 * int(rows.starts[-1] - rows.starts[0]) + count * (16 + 8 * lines)  # type: ignore[union-attr]
    return count * (n_features(rows) * np.dtype(form[1]).itemsize + 8 + 8 * lines)


def make_grid(rows: Rows, order: np.ndarray, form: tuple[type, Any]) -> Grid:
    """The rows of the order in tiles of this form, beside no others yet."""
    width, count, squares = n_features(rows), len(order), np.empty(len(order))
    tiles: Whole | Real | CSR
    if form[0] is CSR:
        starts, columns, values = _csr_arrays(rows, order)
        nothing = np.zeros(1, np.uint64), np.zeros(0, np.uint32), np.zeros(0)
        tiles = CSR(starts, columns, values, *nothing, np.zeros((width, GROUP)))
    elif form[0] is Whole:
        values = rows.values[order].astype(form[1], copy=False)  # type: ignore[union-attr]
        tiles = Whole(values, np.zeros((0, width), np.int16))
    else:
        place = count if count < TILE else TILE
        tiles = Real(np.zeros((-(-count // TILE), width, place), form[1]), np.zeros((0, width)))
        fill_tiles(rows.values, order, tiles.values)  # type: ignore[union-attr]
    fill_squares(tiles, squares)
    return Grid(tiles, squares, width)


def make_others(rows: Rows, form: tuple[type, Any]) -> Others:
    """All of the rows, in the form in which tiles of that form are multiplied with them."""
    everything = np.arange(n_rows(rows), dtype=np.uint32)
    grid = make_grid(rows, everything, form if form[0] is not Real else (Real, np.float64))
    if form[0] is CSR:
        tiles: Any = grid.tiles
        return Others((tiles.starts, tiles.columns, tiles.values), grid.squares)
    kind = np.int16 if form[0] is Whole else np.float64
    return Others((np.ascontiguousarray(rows.values, kind),), grid.squares)  # type: ignore[union-attr]


def _csr_arrays(rows: Rows, order: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Starts, columns and values of the rows of the order; of dense rows what is not 0."""
    if isinstance(rows, Dense):
        values = rows.values[order]
        places, columns = np.nonzero(values)
        starts = np.concatenate([[0], np.cumsum(np.bincount(places, minlength=len(order)))]).astype(np.uint64)
        return starts, columns.astype(np.uint32), values[places, columns].astype(np.float64)
    taken: Any = take(rows, order)
    lengths = np.diff(taken.starts).astype(np.int64)
    values = np.repeat(taken.scales, lengths) if isinstance(taken, Words) else taken.values
    return taken.starts, taken.columns, np.ascontiguousarray(values, np.float64)


def joined(first: Rows, second: Rows) -> Rows:
    """The rows of both, one after the other, in a storage that holds the values of both."""
    width = max(n_features(first), n_features(second))
    if isinstance(first, Dense) and isinstance(second, Dense):
        kind = np.result_type(first.values, second.values)
        if kind not in (np.uint8, np.float32, np.float64):
            kind = np.dtype(np.float64)
        return Dense(np.concatenate([first.values, second.values]).astype(kind, copy=False), first.bias)
    parts = [_csr_arrays(rows, np.arange(n_rows(rows), dtype=np.uint32)) for rows in (first, second)]
    starts = np.concatenate([parts[0][0], parts[1][0][1:] + parts[0][0][-1]])
    columns, values = (np.concatenate([part[k] for part in parts]) for k in (1, 2))
    return Sparse(starts, columns, values, width, first.bias)
