"""Inputs that make careless programs slow or large: time must grow in step with the input, memory must not."""

from __future__ import annotations

import contextlib
import cProfile
import gzip
import math
import tempfile
import time
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import rosenblatt
from faults import results
from faults.apart import Apart, apart
from faults.growing import FAMILIES, GROWING, Growing, trained
from faults.outcome import Outcome, generator
from rosenblatt.data import read
from rosenblatt.errors import RosenblattError
from rosenblatt.features import TextSettings, Wishes

NUMBER = 8
FAULT = (
    "1 MB of one letter, of spaces, of combining marks; a line of 100 MB; 10⁵ header lines; 1,000 nested MIME parts; "
    "a gzip of 10 GB of zeros; twice the columns, rows, files, classes or words, in every format"
)
PROMISE = "linear time (doubling the input at most 2.3 times the time), capped memory"
SHORT, FULL = 3, 100  # hundredths of the sizes above, each of them and its double
DOUBLED = {what.replace(" ", "-"): what for what in GROWING}
PART, PARTS = "part", ["letters", "long-lines", *DOUBLED, "zeros"]
FOUND = [
    "A compressed svmlight file was unpacked whole before it was read, whatever it unpacks to (data/svmlight.py).",
    "To say what is wrong with JSON lines, a line without an end was read whole (data/columnar.py).",
    "A compressed Parquet or Arrow file was unpacked before its first bytes were looked at, and without a limit "
    "(data/columnar.py).",
    "First lines of a CSV file were copied several times on the way to their limit of 256 MB; a CSV file that is read "
    "block by block had no limit for a row at all (data/csv.py, data/csvtext.py).",
    "JSON lines with a mistake and mbox files could not be read if compressed by zstd: its stream knows no lines "
    "(data/source.py).",
    "The heaviest words of each class took the square of the number of classes (model/bayes.py).",
]
GROWTH = 2.3
NOISE = 0.25  # seconds of the processor below which the noise of a machine is larger than what is measured
REPEATS = 3
SAMPLED = 1  # pair of a format and a family that the short run draws for each thing that grows
CONSTANT = 4  # where calls are counted: one in so many may be new with the size, as where rows become separable
ROOM = 2 * 2**30  # bytes of addresses that a call may take, so that a defect does not take the machine along
MEGABYTES = 1500.0  # beyond the input itself, for the largest of the inputs: some copies of a line of 100 MB


def run(cases: int, seed: int, only: list[str] | None = None) -> Outcome:
    """Each input in its size and in the double of it. Refusing is fine; being slow about it is not.

    The full run measures time, and notes each part as soon as it is done; only    these parts, done or not. The short
    one, which is a test, counts calls: they do not depend on the machine.
    """
    outcome, share, timed, draw = Outcome(), cases / FULL, cases == FULL, generator(seed, NUMBER)
    package = sorted(str(path.relative_to(results.SOURCES)) for path in results.SOURCES.rglob("*.py"))
    for part in (only or results.parts_left(NUMBER, PARTS)) if timed else PARTS:
        found, started = Outcome(), time.monotonic()
        if part == "letters":
            _letters(found, share, timed)
        elif part == "long-lines":
            _long_lines(found, share, timed)
        elif part == "zeros":
            _zeros(found, share)
        else:
            growing = GROWING[DOUBLED[part]]
            every = list(product(growing.writers, FAMILIES))
            for form, family in every if timed else draw.sample(every, min(SAMPLED, len(every))):
                _doubles(found, f"{DOUBLED[part]}, {form}, {family}", growing, form, family, timed)
        if timed:
            minutes = round((time.monotonic() - started) / 60, 1)
            results.note_part(NUMBER, part, found, minutes, seed, package)
            print(f"        {part}: {found.cases:,} cases, {len(found.broken)} broken", flush=True)
        outcome.add(found)
    return outcome


