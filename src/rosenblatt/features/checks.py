"""What a plan that comes from a file must fulfil before it is used."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pyarrow.compute as pc

from rosenblatt.claims import Misfit
from rosenblatt.errors import RosenblattError
from rosenblatt.features.category import Category, Ordered
from rosenblatt.features.lines import Line
from rosenblatt.features.numeric import Numeric, Vector
from rosenblatt.features.plan import Plan
from rosenblatt.features.sparse import Numbered
from rosenblatt.features.text import Text


def read_plan(plain: Any) -> Plan:
    """The plan of these plain values; Misfit where they are none, or no plan that can have been learned."""
    try:
        plan = Plan.from_dict(plain)
        _check(plan)
    except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError) as error:
        raise error if isinstance(error, Misfit) else Misfit(f"the plan is damaged: {_said(error)}") from None
    return plan


def _said(error: Exception) -> str:
    """The words of a refusal of our own; of others the kind too, which alone may mean something."""
    return str(error).removesuffix(".") if isinstance(error, RosenblattError) else f"{type(error).__name__}: {error}"


def _check(plan: Plan) -> None:
    """Misfit at the first line whose values cannot be those of a plan that was learned."""
    columns = [line.column for line in plan.lines]
    if len(set(columns)) < len(columns):
        raise Misfit("the plan has two lines for one column")
    for line in plan.lines:
        if not isinstance(line.column, str) or not isinstance(line.reason, str) or not _holds(line):
            raise Misfit(f"the plan's line for column {ascii(line.column)[:60]} holds impossible values")


def _holds(line: Line) -> bool:
    if any(getattr(line, name).ndim != 1 for name in line.arrays):
        return False
    if isinstance(line, Numeric):
        numbers = all(_number(value) for value in (line.centre, line.spread, line.mean))
        return numbers and line.spread > 0 and isinstance(line.missing, bool)
    if isinstance(line, Vector):
        n, sizes = len(line.feature_names), (len(line.centres), len(line.spreads))
        fits = sizes in ((0, 0), (n, n)) and np.isfinite(line.centres).all() and np.isfinite(line.spreads).all()
        return bool(fits and (line.spreads > 0).all() and _names(line.feature_names))
    if isinstance(line, Ordered | Category):
        distinct = len(set(line.values)) == len(line.values)
        return _names(line.values) and distinct and isinstance(line.missing, bool)
    if isinstance(line, Text):
        size, words = len(line.rarity), line.words
        whole = words.null_count == 0 and np.isfinite(line.rarity).all() and isinstance(line.prefix, str)
        # Words are found whatever their order, but a dictionary that was learned is sorted and has none twice.
        rising = len(words) < 2 or pc.all(pc.less(words[:-1], words[1:])).as_py()
        return bool(whole and rising and size == (len(words) if line.settings.weight == "tfidf" else 0))
    if isinstance(line, Numbered):
        rising = bool((np.diff(line.columns.astype(np.int64)) > 0).all())
        n, weighed = len(line.columns), np.isfinite(line.rarity).all() and len(line.rarity) in (0, len(line.columns))
        return bool(rising and weighed and len(line.feature_names) in (0, n) and _names(line.feature_names))
    return True


def _number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def _names(values: Any) -> bool:
    return isinstance(values, tuple) and all(isinstance(value, str) for value in values)
