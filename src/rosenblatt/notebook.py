"""Results that show themselves in a cell of a notebook.

What a cell says is for the report to say, which stands above the classes that are shown. So it is found by its name,
when a cell first asks.
"""

from __future__ import annotations

from importlib import import_module


class InCell:
    """Something that has a page of its own in a cell, and a short `repr` anywhere else."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(import_module("rosenblatt.report.cells").cell(self))
