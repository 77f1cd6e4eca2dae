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


def why_it_stopped(run: Run, thing: str = "row", bias: bool = True) -> str:
    """Why a run stopped, in a sentence or two: separated, clean only by ties, a cycle, no progress, or the limit."""
    made = f"{run.mistakes:,} mistake{'' if run.mistakes == 1 else 's'}"
    if run.updates > run.mistakes:
        made += f" and {run.updates - run.mistakes:,} updates within the margin"
    if run.stopped == "separated":
        return f"Pass {run.passes:,} got every {thing} right: separated after {made}."
    if run.stopped == "clean pass":
        return f"Pass {run.passes:,} changed nothing, but a {thing} is right only by the rule for ties. {made} so far."
    if run.cycle is not None:
        return f"After pass {run.passes:,} and {made}: {run.cycle.words(thing, boundary_words(bias))}"
    passes = "1 pass" if run.passes == 1 else f"{run.passes:,} passes"
    last = run.per_pass[-1][0]
    return (
        f"Stopped {STOPS.get(run.stopped, 'after')} {passes} with {made}, {last:,} update{'' if last == 1 else 's'} "
        "in the last pass."
    )


def boundary_words(bias: bool) -> str:
    """What kind of boundary a run can have."""
    return "boundary" if bias else "boundary through the origin"
