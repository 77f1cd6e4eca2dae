"""The small picture for two features: the separator with its margin band, or the rows that prove there is none."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from rosenblatt.data.door import read_numbers
from rosenblatt.data.door_labels import read_labels, two_classes
from rosenblatt.errors import DataError
from rosenblatt.proofs.verdicts import Inseparable, Separable, Verdict

MARKS = "osD^vP*X"  # classes differ by shape as well as by colour


def plot_verdict(verdict: Verdict, X: Any, y: Any, ax: Any = None) -> Any:
    """Draws rows of two features and what proves the verdict, after checking it; returns the matplotlib axes.

    Separable: the boundary between two classes with the band that no row enters. Inseparable: segments between
    rows of one class, which cross for two classes, or a row inside a triangle; equal rows are ringed.
    """
    verdict.check(X, y)
    numbers = read_numbers(X)
    points = np.asarray(numbers.sparse.toarray() if numbers.dense is None else numbers.dense, np.float64)
    if verdict.data.columns != 2:
        raise DataError(f"a picture needs two features; the data has {verdict.data.columns}. Choose two columns.")
    if ax is None:
        import matplotlib.pyplot as plt

        ax = plt.subplots()[1]
    truth = two_classes(read_labels(y).values)[1]
    for c, name in enumerate(verdict.data.classes):
        ax.scatter(*points[truth == c].T, marker=MARKS[c % len(MARKS)], label=name, zorder=3)
    ax.set_xlim(*_room(points[:, 0]))
    ax.set_ylim(*_room(points[:, 1]))
    if isinstance(verdict, Separable):
        for weights in boundaries(verdict):
            _draw_boundary(ax, weights, verdict.gap / 2)
        ax.set_title(f"{verdict.statement}: gap {verdict.gap:.3g}")
    elif isinstance(verdict, Inseparable):
        for one, other in segments(verdict, truth):
            ax.plot(*points[[one, other]].T, color="black", linewidth=1.5, zorder=2)
        ax.scatter(*points[list(verdict.rows)].T, s=160, facecolors="none", edgecolors="black", zorder=4)
        ax.set_title(f"{verdict.statement}: {len(verdict.rows)} rows cancel")
    else:
        ax.set_title(verdict.statement)
    ax.legend()
    return ax


def boundaries(verdict: Separable) -> list[np.ndarray]:
    """(bias, w1, w2) of the boundary between each two classes."""
    lines = np.atleast_2d(verdict.weights).astype(np.float64)
    if not verdict.data.bias:
        lines = np.concatenate([np.zeros((len(lines), 1)), lines], axis=1)
    if len(lines) == 1:
        return [lines[0]]
    return [one - other for one, other in combinations(lines, 2)]


def segments(verdict: Inseparable, truth: np.ndarray) -> list[tuple[int, int]]:
    """The rows of the proof joined within each class: two and two cross, three and one enclose."""
    found = []
    for c in np.unique(truth[list(verdict.rows)]):
        members = sorted({row for row in verdict.rows if truth[row] == c})
        found += list(combinations(members, 2))
    return found


def _room(values: np.ndarray) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    space = 0.15 * (high - low) or 1.0
    return low - space, high + space


def _draw_boundary(ax: Any, weights: np.ndarray, half: float) -> None:
    """The line bias + w·x = 0 and the band of the given half width around it."""
    normal = weights[1:] / np.linalg.norm(weights[1:])
    foot = -weights[0] / np.linalg.norm(weights[1:]) * normal
    along = np.array([-normal[1], normal[0]])
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    reach = 2 * (right - left + top - bottom + float(np.abs(foot).sum()))
    ends = np.array([foot - reach * along, foot + reach * along])
    ax.plot(*ends.T, color="black", scalex=False, scaley=False)
    band = np.concatenate([ends + half * normal, ends[::-1] - half * normal])
    ax.fill(*band.T, color="black", alpha=0.12, linewidth=0)
    ax.set_xlim(left, right)
    ax.set_ylim(bottom, top)
