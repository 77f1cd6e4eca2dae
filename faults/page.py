"""docs/faults.md: what each row found in its last full run (results.json)."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

from faults import results
from faults.rows import row_modules
from rosenblatt.writing import write_whole

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "faults.md"
INTRODUCTION, FOUND_IN_USE = HERE / "introduction.md", HERE / "found_in_use.md"


def write() -> None:
    write_whole(PAGE, text())


def text() -> str:
    """The page: the introduction, the table, what was found in use, the defects."""
    found = results.read()
    lines = [
        INTRODUCTION.read_text(encoding="utf8"),
        "| # | fault | must hold | cases | broken | measured | run |",
        "|---|---|---|---|---|---|---|",
    ]
    parts, defects = [], []
    for module in row_modules():
        result = found.get(str(module.NUMBER))
        lines.append(f"| {module.NUMBER} | {module.FAULT} | {module.PROMISE} | {_figures(module, result)} |")
        if result is not None and "parts" in result:
            parts += _parts(module, result["parts"])
        defects.append(_defects(module.NUMBER, module.FOUND))
    used = FOUND_IN_USE.read_text(encoding="utf8")
    return "\n".join([*lines, "", *parts, used, "## Defects that the rows found", "", *defects]) + "\n"


def _figures(module: ModuleType, result: dict[str, Any] | None) -> str:
    if result is None:
        return "not run | | | "
    if "parts" in result:
        done = list(result["parts"].values())
        dates = sorted({part["date"] for part in done})
        when = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
        measured = f"{len(done)} of {len(module.PARTS)} {module.PART}s, each with its own date and commit below"
        cases, broken = (sum(part[name] for part in done) for name in ("cases", "broken"))
        return f"{cases:,} | {broken} | {measured} | {when}"
    run = f"{result['date']}, {result['commit']}, seed {result['seed']}, {result['seconds']:g} s"
    return f"{result['cases']:,} | {result['broken']} | {_measured(result)} | {run}"


def _parts(module: ModuleType, done: dict[str, Any]) -> list[str]:
    """The table of a row that is run in parts: every part, those that were not run too."""
    lines = [
        f"Row {module.NUMBER}, {module.PART} by {module.PART}:",
        "",
        f"| {module.PART} | cases | broken | measured | run |",
        "|---|---|---|---|---|",
    ]
    for name in module.PARTS:
        if name not in done:
            lines.append(f"| {name} | not run | | | |")
            continue
        part = done[name]
        run = f"{part['date']}, {part['commit']}, seed {part['seed']}, {part['minutes']:g} min of a core"
        lines.append(f"| {name} | {part['cases']:,} | {part['broken']} | {_measured(part)} | {run} |")
    return [*lines, "", ""]


def _measured(result: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value:g}" for name, value in result["measured"].items())


def _defects(number: int, found: list[str]) -> str:
    if not found:
        return f"- Row {number}: none."
    return "\n".join([f"- Row {number}: {len(found)}.", *(f"  - {each}" for each in found)])
