"""`train` as a whole beside the first version: python -m benchmarks.first_version [--quick]

The first version is checked out of this repository's own history into a folder that is removed again. Each version has
one process, which has trained on everything once before the clock starts, and both take turns: the figure is the median
of the ratios of the turns. What the first version had nothing like is told apart: n-grams and runs of characters are
switched off for the ratio, and the curves that `train` tries in order to say what a kernel would gain are taken off it.
`everything` is the time with them; `bare` that without curves of columns, association units and probabilities too,
which the first version did not have either, so that one sees what they cost.

Goals: at most 3 times as long on small data, and 1.3 times on large.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.peers.results import Goal, Sheet
from benchmarks.peers.sections import LeftOut, alone

COMMIT = "9a21dda4f1"
REPOSITORY = Path(__file__).resolve().parents[1]
MOST = {"small": 3.0, "large": 1.3}
TURNS, LONG = {"small": 5, "large": 2}, 10.0  # turns, and seconds after which one is enough
# What is trained on, where it is in the folder of the data (nothing for what is built in), and how it is read.
SETS: dict[str, dict[str, tuple[str, dict[str, Any]]]] = {
    "small": {
        "iris": ("", {}), "wine": ("", {}), "breast-cancer": ("", {}), "digits": ("", {}), "mail": ("", {}),
        "german": ("tables/german.csv", {"header": False, "label": "c21"}),
        "ionosphere": ("tables/ionosphere.csv", {"header": False, "label": "c35"}),
    },
    "large": {
        "adult": ("adult/adult.data", {"header": False, "label": "c15"}),
        "a9a": ("libsvm/a9a", {}), "news20": ("libsvm/news20", {}), "MNIST": ("mnist/train-images-idx3-ubyte.gz", {}),
    },
}  # fmt: skip
QUICK = ("wine",)
PLAIN = {"text": {"ngrams": 1, "characters": False}}
BARE = {**PLAIN, "features": {"knots": 0, "units": 0}, "split": {"calibration": "none"}}
# Runs in each version: trains on what a line of its input says, and answers with seconds by the clock, and with those
# that went into trying curves.
WORKER = """
import json, sys, time
from rosenblatt import pipeline
spent = [0.0]
if hasattr(pipeline, "curve_hint"):
    plain = pipeline.curve_hint
    def timed(*given):
        started = time.perf_counter()
        found = plain(*given)
        spent[0] += time.perf_counter() - started
        return found
    pipeline.curve_hint = timed
for line in sys.stdin:
    asked, spent[0] = json.loads(line), 0.0
    started = time.perf_counter()
    try:
        pipeline.train(asked["source"], seed=0, **asked["how"])
        print(json.dumps([time.perf_counter() - started, spent[0]]), flush=True)
    except Exception as error:
        print(json.dumps(f"{type(error).__name__}: {error}"), flush=True)
"""
UNITS = {"time": "seconds", "first version": "seconds", "ratio": "times", "everything": "seconds", "curves": "seconds",
         "bare": "seconds"}  # fmt: skip


@contextmanager
def first_tree() -> Iterator[Path]:
    """The first version in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="rosenblatt-first-") as name:
        packed = subprocess.run(["git", "archive", COMMIT, "src"], cwd=REPOSITORY, capture_output=True, check=False)
        if packed.returncode:
            raise LeftOut(f"commit {COMMIT}, the first version, is not in the history here, or git is not")
        subprocess.run(["tar", "-x", "-C", name], input=packed.stdout, check=True)
        yield Path(name)


class Version:
    """A process that trains with the sources of one tree."""

    def __init__(self, tree: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True, env={**os.environ, "PYTHONPATH": str(tree / "src")}, cwd=tree,
        )  # fmt: skip

    def train(self, source: str, how: dict[str, Any]) -> tuple[float, float]:
        """Seconds of the whole, and of them those that tried curves."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"source": source, "how": how}) + "\n")
        self.process.stdin.flush()
        found = json.loads(self.process.stdout.readline() or '"it ended"')
        if isinstance(found, str):
            raise RuntimeError(found)
        return found[0], found[1]

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(60)


def compare(now: Version, first: Version, source: str, how: dict[str, Any], turns: int) -> dict[str, float]:
    """Medians over turns, after one of each that loads and compiles."""
    plain = {**how, "config": PLAIN}
    now.train(source, plain)
    first.train(source, how)
    times, before, ratios, curves = [], [], [], []
    for _ in range(turns):
        whole, curve = now.train(source, plain)
        old, _ = first.train(source, how)
        times.append(whole - curve)
        before.append(old)
        curves.append(curve)
        ratios.append((whole - curve) / old)
        if whole + old > LONG:
            break
    everything = now.train(source, how)[0]
    whole, curve = now.train(source, {**how, "config": BARE})
    return {
        "time": statistics.median(times), "first_version": statistics.median(before),
        "ratio": statistics.median(ratios), "everything": everything, "curves": statistics.median(curves),
        "bare": whole - curve,
    }  # fmt: skip


def measure(folder: Path | None, quick: bool) -> tuple[Sheet, list[Goal]]:
    """Both versions in turns, and verdicts by the size of the data."""
    about = f"`train` without a setting beside the first version, commit {COMMIT}, in turns; n-grams and curves apart"
    sheet, goals = Sheet("train", about, UNITS), list[Goal]()
    with first_tree() as tree:
        now, first = Version(REPOSITORY), Version(tree)
        try:
            for size, sets in SETS.items():
                for name, (place, how) in sets.items():
                    if (place and (folder is None or not (folder / place).exists())) or (quick and name not in QUICK):
                        continue
                    source = name if not place or folder is None else str((folder / place).resolve())
                    found = compare(now, first, source, how, 1 if quick else TURNS[size])
                    sheet.add(name, f"rosenblatt, {size} data", **found)
                    got, most = found["ratio"], MOST[size]
                    goals.append(
                        Goal(f"train, {name}", f"at most {most:g}× the first version", f"{got:.2f}×", got <= most)
                    )
        finally:
            now.end()
            first.end()
    sheet.notes.append("time: without n-grams and without the curves of the hint; everything: with them")
    return sheet, goals


if __name__ == "__main__":
    alone(measure)
