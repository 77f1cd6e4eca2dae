"""Data larger than memory: peak resident size, seconds per gigabyte and pass, and the speed of a pass from the disk.

For svmlight rows of about 100 values and for a dense Parquet twin, of 0.5 and 1 GB unless others are named: train with
--memory 512MB in a process of its own and read its peak resident size; then time passes over the shards that the
training left, with the pages in the machine's cache and after they were dropped from it, against reading the same files
from front to back. "busy" is the time of the processor, which other programs disturb less than the clock's.

    python -m benchmarks.scale [gigabytes …]        ROSENBLATT_BENCH_FOLDER says where four times as much may be written

From 8 GB on it is --memory 1.5GB: about 100 bytes of every row stay in memory, and 512 MB are too few for so many rows.

Goals: a peak of at most 488 MB more than --memory, which is 1 GB for 512MB; seconds per GB and pass within 15% over all
sizes; from 1 GB on a pass from the disk at least half as fast as reading the same files. All sizes up to 8 GB take
some twenty minutes, so `make bench` has the two.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.peers.figures import size as size_of
from benchmarks.peers.results import Goal, Sheet
from benchmarks.peers.sections import LeftOut, alone
from rosenblatt.data.memory import parse_size

REPOSITORY = Path(__file__).resolve().parents[1]

SIZES = (0.5, 1.0)
FORMS = ("svmlight", "parquet")
MEMORY, MORE, MANY = "512MB", "1.5GB", 8.0  # and the gigabytes from which on rows need more
BESIDE = 488e6  # bytes of peak resident size beside that: 1 GB in all for 512 MB
STEADY = 0.15  # seconds per GB and pass differ by no more
HALF, FROM = 0.5, 1.0  # of the speed of reading, and the gigabytes from which on
PASSES = 5
UNITS = {
    "train": "seconds", "peak": "bytes", "s/GB warm": "seconds", "s/GB busy": "seconds", "s/GB cold": "seconds",
    "pass/read warm": "number", "pass/read cold": "number",
}  # fmt: skip
FIGURES = {
    "train": "seconds", "peak": "peak", "s/GB warm": "warm", "s/GB busy": "busy", "s/GB cold": "cold",
    "pass/read warm": "warm_share", "pass/read cold": "cold_share",
}  # fmt: skip


def measure(folder: Path | None, quick: bool, sizes: Sequence[float] = SIZES) -> tuple[Sheet, list[Goal]]:
    """Every size in both forms, and verdicts over all sizes."""
    if quick:
        raise LeftOut("it takes minutes")
    about = (
        f"larger than memory: `train --memory {MEMORY}` in a process of its own, then passes over what is on the disk"
    )
    sheet, goals = Sheet("scale", about, UNITS), list[Goal]()
    with tempfile.TemporaryDirectory(prefix="rosenblatt-scale-", dir=os.environ.get("ROSENBLATT_BENCH_FOLDER")) as name:
        for form in FORMS:
            found = dict[float, dict[str, float]]()
            for size in sizes:
                found[size] = each = made(Path(name), form, size)
                print(f"{form}, {size:g} GB: {json.dumps(each)}", file=sys.stderr, flush=True)
                figures: dict[str, float | None] = {shown: each[key] for shown, key in FIGURES.items()}
                given = "" if memory_of(size) == MEMORY else f", {memory_of(size)} of memory"
                sheet.add(f"{form}, {size:g} GB{given}", "rosenblatt", **figures)
            goals += judged(form, found)
    return sheet, goals


def memory_of(gigabytes: float) -> str:
    return MORE if gigabytes >= MANY else MEMORY


def judged(form: str, found: dict[float, dict[str, float]]) -> list[Goal]:
    goals = []
    for memory in (MEMORY, MORE):
        if peaks := [each["peak"] for size, each in found.items() if memory_of(size) == memory]:
            peak, limit, name = max(peaks), parse_size(memory) + BESIDE, "" if memory == MEMORY else f" with {memory}"
            wanted = f"below {limit / 1e9:.3g} GB"
            goals.append(Goal(f"scale, {form}: peak{name}", wanted, size_of(round(peak)), peak < limit))
    warm = [each["warm"] for each in found.values()]
    spread = max(warm) / min(warm) - 1
    steady = f"scale, {form}: seconds per GB and pass"
    goals.append(Goal(steady, f"within {STEADY:.0%}", f"{spread:.0%}", spread <= STEADY))
    shares = [each["cold_share"] for size, each in found.items() if size >= FROM]
    if shares:
        wanted = "at least half as fast as the disk is read"
        goals.append(Goal(f"scale, {form}: a pass from the disk", wanted, f"{min(shares):.2f}", min(shares) >= HALF))
    return goals


def made(folder: Path, form: str, size: float) -> dict[str, float]:
    """Makes the data, trains on it in a process of its own, and removes both."""
    from benchmarks.scale_data import write_parquet, write_svmlight

    source, place = folder / f"data.{form}", folder / "cache"
    (write_svmlight if form == "svmlight" else write_parquet)(source, int(size * 1e9))
    try:
        environment = {**os.environ, "ROSENBLATT_CACHE": str(place)}
        peak = in_process("--train", source, environment, memory_of(size))
        return {**peak, **in_process("--passes", place, dict(os.environ), memory_of(size))}
    finally:
        source.unlink()
        shutil.rmtree(place, ignore_errors=True)


def in_process(what: str, path: Path, environment: dict[str, str], memory: str) -> dict[str, float]:
    """The figures that this program prints when it is started for one of its two parts."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.scale", what, str(path), memory], env=environment,
        stdout=subprocess.PIPE, check=True, cwd=REPOSITORY,
    )  # fmt: skip
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


