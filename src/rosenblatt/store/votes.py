"""The updates that voted weights are made of, as plain values and arrays, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rosenblatt.claims import Misfit, array
from rosenblatt.features import Plan
from rosenblatt.learn.votes import Chapter
from rosenblatt.loops.rows import Dense, Rows, Sparse, Words, n_rows
from rosenblatt.model import Voted
from rosenblatt.store.arrays import Tensors, narrow, only
from rosenblatt.store.records import read_rows, rows_contents

STORAGES = {"dense": Dense, "sparse": Sparse, "words": Words}
WHOLE = "uint8 uint16 uint32 uint64"
MOST = 2**53  # rows that were visited


def vote_contents(voted: Voted, tensors: Tensors) -> dict[str, Any]:
    """The plain values of voted weights; their arrays go to the tensors."""
    chapter = voted.chapter
    labels = np.zeros(n_rows(chapter.rows), np.int64)
    labels[chapter.which] = chapter.gains
    rows_contents(chapter.rows, "votes", tensors)
    tensors["votes.labels"], tensors["votes.which"] = narrow(labels), narrow(chapter.which)
    tensors["votes.survived"] = narrow(chapter.survived)
    if voted.n_classes > 2:  # of two classes the one that is punished is the other
        tensors["votes.loses"] = narrow(chapter.loses)
    if (chapter.factors != 1).any():  # those of a rule whose steps have lengths of their own
        tensors["votes.factors"] = chapter.factors
    storage = next(name for name, kind in STORAGES.items() if isinstance(chapter.rows, kind))
    return {"storage": storage, "bias": bool(chapter.rows.bias)}


def read_votes(plain: Mapping[str, Any], free: Tensors, plan: Plan, n_classes: int, ties: str) -> Voted:
    """The voted weights; DataError or Misfit where they do not fit the plan, the classes, or themselves."""
    only(plain, {"kind", "ties", "threshold", "storage", "bias"}, "the learner")
    rows = _stored(plain, free, plan.width)
    names = ["votes.labels", "votes.which", "votes.survived", *["votes.loses"] * (n_classes > 2)]
    given = {name: free.pop(name) for name in names if name in free}
    count, last = n_rows(rows), n_classes - 1
    labels = array(given, "votes.labels", WHOLE, (count,), 0, last).astype(np.int32)
    which = array(given, "votes.which", WHOLE, (None,), 0, count - 1).astype(np.int64)
    survived = array(given, "votes.survived", WHOLE, (len(which) + 1,), 0, MOST)
    if not 0 < float(survived.sum(dtype=np.float64)) < MOST:
        raise Misfit("the array votes.survived must add up to the rows that were visited")
    gains = labels[which]
    loses = 1 - gains
    if n_classes > 2:
        loses = array(given, "votes.loses", WHOLE, which.shape, 0, last).astype(np.int32)
    if (loses == gains).any():
        raise Misfit("the array votes.loses must name other classes than those of the rows")
    factors = np.ones(len(which))
    if "votes.factors" in free:
        factors = array({"votes.factors": free.pop("votes.factors")}, "votes.factors", "float64", which.shape, 0)
    start = np.zeros(plan.width + 1 if n_classes == 2 else (n_classes, plan.width + 1))
    chapter = Chapter(start, rows, which, gains, loses, factors, survived.astype(np.int64))
    return Voted(chapter, n_classes, ties)


def _stored(plain: Mapping[str, Any], free: Tensors, width: int) -> Rows:
    """The rows in the storage that they were learned in: the order of sums in a product belongs to it."""
    if plain["storage"] not in STORAGES or type(plain["bias"]) is not bool:
        raise Misfit("the learner does not say how its rows are stored")
    rows = read_rows("votes", plain["storage"] == "dense", free, width)
    if plain["storage"] == "sparse" and isinstance(rows, Words):
        values = np.repeat(rows.scales, np.diff(rows.starts).astype(np.int64))
        rows = Sparse(rows.starts, rows.columns, values, rows.n_columns, rows.bias)
    if not isinstance(rows, STORAGES[plain["storage"]]):
        raise Misfit(f"the rows that vote are not stored as {plain['storage']}")
    return rows._replace(bias=float(plain["bias"]))
