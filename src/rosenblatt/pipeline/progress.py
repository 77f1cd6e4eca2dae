"""What `train` tells while it works."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias


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


Watch: TypeAlias = Callable[[Progress], None]


def silent(progress: Progress) -> None:
    """Says nothing."""
