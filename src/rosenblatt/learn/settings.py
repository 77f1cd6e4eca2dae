"""What a user can choose about a perceptron run, under the names and with the defaults of `Perceptron`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

from rosenblatt.errors import SettingError
from rosenblatt.learn.rules import RULES
from rosenblatt.learn.variants import VARIANTS
from rosenblatt.loops.ties import TIES

LARGEST_SEED = 2**64 - 1  # the hash that orders rows takes 64 bits (loops/order.py)


@dataclass(frozen=True)
class Settings:
    """The choices that decide a run. `n_jobs` changes its speed and nothing else."""

    weights: str = "averaged"
    margin: float = 0.0
    ties: str = "mistake"
    eta0: float = 1.0
    max_iter: int = 1000
    tol: float | None = 1e-3
    n_iter_no_change: int = 5
    shuffle: bool = True
    seed: int = 0
    early_stopping: bool = False
    validation_fraction: float = 0.1
    shards: int = 1
    n_jobs: int | None = None
    record: bool = False
    verbose: int = 0
    rule: str = "perceptron"
    C: float = 0.5  # how far a rule with an amount of its own may go in a step

    def __post_init__(self) -> None:
        _one_of("weights", self.weights, tuple(VARIANTS))
        _one_of("rule", self.rule, tuple(RULES))
        _number("C", self.C, "above 0", lambda v: 0 < v < math.inf)
        RULES[self.rule].check(self)
        _one_of("ties", self.ties, TIES)
        _number("margin", self.margin, "0 or more", lambda v: 0 <= v < math.inf)
        check_rate("eta0", self.eta0)
        if self.tol is not None:
            _number("tol", self.tol, "a number, or None never to stop for lack of progress", math.isfinite)
        whole("max_iter", self.max_iter, 1)
        whole("n_iter_no_change", self.n_iter_no_change, 1)
        whole("shards", self.shards, 1)
        check_seed("seed", self.seed)
        _number("validation_fraction", self.validation_fraction, "between 0 and 1", lambda v: 0 < v < 1)
        if self.n_jobs is not None and (not isinstance(self.n_jobs, Integral) or self.n_jobs == 0):
            raise SettingError(f"n_jobs must be a whole number but not 0, or None for one thread; got {self.n_jobs!r}.")
        if self.shards > 1 and VARIANTS[self.weights].single:
            raise SettingError(
                f"weights={self.weights!r} follows a single sequence of weights, but shards={self.shards} makes "
                f"{self.shards}. Use shards=1, or weights='averaged'."
            )


def _one_of(name: str, value: Any, words: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in words:
        raise SettingError(f"{name} must be one of {', '.join(map(repr, words))}; got {value!r}.")


def _number(name: str, value: Any, wanted: str, holds: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, Real) or not holds(value):
        raise SettingError(f"{name} must be {wanted}; got {value!r}.")


def check_rate(name: str, value: Any) -> None:
    _number(name, value, "above 0", lambda v: 0 < v < math.inf)


def check_seed(name: str, value: Any, largest: int = LARGEST_SEED) -> None:
    if isinstance(value, bool) or not isinstance(value, Integral) or not 0 <= int(value) <= largest:
        raise SettingError(f"{name} must be a whole number from 0 to {largest}; got {value!r}.")


def whole(name: str, value: Any, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise SettingError(f"{name} must be a whole number of at least {least}; got {value!r}.")