def train(source: str, memory: str) -> None:
    """Trains as the command line does, and prints seconds and the peak resident size."""
    import re

    from rosenblatt.cli import main as command

    started = time.perf_counter()
    fixed = ["--model", "perceptron", "--margin", "0", "--passes", "2", "--out", os.devnull, "--quiet"]
    try:
        command(["train", source, "--memory", memory, *fixed])
    except SystemExit as end:
        if end.code:
            raise
    # Not ru_maxrss: a process begins with that of the one that started it.
    held = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())
    peak = 1024 * int(held[1]) if held else 0
    print(json.dumps({"seconds": time.perf_counter() - started, "peak": peak}))


def time_passes(place: Path, memory: str) -> None:
    """Times passes over the largest shards in the cache, averages included, and reading them."""
    import numpy as np

    from rosenblatt.data.cache import read_about
    from rosenblatt.data.maps import at_most
    from rosenblatt.data.rowfile import load_rows
    from rosenblatt.learn.ondisk import ProblemOnDisk
    from rosenblatt.learn.rules.mistakes import Mistakes
    from rosenblatt.learn.shards import Turn, Vectors, visit_shard
    from rosenblatt.loops.order import key_of, pass_order
    from rosenblatt.loops.rows import n_bytes, n_features, n_rows

    folder = max(place.glob("*/made-*/order-*"), key=lambda path: sum(file.stat().st_size for file in path.iterdir()))
    with at_most(parse_size(memory)):
        rows = load_rows(folder, read_about(folder)["rows"])
        n, gigabytes = n_rows(rows), n_bytes(rows) / 1e9
        first, order = np.arange(n, dtype=np.uint32), np.empty(n, np.uint32)
        amounts, noted, lag = np.ones(n), np.empty(n, np.int64), np.zeros(n_features(rows) + 1)
        rng = np.random.default_rng(0)
        weights = rng.normal(size=n_features(rows) + 1)
        problem = ProblemOnDisk(rows, np.zeros(n, np.int32), amounts, amounts, 2)
        from rosenblatt.learn.decide import score_rows

        # One row in ten is wrong, so that every size has the same share of updates.
        truth = ((score_rows(rows, weights) > 0) != (rng.random(n) < 0.1)).astype(np.int32)
        problem = ProblemOnDisk(rows, truth, amounts, amounts, 2)

        def one_pass(number: int) -> tuple[float, float]:
            """Seconds of the clock and of the processor."""
            pass_order(first, key_of(0), number, 0, order)
            own = weights.copy()
            started, busy = time.perf_counter(), time.process_time()
            visit_shard(problem, order, amounts, Mistakes(), Turn(0, 0, n, 1), Vectors(own, lag, None), noted)
            return time.perf_counter() - started, time.process_time() - busy

        # The best of several: others may use the machine too.
        one_pass(0)
        passes = [one_pass(number) for number in range(1, PASSES)]
        warm, busy = min(seconds for seconds, _ in passes), min(seconds for _, seconds in passes)
        reading = min(read(folder) for _ in range(3))
        pairs = []  # side by side, because the disk is not always equally busy
        for number in range(3):
            drop(folder)
            seconds = read(folder)
            drop(folder)
            pairs.append((seconds, one_pass(PASSES + number)[0]))
        cold_reading, cold = sorted(pairs, key=lambda pair: pair[0] / pair[1])[1]
    print(json.dumps({
        "gigabytes": gigabytes, "warm": warm / gigabytes, "busy": busy / gigabytes,
        "cold": cold / gigabytes, "warm_share": reading / warm,
        "cold_share": cold_reading / cold, "reading": gigabytes / reading, "cold_reading": gigabytes / cold_reading,
    }))  # fmt: skip


def read(folder: Path) -> float:
    """Seconds to read the files of the folder from front to back."""
    buffer = bytearray(1 << 20)
    started = time.perf_counter()
    for path in sorted(folder.iterdir()):
        with path.open("rb", buffering=0) as file:
            while file.readinto(buffer):
                pass
    return time.perf_counter() - started


def drop(folder: Path) -> None:
    """Takes the files out of the machine's cache."""
    from rosenblatt.data.maps import MAPS

    MAPS.release()
    for path in folder.iterdir():
        with path.open("rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--train"]:
        train(*sys.argv[2:4])
    elif sys.argv[1:2] == ["--passes"]:
        time_passes(Path(sys.argv[2]), sys.argv[3])
    else:
        asked = [float(word) for word in sys.argv[1:] if word[0] != "-"] or SIZES
        alone(lambda folder, quick: measure(folder, quick, asked))
