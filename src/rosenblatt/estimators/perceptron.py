"""`Perceptron`: the perceptron of the notes behind scikit-learn's API."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from functools import partial
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from rosenblatt.data.door_labels import numbers_in
from rosenblatt.errors import DataError, SettingError
from rosenblatt.estimators.callbacks import FitTask
from rosenblatt.estimators.given import class_names, start_weights, weights_by_class
from rosenblatt.estimators.input import held, labels_for, read_rows
from rosenblatt.estimators.online import OnlineClassifier
from rosenblatt.learn.bounds import check_scores
from rosenblatt.learn.decide import Decision, score_rows
from rosenblatt.learn.explain import Explanation, explain
from rosenblatt.learn.losses import losses_of, row_losses
from rosenblatt.learn.problem import Problem, check_finite
from rosenblatt.learn.run import Run, learn
from rosenblatt.learn.settings import Settings
from rosenblatt.learn.votes import ballots
from rosenblatt.loops.rows import n_features
from rosenblatt.proofs import Inseparable, Separable, Undecided
from rosenblatt.proofs.input import read_question
from rosenblatt.proofs.question import label_name
from rosenblatt.proofs.run import verdict_of
from rosenblatt.traces import Trace, trace
from rosenblatt.traces.replay import check_plain


class Perceptron(OnlineClassifier):
    """A linear classifier learned from its mistakes, for two classes or more.

    For each row in turn: if it is a mistake, its features are added to the weights of its true class and, with more
    than two classes, taken from those of the class that was ahead of it. The run stops after a pass without a mistake.

    Parameters
    ----------
    weights : {"final", "averaged", "voted", "pocket"}, default="averaged"
        Which weights decide: the last ones (as in the notes), their mean over all visited rows, the votes of all of
        them, or those that got most training rows right after the longest run of right rows.
    margin : float, default=0
        Also update on rows that are right by no more than this.
    ties : {"mistake", "positive", "negative"}, default="mistake"
        What a score of exactly 0 is while learning: a mistake for either class, or a prediction of the later or of
        the earlier class in sorted order.
    eta0 : float, default=1
        Learning rate. From a start at 0 it only scales the weights (and `margin` is relative to it).
    fit_intercept : bool, default=True
        Whether to learn a bias: the weight of a feature that is always 1.
    max_iter : int, default=1000
        The most passes in one call of `fit`.
    tol : float or None, default=1e-3
        Stop when the share of rows updated on per pass does not fall by more than this for `n_iter_no_change`
        passes. None: never stop for that.
    n_iter_no_change : int, default=5
        How many passes without progress end the run.
    shuffle : bool, default=True
        Visit the rows in a new order in each pass. False: in the given order, where a repetition of the weights is
        found and proved.
    random_state : int, RandomState or None, default=None
        The seed of the order; None draws one.
    early_stopping : bool, default=False
        Keep a part of the rows aside and let its share of wrong rows decide about progress.
    validation_fraction : float, default=0.1
        How large that part is.
    class_weight : dict, "balanced" or None, default=None
        Factors on the updates of each class.
    warm_start : bool, default=False
        Let `fit` go on where the last call stopped; with the same rows this equals one long run to the bit.
    record : bool, default=False
        Keep the mistake list in `mistakes_`.
    shards : int, default=1
        Learn in this many parts from the same weights and take the mean after each pass. Part of the result.
    n_jobs : int or None, default=None
        Threads over the shards. No part of the result.
    verbose : int, default=0
        Print a line per pass, with the 0/1 loss and the perceptron loss of the last weights.
    rule : {"perceptron", "pa1", "pa2", "arow"}, default="perceptron"
        What a step does. "perceptron": add the row where it is wrong. "pa1", "pa2" (passive-aggressive): where the row
        leads by less than 1, add as much of it as that takes, up to C ("pa1") or softened by it ("pa2"). "arow": the
        same with a variance for each weight, so that steps move most what is known least. The last three have a margin
        of their own: `margin`, `ties` and `eta0` keep their defaults, and there is no bound on the best margin.
    C : float, default=0.5
        How far a step of "pa1" or "pa2" may go; the r of "arow" is 1/(2C). Sample and class weights multiply it.

    Attributes
    ----------
    coef_, intercept_ : arrays of shape (1, d) and (1,) for two classes, (K, d) and (K,) for more
        The weights that decide (the final ones where all of them vote).
    classes_ : array
        The classes in sorted order.
    n_iter_, n_updates_, n_mistakes_ : int
        Passes, the clean one included; updates; updates on rows that were wrong or tied.
    separated_ : bool
        Whether the final weights got a whole pass strictly right.
    stopped_ : {"separated", "clean pass", "cycle", "no progress", "limit", "callback"}
        "clean pass": right only by the rule for ties. "callback": one of scikit-learn's callbacks asked to stop.
    radius_, margin_bracket_ : float, (float, float)
        The length of the longest signed row; bounds on the best margin of the rows visited, from the final weights.
    cycle_ : Cycle or None
        The updates that cancel exactly, which prove that the rows cannot be separated.
    run_ : Run
        The run itself, for `rosenblatt.traces.replay.Replay` and `plot_passes`.
    mistakes_ : structured array with fields step, pass, row, predicted (with record=True); "amount", "shrink" of rules
        whose steps have amounts of their own
        Steps and passes count from 1, rows from 0; predicted is the number in `classes_` of the class that was
        ahead, level, or with a margin too close.

    Examples
    --------
    >>> from rosenblatt import Perceptron
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "no", "no", "yes"]
    >>> model = Perceptron(weights="final", shuffle=False, tol=None).fit(X, y)
    >>> model.n_iter_, model.n_mistakes_, model.coef_, model.intercept_
    (9, 18, array([[3., 2.]]), array([-4.]))
    >>> model.stopped_, model.predict([[1, 1]])
    ('separated', array(['yes'], dtype='<U3'))
    """

    def __init__(
        self,
        weights: str = "averaged",
        margin: float = 0.0,
        ties: str = "mistake",
        eta0: float = 1.0,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float | None = 1e-3,
        n_iter_no_change: int = 5,
        shuffle: bool = True,
        random_state: Any = None,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        class_weight: Any = None,
        warm_start: bool = False,
        record: bool = False,
        shards: int = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
        rule: str = "perceptron",
        C: float = 0.5,
    ):
        self.weights = weights
        self.margin = margin
        self.ties = ties
        self.eta0 = eta0
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.n_iter_no_change = n_iter_no_change
        self.shuffle = shuffle
        self.random_state = random_state
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.record = record
        self.shards = shards
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.rule = rule
        self.C = C

    @classmethod
    def from_weights(cls, coef: Any, intercept: Any = None, classes: Any = None, **parameters: Any) -> Self:
        """A fitted perceptron with the weights given, in the shapes of `coef_` and `intercept_`.

        Without an intercept there is no bias. Classes are in sorted order; one line of weights speaks for the second
        of two, by default -1 and 1, and K lines for K classes, by default 0, 1, …. Other parameters are those of the
        constructor; the weights that decide are the final ones, and rows keep their order.

        Examples
        --------
        >>> model = Perceptron.from_weights([2, 2, 2], classes=["ham", "spam"])
        >>> model.predict([[4, 0, 1]]), model.decision_function([[4, 0, 1]])
        (array(['spam'], dtype='<U4'), array([10.]))
        """
        chosen: dict[str, Any] = {"weights": "final", "shuffle": False, "fit_intercept": intercept is not None}
        found = cls(**chosen | parameters)
        weights = weights_by_class(coef, intercept)
        found.classes_ = class_names(classes, 2 if weights.ndim == 1 else len(weights))
        found.n_features_in_ = weights.shape[-1] - 1
        found._take(Run(found._settings(None), weights=weights, start=weights.astype(np.float64), scale=1.0))
        return found

    def fit(self, X: Any, y: Any, coef_init: Any = None, intercept_init: Any = None, sample_weight: Any = None) -> Self:
        """Learns from rows X with labels y, from 0 or from the weights given, and returns itself.

        Raises ValueError, and keeps its former state, if anything given cannot be used.
        """
        return self._fit(X, y, sample_weight, coef_init, intercept_init)

    def decision_function(self, X: Any) -> np.ndarray:
        """The score of each row for the second class, or with more than two classes for each class.

        Where all weights vote it is the share of votes: for less against with two classes, for each class with more.
        """
        self = held(self)
        if not hasattr(self, "run_"):
            check_is_fitted(self)  # asked each time, it would take a quarter of the time of one row
        rows = read_rows(self, X, bias=self._bias)
        if self.run_.variant.votes:
            scores = ballots(rows, self.run_.own.chapters, len(self.classes_), self.run_.settings.ties)
            check_finite(rows)
            return scores
        return check_scores(rows, score_rows(rows, self._weights))

    def loss(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The perceptron loss: the mean over rows of how far the best other class is ahead of the true one, or 0.

        At weights 0 every score ties and the loss is 0, although every row counts as a mistake under
        ties="mistake": a loss of 0 does not prove that the rows are separated; `separated_` does.
        """
        self = held(self)
        scores = self.decision_function(X)
        truth = numbers_in(self.classes_, labels_for(y, len(scores)))
        return float(np.average(row_losses(scores, truth), weights=sample_weight))

    def explain(self, x: Any) -> Explanation:
        """The contribution of every feature of one row to its score; they sum to the score."""
        self = held(self)
        rows = self._one_row(x)
        names = getattr(self, "feature_names_in_", [f"x{j}" for j in range(n_features(rows))])
        scores = score_rows(rows, self._weights)
        predicted = self.classes_[Decision(self.run_.settings.ties).decide(scores)[0]]
        return explain(rows, self._weights, scores, names, list(self.classes_), predicted)

    def verdict(self, X: Any, y: Any) -> Separable | Inseparable | Undecided:
        """What the run already proves about the rows it was fitted to, checked in exact arithmetic.

        Separable if the final weights got every row strictly right, Inseparable after a cycle, otherwise Undecided
        with a bound on the margin. `rosenblatt.prove` goes on until it is one of the first two.
        """
        self = held(self)
        check_is_fitted(self)
        question = read_question(X, y, bool(self.fit_intercept))
        if [label_name(label) for label in self.classes_] != list(question.mark.classes):
            raise DataError(
                f"y holds other classes than were learned, {list(self.classes_[:9])}. Give the fitted rows."
            )
        return verdict_of(self.run_, question)

    def trace(self, X: Any, y: Any, passes: int = 1) -> Trace:
        """The steps of this perceptron from its weights over the rows X with labels y, by its own rule and order."""
        self = held(self)
        check_is_fitted(self)
        settings = self.run_.settings
        check_plain(settings.rule)
        start = np.roll(self._weights, 1, -1) if self.fit_intercept else self._weights[..., :-1]
        return trace(
            X,
            y,
            start=start,
            passes=passes,
            ties=settings.ties,
            bias=bool(self.fit_intercept),
            names=list(getattr(self, "feature_names_in_", ())),
            margin=settings.margin,
            rate=settings.eta0,
            seed=settings.seed if settings.shuffle else None,
            classes=self.classes_,
        )

    @property
    def coef_(self) -> np.ndarray:
        check_is_fitted(self)
        return np.atleast_2d(self._weights)[:, :-1]

    @property
    def intercept_(self) -> np.ndarray:
        check_is_fitted(self)
        return np.atleast_2d(self._weights)[:, -1]

    @property
    def _bias(self) -> float:
        return float(self.fit_intercept)

    def _start(self, problem: Problem, before: Any, coef: Any = None, intercept: Any = None) -> np.ndarray | None:
        if before is not None and (coef is not None or intercept is not None):
            raise SettingError("coef_init and intercept_init start a run, warm_start continues one: give one of them.")
        return start_weights(problem, coef, intercept)

    def _learn(
        self, problem: Problem, settings: Settings, before: Any, start: Any = None, task: FitTask | None = None
    ) -> None:
        self._take(learn(problem, settings, start, before, self._teller(problem, task)))

    def _settings(self, before: Any) -> Settings:
        return Settings(
            weights=self.weights,
            margin=self.margin,
            ties=self.ties,
            eta0=self.eta0,
            max_iter=self.max_iter,
            tol=self.tol,
            n_iter_no_change=self.n_iter_no_change,
            shuffle=bool(self.shuffle),
            seed=self._seed(before),
            early_stopping=bool(self.early_stopping),
            validation_fraction=self.validation_fraction,
            shards=self.shards,
            n_jobs=self.n_jobs,
            record=bool(self.record),
            rule=self.rule,
            C=self.C,
        )

    def _take(self, run: Run) -> None:
        self._tell_of(run)
        self._weights = run.weights_of(run.settings.weights)
        if self._weights.ndim == 2 and run.weights.flags.f_contiguous:
            # Sparse rows want the weights by feature. Kept by class they would be turned around at every prediction.
            self._weights = np.asfortranarray(self._weights)

    def _teller(self, problem: Problem, task: FitTask | None) -> Callable[[Run], None] | None:
        """What prints a line for each pass, with the losses of the weights after it, and tells the callbacks."""

        def tell(run: Run) -> None:
            if self.verbose:
                updates, mistakes = run.per_pass[-1]
                losses = losses_of(problem, run.weights, run.settings.ties, run.scale)
                print(
                    f"pass {run.passes}: {updates} updates, {mistakes} of them mistakes, {run.updates} updates so far; "
                    f"0/1 loss {losses.zero_one:.6g}, perceptron loss {losses.perceptron:.6g}"
                )
            self._heard(run, task, partial(self._so_far, run, problem))

        return tell if self.verbose or task is not None else None

    def _so_far(self, run: Run, problem: Problem) -> dict[str, Any] | None:
        """The attributes of a perceptron whose run ends with this pass; None where all weights vote."""
        if run.variant.votes:
            return None
        now = copy(self)
        now._tell_of(replace(run, weights=run.weights.copy()))
        now._weights = run.scaled(run.variant.weights_now(run, problem))
        return dict(vars(now))
