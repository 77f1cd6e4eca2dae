"""From scores to probabilities and to sets of classes; `reference/calibration.py` has the formulas in plain Python.

A calibration is learned from scores of rows that the model was not fitted to. Scores have no unit: a model that is
fitted to more rows has larger ones. So it is learned from scores in multiples of their model's *spread*, the root of
the mean square of the scores of its own training rows; `Calibration.of_model` puts in that of the model it is for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from rosenblatt.errors import DataError, SettingError

# Coverages that sets can be had for, in thousandths: whole percents up to 90%, tenths of a percent above.
LEVELS = np.array([*range(500, 900, 10), *range(900, 1000)])
STEPS = 100  # of Newton's method; a dozen are enough where a minimum exists
CLOSE = 1e-10  # of a step, beside the size of what it changes
SETTLED = 1e-6  # the same where two numbers are found in turns
LEAST_DOUBT = 1e-9
BOLD = 4.0
FURTHEST = 1e150  # behind the best class, so that its square is a number
FAR = 1e300  # what an infinite score counts as: a slope of 0 times it is 0


@dataclass(frozen=True, eq=False)
class Ranks:
    """For each class the probability that rows of it reach, at each of LEVELS: what `sets` compares with."""

    rows: np.ndarray  # int64, calibration rows of each class
    least: np.ndarray  # float32, (classes, levels), rounded down; 0 where there are too few rows to tell
    held_out: bool  # whether the model never saw these rows: then each class is covered as often as was asked

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ranks):
            return NotImplemented
        same = np.array_equal(self.rows, other.rows) and np.array_equal(self.least, other.least)
        return same and self.held_out == other.held_out

    @classmethod
    def of(cls, probabilities: np.ndarray, truth: np.ndarray, held_out: bool) -> Ranks:
        """By the probabilities of calibration rows."""
        n_classes = probabilities.shape[1]
        least = np.zeros((n_classes, len(LEVELS)), np.float32)
        for c in range(n_classes):
            own = np.sort(probabilities[truth == c, c])[::-1]
            ranks = -(-(len(own) + 1) * LEVELS // 1000)
            known = ranks <= len(own)
            least[c, known] = _rounded_down(own[ranks[known] - 1])
        return cls(np.bincount(truth, minlength=n_classes).astype(np.int64), least, held_out)

    def bounds(self, coverage: float) -> np.ndarray:
        """The probability from which on each class is in a set. A coverage between two levels is rounded up."""
        return self.least[:, level_of(coverage)].astype(np.float64)

    def promised(self, coverage: float, names: tuple[str, ...]) -> list[str]:
        """What holds of sets of this coverage: whether it is guaranteed, and which classes are in every set."""
        few = [
            f"class {name!r} is in every set: {rows:,} calibration rows are too few to tell by"
            for name, rows, bound in zip(names, self.rows.tolist(), self.bounds(coverage), strict=True)
            if bound == 0
        ]
        if self.held_out:
            share = f"each class is in at least {100 * coverage:g}% of the sets of its rows"
            return [f"guaranteed by rows held out: {share}, for rows like those of the training", *few]
        return ["sets are made by rows out of fold, so that their coverage is measured and not guaranteed", *few]


@dataclass(frozen=True)
class Calibration:
    """P(second class) = 1 / (1 + e^-(a s + b)) for two classes; (1 - ε) softmax(a s) + ε / K for K > 2.

    ε is the share of rows whose class is as if drawn by chance, whatever their scores. Without it a few such rows would
    flatten the probabilities of all others: on MNIST these were off by 1.6% on average, and with it by 0.7%.
    """

    slope: float  # a: of more than two classes 1 / T
    shift: float = 0.0  # b
    # Scores beyond it, or for more classes further behind the best, count as this: of naive Bayes with k = 0 scores may
    # be infinite, and no row is surer than the surest that was seen.
    limit: float = math.inf
    doubt: float = 0.0  # ε
    ranks: Ranks | None = None

    def probabilities(self, scores: np.ndarray) -> np.ndarray:
        """The probability of each class, a line for each row."""
        if scores.ndim == 1:
            far = min(self.limit, FAR)
            z = self.slope * np.clip(scores, -far, far) + self.shift
            second = _logistic(z)
            return np.column_stack([_logistic(-z), second])
        parts = np.exp(self.slope * self.behind(scores))
        shares = parts / parts.sum(axis=1, keepdims=True)
        return np.asarray((1 - self.doubt) * shares + self.doubt / scores.shape[1])

    def sets(self, scores: np.ndarray, coverage: float) -> np.ndarray:
        """For each row and class whether the class is in the row's set."""
        if self.ranks is None:
            raise DataError("the model keeps no calibration rows, and sets are made by them. Train it again.")
        return np.asarray(self.probabilities(scores) >= self.ranks.bounds(coverage))

    def score_at(self, probability: float) -> float:
        """The score at which the second class has this probability; infinite where every score has more or less."""
        if not 0 <= probability <= 1:
            raise SettingError(f"a probability is from 0% to 100%; got {probability:.4%}.")
        if self.slope == 0:
            return -math.inf if self.probabilities(np.zeros(1))[0, 1] > probability else math.inf
        if not 0 < probability < 1:
            return -math.inf if probability <= 0 else math.inf
        return (math.log(probability / (1 - probability)) - self.shift) / self.slope

    def of_model(self, spread: float) -> Calibration:
        """The same for scores of a model with this spread."""
        return replace(self, slope=self.slope / spread, limit=self.limit * spread)

    def behind(self, scores: np.ndarray) -> np.ndarray:
        """How far each class is behind the best."""
        with np.errstate(invalid="ignore"):  # all classes impossible: a tie
            apart = np.nan_to_num(scores - scores.max(axis=1, keepdims=True), nan=0.0, neginf=-np.inf)
        return np.maximum(apart, -min(self.limit, FAR))


