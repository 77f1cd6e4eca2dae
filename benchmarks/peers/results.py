"""What a run found, as plain values: written as JSON, shown by the terminal, the page and the plots."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field
from typing import Any

FORMAT = 1


@dataclass
class Result:
    """One contestant on one task. Times in seconds, sizes in bytes; None is what was not measured."""

    contestant: str
    ours: bool = False
    accuracy: float | None = None
    fits: list[float] = field(default_factory=list)  # one for each repeat
    fit: float | None = None  # their median
    search: float | None = None  # choosing on the validation rows; for ours the whole of `train`
    whole: float | None = None  # search and fit together
    tried: int = 0
    predict: float | None = None  # all test rows at once
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
        return next((each for each in self.results if each.ours and each.accuracy is not None), None)

    @property
    def peers(self) -> list[Result]:
        return [each for each in self.results if not each.ours and each.accuracy is not None]

    @property
    def best_peer(self) -> Result | None:
        return max(self.peers, key=lambda each: each.accuracy or 0.0, default=None)


@dataclass
class Timing:
    """One thing that several can do and that has no accuracy: reading a file, starting cold."""

    name: str
    about: str
    seconds: dict[str, float]
    note: str = ""


@dataclass
class Growth:
    """How one fit grows along one direction."""

    contestant: str
    along: str  # rows, features or classes
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
    timings: list[Timing] = field(default_factory=list)
    growth: list[Growth] = field(default_factory=list)
    goals: list[Goal] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)  # packages that are not installed

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
