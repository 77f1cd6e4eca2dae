"""What else could be had: a curve where a line was chosen, or weights of columns where units were.

Auto never chooses a kernel, because its file holds training rows. A cheap one is tried on a sample, and only where
there is something to gain and enough validation rows to tell: more than one row in twenty is wrong, and the features
are not words, on which curves gain little.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rosenblatt.loops.order import row_hashes
from rosenblatt.loops.rows import n_rows
from rosenblatt.pipeline.choices import Choices
from rosenblatt.pipeline.families.kernel import Kernel
from rosenblatt.pipeline.families.kernel_runs import problem_of
from rosenblatt.pipeline.family import Candidate, Parts
from rosenblatt.pipeline.ways import Way, encode, holds_words, is_table

SAMPLE, JUDGES, FEWEST = 2_000, 3_000, 200  # rows to learn from, to judge by at most, and at least
ENOUGH = 0.95  # a share of right rows that is left alone
MOST_VALUES = 50_000_000  # of the sample, so that a wide table is left alone


def curve_hint(parts: Parts, chosen: Candidate, choices: Choices, kept: int) -> str:
    """What to type for how much, where a curve does better by two standard errors; otherwise nothing.

    kept    rows that the final fit learns from
    """
    count = len(parts.wanted)
    if choices.model != "auto" or choices.record or count < FEWEST or chosen.accuracy >= ENOUGH:
        return ""
    some, judges = _drawn(parts.train.n_rows, SAMPLE), _drawn(count, JUDGES)
    train, validation = parts.train.take(some), parts.validation.take(judges)
    encoded = encode(Way("", choices.wishes), train, validation, parts.truth[some])
    if holds_words(encoded.plan) or encoded.plan.width * len(some) > MOST_VALUES:
        return ""
    truth, wanted = parts.truth[some], parts.wanted[judges]
    if len(np.unique(truth)) < 2:
        return ""
    blank = Kernel(encoded.way, margin=0.3)
    tried = [replace(blank, gamma=gamma) for gamma in (2.0, 8.0, 32.0)]
    tried += [] if is_table(encoded.plan) else [replace(blank, kernel="cosine", degree=5)]
    problem = problem_of(encoded.train, truth, parts.n_classes)
    best, rows = 0.0, 0
    for each in tried:
        found = each.tried_once(problem, encoded.validation, wanted, choices.seed)
        if found[0] > best:
            best, rows = found
    gain = best - chosen.accuracy
    if gain < 0.005 or gain < 2 * math.sqrt(best * (1 - best) / len(wanted)):
        return ""
    held = round(rows / n_rows(encoded.train) * kept)
    said = f"a curve reaches {best:.0%} ({100 * gain:+.0f}): add --model kernel;"
    return f"{said} the file will hold about {held:,} training rows"


def columns_hint(chosen: Candidate, candidates: Sequence[Candidate], choices: Choices) -> str:
    """How to have weights of columns where association units were chosen unasked, and what it costs."""
    others = [each.accuracy for each in candidates if not each.way.wishes.units]
    if not chosen.way.wishes.units or choices.wishes.units is not None or not others:
        return ""
    said = f"of the validation rows {max(others):.1%} right instead of {chosen.accuracy:.1%}"
    return f"units = 0 under [features] of a config keeps to weights of columns; {said}"


def _drawn(count: int, most: int) -> np.ndarray:
    """At most so many of the rows, by their hashes, in their order."""
    rows = np.arange(count, dtype=np.uint32)
    return rows if count <= most else np.sort(np.argsort(row_hashes(0, rows), kind="stable")[:most])
