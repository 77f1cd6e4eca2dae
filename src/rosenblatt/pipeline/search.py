"""The search: which candidate is right most often on the validation rows.

Where there are several ways of encoding, a short run in each decides which is searched. Order of trials: these short
runs; then perceptrons by rising margin, for each the final weights before the averaged ones, by rising passes; naive
Bayes last. Final weights that do not separate the training rows depend on the last few rows visited, so they are
candidates only if they were asked for. Of equals the first tried wins, with one exception: final weights that separate
come before all others that are no better.

Two differences are judged by half a standard error of the validation rows, as they are no more than luck below it:
- Between the families a perceptron must lead by so much, or separate the rows. It is the luckiest of up to a hundred
  candidates, naive Bayes of some dozens; and naive Bayes is simpler: it counts, once.
- Over text, of perceptrons so close to the best the one with the largest margin is taken. It spreads a decision over
  more words, and tomorrow's texts have other words than those that were kept aside for validation.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rosenblatt.data.table import Table
from rosenblatt.errors import SettingError
from rosenblatt.learn.counts import Counts
from rosenblatt.learn.decide import Decision, score_rows
from rosenblatt.learn.problem import Problem, make_problem
from rosenblatt.learn.run import Run
from rosenblatt.learn.smoothing import log_priors
from rosenblatt.learn.tuning import tune
from rosenblatt.loops.rows import Rows
from rosenblatt.loops.threads import thread_count
from rosenblatt.model import Bayes, Trial
from rosenblatt.model.bayes import as_cells, can_count, column_cells, count_columns, count_matrix, weighs_words
from rosenblatt.pipeline.choices import PROBE_MARGIN, PROBE_PASSES, VARIANTS, Choices
from rosenblatt.pipeline.progress import Progress
from rosenblatt.pipeline.runs import Conduct, run_settings, run_watched
from rosenblatt.pipeline.ways import Encoded, Way, bayes_on, counts_way, encode, holds_words, more_ways


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
    k: float = 0.0
    on: str = ""
    counted: bool = False
    text: bool = False  # whether the features are words

    @property
    def name(self) -> str:
        """What a report calls it."""
        if self.model == "naive-bayes":
            over = self.on if self.on == "columns" else (self.way.name or "values") if self.counted else "presence"
            return f"naive Bayes of {over}, k = {self.k:g}"
        parts = [f"{self.weights} perceptron", *([self.way.name] if self.way.name else [])]
        parts += [f"margin {self.margin:g}"] if self.margin else []
        return ", ".join([*parts, f"{self.passes} pass{'es' if self.passes > 1 else ''}"])


@dataclass(frozen=True)
class Parts:
    """The training and the validation rows, and their classes."""

    train: Table
    validation: Table
    truth: np.ndarray
    wanted: np.ndarray
    n_classes: int


def search(parts: Parts, choices: Choices, conduct: Conduct) -> list[Candidate]:
    """Every candidate, in the order tried."""
    started = time.perf_counter()
    ways = [encode(Way("", choices.wishes), parts.train, parts.validation)]
    conduct.watch(Progress("encoding", seconds=time.perf_counter() - started))
    counting = bayes_on(ways[0].plan) if "naive-bayes" in choices.families else None
    if "perceptron" in choices.families or counting == "matrix":
        ways += [encode(way, parts.train, parts.validation) for way in more_ways(ways[0])]
    # Counted first and shown last: when the perceptrons begin their long runs, only their way is still in memory.
    bayes = list(_bayes(ways, counting, parts, choices, conduct)) if counting is not None else []
    found: list[Candidate] = []
    if "perceptron" in choices.families:
        encoded, short = _probed(ways, parts, choices, conduct)
        ways.clear()
        found += [*short, *_perceptrons(encoded, parts, choices, conduct)]
    found += bayes
    if not found:
        raise SettingError(
            f"{parts.train.origin.source}: naive Bayes has no way to count text beside other columns, or vectors of "
            "fractions. Use the perceptron, or drop columns."
        )
    return found


def choose(candidates: list[Candidate], rows: int) -> Candidate:
    """The best candidate, judged by so many validation rows; see the head of this file."""
    bayes = [each for each in candidates if each.model == "naive-bayes"]
    others = [each for each in candidates if each.model != "naive-bayes"]
    if not others:
        return _first_of_best(bayes)
    if not bayes:
        best = _first_of_best(others)
        return _largest_margin(best, others, _half_an_error(best, rows))
    counting, other = _first_of_best(bayes), _first_of_best(others)
    if _separates(other) and other.accuracy >= counting.accuracy:
        return other
    lead = _half_an_error(other, rows)
    return counting if counting.accuracy >= other.accuracy - lead else _largest_margin(other, others, lead)


def _half_an_error(candidate: Candidate, rows: int) -> float:
    """Half a standard error of the accuracy, by so many rows."""
    return math.sqrt(candidate.accuracy * (1 - candidate.accuracy) / rows) / 2


def _separates(candidate: Candidate) -> bool:
    return candidate.separated and candidate.weights == "final"


def _largest_margin(best: Candidate, candidates: list[Candidate], lead: float) -> Candidate:
    """Over text, the perceptron with the largest margin among those of the kind of the best that are as good."""
    if not best.text or _separates(best):
        return best
    close = [
        each for each in candidates
        if each.way is best.way and each.weights == best.weights and each.accuracy >= best.accuracy - lead
    ]  # fmt: skip
    widest = max(each.margin for each in close)
    return _first_of_best([each for each in close if each.margin == widest])


def _first_of_best(candidates: list[Candidate]) -> Candidate:
    best = max(candidate.accuracy for candidate in candidates)
    equals = [candidate for candidate in candidates if candidate.accuracy == best]
    separating = [each for each in equals if _separates(each)]
    return (separating or equals)[0]


def trials(candidates: list[Candidate], chosen: Candidate) -> list[Trial]:
    """One trial for each run and kind of weights: its best number of passes."""
    best: dict[tuple[object, ...], Candidate] = {}
    for each in candidates:
        key = (each.model, each.way.name, each.weights, each.margin, each.on, each.counted)
        if key not in best or each is chosen or (each.accuracy > best[key].accuracy and best[key] is not chosen):
            best[key] = each
    return [Trial(each.name, each.accuracy, each.seconds, each is chosen) for each in best.values()]


def _probed(ways: list[Encoded], parts: Parts, choices: Choices, conduct: Conduct) -> tuple[Encoded, list[Candidate]]:
    """The way whose short run does best, the first among equals; and the best of the others, to be shown."""
    if len(ways) == 1:
        return ways[0], []
    margin = PROBE_MARGIN if choices.margin is None else choices.margin
    short = replace(
        choices, margin=margin, passes=choices.passes or PROBE_PASSES, weights=choices.weights or "averaged"
    )
    probes = [_first_of_best(list(_perceptrons(way, parts, short, conduct))) for way in ways]
    best = max(range(len(ways)), key=lambda number: probes[number].accuracy)  # max takes the first among equals
    return ways[best], [probe for number, probe in enumerate(probes) if number != best]


def _perceptrons(encoded: Encoded, parts: Parts, choices: Choices, conduct: Conduct) -> Iterator[Candidate]:
    """The candidates of a run for each margin. Runs do not know of each other: threads change nothing but the time."""
    problem = make_problem(encoded.train, parts.truth, parts.n_classes)
    text = holds_words(encoded.plan)
    stop = threading.Event()

    def work(margin: float) -> list[Candidate]:
        seen: list[dict[str, Any]] = []
        score = _scorer(problem, text, encoded.validation, parts.wanted, choices, seen)

        def after(run: Run) -> None:
            if stop.is_set():
                raise KeyboardInterrupt
            score(run)

        settings = run_settings(problem, margin, max(choices.checkpoints(problem, text)), choices.seed)
        run_watched(problem, settings, f"margin {margin:g} {encoded.way.name}".strip(), conduct, after, seen)
        found = [Candidate("perceptron", encoded.way, margin=margin, text=text, **each) for each in seen]
        best = max(found, key=lambda each: each.accuracy)
        conduct.watch(Progress("tried", seconds=best.seconds, tried=(best.name, best.accuracy)))
        return sorted(found, key=lambda each: VARIANTS.index(each.weights))

    with ThreadPoolExecutor(min(thread_count(), len(choices.margins))) as pool:
        futures = [pool.submit(work, margin) for margin in choices.margins]
        try:
            for future in futures:
                yield from future.result()
        except BaseException:
            stop.set()  # a run that nobody waits for ends with its pass
            raise


def _scorer(
    problem: Problem, text: bool, rows: Rows, wanted: np.ndarray, choices: Choices, seen: list[dict[str, Any]]
) -> Callable[[Run], None]:
    """What to do after a pass: score the weights on the validation rows where the pass is one to look at."""
    started, checkpoints = time.perf_counter(), choices.checkpoints(problem, text)

    def score(run: Run) -> None:
        if run.passes in checkpoints or run.stopped:
            clean = run.stopped == "clean pass"
            for variant in choices.variants(clean):
                predicted = Decision().decide(score_rows(rows, run.weights_of(variant)))
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


def _bayes(ways: list[Encoded], on: str, parts: Parts, choices: Choices, conduct: Conduct) -> Iterator[Candidate]:
    """Naive Bayes of what is present; and where rows weigh words, of their weights, in each way of weighing them."""
    first, started = ways[0], time.perf_counter()
    if on == "columns":
        counts = count_columns(first.plan, parts.train, parts.truth, parts.n_classes)
        rows = column_cells(first.plan, parts.validation, counts.schema)
        yield _tuned(Candidate("naive-bayes", first.way, on=on), rows, counts, parts, choices, started, conduct)
        return
    counting = counts_way(first)
    tried: list[tuple[Encoded | Way, bool]] = [(first, False)]
    tried += [(counting, True)] if counting is not None else []
    tried += [(way, True) for way in ways if weighs_words(way.train) and not can_count(way.train)]
    for way, counted in tried:
        started = time.perf_counter()
        encoded = encode(way, parts.train, parts.validation) if isinstance(way, Way) else way
        counts = count_matrix(encoded.train, parts.truth, parts.n_classes, counted)
        blank = Candidate("naive-bayes", encoded.way, on=on, counted=counted)
        yield _tuned(blank, as_cells(encoded.validation, counted), counts, parts, choices, started, conduct)


def _tuned(
    blank: Candidate, rows: Rows, counts: Counts, parts: Parts, choices: Choices, started: float, conduct: Conduct
) -> Candidate:
    """The candidate with the k that is best on the validation rows."""
    if counts.stored.dtype.kind == "f":  # hardly any two cells are equal, so values of k have nothing to share
        models = (Bayes(counts, k, blank.on) for k in choices.strengths)
        shares = [float(np.mean(Decision().decide(model.scores(rows)) == parts.wanted)) for model in models]
        accuracy = max(shares)
        k = choices.strengths[shares.index(accuracy)]
    else:
        tuning = tune(rows, parts.wanted.astype(np.int64), counts, log_priors(None, counts), choices.strengths)
        k, accuracy = tuning.best, float(tuning.accuracies.max())
    found = replace(blank, k=k, accuracy=accuracy, seconds=time.perf_counter() - started)
    conduct.watch(Progress("tried", seconds=found.seconds, tried=(found.name, accuracy)))
    return found
