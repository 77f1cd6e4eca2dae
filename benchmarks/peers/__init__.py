"""`python -m benchmarks.peers`: this project beside what its users would pick instead, in one run on one machine.

Everybody gets the same rows, the same split and one core. Peers are treated as their own documentation advises, each in
a file of its own under `contestants/`; formats are converted outside the clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.peers.cold import cold_goals
from benchmarks.peers.contestant import Contestant
from benchmarks.peers.contestants import EVERYBODY
from benchmarks.peers.goals import judge
from benchmarks.peers.growth import measure_growth
from benchmarks.peers.machine import describe, on_one_core
from benchmarks.peers.measure import QUICK, Effort, measure
from benchmarks.peers.page import markdown
from benchmarks.peers.plots import plot_accuracy, plot_growth
from benchmarks.peers.results import Goal, Results
from benchmarks.peers.sections import SECTIONS, measure_section
from benchmarks.peers.sets import QUICK_ROWS, TASKS, data_folder, load_task
from rosenblatt.errors import SettingError
from rosenblatt.writing import write_whole

__all__ = ["OTHERS", "TASKS", "Results", "bench", "write"]

OTHERS = (*SECTIONS, "growth")  # without accuracies beside everybody's
# What a quick run has where nothing is named: some of each kind, and what takes seconds.
BRIEFLY = (
    *("reuters-acq", "news20", "digits", "letter", "kernel mnist", "rt-polarity", "german"),
    *("reading", "train", "cold start", "calibration", "review", "growth"),
)


def bench(
    tasks: Sequence[str] = (),
    *,
    quick: bool = False,
    repeats: int | None = None,
    rows: int | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> Results:
    """Runs the named tasks with at most so many rows, and returns what they showed; quickly some of them, else all."""
    names = list(tasks) or ([*BRIEFLY] if quick else [*TASKS, *OTHERS])
    unknown = [name for name in names if name not in TASKS and name not in OTHERS]
    if unknown:
        raise SettingError(f"no task named {unknown[0]!r}. Tasks are: {', '.join([*TASKS, *OTHERS])}.")
    effort = QUICK if quick else Effort()
    if repeats is not None:
        effort = replace(effort, repeats=repeats)
    most = QUICK_ROWS if quick and rows is None else rows
    on_one_core()
    folder = data_folder()
    present, absent = _sorted_out(EVERYBODY)
    data = "real sets" if folder is not None else "built-in and generated sets, because the real ones are not there"
    results = Results(describe({kind.package for kind in present}, most, effort.repeats, data), absent=absent)
    started, goals = time.perf_counter(), list[Goal]()
    for name in [name for name in TASKS if name in names]:
        say(f"{name}: reading")
        loaded = load_task(name, folder, most)
        found, cold = measure(loaded, [kind for kind in present if kind.takes(loaded.task)], effort, say)
        results.tasks.append(found)
        if cold is not None:
            results.sheets.append(cold)
            goals += cold_goals(cold)
    for name in [name for name in SECTIONS if name in names]:
        say(name)
        sheet, found_goals, why = measure_section(name, folder, quick)
        goals += found_goals
        results.sheets += [] if sheet is None else [sheet]
        results.left_out += [] if sheet is not None else [(name, why)]
    if "growth" in names:
        results.growth = measure_growth(effort.repeats, quick, say)
    results.goals = [*judge(results), *goals]
    results.header["seconds"] = round(time.perf_counter() - started)
    return results


def write(results: Results, folder: Path) -> list[Path]:
    """Writes the run under its date: JSON, Markdown and pictures. A run of the same day is replaced."""
    if not folder.is_dir():
        raise SettingError(f"{folder}: there is no such folder. Create it, or name another.")
    date = results.header["date"].partition(" ")[0]
    pictures: dict[str, bytes | str] = {}
    if results.tasks:
        pictures[f"{date}.svg"] = plot_accuracy(results)
    if results.growth:
        pictures[f"{date}-growth.svg"] = plot_growth(results)
    texts: dict[str, bytes | str] = {f"{date}.json": results.to_json(), f"{date}.md": markdown(results, list(pictures))}
    for name, content in {**texts, **pictures}.items():
        write_whole(folder / name, content)
    return [folder / name for name in {**texts, **pictures}]


def _sorted_out(everybody: Sequence[type[Contestant]]) -> tuple[list[type[Contestant]], list[str]]:
    """The contestants that can be imported here, and the packages of the others."""
    versions = {kind.package: kind.version() for kind in everybody}
    present = [kind for kind in everybody if versions[kind.package]]
    return present, sorted(package for package, version in versions.items() if not version)
