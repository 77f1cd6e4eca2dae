"""Reading a svmlight file, beside scikit-learn's reader."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers.child import silence
from benchmarks.peers.results import Goal, Sheet
from rosenblatt.data import read
from rosenblatt.writing import write_whole

REPEATS, QUICK = 5, 3


def measure(folder: Path | None, quick: bool) -> tuple[Sheet, list[Goal]]:
    """Seconds to rows in memory, for news20 or for a file of the same form."""
    from sklearn.datasets import load_svmlight_file

    real = None if folder is None else folder / "libsvm" / "news20"
    with tempfile.TemporaryDirectory(prefix="rosenblatt-bench-") as place:
        path = real if real is not None and real.exists() else _written(Path(place) / "generated", quick)
        calls: dict[str, Callable[[], Any]] = {
            "rosenblatt": lambda: read(str(path), format="svmlight"),
            "sklearn": lambda: load_svmlight_file(str(path)),
        }
        with silence():
            ours, theirs = calls["rosenblatt"](), calls["sklearn"]()
            times: dict[str, list[float]] = {name: [] for name in calls}
            for _ in range(QUICK if quick else REPEATS):
                for name, call in calls.items():
                    started = time.perf_counter()
                    call()
                    times[name].append(time.perf_counter() - started)
        if ours.n_rows != theirs[0].shape[0]:
            raise AssertionError(f"the readers disagree: {ours.n_rows} and {theirs[0].shape[0]} rows")
        size = path.stat().st_size / 1e6
    seconds = {name: statistics.median(found) for name, found in times.items()}
    what = "news20" if real is not None and path == real else "a generated file"
    sheet = Sheet(
        "reading svmlight", f"{what}, {size:.1f} MB", {"time": "seconds", "times ours": "times", "MB/s": "rate"}
    )
    for name, found in seconds.items():
        slower = None if name == "rosenblatt" else found / seconds["rosenblatt"]
        sheet.add(what, name, time=found, times_ours=slower, **{"MB/s": size / found})
    return sheet, []


def _written(path: Path, quick: bool) -> Path:
    rng = np.random.default_rng(0)
    lines = []
    for _ in range(2_000 if quick else 20_000):
        columns = np.unique(rng.integers(1, 60_000, 80))
        values = rng.integers(1, 10, len(columns))
        features = " ".join(f"{column}:{value}" for column, value in zip(columns, values, strict=True))
        lines.append(f"{rng.integers(1, 21)} {features}\n")
    write_whole(path, "".join(lines))
    return path
