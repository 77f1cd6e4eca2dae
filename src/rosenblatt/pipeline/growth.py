"""The learning curve: how the choice does out of fold when it is fitted to fewer rows. Would more of them help?

Everything is learned from the training rows of a fold alone, as for probabilities: the settings stay those that were
chosen, plan and weights are fitted anew. Copies and members of a group are on one side of a fold, and go together into
a part of its training rows. Where rows are parted by time folds go forward, and fewer rows are the latest of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from rosenblatt.data import cache
from rosenblatt.features.folds import folds
from rosenblatt.model import Growth
from rosenblatt.pipeline.crossfit import scores_of
from rosenblatt.pipeline.family import Candidate
from rosenblatt.pipeline.final import fit
from rosenblatt.pipeline.progress import Progress, silent
from rosenblatt.pipeline.ready import Ready
from rosenblatt.pipeline.runs import Conduct

EIGHTHS = (1, 2, 4, 8)  # of the training rows of a fold
FOLDS, FEW_FOLDS, FEW = 5, 3, 2_000  # fewer folds from so many rows on
MOST = 30_000  # rows; of more a part is looked at, so that the curve takes a bounded time
FEWEST = 8  # rows of a part of a fold that can be learned from


def grow(ready: Ready, chosen: Candidate, conduct: Conduct) -> Growth | None:
    """The share of rows right out of fold for each number of training rows; None where too few can be parted."""
    rows = _some(ready)
    parts = ready.folds(rows, FEW_FOLDS if len(rows) > FEW else FOLDS)
    quiet = replace(conduct, watch=silent, checkpoints=None)
    found: list[list[tuple[int, np.ndarray]]] = []
    for number, fold in enumerate(parts, 1):
        conduct.watch(Progress(f"learning curve, fold {number} of {len(parts)}"))
        judges, wanted = ready.table.take(rows[fold.validation]), ready.codes[rows[fold.validation]]
        sizes = []
        for some in _smaller(ready, rows[fold.train]):
            with cache.passing():
                truth, n_classes = ready.codes[some].astype(np.int32), len(ready.classes.names)
                made = fit(chosen, ready.table.take(some), truth, n_classes, ready.choices.seed, quiet)
                right = chosen.decision.decide(scores_of(made, judges)) == wanted
            sizes.append((len(some), right))
        found.append(sizes)
    fewest = min((len(sizes) for sizes in found), default=0)  # the smallest parts of some folds may lack a class
    if fewest < 2:
        return None
    found = [sizes[-fewest:] for sizes in found]
    shares = [[float(np.mean(right)) for _, right in sizes] for sizes in found]
    counts = np.mean([[size for size, _ in sizes] for sizes in found], axis=0)
    last, before = (np.concatenate([sizes[place][1] for sizes in found]).astype(np.float64) for place in (-1, -2))
    gained = last - before
    error = float(np.std(gained, ddof=1) / np.sqrt(len(gained)))
    every = len(ready.kept)
    return Growth(
        [round(float(count)) for count in counts], np.transpose(shares).tolist(), len(gained), float(gained.mean()),
        error, len(rows) if len(rows) < every else 0, ready.times is not None,
    )  # fmt: skip


def _some(ready: Ready) -> np.ndarray:
    """The rows that are looked at: all that are learned from, or a part of them; parted by time, the latest."""
    kept = ready.kept
    if len(kept) <= MOST:
        return kept
    if ready.times is not None:
        return np.sort(kept[np.argsort(ready.times[kept], kind="stable")[-MOST:]])
    dealt = ready.folds(kept, -(-len(kept) // MOST))
    return kept[dealt[0].validation] if dealt else kept[:MOST]


def _smaller(ready: Ready, rows: np.ndarray) -> Iterator[np.ndarray]:
    """Parts of the training rows of a fold, each within the next; those that lack a class are left out."""
    if ready.times is not None:
        order = np.argsort(ready.times[rows], kind="stable")
        parts = [order[len(order) - len(order) * eighths // EIGHTHS[-1] :] for eighths in EIGHTHS]
    else:
        dealt = folds(ready.codes[rows], ready.contents.take(rows).together, EIGHTHS[-1], ready.choices.seed)
        eighth = [fold.validation for fold in dealt]
        parts = [np.concatenate(eighth[:eighths]) for eighths in EIGHTHS] if dealt else []
    classes = len(ready.classes.names)
    for part in parts:
        some = np.sort(rows[part])
        if len(some) >= FEWEST and np.bincount(ready.codes[some], minlength=classes).all():
            yield some
