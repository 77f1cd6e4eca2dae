"""What full runs found, kept in results.json: a row by its number; a row that is run in parts, part by part."""

from __future__ import annotations

import datetime
import hashlib
import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

from faults.outcome import MOST_SHOWN, Outcome
from rosenblatt.writing import write_whole

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
SHOWN = 400  # characters of what is said of a case that broke the promise: enough to know it again
SOURCES = HERE.parent / "src" / "rosenblatt"


def read() -> dict[str, Any]:
    if not RESULTS.exists():
        return {}
    results: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf8"))
    return results


def note(row: int, outcome: Outcome, seconds: float, seed: int) -> None:
    """Keeps the figures of a full run of one row."""
    found = read()
    found[str(row)] = _figures(outcome, seed) | {"seconds": round(seconds, 1)}
    _write(found)


def note_part(row: int, part: str, outcome: Outcome, minutes: float, seed: int, files: list[str]) -> None:
    """Keeps the figures of one part of a row as soon as they are there: the row may take more than one sitting.

    files    of the package, whose code the part has run through: while they stay as they are, so do its figures
    """
    found = read()
    if "parts" not in found.get(str(row), {}):  # nor where the row was not run in parts before
        found[str(row)] = {"parts": {}}
    parts = found[str(row)]["parts"]
    figures = _figures(outcome, seed)
    measured = {name.removeprefix(f"{part} "): value for name, value in figures["measured"].items()}
    parts[part] = figures | {"measured": measured, "minutes": minutes, "files": " ".join(files), "code": code(files)}
    _write(found)


def parts_left(row: int, names: list[str]) -> list[str]:
    """The parts that were not run with the code that they reach today: those that never were first, then the oldest."""
    done = read().get(str(row), {}).get("parts", {})
    left = [name for name in names if name not in done or done[name]["code"] != code(done[name]["files"].split())]
    return sorted(left, key=lambda name: done[name]["date"] if name in done else "")


def code(files: list[str]) -> str:
    """Names these sources of the package as they are now, committed or not."""
    digest = hashlib.sha256()
    for path in (SOURCES / name for name in files):
        digest.update(path.read_bytes() + b"\0" if path.exists() else b"gone\0")
    return digest.hexdigest()[:12]


def _figures(outcome: Outcome, seed: int) -> dict[str, Any]:
    said = {"said": [line[:SHOWN] for line in outcome.broken[:MOST_SHOWN]]} if outcome.broken else {}
    return {
        "cases": outcome.cases,
        "broken": len(outcome.broken),
        **said,
        "measured": {name: float(f"{value:.3g}") for name, value in outcome.measured.items()},
        "date": datetime.date.today().isoformat(),
        "commit": commit(),
        "seed": seed,
    }


def _write(found: dict[str, Any]) -> None:
    ordered = dict(sorted(found.items(), key=lambda item: int(item[0])))
    write_whole(RESULTS, json.dumps(ordered, indent=1, ensure_ascii=False) + "\n")


@cache  # asked once: a pipe of this call that a forked worker inherited would stay open as long as the worker lives
def commit() -> str:
    done = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, cwd=HERE, check=False
    )
    return done.stdout.strip() or "unknown"
