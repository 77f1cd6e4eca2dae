"""Likelihoods by hand: a coin that was tossed, the estimate, its smoothed form, and how probable the tosses were."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

from rosenblatt.course.by_hand import read_number
from rosenblatt.course.draws import Draws
from rosenblatt.course.task import ASKED, Blank, State, Task, solve
from rosenblatt.learn.likelihood import likelihood, log_likelihood, shares

FEWEST, MOST = 5, 8  # tosses
HEADS, TAILS, SHARE, SMOOTHED, FAIR, BEST, LOG = range(7)


def make(draws: Draws, course: str) -> Task:
    """Tosses of a coin that shows both sides, and k."""
    n = draws.whole(FEWEST, MOST)
    tosses = ""
    while len(set(tosses)) < 2 or tosses.count("H") * 2 == n:
        tosses = "".join(draws.one_of("HHHTT") for _ in range(n))
    k = draws.one_of((1, 2, 3))
    names = (
        "heads", "tails", "θ with the largest L", f"θ smoothed with k = {k}", "L(1/2)", "L of the θ with the largest L",
        "ln L of it",
    )  # fmt: skip
    lines = tuple((name, ASKED) for name in names)
    text = (
        f"A coin was tossed {n} times: {' '.join(tosses)}. θ is the probability of heads (H).",
        "L(θ) is the probability of these tosses in this order. ln is the natural logarithm. Smoothing adds k to the "
        "count of each of the two sides.",
    )
    blanks = partial(_blanks, names, tosses, k)
    return Task("Likelihood", text, (), ("", "value"), lines, blanks, solve(lines, blanks))


def _blanks(names: tuple[str, ...], tosses: str, k: int, state: State, lines: int) -> Iterator[Blank]:
    for line, name in enumerate(names):
        yield Blank((line, 1), name, read_number, partial(_follows, line, tosses, k))


def _follows(line: int, tosses: str, k: int, state: State) -> Any:
    if line in (HEADS, TAILS):
        return Fraction(tosses.count("HT"[line]))
    counts = [_count(state[side, 1]) for side in (HEADS, TAILS)]
    if line == SHARE:
        return shares(counts, 0)[0]
    if line == SMOOTHED:
        return shares(counts, k)[0]
    if line == FAIR:
        return likelihood(counts, [Fraction(1, 2)] * 2)
    theta = min(max(state[SHARE, 1], Fraction(0)), Fraction(1))
    if line == BEST:
        return likelihood(counts, [theta, 1 - theta])
    best = state[BEST, 1]
    own = Fraction(math.log(best)) if best > 0 else Fraction(0)
    whole = log_likelihood(counts, [theta, 1 - theta])
    return frozenset({own, Fraction(whole) if math.isfinite(whole) else own})


def _count(written: Fraction) -> int:
    """A count that somebody wrote; one that cannot be is taken for the nearest that can."""
    return min(max(round(written), 0), 1000)
