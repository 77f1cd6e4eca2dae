"""`KernelPerceptron`: curves by the same list of updates, behind scikit-learn's API."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from functools import partial
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from rosenblatt.data.door_labels import numbers_in
from rosenblatt.errors import SettingError
from rosenblatt.estimators.callbacks import FitTask
from rosenblatt.estimators.input import all_at_once, held, labels_for, read_rows
from rosenblatt.estimators.online import OnlineClassifier
from rosenblatt.learn.decide import Decision
from rosenblatt.learn.explain import Explanation
from rosenblatt.learn.kernel.choice import check_differing, check_kernel, make_kernel
from rosenblatt.learn.kernel.passes import Passes
from rosenblatt.learn.kernel.pruning import prune
from rosenblatt.learn.kernel.run import KernelRun, check_settings, learn_kernel
from rosenblatt.learn.kernel.support import Support, explain_support, told_alone
from rosenblatt.learn.problem import Problem
from rosenblatt.learn.settings import Settings
from rosenblatt.loops.kernels import Kernel
from rosenblatt.loops.rows import n_rows, span

DEVICES = ("cpu", "gpu", "auto")


class KernelPerceptron(OnlineClassifier):
    """A classifier with curved boundaries, learned from its mistakes: the perceptron with a kernel.

    The list of updates is the model. The score of a row is a sum over the training rows that were updated on, the
    support rows: the kernel of each with the row, times what its updates count. The fitted estimator holds those rows.

    Parameters
    ----------
    kernel : {"rbf", "poly", "cosine"}, default="rbf"
        exp(−γ|x−z|²), (γ x·z + coef0)^degree, or the cosine of the angle between x and z to the degree.
    degree : int, default=3
        The degree of poly and cosine, at most 30.
    gamma : float, "scale" or "auto", default="scale"
        γ of rbf and poly: "scale" is 1 / (columns × variance of X), "auto" 1 / columns.
    coef0 : float, default=1
        The constant of poly.
    weights : {"final", "averaged", "voted"}, default="averaged"
        What decides: the whole list, the mean of all scores met on the way, or their votes.
    margin : float, default=0
        Also update on rows that are right by no more than this. It is compared with scores, whose unit is K(x, x).
    ties : {"mistake", "positive", "negative"}, default="mistake"
        What a score of exactly 0 is while learning.
    max_iter : int, default=30
        The most passes in one call of `fit`.
    tol : float or None, default=None
        Stop when the share of rows updated on per pass does not fall by more than this for 5 passes.
    shuffle : bool, default=True
        Visit the rows in a new order in each pass.
    random_state : int, RandomState or None, default=None
        The seed of the order; None draws one.
    class_weight : dict, "balanced" or None, default=None
        Factors on the updates of each class.
    warm_start : bool, default=False
        Let `fit` go on where the last call stopped; with the same rows this equals one long run to the bit.
    record : bool, default=False
        Keep the mistake list in `mistakes_`.
    device : {"cpu", "gpu", "auto"}, default="cpu"
        Where the run is computed. "auto" takes the GPU only where its bits are those of the CPU.
    n_jobs : int or None, default=None
        Threads; None: as many as there are processors. No part of the result.
    verbose : int, default=0
        Print the memory that is taken, and a line per pass.

    Attributes
    ----------
    support_ : array of row numbers
        The rows that were updated on, in the order of their first update; -1 for rows of an earlier `partial_fit`.
    dual_coef_ : array of shape (1, support) for two classes, (K, support) for more
        What the updates on each support row count together.
    gamma_ : float
        The γ that was used.
    classes_, n_iter_, n_updates_, n_mistakes_, separated_, stopped_, cycle_, radius_, margin_bracket_, mistakes_
        As those of `Perceptron`; radius and margin are in feature space.
    device_ : {"cpu", "gpu"}
        Where the run was computed.
    run_ : KernelRun
        The run itself.

    Examples
    --------
    >>> from rosenblatt import KernelPerceptron
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "yes", "yes", "no"]
    >>> model = KernelPerceptron(kernel="poly", degree=2, gamma=1, shuffle=False).fit(X, y)
    >>> model.stopped_, model.n_mistakes_, model.predict(X)
    ('separated', 21, array(['no', 'yes', 'yes', 'no'], dtype='<U3'))
    """

    def __init__(
        self,
        kernel: str = "rbf",
        degree: int = 3,
        gamma: float | str = "scale",
        coef0: float = 1.0,
        weights: str = "averaged",
        margin: float = 0.0,
        ties: str = "mistake",
        max_iter: int = 30,
        tol: float | None = None,
        shuffle: bool = True,
        random_state: Any = None,
        class_weight: Any = None,
        warm_start: bool = False,
        record: bool = False,
        device: str = "cpu",
        n_jobs: int | None = None,
        verbose: int = 0,
    ):
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.weights = weights
        self.margin = margin
        self.ties = ties
        self.max_iter = max_iter
        self.tol = tol
        self.shuffle = shuffle
        self.random_state = random_state
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.record = record
        self.device = device
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learns from rows X with labels y, and returns itself.

        Raises ValueError, and keeps its former state, if anything given cannot be used.
        """
        return self._fit(X, y, sample_weight, True)

    def decision_function(self, X: Any) -> np.ndarray:
        """The score of each row for the second class, or with more than two classes for each class.

        Where all states of the run vote it is the share of votes: for less against with two classes, for each class
        with more.
        """
        self = held(self)
        if not hasattr(self, "run_"):
            check_is_fitted(self)
        rows = read_rows(self, X, bias=0.0)
        if self.run_.variant.votes:
            return self.run_.ballot.votes(self._support, rows)
        return self._support.scores(rows, self.dual_coef_)

    def explain(self, x: Any) -> Explanation:
        """What each support row adds to the score of one row: its kernel with the row, times what its updates count.

        The parts sum to the score, in the order of `support_`. Their names are numbers of training rows and classes.
        """
        self = held(self)
        rows = self._one_row(x)
        scores = self._support.scores(rows, self.dual_coef_)
        predicted = self.classes_[Decision(self.run_.settings.ties).decide(scores)[0]]
        truth = self.run_.classes_of_support
        names = [
            f"row {number} ({self.classes_[c]})" if number >= 0 else f"an earlier row ({self.classes_[c]})"
            for number, c in zip(self.support_.tolist(), truth.tolist(), strict=True)
        ]
        return explain_support(self._support, self.dual_coef_, rows, names, list(self.classes_), predicted)

    def prune(self, X: Any, y: Any) -> Self:
        """Drops the support rows that count least, as many as leave the accuracy on these rows as high as it is.

        Give rows that were not learned from. `dual_coef_` and `support_` get shorter; a further `fit` begins anew.
        """
        with all_at_once(self) as new:
            check_is_fitted(new)
            if new.run_.variant.votes:
                raise SettingError("votes follow from every update, so none can be dropped; use weights='averaged'.")
            rows = read_rows(new, X, bias=0.0)
            truth = numbers_in(new.classes_, labels_for(y, n_rows(rows)))
            kept = prune(new._support, new.dual_coef_, rows, truth, Decision(new.run_.settings.ties))
            new._support = new._support.only(kept)
            new.support_, new.dual_coef_ = new.support_[kept], np.ascontiguousarray(new.dual_coef_[:, kept])
            new.run_ = replace(new.run_, kept=kept)
        return self

    def _start(self, problem: Problem, before: Any, whole: bool = False) -> bool:
        """Whether all rows are there, so that it can be told how they resemble each other."""
        check_differing(problem)
        return whole

    def _learn(
        self, problem: Problem, settings: Settings, before: Any, start: Any = None, task: FitTask | None = None
    ) -> None:
        def kernel(squares: np.ndarray) -> Kernel:
            return make_kernel(self.kernel, self.degree, self.gamma, self.coef0, problem.rows, squares)

        told = print if self.verbose else None
        self._take(
            learn_kernel(problem, settings, kernel, before, self._teller(problem, task), told, self.device), problem
        )
        if start:
            self._warn_alone(problem)

    def _take(self, run: KernelRun, problem: Problem) -> None:
        self._tell_of(run)
        self._support: Support = run.support(span(problem.rows, 0, 0))
        self.support_, self.dual_coef_ = run.numbers, run.dual(run.settings.weights)
        self.gamma_, self.device_ = run.kernel.gamma, run.device

    def _settings(self, before: Any) -> Settings:
        check_kernel(self.kernel, self.degree, self.gamma, self.coef0)
        if not isinstance(self.device, str) or self.device not in DEVICES:
            raise SettingError(f"device must be one of 'cpu', 'gpu', 'auto'; got {self.device!r}.")
        settings = Settings(
            weights=self.weights,
            margin=self.margin,
            ties=self.ties,
            max_iter=self.max_iter,
            tol=self.tol,
            shuffle=bool(self.shuffle),
            seed=self._seed(before),
            n_jobs=self.n_jobs,
            record=bool(self.record),
        )
        check_settings(settings)
        return settings

    def _warn_alone(self, problem: Problem) -> None:
        """Warns where every row became a support row and resembles none of the others."""
        name = "degree" if self.kernel == "cosine" else "gamma"
        told = told_alone(self._support, len(problem.visited), f"{name}={getattr(self, name)}")
        if told and len(self.support_) == len(problem.visited):
            warnings.warn(told, UserWarning, stacklevel=3)

    def _teller(self, problem: Problem, task: FitTask | None) -> Callable[[KernelRun, Passes], None] | None:
        """What prints a line for each pass, and tells the callbacks."""

        def tell(run: KernelRun, passes: Passes) -> None:
            if self.verbose:
                updates, mistakes = run.per_pass[-1]
                print(
                    f"pass {run.passes}: {updates} updates, {mistakes} of them mistakes, {run.updates} updates so far "
                    f"on {passes.support_count} rows"
                )
            self._heard(run, task, partial(self._so_far, run, passes, problem))

        return tell if self.verbose or task is not None else None

    def _so_far(self, run: KernelRun, passes: Passes, problem: Problem) -> dict[str, Any]:
        """The attributes of a kernel perceptron whose run ends with this pass."""
        now, ended = copy(self), replace(run)
        passes.hand_back(ended)
        now._take(ended, problem)
        return dict(vars(now))
