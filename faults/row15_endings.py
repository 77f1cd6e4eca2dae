"""How processes end: each command in a process of its own, with errors late in large files and with signals."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

import rosenblatt
from faults.large_files import FORMS, LATE, MEGABYTE, content, packed
from faults.outcome import Outcome, generator
from faults.signals import ENDING
from rosenblatt.data.cache import BUILDING, PLACE

NUMBER = 15
FAULT = (
    "every command × an error (missing columns, no label, a bad row or another type at the end, damaged gzip, zstd or "
    "Parquet, an output that is full or closed) × files of 10 to 100 MB × signals (INT, TERM, HUP, QUIT)"
)
PROMISE = "ends with its code and its one line, within 600 s; no temporary file and no half of an output is left"
SHORT, FULL = 6, 1_000
FOUND = [
    "TERM, HUP and QUIT left the copy of standard input and the half of an output (data/source.py, cli/signals.py).",
    "A signal that came while the compiler called Python was lost, and the command went on (cli/signals.py).",
]
SIZES = (10, 30, 100)  # megabytes of a file, before it is packed
LIMIT = 600.0  # seconds
AT_A_TIME = 2
READING = 0.5  # of the signals come while standard input is read, the others at some moment of the work
# By command: what stands before the data, and the faults of the data that are errors to it.
COMMANDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "train": (("--quiet", "--label", "label", "--model", "perceptron", "--passes", "2", "--out", "{out}"), ("label",)),
    "predict": (("{model}", "--out", "{out}"), ("columns",)),
    "evaluate": (("{model}",), ("columns", "label")),
    "explain": (("{model}",), ("columns",)),
    "update": (("{model}", "--out", "{out}"), ("columns", "label")),
    "prove": (("--label", "label", "--out", "{out}"), ("label",)),
    "trace": (("--label", "label", "--to", "csv", "--out", "{out}"), ("label",)),
    "check": (("{certificate}",), ("label",)),
}
ENDS = ("row", "damaged")  # faults of the data that are errors to every command that reads all of it


@dataclass(frozen=True)
class Ending:
    """A command and what befalls it."""

    command: str
    fault: str
    form: str

    def __str__(self) -> str:
        return f"{self.command}, {self.fault}, {self.form}"


def endings() -> Iterator[Ending]:
    """All of them, but for those that are no error to this command or in this form."""
    for command, (words, faults) in COMMANDS.items():
        for form in FORMS:
            found = [*faults, *(("damaged",) if form.startswith("parquet") else ENDS)]
            if form.startswith("jsonl") or command in ("predict", "evaluate", "update"):
                found.append("type")
            if form in ("csv", "jsonl"):
                found.remove("damaged")  # nothing tells that a byte of a plain text was another
            if command == "explain":  # which reads no further than its row
                found = ["columns"]
            yield from (Ending(command, each, form) for each in found)
        yield from (Ending(command, name, "csv") for name in ENDING)
        if "{out}" in words:
            yield Ending(command, "a full output", "csv")
    yield from (Ending("predict", fault, form) for fault in ("a closed pipe", "a full output") for form in FORMS)


def run(cases: int, seed: int) -> Outcome:
    outcome, draw, every = Outcome(), generator(seed, NUMBER), list(endings())
    draw.shuffle(every)
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(AT_A_TIME) as pool:
        base = Path(name)
        _models(base)
        asked = [
            pool.submit(_try, one, base, number, 2 if cases < FULL else draw.choice(SIZES), draw.random())
            for number, one in enumerate(islice(cycle(every), cases))
        ]
        for each in asked:
            outcome.add(each.result())
    outcome.measured["kinds of ending"] = len(every)
    return outcome


def _models(base: Path) -> None:
    """A model and a certificate of a few rows, which have the columns of the large files."""
    data = base / "data.csv"
    data.write_bytes(content("csv", 0, None))
    rosenblatt.save(rosenblatt.train(str(data), label="label", model="perceptron", passes=2), base / "m.rosenblatt")
    (base / "c.json").write_text(rosenblatt.prove([[1, 2], [2, 1], [3, 1]], ["x", "y", "y"]).to_json())


def _try(one: Ending, base: Path, number: int, size: int, moment: float) -> Outcome:
    """The process, and what it left."""
    outcome, folder = Outcome(), base / str(number)
    for name in ("temporary", "cache", "out"):
        (folder / name).mkdir(parents=True)
    late = one.fault in (*LATE, "columns", "label", "damaged")
    whole = size if late or one.command == "predict" else 2  # the others work through all rows before they fail
    data = folder / f"data.{one.form}"
    data.write_bytes(packed(content(one.form, whole * MEGABYTE, one.fault), one.form, one.fault == "damaged"))
    words, _ = COMMANDS[one.command]
    out = (
        "/dev/full" if one.fault == "a full output" else "-" if one.fault == "a closed pipe" else str(folder / "out/o")
    )
    places = {"model": base / "m.rosenblatt", "certificate": base / "c.json", "out": out}
    given = "-" if one.fault in ENDING else str(data)
    options = [word.format(**places) for word in words]
    first = options[:1] if words[0].startswith("{") else []
    line = [sys.executable, "-m", "rosenblatt", one.command, *first, given, *options[len(first) :]]
    environment = {**os.environ, "TMPDIR": str(folder / "temporary"), PLACE: str(folder / "cache")}
    code, said = _ended(line, environment, folder, data, one, moment)
    _look(one, code, said, moment, folder, outcome)
    shutil.rmtree(folder)
    return outcome


def _ended(
    line: list[str], environment: dict[str, str], folder: Path, data: Path, one: Ending, moment: float
) -> tuple[int, str]:
    """The code of the process, -9 if it had to be killed, and what it said."""
    signalled = one.fault in ENDING
    printed = os.open(folder / "printed", os.O_WRONLY | os.O_CREAT)
    if one.fault == "a closed pipe":
        os.close(printed)
        reader, printed = os.pipe()
        os.close(reader)
    with (folder / "said").open("wb") as said, subprocess.Popen(
        line, stdin=subprocess.PIPE if signalled else subprocess.DEVNULL, stdout=printed, stderr=said, env=environment
    ) as process:  # fmt: skip
        os.close(printed)
        hang = threading.Timer(LIMIT, process.kill)  # writing to a process that hangs would hang too
        hang.start()
        if signalled:
            _signal(process, data.read_bytes(), getattr(signal, one.fault), moment)
        code = process.wait()
        hang.cancel()
    return code, (folder / "said").read_text(errors="replace")


def _signal(process: subprocess.Popen[bytes], text: bytes, number: int, moment: float) -> None:
    """Gives the process its input, or a part of it, and the signal."""
    assert process.stdin is not None
    reading = moment < READING
    try:
        process.stdin.write(text[: MEGABYTE if reading else None])  # a pipe holds less: most of it was read after this
        process.stdin.flush()
        if not reading:
            process.stdin.close()
            time.sleep(2 * (moment - READING))
    except BrokenPipeError:
        with suppress(BrokenPipeError):
            process.stdin.close()
    process.send_signal(number)


def _look(one: Ending, code: int, said: str, moment: float, folder: Path, outcome: Outcome) -> None:
    lines = [line for line in said.split("\n") if line.strip()]
    if one.fault in ENDING:
        number = getattr(signal, one.fault)
        good = code == 128 + number and lines[-1:] == ["rosenblatt: stopped."]
        # A signal may find the work done, and one that finds the interpreter ending ends it at once.
        good |= moment >= READING and code in (0, 1, -number) and len(lines) <= 1
    elif one.fault == "a closed pipe":
        good = code == 1 and not lines
    else:
        good = code == 1 and len(lines) == 1 and lines[0].startswith("rosenblatt: ")
    outcome.case(good and "mistake in rosenblatt" not in said, f"{one}: {code}, {said[-300:]!r}")
    left = [path.name for path in (folder / "temporary").iterdir()]
    left += [path.name for path in (folder / "cache").rglob(f"{BUILDING}*")]
    # A signal may come when the output is there, whole.
    left += [path.name for path in (folder / "out").iterdir() if path.name != "o" or one.fault not in ENDING]
    outcome.case(not left, f"{one}: {code}, left {left}")
