"""How the chosen model does on the rows it learned from and on those it was chosen by, for each pass or for each k.

It is learned from the training rows alone, as in the search, so the validation rows are new to it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rosenblatt.learn.losses import Losses, losses_of
from rosenblatt.learn.run import Run
from rosenblatt.model import Curve
from rosenblatt.model.bayes import as_cells, count_matrix
from rosenblatt.model.columns import column_cells, count_columns
from rosenblatt.pipeline.choices import STRENGTHS, Choices
from rosenblatt.pipeline.progress import silent
from rosenblatt.pipeline.runs import Conduct, problem_of, run_settings, run_watched
from rosenblatt.pipeline.search import Candidate, Parts, accuracies, scores_now, weights_now
from rosenblatt.pipeline.ways import Encoded, encode


def find_curve(chosen: Candidate, parts: Parts, choices: Choices, conduct: Conduct) -> Curve:
    """The curve of the chosen candidate."""
    encoded = encode(chosen.way, parts.train, parts.validation)
    if chosen.model == "naive-bayes":
        return _over_strengths(chosen, encoded, parts)
    return _over_passes(chosen, encoded, parts, choices, conduct)


def _over_passes(chosen: Candidate, encoded: Encoded, parts: Parts, choices: Choices, conduct: Conduct) -> Curve:
    problem = problem_of(encoded.train, parts.truth, parts.n_classes, chosen.bias)
    looks = (chosen.passes, *choices.checkpoints(problem, chosen.text))
    voted = chosen.weights == "voted"
    points: list[tuple[float, float, float]] = []
    losses: list[Losses] = []

    def score(run: Run) -> None:
        if voted and run.passes not in looks and not run.stopped:  # votes take a product with each row updated on
            return
        both = scores_now(run, chosen.weights, problem, encoded.train, encoded.validation)
        truths = parts.truth, parts.wanted
        right = [np.mean(chosen.decision.decide(each) == truth) for each, truth in zip(both, truths, strict=True)]
        points.append((run.passes, float(right[0]), float(right[1])))
        if not voted:  # the losses are those of one vector
            losses.append(losses_of(problem, weights_now(run, chosen.weights, problem), chosen.ties))

    settings = run_settings(problem, chosen.margin, max(looks), choices.seed, chosen.weights, chosen.ties)
    run_watched(problem, settings, "curve", replace(conduct, watch=silent, checkpoints=None), score, [])
    return Curve("pass", points, chosen.passes, losses)


def _over_strengths(chosen: Candidate, encoded: Encoded, parts: Parts) -> Curve:
    """Every k of the search, and the chosen one."""
    if chosen.on == "columns":
        counts = count_columns(encoded.plan, parts.train, parts.truth, parts.n_classes)
        both = [column_cells(encoded.plan, table, counts.schema) for table in (parts.train, parts.validation)]
    else:
        counts = count_matrix(encoded.train, parts.truth, parts.n_classes, chosen.counted)
        both = [as_cells(rows, chosen.counted) for rows in (encoded.train, encoded.validation)]
    strengths = sorted({*STRENGTHS, chosen.k})
    found = [
        accuracies(rows, truth, counts, chosen, strengths)
        for rows, truth in zip(both, (parts.truth, parts.wanted), strict=True)
    ]
    return Curve("k", list(zip(strengths, *found, strict=True)), chosen.k)
