"""Reading and encoding, side by side with scikit-learn, in one run: python benchmarks/reading.py [DATA] [--quick]

Each figure is the median over interleaved repeats, so that a busy machine slows both sides down alike.
"""

from __future__ import annotations

import os
import resource
import statistics
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
from sklearn.datasets import load_svmlight_file
from sklearn.feature_extraction.text import CountVectorizer

from rosenblatt.data import read
from rosenblatt.features import TextSettings
from rosenblatt.features.textlearner import learn_text

REPEATS = 7
MAILS = 100_000
BATCH = 1_000


def interleaved(**runs: Callable[[], object]) -> dict[str, float]:
    """The median seconds of each run; one round before the first repeat compiles and fills caches."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for repeat in range(REPEATS + 1):
        for name, run in runs.items():
            start = time.perf_counter()
            run()
            if repeat:
                times[name].append(time.perf_counter() - start)
    return {name: statistics.median(taken) for name, taken in times.items()}


def report(what: str, seconds: dict[str, float], megabytes: float, aims: dict[str, float]) -> None:
    peer = seconds["scikit-learn"]
    print(f"{what} ({megabytes:.1f} MB)")
    for name, taken in seconds.items():
        aim = f"   aim {aims[name]:g}×" if name in aims else ""
        print(f"  {name:<24} {taken * 1000:8.1f} ms  {megabytes / taken:7.1f} MB/s  {peer / taken:6.1f}×{aim}")


def svmlight(data: Path) -> None:
    for name in ("libsvm/news20", "libsvm/a9a", "reuters-acq/train.dat"):
        path = data / name
        seconds = interleaved(
            **{
                "scikit-learn": lambda path=path: load_svmlight_file(str(path)),
                "rosenblatt": lambda path=path: read(path),
            }
        )
        report(f"svmlight, {name}", seconds, path.stat().st_size / 1e6, {"rosenblatt": 10})


def words(data: Path, folder: Path) -> None:
    with tarfile.open(data / "20news-bydate.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    texts = read(folder / "20news-bydate-train").columns["text"].to_pylist()

    def ours(threads: int) -> object:
        return learn_text("text", pa.chunked_array([pa.array(texts, pa.large_string())]), TextSettings(), threads)

    seconds = interleaved(
        **{
            "scikit-learn": lambda: CountVectorizer(binary=True).fit_transform(texts),
            "rosenblatt, 1 thread": lambda: ours(1),
            "rosenblatt, 2 threads": lambda: ours(2),
        }
    )
    size = sum(len(text.encode()) for text in texts) / 1e6
    report("words, 20 newsgroups", seconds, size, {"rosenblatt, 1 thread": 8, "rosenblatt, 2 threads": 15})


def mails(data: Path, folder: Path, most: int) -> None:
    """Reads SpamAssassin's messages again and again, in batches, from one large mbox."""
    with tarfile.open(data / "spamassassin.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    messages = [path.read_bytes() for path in sorted((folder / "spamassassin").rglob("*")) if path.is_file()]
    box = folder / "all.mbox"
    with box.open("wb") as stream:
        for number in range(most):
            stream.write(b"From someone Mon Jan  1\n")
            stream.write(messages[number % len(messages)].replace(b"\n\nFrom ", b"\n\n>From "))
            stream.write(b"\n\n")
    del messages
    done, start, resident = 0, time.perf_counter(), []
    for table in read(box, batches=BATCH, labelled=False):
        done += table.n_rows
        resident.append(resident_megabytes())
    taken, tenth = time.perf_counter() - start, max(1, len(resident) // 10)
    early, late = max(resident[: 2 * tenth]), max(resident[-2 * tenth :])
    print(
        f"mail in batches of {BATCH}: {done} messages, {box.stat().st_size / 1e6:.0f} MB, {done / taken:.0f} messages/s"
    )
    print(f"  most memory in the first fifth {early:.0f} MB, in the last {late:.0f} MB: {late - early:+.0f} MB   aim 0")


def resident_megabytes() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def main() -> None:
    given = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    default = os.environ.get("ROSENBLATT_DATA", Path(__file__).parent.parent.parent / "shared" / "data")
    data = Path(given[0] if given else default)
    if not data.is_dir():
        sys.exit(f"no real data in {data}; set ROSENBLATT_DATA to its folder")
    print(f"{len(os.sched_getaffinity(0))} processors, load {os.getloadavg()[0]:.1f} when started")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        mails(data, folder, MAILS // 20 if "--quick" in sys.argv else MAILS)
        svmlight(data)
        words(data, folder)


if __name__ == "__main__":
    main()
