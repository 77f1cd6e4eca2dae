"""The choice among candidates: the best of each family and encoding are finalists, settled by cross-validation.

A candidate is the best of its kind on the validation rows, of equals the first tried, averaged weights before final
ones. That final weights separate the training rows is proved and reported, but no merit beside averaged ones: on other
rows they are no better for it. Among final weights it is one, since others depend on the last few rows visited.

Finalists that are more than two standard errors behind the best are out. Where several are left, and fewer than ENOUGH
validation rows would decide between them, they are cross-validated over the training and the validation rows: with the
settings that the search found, and with everything else learned inside each fold. Of a small table, and of few small
pictures, all candidates are: the search is made again in each fold, since some dozens of validation rows cannot tell
one setting from another.

Some differences are judged by half a standard error of the rows that judge, as they are no more than luck below it:
- Over words a perceptron must lead naive Bayes by so much. It is the luckiest of up to a hundred candidates, naive
  Bayes of some dozens; and naive Bayes is simpler: it counts, once. N-grams must lead words by so much, too. Curves
  must lead straight numbers by half as much, since on most tables they are better; association units, which nobody
  can read as weights of columns, must lead by twice as much.
- Over text, of perceptrons so close to the best the one with the largest margin is taken. It spreads a decision over
  more words, and tomorrow's texts have other words than those that were kept aside for validation.
- Over small tables, of perceptrons so close to the best the one nearest to the usual margin and passes is taken.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from rosenblatt.data import cache
from rosenblatt.features.folds import Fold
from rosenblatt.model import Trial
from rosenblatt.pipeline.choices import Choices
from rosenblatt.pipeline.crossfit import Learned, OutOfFold, own_spread
from rosenblatt.pipeline.family import Candidate, Parts, Task, standard_error
from rosenblatt.pipeline.merit import merit
from rosenblatt.pipeline.progress import Progress, silent
from rosenblatt.pipeline.runs import Conduct
from rosenblatt.pipeline.search import Searched, search
from rosenblatt.pipeline.ways import encode

ENOUGH = 2_500  # validation rows that decide by themselves: half a point is a standard error of 93%
FOLDS, MORE_FOLDS = 3, 5  # in any number of folds every row is scored once; three take less time than the search
BEHIND = 2.0  # standard errors behind the best, and a finalist is out


@dataclass(frozen=True)
class Settled:
    """The chosen candidate; where finalists were cross-validated, the folds, the rows scored and the accuracies."""

    chosen: Candidate
    folds: int = 0
    rows: int = 0
    finalists: list[tuple[Candidate, float]] = field(default_factory=list)
    scored: OutOfFold | None = None  # the rows as the chosen one scored them

    def accuracy_of(self, candidate: Candidate) -> float | None:
        """The share of rows that the candidate got right out of fold; None if it was not cross-validated."""
        return next((accuracy for each, accuracy in self.finalists if each is candidate), None)


def settle(
    searched: Searched, rows: int, learned: Learned | None, choices: Choices, conduct: Conduct
) -> tuple[Settled, list[Candidate]]:
    """The choice, and all candidates, the chosen one and its rivals among them.

    rows       how many validation rows judged the candidates
    learned    the rows to cross-validate over; where it is None, validation rows alone decide
    """
    candidates = searched.candidates
    if learned is not None and searched.thorough and len(candidates) > 1 and rows < ENOUGH:
        parts = learned.folds(MORE_FOLDS if searched.table else FOLDS)
        if parts:
            return search_again(candidates, learned, parts, choices, conduct)
    finalists = find_finalists(candidates, rows)
    parts = learned.folds(FOLDS) if learned is not None and len(finalists) > 1 and rows < ENOUGH else []
    if learned is None or not parts:
        return Settled(choose(finalists, [each.accuracy for each in finalists], rows)), candidates
    accuracies, judges, scored = cross_validate(finalists, learned, parts, choices, conduct)
    chosen = choose(finalists, accuracies, judges)
    own = next(found for each, found in zip(finalists, scored, strict=True) if each is chosen)
    return Settled(chosen, len(parts), judges, list(zip(finalists, accuracies, strict=True)), own), candidates


def search_again(
    candidates: list[Candidate], learned: Learned, parts: Sequence[Fold], choices: Choices, conduct: Conduct
) -> tuple[Settled, list[Candidate]]:
    """The choice where the search is made again in each fold."""
    courses, sizes, started = [_courses(candidates)], [], time.perf_counter()
    for number, fold in enumerate(parts, 1):
        conduct.watch(Progress(f"fold {number} of {len(parts)}", seconds=time.perf_counter() - started))
        first = np.unique(learned.distinct[fold.validation], return_index=True)[1]  # copies count once
        judges = fold.validation[np.sort(first)]
        with cache.passing():
            part = Parts(
                learned.table.take(fold.train), learned.table.take(judges), learned.truth[fold.train],
                learned.truth[judges], learned.n_classes,
            )  # fmt: skip
            found = search(part, choices, replace(conduct, watch=silent, checkpoints=None), thorough=True)
        courses.append(_courses(found.candidates))
        sizes.append(len(judges))
    tried, judged = [], []  # each candidate by the validation rows, and by all rows out of fold
    for key, course in courses[0].items():
        others = [each.get(key) for each in courses[1:]]
        for passes in sorted({each.passes for each in course}):
            shown = replace(_after(passes, course) or course[0], passes=passes)
            folded = [_after(passes, other) if other else None for other in others]
            right = sum(each.accuracy * size for each, size in zip(folded, sizes, strict=True) if each is not None)
            if None not in folded:
                tried.append(shown)
                judged.append(replace(shown, accuracy=round(right / sum(sizes), 12)))
    finalists = find_finalists(judged, sum(sizes), usual=True)
    chosen = choose(finalists, [each.accuracy for each in finalists], sum(sizes))
    by = {id(each): shown for each, shown in zip(judged, tried, strict=True)}
    for each in finalists:
        conduct.watch(Progress(f"{len(parts)} folds, {each.name}: {each.accuracy:.1%}"))
    judges_of = [(by[id(each)], each.accuracy) for each in finalists]
    return Settled(by[id(chosen)], len(parts), sum(sizes), judges_of), tried


def _courses(candidates: Sequence[Candidate]) -> dict[tuple[object, ...], list[Candidate]]:
    """The candidates of each run, by rising passes."""
    found: dict[tuple[object, ...], list[Candidate]] = {}
    for each in candidates:
        found.setdefault(each.course, []).append(each)
    return found


def _after(passes: int, course: Sequence[Candidate]) -> Candidate | None:
    """The last of a run after so many passes at most: a run that ended before stays as it is."""
    return next((each for each in reversed(course) if each.passes <= passes), None)


def find_finalists(candidates: Sequence[Candidate], rows: int, usual: bool = False) -> list[Candidate]:
    """The best candidate of each family and encoding, in the order tried, without those that are far behind.

    usual    whether of perceptrons over tables that do as well the usual one is the best
    """
    kinds: dict[tuple[object, ...], list[Candidate]] = {}
    for each in candidates:
        kinds.setdefault(each.kind, []).append(each)
    found = [kind[0].best_of(kind, partial(standard_error, rows=rows), usual) for kind in kinds.values()]
    best = max(found, key=lambda each: each.accuracy)
    least = best.accuracy - BEHIND * standard_error(best.accuracy, rows)
    return [each for each in found if each.accuracy >= least]


def choose(finalists: Sequence[Candidate], accuracies: Sequence[float], rows: int) -> Candidate:
    """The most accurate finalist, the first of equals; a simpler one where none that is less simple leads by enough."""
    order = sorted(range(len(finalists)), key=lambda number: -accuracies[number])
    best = order[0]
    least = accuracies[best] - finalists[best].lead * standard_error(accuracies[best], rows)
    close = [number for number in order if accuracies[number] >= least]
    return finalists[min(close, key=lambda number: finalists[number].simplicity)]


def cross_validate(
    finalists: Sequence[Candidate], learned: Learned, parts: Sequence[Fold], choices: Choices, conduct: Conduct
) -> tuple[list[float], int, list[OutOfFold]]:
    """The share of rows that each finalist gets right out of fold, how many rows were scored, and how each scored them.

    Copies count once. Where finalists are compared by something else, the mean of that over the folds.
    """
    right, rows, scored = np.zeros(len(finalists)), 0, []
    for number, fold in enumerate(parts, 1):
        _, copy_of, copies = np.unique(learned.distinct[fold.validation], return_inverse=True, return_counts=True)
        with cache.passing():
            hits, merits, scores = _hits(finalists, learned, fold, f"fold {number} of {len(parts)}", choices, conduct)
        right += (hits / copies[copy_of]).sum(axis=1) if choices.merit == "accuracy" else len(copies) * merits
        rows += len(copies)
        scored.append(scores)
    accuracies = [round(float(count / rows), 12) for count in right]  # sums of thirds may differ in their last bits
    for each, accuracy in zip(finalists, accuracies, strict=True):
        conduct.watch(Progress(f"{len(parts)} folds, {each.name}: {accuracy:.1%}"))
    judged = [fold.validation for fold in parts]
    return accuracies, rows, [OutOfFold.of(learned, judged, own) for own in zip(*scored, strict=True)]


def _hits(
    finalists: Sequence[Candidate], learned: Learned, fold: Fold, stage: str, choices: Choices, conduct: Conduct
) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """For each finalist which rows of the fold it gets right, its merit there, and the scores by its own spread.

    Those of one encoding share what is learned for it.
    """
    train, validation = learned.table.take(fold.train), learned.table.take(fold.validation)
    truth, wanted = learned.truth[fold.train], learned.truth[fold.validation]
    hits, merits = np.zeros((len(finalists), len(wanted))), np.zeros(len(finalists))
    kept: dict[int, np.ndarray] = {}
    for name in dict.fromkeys(each.way.name for each in finalists):
        sharing = [place for place, each in enumerate(finalists) if each.way.name == name]
        encoded = encode(finalists[sharing[0]].way, train, validation, truth)
        for place in sharing:
            each = finalists[place]
            own = f"{stage}, {each.name}"
            task = Task(encoded.plan, encoded.train, train, truth, learned.n_classes, learned.seed, conduct, own)
            final = each.fit(task)
            scores = final.learner.scores(final.learner.rows(encoded.plan, validation, encoded.validation))
            hits[place] = each.decision.decide(scores) == wanted
            merits[place] = merit(scores, wanted, each.decision, choices)
            kept[place] = scores / own_spread(final, train)
    return hits, merits, [kept[place] for place in range(len(finalists))]


def trials(candidates: Sequence[Candidate], settled: Settled) -> list[Trial]:
    """One trial for each run and kind of weights: its best number of passes, or the one that was a finalist."""
    kept = [settled.chosen, *(each for each, _ in settled.finalists)]
    best: dict[tuple[object, ...], Candidate] = {}
    for each in candidates:
        finalist, key = any(each is one for one in kept), each.trial
        if key not in best or finalist or (each.accuracy > best[key].accuracy and best[key] not in kept):
            best[key] = each
    return [
        Trial(each.name, each.accuracy, each.seconds, each is settled.chosen, settled.accuracy_of(each))
        for each in best.values()
    ]
