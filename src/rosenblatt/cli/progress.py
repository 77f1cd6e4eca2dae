"""Progress on stderr: a live line on a terminal, plain lines at doubling intervals elsewhere."""

from __future__ import annotations

import sys
import time

from rosenblatt.pipeline.progress import Progress, describe

CLEAR = "\r\x1b[K"
FIRST = 1.0  # seconds until the first plain line
REDRAW = 0.05


class Display:
    """Shows progress, and remembers what was tried in case the user stops the search."""

    def __init__(self, quiet: bool) -> None:
        self.quiet, self.live = quiet, sys.stderr.isatty()
        self.started = self.drawn = time.monotonic()
        self.next = FIRST
        self.tried: list[tuple[str, float]] = []

    def __call__(self, progress: Progress) -> None:
        if progress.tried is not None:
            self.tried.append(progress.tried)
            return
        now = time.monotonic()
        if self.quiet:
            return
        if self.live and now - self.drawn > REDRAW:
            self.drawn = now
            sys.stderr.write(f"{CLEAR}{describe(progress)[:79]}")
            sys.stderr.flush()
        elif not self.live and now - self.started >= self.next:
            self.next *= 2
            sys.stderr.write(f"{describe(progress)}\n")

    def end(self) -> None:
        """Removes the live line."""
        if self.live and not self.quiet:
            sys.stderr.write(CLEAR)
            sys.stderr.flush()

    def known(self) -> str:
        """What was found so far, best first."""
        order = sorted(self.tried, key=lambda pair: -pair[1])
        lines = [f"  {accuracy:6.1%}  {name}" for name, accuracy in order]
        return "\n".join(["tried so far, on validation rows:", *lines]) if lines else "nothing was tried yet"
