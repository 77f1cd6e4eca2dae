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
from rosenblatt.learn.rule import Rule
from rosenblatt.learn.rules import RULES
from rosenblatt.learn.rules.mistakes import Mistakes
from rosenblatt.learn.run import Run
from rosenblatt.learn.settings import Settings
from rosenblatt.learn.variants import VARIANTS
from rosenblatt.loops.rows import Rows, n_bytes
from rosenblatt.loops.threads import Pool, thread_count
from rosenblatt.model.voted import voted_of
from rosenblatt.pipeline.family import Parts
from rosenblatt.pipeline.merit import merit
from rosenblatt.pipeline.progress import Progress
from rosenblatt.pipeline.runs import Conduct, problem_of, run_settings, run_watched
from rosenblatt.pipeline.tries import (
    ASKED_WEIGHTS,
    FEW_BYTES,
    MARGINS,
    MORE_PASSES,
    PASSES,
    SMALL,
    SMALL_OFTEN,
    SMALL_TEXT,
    STRONGEST,
    TRIED_WEIGHTS,
    UNASKED,
    USUAL_MARGIN,
)
from rosenblatt.pipeline.ways import Encoded, holds_words

if TYPE_CHECKING:
    from rosenblatt.pipeline.choices import Choices
    from rosenblatt.pipeline.families.perceptron import Perceptron


def search_runs(
    blank: Perceptron, encoded: Encoded, parts: Parts, choices: Choices, conduct: Conduct, often: bool
) -> Iterator[Perceptron]:
    """The candidates of a run for each margin, and for each C of a rule that has one.

    Runs do not know of each other: threads change nothing but the time.
    """
    amounts = choices.weighing.amounts(parts.truth, parts.n_classes)
    problem = problem_of(encoded.train, parts.truth, parts.n_classes, choices.bias, amounts)
    ties = choices.ties or Decision.ties
    text = holds_words(encoded.plan)
    blank = replace(blank, text=text, ties=ties, bias=choices.bias, weighing=choices.weighing)
    stop = threading.Event()

    def work(tried: Perceptron) -> list[Perceptron]:
        seen: list[dict[str, Any]] = []
        # N-grams need fewer passes than words: each row has more of them.
        longer = text and not encoded.way.wishes.words.grams
        checkpoints = checkpoints_of(choices, problem, longer, often, RULES[tried.rule])
        score = _scorer(problem, checkpoints, encoded.validation, parts.wanted, choices, seen)

        def after(run: Run) -> None:
            if stop.is_set():
                raise KeyboardInterrupt
            score(run)

        weights = choices.weights or RULES[tried.rule].decides
        settings = run_settings(
            problem, tried.margin, max(checkpoints), choices.seed, weights, ties, tried.rule, tried.C
        )  # fmt: skip
        run_watched(problem, settings, tried.stage, conduct, after, seen, _kept)
        found = [replace(tried, **each) for each in seen]
        best = max(found, key=lambda each: each.accuracy)
        conduct.watch(Progress("tried", seconds=best.seconds, tried=(best.name, best.accuracy)))
        return sorted(found, key=lambda each: ASKED_WEIGHTS.index(each.weights))

    trials = _trials(blank, choices, often)
    size = n_bytes(problem.rows) * problem.n_classes
    with Pool(min(thread_count(), len(trials)) if size > FEW_BYTES else 0) as pool:
        tasks = [pool.submit(work, trial) for trial in trials]
        try:
            for task in tasks:
                yield from task.result()
        except BaseException:
            stop.set()  # a run that nobody waits for ends with its pass
            raise


def _trials(blank: Perceptron, choices: Choices, often: bool) -> list[Perceptron]:
    """The runs to make, by rising margin; then, of a rule with steps of its own, by rising C.

    Association units that nobody asked for are run with the usual margin alone where there are runs in every fold: on
    some fifty tables others changed hardly a choice, and their rows are the longest.
    """
    rules = UNASKED if blank.text and choices.any_rule else (choices.rule or Settings.rule,)
    usual = often and blank.way.wishes.units and choices.wishes.units is None
    found: list[Perceptron] = []
    for rule in rules:
        if RULES[rule].plain:
            margins = ((USUAL_MARGIN,) if usual else MARGINS) if choices.margin is None else (choices.margin,)
            found += [replace(blank, rule=rule, margin=margin) for margin in margins]
        else:
            strongest = STRONGEST if choices.C is None else (choices.C,)
            found += [replace(blank, rule=rule, C=C) for C in strongest]
    return found


def checkpoints_of(
    choices: Choices, problem: Problem, text: bool, often: bool = False, rule: type[Rule] = Mistakes
) -> tuple[int, ...]:
    """The passes after which a run is scored. A small problem is given more, since they cost nothing.

    So is text, of which a large margin is kept after some tens of passes; tables seldom gain by them, nor do rules
    whose steps are as long as a row needs.
    often    whether there are runs in every way and every fold, so that they do cost something
    """
    if choices.passes is not None:
        return (choices.passes,)
    if not rule.plain:
        return PASSES[:-1]
    size = n_bytes(problem.rows) * (1 if problem.n_classes == 2 else problem.n_classes)
    if often:
        return (*PASSES, *(MORE_PASSES[:2] if size * MORE_PASSES[1] <= SMALL_OFTEN else MORE_PASSES[:1]))
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


def _variants(choices: Choices, separated: bool, rule: type[Rule]) -> tuple[str, ...]:
    """The weights to score; final ones unasked only where they separate the training rows, or suit the rule."""
    if choices.weights is not None:
        return (choices.weights,)
    return TRIED_WEIGHTS if separated and rule.plain else (rule.decides,)


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
            for variant in _variants(choices, clean, RULES[run.settings.rule]):
                scores = scores_now(run, variant, problem, rows)[0]
                accuracy = merit(scores, wanted, Decision(run.settings.ties), choices)
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
    if VARIANTS[variant].votes:
        voted = voted_of(run, problem)
        return [voted.scores(rows) for rows in parts]
    weights = run.scaled(VARIANTS[variant].weights_now(run, problem))
    return [score_rows(rows, weights) for rows in parts]
