"""The tables in the terminal: numbers right-aligned, no boxes, losses in words."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from benchmarks.peers.figures import HEADS, cells, losses, sheet_rows
from benchmarks.peers.results import Goal, Results, Sheet, TaskResult

WIDTH = 100
ACCENT = "cyan"


def show(results: Results, console: Console) -> None:
    """Everything that a run found."""
    show_header(results, console)
    for task in results.tasks:
        show_task(task, console)
    for sheet in results.sheets:
        show_sheet(sheet, console)
    for name, why in results.left_out:
        console.print(Text(f"{name}: left out, {why}"), soft_wrap=True)
    if results.growth:
        show_growth(results, console)
    if results.goals:
        show_goals(results.ordered_goals, console)


def show_header(results: Results, console: Console) -> None:
    for name, text in header_lines(results):
        console.print(Text(f"{name:<9}{text}"), soft_wrap=True)
    console.print()


def header_lines(results: Results) -> list[tuple[str, str]]:
    """What the figures depend on."""
    head = results.header
    memory = f" · {head['memory'] / 2**30:.0f} GB" if head["memory"] else ""
    versions = " · ".join(f"{name} {version}" for name, version in head["versions"].items() if name != "rosenblatt")
    commit = f" · commit {head['commit']}" if head["commit"] else ""
    busy = head["load"]
    lines = [
        ("date", f"{head['date']} · rosenblatt {head['rosenblatt']}{commit}"),
        ("machine", f"{head['processor']} · {head['cores']} cores{memory} · {head['system']} · load {busy}"),
        ("with", f"Python {head['python']} · {versions}"),
        ("how", "fit: with the chosen settings; whole: with choosing them, for rosenblatt all of train"),
        ("", f"one core for everybody · medians of {head['repeats']} repeats in turns · data: {head['data']}"),
    ]
    if "seconds" in head:
        lines.append(("", f"the whole run took {head['seconds'] / 60:.1f} minutes"))
    if head["most_rows"]:
        lines.append(("note", f"at most {head['most_rows']:,} rows: these accuracies are not those of the full data"))
    if busy is not None and busy > 1:
        lines.append(("note", "the machine was busy when this began: times are noisy"))
    if results.absent:
        lines.append(("absent", f"{', '.join(results.absent)}: not installed (make peers)"))
    return lines


def show_task(task: TaskResult, console: Console) -> None:
    console.print(Text.assemble((task.name, "bold"), f"  {task.about} · {task.size}"), soft_wrap=True)
    if task.note:
        console.print(Text(f"  {task.note}"), soft_wrap=True)
    grid = _grid([*HEADS])
    for result in task.results:
        grid.add_row(*cells(result, task), style=ACCENT if result.ours else None)
    console.print(grid)
    for line in remarks(task):
        console.print(Text(f"  {line}"), soft_wrap=True)
    console.print()


def remarks(task: TaskResult) -> list[str]:
    """What was chosen, and what a reader should know of single contestants."""
    lines = [losses(task)] if task.peers else []
    lines += [f"rosenblatt chose: {task.ours.settings}"] if task.ours else []
    lines += [f"{each.contestant}: {each.note}" for each in task.results if each.note]
    return lines + [f"{name}: left out, {reason}" for name, reason in task.left_out]


def show_sheet(sheet: Sheet, console: Console) -> None:
    console.print(Text.assemble((sheet.name, "bold"), f"  {sheet.about}"), soft_wrap=True)
    grid = Grid(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="dim")
    for name in ("", ""):
        grid.add_column(name, overflow="fold")
    for name in sheet.units:
        grid.add_column(name, justify="right", no_wrap=True)
    for row in sheet_rows(sheet):
        grid.add_row(*row, style=ACCENT if row[1].startswith("rosenblatt") else None)
    console.print(grid)
    for note in sheet.notes:
        console.print(Text(f"  {note}"), soft_wrap=True)
    console.print()


def show_growth(results: Results, console: Console) -> None:
    console.print(Text.assemble(("growth", "bold"), "  seconds ∝ size to the power of … (1 is linear)"))
    names = list(dict.fromkeys(grown.contestant for grown in results.growth))
    along = list(dict.fromkeys(grown.along for grown in results.growth))
    found = {(grown.contestant, grown.along): grown for grown in results.growth}
    spans = {grown.along: f"{grown.sizes[0]:,} to {grown.sizes[-1]:,}" for grown in results.growth}
    grid = _grid(["", *(f"{each}\n{spans[each]}" for each in along)])
    for name in names:
        grid.add_row(name, *(f"{found[name, each].exponent:.2f}" if (name, each) in found else "" for each in along))
    console.print(grid)
    console.print()


def show_goals(goals: list[Goal], console: Console) -> None:
    met = sum(goal.met for goal in goals)
    console.print(Text.assemble(("goals", "bold"), f"  {met} of {len(goals)} met in this run"))
    grid = Grid(box=None, padding=(0, 2, 0, 0))
    for name in ("", "", "wanted", "got"):
        grid.add_column(name, overflow="fold")
    for goal in goals:
        grid.add_row("  yes" if goal.met else "  no", goal.what, goal.wanted, goal.got,
                     style=None if goal.met else ACCENT)  # fmt: skip
    console.print(grid)
    console.print()


def _grid(heads: list[str]) -> Any:
    grid = Grid(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="dim")
    for number, name in enumerate(heads):
        grid.add_column(name, justify="right" if number else "left", no_wrap=True)
    return grid
