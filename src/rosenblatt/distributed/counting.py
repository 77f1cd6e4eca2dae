"""Naive Bayes on a cluster: the counts of a fragment, and the sum of two."""

from __future__ import annotations

from rosenblatt.distributed.dealing import Dealt, Recipe, stored_as
from rosenblatt.distributed.parquet import Fragment, read_fragment
from rosenblatt.learn.columns import Schema
from rosenblatt.learn.counts import Counts
from rosenblatt.learn.merging import merge
from rosenblatt.model import columns
from rosenblatt.model.bayes import count_matrix


def count(dealt: Dealt, dense: bool | None, n_classes: int) -> Counts:
    """How often each feature goes with each class in a fragment, all of whose rows are in one piece."""
    rows = stored_as(dealt.pieces[0].rows, dense)
    return count_matrix(rows, dealt.pieces[0].truth, n_classes, False)


def count_columns(fragment: Fragment, recipe: Recipe, schema: Schema) -> Counts:
    """How often each value of each column goes with each class."""
    table = read_fragment(fragment, recipe.label, recipe.types)
    return columns.count_columns(recipe.plan, table, recipe.classes.encode(table), len(recipe.classes.names), schema)


def added(pair: list[Counts]) -> Counts:
    return pair[0] if len(pair) == 1 else merge(pair[0], pair[1])
