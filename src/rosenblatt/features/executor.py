"""Where the blocks of a table are looked at: here, in this process, or elsewhere (`distributed/looking.py`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import numpy as np
import pyarrow as pa

from rosenblatt.data.spooled import blocks
from rosenblatt.data.table import Table
from rosenblatt.features.lines import Learner
from rosenblatt.features.together import look_together
from rosenblatt.features.units import ColumnSums
from rosenblatt.loops.rows import Rows


class Looking(Protocol):
    """What looks at the blocks of a column: facts, or a learner."""

    def look(self, column: pa.ChunkedArray, origin: Any) -> None: ...

    def merge(self, later: Any) -> None: ...


L = TypeVar("L", bound=Looking)


class Executor(Protocol):
    """Where the blocks are looked at."""

    def fold(self, looking: dict[str, L]) -> dict[str, L]:
        """By column, what each has seen of all blocks."""
        ...

    def sums(self, columns: list[str], encode: Callable[[Table], Rows]) -> ColumnSums:
        """What the rows add up to that are made of these columns of all blocks."""
        ...


class Here:
    """The blocks of a table, one after the other in this process."""

    def __init__(self, table: Table, classes: np.ndarray | None = None) -> None:
        self.table, self.classes = table, classes

    def fold(self, looking: dict[str, L]) -> dict[str, L]:
        for start, part in blocks(self.table, list(looking)) if looking else ():
            for name in look_together(looking, part):
                each = looking[name]
                if self.classes is not None and isinstance(each, Learner):
                    each.tell(self.classes[start : start + part.n_rows])
                each.look(part.columns[name], part.origin)
        return looking

    def sums(self, columns: list[str], encode: Callable[[Table], Rows]) -> ColumnSums:
        found = ColumnSums()
        for _, part in blocks(self.table, columns):
            found.add(encode(part))
        return found
