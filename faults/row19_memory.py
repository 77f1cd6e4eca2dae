"""Memory that runs out: allocations of the Python layer that fail, and processes that may have little memory."""

from __future__ import annotations

import faulthandler
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from faults.apart import limit_memory
from faults.child import ended, started
from faults.outcome import Outcome, generator
from faults.write_cases import Case, cases, streaming
from faults.write_runs import Healthy, files_in, healthy, remove, warm
from rosenblatt.cli.signals import end_in_order
from rosenblatt.cli.streams import prepare
from rosenblatt.errors import LAST_WORDS

NUMBER = 19
FAULT = (
    "every command when memory runs out: one to fifty allocations of Python fail at any point; a process may have "
    "64 kB to 256 MB more than it has; or 32 MB to 2 GB from its start"
)
PROMISE = (
    "the right result, or code 1 and one line that says that memory ran out; outputs are old or whole, and at most a "
    "hidden part of one is left, which the next run removes. What a library in C ends, and what it or Python "
    "itself forgets to tell, is counted apart"
)
SHORT, FULL = 40, 3_000
FOUND = [
    "A command that could not be loaded for want of memory ended in a traceback; a library that could not, or a thread "
    "that could not be started, in a mistake of our own (__main__.py, cli/__init__.py).",
    "A lock that Python or its reader of files could not allocate was called a mistake of our own, and a thread that "
    "could not begin was told of after ten seconds where the signal came just before the main thread waited "
    "(cli/__init__.py, cli/signals.py).",
    "A message of which memory ran out while it was parsed was taken for an empty one (data/mail.py).",
    "Nobody was told of a thread that ended for want of memory, or had none to begin, and the command waited for ever; "
    "one that still waits is ended ten seconds later (cli/signals.py).",
    "Python's pool of threads keeps a lock, or loses a thread without a word, where five allocations in a row fail, "
    "and the command waited for ever (loops/threads.py).",
    "Memory that ran out while wrong usage was told, or in a destructor, ended in a traceback (cli/).",
]
HOOKS: Any = import_module("_testcapi") if find_spec("_testcapi") else None  # of an interpreter with its test modules
SHARES = {"allocations": 75 if HOOKS else 0, "room": 24, "start": 1}  # of a hundred
IN_A_ROW = (1, 1, 5, 50)  # allocations that fail
KILOBYTE, MEGABYTE = 1 << 10, 1 << 20
LIMIT = 60.0  # seconds, to end a hang
FEW = 8  # cases of a short run
COUNTED = 100  # cases of a run in which single allocations fail
LINE = re.compile(r"rosenblatt: .*memory.*", re.I)
# How a library in C ends in Python where it forgot to say that it had no memory; how Python's own search for packages
# does, which takes a folder that it has no memory to list for an empty one; its calls of the system, to which an
# object looks as if it lacked what there was no memory to look up; and Arrow, which takes a value that it had no memory
# to make something of for one of a type that it does not know.
FORGOTTEN = re.compile(
    r"rosenblatt: a mistake in rosenblatt itself \((SystemError: |PackageNotFoundError: |"
    r"TypeError: Got unexpected argument type <class '\w+'> for compute function|"
    r"TypeError: \w+: path should be string|"
    r"TypeError: expected str, bytes or os.PathLike object|AttributeError: '\w+' object has no attribute '__class__').*"
)
LOADING = re.compile("in create_module|in exec_module|in dlopen|_load_library")  # a library that is being loaded
OF_BLAS = re.compile("OpenBLAS|^rosenblatt: stopped", re.M)  # it ends the process, or sends it SIGINT
PANIC = "pyo3_runtime.PanicException"  # of a library in Rust, which is no Exception of Python
STARTS = (
    ("train", "{data}", "--model", "perceptron", "--passes", "2", "--quiet", "--out", "{folder}/m.rosenblatt"),
    ("predict", "{model}", "{data}", "--out", "{folder}/p.csv"),
    ("inspect", "{model}"), ("trace", "notes"), ("--help",),
)  # fmt: skip


