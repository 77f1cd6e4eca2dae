"""The calls `regions` and `surface`: what the weights say all over the plane."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from rosenblatt.errors import SettingError
from rosenblatt.lab.bench import read_bench
from rosenblatt.lab.columns import pack
from rosenblatt.lab.course import Course, course_of
from rosenblatt.lab.sessions import Session
from rosenblatt.lab.wanted import number, one_of, several, whole
from rosenblatt.learn.decide import Decision, score_rows
from rosenblatt.learn.settings import VARIANTS
from rosenblatt.learn.votes import ballots
from rosenblatt.loops.rows import dense_rows

MOST_CELLS = 160  # on a side
MOST_BALLOTS = 3e7  # cells times votes times vectors that are counted one by one
MOST_REFINED = 1e8  # the same, for the cells of blocks whose corners differ
COARSE = 4  # cells on a side of a block that is counted at its corners first


def regions(session: Session, body: dict[str, Any]) -> dict[str, Any]:
    """For each variant the class of each cell of a window, judged at its centre, and how many points it gets right."""
    course = _planar(course_of(session, read_bench(body)))
    columns, rows = (whole(name, body.get(name, 100), 2, MOST_CELLS) for name in ("columns", "rows"))
    wanted = several("variants", body.get("variants", ["final"]), len(VARIANTS), 1)
    variants = [one_of("variants", name, VARIANTS) for name in wanted]
    updates = _updates(course, body)
    centres = _centres(_window(body), columns, rows)
    classes = np.array(course.bench.classes)
    found: dict[str, Any] = {"columns": columns, "rows": rows, "right": {name: course.right(name) for name in variants}}
    for name in variants:
        if name == "voted":
            votes = _votes(course, centres)
            found["voted"] = pack(classes[Decision(course.bench.ties).decide(votes)], "uint8")
            if votes.ndim == 1:
                found["voted_values"] = pack(votes)
        else:
            found[name] = pack(classes[course.decide(centres.reshape(-1, 2), name, updates)], "uint8")
    return found


def surface(session: Session, body: dict[str, Any]) -> dict[str, Any]:
    """The activation over the plane without and with the bias, and the boundary as a plane through the origin.

    Grids have one entry for each corner of the cells, rows from the bottom. In the space of (1, x1, x2) the boundary is
    what is perpendicular to the weights: `across` and `up` are two directions of length 1 in it.
    """
    course = _planar(course_of(session, read_bench(body)))
    cells = whole("cells", body.get("cells", 12), 1, 40)
    low, high, bottom, top = _window(body)
    x, y = np.linspace(low, high, cells + 1), np.linspace(bottom, top, cells + 1)
    grid = np.array(np.meshgrid(x, y)).transpose(1, 2, 0)
    raw = course.weights("final", _updates(course, body)) * course.run.scale
    lines = np.ascontiguousarray(raw.reshape(-1, raw.shape[-1]))
    flat = np.ascontiguousarray(grid.reshape(-1, 2))
    heights = {
        name: [score_rows(dense_rows(flat, bias), line).reshape(len(y), len(x)).tolist() for line in lines]
        for name, bias in (("without", 0.0), ("with", 1.0))
    }
    normals = np.roll(lines, 1, axis=1)  # the bias first, as the space has it
    return {
        "x": x.tolist(),
        "y": y.tolist(),
        **heights,
        "normals": normals.tolist(),
        "planes": [_plane(normal) for normal in normals],
    }


def _plane(normal: np.ndarray) -> dict[str, list[float]] | None:
    """Two directions in the plane perpendicular to the weights; none where the weights are 0."""
    if not normal.any():
        return None
    _, _, directions = np.linalg.svd(normal[np.newaxis])
    return {"across": directions[1].tolist(), "up": directions[2].tolist()}


def _planar(course: Course) -> Course:
    if course.bench.points.shape[1] != 2:
        raise SettingError(f"only points in a plane can be drawn; these have {course.bench.points.shape[1]} numbers.")
    return course


def _window(body: dict[str, Any]) -> tuple[float, float, float, float]:
    low, high, bottom, top = (
        number("window", edge, -1e10, 1e10) for edge in several("window", body.get("window"), 4, 4)
    )
    if not (low < high and bottom < top):
        raise SettingError("window must be [left, right, low, high] with left < right and low < high.")
    return low, high, bottom, top


def _updates(course: Course, body: dict[str, Any]) -> int | None:
    given = body.get("update")
    return None if given is None else whole("update", given, 0, len(course.history.steps))


def _centres(window: tuple[float, float, float, float], columns: int, rows: int) -> np.ndarray:
    """The centres of the cells: (rows, columns, 2)."""
    low, high, bottom, top = window
    x = low + (high - low) * (np.arange(columns) + 0.5) / columns
    y = bottom + (top - bottom) * (np.arange(rows) + 0.5) / rows
    return np.array(np.meshgrid(x, y)).transpose(1, 2, 0)


def _votes(course: Course, centres: np.ndarray) -> np.ndarray:
    """The share of votes in each cell. A long run on a fine grid is counted at the corners of blocks first.

    Where all corners of a block agree, its cells take the votes of a corner; only the rest is counted one by one. If
    even that is too much, because the longest runs are those on points that no vote can sort, blocks stay as they are.
    """
    rows, columns = centres.shape[:2]
    bench = course.bench
    vectors = 1 if len(bench.classes) == 2 else len(bench.classes)

    def count(points: np.ndarray) -> np.ndarray:
        return ballots(course.rows(points), [course.chapter], len(bench.classes), bench.ties)

    each = (len(course.history.steps) + 1) * vectors
    if rows * columns * each <= MOST_BALLOTS:
        return count(centres.reshape(-1, 2))
    down, right = (np.unique(np.append(np.arange(0, size, COARSE), size - 1)) for size in (rows, columns))
    corners = count(centres[np.ix_(down, right)].reshape(-1, 2))
    decided = Decision(bench.ties).decide(corners).reshape(len(down), len(right))
    corners = corners.reshape(len(down), len(right), *corners.shape[1:])
    votes = np.repeat(np.repeat(corners, COARSE, axis=0), COARSE, axis=1)[:rows, :columns].copy()
    open_cells = np.zeros((rows, columns), bool)
    for i, (top, bottom) in enumerate(pairwise(down)):
        for j, (left, end) in enumerate(pairwise(right)):
            block = decided[i : i + 2, j : j + 2]
            if (block != block[0, 0]).any():
                open_cells[top : bottom + 1, left : end + 1] = True
    if open_cells.sum() * each <= MOST_REFINED:
        votes[open_cells] = count(centres[open_cells])
    return votes.reshape(rows * columns, *votes.shape[2:])
