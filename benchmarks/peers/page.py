"""The run as Markdown: the same tables, for a repository or an issue."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.peers.figures import HEADS, cells, seconds, sheet_rows
from benchmarks.peers.results import Goal, Results, Sheet, TaskResult
from benchmarks.peers.terminal import header_lines, remarks


def markdown(results: Results, pictures: Sequence[str] = ()) -> str:
    """One page: header, goals with the missed ones first, a table for each task, the sections, growth."""
    told = [f"- **{name}**: {text}" if name else f"- {text}" for name, text in header_lines(results)]
    parts = [f"# Benchmark of {results.header['date'].partition(' ')[0]}", "\n".join(told)]
    parts.append(
        "Times are medians. × is the time of the other over ours: above 1 this project is faster. *fit* is the fit "
        "with the chosen settings; *whole* includes choosing them on the validation rows, for this project all of "
        "`train`. *memory* is the growth of a process during its fit, *model* the size of the stored file. Goals hold "
        "like against like: lines and counts, counts alone, curves. Trees are shown, and named where they are ahead."
    )
    if results.goals:
        parts.append(goal_table(results.ordered_goals))
    parts += [_task(task) for task in results.tasks]
    parts += [sheet_table(sheet) for sheet in results.sheets]
    parts += [f"- {name}: left out, {why}" for name, why in results.left_out]
    parts += [_growth(results)] if results.growth else []
    parts += [f"![{name}]({name})" for name in pictures]
    return "\n\n".join(parts) + "\n"


def _task(task: TaskResult) -> str:
    lines = [f"## {task.name}", "", f"{task.about} · {task.size}" + (f" · {task.note}" if task.note else ""), ""]
    lines += _table(HEADS, [cells(each, task) for each in task.results])
    return "\n".join([*lines, "", *(f"- {line}" for line in remarks(task))])


def goal_table(goals: Sequence[Goal]) -> str:
    """Goals with their verdicts, in the order given."""
    rows = [("yes" if goal.met else "**no**", goal.what, goal.wanted, goal.got) for goal in goals]
    met = sum(goal.met for goal in goals)
    return "\n".join([f"## Goals: {met} of {len(rows)} met", "", *_table(("met", "what", "wanted", "got"), rows, 4)])


def sheet_table(sheet: Sheet) -> str:
    """A section under its heading."""
    lines = [f"## {sheet.name}", "", sheet.about, "", *_table(("", "", *sheet.units), sheet_rows(sheet), 2)]
    return "\n".join([*lines, *([""] if sheet.notes else []), *(f"- {note}" for note in sheet.notes)])


def _growth(results: Results) -> str:
    rows = [
        (each.contestant, each.along, " ".join(f"{size:,}" for size in each.sizes),
         " ".join(seconds(found) for found in each.seconds), f"{each.exponent:.2f}")
        for each in results.growth
    ]  # fmt: skip
    heads = ("", "along", "sizes", "times", "exponent")
    return "\n".join(["## How cost grows", "", *_table(heads, rows, 4)])


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Lines of a Markdown table, its first columns to the left and numbers to the right."""
    marks = ["---" if number < left else "---:" for number in range(len(heads))]
    return [f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in (heads, marks, *rows)]
