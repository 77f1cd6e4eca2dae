"""What a contestant is: prepare outside the clock, fit inside it, predict. One small class for each, all alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

import numpy as np

from benchmarks.peers.task import Part, Task, head

Settings: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Search:
    """The settings that did best on the validation rows, and what it cost to find them."""

    settings: Settings
    seconds: float
    tried: int
    with_fit: bool = False  # whether the seconds hold the fit to all rows too
    best: float = float("nan")  # accuracy on the validation rows; not a number where there was nothing to choose
    about: str = ""
    family: str = ""  # of what was chosen, where the contestant has several

    def after(self, settings: Settings, accuracy: float, seconds: float) -> Search:
        """The search with one option more; of equals the first stays."""
        better = accuracy > self.best
        return replace(
            self, settings=settings if better else self.settings, best=max(accuracy, self.best),
            seconds=self.seconds + seconds, tried=self.tried + 1,
        )  # fmt: skip


@dataclass
class Contestant:
    """One way to learn from rows of some kinds.

    The harness calls, for each task: `search`, then `prepare` and `fit` for the training and validation rows together,
    then `predict` for the test rows. Only `fit`, `predict` and what `search` times itself are inside the clock; input
    in the library's own format is made in `prepare`, as often as it likes, for `fit` and `predict` alike.
    """

    folder: Path  # for files of its own; removed after the task
    kept: dict[Any, Any] = field(default_factory=dict)

    name: ClassVar[str] = ""
    package: ClassVar[str] = ""  # the distribution that it comes from
    module: ClassVar[str] = ""  # what must be importable
    kinds: ClassVar[Sequence[str]] = ()
    ours: ClassVar[bool] = False
    family: ClassVar[str] = "line"  # or bayes, curve, trees: goals hold like against like
    most_searched: ClassVar[int | None] = None  # rows that the options are tried on, where one fit takes minutes

    @classmethod
    def takes(cls, task: Task) -> bool:
        """Whether it is asked at all: lines and counts are not where only curves are compared, and the reverse."""
        bent = cls.family in ("curve", "trees")
        return task.kind in cls.kinds and (bool(task.curves) if bent else task.curves != "only")

    @classmethod
    def version(cls) -> str:
        """The version that is installed, or nothing where it cannot be imported."""
        try:
            import_module(cls.module)
            return version(cls.package)
        except (ImportError, PackageNotFoundError, OSError):
            return ""

    def declines(self, task: Task) -> str:
        """Why it takes no part in a task of its kinds; nothing where it does."""
        return ""

    def remark(self, task: Task) -> str:
        """What a reader of its figures should know, such as that it saw fewer rows than the others."""
        return ""

    def options(self, task: Task) -> list[Settings]:
        """The settings among which the validation rows choose: what its own documentation recommends to try."""
        return [{}]

    def prepare(self, task: Task, part: Part, settings: Settings) -> Any:
        """The rows in the form that `fit` and `predict` take."""
        raise NotImplementedError

    def fit(self, given: Any, settings: Settings) -> Any:
        """The model learned from prepared rows."""
        raise NotImplementedError

    def predict(self, model: Any, given: Any) -> np.ndarray:
        """The class numbers of prepared rows."""
        raise NotImplementedError

    def size(self, model: Any) -> int | None:
        """The bytes of the model's file, in the way its users store it."""
        return None

    def one_row(self, model: Any, task: Task, settings: Settings) -> Callable[[], Any] | None:
        """A call that predicts one prepared test row, for the time it takes."""
        first = head(task.test, 1)
        single = Part("one", first.rows[:1], first.codes[:1], first.table.take(np.array([0])))
        given = self.prepare(task, single, settings)
        return lambda: self.predict(model, given)

    def cold_start(self, model: Any, message: str) -> str | None:
        """A program that loads the stored model and predicts one message; None where the task has no messages."""
        return None

    def search(self, task: Task, tell: Callable[[Search], None] = lambda so_far: None) -> Search:
        """The best of the options, each fitted to the training rows and judged by the validation rows, all timed.

        After each option it tells the best so far: the time for a search is limited.
        """
        options = self.options(task)
        if len(options) == 1:
            return Search(options[0], 0.0, 1)
        found = Search(options[0], 0.0, 0, best=-1.0)
        train, validation = self.searched(task)
        for settings in options:
            given, judged = self.prepare(task, train, settings), self.prepare(task, validation, settings)
            started = time.perf_counter()
            predicted = self.predict(self.fit(given, settings), judged)
            seconds = time.perf_counter() - started
            found = found.after(settings, float(np.mean(predicted == validation.codes)), seconds)
            tell(found)
        return found

    def searched(self, task: Task) -> tuple[Part, Part]:
        """The rows that the options are fitted to, and those that judge them."""
        most = self.most_searched
        if most is None or len(task.train) <= most:
            return task.train, task.validation
        return head(task.train, most), head(task.validation, most // 2)

    def accuracy_of(self, task: Task) -> float:
        """The share of the test rows that the best of the options gets right, for one more split of the same rows."""
        settings = self.search(task).settings
        model = self.fit(self.prepare(task, task.both, settings), settings)
        return float(np.mean(self.predict(model, self.prepare(task, task.test, settings)) == task.test.codes))

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        """What was made under this key before, or is made now: several settings share one form of the rows."""
        if key not in self.kept:
            self.kept[key] = make()
        return self.kept[key]


def said(settings: Settings) -> str:
    """Settings as a person reads them."""
    return ", ".join(f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}"
                     for name, value in settings.items())  # fmt: skip
