"""How the chosen model does on the rows it learned from and on those it was chosen by, for each pass or for each k.

It is learned from the training rows alone, as in the search, so the validation rows are new to it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rosenblatt.learn.decide import score_rows
from rosenblatt.learn.losses import Losses, losses_of
from rosenblatt.learn.run import Run
from rosenblatt.model import Curve
from rosenblatt.model.bayes import as_cells, count_matrix
from rosenblatt.model.columns import column_cells, count_columns
from rosenblatt.pipeline.choices import STRENGTHS, Choices
from rosenblatt.pipeline.progress import silent
from rosenblatt.pipeline.runs import Conduct, problem_of, run_settings, run_watched
from rosenblatt.pipeline.search import Candidate, Parts, accuracies, weights_now
from rosenblatt.pipeline.ways import Encoded, encode


def find_curve(chosen: Candidate, parts: Parts, choices: Choices, conduct: Conduct) -> Curve:
    """The curve of the chosen candidate."""
    encoded = encode(chosen.way, parts.train, parts.validation)
    if chosen.model == "naive-bayes":
        return _over_strengths(chosen, encoded, parts)
    return _over_passes(chosen, encoded, parts, choices, conduct)


def _over_passes(chosen: Candidate, encoded: Encoded, parts: Parts, choices: Choices, conduct: Conduct) -> Curve:
    problem = problem_of(encoded.train, parts.truth, parts.n_classes, chosen.bias)
    most = max(chosen.passes, *choices.checkpoints(problem, chosen.text))
    points: list[tuple[float, float, float]] = []
    losses: list[Losses] = []

    def score(run: Run) -> None:
        weights = weights_now(run, chosen.weights, problem)
        both = ((encoded.train, parts.truth), (encoded.validation, parts.wanted))
        right = [np.mean(chosen.decision.decide(score_rows(rows, weights)) == truth) for rows, truth in both]
        points.append((run.passes, float(right[0]), float(right[1])))
        losses.append(losses_of(problem, weights, chosen.ties))

    settings = run_settings(problem, chosen.margin, most, choices.seed, chosen.weights == "pocket", chosen.ties)
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
