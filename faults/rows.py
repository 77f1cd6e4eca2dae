"""The rows in order: every module here whose name begins with row."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType


def row_modules() -> list[ModuleType]:
    names = sorted(path.stem for path in Path(__file__).parent.glob("row[0-9]*.py"))
    return [import_module(f"faults.{name}") for name in names]
