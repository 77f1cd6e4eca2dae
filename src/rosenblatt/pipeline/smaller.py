"""`size`: a choice with as many features as a file of so many bytes holds, and what that costs on validation rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from rosenblatt.data.memory import parse_size
from rosenblatt.learn.calibration import LEVELS
from rosenblatt.model import Model, pruned
from rosenblatt.model.card import PrunedFacts
from rosenblatt.pipeline.choices import Choices
from rosenblatt.pipeline.family import Candidate, Final, Parts
from rosenblatt.pipeline.final import fit
from rosenblatt.pipeline.progress import silent
from rosenblatt.pipeline.runs import Conduct
from rosenblatt.store import to_bytes

LATER, LATER_CLASS, LATER_SEED, LATER_FOLD = (
    2_500,
    250,
    40,
    200,
)  # bytes that a card takes on after this, in all and for each of them


def file_size(model: Model, more: int = 0) -> int:
    """The bytes of its file, and more that will come to it."""
    return len(to_bytes(model)) + more


def later_bytes(model: Model, choices: Choices) -> int:
    """What test result and probabilities will take, at most."""
    classes = sum(LATER_CLASS + 4 * len(LEVELS) + 3 * len(name.encode()) for name in model.classes.names)
    return LATER + classes + LATER_SEED * choices.seeds + LATER_FOLD * (choices.cv or 0)


def fewer_features(
    model: Model, chosen: Candidate, choices: Choices, later: int, again: Callable[[Candidate], Final]
) -> tuple[Candidate, Final] | None:
    """The choice with as many features as the file may have, fitted with these; None where all of them fit.

    later    bytes that the file will take on; again    fits a candidate to the rows of the model
    """
    if choices.size is None:
        return None
    size, more = parse_size(choices.size, "size"), later
    while True:
        smaller = pruned(model, size, partial(file_size, more=more))
        if smaller is model:
            return None
        fewer = replace(chosen, features=smaller.plan.width)
        final = again(fewer)
        over = file_size(replace(model, plan=final.plan, learner=final.learner)) + later - size
        if over <= 0:
            return fewer, final
        more += over  # its card and its numbers are other ones than those that were measured


def pruned_facts(
    model: Model, fewer: Candidate, final: Final, parts: Parts, choices: Choices, conduct: Conduct
) -> PrunedFacts:
    """What a card says of it: fits to the training rows alone, with all features and with fewer, are compared."""
    quiet, shares = replace(conduct, watch=silent), list[float]()
    for each in (replace(fewer, features=None), fewer):
        early = fit(each, parts.train, parts.truth, parts.n_classes, choices.seed, quiet)
        scores = early.learner.scores(early.learner.rows(early.plan, parts.validation))
        shares.append(float(np.mean(fewer.decision.decide(scores) == parts.wanted)))
    return {
        "size": parse_size(choices.size, "size"),
        "features": final.plan.width,
        "before": model.plan.width,
        "validation": shares,
    }
