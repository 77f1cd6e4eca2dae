"""What a plan that comes from a file must fulfil before it is used."""

from __future__ import annotations

from typing import Any

from rosenblatt.claims import Misfit
from rosenblatt.errors import RosenblattError
from rosenblatt.features.lines import Line
from rosenblatt.features.plan import Plan


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
    if plan.units is not None and plan.units.width != plan.plain.width:
        raise Misfit("the plan has units for rows of another width")
    for line in plan.lines:
        if not isinstance(line.column, str) or not isinstance(line.reason, str) or not _flat(line) or not line.holds():
            raise Misfit(f"the plan's line for column {ascii(line.column)[:60]} holds impossible values")


def _flat(line: Line) -> bool:
    return all(getattr(line, name).ndim == 1 for name in line.arrays)
