"""The choice among candidates: the best of each family and encoding are finalists, settled by cross-validation.

A candidate is the best of its kind on the validation rows, of equals the first tried, averaged weights before final
ones. That final weights separate the training rows is proved and reported, but no merit beside averaged ones: on other
rows they are no better for it. Among final weights it is one, since others depend on the last few rows visited.

Finalists that are more than two standard errors behind the best are out. Where several are left, and fewer than ENOUGH
validation rows would decide between them, they are cross-validated over the training and the validation rows: with the
settings that the search found, and with everything else learned inside each fold.

Two differences are judged by half a standard error of the rows that judge, as they are no more than luck below it:
- Between the families a perceptron must lead by so much. It is the luckiest of up to a hundred candidates, naive Bayes
  of some dozens; and naive Bayes is simpler: it counts, once.
- Over text, of perceptrons so close to the best the one with the largest margin is taken. It spreads a decision over
  more words, and tomorrow's texts have other words than those that were kept aside for validation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from rosenblatt.data import cache
from rosenblatt.data.table import Table
from rosenblatt.features.folds import Fold
from rosenblatt.model import Bayes, Trial
from rosenblatt.model.bayes import as_cells
from rosenblatt.pipeline.final import fit_encoded
from rosenblatt.pipeline.progress import Progress
from rosenblatt.pipeline.runs import Conduct
from rosenblatt.pipeline.search import Candidate
from rosenblatt.pipeline.ways import encode

ENOUGH = 3000  # validation rows that decide by themselves
FOLDS = 3  # in any number of folds every row is scored once; three take less time than the search
BEHIND = 2.0  # standard errors behind the best, and a finalist is out


@dataclass(frozen=True)
class Learned:
    """The rows that a choice is learned from, training and validation rows together, and their classes."""

    table: Table
    truth: np.ndarray
    n_classes: int
    seed: int
    distinct: np.ndarray  # a number for each row, the same for copies
    folds: Callable[[int], list[Fold]]  # at most so many


@dataclass(frozen=True)
class Settled:
    """The chosen candidate; where finalists were cross-validated, the folds, the rows scored and the accuracies."""

    chosen: Candidate
    folds: int = 0
    rows: int = 0
    finalists: list[tuple[Candidate, float]] = field(default_factory=list)

    def accuracy_of(self, candidate: Candidate) -> float | None:
        """The share of rows that the candidate got right out of fold; None if it was not cross-validated."""
        return next((accuracy for each, accuracy in self.finalists if each is candidate), None)


def settle(candidates: Sequence[Candidate], rows: int, learned: Learned | None, conduct: Conduct) -> Settled:
    """The choice, where so many validation rows judged the candidates; where `learned` is None, they alone decide."""
    finalists = find_finalists(candidates, rows)
    parts = learned.folds(FOLDS) if learned is not None and len(finalists) > 1 and rows < ENOUGH else []
    if learned is None or not parts:
        return Settled(choose(finalists, [each.accuracy for each in finalists], rows))
    accuracies, judges = cross_validate(finalists, learned, parts, conduct)
    chosen = choose(finalists, accuracies, judges)
    return Settled(chosen, len(parts), judges, list(zip(finalists, accuracies, strict=True)))


def find_finalists(candidates: Sequence[Candidate], rows: int) -> list[Candidate]:
    """The best candidate of each family and encoding, in the order tried, without those that are far behind."""
    kinds: dict[tuple[str, str, bool], list[Candidate]] = {}
    for each in candidates:
        kinds.setdefault((each.model, each.way.name, each.counted), []).append(each)
    found = [_best_of(kind, rows) for kind in kinds.values()]
    best = max(found, key=lambda each: each.accuracy)
    least = best.accuracy - BEHIND * _standard_error(best.accuracy, rows)
    return [each for each in found if each.accuracy >= least]


def choose(finalists: Sequence[Candidate], accuracies: Sequence[float], rows: int) -> Candidate:
    """The most accurate finalist, the first of equals; naive Bayes where no perceptron leads it by enough."""
    order = sorted(range(len(finalists)), key=lambda number: -accuracies[number])
    best = order[0]
    least = accuracies[best] - _standard_error(accuracies[best], rows) / 2
    simple = [number for number in order if finalists[number].model == "naive-bayes" and accuracies[number] >= least]
    return finalists[(simple or order)[0]]


def cross_validate(
    finalists: Sequence[Candidate], learned: Learned, parts: Sequence[Fold], conduct: Conduct
) -> tuple[list[float], int]:
    """The share of rows that each finalist gets right out of fold, and how many rows were scored; copies count once."""
    right, rows = np.zeros(len(finalists)), 0
    for number, fold in enumerate(parts, 1):
        _, copy_of, copies = np.unique(learned.distinct[fold.validation], return_inverse=True, return_counts=True)
        with cache.passing():
            hits = _hits(finalists, learned, fold, f"fold {number} of {len(parts)}", conduct)
        right += (hits / copies[copy_of]).sum(axis=1)
        rows += len(copies)
    accuracies = [round(float(count / rows), 12) for count in right]  # sums of thirds may differ in their last bits
    for each, accuracy in zip(finalists, accuracies, strict=True):
        conduct.watch(Progress(f"{len(parts)} folds, {each.name}: {accuracy:.1%}"))
    return accuracies, rows


def _hits(finalists: Sequence[Candidate], learned: Learned, fold: Fold, stage: str, conduct: Conduct) -> np.ndarray:
    """For each finalist which rows of the fold it gets right; those of one encoding share what is learned for it."""
    train, validation = learned.table.take(fold.train), learned.table.take(fold.validation)
    truth, wanted = learned.truth[fold.train], learned.truth[fold.validation]
    hits = np.zeros((len(finalists), len(wanted)))
    for name in dict.fromkeys(each.way.name for each in finalists):
        sharing = [place for place, each in enumerate(finalists) if each.way.name == name]
        encoded = encode(finalists[sharing[0]].way, train, validation)
        for place in sharing:
            each = finalists[place]
            final = fit_encoded(
                each, encoded.plan, encoded.train, train, truth, learned.n_classes, learned.seed, conduct,
                f"{stage}, {each.name}",
            )  # fmt: skip
            learner = final.learner
            rows = encoded.validation
            if isinstance(learner, Bayes):
                columns = each.on == "columns"
                rows = learner.rows(encoded.plan, validation) if columns else as_cells(rows, each.counted)
            hits[place] = each.decision.decide(learner.scores(rows)) == wanted
    return hits


def trials(candidates: Sequence[Candidate], settled: Settled) -> list[Trial]:
    """One trial for each run and kind of weights: its best number of passes, or the one that was a finalist."""
    kept = [settled.chosen, *(each for each, _ in settled.finalists)]
    best: dict[tuple[object, ...], Candidate] = {}
    for each in candidates:
        key = (each.model, each.way.name, each.weights, each.margin, each.on, each.counted)
        finalist = any(each is one for one in kept)
        if key not in best or finalist or (each.accuracy > best[key].accuracy and best[key] not in kept):
            best[key] = each
    return [
        Trial(each.name, each.accuracy, each.seconds, each is settled.chosen, settled.accuracy_of(each))
        for each in best.values()
    ]


def _best_of(kind: Sequence[Candidate], rows: int) -> Candidate:
    """The best of one family and encoding; over text the largest margin of those that are as good."""
    best = first_of_best(kind)
    if not best.text:
        return best
    least = best.accuracy - _standard_error(best.accuracy, rows) / 2
    close = [each for each in kind if each.weights == best.weights and each.accuracy >= least]
    widest = max(each.margin for each in close)
    return first_of_best([each for each in close if each.margin == widest])


def first_of_best(candidates: Sequence[Candidate]) -> Candidate:
    """The most accurate; of equals averaged weights before final ones, of these any that separate, then the first."""
    best = max(each.accuracy for each in candidates)
    equals = [each for each in candidates if each.accuracy == best]
    return min(equals, key=lambda each: 0 if each.weights != "final" else 1 if each.separated else 2)


def _standard_error(accuracy: float, rows: int) -> float:
    """The standard error of an accuracy by so many rows; one more right and one more wrong, as none is certain."""
    share = (accuracy * rows + 1) / (rows + 2)
    return math.sqrt(share * (1 - share) / rows)
