"""`review`: labels that are doubtful, with what speaks against each, and the least repair that was found.

Every row is judged by an averaged perceptron that saw neither it nor its copies. Its settings are fixed, so that no
time goes into a search: of some that were tried on digits, messages and a table they had the lowest log loss of the
given labels, out of fold, or nearly so in half the time. What columns are is decided once by all rows, without their
labels; everything else is learned in each fold. What is proved is asked of the numbers and words as they are
given, as `prove` asks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import islice
from os import PathLike
from typing import Any

import numpy as np

from rosenblatt.errors import DataError
from rosenblatt.features import Classes, Plan, Wishes, learn_and_encode
from rosenblatt.features.contents import Contents
from rosenblatt.features.lines import Line
from rosenblatt.features.numeric import Vector
from rosenblatt.features.sparse import Numbered
from rosenblatt.features.text import Text
from rosenblatt.learn.problem import make_problem
from rosenblatt.learn.run import Run
from rosenblatt.learn.settings import Settings
from rosenblatt.loops.rows import Rows, take
from rosenblatt.model.doubts import Doubt, Proved, Review
from rosenblatt.model.kept_rows import Behind, KeptRows, shares_of
from rosenblatt.pipeline.config import Config, asked_for, read_config
from rosenblatt.pipeline.crossfit import Learned, OutOfFold, cross_fit
from rosenblatt.pipeline.families.perceptron import Perceptron
from rosenblatt.pipeline.family import Task
from rosenblatt.pipeline.progress import Watch, watched
from rosenblatt.pipeline.ready import Ready, prepare
from rosenblatt.pipeline.runs import Conduct
from rosenblatt.pipeline.shown import shown
from rosenblatt.pipeline.ways import CURVES, Way, by_rarity
from rosenblatt.pipeline.wishes import as_found, as_given
from rosenblatt.proofs.clock import Clock
from rosenblatt.proofs.portfolio import answer
from rosenblatt.proofs.question import Question
from rosenblatt.proofs.repair import find_repair
from rosenblatt.proofs.verdicts import Inseparable, Separable

MANY = 5_000  # rows of a table from which on two folds do
PASSES = 10  # of a perceptron without a margin, to see which rows it never gets right
NAMED = 5  # rows behind a verdict, and copies, that are named for each doubtful label
MORE = 10  # looked at beyond these, as some speak for the other class
EXPLAINED = 200  # doubtful rows for which the rows behind the verdict are named
PROVED = 20_000_000  # numbers in the rows, once for each class: of more nothing is proved
SECONDS = 60.0  # after which a proof is given up


def review(
    source: Any,
    *,
    label: Any = None,
    config: str | PathLike[str] | Mapping[str, Any] | Config | None = None,
    watch: Watch | None = None,
) -> Review:
    """The labels of the data that are doubtful, with what speaks against each; the data itself is never changed.

    source    anything that `rosenblatt.data.read` takes, with labels
    label     the column to review; otherwise the one named label, class or target
    config    a TOML file or a dictionary with settings of reading and of columns, as `train` takes it
    watch     is told how the work goes on; otherwise a notebook shows a bar
    """
    asked = asked_for(read_config(config), {"label": label}, Wishes(), None, None, None)
    with watched(watch) as told:
        ready = prepare(source, asked, None, told, whole=True)
        learned = ready.learned
        candidate = judge_of(*as_found(ready.table, ready.choices.wishes), learned.n_classes)
        many = bool(candidate.way.wishes.knots) and ready.table.n_rows >= MANY
        found = cross_fit(candidate, learned, Conduct(told), 2 if many else None)
    if found is None:
        raise DataError(
            f"{ready.table.origin.source}: too few different rows to judge one by the others. Give more of each class."
        )
    probabilities = _of_all(found, ready.table.n_rows)

    def listed(made: Review) -> list[Doubt]:
        plain = replace(candidate, margin=0.0, passes=PASSES, rule=Settings.rule, C=Settings.C)
        return _queue(made, ready.contents, _Again.of(plain, learned, ready.classes))

    def proved(made: Review) -> Proved:
        return _proved(ready, made.probability)

    return Review(ready.table, ready.classes, ready.codes, probabilities, candidate.name, listed, proved)


def judge_of(wishes: Wishes, kinds: set[type[Line]], n_classes: int) -> Perceptron:
    """The averaged perceptron that judges rows of columns of these kinds and of so many classes."""
    if Text in kinds or (Numbered in kinds and wishes.rare):
        words = replace(wishes, words=by_rarity(wishes.words, n_classes))
        return Perceptron(Way("tf-idf", words), margin=5.0, passes=10, text=True, weights="averaged")
    if not kinds & {Numbered, Vector}:
        knots, over = CURVES[0] if wishes.knots is None else (wishes.knots, wishes.over)
        way = Way(f"{knots} knots" if knots else "", replace(wishes, knots=knots, over=over))
        return Perceptron(way, passes=8, weights="averaged")
    return Perceptron(Way("", wishes), passes=4, rule="pa1", C=0.01, weights="averaged")


def _of_all(found: OutOfFold, rows: int) -> np.ndarray:
    """The probabilities of all rows; folds that go forward in time score no early rows.

    One calibration serves all folds: two numbers that all labels settle together tell nothing of one of them.
    """
    probabilities = found.calibration.probabilities(found.scores)
    every = np.full((rows, probabilities.shape[1]), np.nan)
    every[found.rows] = probabilities
    return every


@dataclass(frozen=True, eq=False)
class _Again:
    """The perceptron without a margin, over all rows: which it got wrong in every pass, and which it is made of."""

    plan: Plan
    rows: Rows
    classes: Classes
    always: np.ndarray  # for each row whether it was wrong in every pass
    record: KeptRows | None

    @classmethod
    def of(cls, candidate: Perceptron, learned: Learned, classes: Classes) -> _Again:
        table, truth = learned.table, learned.truth
        plan, matrix = learn_and_encode(table, candidate.way.wishes, truth)
        task = Task(plan, matrix.rows, table, truth, learned.n_classes, learned.seed, Conduct(), "all rows", True)
        made = candidate.fit(task)
        run, problem = made.run, made.problem
        assert isinstance(run, Run), "a perceptron makes a run"
        assert problem is not None, "over a problem"
        times = np.zeros(len(truth), np.int64)
        for each in run.recorded:
            times[np.unique(each.rows)] += 1
        record = None
        if run.updates:
            used, shares = shares_of(run, problem, made.weights)
            places = tuple(table.origin.of(row) for row in used.tolist())
            record = KeptRows(take(problem.rows, used), shares, problem.truth[used], places, ("",) * len(used))
        return cls(plan, matrix.rows, classes, times == run.passes, record)

    def behind(self, row: int, code: int, same: set[str]) -> tuple[Behind, ...]:
        """The rows that speak most for a class, without the row itself and its copies."""
        if self.record is None:
            return ()
        names = self.classes.names
        some = self.record.behind(take(self.rows, np.array([row])), code, names, NAMED + MORE)
        sign = -1 if len(names) == 2 and code == 0 else 1
        speaks = [each for each in some if sign * each.part > 0 and each.origin not in same]
        return tuple(speaks[:NAMED])


def _proved(ready: Ready, own: np.ndarray) -> Proved:
    """Whether the rows can be separated, and if not, what would make them so; `own` are probabilities of labels."""
    _, matrix = learn_and_encode(ready.table, as_given(ready.table, ready.choices.wishes), ready.codes)
    n_classes, truth = len(ready.classes.names), ready.codes.astype(np.int32)
    question = Question(make_problem(matrix.rows, truth, n_classes), ready.classes.names)
    if question.size * (1 if n_classes == 2 else n_classes) > PROVED:
        return None, None
    verdict = answer(question, Clock(SECONDS))
    if isinstance(verdict, Separable):
        return verdict, None
    return verdict, find_repair(question, np.nan_to_num(own, nan=1.0))


def _queue(made: Review, contents: Contents, again: _Again) -> list[Doubt]:
    """The doubtful rows, worst first."""
    table, codes, names, chances = made.table, made.codes, made.classes.names, made.probabilities
    known = ~np.isnan(chances[:, 0])
    own = np.where(known, made.probability, 1.0)
    best = np.where(known, np.argmax(np.nan_to_num(chances), axis=1), codes)
    twins = _twins(contents.distinct, codes)
    contradicting = set(made.verdict.rows) if isinstance(made.verdict, Inseparable) else set()
    repaired = set() if made.repair is None else set(made.repair.rows)
    doubtful = [row for row in range(len(codes)) if best[row] != codes[row] or row in twins]
    queue = []
    for number, row in enumerate(sorted(doubtful, key=lambda each: (own[each], each))):
        code, behind = int(best[row]), tuple[Behind, ...]()
        if number < EXPLAINED and code != codes[row]:
            copies = np.flatnonzero(contents.distinct == contents.distinct[row]).tolist()
            behind = again.behind(row, code, {table.origin.of(each) for each in copies})
        queue.append(
            Doubt(
                row=row,
                place=table.origin.of(row),
                label=names[codes[row]],
                probability=float(own[row]),
                suggested=names[code],
                confidence=float(chances[row, code]),
                copies=tuple(table.origin.of(each) for each in twins.get(row, [])),
                contradicts=row in contradicting,
                in_repair=row in repaired,
                every_pass=bool(again.always[row]),
                behind=behind,
                shown=shown(again.plan, table, row),
            )
        )
    return queue


def _twins(distinct: np.ndarray, codes: np.ndarray) -> dict[int, list[int]]:
    """For each row that has copies with another label, the first of these."""
    order = np.argsort(distinct, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(distinct[order])) + 1)
    found: dict[int, list[int]] = {}
    for group in groups:
        labels = codes[group].tolist()
        if len(set(labels)) > 1:
            seen, few = (
                Counter[int](),
                list[int](),
            )  # the first of each label: all that can be among the first of others
            for row, label in zip(group.tolist(), labels, strict=True):
                seen[label] += 1
                few += [row] if seen[label] <= NAMED else []
            others = {label: list(islice((row for row in few if codes[row] != label), NAMED)) for label in seen}
            found |= {row: others[label] for row, label in zip(group.tolist(), labels, strict=True)}
    return found
