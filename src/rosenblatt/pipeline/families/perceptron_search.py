"""The runs of a search: one for each margin, at the same time, scored on the validation rows after some passes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.claims import Misfit, fields, listed, number, truth, whole, words
from rosenblatt.learn.decide import Decision, score_rows
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.run import Run
from rosenblatt.loops.rows import Rows, n_bytes
from rosenblatt.loops.threads import Pool, thread_count
from rosenblatt.loops.ties import bounds
from rosenblatt.model.voted import voted_of
from rosenblatt.pipeline.family import Parts
from rosenblatt.pipeline.progress import Progress
from rosenblatt.pipeline.runs import Conduct, problem_of, run_settings, run_watched
from rosenblatt.pipeline.tries import ASKED_WEIGHTS, MARGINS, MORE_PASSES, PASSES, SMALL, SMALL_TEXT, VARIANTS
from rosenblatt.pipeline.ways import Encoded, holds_words

if TYPE_CHECKING:
    from rosenblatt.pipeline.choices import Choices
    from rosenblatt.pipeline.families.perceptron import Perceptron


def search_runs(
    blank: Perceptron, encoded: Encoded, parts: Parts, choices: Choices, conduct: Conduct, often: bool
) -> Iterator[Perceptron]:
    """The candidates of a run for each margin. Runs do not know of each other: threads change nothing but the time."""
    problem = problem_of(encoded.train, parts.truth, parts.n_classes, choices.bias)
    ties = choices.ties or Decision.ties
    text = holds_words(encoded.plan)
    stop = threading.Event()

    def work(margin: float) -> list[Perceptron]:
        seen: list[dict[str, Any]] = []
        # N-grams need fewer passes than words: each row has more of them.
        checkpoints = checkpoints_of(choices, problem, text and not encoded.way.wishes.words.grams, often)
        score = _scorer(problem, checkpoints, encoded.validation, parts.wanted, choices, seen)

        def after(run: Run) -> None:
            if stop.is_set():
                raise KeyboardInterrupt
            score(run)

        settings = run_settings(problem, margin, max(checkpoints), choices.seed, choices.weights or "averaged", ties)
        run_watched(problem, settings, f"margin {margin:g} {encoded.way.name}".strip(), conduct, after, seen, _kept)
        tried = replace(blank, margin=margin, text=text, ties=ties, bias=choices.bias)
        found = [replace(tried, **each) for each in seen]
        best = max(found, key=lambda each: each.accuracy)
        conduct.watch(Progress("tried", seconds=best.seconds, tried=(best.name, best.accuracy)))
        return sorted(found, key=lambda each: ASKED_WEIGHTS.index(each.weights))

    margins = MARGINS if choices.margin is None else (choices.margin,)
    with Pool(min(thread_count(), len(margins))) as pool:
        tasks = [pool.submit(work, margin) for margin in margins]
        try:
            for task in tasks:
                yield from task.result()
        except BaseException:
            stop.set()  # a run that nobody waits for ends with its pass
            raise


def checkpoints_of(choices: Choices, problem: Problem, text: bool, often: bool = False) -> tuple[int, ...]:
    """The passes after which a run is scored. A small problem is given more, since they cost nothing.

    So is text, of which a large margin is kept after some tens of passes; tables seldom gain by them.
    often    whether there are runs in every way and every fold, so that they do cost something
    """
    if choices.passes is not None:
        return (choices.passes,)
    if often:
        return (*PASSES, MORE_PASSES[0])
    size = n_bytes(problem.rows) * (1 if problem.n_classes == 2 else problem.n_classes)
    limit = SMALL_TEXT if text else SMALL
    return PASSES + tuple(passes for passes in MORE_PASSES if size * passes <= limit)


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


def _variants(choices: Choices, separated: bool) -> tuple[str, ...]:
    """The weights to score; final ones unasked only where they separate the training rows."""
    if choices.weights is not None:
        return (choices.weights,)
    return VARIANTS if separated else VARIANTS[:1]


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
            for variant in _variants(choices, clean):
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
    return run.pocket.offered(at_work, run.pocket.open_run, problem, problem.visited, bounds(settings.ties)).weights
