"""Two pictures: accuracy against the time of a fit for each task, and how times grow."""

from __future__ import annotations

import io
from typing import Any

from benchmarks.peers.results import Result, Results
from rosenblatt.report.plots import ACCENT, COLOURS, SOFT

ACROSS = 3  # pictures in a row
SPAN = 15.0  # points of accuracy shown; contestants below would flatten what matters
ABOVE, BELOW = (4, 3), (4, -8)  # labels of neighbours take turns
FAMILIES = {
    "sklearn": ("o", COLOURS[0]), "Vowpal Wabbit": ("s", COLOURS[1]), "fastText": ("^", COLOURS[2]),
    "River": ("v", COLOURS[3]), "mlpack": ("D", COLOURS[4]),
}  # fmt: skip


def plot_accuracy(results: Results) -> bytes:
    """As SVG: up is more accurate, left is faster; this project is the star."""
    from matplotlib.figure import Figure

    shown = [task for task in results.tasks if task.results]
    down = max(1, -(-len(shown) // ACROSS))
    figure = Figure(figsize=(4 * ACROSS, 3.2 * down), layout="constrained")
    grid = figure.subplots(down, ACROSS, squeeze=False).ravel()
    for ax in grid[len(shown) :]:
        ax.set_axis_off()
    for ax, task in zip(grid, shown, strict=False):
        shown_here = [each for each in task.results if each.accuracy is not None and each.fit]
        accuracies = [(each.accuracy or 0.0) * 100 for each in shown_here]
        low = max(min(accuracies, default=0.0), max(accuracies, default=0.0) - SPAN)
        ax.set_ylim(low - 1, max(accuracies, default=99.0) + 1)
        for place, result in enumerate(sorted(shown_here, key=lambda each: each.fit or 0.0)):
            _point(ax, result, low, ABOVE if place % 2 else BELOW)
        ax.set_xscale("log")
        ax.set_title(task.name, fontsize=10, loc="left")
        ax.set_xlabel("seconds to fit", fontsize=8)
        ax.set_ylabel("test accuracy, %", fontsize=8)
        ax.tick_params(labelsize=8)
        ax.grid(color="#e6e9ee", linewidth=0.6)
        ax.spines[["top", "right"]].set_visible(False)
    return _svg(figure)


def plot_growth(results: Results) -> bytes:
    """As SVG: times over sizes, both logarithmic, so that a slope is an exponent."""
    from matplotlib.figure import Figure

    along = list(dict.fromkeys(grown.along for grown in results.growth))
    figure = Figure(figsize=(4 * max(1, len(along)), 3.4), layout="constrained")
    grid = figure.subplots(1, max(1, len(along)), squeeze=False).ravel()
    names = list(dict.fromkeys(grown.contestant for grown in results.growth))
    for ax, each in zip(grid, along, strict=True):
        for grown in results.growth:
            if grown.along == each:
                place = names.index(grown.contestant)
                dashes = "-" if grown.contestant.startswith("rosenblatt") else "--"
                ax.plot(grown.sizes, grown.seconds, dashes, marker="osD^"[place % 4], color=COLOURS[place],
                        markersize=4, linewidth=1.2, label=f"{grown.contestant}  {grown.exponent:.2f}")  # fmt: skip
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.set_xlabel(each, fontsize=8)
        ax.set_ylabel("seconds to fit", fontsize=8)
        ax.tick_params(labelsize=8, which="both")
        ax.legend(frameon=False, fontsize=7, title="exponent", title_fontsize=7)
        ax.spines[["top", "right"]].set_visible(False)
    return _svg(figure)


def _point(ax: Any, result: Result, low: float, side: tuple[int, int]) -> None:
    """One contestant; one that is far below all others stands at the lower edge with its figure beside it."""
    name, seconds, accuracy = result.contestant, result.fit or 0.0, (result.accuracy or 0.0) * 100
    if result.ours:
        ax.scatter([seconds], [accuracy], marker="*", s=160, color=ACCENT, zorder=3)
    else:
        mark, colour = next((how for family, how in FAMILIES.items() if name.startswith(family)), ("P", SOFT))
        ax.scatter([seconds], [max(accuracy, low)], marker=mark, s=28, color=colour, zorder=2)
    label = name.removeprefix("sklearn ") + (f" {accuracy:.0f}% ↓" if accuracy < low else "")
    ax.annotate(label, (seconds, max(accuracy, low)), xytext=side, textcoords="offset points", fontsize=6, color=SOFT)


def _svg(figure: Any) -> bytes:
    import matplotlib

    stream = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "rosenblatt", "svg.fonttype": "none"}):
        figure.savefig(stream, format="svg", metadata={"Date": None})
    return stream.getvalue()