def run(count: int, seed: int) -> Outcome:
    outcome, draw = Outcome(), generator(seed, NUMBER)
    ends = dict.fromkeys(("right", "told", "ended in C", "forgotten below us"), 0)
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        (base / "inputs").mkdir()
        every = [case for case in cases(base / "inputs") if case.warm and not case.library]
        every += streaming(base / "inputs")
        chosen = draw.sample(every, FEW) if count < FULL else every
        wells = [_well(case, base) for case in chosen]
        # Which allocation is the n-th differs from machine to machine: what a test finds there, another does not.
        counted = HOOKS if count >= COUNTED else None
        most = {well.case.name: _allocations(well, base) for well in wells} if counted else {}
        for number in range(count * SHARES["allocations"] // 100 if counted else 0):
            well = wells[number % len(wells)]
            _few_allocations(well, draw, most[well.case.name], base, ends, outcome)
        for number in range(count * SHARES["room"] // 100):
            _little_room(wells[number % len(wells)], draw, base, ends, outcome)
        for number in range(count * SHARES["start"] // 100):
            _small_start(STARTS[number % len(STARTS)], draw, base, ends, outcome)
    outcome.measured |= {"cases": len(chosen), **{f"{name}, share": n / count for name, n in ends.items()}}
    return outcome


def _well(case: Case, base: Path) -> Healthy:
    warm(case, base)
    case.prepare(base / "folder")
    code, _ = _run(case, base, lambda: None)
    found = healthy(case, code, base / "printed", base / "folder")
    remove(base / "folder")
    return found


def _run(case: Case, base: Path, arm: Callable[[], object]) -> tuple[int, str]:
    """The case in a child that is armed first; its code and what it said."""

    def call() -> None:
        prepare()
        end_in_order()
        faulthandler.register(signal.SIGALRM, 2, chain=True)  # where it stands if it hangs
        try:
            try:
                arm()
                case.call(base / "folder")
            finally:
                if HOOKS:  # what fails from here on would be the harness
                    HOOKS.remove_mem_hooks()
        except MemoryError:  # as `python -m rosenblatt` does
            os.write(2, LAST_WORDS)
            os._exit(1)

    child = started(call, base / "printed", base / "said", case.given or os.devnull)
    return ended(child, LIMIT), (base / "said").read_text(errors="replace")


def _allocations(well: Healthy, base: Path) -> int:
    """About how many the case makes: from so many on nothing fails any more."""
    for power in range(12, 40):
        well.case.prepare(base / "folder")
        code, _ = _run(well.case, base, partial(HOOKS.set_nomemory, 1 << power, (1 << power) + 50))
        same = well.equals(code, base / "printed", base / "folder")
        remove(base / "folder")
        if same:
            return 1 << power
    raise AssertionError(f"{well.case.name} never ends well")


def _few_allocations(
    well: Healthy, draw: random.Random, most: int, base: Path, ends: dict[str, int], outcome: Outcome
) -> None:
    first, row = draw.randrange(1, most), draw.choice(IN_A_ROW)
    what = f"{row} allocations from {first}"
    _try(well, lambda: HOOKS.set_nomemory(first, first + row), what, base, ends, outcome)


def _little_room(well: Healthy, draw: random.Random, base: Path, ends: dict[str, int], outcome: Outcome) -> None:
    room = int(64 * KILOBYTE * 4096 ** draw.random())
    _try(well, lambda: limit_memory(room), f"{room >> 10} kB of room", base, ends, outcome)


def _try(
    well: Healthy, arm: Callable[[], object], what: str, base: Path, ends: dict[str, int], outcome: Outcome
) -> None:
    case, folder = well.case, base / "folder"
    case.prepare(folder)
    before = files_in(folder)
    code, said = _run(case, base, arm)
    same = well.equals(code, base / "printed", folder)
    _judge(same, code, said, f"{case.name}, {what}", ends, outcome)
    if case.keeps:
        again, _ = _run(case, base, lambda: None)
        same = well.equals(again, base / "printed", folder)
        outcome.case(same, f"{case.name}, {what}: the next run ended with {again}, or with another model")
    else:
        wrong = [name for name in well.spoilt(before, files_in(folder)) if not _is_part(name)]
        outcome.case(not wrong, f"{case.name}, {what}: {code}, left {wrong}")
    remove(folder)


def _is_part(name: str) -> bool:
    """What a process leaves that has no memory to remove it, or was ended; the next one removes it (row 1)."""
    return Path(name).name.startswith(".")


def _judge(same: bool, code: int, said: str, what: str, ends: dict[str, int], outcome: Outcome) -> None:
    lines = [line for line in said.splitlines() if line.startswith("rosenblatt: ")]
    told = code == 1 and len(lines) == 1 and LINE.fullmatch(lines[0]) is not None and "Traceback" not in said
    in_c = code < 0 and code != -signal.SIGALRM
    forgotten = code == 1 and len(lines) == 1 and FORGOTTEN.fullmatch(lines[0]) is not None
    forgotten |= PANIC in said
    for name, holds in zip(ends, (same, told and not same, in_c, forgotten), strict=True):
        ends[name] += holds
    outcome.case(same or told or in_c or forgotten, f"{what}: {code}, {said[-300:]!r}")


def _small_start(
    words: tuple[str, ...], draw: random.Random, base: Path, ends: dict[str, int], outcome: Outcome
) -> None:
    """A process of its own, which loads all its libraries within the limit."""
    folder, most = base / "folder", int(32 * MEGABYTE * 64 ** draw.random())
    folder.mkdir()
    inputs = {"data": base / "inputs" / "data.csv", "model": base / "inputs" / "model.rosenblatt", "folder": folder}
    with (base / "said").open("w+b") as stream, subprocess.Popen(
        [sys.executable, "-X", "faulthandler", "-m", "rosenblatt", *(word.format(**inputs) for word in words)],
        stdout=subprocess.DEVNULL, stderr=stream,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most)),
    ) as process:  # fmt: skip
        try:
            code = process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGABRT)  # it shows where it stands
            code = process.wait()
    said = (base / "said").read_text(errors="replace")
    frames = [line for line in said.splitlines() if line.startswith("  File ")]
    in_c = bool(LOADING.search(frames[0])) if code == -signal.SIGABRT and frames else bool(OF_BLAS.search(said))
    what = f"{words[0]} within {most >> 20} MB"
    _judge(code == 0, -signal.SIGABRT if in_c else code, said, what, ends, outcome)
    left = sorted(path.name for path in folder.iterdir())
    wanted = [Path(word).name for word in words if word.startswith("{folder}")] if code == 0 else []
    outcome.case(left == wanted or code < 0, f"{what}: left {left}")
    remove(folder)
