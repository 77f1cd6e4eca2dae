"""The features of one column of a table, for all rows, and how the blocks of all columns become one matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from rosenblatt.data.matrices import side_by_side
from rosenblatt.loops.gather import add_squares, scale_rows
from rosenblatt.loops.rows import Dense, Rows, Sparse, Words, dense_rows, sparse_rows


class Entries(NamedTuple):
    """A block whose zeros are not stored: row i has columns[starts[i]:starts[i + 1]], each 1 where values is None."""

    starts: np.ndarray
    columns: np.ndarray
    values: np.ndarray | None
    width: int


TOGETHER = 1 << 17  # values of columns of few rows that are put side by side before they go into the matrix

Block: TypeAlias = np.ndarray | Entries  # an array has a row for each row and a column for each feature


def one_entry_per_row(columns: np.ndarray, width: int) -> Entries:
    """The block with a 1 in the given column of each row, and none where the column is negative."""
    present = columns >= 0
    starts = np.zeros(len(columns) + 1, np.int64)
    np.cumsum(present, out=starts[1:])
    return Entries(starts, columns[present].astype(np.uint32), None, width)


def joined(
    blocks: Sequence[Block], n_rows: int, scaled: Sequence[bool], unit_rows: bool, dense: bool | None = None
) -> Rows:
    """The blocks side by side. The scaled ones together are given unit length in each row; or all of them.

    dense    whether the rows are to be dense, where that is decided for more rows than these
    """
    repeat = _may_repeat(blocks, scaled)
    if any(scaled):
        length = _lengths([block for block, scale in zip(blocks, scaled, strict=True) if scale], n_rows)
        if all(scaled) and len(blocks) == 1 and isinstance(blocks[0], Entries) and blocks[0].values is None:
            starts, columns, _, width = blocks[0]
            return Words(starts.astype(np.uint64), columns, 1.0 / length, width, 1.0)
        blocks = [_divided(block, length) if scale else block for block, scale in zip(blocks, scaled, strict=True)]
    if unit_rows:
        length = _lengths(blocks, n_rows)
        blocks = [_divided(block, length) for block in blocks]
    if dense is None:
        width = sum(block.shape[1] if isinstance(block, np.ndarray) else block.width for block in blocks)
        dense = size_of(blocks, n_rows).worth_dense(width)
    if dense:
        arrays = [_as_array(block, n_rows) for block in blocks]
        return dense_rows(arrays[0] if len(arrays) == 1 else _beside(arrays, n_rows))
    return _sparse(blocks, n_rows, repeat)


def _may_repeat(blocks: Sequence[Block], scaled: Sequence[bool]) -> bool:
    """Whether rows may be stored as ones that repeat a value, which are added up first and multiplied once.

    Not where words are weighed and scaled: a text whose few words have the same weight would be added up otherwise when
    it is alone than beside others, and its score would have other bits.
    """
    ones = all(isinstance(block, Entries) and block.values is None for block in blocks)
    return not any(scaled) or (ones and all(scaled))


def _beside(arrays: Sequence[np.ndarray], n_rows: int) -> np.ndarray:
    """The arrays side by side, row after row in memory: `hstack` would keep columns together where all of them do."""
    full = np.empty((n_rows, sum(each.shape[1] for each in arrays)), np.result_type(*arrays))
    at, count = 0, max(1, TOGETHER // max(1, n_rows))
    for first in range(0, len(arrays), count):  # one column alone writes a few bytes to each row of a wide matrix
        some = arrays[first] if count == 1 else np.concatenate(arrays[first : first + count], axis=1)
        full[:, at : at + some.shape[1]] = some
        at += some.shape[1]
    return full


@dataclass(frozen=True)
class Size:
    """What decides whether rows are dense; sizes of blocks of rows add up."""

    rows: int
    stored: int  # values that are not left out as zeros
    arrays: bool  # whether nothing is left out anyway

    def __add__(self, other: Size) -> Size:
        return Size(self.rows + other.rows, self.stored + other.stored, self.arrays and other.arrays)

    def worth_dense(self, width: int) -> bool:
        """Dense if that takes less room: 8 bytes for every value against 12 for those that are not zero."""
        return self.arrays or 2 * width * max(self.rows, 1) <= 3 * self.stored


def size_of(blocks: Sequence[Block], n_rows: int) -> Size:
    """The size of columns side by side."""
    stored = sum(block.size if isinstance(block, np.ndarray) else len(block.columns) for block in blocks)
    return Size(n_rows, stored, all(isinstance(block, np.ndarray) for block in blocks))


def _as_array(block: Block, n_rows: int) -> np.ndarray:
    if isinstance(block, np.ndarray):
        return block
    full = np.zeros((n_rows, block.width))
    full[_row_of_each(block), block.columns] = 1.0 if block.values is None else block.values
    return full


def _as_entries(block: Block) -> Entries:
    if isinstance(block, Entries):
        return block
    rows, columns = np.nonzero(block)
    starts = np.zeros(len(block) + 1, np.int64)
    np.cumsum(np.bincount(rows, minlength=len(block)), out=starts[1:])
    return Entries(starts, columns.astype(np.uint32), block[rows, columns].astype(np.float64), block.shape[1])


def _row_of_each(block: Entries) -> np.ndarray:
    return np.repeat(np.arange(len(block.starts) - 1), np.diff(block.starts))


def _lengths(blocks: Sequence[Block], n_rows: int) -> np.ndarray:
    """The length of each row over the blocks; 1 where it is 0, so that dividing by it changes nothing."""
    squares = np.zeros(n_rows)
    for block in blocks:
        if isinstance(block, np.ndarray):
            squares += np.einsum("ij,ij->i", block, block, dtype=np.float64)
        elif block.values is None:
            squares += np.diff(block.starts)
        elif n_rows == 1:  # added one after the other, as below
            with np.errstate(over="ignore"):  # values past 1e154, of which the loop below says nothing either
                squares += np.add.accumulate(block.values**2)[-1] if len(block.values) else 0.0
        else:
            add_squares(block.starts, block.values, squares)
    return np.sqrt(np.where(squares > 0, squares, 1.0))


def _divided(block: Block, lengths: np.ndarray) -> Block:
    if isinstance(block, np.ndarray):
        return np.asarray(block / lengths[:, None])
    if block.values is None:
        return block._replace(values=np.repeat(1.0 / lengths, np.diff(block.starts)))
    if len(lengths) == 1:
        return block._replace(values=block.values * (1.0 / lengths[0]))
    values = np.empty(len(block.values))
    scale_rows(block.starts, block.values, 1.0 / lengths, values)
    return block._replace(values=values)


def _sparse(blocks: Sequence[Block], n_rows: int, repeat: bool) -> Dense | Sparse | Words:
    entries = [_as_entries(block) for block in blocks]
    width = sum(block.width for block in entries)
    if len(entries) == 1 and entries[0].values is None:
        return Words(entries[0].starts.astype(np.uint64), entries[0].columns, np.ones(n_rows), width, 1.0)
    values = entries[0].values
    if len(entries) == 1 and values is not None:
        starts, columns = entries[0].starts, entries[0].columns
    else:
        offsets = np.cumsum([0, *(block.width for block in entries)]).astype(np.uint32)
        given = [1.0 if block.values is None else block.values for block in entries]
        parts = [(b.starts, b.columns + offset, v) for b, offset, v in zip(entries, offsets, given, strict=False)]
        starts, columns, values = side_by_side(parts)
    rows = sparse_rows(starts, columns, values, width)
    return Sparse(rows.starts, rows.columns, values, width, 1.0) if isinstance(rows, Words) and not repeat else rows
