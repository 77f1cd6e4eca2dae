"""From counts to probabilities: Laplace smoothing for any k from 0 to infinity, priors, scores, posteriors.

At k = 0 a count of 0 makes a factor of 0. It is kept as the limit of k / total for k -> 0+: a logarithm, that of
1 / total, and one zero factor, counted apart. Classes with more zero factors than the fewest have
probability 0; the others compare by the rest. No infinity is ever added to another, so nothing is ever NaN.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.errors import SettingError
from rosenblatt.learn.counts import Counts
from rosenblatt.learn.decide import fill_scores
from rosenblatt.loops.counts import compensated_sums, level_ties, look_up
from rosenblatt.loops.rows import Dense, Rows, n_features, n_rows

HUGE = 2.0**200  # from here on (count + k) / (total + k |X|) is computed divided through by k
TINY = 2.0**-1000
NAMED_PRIORS = ("smoothed", "uniform")
ABOUT_PRIORS = "priors must be None (class counts), 'smoothed' (by k), 'uniform' or one probability per class"


@dataclass(frozen=True)
class Weighted:
    """P(y) of each class in proportion to its rows times its weight."""

    weights: tuple[float, ...]


class Factor(NamedTuple):
    """Logarithms of factors, and where a factor is 0, which is then left out of the logarithm (see above)."""

    logs: np.ndarray
    zeros: Any  # an array only for k = 0, otherwise None


def check_strength(k: Any, where: str = "k") -> float:
    """k as a float; SettingError unless it is a number from 0 to infinity."""
    if isinstance(k, Real | np.number) and not isinstance(k, bool) and float(k) >= 0:  # NaN >= 0 is false
        return float(k)
    raise SettingError(f"{where} must be a number from 0 (maximum likelihood) to infinity (uniform); got {k!r}.")


def log_factor(count: np.ndarray, total: np.ndarray, size: Any, k: float) -> Factor:
    """The logarithm of (count + k) / (total + k size), element by element; at k = 0 with 1 / size where total is 0."""
    count, total = np.broadcast_arrays(np.asarray(count, np.float64), np.asarray(total, np.float64))
    size = np.asarray(size, np.float64)
    if k == math.inf:
        return Factor(np.broadcast_to(-np.log(size), count.shape), None)
    if k > HUGE:
        return Factor(np.log((count / k + 1) / (total / k + size)), None)
    if k > 0:
        above, below = count + k, total + k * size
        ratio = above / below  # one logarithm of it is more exact than two, unless it underflows
        if ratio.min(initial=1) > TINY:
            return Factor(np.log(ratio), None)
        return Factor(np.where(ratio > TINY, np.log(np.maximum(ratio, TINY)), np.log(above) - np.log(below)), None)
    unknown, zero = total == 0, (count == 0) & (total > 0)
    above, below = np.where(unknown | zero, 1, count), np.where(unknown, size, total)
    return Factor(np.log(above) - np.log(below), zero.astype(np.float64))


def per_count(count: np.ndarray, total: np.ndarray, size: Any, k: float) -> Factor:
    """log_factor with one logarithm per distinct count, where `total` is one line and counts are small integers."""
    most = int(count.max(initial=0)) if count.dtype.kind == "i" else len(count)
    if (total.ndim == 2 and len(total) > 1) or most >= len(count):
        return log_factor(count, total, size, k)
    with np.errstate(over="ignore"):  # a class that has fewer than `most` never has that count
        table = log_factor(np.arange(most + 1), np.reshape(total, (-1, 1)), size, k)
    found = [np.empty(count.shape) for part in table if part is not None]
    for part, out in zip(table, found, strict=False):
        look_up(count, np.ascontiguousarray(part), out)
    return Factor(found[0], found[1] if len(found) > 1 else None)


class Absence(NamedTuple):
    """For each class the distinct (rows with 0, rows where present) of the binary columns, and how many have them."""

    zeros: np.ndarray
    present: np.ndarray
    times: np.ndarray
    starts: np.ndarray  # those of class c stand from starts[c] to starts[c + 1]

    def sums(self, k: float) -> tuple[np.ndarray, np.ndarray]:
        """For each class the compensated sum of log P(absent) over all binary columns, and that of zero factors."""
        factor = log_factor(self.zeros, self.present, 2, k)
        logs, zeros = np.zeros(len(self.starts) - 1), np.zeros(len(self.starts) - 1)
        compensated_sums(factor.logs, self.times, self.starts, logs)
        if factor.zeros is not None:
            compensated_sums(factor.zeros, self.times, self.starts, zeros)
        return logs, zeros


def absence(counts: Counts) -> Absence:
    """What the absence of all binary columns rests on; columns that were never 0 with any class left out."""
    zeros, present = counts.zeros(), counts.present()
    zeros = zeros[zeros.any(axis=1)]
    if counts.gone is None and zeros.dtype.kind == "i":
        found = [_count_values(zeros[:, c], most) for c, most in enumerate(counts.rows)]
        sizes = [len(values) for values, _ in found]
        return Absence(
            np.concatenate([values for values, _ in found]).astype(np.float64),
            np.repeat(counts.rows, sizes).astype(np.float64),
            np.concatenate([times for _, times in found]).astype(np.float64),
            np.cumsum([0, *sizes]),
        )
    present = np.broadcast_to(present if counts.gone is None else present[counts.zeros().any(axis=1)], zeros.shape)
    flat = np.ascontiguousarray(zeros.T, np.float64).ravel()
    totals = np.ascontiguousarray(present.T, np.float64).ravel()
    return Absence(flat, totals, np.ones(len(flat)), np.arange(zeros.shape[1] + 1) * len(zeros))


def _count_values(column: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """The different values of a column of counts up to `most`, and how often each occurs."""
    times = np.bincount(most - column)  # most columns are absent in nearly all rows
    distinct = np.flatnonzero(times)
    return most - distinct, times[distinct]


class Weights(NamedTuple):
    """What every cell adds to the score of every class, the last line being where all scores start."""

    lines: np.ndarray  # (cells + 1, classes)
    zeros: np.ndarray | None  # the same for the number of zero factors; only for k = 0


def binary_factors(counts: Counts, k: float) -> tuple[Factor, Factor]:
    """For each binary column the factor of its presence and of its absence."""
    ones, present = counts.cells[: len(counts.schema.binary)], counts.present()
    return _seen_factors(ones, present, 2, k), _seen_factors(counts.zeros(), present, 2, k)


def group_factors(counts: Counts, k: float) -> list[Factor]:
    """For all words, and for the values of each listed column, the factors of one occurrence."""
    return [_seen_factors(cells, cells.sum(axis=0)[np.newaxis], len(cells), k) for cells in counts.groups()]


def _seen_factors(seen: np.ndarray, total: np.ndarray, size: int, k: float) -> Factor:
    """The factors of cells that were seen so often; 1 where no class ever had one."""
    factor = per_count(seen, total, size, k)
    never = ~seen.any(axis=1)
    for part in factor:
        if part is not None:
            part[never] = 0
    return factor


def weigh(counts: Counts, k: float, priors: np.ndarray, with_gone: bool) -> Weights:
    """The weights of every cell and, `with_gone`, of every cell that says "missing"; priors are log probabilities.

    Scores start as if every binary column were absent, so a row pays only for what it holds.
    """
    n_binary, n_cells, n_classes = len(counts.schema.binary), counts.schema.n_cells, len(counts.classes)
    lines = n_cells + (n_binary if with_gone else 0) + 1
    if k == math.inf:  # every class has the same factors
        return Weights(np.vstack([np.zeros((lines - 1, n_classes)), priors]), None)
    parts: list[Any] = []
    present, absent = binary_factors(counts, k)
    groups = group_factors(counts, k)
    for part in range(2 if k == 0 else 1):
        found = np.empty((lines, n_classes))
        np.subtract(present[part], absent[part], out=found[:n_binary])
        np.concatenate([factor[part] for factor in groups], out=found[n_binary:n_cells])
        if with_gone:
            np.negative(absent[part], out=found[n_cells:-1])
        parts.append(found)
    for found, base in zip(parts, absence(counts).sums(k), strict=False):
        found[-1] = base
    parts[0][-1] += priors
    return Weights(parts[0], parts[1] if k == 0 else None)


def log_priors(priors: Any, counts: Counts, k: float) -> np.ndarray:
    """log P(y) for each class: relative counts for None, smoothed by k, all equal for "uniform", or as given."""
    classes = counts.classes
    if priors is None:
        found = counts.rows / counts.rows.sum()
    elif isinstance(priors, Weighted):
        found = counts.rows * np.array(priors.weights)
        found = found / math.fsum(found)
    elif isinstance(priors, str):
        if priors == "smoothed":
            return _smoothed_priors(counts, k)
        if priors not in NAMED_PRIORS:
            raise SettingError(f"{ABOUT_PRIORS}; got {priors!r}.")
        found = np.full(len(classes), 1 / len(classes))
    else:
        found = _given_priors(priors, classes)
    with np.errstate(divide="ignore"):  # a prior of 0 is meant
        return np.asarray(np.log(found))


def _smoothed_priors(counts: Counts, k: float) -> np.ndarray:
    """The logarithm of (count(y) + k) / (n + k K), K the number of classes."""
    factor = log_factor(counts.rows, counts.rows.sum(), len(counts.classes), k)
    return factor.logs if factor.zeros is None else np.where(factor.zeros > 0, -math.inf, factor.logs)


def _given_priors(priors: Any, classes: np.ndarray) -> np.ndarray:
    if isinstance(priors, Mapping):
        known = classes.tolist()
        if set(priors) != set(known):
            raise SettingError(f"priors must name the classes {known}; got {list(priors)}.")
        priors = [priors[y] for y in known]
    if not isinstance(priors, Sequence | np.ndarray):
        raise SettingError(f"{ABOUT_PRIORS}; got {priors!r}.")
    try:
        found = np.asarray(priors, np.float64)
    except (TypeError, ValueError):
        found = np.zeros(0)
    if found.shape != (len(classes),):
        raise SettingError(
            f"priors must be {len(classes)} probabilities, one per class in sorted order; got {priors!r}."
        )
    if not ((found >= 0).all() and abs(found.sum() - 1) <= 1e-8):
        raise SettingError(f"priors must be probabilities that sum to 1; got {priors!r}. Divide them by their sum.")
    return found


def score(rows: Rows, weights: Weights) -> tuple[np.ndarray, np.ndarray | None]:
    """The logarithm of P(y) times all factors, and the number of zero factors (k = 0), for each row and class."""
    found: list[Any] = []
    for lines in weights:
        if lines is None:
            return found[0], None
        scores = np.empty((n_rows(rows), lines.shape[1]))
        fill_scores(rows, np.ascontiguousarray(lines.T) if isinstance(rows, Dense) else lines, scores)
        found.append(scores)
    return found[0], found[1]


def settle(scores: np.ndarray, zeros: np.ndarray | None) -> np.ndarray:
    """The scores as they are decided by, in the array given or in a new one.

    Classes that have more zero factors than the fewest of a possible class get -inf. Where rounding alone tells the
    highest score from that of an earlier class, the earlier class gets it too: equal products tie.
    """
    if zeros is not None:
        zeros = np.where(scores == -math.inf, math.inf, zeros)
        scores = np.where(zeros > zeros.min(axis=1, keepdims=True), -math.inf, scores)
    level_ties(scores)
    return scores


def log_posterior(scores: np.ndarray) -> np.ndarray:
    """log P(y | row): the scores less the logarithm of the sum of their exponentials."""
    shifted = scores - scores.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))


def needs_gone(rows: Rows, counts: Counts) -> bool:
    """True if the rows name cells for missing binary columns."""
    return n_features(rows) > counts.schema.n_cells
