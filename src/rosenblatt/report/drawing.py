"""Figures of the notes with the data of a trace: SVG files that stand by themselves.

`draw` is the door; each figure is a function from a trace and a step to its parts, in a file of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike

from rosenblatt.errors import SettingError
from rosenblatt.report.draw_activation import draw_line, draw_surface
from rosenblatt.report.draw_losses import draw_losses
from rosenblatt.report.draw_net import draw_net
from rosenblatt.report.draw_update import draw_angle, draw_update
from rosenblatt.report.sheet import Sheet
from rosenblatt.traces.steps import Trace
from rosenblatt.writing import write_whole

FIGURES: dict[str, Callable[[Trace, int], Sheet]] = {
    "update": draw_update,
    "angle": draw_angle,
    "losses": draw_losses,
    "line": draw_line,
    "surface": draw_surface,
    "net": draw_net,
}


class Figure(str):
    """SVG text, which a notebook shows as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def draw(
    run: Trace, what: str = "update", *, step: int | None = None, path: str | PathLike[str] | None = None
) -> Figure:
    """A figure of the notes for a trace, as SVG; also written to `path` if that is given.

    what    "update"   old w, w and the row added, new w, in the plane that w and the row span
            "angle"    f(x), w and the angle between, in that plane
            "losses"   the 0/1 loss and the perceptron loss over y·w·x, with the rows where they are
            "line"     rows of one feature on a line, and the threshold
            "surface"  the activation over two features, without the bias and with it
            "net"      the net of naive Bayes for these classes and features, with the sizes of its tables
    step    of "update" and "angle" the step itself, by default the first update; of the others the moment after it,
            by default the end. Steps count from 1; 0 is the start.
    """
    if what not in FIGURES:
        raise SettingError(f"what must be one of {', '.join(map(repr, FIGURES))}; got {what!r}.")
    if run.recorded:
        raise SettingError("a figure is drawn of a trace over data; a model keeps only the rows it was updated on.")
    if step is None and what in ("update", "angle"):
        step = next((s.step for s in run if not s.correct), 1)
    made = Figure(FIGURES[what](run, _step(run, step)).svg())
    if path is not None:
        write_whole(path, made)
    return made


def _step(run: Trace, step: int | None) -> int:
    if step is None:
        return len(run)
    if isinstance(step, bool) or not isinstance(step, int) or not 0 <= step <= len(run):
        raise SettingError(f"step must be a whole number from 0 to {len(run)}; got {step!r}.")
    return step
