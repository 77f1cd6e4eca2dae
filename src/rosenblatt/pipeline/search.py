"""The search: the candidates of every family, and how often each is right on the validation rows.

Where there are several ways of encoding, a short run in each decides which is searched; of a small table every way is,
and once more in each fold by `finalists`, as few small pictures are. Order of trials: short runs; then perceptrons by
rising margin, for each the averaged weights before the final ones, by rising passes; naive Bayes last. Final weights
that do not separate the training rows depend on the last few rows visited, so they are candidates only if they were
asked for.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from rosenblatt.errors import SettingError
from rosenblatt.loops.rows import n_rows
from rosenblatt.pipeline.choices import Choices
from rosenblatt.pipeline.family import Candidate, Parts
from rosenblatt.pipeline.progress import Progress
from rosenblatt.pipeline.runs import Conduct
from rosenblatt.pipeline.tries import FEWEST, SMALL_PICTURES, SMALL_TABLE
from rosenblatt.pipeline.ways import Encoded, Ways, is_numeric, is_table


@dataclass(frozen=True)
class Searched:
    """Every candidate, in the order tried; whether every way was searched, and whether the rows are a table."""

    candidates: list[Candidate]
    thorough: bool
    table: bool = True


def search(parts: Parts, choices: Choices, conduct: Conduct, thorough: bool | None = None) -> Searched:
    """The candidates; thorough    whether every way is searched, and otherwise that is decided by their size."""
    started = time.perf_counter()
    ways = Ways(choices.wishes, parts.train, parts.validation, parts.truth, parts.n_classes)
    conduct.watch(Progress("encoding", seconds=time.perf_counter() - started))
    if thorough is None:
        thorough = choices.quick and _is_small(ways.first, parts.n_classes, choices)
    table = is_table(ways.first.plan)  # asked here, since families release the ways
    found: list[Sequence[Candidate]] = []
    # The last first: when the long runs of the first begin, only their way is still in memory.
    for family in reversed(choices.families):
        found.insert(0, family.candidates(ways, parts, choices, conduct, thorough))
    candidates = [each for some in found for each in some]
    if not candidates:
        raise SettingError(f"{parts.train.origin.source}: {' '.join(family.lacks for family in choices.families)}")
    return Searched(candidates, thorough, table)


def _is_small(encoded: Encoded, n_classes: int, choices: Choices) -> bool:
    """Whether rows are few enough for a search of every way in every fold, and enough to tell by it; never words.

    Curves over pictures take too long for that: families that are tried only where they are asked for.
    """
    pictures = SMALL_PICTURES if all(family.auto for family in choices.families) else 0
    rows, most = n_rows(encoded.train), SMALL_TABLE if is_table(encoded.plan) else pictures
    size = encoded.plan.width * rows * (1 if n_classes == 2 else n_classes)
    return rows >= FEWEST and size <= most and is_numeric(encoded.plan)
