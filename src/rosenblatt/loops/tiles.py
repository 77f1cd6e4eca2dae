"""Rows in tiles of 256, and the products of other rows with all rows of a tile.

A kernel perceptron asks for the products of the rows that it updated on with every training row. Tile by tile, a tile
stays in the processor's cache while many rows are multiplied with it, where row by row each would read all of memory.

Whole    bytes or 16-bit whole numbers, row by row; products are summed in 32 bits, which whoever made the tiles has
         seen to be wide enough: exact in any order
Real     numbers with the rows of a tile side by side; each product is a plain sum from the first column to the last
CSR      sparse rows, summed in the same order: zeros add nothing, so dense and sparse rows have the same products

Real and CSR sum in float64. Whole numbers whose lengths² are below 2^53 are exact there too, so all three agree.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rosenblatt.loops.compile import AS_WRITTEN, loop, per_storage

TILE = 256  # the blocks of the shuffling rule (`order`): a pass visits tile after tile
GROUP = 8  # rows that are multiplied with a tile at a time


class Whole(NamedTuple):
    """Rows of uint8 or int16, and of the others, with which they are multiplied, int16."""

    values: np.ndarray
    others: np.ndarray


class Real(NamedTuple):
    """values[tile, column, place], float32 or float64; the others, float64, row by row."""

    values: np.ndarray
    others: np.ndarray


class CSR(NamedTuple):
    """Sparse rows and sparse others, values float64; `spread` is room for some of the others, zeros between calls."""

    starts: np.ndarray
    columns: np.ndarray
    values: np.ndarray
    other_starts: np.ndarray
    other_columns: np.ndarray
    others: np.ndarray
    spread: np.ndarray


def _multiply_whole(tiles, tile, which, products):
    first, others = tile * TILE, tiles.others
    for k in range(len(which)):
        other, line = others[which[k]], products[k]
        for r in range(len(line)):
            row, total = tiles.values[first + r], np.int32(0)
            for j in range(len(row)):
                total += np.int32(row[j]) * np.int32(other[j])
            line[r] = np.int32(total)  # told that 32 bits are enough, the compiler sums in no more


def _multiply_real(tiles, tile, which, products):
    """Two of the others and four columns at a time: that many numbers are in registers, and no sum is reordered."""
    values, others = tiles.values[tile], tiles.others
    width, by_four = len(values), len(values) - len(values) % 4
    for k in range(0, len(which), 2):
        second = min(k + 1, len(which) - 1)
        x, z, p, q = others[which[k]], others[which[second]], products[k], products[second]
        for r in range(len(p)):
            p[r] = 0.0
            q[r] = 0.0
        if second == k:
            for j in range(width):
                a, line = x[j], values[j]
                for r in range(len(p)):
                    p[r] += a * line[r]
            continue
        for j in range(0, by_four, 4):
            x0, x1, x2, x3, z0, z1, z2, z3 = x[j], x[j + 1], x[j + 2], x[j + 3], z[j], z[j + 1], z[j + 2], z[j + 3]
            a, b, c, d = values[j], values[j + 1], values[j + 2], values[j + 3]
            for r in range(len(p)):
                p[r] = (((p[r] + x0 * a[r]) + x1 * b[r]) + x2 * c[r]) + x3 * d[r]
                q[r] = (((q[r] + z0 * a[r]) + z1 * b[r]) + z2 * c[r]) + z3 * d[r]
        for j in range(by_four, width):
            x0, z0, line = x[j], z[j], values[j]
            for r in range(len(p)):
                p[r] += x0 * line[r]
                q[r] += z0 * line[r]


def _multiply_csr(tiles, tile, which, products):
    """The others are spread over all columns, side by side, so that a value of a row meets all of them at once."""
    spread, first, count = tiles.spread, tile * TILE, len(which)
    for k in range(count):
        u = which[k]
        for place in range(tiles.other_starts[u], tiles.other_starts[u + 1]):
            spread[tiles.other_columns[place], k] = tiles.others[place]
    totals = np.zeros(GROUP)
    for r in range(products.shape[1]):
        totals[:] = 0.0
        for place in range(tiles.starts[first + r], tiles.starts[first + r + 1]):
            value, line = tiles.values[place], spread[tiles.columns[place]]
            for k in range(GROUP):
                totals[k] += line[k] * value
        for k in range(count):
            products[k, r] = totals[k]
    for k in range(count):
        u = which[k]
        for place in range(tiles.other_starts[u], tiles.other_starts[u + 1]):
            spread[tiles.other_columns[place], k] = 0.0


@per_storage({Whole: _multiply_whole, Real: _multiply_real, CSR: _multiply_csr}, fastmath=AS_WRITTEN)
def multiply(tiles, tile, which, products):
    """products[k, r] = the product of others[which[k]] with row r of the tile, for at most GROUP of the others.

    There are as many lines of products as others are asked for, and as many columns as the tile has rows.
    """


def _keep_dense(tiles, tile, r, place):
    tiles.others[place] = tiles.values[tile * TILE + r]


def _keep_real(tiles, tile, r, place):
    tiles.others[place] = tiles.values[tile, :, r]


def _keep_csr(tiles, tile, r, place):
    first, last = tiles.starts[tile * TILE + r], tiles.starts[tile * TILE + r + 1]
    to = tiles.other_starts[place]
    tiles.other_starts[place + 1] = to + (last - first)
    for k in range(last - first):
        tiles.other_columns[to + k] = tiles.columns[first + k]
        tiles.others[to + k] = tiles.values[first + k]


@per_storage({Whole: _keep_dense, Real: _keep_real, CSR: _keep_csr}, fastmath=AS_WRITTEN)
def keep(tiles, tile, r, place):
    """others[place] = row r of the tile; there must be room."""


def _squares_whole(rows, totals):
    for i in range(len(totals)):
        row, total = rows.values[i], np.int64(0)
        for j in range(len(row)):
            total += np.int64(row[j]) * np.int64(row[j])
        totals[i] = total


def _squares_real(rows, totals):
    width = rows.values.shape[1]
    for i in range(len(totals)):
        tile, r, total = i // TILE, i % TILE, 0.0
        for j in range(width):
            value = np.float64(rows.values[tile, j, r])
            total += value * value
        totals[i] = total


def _squares_csr(rows, totals):
    for i in range(len(totals)):
        total = 0.0
        for place in range(rows.starts[i], rows.starts[i + 1]):
            total += rows.values[place] * rows.values[place]
        totals[i] = total


@per_storage({Whole: _squares_whole, Real: _squares_real, CSR: _squares_csr}, fastmath=AS_WRITTEN)
def tile_squares(rows, totals):
    """totals[i] = the product of row i with itself, summed as `multiply` sums."""


@loop
def fill_squares(rows, totals):
    tile_squares(rows, totals)


@loop
def fill_tiles(rows, order, values):
    """values[tile, column, place] = the row that comes at that place of the order; places beyond it are left alone."""
    width = values.shape[1]
    for position in range(len(order)):
        row, tile, place = rows[order[position]], position // TILE, position % TILE
        for j in range(width):
            values[tile, j, place] = row[j]