def _letters(outcome: Outcome, share: float, timed: bool) -> None:
    words = Wishes(words=TextSettings(capitals=True, pairs=True, stems="english", weight="counts"))
    model = rosenblatt.train("mail", model="perceptron", passes=1, wishes=words)
    for what, letters in TEXTS.items():
        size = int(share * 2**20)
        _grows(outcome, f"1 MB of {what}", size, lambda n, s=letters: _predict(model, s * (n // len(s))), timed)


def _long_lines(outcome: Outcome, share: float, timed: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for what, make in FILES.items():
            size = max(1, int(share * SIZES[what]))
            _grows(outcome, what, size, lambda n, m=make: m(Path(folder), n), timed)


def _zeros(outcome: Outcome, share: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for ending, how in ZEROS:
            found = apart(_packed_zeros(Path(folder), ending, int(share * 10_000), **how), limit=300, room=ROOM)
            outcome.case(found.ending == "refused", f"zeros{ending} {how}: {found.ending} {found.said}")
            outcome.case(found.megabytes < ZERO_MEGABYTES, f"zeros{ending} {how}: {found.megabytes:.0f} MB")
            outcome.largest("zeros, MB", found.megabytes)
            outcome.largest("zeros, s", found.seconds)


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


def _grows(outcome: Outcome, what: str, size: int, work: Callable[[int], Callable[[], Any]], timed: bool) -> None:
    """The time of the double is at most GROWTH times that of the single, the best of some repeats; or its calls."""
    best: list[float] = []
    for n in (size, 2 * size):
        call = work(n)
        tries: list[Apart] = [apart(call, limit=120, room=ROOM) for _ in range(REPEATS if timed else 1)]
        bad = [each for each in tries if each.ending not in ("done", "refused")]
        outcome.case(not bad, f"{what}, {n}: {bad[0].ending if bad else ''} {bad[0].said if bad else ''}")
        best.append(min(each.seconds for each in tries) if timed else min(_counted(call), _counted(call)))
        largest = max(each.megabytes for each in tries)
        outcome.case(largest < MEGABYTES, f"{what}, {n}: {largest:.0f} MB")
        outcome.largest("largest, MB", largest)
    ratio = best[1] / max(best[0], NOISE)
    unit = "s" if timed else "calls"
    outcome.case(ratio <= GROWTH, f"{what}: {best[0]:.5g} {unit}, double {best[1]:.5g} {unit}")
    outcome.largest("double the input, times", ratio)


def _doubles(outcome: Outcome, what: str, growing: Growing, form: str, family: str, timed: bool) -> None:
    """Training and predicting, for each doubling: their time, or how the calls grow beyond those of any size."""
    sizes = [(growing.timed if timed else growing.counted) * 2**k for k in range(3)]
    with tempfile.TemporaryDirectory() as folder:
        sources = growing.written(Path(folder), form, sizes)
        trained(sources[0], family).predict(sources[0])  # loads and compiles
        measure, growth = (_seconds, _times) if timed else (_calls, _more)
        found = np.array([measure(source, family) for source in sources])
        for _ in range(REPEATS - 1 if timed else 0):  # what grew too fast may have been disturbed: the least counts
            if max(map(growth, found.T)) <= GROWTH:
                break
            found = np.minimum(found, [measure(source, family) for source in sources])
    for name, works in zip(("train", "predict"), found.T, strict=True):
        ratio = growth(works)
        shown = ", ".join(f"{size:,}: {work:.4g}" for size, work in zip(sizes, works, strict=True))
        outcome.case(ratio <= GROWTH, f"{what}, {name}: {shown}")
        outcome.largest("double the data, times" if timed else "calls of double the data, times", ratio)


def _times(seconds: np.ndarray) -> float:
    """How many times as long the double takes, at most."""
    first, second, third = seconds
    return max(second / max(first, NOISE), third / max(second, NOISE))


def _more(calls: np.ndarray) -> float:
    """How the calls grow beyond those of any size."""
    first, second, third = calls
    return (third - second) / max(second - first, first / CONSTANT)


def _seconds(source: Path, family: str) -> tuple[float, float]:
    """Seconds of the processor to train and to predict; infinite where it did not end."""
    model = trained(source, family)
    training, predicting = (
        apart(call, limit=300) for call in (lambda: trained(source, family), lambda: model.predict(source))
    )
    return _ended(training), _ended(predicting)


def _ended(found: Apart) -> float:
    return found.seconds if found.ending == "done" else math.inf


def _calls(source: Path, family: str) -> tuple[float, float]:
    """How many functions are called to train and to predict."""
    model: list[Any] = []
    training = _counted(lambda: model.append(trained(source, family)))
    return training, _counted(lambda: model[0].predict(source))


def _counted(call: Callable[[], object]) -> int:
    """How many functions the call calls, whether it ends well or is refused."""
    profile = cProfile.Profile()
    with profile, contextlib.suppress(RosenblattError):
        call()
    return sum(each.callcount for each in profile.getstats())


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


def _packed_zeros(folder: Path, ending: str, megabytes: int, **how: Any) -> Callable[[], Any]:
    """A gzip of so many megabytes of zeros: a file may be many gzips, one after the other."""
    path = folder / f"zeros{ending}"
    path.write_bytes(gzip.compress(bytes(10 * 2**20)) * max(1, megabytes // 10))
    return lambda: read(path, **how)
