"""Inputs that make careless programs slow or large: time must grow in step with the input, memory must not."""

from __future__ import annotations

import gzip
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import rosenblatt
from faults.apart import Apart, apart
from faults.outcome import Outcome
from rosenblatt.data import read
from rosenblatt.features import TextSettings, Wishes

NUMBER = 8
FAULT = (
    "1 MB of one letter, of spaces, of combining marks; a line of 100 MB; 10⁵ header lines; 1,000 nested MIME parts; "
    "a gzip of 10 GB of zeros"
)
PROMISE = "linear time (doubling the input at most 2.3 times the time), capped memory"
SHORT, FULL = 3, 100  # hundredths of the sizes above, each of them and its double
FOUND = [
    "A compressed svmlight file was unpacked whole before it was read, whatever it unpacks to (data/svmlight.py).",
    "To say what is wrong with JSON lines, a line without an end was read whole (data/columnar.py).",
    "A compressed Parquet or Arrow file was unpacked before its first bytes were looked at, and without a limit "
    "(data/columnar.py).",
    "First lines of a CSV file were copied several times on the way to their limit of 256 MB; a CSV file that is read "
    "block by block had no limit for a row at all (data/csv.py, data/csvtext.py).",
    "JSON lines with a mistake and mbox files could not be read if compressed by zstd: its stream knows no lines "
    "(data/source.py).",
]
GROWTH = 2.3
NOISE = 0.25  # seconds of the processor below which the noise of a machine is larger than what is measured
REPEATS = 3
ROOM = 2 * 2**30  # bytes of addresses that a call may take, so that a defect does not take the machine along
MEGABYTES = 1500.0  # beyond the input itself, for the largest of the inputs: some copies of a line of 100 MB


def run(cases: int, seed: int) -> Outcome:
    """Each input in its size and in the double of it. Refusing is fine; being slow about it is not."""
    outcome, part = Outcome(), cases / FULL
    words = Wishes(words=TextSettings(capitals=True, pairs=True, stems="english", weight="counts"))
    model = rosenblatt.train("mail", model="perceptron", passes=1, wishes=words)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for what, letters in TEXTS.items():
            _grows(
                outcome, f"1 MB of {what}", int(part * 2**20), lambda n, s=letters: _predict(model, s * (n // len(s)))
            )
        for what, make in FILES.items():
            size = SIZES[what]
            _grows(outcome, what, max(1, int(part * size)), lambda n, m=make: m(folder, n))
        for ending, how in ZEROS:
            found = apart(_zeros(folder, ending, int(part * 10_000), **how), limit=300, room=ROOM)
            outcome.case(found.ending == "refused", f"zeros{ending} {how}: {found.ending} {found.said}")
            outcome.case(found.megabytes < ZERO_MEGABYTES, f"zeros{ending} {how}: {found.megabytes:.0f} MB")
            outcome.largest("zeros, MB", found.megabytes)
            outcome.largest("zeros, s", found.seconds)
    return outcome


TEXTS = {
    "one letter": "a",
    "spaces": " ",
    "combining marks": "e\u0301\u0302\u0323",
    "capitals": "A ",
    "İ": "İ",
    "ß": "ß ",
}
SIZES = {"a line of 100 MB": 100 * 2**20, "100,000 header lines": 100_000, "1,000 nested parts": 1_000,
         "100,000 commas": 100_000, "1 MB of quotes": 2**20, "1 MB of digits": 2**20}  # fmt: skip


def _grows(outcome: Outcome, what: str, size: int, work: Callable[[int], Callable[[], Any]]) -> None:
    """The time of the double is at most GROWTH times that of the single; the best of some repeats each."""
    best: list[float] = []
    for n in (size, 2 * size):
        call = work(n)
        tries: list[Apart] = [apart(call, limit=120, room=ROOM) for _ in range(REPEATS)]
        bad = [each for each in tries if each.ending not in ("done", "refused")]
        outcome.case(not bad, f"{what}, {n}: {bad[0].ending if bad else ''} {bad[0].said if bad else ''}")
        best.append(min(each.seconds for each in tries))
        largest = max(each.megabytes for each in tries)
        outcome.case(largest < MEGABYTES, f"{what}, {n}: {largest:.0f} MB")
        outcome.largest("largest, MB", largest)
    ratio = best[1] / max(best[0], NOISE)
    outcome.case(ratio <= GROWTH, f"{what}: {best[0]:.2f} s, double {best[1]:.2f} s")
    outcome.largest("double the input, times", ratio)


def _predict(model: Any, text: str) -> Callable[[], Any]:
    return lambda: model.predict([text])


def _written(path: Path, content: bytes, **how: Any) -> Callable[[], Any]:
    path.write_bytes(content)
    return lambda: read(path, labelled=False, **how)


def _line(folder: Path, n: int) -> Callable[[], Any]:
    return _written(folder / "line.csv", b"text,label\n" + b"word " * (n // 5) + b",a\nx,b\n")


def _headers(folder: Path, n: int) -> Callable[[], Any]:
    lines = b"".join(b"X-Number-%d: value\n" % i for i in range(n))
    return _written(folder / "one.eml", b"From: a@b\n" + lines + b"Subject: s\n\nbody\n", format="mail")


def _nested(folder: Path, n: int) -> Callable[[], Any]:
    opening = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(n))
    return _written(
        folder / "two.eml", b"From: a@b\n" + opening + b"Content-Type: text/plain\n\nhello\n", format="mail"
    )


def _commas(folder: Path, n: int) -> Callable[[], Any]:
    names = b",".join(b"c%d" % i for i in range(n))
    return _written(folder / "wide.csv", names + b"\n" + b",".join([b"1"] * n) + b"\n")


def _quotes(folder: Path, n: int) -> Callable[[], Any]:
    return _written(folder / "quotes.csv", b'a,b\n"' + b'""' * (n // 2) + b'",2\n')


def _digits(folder: Path, n: int) -> Callable[[], Any]:
    return _written(folder / "digits.svm", b"1 1:0." + b"7" * n + b"\n", format="svmlight")


FILES = {"a line of 100 MB": _line, "100,000 header lines": _headers, "1,000 nested parts": _nested,
         "100,000 commas": _commas, "1 MB of quotes": _quotes, "1 MB of digits": _digits}  # fmt: skip


ZERO_MEGABYTES = 500.0
ZEROS: list[tuple[str, dict[str, Any]]] = [
    (".csv.gz", {}), (".csv.gz", {"format": "csv"}), (".svm.gz", {"format": "svmlight"}),
    (".jsonl.gz", {"format": "jsonl"}),
    (".mbox.gz", {"format": "mbox", "labelled": False}), (".gz", {}), (".gz", {"format": "idx"}),
    (".gz", {"format": "parquet"}),
]  # fmt: skip


def _zeros(folder: Path, ending: str, megabytes: int, **how: Any) -> Callable[[], Any]:
    """A gzip of so many megabytes of zeros: a file may be many gzips, one after the other."""
    path = folder / f"zeros{ending}"
    path.write_bytes(gzip.compress(bytes(10 * 2**20)) * max(1, megabytes // 10))
    return lambda: read(path, **how)
