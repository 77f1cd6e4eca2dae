"""What every run has found so far, of weights or of a kernel: counts, the list of its updates, why it stopped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field, replace

from rosenblatt.learn.cycle import Cycle, Watch
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.recording import Recording
from rosenblatt.learn.settings import Settings
from rosenblatt.learn.stopping import Progress
from rosenblatt.learn.variant import Variant
from rosenblatt.learn.variants import VARIANTS


@dataclass
class AnyRun:
    """Between two passes."""

    settings: Settings
    _: KW_ONLY
    passes: int = 0
    steps: int = 0  # rows visited
    updates: int = 0
    mistakes: int = 0  # updates on rows that were wrong or tied
    amount: float = 0.0  # A of the margin bracket: what all updates count together
    per_pass: list[tuple[int, int]] = field(default_factory=list)  # updates and mistakes
    recorded: list[Recording] = field(default_factory=list)  # parts of the list of updates, where it is recorded
    progress: Progress = field(default_factory=Progress)
    watch: Watch | None = None
    cycle: Cycle | None = None
    stopped: str = ""
    lowest_lead: float = 0.0  # at the end, over the rows visited; 0 unless all of them are strictly right
    radius: float = 0.0
    fingerprint: tuple[float, ...] = ()

    @property
    def recording(self) -> Recording:
        """The list of its updates."""
        return Recording.joined(self.recorded)

    @property
    def separated(self) -> bool:
        return self.lowest_lead > 0

    @property
    def variant(self) -> Variant:
        """Which weights decide."""
        return VARIANTS[self.settings.weights]

    def is_over(self, problem: Problem, settings: Settings) -> bool:
        """Whether a continuation with these rows and settings would find nothing more to do."""
        finished = self.stopped in ("separated", "clean pass", "cycle")
        same = replace(settings, max_iter=self.settings.max_iter) == self.settings
        return finished and same and self.fingerprint == problem.fingerprint

    def count_pass(self, size: int, updates: int, mistakes: int, amount: float) -> None:
        """Brings the counts up to date after a pass over so many rows."""
        self.passes += 1
        self.steps += size
        self.updates += updates
        self.mistakes += mistakes
        self.amount += amount
        self.per_pass.append((updates, mistakes))

    def after_pass(self, made: Recording, limit: int, cycles: Callable[[], bool], share: Callable[[], float]) -> None:
        """Keeps the updates of a pass where they are wanted, and settles whether it was the last.

        cycles    whether the pass closed a cycle that can be proved
        share     of rows updated on, or of rows held out that are wrong: a run ends when it no longer falls
        """
        if self.settings.record:
            self.recorded.append(made)
        if not self.per_pass[-1][0]:
            self.stopped = "clean pass"
        elif cycles():
            self.stopped = "cycle"
        elif self._stalled(share):
            self.stopped = "no progress"
        elif self.passes == limit:
            self.stopped = "limit"

    def _stalled(self, share: Callable[[], float]) -> bool:
        if self.settings.tol is None:
            return False
        self.progress = self.progress.after(share(), self.settings.tol)
        return self.progress.waited >= self.settings.n_iter_no_change

    def end(self, lowest_lead: float) -> None:
        """Settles whether the last weights separate the rows."""
        self.lowest_lead = lowest_lead
        if self.stopped == "clean pass" and self.separated:
            self.stopped = "separated"
