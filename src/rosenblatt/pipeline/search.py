"""The search: candidates, and how often each is right on the validation rows. `finalists` chooses among them.

Where there are several ways of encoding, a short run in each decides which is searched; of a small table every way is,
and once more in each fold by `finalists`. Order of trials: short runs; then perceptrons by rising margin, for each the
averaged weights before the final ones, by rising passes; naive Bayes last. Final weights that do not separate the
training rows depend on the last few rows visited, so they are candidates only if they were asked for.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rosenblatt.claims import Misfit, fields, listed, number, truth, whole, words
from rosenblatt.data.table import Table
from rosenblatt.errors import SettingError
from rosenblatt.learn.counts import Counts
from rosenblatt.learn.decide import Decision, score_rows
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.run import Run
from rosenblatt.learn.tuning import tune
from rosenblatt.loops.rows import Rows, n_rows
from rosenblatt.loops.rule import rule
from rosenblatt.loops.threads import Pool, thread_count
from rosenblatt.model import Bayes
from rosenblatt.model.bayes import as_cells, can_count, count_matrix, weighs_words
from rosenblatt.model.columns import column_cells, count_columns
from rosenblatt.model.voted import voted_of
from rosenblatt.pipeline.choices import ASKED_WEIGHTS, FEWEST, PROBE_MARGIN, PROBE_PASSES, SMALL_TABLE, Choices
from rosenblatt.pipeline.progress import Progress
from rosenblatt.pipeline.runs import Conduct, problem_of, run_settings, run_watched
from rosenblatt.pipeline.ways import (
    Encoded,
    Way,
    bayes_on,
    bent_ways,
    counts_way,
    encode,
    holds_words,
    is_table,
    more_ways,
)


@dataclass(frozen=True)
class Candidate:
    """One way to learn, and how it did on the validation rows."""

    model: str
    way: Way
    accuracy: float = 0.0
    seconds: float = 0.0
    weights: str = ""
    margin: float = 0.0  # multiple of the mean |f(x)|²
    passes: int = 0
    separated: bool = False
    ties: str = Decision.ties
    bias: bool = True
    k: float = 0.0
    on: str = ""
    counted: bool = False
    priors: str | None = None
    text: bool = False  # whether the features are words

    @property
    def name(self) -> str:
        """What a report calls it."""
        if self.model == "naive-bayes":
            over = self.on if self.on == "columns" else (self.way.name or "values") if self.counted else "presence"
            return f"naive Bayes of {over}, k = {self.k:g}{f', {self.priors} priors' if self.priors else ''}"
        parts = [f"{self.weights} perceptron", *([self.way.name] if self.way.name else [])]
        parts += [f"margin {self.margin:g}"] if self.margin else []
        parts += [*([f"ties {self.ties}"] if self.ties != Decision.ties else []), *([] if self.bias else ["no bias"])]
        return ", ".join([*parts, f"{self.passes} pass{'es' if self.passes > 1 else ''}"])

    @property
    def decision(self) -> Decision:
        """How its scores become classes."""
        return Decision(self.ties)


@dataclass(frozen=True)
class Parts:
    """The training and the validation rows, and their classes."""

    train: Table
    validation: Table
    truth: np.ndarray
    wanted: np.ndarray
    n_classes: int


@dataclass(frozen=True)
class Searched:
    """Every candidate, in the order tried; and whether every way was searched."""

    candidates: list[Candidate]
    thorough: bool


def search(parts: Parts, choices: Choices, conduct: Conduct, thorough: bool | None = None) -> Searched:
    """The candidates; thorough    whether every way is searched, and otherwise that is decided by their size."""
    started = time.perf_counter()
    ways = [encode(Way("", choices.wishes), parts.train, parts.validation)]
    conduct.watch(Progress("encoding", seconds=time.perf_counter() - started))
    counting = bayes_on(ways[0].plan) if "naive-bayes" in choices.families else None
    if "perceptron" in choices.families or (counting == "matrix" and choices.counting != "presence"):
        ways += [encode(way, parts.train, parts.validation) for way in more_ways(ways[0])]
    # Counted first and shown last: when the perceptrons begin their long runs, only their way is still in memory.
    bayes = list(_bayes(ways, counting, parts, choices, conduct)) if counting is not None else []
    found: list[Candidate] = []
    if thorough is None:
        thorough = len(ways) == 1 and choices.quick and _is_small(ways[0], parts.n_classes)
    if "perceptron" in choices.families:
        encoded, short = _probed(ways, parts, choices, conduct) if len(ways) > 1 else (ways[0], [])
        ways.clear()
        curves = bent_ways(encoded)
        tried = itertools.chain([encoded], (encode(way, parts.train, parts.validation) for way in curves))
        if thorough:
            for way in tried:
                found += _perceptrons(way, parts, choices, conduct, often=True)
        else:
            encoded, more = _probed(tried, parts, choices, conduct) if curves else (encoded, [])
            found += [*short, *more, *_perceptrons(encoded, parts, choices, conduct)]
    found += bayes
    if not found:
        raise SettingError(
            f"{parts.train.origin.source}: naive Bayes has no way to count text beside other columns, lists of tags, "
            "or vectors of fractions. Use the perceptron, or drop columns."
        )
    return Searched(found, thorough)


def _is_small(encoded: Encoded, n_classes: int) -> bool:
    """Whether a table is small enough for a search of every way in every fold, and large enough to tell by it."""
    rows = n_rows(encoded.train)
    size = encoded.plan.width * rows * (1 if n_classes == 2 else n_classes)
    return rows >= FEWEST and size <= SMALL_TABLE and is_table(encoded.plan)


def _probed(
    ways: Iterable[Encoded], parts: Parts, choices: Choices, conduct: Conduct
) -> tuple[Encoded, list[Candidate]]:
    """The way whose short run does best, the first among equals; and the best of the others, to be shown."""
    margin = PROBE_MARGIN if choices.margin is None else choices.margin
    short = replace(
        choices, margin=margin, passes=choices.passes or PROBE_PASSES, weights=choices.weights or "averaged"
    )
    best, first, probes = None, 0, list[Candidate]()
    for way in ways:  # one after the other, so that no more than two are in memory
        probes.append(max(_perceptrons(way, parts, short, conduct), key=lambda each: each.accuracy))
        if best is None or probes[-1].accuracy > probes[first].accuracy:
            best, first = way, len(probes) - 1
    assert best is not None
    return best, [probe for number, probe in enumerate(probes) if number != first]


def _perceptrons(
    encoded: Encoded, parts: Parts, choices: Choices, conduct: Conduct, often: bool = False
) -> Iterator[Candidate]:
    """The candidates of a run for each margin. Runs do not know of each other: threads change nothing but the time."""
    problem = problem_of(encoded.train, parts.truth, parts.n_classes, choices.bias)
    ties = choices.ties or Decision.ties
    text = holds_words(encoded.plan)
    stop = threading.Event()

    def work(margin: float) -> list[Candidate]:
        seen: list[dict[str, Any]] = []
        checkpoints = choices.checkpoints(problem, text, often)
        score = _scorer(problem, checkpoints, encoded.validation, parts.wanted, choices, seen)

        def after(run: Run) -> None:
            if stop.is_set():
                raise KeyboardInterrupt
            score(run)

        settings = run_settings(problem, margin, max(checkpoints), choices.seed, choices.weights or "averaged", ties)
        run_watched(problem, settings, f"margin {margin:g} {encoded.way.name}".strip(), conduct, after, seen, _kept)
        blank = Candidate("perceptron", encoded.way, margin=margin, text=text, ties=ties, bias=choices.bias)
        found = [replace(blank, **each) for each in seen]
        best = max(found, key=lambda each: each.accuracy)
        conduct.watch(Progress("tried", seconds=best.seconds, tried=(best.name, best.accuracy)))
        return sorted(found, key=lambda each: ASKED_WEIGHTS.index(each.weights))

    with Pool(min(thread_count(), len(choices.margins))) as pool:
        tasks = [pool.submit(work, margin) for margin in choices.margins]
        try:
            for task in tasks:
                yield from task.result()
        except BaseException:
            stop.set()  # a run that nobody waits for ends with its pass
            raise


SEEN = listed(
    fields(
        {
            "accuracy": number(0, 1), "seconds": number(0), "weights": words(*ASKED_WEIGHTS),
            "passes": whole(1, 2**53), "separated": truth,
        },
        others=False,
    )
)  # fmt: skip


def _kept(seen: list[Any], run: Run) -> None:
    """What a checkpoint has of the scores of a run: one at least when it is over, and none of a pass to come."""
    SEEN(seen, "seen")
    if (run.stopped and not seen) or any(each["passes"] > run.passes for each in seen):
        raise Misfit("seen must be of passes that were made")


def _scorer(
    problem: Problem,
    checkpoints: tuple[int, ...],
    rows: Rows,
    wanted: np.ndarray,
    choices: Choices,
    seen: list[dict[str, Any]],
) -> Callable[[Run], None]:
    """What to do after a pass: score the weights on the validation rows where the pass is one to look at."""
    started = time.perf_counter()

    def score(run: Run) -> None:
        if run.passes in checkpoints or run.stopped:
            clean = run.stopped == "clean pass" and run.settings.ties == Decision.ties  # others may leave scores of 0
            for variant in choices.variants(clean):
                predicted = Decision(run.settings.ties).decide(scores_now(run, variant, problem, rows)[0])
                accuracy = float(np.mean(predicted == wanted))
                seconds = time.perf_counter() - started
                seen.append(
                    {
                        "accuracy": accuracy,
                        "seconds": seconds,
                        "weights": variant,
                        "passes": run.passes,
                        "separated": clean,
                    }
                )

    return score


def scores_now(run: Run, variant: str, problem: Problem, *parts: Rows) -> list[np.ndarray]:
    """The scores of each part of the rows, by the weights that would decide if the run ended with this pass."""
    if variant == "voted":
        voted = voted_of(run, problem)
        return [voted.scores(rows) for rows in parts]
    weights = weights_now(run, variant, problem)
    return [score_rows(rows, weights) for rows in parts]


def weights_now(run: Run, variant: str, problem: Problem) -> np.ndarray:
    """The weights that the run would decide by if it ended with this pass: a pocket takes a last look at its rows."""
    if variant != "pocket" or run.pocket is None:
        return run.weights_of(variant)
    at_work, settings = problem.layout(run.weights), run.settings
    return run.pocket.offered(at_work, run.pocket.open_run, problem, problem.visited, rule(settings.ties)).weights


def _bayes(ways: list[Encoded], on: str, parts: Parts, choices: Choices, conduct: Conduct) -> Iterator[Candidate]:
    """Naive Bayes of what is present; and where rows weigh words, of their weights, in each way of weighing them."""
    first, started = ways[0], time.perf_counter()
    if on == "columns":
        if choices.counting is not None:
            raise SettingError("counting is about words, and these columns are counted by their values. Leave it out.")
        counts = count_columns(first.plan, parts.train, parts.truth, parts.n_classes)
        rows = column_cells(first.plan, parts.validation, counts.schema)
        yield from _tuned(
            Candidate("naive-bayes", first.way, on=on, priors=choices.priors),
            rows,
            counts,
            parts,
            choices,
            started,
            conduct,
        )
        return
    counting = counts_way(first)
    tried: list[tuple[Encoded | Way, bool]] = [(first, False)]
    tried += [(counting, True)] if counting is not None else []
    tried += [(way, True) for way in ways if weighs_words(way.train) and not can_count(way.train)]
    if choices.counting is not None:
        tried = [(way, counted) for way, counted in tried[:2] if counted == (choices.counting == "counts")]
    for way, counted in tried:
        started = time.perf_counter()
        encoded = encode(way, parts.train, parts.validation) if isinstance(way, Way) else way
        counts = count_matrix(encoded.train, parts.truth, parts.n_classes, counted)
        blank = Candidate("naive-bayes", encoded.way, on=on, counted=counted, priors=choices.priors)
        yield from _tuned(blank, as_cells(encoded.validation, counted), counts, parts, choices, started, conduct)


def _tuned(
    blank: Candidate, rows: Rows, counts: Counts, parts: Parts, choices: Choices, started: float, conduct: Conduct
) -> list[Candidate]:
    """The candidate with each k."""
    shares = accuracies(rows, parts.wanted, counts, blank, choices.strengths)
    timed = replace(blank, seconds=time.perf_counter() - started)
    found = [replace(timed, k=k, accuracy=share) for k, share in zip(choices.strengths, shares, strict=True)]
    best = max(found, key=lambda each: each.accuracy)
    conduct.watch(Progress("tried", seconds=best.seconds, tried=(best.name, best.accuracy)))
    return found


def accuracies(rows: Rows, truth: np.ndarray, counts: Counts, blank: Candidate, strengths: list[float]) -> list[float]:
    """The share of the rows that naive Bayes gets right with each k."""
    if counts.stored.dtype.kind != "f":
        return tune(rows, truth.astype(np.int64), counts, blank.priors, strengths).accuracies.tolist()
    # Of fractions hardly any two cells are equal, so values of k have nothing to share.
    models = (Bayes(counts, k, blank.on, blank.priors) for k in strengths)
    return [float(np.mean(Decision().decide(model.scores(rows)) == truth)) for model in models]
