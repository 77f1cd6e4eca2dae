"""A trained model as the scikit-learn estimator it would have been: for rows that are encoded already."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rosenblatt.errors import SettingError
from rosenblatt.estimators.naive_bayes import NaiveBayes
from rosenblatt.estimators.perceptron import Perceptron
from rosenblatt.learn.run import Run
from rosenblatt.learn.settings import Settings
from rosenblatt.model import Linear, Model


def estimator(model: Model) -> Perceptron | NaiveBayes:
    """The fitted Perceptron or NaiveBayes over the model's features; `model.plan.encode` makes rows for it.

    Classes are the names that the model predicts. A threshold is part of the intercept; for naive Bayes there is no
    such place, so a model with one is refused.
    """
    classes, learner = np.array(model.classes.names), model.learner
    if isinstance(learner, Linear):
        return _perceptron(learner, classes, model)
    if learner.threshold:
        raise SettingError("a naive Bayes model with a threshold of its own has no estimator. Train it without one.")
    found = NaiveBayes(k=learner.k)
    counts = replace(learner.counts, classes=classes)
    if counts.schema.names is None:
        counts = replace(counts, schema=replace(counts.schema, names=tuple(model.plan.names)))
    return found._keep(counts, learner.on)


def _perceptron(learner: Linear, classes: np.ndarray, model: Model) -> Perceptron:
    weights = learner.weights.copy()
    if learner.threshold:
        weights[-1] -= learner.threshold
    margin, passes = model.card["choice"].get("threshold", 0.0), model.card["choice"].get("passes", 1)
    found = Perceptron(weights="final", margin=margin, ties=learner.ties, max_iter=max(1, int(passes)))
    proof = model.card.get("proof") or {}
    # The weights are what counts; the run says what its card says, and goes on from them.
    run = Run(
        Settings(weights="final", margin=margin, ties=learner.ties, max_iter=max(1, int(passes))),
        weights=weights,
        start=weights.astype(np.float64),
        scale=1.0,
        passes=int(proof.get("passes", 0)),
        updates=int(proof.get("updates", 0)),
        mistakes=int(proof.get("mistakes", 0)),
        stopped=str(proof.get("stopped", "")),
    )
    found.classes_ = classes
    found.n_features_in_ = model.plan.width
    found._take(run)
    return found
