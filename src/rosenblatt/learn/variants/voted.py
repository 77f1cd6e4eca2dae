"""All weights of a run, each with as many votes as rows it survived (Freund and Schapire 1999)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rosenblatt.learn.decide import Decision
from rosenblatt.learn.recording import Recording
from rosenblatt.learn.variant import Variant
from rosenblatt.learn.votes import Chapter, ballots, make_chapter
from rosenblatt.loops.rows import take

if TYPE_CHECKING:
    from rosenblatt.learn.passes import Passes
    from rosenblatt.learn.run import Run


@dataclass(frozen=True)
class Voters:
    """The weights of the passes that are over, and the updates of those that are not told of yet."""

    chapters: list[Chapter] = field(default_factory=list)
    unfinished: list[Recording] = field(default_factory=list)


class AllVote(Variant):
    """Keeps the voters: mistaken rows, whose products with a row give every score."""

    name: ClassVar[str] = "voted"
    single: ClassVar[bool] = True
    votes: ClassVar[bool] = True

    def begin(self, run: Run) -> Any:
        return Voters()

    def continued(self, own: Any) -> Any:
        return Voters([*own.chapters], [])

    def grown(self, own: Any, more: Callable[[np.ndarray], np.ndarray], places: np.ndarray) -> Any:
        return replace(own, chapters=[each.with_classes(more(each.start), places) for each in own.chapters])

    def after_pass(self, run: Run, passes: Passes, before: Any, made: Recording) -> None:
        run.own.unfinished.append(made)

    def end(self, run: Run, passes: Passes) -> None:
        run.own = Voters([*run.own.chapters, self._last(run, passes)])

    def right(self, held: np.ndarray, run: Run, passes: Passes) -> int:
        problem, ties = passes.problem, run.settings.ties
        chapters = [*run.own.chapters, self._last(run, passes)]
        votes = ballots(take(problem.rows, held), chapters, problem.n_classes, ties)
        return int(np.sum(Decision(ties).decide(votes) == problem.truth[held]))

    def _last(self, run: Run, passes: Passes) -> Chapter:
        return make_chapter(passes.start, Recording.joined(run.own.unfinished), passes.problem)
