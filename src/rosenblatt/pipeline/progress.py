"""What `train` tells while it works: to whoever watches, in a notebook as a bar, and otherwise to nobody."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

SHORT, REDRAW = 0.4, 0.1  # seconds without a bar, and between two pictures of it


@dataclass(frozen=True)
class Progress:
    """A stage of the work, and for a run how far it is."""

    stage: str
    passes: int = 0
    mistakes: int = 0  # in the last pass
    rate: float = 0.0  # of rows that were mistakes in it
    rows_per_second: float = 0.0
    seconds: float = 0.0
    state: str = ""  # of the cluster, where there is one
    tried: tuple[str, float] | None = None  # a candidate that is done, and its accuracy
    most: int = 0  # passes that the run may take


Watch: TypeAlias = Callable[[Progress], None]


def silent(progress: Progress) -> None:
    """Says nothing."""


def describe(progress: Progress) -> str:
    """One line: the stage, and for a run its pass, mistakes, rate and speed."""
    if not progress.passes:
        return f"{progress.stage}  {progress.seconds:.1f} s"
    return (
        f"{progress.stage}: pass {progress.passes}, {progress.mistakes:,} mistakes ({progress.rate:.1%}), "
        f"{progress.rows_per_second:,.0f} rows/s{', ' if progress.state else ''}{progress.state}"
    )


@contextmanager
def watched(watch: Watch | None) -> Iterator[Watch]:
    """Whoever is to be told; where nobody is named a bar in a notebook, which goes when the work is done."""
    if watch is not None or not in_notebook():
        yield watch or silent
        return
    bar = Bar()
    try:
        yield bar
    finally:
        bar.end()


def in_notebook() -> bool:
    """Whether this runs in the kernel of a notebook; a terminal with IPython is none."""
    asked = getattr(sys.modules.get("IPython"), "get_ipython", None)
    return asked is not None and getattr(asked(), "kernel", None) is not None


class Picture:
    """HTML for IPython's display, and a line for those who show text alone."""

    def __init__(self, html: str, line: str) -> None:
        self.html, self.line = html, line

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return self.line


class Bar:
    """A bar in a cell: the stage of the work, the pass, and at the end how long it took."""

    def __init__(self) -> None:
        self.started = time.monotonic()
        self.drawn, self.tried = self.started + SHORT, 0
        self.handle: Any = None

    def __call__(self, progress: Progress) -> None:
        from rosenblatt.report.cells import working

        now = time.monotonic()
        self.tried += progress.tried is not None
        if progress.tried is not None or now - self.drawn < REDRAW:
            return
        self.drawn, line = now, describe(progress)
        self._show(Picture(working(line, progress.passes, progress.most), line))

    def end(self) -> None:
        """Leaves a line in place of the bar; of work too short for a bar, nothing."""
        from rosenblatt.report.cells import said

        if self.handle is not None:
            tried = f", {self.tried} candidates tried" if self.tried else ""
            line = f"{time.monotonic() - self.started:.1f} s{tried}"
            self._show(Picture(said(line), line))

    def _show(self, picture: Picture) -> None:
        display = sys.modules["IPython"].display.display
        if self.handle is None:
            self.handle = display(picture, display_id=True)
        else:
            self.handle.update(picture)
