"""Kernel perceptrons: curves. Tried only where they are asked for, because their file holds training rows.

Gamma is searched in multiples of 1 / mean |x|², the margin in multiples of the mean K(x, x): both then mean the same on
a sample, in a fold and on all rows. Of many rows the search sees a sample, drawn by hash: how many is decided by the
work that a run takes, not by a clock, so the choice is the same on every machine.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rosenblatt.claims import listed, number, row
from rosenblatt.data.table import Table
from rosenblatt.features import Plan
from rosenblatt.learn.decide import Decision
from rosenblatt.learn.kernel.choice import make_kernel
from rosenblatt.learn.kernel.pruning import by_weight, prune
from rosenblatt.learn.kernel.run import KernelRun, learn_kernel
from rosenblatt.learn.kernel.support import Support, told_alone
from rosenblatt.learn.kernel.updates import from_dual
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.settings import Settings
from rosenblatt.learn.variants import VARIANTS
from rosenblatt.loops.curves import own_values
from rosenblatt.loops.rows import Rows, n_rows, take
from rosenblatt.loops.threads import Pool, thread_count
from rosenblatt.model import Curve, Curved, Model
from rosenblatt.pipeline.families.kernel_runs import problem_of, run_kernel, sampled
from rosenblatt.pipeline.family import Candidate, Final, Parts, Task
from rosenblatt.pipeline.merit import merit
from rosenblatt.pipeline.progress import Progress, silent
from rosenblatt.pipeline.runs import Conduct
from rosenblatt.pipeline.shown import shown
from rosenblatt.pipeline.ways import Encoded, Ways, is_table
from rosenblatt.pipeline.weighing import amounts_again

if TYPE_CHECKING:
    from rosenblatt.pipeline.choices import Choices

GAMMAS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)  # of rbf, in multiples of 1 / mean |x|²
COSINE_DEGREES, POLY_DEGREES = (3, 5, 8, 11), (2, 3)
MARGINS = (0.1, 0.3, 1.0)  # in multiples of the mean K(x, x)
PASSES = (3, 10, 30)
COEF0 = 1.0
# Added to rbf and cosine between two classes: far from all support rows the score is then not 0 but what most rows
# there are. Of many classes the highest score wins, and none needs it. On 12 splits of ionosphere 93.4 became 96.0%.
BIAS = 1.0
# Validation rows that may judge how many rows to drop. Fewer do not notice what is lost: by 28 of wine 3 points of the
# test, by 90 of breast cancer half a point, 5 splits each.
JUDGES = 1000
WORTHWHILE = 0.95  # of the rows updated on: where more are needed, all are kept
SEEN = row(number(0, 1), number(0))  # how good the run was on validation rows, and seconds
BRIEF = 200  # letters of a support row that a file keeps


@dataclass(frozen=True)
class Kernel(Candidate):
    """A kernel with its numbers, a margin, and a number of passes."""

    kernel: str = "rbf"
    degree: int = 1
    gamma: float = 1.0  # multiple of 1 / mean |x|²; of a user's own gamma what it is
    own: bool = False  # whether the user gave gamma
    margin: float = 0.0  # multiple of the mean K(x, x)
    weights: str = "averaged"
    ties: str = Decision.ties
    device: str = "cpu"
    share: float = 1.0  # of the rows updated on that are kept, those that count most
    model: ClassVar[str] = "kernel"
    settings: ClassVar[tuple[str, ...]] = ("kernel", "degree", "gamma", "margin", "passes", "weights", "ties", "device")
    auto: ClassVar[bool] = False
    unpruned: ClassVar[str] = "a kernel has no weights: it is made of training rows"

    @classmethod
    def candidates(
        cls, ways: Ways, parts: Parts, choices: Choices, conduct: Conduct, thorough: bool
    ) -> Sequence[Kernel]:
        """A run for each kernel, gamma and margin, looked at after some passes, over a sample where rows are many."""
        encoded = ways.first
        rows, truth = sampled(encoded.train, parts.truth, choices.seed)
        problem = problem_of(rows, truth, parts.n_classes, choices.weighing.amounts(truth, parts.n_classes))
        if not thorough:
            seen = f"{n_rows(rows):,} of {n_rows(encoded.train):,} rows"
            conduct.watch(Progress(f"search over {seen}" if n_rows(rows) < n_rows(encoded.train) else "search"))
        tried = list(cls._grid(encoded, choices))

        def work(blank: Kernel) -> list[Kernel]:
            found = blank._runs(problem, encoded.validation, parts.wanted, choices, conduct)
            best = max(found, key=lambda each: each.accuracy)
            conduct.watch(Progress("tried", seconds=best.seconds, tried=(best.name, best.accuracy)))
            return found

        with Pool(min(thread_count(), len(tried))) as pool:
            tasks = [pool.submit(work, blank) for blank in tried]
            return [each for task in tasks for each in task.result()]

    @classmethod
    def _grid(cls, encoded: Encoded, choices: Choices) -> Iterator[Kernel]:
        """What is tried, in order: rbf, cosine for rows that are no table, poly for those that are."""
        table = is_table(encoded.plan)
        kinds = ("rbf", "poly") if table else ("rbf", "cosine")
        blank = cls(
            encoded.way, weights=choices.weights or "averaged", ties=choices.ties or Decision.ties,
            device=choices.device or "cpu", weighing=choices.weighing,
        )  # fmt: skip
        for kernel in kinds if choices.kernel is None else (choices.kernel,):
            degrees: Sequence[int] = (1,) if kernel == "rbf" else POLY_DEGREES if kernel == "poly" else COSINE_DEGREES
            if choices.degree is not None and kernel != "rbf":
                degrees = (choices.degree,)
            gammas: Sequence[float] = GAMMAS if kernel == "rbf" else (1.0,)
            if choices.gamma is not None and kernel != "cosine":
                gammas = (choices.gamma,)
            for degree in degrees:
                for gamma in gammas:
                    own = choices.gamma is not None and kernel != "cosine"
                    for margin in MARGINS if choices.margin is None else (choices.margin,):
                        yield replace(blank, kernel=kernel, degree=degree, gamma=gamma, own=own, margin=margin)

    def _runs(
        self, problem: Problem, rows: Rows, wanted: np.ndarray, choices: Choices, conduct: Conduct
    ) -> list[Kernel]:
        """The candidate after some numbers of passes of one run; once it has ended more of them change nothing."""
        looks = PASSES if choices.passes is None else (choices.passes,)
        started, seen = time.perf_counter(), list[Any]()

        def look(run: KernelRun) -> None:
            found = merit(self._scores(run, problem, rows), wanted, self.decision, choices)
            seen.append([found, time.perf_counter() - started])

        def kept(seen: list[Any], run: KernelRun) -> None:
            ended = bool(run.stopped) and run.passes not in looks
            listed(SEEN, sum(each <= run.passes for each in looks) + ended)(seen, "seen")

        alone = replace(conduct, jobs=1)
        self._run(problem, max(looks), choices.seed, alone, self.stage, look=look, looks=looks, seen=seen, kept=kept)
        seen += [seen[-1]] * (len(looks) - len(seen))
        return [
            replace(self, accuracy=right, passes=passes, seconds=seconds)
            for passes, (right, seconds) in zip(looks, seen, strict=True)
        ]

    def tried_once(self, problem: Problem, rows: Rows, wanted: np.ndarray, seed: int) -> tuple[float, int]:
        """The share of the rows that a run of a few passes gets right, and how many rows it was updated on."""
        run = self._run(problem, PASSES[1], seed, Conduct(), "hint")
        return self._right(run, problem, rows, wanted), len(run.numbers)

    def _right(self, run: KernelRun, problem: Problem, rows: Rows, wanted: np.ndarray) -> float:
        """The share of the rows that the run gets right."""
        return float(np.mean(self.decision.decide(self._scores(run, problem, rows)) == wanted))

    def _scores(self, run: KernelRun, problem: Problem, rows: Rows) -> np.ndarray:
        support = run.support(take(problem.rows, np.zeros(0, np.uint32)))
        return support.scores(rows._replace(bias=0.0), run.dual(self.weights))

    def _run(
        self, problem: Problem, passes: int, seed: int, conduct: Conduct, stage: str, record: bool = False, **look: Any
    ) -> KernelRun:
        """A run with these settings over the problem; look    what `run_kernel` takes besides."""
        square = problem.mean_square
        gamma = self.gamma if self.own else self.gamma / square if square > 0 else 1.0
        bias = BIAS if problem.n_classes == 2 else 0.0
        kernel = make_kernel(self.kernel, self.degree, gamma, COEF0, problem.rows, problem.squares, bias)
        values = np.empty(len(problem.squares))
        own_values(kernel, problem.squares, values)
        settings = Settings(
            weights=self.weights, margin=self.margin * float(math.fsum(values) / len(values)), ties=self.ties, tol=None,
            max_iter=passes, seed=seed, n_jobs=conduct.jobs, record=record,
        )  # fmt: skip
        return run_kernel(problem, settings, kernel, self.device, stage, conduct, **look)

    def fit(self, task: Task) -> Final:
        amounts = self.weighing.amounts(task.truth, task.n_classes)
        problem = problem_of(task.rows, task.truth, task.n_classes, amounts)
        run = self._run(problem, self.passes, task.seed, task.conduct, task.stage, task.record)
        return Final(task.plan, self._learner(run, task.plan, task.table), problem, run, self.weights)

    def lightened(self, parts: Parts, choices: Choices, conduct: Conduct) -> Kernel:
        """With the share of the rows that suffices on validation rows, which a run over the others never saw."""
        if choices.record or len(parts.wanted) < JUDGES:  # the list of a record is of all rows that were updated on
            return self
        encoded = parts.encoded(self.way)
        amounts = self.weighing.amounts(parts.truth, parts.n_classes)
        problem = problem_of(encoded.train, parts.truth, parts.n_classes, amounts)
        run = self._run(problem, self.passes, choices.seed, conduct, "fewer rows")
        support, dual = run.support(problem.rows), run.dual(self.weights)
        kept = prune(support, dual, encoded.validation._replace(bias=0.0), parts.wanted, self.decision)
        return replace(self, share=len(kept) / dual.shape[1]) if len(kept) <= WORTHWHILE * dual.shape[1] else self

    def _learner(self, run: KernelRun, plan: Plan, table: Table) -> Curved:
        assert run.rows is not None
        support, dual, final = Support(run.kernel, run.rows, run.facts), run.dual(self.weights), run.dual("final")
        kept, proved = np.arange(dual.shape[1]), run.separated and run.exact and self.kernel == "poly"
        if self.share < 1 and not proved:  # what `check` can prove is of the whole list
            kept = np.sort(by_weight(support, dual)[: math.ceil(self.share * len(kept))])
            support = support.only(kept)
        numbers = run.numbers[kept].tolist()
        return Curved(
            support,
            np.ascontiguousarray(dual[:, kept]),
            run.classes_of_support[kept],
            tuple(table.origin.of(i) for i in numbers),
            tuple(read_row(plan, table, i) for i in numbers),
            final if len(kept) == final.shape[1] else None,
        )

    @classmethod
    def update(
        cls, model: Model, table: Table, truth: np.ndarray, places: np.ndarray, n_classes: int, passes: int
    ) -> tuple[Curved, int]:
        """The list goes on over these rows by the rule it was trained with: rows that it gets right change nothing."""
        learner, choice = model.learner, model.card["choice"]
        assert isinstance(learner, Curved)
        support, own = learner.support, len(learner.labels)
        rows = learner.rows(model.plan, table)
        problem = problem_of(rows, truth, n_classes, amounts_again(choice, truth))
        settings = Settings(
            weights="final", margin=float(choice.get("threshold", 0.0)), ties=model.decision.ties, tol=None,
            max_iter=passes,
        )  # fmt: skip
        labels = places[learner.labels].astype(np.int32)
        listed = from_dual(learner.dual, learner.labels).with_classes(places.astype(np.int32))
        before = KernelRun(
            settings, support.kernel, n_classes, support.facts, listed, support.rows, np.full(own, -1, np.int64)
        )
        run = learn_kernel(problem, settings, lambda _: support.kernel, before)
        assert run.rows is not None
        fresh = run.numbers[own:].tolist()
        grown = Curved(
            Support(run.kernel, run.rows, run.facts),
            run.dual("final"),
            np.concatenate([labels, run.classes_of_support[own:]]),
            (*learner.origins, *(table.origin.of(i) for i in fresh)),
            (*learner.shown, *(read_row(model.plan, table, i) for i in fresh)),
        )
        return grown, run.passes

    def curve(self, encoded: Encoded, parts: Parts, choices: Choices, conduct: Conduct) -> Curve:
        """Over the passes."""
        amounts = self.weighing.amounts(parts.truth, parts.n_classes)
        problem = problem_of(encoded.train, parts.truth, parts.n_classes, amounts)
        looks, found = sorted({1, 2, 5, 10, 20, self.passes}), list[tuple[float, float]]()

        def look(run: KernelRun) -> None:
            right = partial(self._right, run, problem)
            found.append((right(encoded.train, parts.truth), right(encoded.validation, parts.wanted)))

        alone = replace(conduct, watch=silent, checkpoints=None)
        self._run(problem, max(looks), choices.seed, alone, "curve", look=look, looks=looks)
        found += [found[-1]] * (len(looks) - len(found))
        return Curve("pass", [(at, *right) for at, right in zip(looks, found, strict=True)], self.passes, [])

    def facts(self, final: Final) -> dict[str, Any]:
        run, learner = final.run, final.learner
        assert isinstance(run, KernelRun)
        assert isinstance(learner, Curved)
        held = len(learner.labels)
        return {
            **({"ties": self.ties} if self.ties != Decision.ties else {}),
            "kernel": self.kernel,
            **({} if self.kernel == "rbf" else {"degree": self.degree}),
            **({} if self.kernel == "cosine" else {"gamma": run.kernel.gamma}),
            "coef0": run.kernel.coef0,
            "weights": self.weights,
            "margin": self.margin,
            "threshold": run.settings.margin,
            "passes": self.passes,
            "training_rows": held,
            **({} if held == len(run.numbers) else {"updated_rows": len(run.numbers)}),
            "exact": run.exact,
        }

    def notes(self, final: Final) -> list[str]:
        run = final.run
        assert isinstance(run, KernelRun)
        assert final.problem is not None
        value = f"degree={self.degree}" if self.kernel == "cosine" else f"gamma={run.kernel.gamma:g}"
        told = told_alone(run.support(final.problem.rows), len(final.problem.visited), value)
        return [told] if told else []

    @property
    def name(self) -> str:
        parts = [f"{self.kernel} kernel" if self.kernel == "rbf" else f"{self.kernel} kernel of degree {self.degree}"]
        parts += [*([self.way.name] if self.way.name else [])]
        parts += [] if self.kernel == "cosine" else [f"gamma {self.gamma:g}{'' if self.own else ' / mean |x|²'}"]
        parts += [f"margin {self.margin:g}", f"{self.passes} pass{'es' if self.passes > 1 else ''}"]
        return ", ".join([*parts, *([] if VARIANTS[self.weights].lags else [f"{self.weights} weights"])])

    @property
    def decision(self) -> Decision:
        return Decision(self.ties)

    @property
    def stage(self) -> str:
        """What its run is called while it is searched."""
        gamma = "" if self.kernel == "cosine" else f" gamma {self.gamma:g}"
        return f"{self.kernel} {self.degree}{gamma} margin {self.margin:g} {self.way.name}".strip()

    @property
    def kind(self) -> tuple[object, ...]:
        return self.model, self.way.name, self.kernel

    @classmethod
    def best_of(  # type: ignore[override]
        cls, kind: Sequence[Kernel], error: Callable[[float], float], usual: bool
    ) -> Kernel:
        """Of those about as good as the best, over small tables, the one whose neighbours in the grid do best, too.

        Among a hundred the best is partly the luckiest, and luck does not spread.
        """
        best = max(kind, key=lambda each: each.accuracy)
        if not usual:
            return best
        least = best.accuracy - error(best.accuracy) / 4

        def around(one: Kernel) -> float:
            found = [each.accuracy for each in kind if one._neighbours(each)]
            return math.fsum(found) / len(found)

        return max((each for each in kind if each.accuracy >= least), key=around)

    def _neighbours(self, other: Kernel) -> bool:
        """Whether the two are the same or stand side by side in the grid."""
        gamma, margin = _near(self.gamma, other.gamma, 2), _near(self.margin, other.margin, 3.5)
        return self.degree == other.degree and gamma and margin and _near(self.passes, other.passes, 3.5)

    @property
    def trial(self) -> tuple[object, ...]:
        return *self.kind, self.degree, self.gamma, self.margin, self.weights


def _near(one: float, other: float, factor: float) -> bool:
    return one == other or (min(one, other) > 0 and max(one, other) <= factor * min(one, other))


def read_row(plan: Plan, table: Table, row: int) -> str:
    """The beginning of a row as a person reads it; nothing of numbers without names, such as pixels."""
    return shown(plan, table, row)[:BRIEF] if is_table(plan) or plan.only_text else ""
