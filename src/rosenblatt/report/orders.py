"""The orders in which rows can be visited, side by side: mistakes of each, beside the bound that holds for all."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Any

from rosenblatt.proofs import Separable, prove
from rosenblatt.traces.steps import ORDERS, Trace, trace
from rosenblatt.traces.table import aligned

SEEDS = 99  # of the shuffled order; an odd number, so that the median is a run
HEAD = ("order", "mistakes", "stopped")


@dataclass(frozen=True)
class Orders:
    """For each order how many mistakes the run from 0 makes, and (R/γ)² of the best margin, if there is one."""

    runs: dict[str, Trace]
    shuffled: tuple[int, int, int]  # fewest, median and most mistakes over the seeds
    bound: int | None

    @property
    def mistakes(self) -> dict[str, int]:
        """Of each order; of the shuffled one the median."""
        found = {name: _made(run) for name, run in self.runs.items()}
        return found | {"shuffled": self.shuffled[1]}

    def __str__(self) -> str:
        low, _, high = self.shuffled
        notes = {"shuffled": f" (median of {SEEDS} seeds, {low} to {high})"}
        lines = [(name + notes.get(name, ""), str(self.mistakes[name]), run.stopped) for name, run in self.runs.items()]
        if self.bound is None:
            return f"{aligned([HEAD, *lines])}\nThe rows cannot be separated, so no bound holds."
        return aligned([HEAD, *lines, ("bound (R/γ)²", str(self.bound), "")])


def compare_orders(X: Any, y: Any, *, passes: int = 1000, bias: bool = True, classes: Any = None) -> Orders:
    """The perceptron from 0 over the rows X with labels y in each order, up to so many passes; ties are mistakes."""
    choice = {"passes": passes, "bias": bias, "classes": classes}
    runs = {name: trace(X, y, order=name, **choice) for name in ORDERS}
    counts = sorted(_made(trace(X, y, seed=seed, **choice)) for seed in range(SEEDS))
    verdict = prove(X, y, bias=bias)
    bound = verdict.best.mistake_bound if isinstance(verdict, Separable) else None
    return Orders(runs, (counts[0], int(statistics.median(counts)), counts[-1]), bound)


def _made(run: Trace) -> int:
    """The mistakes until the run stopped; a trace shows a cycle going on."""
    return run._run[0].mistakes
