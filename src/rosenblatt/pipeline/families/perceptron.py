"""Perceptrons: one run for each margin, looked at after more and more passes, by each kind of weights."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rosenblatt.claims import listed, number, row, whole
from rosenblatt.data.table import Table
from rosenblatt.features import Plan
from rosenblatt.learn.decide import Decision
from rosenblatt.learn.growth import grown, grown_variances
from rosenblatt.learn.kernel.run import KernelRun
from rosenblatt.learn.losses import Losses, losses_of
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.rules import RULES
from rosenblatt.learn.run import Run, begin, learn
from rosenblatt.learn.settings import Settings
from rosenblatt.learn.variants import VARIANTS
from rosenblatt.model import Curve, Linear, Model
from rosenblatt.model.learner import Learner
from rosenblatt.model.voted import voted_of
from rosenblatt.pipeline.families.perceptron_search import (
    checkpoints_of,
    scores_now,
    search_runs,
)
from rosenblatt.pipeline.families.probes import Probes
from rosenblatt.pipeline.family import Candidate, Final, Parts, Task
from rosenblatt.pipeline.progress import silent
from rosenblatt.pipeline.runs import Conduct, problem_of, run_settings, run_watched
from rosenblatt.pipeline.tries import LONGEST, MARGINS, MOST_PROBED, USUAL_MARGIN, USUAL_PASSES
from rosenblatt.pipeline.ways import Encoded, Ways, bent_ways, gram_ways, unit_ways
from rosenblatt.pipeline.weighing import amounts_again

if TYPE_CHECKING:
    from rosenblatt.pipeline.choices import Choices

# Larger models are rounded to float32, before they see a test row: half the file, and no row decided otherwise later.
EXACT_WEIGHTS = 100_000
BRACKETS = listed(row(whole(1, 2**53), number(0), number(0, infinite=True)))  # updates, and bounds on the margin


@dataclass(frozen=True)
class Perceptron(Candidate):
    """A run with a margin, the weights of it that decide, and after how many passes."""

    weights: str = ""
    margin: float = 0.0  # multiple of the mean |f(x)|²
    separated: bool = False
    ties: str = Decision.ties
    bias: bool = True
    text: bool = False  # whether the features are words
    rule: str = Settings.rule
    C: float = Settings.C  # of a rule that has one
    model: ClassVar[str] = "perceptron"
    settings: ClassVar[tuple[str, ...]] = ("weights", "margin", "passes", "ties", "bias", "rule", "C")

    @classmethod
    def candidates(
        cls, ways: Ways, parts: Parts, choices: Choices, conduct: Conduct, thorough: bool
    ) -> Sequence[Perceptron]:
        """Short runs decide which way is searched, unless all are; then runs by rising margin."""

        def probes_of(first: Encoded, parts: Parts) -> Probes:
            return Probes(first, parts, choices, lambda way, short: cls._runs(way, parts, short, conduct))

        probes = probes_of(ways.first, parts)
        grams = [] if thorough else gram_ways(ways.first, parts.n_classes)
        probes.try_all(ways.every())
        ways.release()
        few = parts.fewer(MOST_PROBED) if parts.n_classes > 2 else parts
        if grams and few is not parts:  # topics gain little by n-grams, so that some of the rows tell whether to go on
            some = probes_of(few.encoded(probes.best.way), few)
            some.try_all(few.encoded(way) for way in grams)
            grams = [way for way in grams if some.ahead(way)]
        probes.try_all(parts.encoded(way) for way in grams if probes.worth(way))
        # No unit can be left out to keep a file small.
        curved = [*bent_ways(probes.best), *(unit_ways(probes.best, thorough) if choices.size is None else [])]
        curves = (parts.encoded(way) for way in curved)
        if thorough:
            every = itertools.chain([probes.best], curves)
            return [each for way in every for each in cls._runs(way, parts, choices, conduct, often=True)]
        probes.try_all(curves)
        return [*probes.others, *cls._runs(probes.best, parts, choices, conduct)]

    @classmethod
    def _runs(
        cls, encoded: Encoded, parts: Parts, choices: Choices, conduct: Conduct, often: bool = False
    ) -> list[Perceptron]:
        return list(search_runs(cls(encoded.way), encoded, parts, choices, conduct, often))

    def fit(self, task: Task) -> Final:
        amounts = self.weighing.amounts(task.truth, task.n_classes)
        problem = problem_of(task.rows, task.truth, task.n_classes, self.bias, amounts)
        return self._run(task.plan, problem, task.seed, task.conduct, task.stage, task.record)

    def _run(self, plan: Plan, problem: Problem, seed: int, conduct: Conduct, stage: str, record: bool) -> Final:
        """A run over the problem, in the order of this seed."""
        passes = LONGEST if self.separated and VARIANTS[self.weights].last else self.passes
        seen: list[Any] = []

        def note(run: Run) -> None:
            if run.updates >= 2 * (seen[-1][0] if seen else 0) and run.updates:
                seen.append([run.updates, *run.margin_bracket])

        settings = run_settings(problem, self.margin, passes, seed, self.weights, self.ties, self.rule, self.C)
        settings = replace(settings, record=record or settings.record)
        run = run_watched(problem, settings, stage, conduct, note, seen, lambda kept, run: BRACKETS(kept, "seen"))
        bracket = [(updates, low, high) for updates, low, high in seen]
        if run.updates:
            if bracket and bracket[-1][0] == run.updates:
                bracket.pop()
            bracket.append((run.updates, *run.margin_bracket))

        def again(seed: int) -> Learner:
            return self._run(plan, problem, seed, conduct, stage, False).learner

        return Final(plan, self._learner(run, problem), problem, run, self.weights, bracket, again)

    def _learner(self, run: Run, problem: Problem) -> Learner:
        return (
            voted_of(run, problem)
            if VARIANTS[self.weights].votes
            else linear(run, self.weights, self.features is not None)
        )

    @classmethod
    def update(
        cls, model: Model, table: Table, truth: np.ndarray, places: np.ndarray, n_classes: int, passes: int
    ) -> tuple[Linear, int]:
        """The weights go on by the rule they were trained with, so rows that they get right change nothing."""
        learner = model.learner.one_set("update")
        assert isinstance(learner, Linear)
        same = n_classes == len(model.classes.names)
        start = learner.weights if same else grown(learner.weights, places, n_classes)
        choice = model.card["choice"]
        amounts = amounts_again(choice, truth)
        rows = learner.rows(model.plan, table)
        problem = problem_of(rows, truth, n_classes, choice.get("bias", True), amounts)
        margin = float(choice.get("threshold", 0.0))
        settings = Settings(
            weights="final", margin=margin, ties=model.decision.ties, tol=None, max_iter=passes,
            rule=choice.get("rule", Settings.rule), C=choice.get("C", Settings.C),
        )  # fmt: skip
        run = begin(problem, settings, start)
        if learner.variances is not None:
            run.kept = learner.variances if same else grown_variances(learner.variances, places, n_classes)
        return linear(learn(problem, settings, before=run), "final"), passes

    def curve(self, encoded: Encoded, parts: Parts, choices: Choices, conduct: Conduct) -> Curve:
        """Over the passes."""
        amounts = self.weighing.amounts(parts.truth, parts.n_classes)
        problem = problem_of(encoded.train, parts.truth, parts.n_classes, self.bias, amounts)
        looks = (self.passes, *checkpoints_of(choices, problem, self.text, rule=RULES[self.rule]))
        variant = VARIANTS[self.weights]
        points: list[tuple[float, float, float]] = []
        losses: list[Losses] = []

        def score(run: Run) -> None:
            if (
                variant.votes and run.passes not in looks and not run.stopped
            ):  # votes take a product with each row updated on
                return
            both = scores_now(run, self.weights, problem, encoded.train, encoded.validation)
            truths = parts.truth, parts.wanted
            right = [np.mean(self.decision.decide(each) == truth) for each, truth in zip(both, truths, strict=True)]
            points.append((run.passes, float(right[0]), float(right[1])))
            if not variant.votes:  # the losses are those of one vector
                losses.append(losses_of(problem, run.scaled(variant.weights_now(run, problem)), self.ties))

        settings = run_settings(
            problem, self.margin, max(looks), choices.seed, self.weights, self.ties, self.rule, self.C
        )  # fmt: skip
        run_watched(problem, settings, "curve", replace(conduct, watch=silent, checkpoints=None), score, [])
        return Curve("pass", points, self.passes, losses)

    def facts(self, final: Final) -> dict[str, Any]:
        return self.facts_of(final.run)

    def facts_of(self, run: Run | KernelRun | None) -> dict[str, Any]:
        """What a card says of a run with these settings."""
        return {
            **({"ties": self.ties} if self.ties != Decision.ties else {}),
            **({} if self.bias else {"bias": False}),
            **({} if RULES[self.rule].plain else {"rule": self.rule, "C": self.C}),
            "weights": self.weights,
            "margin": self.margin,
            "threshold": 0.0 if run is None else run.settings.margin,
            "passes": self.passes,
            "shards": 1 if run is None else run.settings.shards,
        }

    @property
    def name(self) -> str:
        own = RULES[self.rule]
        called = "perceptron" if own.plain else self.rule
        parts = [called if self.weights == own.decides and not own.plain else f"{self.weights} {called}"]
        parts += [*([self.way.name] if self.way.name else []), *([f"margin {self.margin:g}"] if self.margin else [])]
        parts += [] if own.plain else [f"C {self.C:g}"]
        parts += [*([f"ties {self.ties}"] if self.ties != Decision.ties else []), *([] if self.bias else ["no bias"])]
        return ", ".join([*parts, f"{self.passes} pass{'es' if self.passes > 1 else ''}"])

    @property
    def decision(self) -> Decision:
        return Decision(self.ties)

    @property
    def stage(self) -> str:
        """What its run is called while it is searched."""
        own = f"margin {self.margin:g}" if RULES[self.rule].plain else f"{self.rule} C {self.C:g}"
        return f"{own} {self.way.name}".strip()

    @property
    def kind(self) -> tuple[object, ...]:
        return *super().kind, self.rule

    @property
    def trial(self) -> tuple[object, ...]:
        return *self.kind, self.weights, self.margin, self.C

    @property
    def simplicity(self) -> int:
        """The rule of the notes is the simplest."""
        return super().simplicity + (not RULES[self.rule].plain)

    @classmethod
    def best_of(  # type: ignore[override]
        cls, kind: Sequence[Perceptron], error: Callable[[float], float], usual: bool
    ) -> Perceptron:
        """Of those as good as the best the largest margin over text, or the usual one."""
        best = first_of_best(kind)
        if not best.text and (not usual or not VARIANTS[best.weights].lags):
            return best
        least = best.accuracy - error(best.accuracy) / 2
        close = [each for each in kind if each.weights == best.weights and each.accuracy >= least]
        if best.text:
            widest = max(each.margin for each in close)
            return first_of_best([each for each in close if each.margin == widest])
        nearest = min(each.unusual for each in close)
        return first_of_best([each for each in close if each.unusual == nearest])

    @property
    def unusual(self) -> float:
        """How far from the usual it is: steps of the margins that are tried, and doublings of the passes."""
        steps = abs(MARGINS.index(self.margin) - MARGINS.index(USUAL_MARGIN)) if self.margin in MARGINS else 0
        return steps + abs(math.log2(self.passes / USUAL_PASSES))


def first_of_best(candidates: Sequence[Perceptron]) -> Perceptron:
    """The most accurate; of equals averaged weights before final ones, of these any that separate, then the first."""
    best = max(each.accuracy for each in candidates)
    equals = [each for each in candidates if each.accuracy == best]
    return min(equals, key=lambda each: 0 if not VARIANTS[each.weights].last else 1 if each.separated else 2)


def linear(run: Run, weights: str, small: bool = False) -> Linear:
    """The weights that decide, with the variances of a rule that keeps them, so that a model can learn more."""
    kept = None if run.kept is None else np.ascontiguousarray(run.kept.astype(np.float32).astype(np.float64))
    return Linear(rounded(run.weights_of(weights), small), kept)


def rounded(weights: np.ndarray, small: bool = False) -> np.ndarray:
    """The weights, rounded to what a float32 can hold where there are many, or where the file is to be small."""
    weights = np.ascontiguousarray(weights, np.float64)
    return weights if weights.size <= EXACT_WEIGHTS and not small else weights.astype(np.float32).astype(np.float64)
