"""What each column of an X is to naive Bayes: presence, word counts, a list of values, or bins of numbers.

How `features="auto"` decides, column by column, from the values that are not missing:

    nothing but 0, 1, True, False (or nothing at all)             binary
    strings, dates, pandas categories, anything not a number      categorical
    whole numbers, at most 32 different ones                      categorical
    any other numbers                                             bins: at most 10, cut at quantiles

A sparse matrix is one thing: binary if it stores nothing but 1, otherwise counts (which must not be negative).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rosenblatt.data.door import Frame
from rosenblatt.data.door_columns import Coded
from rosenblatt.data.listed import BITS, LARGEST, Listed, check_counts, only_bits, order_of
from rosenblatt.errors import DataError, SettingError
from rosenblatt.features.bins import bins_of, distinct

ASKED = ("auto", "binary", "categorical", "counts", "bins")


def wanted_kinds(features: Any, frame: Frame) -> Any:
    """The kind asked for: a name of ASKED or cuts, in a list with one for each column unless it is a name for all."""
    if isinstance(features, str):
        return _checked(features, "every column")
    if isinstance(features, Mapping):
        kinds: list[Any] = ["auto"] * frame.n_columns
        places = {name: j for j, name in enumerate(frame.names or ())}
        for key, kind in features.items():
            kinds[_place(key, places, frame.n_columns)] = kind
    elif isinstance(features, Sequence | np.ndarray):
        kinds = list(features)
        if len(kinds) != frame.n_columns:
            raise SettingError(
                f"features lists {len(kinds)} kinds but the table has {frame.n_columns} columns. "
                "List one kind per column, or give a mapping from columns to kinds."
            )
    else:
        raise SettingError(f"features must be a kind, a mapping or a list of kinds; got {features!r}.")
    return [_checked(kind, frame.label(j)) for j, kind in enumerate(kinds)]


def _place(key: Any, places: Mapping[Any, int], n_columns: int) -> int:
    if key in places:
        return places[key]
    if isinstance(key, int | np.integer) and 0 <= key < n_columns:
        return int(key)
    raise SettingError(f"features names column {key!r}, which the table does not have. Name one of its columns.")


def _checked(kind: Any, where: str) -> Any:
    if isinstance(kind, str) and kind in ASKED:
        return kind
    if isinstance(kind, Sequence | np.ndarray) and not isinstance(kind, str):
        cuts = np.asarray(kind, dtype=float)
        if cuts.ndim == 1 and np.isfinite(cuts).all() and (np.diff(cuts) > 0).all():
            return tuple(cuts.tolist())
        raise SettingError(f"features for {where}: cuts must be finite and increase; got {kind!r}.")
    raise SettingError(f"features for {where}: unknown kind {kind!r}. Kinds are {', '.join(ASKED)}, or a list of cuts.")


def decide(frame: Frame, kinds: Any, weights: np.ndarray | None = None) -> Any:
    """What each column is, as BITS, "binary", "counts" or Listed: a list, or the one name that all have.

    kinds    as `wanted_kinds` gives them, or BITS: binary, and categorical where there is a third value
    """
    numbers: Any = frame.dense if frame.sparse is None else frame.sparse.data
    asked = {kinds} if isinstance(kinds, str) else set(kinds)
    if numbers is not None and asked <= {"auto", BITS} and only_bits(numbers):
        return BITS
    if frame.sparse is not None and "auto" in asked:
        whole = BITS if only_bits(numbers) else "counts"
        asked = asked - {"auto"} | {whole}
        kinds = whole if isinstance(kinds, str) else [whole if kind == "auto" else kind for kind in kinds]
    one = numbers is not None and asked in ({"binary"}, {"counts"})
    if one and (not numbers.size or (numbers.min() >= 0 and numbers.max() <= LARGEST)):  # false for NaN
        return asked.pop()
    kinds = [kinds] * frame.n_columns if isinstance(kinds, str) else kinds
    if frame.sparse is None:
        return [_decide_column(frame.column(j), j, kind, frame.label(j), weights) for j, kind in enumerate(kinds)]
    kinds = _sparse_kinds(frame, kinds)
    settled = (BITS, "binary", "counts")
    return [
        kind if kind in settled else _decide_column(frame.column(j), j, kind, frame.label(j), weights)
        for j, kind in enumerate(kinds)
    ]


def _sparse_kinds(frame: Frame, kinds: Sequence[Any]) -> list[Any]:
    """Kinds for a sparse matrix, so that only columns which are to be listed are looked at one by one."""
    data, columns = frame.sparse.data, frame.sparse.indices
    names = ("counts", "binary", BITS)
    counts, presence, bits = (np.array([kind == name for kind in kinds])[columns] for name in names)
    wrong = np.flatnonzero(((counts | presence) & (data < 0)) | (counts & (data > LARGEST)))
    if len(wrong):
        column = columns[wrong[0]]
        raise DataError(
            f"{frame.label(column)} of the sparse matrix holds {data[wrong[0]]:g}, which is no "
            f"{'count' if kinds[column] == 'counts' else 'presence'}. Name it 'categorical' in features."
        )
    third = set(columns[bits & (data != 0) & (data != 1) & (data == data)].tolist())
    return ["categorical" if j in third else kind for j, kind in enumerate(kinds)]


def _decide_column(column: np.ndarray | Coded, j: int, kind: Any, where: str, weights: np.ndarray | None) -> Any:
    """One column as BITS, "binary", "counts" or Listed."""
    if isinstance(column, Coded):
        if kind in ("counts", "bins") or isinstance(kind, tuple):
            asked = "counts" if kind == "counts" else "bins"
            raise DataError(
                f"{where} is to be {asked} but holds {_values(column)[0]!r}, not a number. Name it 'categorical'."
            )
        return Listed(j, _values(column))
    if kind in ("counts", "binary"):
        check_counts(column, where)
        return kind
    if isinstance(kind, tuple):
        return Listed(j, cuts=kind)
    if kind in ("auto", BITS) and only_bits(column):
        return BITS
    numbers, amounts = distinct(column, weights)
    if not len(numbers) and kind == "bins":
        return BITS
    return Listed(j, *bins_of(numbers, amounts, "categorical" if kind == BITS else kind))


def _values(column: Coded) -> tuple[Any, ...]:
    """The different values of a column that has some, in order."""
    seen = np.unique(column.codes[column.codes >= 0])
    return tuple(sorted((column.values[code] for code in seen), key=order_of))