def refuse_none(calibration: Calibration | None) -> Calibration:
    """The calibration; DataError where a model has none."""
    if calibration is None:
        by = "an older version, a cluster, or calibration = 'none' made it"
        raise DataError(f"the model has no probabilities: {by}. Train it again, or ask for its scores.")
    return calibration


def learn_calibration(scores: np.ndarray, truth: np.ndarray) -> Calibration:
    """The calibration that makes the log loss of these rows least. The weights must not be fitted to them."""
    return _sigmoid(scores, truth) if scores.ndim == 1 else _temperature(scores, truth)


def calibration_for(scores: np.ndarray, truth: np.ndarray) -> Calibration:
    """The same for scores in any unit, such as those that a model gives.

    Of large ones every probability is 0 or 1 where the search for a slope begins, and it would stay there.
    """
    spread = spread_of(scores)
    return learn_calibration(scores / spread, truth).of_model(spread)


def spread_of(scores: np.ndarray) -> float:
    """The size of scores: the root of their mean square, for more than two classes around the mean of each row."""
    if scores.ndim == 2:
        with np.errstate(invalid="ignore"):
            scores = scores - np.mean(scores, axis=1, keepdims=True, where=np.isfinite(scores))
    known = scores[np.isfinite(scores)]
    found = math.sqrt(float(np.mean(np.square(known)))) if len(known) else 0.0
    return found or 1.0


def level_of(coverage: float) -> int:
    """The place among LEVELS of the first that is no smaller than the coverage; refuses those that no rows can show."""
    wanted = round(1000 * coverage, 6) if isinstance(coverage, int | float) else math.nan
    if not LEVELS[0] <= wanted <= LEVELS[-1]:
        raise SettingError(
            f"coverage must be a share from 50% to 99.9%; got {coverage!r}. Sets that are never wrong hold every class."
        )
    return int(np.searchsorted(LEVELS, wanted))


def _sigmoid(scores: np.ndarray, truth: np.ndarray) -> Calibration:
    """Newton's method for a and b, with Platt's targets; each step is halved until the loss falls.

    Where higher scores do not make the second class more probable, a is 0: the scores say nothing.
    """
    limit = _limit(scores)
    x = np.clip(scores.astype(np.float64), -limit, limit)
    second = int(np.sum(truth == 1))
    first = len(truth) - second
    targets = np.where(truth == 1, (second + 1) / (second + 2), 1 / (first + 2))
    flat = math.log((second + 1) / (first + 1))
    at = np.array([0.0, flat])
    design = np.column_stack([x, np.ones(len(x))])
    best = _cross_entropy(design @ at, targets)
    for _ in range(STEPS):
        p = _logistic(design @ at)
        gradient = design.T @ (p - targets)
        bend = (design * (p * (1 - p))[:, None]).T @ design + 1e-12 * len(x) * np.eye(2)
        step = np.linalg.solve(bend, gradient)
        found, size = best, 2.0
        least = (
            CLOSE * max(1.0, np.abs(at).max()) / max(np.abs(step).max(), 1e-300)
        )  # below it nothing changes any more
        while size > max(1e-10, least):
            size /= 2
            found = _cross_entropy(design @ (at - size * step), targets)
            if found < best:
                break
        if not found < best:
            break
        at, best = at - size * step, found
        if np.abs(size * step).max() <= CLOSE * max(1.0, np.abs(at).max()):
            break
    return Calibration(float(at[0]), float(at[1]), limit) if at[0] > 0 else Calibration(0.0, flat, limit)


