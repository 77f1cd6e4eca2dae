"""Forgetting: rows taken out of naive Bayes' counts, to the bit as if it had never counted them, with a receipt."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np

from rosenblatt.data.listed import Listed
from rosenblatt.data.table import Table, some
from rosenblatt.errors import DataError, SettingError
from rosenblatt.features import Plan
from rosenblatt.features.category import Category
from rosenblatt.features.contents import Contents
from rosenblatt.learn.counts import Counts
from rosenblatt.model import Bayes, Model, Seen
from rosenblatt.model.bayes import count_matrix
from rosenblatt.model.card import Receipt
from rosenblatt.model.columns import count_columns
from rosenblatt.pipeline.card import with_receipt

KEPT = ("plan", "choice", "threshold", "probabilities", "test result")  # what stays as it was found with the rows
NAMED = 100  # copies that a receipt names; of more it tells how many there are


def forget(model: Model, rows: Table, data: Table | None = None) -> Model:
    """The model without these rows, which it was trained on; its card has a receipt, which `check_receipt` verifies.

    data    the rows that the model was trained on. Counts with fractions are counted again from them; of whole counts
            the rows are subtracted, and the data shows that they were counted with these labels, and which copies stay

    Words, tags and names that only the forgotten rows had are removed. SettingError for a model that cannot forget.
    """
    learner, truth = _that_counts(model), model.classes.encode(rows)
    contents = Contents.of_plan(rows, model.plan)
    _refuse_strangers(model, rows, contents)
    if data is None:
        counts, copies = _subtracted(model, learner, rows, truth), None
    else:
        counts, copies = _counted_again(model, learner, data, contents.hashes, truth, rows)
    _refuse_emptied(model, rows, counts)
    plan, learner, removed = _without_unused(model.plan, replace(learner, counts=counts))
    names = model.classes.names
    receipt: Receipt = {
        "source": rows.origin.source,
        "rows": rows.n_rows,
        "classes": {names[code]: int(count) for code, count in enumerate(np.bincount(truth)) if count},
        "forgotten": [[f"{hash:016x}", names[code]] for hash, code in zip(contents.hashes, truth, strict=True)],
        "removed": removed,
        "copies": None if copies is None else len(copies),
        "copies_at": [] if copies is None or data is None else [data.origin.of(row) for row in copies[:NAMED]],
        "kept": list(KEPT),
    }
    still = np.zeros(0, np.uint64) if copies is None or data is None else _hashes(data, model)[copies]
    return replace(
        model,
        plan=plan,
        learner=learner,
        seen=_still_seen(model.seen, contents.hashes, still),
        card=with_receipt(model.card, plan, receipt),
    )


def check_receipt(model: Model, data: Table) -> int:
    """How many rows of the data the model has counted; DataError unless these, and no forgotten one, are its counts.

    data    the rows that it was trained on, with or without those that were forgotten
    """
    learner, forgotten = _that_counts(model), Counter[tuple[str, str]]()
    for receipt in model.card.get("forgotten", []):
        forgotten.update((hash, name) for hash, name in receipt["forgotten"])
    if not forgotten:
        raise DataError("naive Bayes counts, so there is no run to check, and it has forgotten no rows.")
    hashes, truth = _hashes(data, model), model.classes.encode(data)
    gone = np.array([int(hash, 16) for hash, _ in forgotten], np.uint64)
    known = np.flatnonzero(np.isin(hashes, np.union1d(_whole(model), gone)))
    pairs = [(f"{hashes[row]:016x}", model.classes.names[truth[row]]) for row in known.tolist()]
    left = []
    for row, pair in zip(known.tolist(), pairs, strict=True):
        forgotten[pair] -= 1
        if forgotten[pair] < 0:
            left.append(row)
    # Data from which the rows were deleted holds the copies that stay, and these alone.
    for rows in (np.array(left, np.int64), known):
        if len(rows) and _same(_count(model, learner, data.take(rows), truth[rows]), learner.counts):
            return _refuse_unused(model, learner, len(rows))
    raise DataError(
        f"{data.origin.source}: the counts of the model are not those of the rows that remain. Give the data that it "
        "was trained on."
    )


def _that_counts(model: Model) -> Bayes:
    if not isinstance(model.learner, Bayes):
        raise SettingError(
            "only naive Bayes can forget rows: its counts are sums. The updates of a perceptron depend on all that "
            "came before, so no subtraction gives the weights of a run without a row. Train again without it."
        )
    return model.learner


def _hashes(table: Table, model: Model) -> np.ndarray:
    return Contents.of_plan(table, model.plan).hashes


def _whole(model: Model) -> np.ndarray:
    """The hashes of all training rows; SettingError where the model does not have them all."""
    if model.seen is None or not model.seen.whole:
        raise SettingError(
            "the model does not keep the hashes of all its training rows, so nobody can tell which rows of the data "
            "these were. Forget without the data, or train again without the rows."
        )
    return model.seen.hashes


def _refuse_strangers(model: Model, rows: Table, contents: Contents) -> None:
    """DataError for a row that the model was never trained on, as far as its hashes tell."""
    if not rows.n_rows:
        raise DataError(f"{rows.origin.source}: there are no rows to forget. Give those that are to be forgotten.")
    if model.seen is None:
        return
    sampled = np.ones(rows.n_rows, bool) if model.seen.whole else contents.hashes <= model.seen.hashes[-1]
    strange = np.flatnonzero(sampled & ~np.isin(contents.hashes, model.seen.hashes))
    if len(strange):
        raise _never(rows, strange)


def _never(rows: Table, strange: np.ndarray, how: str = "") -> DataError:
    more = f" (nor {len(strange) - 1:,} more)" if len(strange) > 1 else ""
    return DataError(
        f"{rows.origin.of(int(strange[0]))}: the model was never trained on this row{how}{more}, so it cannot forget "
        "it. Give rows of its training as they stood there."
    )


def _count(model: Model, learner: Bayes, table: Table, truth: np.ndarray) -> Counts:
    """The counts of these rows over the cells of the model."""
    n_classes, schema = len(model.classes.names), learner.counts.schema
    if learner.on == "columns":
        return count_columns(model.plan, table, truth, n_classes, schema)
    found = count_matrix(model.plan.encode(table).rows, truth, n_classes, bool(len(schema.counted)))
    return Counts(schema, found.classes, found.rows, found.cells)


def _same(one: Counts, other: Counts) -> bool:
    pairs = ((one.rows, other.rows), (one.cells, other.cells), (_gone(one), _gone(other)))
    return all(np.array_equal(a, b) for a, b in pairs)


def _gone(counts: Counts) -> np.ndarray:
    return np.zeros((len(counts.schema.binary), len(counts.rows)), np.int64) if counts.gone is None else counts.gone


def _subtracted(model: Model, learner: Bayes, rows: Table, truth: np.ndarray) -> Counts:
    """The counts less those of the rows; DataError where there is less than nothing left of any."""
    old, less = learner.counts, _count(model, learner, rows, truth)
    if old.cells.dtype.kind == "f" or less.cells.dtype.kind == "f":
        raise SettingError(
            "the model counts in fractions (words are weighed), which cannot be subtracted to the bit. Name the data "
            "that it was trained on after the model, and the rows that remain are counted again."
        )
    cells, gone = old.cells - less.cells, _gone(old) - _gone(less)
    per_class = old.rows - less.rows
    if min(cells.min(initial=0), gone.min(initial=0), per_class.min(initial=0)) < 0:
        raise DataError(
            f"{rows.origin.source}: the model has counted fewer such rows than are to be forgotten, or with other "
            "labels. Give rows of its training as they stood there, each as often as it is to be forgotten."
        )
    return Counts(old.schema, old.classes, per_class, cells, gone if gone.any() else None)


def _counted_again(
    model: Model, learner: Bayes, data: Table, hashes: np.ndarray, truth: np.ndarray, rows: Table
) -> tuple[Counts, np.ndarray]:
    """The counts of the training rows that remain, and which of these hold what a forgotten one holds."""
    own, labels = _hashes(data, model), model.classes.encode(data)
    part = np.flatnonzero(np.isin(own, _whole(model)))
    if not _same(_count(model, learner, data.take(part), labels[part]), learner.counts):
        raise DataError(
            f"{data.origin.source}: the model's counts are not those of these rows. Give all the data that it was "
            "trained on, that of later updates too."
        )
    wanted = Counter(zip(hashes.tolist(), truth.tolist(), strict=True))
    left = []
    for row in part.tolist():
        pair = int(own[row]), int(labels[row])
        wanted[pair] -= 1
        if wanted[pair] < 0:
            left.append(row)
    missing = [row for row, pair in enumerate(zip(hashes.tolist(), truth.tolist(), strict=True)) if wanted[pair] > 0]
    if missing:
        raise _never(rows, np.array(missing), " with this label, or not so often")
    remain = np.array(left, np.int64)
    return _count(model, learner, data.take(remain), labels[remain]), remain[np.isin(own[remain], hashes)]


def _refuse_emptied(model: Model, rows: Table, counts: Counts) -> None:
    empty = [name for name, count in zip(model.classes.names, counts.rows, strict=True) if not count]
    if empty:
        raise DataError(
            f"{rows.origin.source}: these are all rows of class {some(empty, 5)} that the model was trained on. Train "
            "again without the class."
        )


def _still_seen(seen: Seen | None, hashes: np.ndarray, still: np.ndarray) -> Seen | None:
    """The hashes without those of forgotten rows of which no copy stays."""
    if seen is None:
        return None
    gone = np.setdiff1d(hashes, still)
    kept = seen.hashes[~np.isin(seen.hashes, gone)]
    return Seen(kept, seen.whole) if len(kept) else None


def _without_unused(plan: Plan, learner: Bayes) -> tuple[Plan, Bayes, int]:
    """Plan and counts without the words, tags and names that no row has any more; and how many these are."""
    used = np.asarray(learner.counts.cells.any(axis=1))
    if learner.on == "columns":
        return _fewer_values(plan, learner, used)
    kept = used | ~plan.optional
    for own in plan.places():
        kept[own] |= not kept[own].any()  # a column that is read keeps its words, where only forgotten rows had any
    return plan.narrowed(kept), learner.narrowed(kept), int((~kept).sum())


def _fewer_values(plan: Plan, learner: Bayes, used: np.ndarray) -> tuple[Plan, Bayes, int]:
    """The same where columns are counted: values of a listed column that no row has any more are no longer listed."""
    old, schema = learner.counts, learner.counts.schema
    mask, listed = np.ones(len(used), bool), []
    fewer: dict[str, tuple[Any, ...]] = {}
    for column, start in zip(schema.listed, schema.starts(), strict=True):
        stays = used[start : start + column.size]
        if column.cuts is not None or stays.all() or not stays.any():
            listed.append(column)
            continue
        mask[start : start + column.size] = stays
        values = tuple(value for value, kept in zip(column.values, stays, strict=True) if kept)
        listed.append(Listed(column.column, values))
        fewer[schema.label(column.column)] = values
    lines = [
        replace(line, values=tuple(value for value in line.values if value in fewer[line.column]))
        if isinstance(line, Category) and line.column in fewer
        else line
        for line in plan.lines
    ]
    cells = np.ascontiguousarray(old.cells[mask])
    counts = Counts(replace(schema, listed=tuple(listed)), old.classes, old.rows, cells, old.gone)
    return replace(plan, lines=tuple(lines)), replace(learner, counts=counts), int((~mask).sum())


def _refuse_unused(model: Model, learner: Bayes, rows: int) -> int:
    """The number of rows; DataError where a word, a tag or a name is left that none of them has."""
    *_, unused = _without_unused(model.plan, learner)
    if unused:
        raise DataError(
            f"the model still knows {unused:,} words or names that none of its rows has. Forget them again."
        )
    return rows
