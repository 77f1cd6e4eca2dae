"""What `Perceptron` and `KernelPerceptron` share: how a run is begun, goes on, and is told of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags, check_random_state
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from rosenblatt.data.door_labels import check_two, read_labels
from rosenblatt.errors import DataError, SettingError
from rosenblatt.estimators.callbacks import FitTask, TakesCallbacks, with_callbacks
from rosenblatt.estimators.input import all_at_once, held, read_rows, read_rows_and_labels
from rosenblatt.learn.decide import Decision
from rosenblatt.learn.merging import union_classes
from rosenblatt.learn.problem import Problem, check_finite, make_problem
from rosenblatt.learn.rules import RULES
from rosenblatt.learn.settings import Settings, check_seed
from rosenblatt.learn.votes import no_explanation
from rosenblatt.loops.rows import Rows, n_rows


class OnlineClassifier(TakesCallbacks, ClassifierMixin, BaseEstimator):
    """A classifier that learns from its mistakes, pass by pass; `run_` is what it learned."""

    run_: Any
    classes_: np.ndarray
    random_state: Any
    class_weight: Any
    warm_start: bool
    max_iter: int

    @property
    def _bias(self) -> float:
        """The value of the constant feature."""
        return 0.0

    def _settings(self, before: Any) -> Settings:
        """The parameters, checked."""
        raise NotImplementedError

    def _learn(
        self, problem: Problem, settings: Settings, before: Any, start: Any = None, task: FitTask | None = None
    ) -> None:
        """Makes the run, and takes what it found; callbacks of the task are told of every pass."""
        raise NotImplementedError

    def _start(self, problem: Problem, before: Any) -> Any:
        """What a run begins with."""
        return None

    @with_callbacks
    def _fit(self, X: Any, y: Any, sample_weight: Any, *given: Any) -> Self:
        """A run over these rows, or the continuation of the former one; given    what `_start` takes besides."""
        task = FitTask.begin(self, X, y, sample_weight, self.max_iter)
        with all_at_once(self) as new:
            before = getattr(new, "run_", None) if new.warm_start else None
            settings = new._settings(before)
            problem, before = new._problem(X, y, sample_weight, before)
            start = new._start(problem, before, *given)
            if before is None or not before.is_over(problem, settings):
                new._learn(problem, settings, before, start, task)
        if task is not None:
            task.end()
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """One more pass, over these rows; a class that was not seen before is taken in. Returns itself."""
        with all_at_once(self) as new:
            if isinstance(new.class_weight, str):
                raise SettingError(
                    f"class_weight={new.class_weight!r} needs all labels at once, which partial_fit does not have. "
                    f"Give the weights as a dict."
                )
            before = getattr(new, "run_", None)
            settings = replace(new._settings(before), max_iter=1, early_stopping=False, tol=None)
            known = None if classes is None else read_labels(classes).values
            hint = ", or name all classes with partial_fit(X, y, classes=...)"
            problem, before = new._problem(X, y, sample_weight, before, known, hint)
            new._learn(problem, settings, before)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The class of each row. A score of exactly 0 gives the first class, except under ties="positive"."""
        self = held(self)
        scores = self.decision_function(X)
        return self.classes_.take(Decision(self.run_.settings.ties).decide(scores))

    def _seed(self, before: Any) -> int:
        """The seed of the order. A run that goes on keeps its own."""
        if before is not None:
            return int(before.settings.seed)
        if isinstance(self.random_state, int | np.integer):
            check_seed("random_state", int(self.random_state))
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31))

    def _problem(
        self, X: Any, y: Any, sample_weight: Any, before: Any, classes: np.ndarray | None = None, hint: str = ""
    ) -> tuple[Problem, Any]:
        """The problem in terms of all classes known, and the run before it in the same terms."""
        rows, y = read_rows_and_labels(self, X, y, bias=self._bias, reset=before is None)
        known: np.ndarray | None = None if before is None else self.classes_
        found = np.unique(y)
        merged = found if known is None else union_classes(known, found)
        if classes is not None:
            merged = union_classes(merged, classes)
            if known is None and not np.isin(found, classes).all():
                raise DataError(f"y holds labels that are not in classes: {np.setdiff1d(found, classes)[:5].tolist()}.")
        check_two(merged, len(y), hint)
        truth = np.searchsorted(merged, y).astype(np.int32)
        amounts = _check_sample_weight(sample_weight, y, dtype=np.float64, ensure_non_negative=True)
        if self.class_weight is not None:
            amounts = amounts * compute_class_weight(self.class_weight, classes=merged, y=y)[truth]
        if known is not None and len(merged) > len(known):
            before = before.with_classes(np.asarray(np.searchsorted(merged, known)), len(merged))
        self.classes_ = merged
        return make_problem(rows, truth, len(merged), amounts), before

    def _one_row(self, x: Any) -> Rows:
        """The one row that is to be explained."""
        check_is_fitted(self)
        if self.run_.variant.votes:
            raise no_explanation()
        x = x.to_frame().T if type(x).__name__ == "Series" else x
        rows = read_rows(self, x if np.ndim(x) == 2 else [x], bias=self._bias)
        if n_rows(rows) != 1:
            raise DataError(f"explain takes one row; got {n_rows(rows)}.")
        check_finite(rows)
        return rows

    def _tell_of(self, run: Any) -> None:
        """Takes what a run says of itself."""
        self.run_ = run
        self.n_iter_, self.n_updates_, self.n_mistakes_ = run.passes, run.updates, run.mistakes
        self.separated_, self.stopped_, self.cycle_ = run.separated, run.stopped, run.cycle
        self.radius_, self.margin_bracket_ = run.radius, run.margin_bracket
        if run.settings.record:
            self.mistakes_ = run.recording.as_array(RULES[run.settings.rule])

    def _heard(self, run: Any, task: FitTask | None, so_far: Callable[[], dict[str, Any] | None]) -> None:
        """Tells the callbacks of a pass; one of them may end the run with it."""
        if task is not None and task.after_pass(so_far):
            run.stopped = run.stopped or "callback"

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