def _temperature(scores: np.ndarray, truth: np.ndarray) -> Calibration:
    """The slope 1 / T and the doubt ε, in turns: ε as it suits the slope, then a step of Newton's method for the slope.

    A row counts for the slope by how probable it is that its scores speak of its class at all. A step is at most BOLD
    times what it is where these probabilities are taken as they are: beyond that the loss may be no bowl.
    """
    limit, each = _limit(scores), np.arange(len(truth))
    apart = np.maximum(Calibration(1.0, limit=limit).behind(scores.astype(np.float64)), -FURTHEST)
    own, n_classes, squares = apart[each, truth], scores.shape[1], np.square(apart)
    slope, doubt = 1.0, 0.01
    for _ in range(STEPS):
        parts = np.exp(slope * apart)
        total = parts.sum(axis=1)
        mean = np.einsum("ij,ij->i", parts, apart) / total
        bend = np.einsum("ij,ij->i", parts, squares) / total - np.square(mean)
        chance, lead = parts[each, truth] / total, own - mean
        doubt = _doubt(chance, n_classes, doubt)
        meant = (1 - doubt) * chance / np.maximum((1 - doubt) * chance + doubt / n_classes, 1e-300)
        first, usual = float(np.mean(meant * lead)), float(np.mean(meant * bend))
        second = max(usual - float(np.mean(meant * (1 - meant) * np.square(lead))), usual / BOLD)
        new = min(max(slope + first / second, slope / 4), 4 * slope) if second > 0 else slope
        done = abs(new - slope) <= SETTLED * slope
        slope = new
        if done:
            break
    return Calibration(slope, 0.0, limit, doubt)


def _doubt(chance: np.ndarray, n_classes: int, doubt: float) -> float:
    """The share of rows that are of any class by chance, given the probability of each row's class otherwise."""
    for _ in range(STEPS):
        mixed = (1 - doubt) * chance + doubt / n_classes
        tilt = (1 / n_classes - chance) / np.maximum(mixed, 1e-300)
        bend = float(np.mean(np.square(tilt)))
        new = doubt + float(np.mean(tilt)) / bend if bend > 0 else doubt
        new = min(max(new, doubt / 4, LEAST_DOUBT), (1 + 3 * doubt) / 4)
        done = abs(new - doubt) <= SETTLED * doubt
        doubt = new
        if done:
            break
    return doubt


def _limit(scores: np.ndarray) -> float:
    """The largest finite score, or lead of one class on another, where some are infinite; otherwise no limit."""
    if np.isfinite(scores).all():
        return math.inf
    known = np.where(np.isfinite(scores), scores, np.nan)
    if scores.ndim == 2:
        known = known - scores.max(axis=1, keepdims=True)
    known = np.abs(known[np.isfinite(known)])
    return float(known.max(initial=0.0)) or 1.0


def _logistic(z: np.ndarray) -> np.ndarray:
    """1 / (1 + e^-z), without an overflow on either side."""
    small = np.exp(-np.abs(z))
    return np.asarray(np.where(z >= 0, 1.0, small) / (1.0 + small))


def _cross_entropy(z: np.ndarray, targets: np.ndarray) -> float:
    return float(np.sum(np.log1p(np.exp(-np.abs(z))) + np.maximum(z, 0.0) - targets * z))


def _rounded_down(values: np.ndarray) -> np.ndarray:
    """The values as float32, none above what it was: rows that are in a set stay in it."""
    small = values.astype(np.float32)
    return np.where(small.astype(np.float64) > values, np.nextafter(small, np.float32(0)), small)
