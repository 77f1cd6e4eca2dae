"""What is measured beside the tasks. Each section is a file that also runs alone, and gives figures and goals."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

from benchmarks.peers.results import Goal, Sheet

Measure: TypeAlias = Callable[[Path | None, bool], tuple[Sheet, list[Goal]]]

# By the name of the section, in the order of the page; each has `measure(folder of the data or None, quick)`.
SECTIONS = {
    "reading": "benchmarks.peers.reading",
    "texts": "benchmarks.text",
    "train": "benchmarks.first_version",
    "cold start": "benchmarks.cold_start",
    "calibration": "benchmarks.decisions",
    "review": "benchmarks.review",
    "serve": "benchmarks.serve",
    "columns": "benchmarks.wide",
    "scale": "benchmarks.scale",
    "workers": "benchmarks.scale_workers",
}


class LeftOut(Exception):
    """A section has nothing to measure here; it says why."""


def measure_section(name: str, folder: Path | None, quick: bool) -> tuple[Sheet | None, list[Goal], str]:
    """The section's table and goals; or why there is none. One that fails is a missed goal, and the others go on."""
    measure: Measure = import_module(SECTIONS[name]).measure
    try:
        return *measure(folder, quick), ""
    except LeftOut as reason:
        return None, [], str(reason)
    except Exception as error:
        what = " ".join(f"{type(error).__name__}: {error}".split())[:160]
        return None, [Goal(name, "measured", what, False)], what


def alone(measure: Measure) -> None:
    """Runs one section as a program: `--quick` for little data, or all of it."""
    import sys

    from rich.console import Console

    from benchmarks.peers.machine import on_one_core
    from benchmarks.peers.sets import data_folder
    from benchmarks.peers.terminal import WIDTH, show_goals, show_sheet

    on_one_core()
    console = Console(width=WIDTH, highlight=False, soft_wrap=False)
    try:
        sheet, goals = measure(data_folder(), "--quick" in sys.argv)
    except LeftOut as reason:
        raise SystemExit(str(reason)) from None
    show_sheet(sheet, console)
    if goals:
        show_goals(sorted(goals, key=lambda goal: goal.met), console)
