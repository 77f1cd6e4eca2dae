"""Cold starts: a new process imports, loads a model and predicts one message."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

from benchmarks.peers.results import Goal, Sheet

LIMIT = 60.0
MOST = 1.0  # seconds
OURS = "rosenblatt"


def measure_cold(task: str, programs: dict[str, str], repeats: int) -> Sheet:
    """Seconds of each program from start to end, in turns; a first run that fills the disk's cache does not count."""
    times: dict[str, list[float]] = {name: [] for name in programs}
    for turn in range(repeats + 1):
        for name, program in programs.items():
            started = time.perf_counter()
            done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=LIMIT, check=False)
            seconds = time.perf_counter() - started
            if done.returncode:
                times.pop(name)
                programs = {each: text for each, text in programs.items() if each != name}
            elif turn:
                times[name].append(seconds)
    sheet = Sheet(f"cold start, {task}", "a new process imports, loads a model and predicts one message", UNITS)
    ours = statistics.median(times[OURS]) if OURS in times else None
    for name, found in times.items():
        seconds = statistics.median(found)
        sheet.add("load and predict", name, time=seconds, times_ours=seconds / ours if ours and name != OURS else None)
    return sheet


UNITS = {"time": "seconds", "times ours": "times"}


def cold_goals(sheet: Sheet) -> list[Goal]:
    """That the first answer comes within a second."""
    from benchmarks.peers.figures import seconds

    took = next((line.figures["time"] for line in sheet.lines if line.who == OURS), None)
    if took is None:
        return []
    return [Goal(f"{sheet.name}: import, load, predict", f"under {MOST:g} s", seconds(took), took < MOST)]
