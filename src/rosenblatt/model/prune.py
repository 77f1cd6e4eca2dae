"""Fewer features: a model without those that matter least, as many as have to go so that it fits into a size.

A word that is left out leaves the dictionary with its weight and its rarity, so that the model is one that never saw
it: predictions, explanations and exports follow from what is left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from rosenblatt.data.memory import show_size
from rosenblatt.errors import SettingError
from rosenblatt.features import Plan
from rosenblatt.model.learner import Learner
from rosenblatt.model.trained import Model

CLOSE = 0.998  # of the size: nearer to it no further word is looked for
STEPS = 12  # of looking by proportion; then by halves


def pruned(model: Model, size: int, size_of: Callable[[Model], int]) -> Model:
    """The model with the heaviest of its features, as many as fit into so many bytes; itself where it fits as it is.

    size_of    the bytes that a model takes: of its file, or of whatever it is exported to

    Features that are no words, tags, names or sparse columns stay. What was proved of the run that made the weights
    does not hold of fewer of them, and neither does a guarantee of sets.
    """
    whole = size_of(model)
    if whole <= size:
        return model
    order, least = by_weight(model.plan, model.learner)

    def with_features(count: int) -> Model:
        return _narrowed(model, kept_of(order, count))

    low, high, found = least, model.plan.width, with_features(least)
    small = size_of(found)
    if small > size:
        raise SettingError(
            f"size is {show_size(size)}, but without any word that can be left out the model still takes "
            f"{show_size(small)}. Ask for more."
        )
    step = 0
    while high - low > 1 and small < CLOSE * size:
        share = (size * (1 + CLOSE) / 2 - small) / (whole - small) if step < STEPS else 0.5
        middle = low + min(max(int((high - low) * share), 1), high - low - 1)
        made = with_features(middle)
        bytes_of, step = size_of(made), step + 1
        if bytes_of <= size:
            low, small, found = middle, bytes_of, made
        else:
            high, whole = middle, bytes_of
    return found


def by_weight(plan: Plan, learner: Learner) -> tuple[np.ndarray, int]:
    """The features in the order in which they are kept, and how many of them at least.

    First those that cannot be left out, and the heaviest of each column, without which it would not be read.
    """
    learner.summed(plan, "size")
    matter, optional = learner.matter(plan), plan.optional
    matter = np.where(optional, matter, np.inf)
    for own in plan.places():
        if optional[own].any() and optional[own].all():
            matter[own.start + int(matter[own].argmax())] = np.inf
    return np.argsort(-matter, kind="stable"), int(np.isinf(matter).sum())


def kept_of(order: np.ndarray, count: int) -> np.ndarray:
    """Which features stay, where so many do."""
    kept = np.zeros(len(order), bool)
    kept[order[:count]] = True
    return kept


def _narrowed(model: Model, kept: np.ndarray) -> Model:
    plan = model.plan.narrowed(kept)
    decision, calibration = model.decision, model.decision.calibration
    if calibration is not None and calibration.ranks is not None:
        ranks = replace(calibration.ranks, held_out=False)
        decision = replace(decision, calibration=replace(calibration, ranks=ranks))
    before = model.card.get("narrowed", model.plan.width)
    told = {"narrowed": before, "features": plan.width, "plan": str(plan).splitlines(), "margin": None, "proof": None}
    return replace(
        model,
        plan=plan,
        learner=model.learner.narrowed(kept),
        record=None,
        decision=decision,
        card={**model.card, **told},  # type: ignore[typeddict-item]
    )
