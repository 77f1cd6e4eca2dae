"""Where a surface over a grid is above 0: outlines by marching squares.

Outside of the grid is below 0, so every outline closes, along the edge of the grid where it must. Places are in steps
of the grid, (across, up), between nodes by proportion. `web/engine/contour.js` is the same for the pages.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

# For each kind of cell from which side an outline enters it and by which it leaves; what is above 0 is on its left.
# Corners, as bits: this node, the next, the one above that, the one above this. Sides: below, right, above, left.
WAYS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 3),),
    2: ((1, 0),),
    3: ((1, 3),),
    4: ((2, 1),),
    6: ((2, 0),),
    7: ((2, 3),),
    8: ((3, 2),),
    9: ((0, 2),),
    11: ((1, 2),),
    12: ((3, 1),),
    13: ((0, 1),),
    14: ((3, 0),),
}
# Two opposite corners are above 0: joined where the middle of the cell is, otherwise apart.
JOINED = {5: ((0, 1), (2, 3)), 10: ((3, 0), (1, 2))}
APART = {5: ((0, 3), (2, 1)), 10: ((1, 0), (3, 2))}


class Place(NamedTuple):
    """A corner of an outline; `rim` where it lies on the edge of the grid because the grid ends there."""

    across: float
    up: float
    rim: bool


def outlines(values: np.ndarray) -> list[list[Place]]:
    """The closed outlines of what is above 0; values[j, i] is the value at node i across, j up."""
    padded = np.pad(values.astype(np.float64), 1, constant_values=-np.inf)
    above = (padded > 0).astype(np.int64)
    kinds = above[:-1, :-1] + 2 * above[:-1, 1:] + 4 * above[1:, 1:] + 8 * above[1:, :-1]
    following: dict[tuple[int, int, int], tuple[int, int, int]] = {}
    for j, i in np.argwhere((kinds > 0) & (kinds < 15)).tolist():
        kind = int(kinds[j, i])
        ways = WAYS.get(kind) or (JOINED if padded[j : j + 2, i : i + 2].sum() > 0 else APART)[kind]
        for enters, leaves in ways:
            following[_side(j, i, enters)] = _side(j, i, leaves)
    found = []
    while following:
        at = next(iter(following))
        outline = []
        while at in following:
            outline.append(_crossing(padded, at))
            at = following.pop(at)
        found.append(outline)
    return found


def inner_lines(outline: list[Place]) -> list[list[Place]]:
    """The pieces of an outline that do not run along the edge of the grid."""
    rims = [k for k, place in enumerate(outline) if place.rim]
    if not rims:
        return [[*outline, outline[0]]]
    turned = outline[rims[0] :] + outline[: rims[0]]
    pieces: list[list[Place]] = [[]]
    for place in turned:
        if place.rim:
            pieces.append([])
        else:
            pieces[-1].append(place)
    return [piece for piece in pieces if len(piece) > 1]


def _side(j: int, i: int, which: int) -> tuple[int, int, int]:
    """A side of a cell: its first node, and whether it stands upright. Two cells that share it call it the same."""
    return (j + (which == 2), i, 0) if which in (0, 2) else (j, i + (which == 1), 1)


def _crossing(padded: np.ndarray, side: tuple[int, int, int]) -> Place:
    j, i, upright = side
    here, there = float(padded[j, i]), float(padded[j + upright, i + 1 - upright])
    rim = not (np.isfinite(here) and np.isfinite(there))
    share = here / (here - there) if not rim else 0.0 if np.isfinite(here) else 1.0
    return Place(i - 1 + (0.0 if upright else share), j - 1 + (share if upright else 0.0), rim)
