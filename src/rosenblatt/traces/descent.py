"""Gradient descent on the perceptron loss of all rows at once, beside the rule that takes one row at a time.

The engine makes the run: with a shard for each row, every row is visited from the same weights, and the mean of what
the shards come back with is the weights moved against the mean of the rows' subgradients.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.errors import SettingError
from rosenblatt.harmless import csv_lines
from rosenblatt.learn.losses import Losses, losses_of
from rosenblatt.traces import numerals
from rosenblatt.traces.step import weights_text
from rosenblatt.traces.steps import Trace, trace
from rosenblatt.traces.table import aligned, features_of, markdown

MOST_ROWS = 2000  # each is a shard
HEAD = ("step", "weights", "0/1 loss", "perceptron loss", "wrong rows", "update")
MOST_NAMED = 8


class Move(NamedTuple):
    """One step: the weights before it and their losses, and what the rows that are wrong add together."""

    weights: np.ndarray  # bias first
    losses: Losses
    wrong: np.ndarray  # row numbers, ascending
    total: np.ndarray  # the sum of the signed rows, in the shape of the weights


@dataclass(frozen=True)
class Descent:
    """All steps of a descent until one in which no row is wrong, or the last step asked for."""

    rows: Trace  # the data and the choices

    @cached_property
    def moves(self) -> list[Move]:
        """Every step in order, and at the end the weights with nothing added."""
        run, weights = self._run
        problem, base = self.rows._problem, self.rows
        found = []
        for u, before in enumerate(weights):
            losses = losses_of(problem, before, base.ties, self._unit)
            made = run.recorded[u] if u < len(run.recorded) else None
            total = np.zeros(before.shape)
            if made is not None:
                laid = problem.layout(total)
                problem.add(made.rows, made.rivals, np.ones(len(made.rows)), laid)
                total = problem.by_class(laid)
            wrong = np.empty(0, int) if made is None else made.rows
            found.append(Move(self._shown(before * self._unit), losses, wrong, self._shown(total)))
        return found

    @cached_property
    def _run(self) -> tuple[Any, list[np.ndarray]]:
        from rosenblatt.learn.run import learn

        base, n = self.rows, len(self.rows.X)
        # In units of α/n a step adds whole rows, so ties of whole numbers are exact. A row counts n in its shard.
        weights = [base._start / self._unit]
        problem = replace(base._problem, amounts=np.full(n, float(n)))
        settings = replace(base._settings(), shards=n, eta0=1.0)
        run = learn(problem, settings, weights[0], on_pass=lambda run: weights.append(run.weights.copy()))
        return run, weights if run.per_pass[-1][0] else weights[:-1]

    @property
    def _unit(self) -> float:
        return self.rows.rate / len(self.rows.X)

    def _shown(self, weights: np.ndarray) -> np.ndarray:
        return np.roll(weights, 1, -1) if self.rows.bias else weights[..., :-1]

    @property
    def weights(self) -> np.ndarray:
        """The weights after the last step, bias first."""
        return self.moves[-1].weights

    @property
    def losses(self) -> list[Losses]:
        """0/1 loss and perceptron loss of the weights at the start and after each step."""
        return [move.losses for move in self.moves]

    @property
    def stopped(self) -> str:
        """As of a trace."""
        return str(self._run[0].stopped)

    def __len__(self) -> int:
        return len(self.moves) - 1

    def __iter__(self) -> Iterator[Move]:
        return iter(self.moves)

    def __getitem__(self, index: int) -> Move:
        return self.moves[index]

    def summary(self) -> str:
        """How many steps there were, and how the run ended."""
        first, last = self.losses[0], self.losses[-1]
        steps = f"{len(self)} step{'' if len(self) == 1 else 's'}"
        return (
            f"{steps} over all {len(self.rows.X)} rows; perceptron loss {numerals.numeral(first.perceptron)} → "
            f"{numerals.numeral(last.perceptron)}, 0/1 loss {numerals.numeral(first.zero_one)} → "
            f"{numerals.numeral(last.zero_one)}; {ENDS.get(self.stopped, self.stopped)}"
        )

    def cells(self) -> list[tuple[str, ...]]:
        """The table: one line for each step, and one with the weights at the end."""
        return [HEAD, *(self._line(number, move) for number, move in enumerate(self.moves, 1))]

    def _line(self, number: int, move: Move) -> tuple[str, ...]:
        shown = [str(number), weights_text(move.weights), *map(numerals.numeral, move.losses)]
        if not len(move.wrong):
            return (*shown, "none" if number <= len(self._run[0].recorded) else "", "")
        more = f" and {len(move.wrong) - MOST_NAMED} more" if len(move.wrong) > MOST_NAMED else ""
        rows = ", ".join(str(row + 1) for row in move.wrong[:MOST_NAMED].tolist()) + more
        factor = f"{numerals.numeral(self.rows.rate)}/{len(self.rows.X)}"
        lines = [f"{factor}·{numerals.vector(line)}" for line in np.atleast_2d(move.total).tolist()]
        return (*shown, rows, f"+{'; '.join(lines)}")

    def __str__(self) -> str:
        return aligned(self.cells())

    def to_markdown(self) -> str:
        """The table as Markdown."""
        return markdown(self.cells())

    def to_csv(self) -> str:
        """The table with every weight in a column of its own, exact to the bit."""
        names = [f"w[{c}, {name}]" if self.weights.ndim == 2 else f"w[{name}]" for c, name in self._columns()]
        lines = [
            [number, *move.weights.ravel().tolist(), *move.losses, len(move.wrong)]
            for number, move in enumerate(self.moves, 1)
        ]
        return csv_lines([["step", *names, *Losses._fields, "wrong rows"], *lines])

    def _columns(self) -> list[tuple[Any, str]]:
        classes = self.rows.classes if self.weights.ndim == 2 else ("",)
        return [(c, name) for c in classes for name in features_of(self.rows)]

    def to_json(self) -> str:
        """Data, choices and every step."""
        steps = [
            {"weights": m.weights.tolist(), "losses": m.losses._asdict(), "wrong": m.wrong.tolist()} for m in self.moves
        ]
        found = {"kind": "rosenblatt descent", "version": 1, "features": features_of(self.rows), "rate": self.rows.rate}
        data = {"classes": [str(c) for c in self.rows.classes], "rows": self.rows.X.tolist()}
        return json.dumps(found | data | {"truth": self.rows.truth.tolist(), "stopped": self.stopped, "steps": steps})


ENDS = {
    "separated": "no row is wrong any more: separated",
    "clean pass": "no row is wrong, but one is right only by the rule for ties",
    "cycle": "the weights came back: the rows cannot be separated",
    "limit": "stopped at the limit",
}


def descend(X: Any, y: Any, *, steps: int = 10, **choices: Any) -> Descent:
    """Gradient descent on the perceptron loss over the rows X with labels y: at most so many steps over all rows.

    Each step is w ← w − α ∇J(w), where J is the mean over the rows of max(0, −y w·x) and ∇J the mean of −y x over all
    rows, nothing from those that are right. At a score of 0, where the loss has a kink, the rule for ties chooses.
    Choices are start, ties, bias, names, rate and classes, as for `trace`.
    """
    return Descent(check_descent(trace(X, y, passes=steps, **choices)))


def check_descent(rows: Trace) -> Trace:
    """The rows; SettingError where they are too many, or in an order: all of them are visited at once."""
    if rows.seed is not None or rows.margin:
        raise SettingError("a descent visits all rows at once, by their loss: leave out seed and margin.")
    if len(rows.X) > MOST_ROWS:
        raise SettingError(f"a descent takes at most {MOST_ROWS} rows; got {len(rows.X)}. Take a part of them.")
    return rows
