"""All weights of a run, voting. What is kept is the mistaken rows: their products with a row give every score."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rosenblatt.errors import SettingError
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.recording import Recording
from rosenblatt.loops.binary import binary_votes
from rosenblatt.loops.matrix import by_class
from rosenblatt.loops.multiclass import multiclass_votes
from rosenblatt.loops.rows import Rows, n_rows, take
from rosenblatt.loops.scores import binary_scores, multiclass_scores


@dataclass(frozen=True)
class Chapter:
    """The weights of consecutive passes over the same rows: those at the start, and each that an update made."""

    start: np.ndarray  # by class
    rows: Rows  # those updated on, each once
    which: np.ndarray  # for each update, the row
    gains: np.ndarray  # the class rewarded
    loses: np.ndarray  # the class punished
    factors: np.ndarray
    survived: np.ndarray  # for the start and each update, after how many visited rows those were the weights

    def with_classes(self, start: np.ndarray, places: np.ndarray) -> Chapter:
        return replace(self, start=start, gains=places[self.gains], loses=places[self.loses])


def make_chapter(start: np.ndarray, made: Recording, problem: Problem) -> Chapter:
    """The chapter of consecutive passes over a problem, the last of which ends where the weights are now."""
    kept, which = np.unique(made.rows, return_inverse=True)
    survived = np.diff(made.steps - made.before, prepend=0, append=sum(made.sizes))
    gains = problem.truth[made.rows]
    return Chapter(start, take(problem.rows, kept), which, gains, made.rivals, made.amounts, survived)


def ballots(queries: Rows, chapters: list[Chapter], n_classes: int, ties: str) -> np.ndarray:
    """For each row the share of votes: for + less for − with two classes, for each class with more."""
    count = n_rows(queries)
    total = np.zeros(count if n_classes == 2 else (count, n_classes))
    for chapter in chapters:
        start = np.ascontiguousarray(by_class(queries, chapter.start))
        first = np.zeros(total.shape)
        if n_classes == 2:
            signed = np.where(chapter.gains == 1, chapter.factors, -chapter.factors)
            tie = 1 if ties == "positive" else -1
            binary_scores(queries, start, first)
            binary_votes(queries, chapter.rows, chapter.which, signed, chapter.survived, first, tie, total)
        else:
            updates = chapter.which, chapter.gains, chapter.loses, chapter.factors
            multiclass_scores(queries, start, first)
            multiclass_votes(queries, chapter.rows, updates, chapter.survived, first, ties == "positive", total)
    return total / sum(int(chapter.survived.sum()) for chapter in chapters)


def no_explanation() -> SettingError:
    """What is said to those who ask why the votes fell so."""
    return SettingError("votes are no sum over features, so they have no explanation; use weights='averaged'.")
