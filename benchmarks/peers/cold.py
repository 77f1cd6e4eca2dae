"""Cold starts: a new process imports, loads a model and predicts one message."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

LIMIT = 60.0


def measure_cold(programs: dict[str, str], repeats: int) -> dict[str, float]:
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
    return {name: statistics.median(found) for name, found in times.items()}
