"""docs/faults.md: what each row found in its last full run. The figures stand in faults/results.json, one per row."""

from __future__ import annotations

import datetime
import json
import subprocess
from pathlib import Path
from typing import Any

from faults.outcome import Outcome
from faults.rows import row_modules
from rosenblatt.writing import write_whole

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
PAGE = HERE.parent / "docs" / "faults.md"
INTRODUCTION, FOUND_IN_USE = HERE / "introduction.md", HERE / "found_in_use.md"


def note(row: int, outcome: Outcome, seconds: float, seed: int) -> None:
    """Keeps the figures of a full run of one row."""
    found = _results()
    found[str(row)] = {
        "cases": outcome.cases,
        "broken": len(outcome.broken),
        "seconds": round(seconds, 1),
        "measured": {name: float(f"{value:.3g}") for name, value in outcome.measured.items()},
        "date": datetime.date.today().isoformat(),
        "commit": _commit(),
        "seed": seed,
    }
    ordered = dict(sorted(found.items(), key=lambda item: int(item[0])))
    write_whole(RESULTS, json.dumps(ordered, indent=1, ensure_ascii=False) + "\n")


def write() -> None:
    write_whole(PAGE, text())


def text() -> str:
    """The page: the introduction, the table, what was found in use, the defects."""
    found = _results()
    lines = [
        INTRODUCTION.read_text(encoding="utf8"),
        "| # | fault | must hold | cases | broken | measured | run |",
        "|---|---|---|---|---|---|---|",
    ]
    defects = []
    for module in row_modules():
        result = found.get(str(module.NUMBER))
        lines.append(f"| {module.NUMBER} | {module.FAULT} | {module.PROMISE} | {_figures(result)} |")
        defects.append(_defects(module.NUMBER, module.FOUND))
    used = FOUND_IN_USE.read_text(encoding="utf8")
    return "\n".join([*lines, "", used, "## Defects that the rows found", "", *defects]) + "\n"


def _figures(result: dict[str, Any] | None) -> str:
    if result is None:
        return "not run | | | "
    measured = ", ".join(f"{name} {value:g}" for name, value in result["measured"].items())
    run = f"{result['date']}, {result['commit']}, seed {result['seed']}, {result['seconds']:g} s"
    return f"{result['cases']:,} | {result['broken']} | {measured} | {run}"


def _defects(number: int, found: list[str]) -> str:
    if not found:
        return f"- Row {number}: none."
    return "\n".join([f"- Row {number}: {len(found)}.", *(f"  - {each}" for each in found)])


def _results() -> dict[str, Any]:
    if not RESULTS.exists():
        return {}
    results: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf8"))
    return results


def _commit() -> str:
    done = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, cwd=HERE, check=False
    )
    return done.stdout.strip() or "unknown"
