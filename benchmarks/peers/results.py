"""What a run found, as plain values: written as JSON, shown by the terminal, the page and the plots."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field
from typing import Any

FORMAT = 2  # 1: times without accuracies were `timings`, and a result had no family and no splits


@dataclass
class Result:
    """One contestant on one task. Times in seconds, sizes in bytes; None is what was not measured."""

    contestant: str
    ours: bool = False
    family: str = ""  # line, bayes, curve or trees: goals hold like against like
    accuracy: float | None = None  # on the test rows; the mean where there are several splits
    splits: list[float] = field(default_factory=list)  # the accuracy of each, where there are several
    fits: list[float] = field(default_factory=list)  # one for each repeat
    fit: float | None = None  # their median
    search: float | None = None  # choosing on the validation rows; for ours the whole of `train`
    whole: float | None = None  # search and fit together
    tried: int = 0
    predict: float | None = None  # all test rows at once; timed once where a fit takes long
    one_row: float | None = None  # one test row by itself
    peak: int | None = None
    size: int | None = None
    settings: str = ""
    note: str = ""


@dataclass
class TaskResult:
    """One task: everybody who took part, and why others did not."""

    name: str
    kind: str
    about: str
    size: str
    rows: int
    test_rows: int
    note: str = ""
    results: list[Result] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)

    @property
    def ours(self) -> Result | None:
        """What `train` makes by itself; where only curves take part, the kernel."""
        return next((each for each in self.results if each.ours and each.accuracy is not None), None)

    @property
    def peers(self) -> list[Result]:
        return [each for each in self.results if not each.ours and each.accuracy is not None]

    def like(self, one: Result) -> list[Result]:
        """The peers of the same family: lines beside lines, counts beside counts, curves beside curves."""
        return [peer for peer in self.peers if peer.family == one.family]


@dataclass
class Line:
    """Who did what, and the figures of it by their names."""

    what: str
    who: str
    figures: dict[str, float | None]


@dataclass
class Sheet:
    """A table of something other than a task: its figures and the unit of each."""

    name: str
    about: str
    units: dict[str, str]  # of each figure: seconds, share, number, times, rate or bytes
    lines: list[Line] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, what: str, who: str, **figures: float | None) -> None:
        """One line more; an underscore in a figure's name stands for a space."""
        self.lines.append(Line(what, who, {name.replace("_", " "): value for name, value in figures.items()}))


@dataclass
class Growth:
    """How one fit grows along one direction."""

    contestant: str
    along: str  # rows, columns, classes, documents or support rows
    sizes: list[int]
    seconds: list[float]
    exponent: float


@dataclass
class Goal:
    """One thing that this project set out to reach, and whether it did in this run."""

    what: str
    wanted: str
    got: str
    met: bool


@dataclass
class Results:
    """A whole run."""

    header: dict[str, Any]
    tasks: list[TaskResult] = field(default_factory=list)
    sheets: list[Sheet] = field(default_factory=list)
    growth: list[Growth] = field(default_factory=list)
    goals: list[Goal] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)  # sections that gave nothing, and why
    absent: list[str] = field(default_factory=list)  # packages that are not installed

    @property
    def ordered_goals(self) -> list[Goal]:
        """The missed ones first."""
        return sorted(self.goals, key=lambda goal: goal.met)

    def to_json(self) -> str:
        return json.dumps({"format": FORMAT, **_plain(asdict(self))}, indent=1, ensure_ascii=False, allow_nan=False)


def _plain(value: Any) -> Any:
    """The value with what JSON does not know as null."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
