"""`train --workers` with 1, 2 and 4 Dask workers on this machine: python -m benchmarks.scale_workers

The same 8 shards of a svmlight file of 0.1 GB are visited by more and more workers, each a process; the model's file is
compared byte by byte. Times are of the whole command, its start and that of the cluster included, on all processors.

Goal: the same bits with any number of workers. Times are printed; what is gained depends on the machine.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

from benchmarks.peers.results import Goal, Sheet
from benchmarks.peers.sections import LeftOut, alone

WORKERS = (1, 2, 4)
SIZE = 100_000_000  # bytes
FIXED = ["--model", "perceptron", "--margin", "0", "--passes", "4", "--shards", "8", "--quiet"]
UNITS = {"time": "seconds", "times one": "times"}


def measure(folder: Path | None, quick: bool) -> tuple[Sheet, list[Goal]]:
    """The seconds of each number of workers, and whether all made the same file."""
    if quick:
        raise LeftOut("it takes minutes")
    if not find_spec("distributed"):
        raise LeftOut("Dask is not installed")
    from benchmarks.scale_data import write_svmlight

    sheet = Sheet("workers", f"`train --workers`, {SIZE / 1e9:g} GB of svmlight rows, the whole command", UNITS)
    seconds, marks = dict[int, float](), set[str]()
    tied = os.sched_getaffinity(0)
    with tempfile.TemporaryDirectory(prefix="rosenblatt-workers-") as name:
        source = Path(name, "rows.svm")
        write_svmlight(source, SIZE)
        try:
            os.sched_setaffinity(0, range(os.cpu_count() or 1))  # workers are there to use all processors
            for count in WORKERS:
                model = Path(name, f"{count}.rosenblatt")
                words = ["train", str(source), "--workers", str(count), "--out", str(model), *FIXED]
                started = time.perf_counter()
                subprocess.run([sys.executable, "-m", "rosenblatt", *words], check=True, capture_output=True)
                seconds[count] = time.perf_counter() - started
                marks.add(hashlib.sha256(model.read_bytes()).hexdigest())
        finally:
            os.sched_setaffinity(0, tied)
    for count, found in seconds.items():
        one = None if count == 1 else seconds[1] / found
        sheet.add(f"{count} {'worker' if count == 1 else 'workers'}", "rosenblatt", time=found, times_one=one)
    same = len(marks) == 1
    return sheet, [Goal("workers: 1, 2 and 4", "the same bits", "the same" if same else f"{len(marks)} files", same)]


if __name__ == "__main__":
    alone(measure)
