"""A trained model as the scikit-learn estimator it would have been: for rows that are encoded already."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from rosenblatt.errors import SettingError
from rosenblatt.estimators.naive_bayes import NaiveBayes
from rosenblatt.estimators.perceptron import Perceptron
from rosenblatt.model import Bayes, Linear, Model


def estimator(model: Model) -> Perceptron | NaiveBayes:
    """The fitted Perceptron or NaiveBayes over the model's features; `model.plan.encode` makes rows for it.

    Classes are the names that the model predicts, sorted as scikit-learn wants them. A threshold is part of the
    intercept; for naive Bayes there is no such place, so a model with one is refused.
    """
    model.learner.of_features(model.plan, "estimator")
    if not math.isfinite(model.decision.threshold):
        raise SettingError("a model with an infinite threshold predicts one class only and has no estimator.")
    return MAKERS[model.learner.kind](model.learner, model)


def _naive_bayes(learner: Bayes, model: Model) -> NaiveBayes:
    if model.decision.threshold:
        raise SettingError("a naive Bayes model with a threshold of its own has no estimator. Train it without one.")
    found = NaiveBayes(k=learner.k, priors=learner.priors)
    counts, order = learner.counts, np.argsort(model.classes.names)
    counts = replace(
        counts,
        classes=np.array(model.classes.names)[order],
        rows=counts.rows[order],
        stored=np.ascontiguousarray(counts.stored[:, order]),
        gone=None if counts.gone is None else np.ascontiguousarray(counts.gone[:, order]),
    )
    if counts.schema.names is None:
        counts = replace(counts, schema=replace(counts.schema, names=tuple(model.plan.names)))
    return found._keep(counts, learner.on)


def _perceptron(learner: Linear, model: Model) -> Perceptron:
    weights, ties = learner.weights.copy(), model.decision.ties
    order = np.argsort(model.classes.names)
    if weights.ndim == 2:
        weights = weights[order]
    else:
        if model.decision.threshold:
            weights[-1] -= model.decision.threshold
        if order[0]:  # the positive class is the second of the model and the first here: a tie must stay where it was
            weights, ties = -weights, "negative" if model.decision.last else "positive"
    choice, proof = model.card["choice"], model.card.get("proof")
    margin, passes = choice.get("threshold", 0.0), choice.get("passes", 1)
    names = np.array(model.classes.names)[order]
    found = Perceptron.from_weights(
        weights[..., :-1],
        weights[..., -1],
        names,
        margin=margin,
        ties=ties,
        **{name: choice[name] for name in ("rule", "C") if name in choice},
        max_iter=max(1, int(passes)),
        shuffle=True,
        random_state=0,
    )
    # The weights are what counts; the run says what its card says, and goes on from them.
    if proof is not None:
        run = replace(
            found.run_,
            passes=proof["passes"],
            updates=proof.get("updates", 0),  # files of other programs may leave it out
            mistakes=proof["mistakes"],
            stopped=proof.get("stopped", ""),
        )
        found._take(run)
    return found


MAKERS: dict[str, Callable[[Any, Model], Perceptron | NaiveBayes]] = {
    Linear.kind: _perceptron,
    Bayes.kind: _naive_bayes,
}
