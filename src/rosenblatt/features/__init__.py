"""Encoding: from a Table to the rows of the loops, by a Plan that is learned on the training part alone."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt.features.labels import Classes as Classes
    from rosenblatt.features.plan import Matrix as Matrix
    from rosenblatt.features.plan import Plan as Plan
    from rosenblatt.features.plan import learn as learn
    from rosenblatt.features.plan import learn_and_encode as learn_and_encode
    from rosenblatt.features.split import Split as Split
    from rosenblatt.features.split import split_rows as split_rows
    from rosenblatt.features.textsettings import TextSettings as TextSettings
    from rosenblatt.features.wishes import Wishes as Wishes

_HOMES = {
    "Classes": "labels", "Matrix": "plan", "Plan": "plan", "Split": "split", "TextSettings": "textsettings",
    "Wishes": "wishes", "learn": "plan", "learn_and_encode": "plan", "split_rows": "split",
}  # fmt: skip
__all__ = [
    "Classes",
    "Matrix",
    "Plan",
    "Split",
    "TextSettings",
    "Wishes",
    "learn",
    "learn_and_encode",
    "split_rows",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'rosenblatt.features' has no attribute {name!r}.")
    return getattr(import_module(f"rosenblatt.features.{_HOMES[name]}"), name)
