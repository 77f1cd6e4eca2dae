"""When to stop for lack of progress, and in words why a run stopped."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rosenblatt.learn.run import Run

STOPS = {"limit": "at the limit of", "no progress": "for lack of progress after"}


@dataclass(frozen=True)
class Progress:
    """The lowest value so far, and how many passes in a row did not get below it by more than the tolerance."""

    best: float = math.inf
    waited: int = 0

    def after(self, value: float, tol: float) -> Progress:
        waited = self.waited + 1 if value > self.best - tol else 0
        return Progress(min(self.best, value), waited)


def why_it_stopped(run: Run, thing: str = "row", bias: bool = True, chosen: bool = False) -> str:
    """Why a run stopped, in a sentence or two: separated, clean only by ties, a cycle, no progress, or the limit.

    Where rows were chosen one by one, there are no passes but the last, over all rows.
    """
    made = _counted(run.mistakes, "mistake")
    if run.updates > run.mistakes:
        made += f" and {_counted(run.updates - run.mistakes, 'update')} within the margin"
    last = "A last pass" if chosen else f"Pass {run.passes:,}"
    if run.stopped == "separated":
        return f"{last} got every {thing} right: separated after {made}."
    if run.stopped == "clean pass":
        return f"{last} changed nothing, but a {thing} is right only by the rule for ties. {made} so far."
    if run.cycle is not None:
        after = f"After {made}" if chosen else f"After pass {run.passes:,} and {made}"
        return f"{after}: {run.cycle.words(thing, boundary_words(bias))}"
    if chosen:
        return f"Stopped at the limit of {_counted(run.updates, 'update')}; some {thing} is still wrong."
    passes, updates = _counted(run.passes, "pass", "es"), _counted(run.per_pass[-1][0], "update")
    return f"Stopped {STOPS.get(run.stopped, 'after')} {passes} with {made}, {updates} in the last pass."


def _counted(count: int, what: str, more: str = "s") -> str:
    return f"{count:,} {what}{'' if count == 1 else more}"


def boundary_words(bias: bool) -> str:
    """What kind of boundary a run can have."""
    return "boundary" if bias else "boundary through the origin"
