"""Kernel perceptrons: curves. Tried only where they are asked for, because their file holds training rows.

Gamma is searched in multiples of 1 / mean |x|², the margin in multiples of the mean K(x, x): both then mean the same on
a sample, in a fold and on all rows. Of many rows the search sees a sample, drawn by hash: how many is decided by the
work that a run takes, not by a clock, so the choice is the same on every machine.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rosenblatt.data.table import Table
from rosenblatt.features import Plan
from rosenblatt.learn.decide import Decision
from rosenblatt.learn.kernel.choice import check_differing, make_kernel
from rosenblatt.learn.kernel.pruning import by_weight, prune
from rosenblatt.learn.kernel.run import KernelRun, learn_kernel
from rosenblatt.learn.kernel.support import Support
from rosenblatt.learn.kernel.updates import from_dual
from rosenblatt.learn.problem import Problem, make_problem
from rosenblatt.learn.settings import Settings
from rosenblatt.learn.variants import VARIANTS
from rosenblatt.loops import kernels
from rosenblatt.loops.curves import own_values
from rosenblatt.loops.order import row_hashes
from rosenblatt.loops.rows import Dense, Rows, n_features, n_rows, take
from rosenblatt.loops.threads import Pool, thread_count
from rosenblatt.model import Curve, Curved, Model
from rosenblatt.pipeline.family import Candidate, Final, Parts
from rosenblatt.pipeline.merit import merit
from rosenblatt.pipeline.progress import Progress
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
WORK = 1.5e10  # products of two numbers in a run of the search, if every row of the sample is updated on once
COEF0 = 1.0
# Added to rbf and cosine between two classes: far from all support rows the score is then not 0 but what most rows
# there are. Of many classes the highest score wins, and none needs it. On 12 splits of ionosphere 93.4 became 96.0%.
BIAS = 1.0
WORTHWHILE = 0.95  # of the rows updated on: where more are needed, all are kept
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
    unrecorded: ClassVar[str] = "a kernel is made of its updates and holds their rows anyway"

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
            found = list(blank._runs(problem, encoded.validation, parts.wanted, choices))
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

    def _runs(self, problem: Problem, rows: Rows, wanted: np.ndarray, choices: Choices) -> Iterator[Kernel]:
        """The candidate after some numbers of passes of one run."""
        started, run = time.perf_counter(), None
        for passes in PASSES if choices.passes is None else (choices.passes,):
            made = 0 if run is None else run.passes
            if run is None or run.stopped == "limit":
                run = self._learned(problem, passes - made, choices.seed, 1, run)
            support = run.support(take(problem.rows, np.zeros(0, np.uint32)))
            scores = support.scores(rows._replace(bias=0.0), run.dual(self.weights))
            yield replace(
                self,
                accuracy=merit(scores, wanted, self.decision, choices),
                passes=passes,
                seconds=time.perf_counter() - started,
            )

    def tried_once(self, problem: Problem, rows: Rows, wanted: np.ndarray, seed: int) -> tuple[float, int]:
        """The share of the rows that a run of a few passes gets right, and how many rows it was updated on."""
        run = self._learned(problem, PASSES[1], seed, None)
        scores = run.support(problem.rows).scores(rows._replace(bias=0.0), run.dual(self.weights))
        return float(np.mean(self.decision.decide(scores) == wanted)), len(run.numbers)

    def _learned(
        self, problem: Problem, passes: int, seed: int, jobs: int | None, before: KernelRun | None = None
    ) -> KernelRun:
        """A run with these settings over the problem, or so many more passes of it."""
        square = problem.mean_square
        gamma = self.gamma if self.own else self.gamma / square if square > 0 else 1.0

        def kernel(squares: np.ndarray) -> kernels.Kernel:
            bias = BIAS if problem.n_classes == 2 else 0.0
            return make_kernel(self.kernel, self.degree, gamma, COEF0, problem.rows, squares, bias)

        if before is None:
            values = np.empty(len(problem.squares))
            own_values(kernel(problem.squares), problem.squares, values)
            threshold = self.margin * float(math.fsum(values) / len(values))
        else:
            threshold = before.settings.margin
        settings = Settings(
            weights=self.weights, margin=threshold, ties=self.ties, tol=None, max_iter=passes, seed=seed, n_jobs=jobs
        )
        return learn_kernel(problem, settings, kernel, before, device=self.device)

    def fit(
        self,
        plan: Plan,
        rows: Rows,
        table: Table,
        truth: np.ndarray,
        n_classes: int,
        seed: int,
        conduct: Conduct,
        stage: str,
        record: bool,
    ) -> Final:
        problem = problem_of(rows, truth, n_classes, self.weighing.amounts(truth, n_classes))
        run = self._learned(problem, self.passes, seed, conduct.jobs)
        conduct.watch(Progress(stage, run.passes, run.per_pass[-1][1]))
        return Final(plan, self._learner(run, plan, table), None, run, self.weights)

    def lightened(self, parts: Parts, choices: Choices, conduct: Conduct) -> Kernel:
        """With the share of the rows that suffices on validation rows, which a run over the others never saw."""
        encoded = parts.encoded(self.way)
        amounts = self.weighing.amounts(parts.truth, parts.n_classes)
        problem = problem_of(encoded.train, parts.truth, parts.n_classes, amounts)
        run = self._learned(problem, self.passes, choices.seed, conduct.jobs)
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
        points: list[tuple[float, float, float]] = []
        run = None
        for passes in sorted({1, 2, 5, 10, 20, self.passes}):
            if run is None or run.stopped == "limit":
                run = self._learned(problem, passes - (0 if run is None else run.passes), choices.seed, None, run)
            support, dual = run.support(encoded.train), run.dual(self.weights)
            both = (encoded.train, parts.truth), (encoded.validation, parts.wanted)
            scored = [(support.scores(rows._replace(bias=0.0), dual), truth) for rows, truth in both]
            right = [float(np.mean(self.decision.decide(scores) == truth)) for scores, truth in scored]
            points.append((passes, right[0], right[1]))
        return Curve("pass", points, self.passes, [])

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
    def kind(self) -> tuple[object, ...]:
        return self.model, self.way.name, self.kernel

    @property
    def trial(self) -> tuple[object, ...]:
        return *self.kind, self.degree, self.gamma, self.margin, self.weights


def read_row(plan: Plan, table: Table, row: int) -> str:
    """The beginning of a row as a person reads it; nothing of numbers without names, such as pixels."""
    return shown(plan, table, row)[:BRIEF] if is_table(plan) or plan.only_text else ""


def problem_of(rows: Rows, truth: np.ndarray, n_classes: int, amounts: np.ndarray | None = None) -> Problem:
    """The problem of a run: a kernel has no constant feature."""
    problem = make_problem(rows._replace(bias=0.0), truth, n_classes, amounts)
    check_differing(problem)
    return problem


def sampled(rows: Rows, truth: np.ndarray, seed: int) -> tuple[Rows, np.ndarray]:
    """The rows that the search sees: all, or those of the smallest hashes where runs over all would take too long."""
    count = n_rows(rows)
    stored = n_features(rows) if isinstance(rows, Dense) else int(rows.starts[-1] - rows.starts[0]) / max(1, count)
    most = int(math.sqrt(WORK / (stored + 16)))
    if count <= most:
        return rows, truth
    hashes = row_hashes(seed, np.arange(count, dtype=np.uint32))
    some = np.sort(np.argsort(hashes, kind="stable")[:most]).astype(np.uint32)
    return take(rows, some), truth[some]
