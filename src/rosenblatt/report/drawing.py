"""Figures of the notes with the data of a trace: SVG files that stand by themselves.

`draw` is the door; each figure is a function from a trace and a step to its parts, in a file of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike

from rosenblatt.errors import SettingError
from rosenblatt.report.draw_losses import draw_losses
from rosenblatt.report.sheet import Sheet
from rosenblatt.traces.steps import Trace
from rosenblatt.writing import write_whole

FIGURES: dict[str, Callable[[Trace, int], Sheet]] = {
    "losses": draw_losses,
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

    what    "losses": the 0/1 loss and the perceptron loss over y·w·x, with the rows where they are
    step    after which step, from 1; 0 is the start, and by default it is the last (for "update" the first update)
    """
    if what not in FIGURES:
        raise SettingError(f"what must be one of {', '.join(map(repr, FIGURES))}; got {what!r}.")
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
