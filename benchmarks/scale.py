"""Data larger than memory: peak resident size, seconds per gigabyte and pass, and the speed of a pass from the disk.

For svmlight rows of about 100 values and for a dense Parquet twin, from 0.5 to 4 GB: train with --memory 512MB in a
process of its own and read its peak resident size; then time passes over the shards that the training left, with the
pages in the machine's cache and after they were dropped from it, against reading the same files from front to back.
"busy" is the time of the processor, which other programs disturb less than the clock's.

    python benchmarks/scale.py [gigabytes …]        ROSENBLATT_BENCH_FOLDER says where 30 GB may be written
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SIZES = (0.5, 1.0, 2.0, 4.0)
MEMORY = "512MB"
LIMIT = 1e9  # bytes of peak resident size
STEADY = 0.15  # seconds per GB and pass differ by no more
HALF = 0.5  # of the speed of reading
PASSES = 5


def main() -> int:
    sizes = [float(word) for word in sys.argv[1:]] or list(SIZES)
    good = True
    home = os.environ.get("ROSENBLATT_BENCH_FOLDER")
    with tempfile.TemporaryDirectory(prefix="rosenblatt-scale-", dir=home) as name:
        for form in ("svmlight", "parquet"):
            print(f"\n{form}")
            heads = (
                "GB",
                "shards",
                "train s",
                "peak MB",
                "s/GB warm",
                "s/GB busy",
                "s/GB cold",
                "pass/read warm",
                "pass/read cold",
            )
            print(" ".join(f"{head:>{max(8, len(head))}}" for head in heads))
            found = []
            for size in sizes:
                result = measure(Path(name), form, size)
                found.append(result)
                shown = (size, *(result[name] for name in ("gigabytes", "seconds")), result["peak"] / 1e6)
                shown += tuple(result[name] for name in ("warm", "busy", "cold", "warm_share", "cold_share"))
                cells = zip(heads, shown, strict=True)
                print(" ".join(f"{value:>{max(8, len(head))}.3g}" for head, value in cells), flush=True)
            good &= verdict("peak resident size below 1 GB", max(r["peak"] for r in found) < LIMIT)
            spread = max(r["warm"] for r in found) / min(r["warm"] for r in found) - 1
            good &= verdict(f"seconds per GB constant within 15% ({spread:.0%})", spread <= STEADY)
            share = min(r["cold_share"] for r in found)
            good &= verdict(f"a pass reads at least half as fast as the disk ({share:.2f})", share >= HALF)
    return 0 if good else 1


def verdict(what: str, holds: bool) -> bool:
    print(f"{'holds' if holds else 'FAILS'}: {what}")
    return holds


def measure(folder: Path, form: str, size: float) -> dict[str, float]:
    """Makes the data, trains on it in a process of its own, and removes both."""
    import shutil

    from scale_data import write_parquet, write_svmlight

    source, place = folder / f"data.{form}", folder / "cache"
    (write_svmlight if form == "svmlight" else write_parquet)(source, int(size * 1e9))
    try:
        done = subprocess.run(
            [sys.executable, __file__, "--train", str(source)],
            env={**os.environ, "ROSENBLATT_CACHE": str(place)},
            stdout=subprocess.PIPE,
            check=True,
        )
        peak = json.loads(done.stdout.splitlines()[-1])
        timed = subprocess.run(
            [sys.executable, __file__, "--passes", str(place)], stdout=subprocess.PIPE, check=True, env=os.environ
        )
        return {**peak, **json.loads(timed.stdout.splitlines()[-1])}
    finally:
        source.unlink()
        shutil.rmtree(place, ignore_errors=True)


def train(source: str) -> None:
    """Trains as the command line does, and prints seconds and the peak resident size."""
    import re

    from rosenblatt.cli import main as command

    started = time.perf_counter()
    fixed = ["--model", "perceptron", "--margin", "0", "--passes", "2", "--out", os.devnull, "--quiet"]
    try:
        command(["train", source, "--memory", MEMORY, *fixed])
    except SystemExit as end:
        if end.code:
            raise
    # Not ru_maxrss: a process begins with that of the one that started it.
    peak = 1024 * int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1])
    print(json.dumps({"seconds": time.perf_counter() - started, "peak": peak}))


def time_passes(place: Path) -> None:
    """Times passes over the largest shards in the cache, averages included, and reading them."""
    import numpy as np

    from rosenblatt.data.cache import read_about
    from rosenblatt.data.maps import at_most
    from rosenblatt.data.memory import parse_size
    from rosenblatt.data.rowfile import load_rows
    from rosenblatt.learn.ondisk import ProblemOnDisk
    from rosenblatt.learn.rules.mistakes import Mistakes
    from rosenblatt.learn.shards import Turn, Vectors, visit_shard
    from rosenblatt.loops.order import key_of, pass_order
    from rosenblatt.loops.rows import n_bytes, n_features, n_rows

    folder = max(place.glob("*/made-*/order-*"), key=lambda path: sum(file.stat().st_size for file in path.iterdir()))
    with at_most(parse_size(MEMORY)):
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
        train(sys.argv[2])
    elif sys.argv[1:2] == ["--passes"]:
        time_passes(Path(sys.argv[2]))
    else:
        raise SystemExit(main())
