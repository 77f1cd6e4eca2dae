"""Two faults at once, of nine that other rows try one by one."""

from __future__ import annotations

import io
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass, field
from itertools import combinations, cycle, islice
from pathlib import Path

import rosenblatt
from faults.apart import limit_memory
from faults.child import CRASHED, ended, started
from faults.disk import WAYS, break_disk
from faults.outcome import Outcome, generator
from faults.signals import ENDING
from faults.write_cases import OLD, printed_model
from faults.write_runs import files_in, remove
from rosenblatt import cli
from rosenblatt.cli.signals import Ended, end_in_order
from rosenblatt.cli.streams import prepare
from rosenblatt.data.cache import BUILDING, PLACE
from rosenblatt.loops import kept

NUMBER = 20
FAULT = (
    "two at once of: a damaged input, a full disk, a signal, a closed pipe, a damaged compiled loop, a damaged cache "
    "of unpacked data, an output that cannot be written, another process that writes the same output, little memory"
)
PROMISE = (
    "the code of one of them and at most one line of ours, or the right result where both can be done without; the "
    "output is the old one or a whole one, nothing half-written is left. What a library in C ends is counted apart"
)
SHORT, FULL = 6, 700
FOUND = [
    "Ctrl-C while a new process loaded its libraries ended in a traceback (__main__.py).",
    "Processes that built the same entry of the cache took it from each other (data/cache.py).",
    "A digit that changed in what an entry of the cache says about itself was taken for the truth (data/cache.py).",
    "A signal while a damaged entry of the cache was being removed left half of it under another name (data/cache.py).",
]
INPUT, DISK, SIGNAL, PIPE, LOOPS, CACHE, OUTPUT, OTHER, MEMORY = FAULTS = (
    "a damaged input", "a full disk", "a signal", "a closed pipe", "a damaged loop", "a damaged cache", "no output",
    "another process", "little memory",
)  # fmt: skip
# A limit on memory is one of a process that has loaded its libraries, and a damaged loop is met by a new one.
APART = {LOOPS, MEMORY}
LIMIT = 300.0  # seconds, to end a hang
MODEL, TABLE = "o.rosenblatt", "o.csv"
BEGUN = "begun"


@dataclass
class Pair:
    """A command with two faults, and what it may end with."""

    faults: tuple[str, ...]
    words: list[str]
    out: str  # the name of its output
    number: int = 0  # of the signal
    room: int = 0  # bytes of memory
    moment: float = 0.0  # of the signal, in seconds
    environment: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        more = f" {signal.Signals(self.number).name} after {self.moment:.3f} s" if self.number else ""
        return f"{self.words[0]}, {' and '.join(self.faults)}{more}" + (f" {self.room >> 10} kB" if self.room else "")

    def codes(self) -> set[int]:
        found = {1} if {INPUT, DISK, OUTPUT, PIPE} & set(self.faults) else {0}
        if SIGNAL in self.faults:
            found.add(128 + self.number)
        if SIGNAL in self.faults and LOOPS in self.faults:  # a new process that has not begun yet
            found.add(-self.number)
        return found | ({1} if MEMORY in self.faults else set())


def pairs() -> list[tuple[str, str]]:
    return [(one, other) for one, other in combinations(FAULTS, 2) if {one, other} != APART]


def run(count: int, seed: int) -> Outcome:
    outcome, draw = Outcome(), generator(seed, NUMBER)
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        _inputs(base)
        wanted = {MODEL: printed_model(base / "inputs" / MODEL), TABLE: (base / "inputs" / TABLE).read_bytes()}
        every = pairs()
        draw.shuffle(every)
        in_c = 0
        for chosen in islice(cycle(every), count):
            in_c += _try(_drawn(chosen, base, draw), wanted, base, outcome)
    outcome.measured |= {"pairs": len(every), "ended in C": in_c}
    return outcome


def _inputs(base: Path) -> None:
    """Data, a model, a cache of its table, and what a run without a fault writes; all is loaded here meanwhile."""
    inputs = base / "inputs"
    inputs.mkdir()
    draw = random.Random(0)
    lines = [",".join(f"{draw.random():.3f}" for _ in range(4)) + f",{'ab'[number % 2]}\n" for number in range(600)]
    (inputs / "data.csv").write_text("a,b,c,d,label\n" + "".join(lines))
    (inputs / "damaged.csv").write_text("a,b,c,d,label\n" + "".join(lines) + "1,2\n")
    rosenblatt.save(rosenblatt.train(str(inputs / "data.csv"), model="perceptron", passes=2), inputs / "m.rosenblatt")
    os.environ[PLACE] = str(inputs / "cache")
    try:
        for name in (MODEL, TABLE):
            with redirect_stdout(io.StringIO()), suppress(SystemExit):
                cli.main(_words(name, "data.csv", inputs, str(inputs / name)))
    finally:
        del os.environ[PLACE]


def _words(name: str, data: str, inputs: Path, out: str) -> list[str]:
    if name == MODEL:
        options = ["--model", "perceptron", "--passes", "2", "--memory", "120kB", "--out", out]
        return ["train", str(inputs / data), *options]
    return ["predict", str(inputs / "m.rosenblatt"), str(inputs / data), "--out", out]


def _drawn(faults: tuple[str, str], base: Path, draw: random.Random) -> Pair:
    """The folder of a run, with everything that is damaged in it, and the command."""
    folder, inputs = base / "run", base / "inputs"
    for name in ("temporary", "out"):
        (folder / name).mkdir(parents=True)
    name = draw.choice((MODEL, TABLE)) if CACHE not in faults else MODEL
    (folder / "out" / name).write_bytes(OLD)
    shutil.copytree(inputs / "cache", folder / "cache")
    out = str(inputs / "data.csv" / name) if OUTPUT in faults else str(folder / "out" / name)
    words = _words(name, "damaged.csv" if INPUT in faults else "data.csv", inputs, out)
    if PIPE in faults and name == TABLE and OUTPUT not in faults:
        words[-1] = "-"
    elif PIPE not in faults and name == MODEL:
        words.append("--quiet")
    pair = Pair(faults, words, name, environment={PLACE: str(folder / "cache"), "TMPDIR": str(folder / "temporary")})
    if SIGNAL in faults:
        # Ctrl-C while the interpreter itself begins is Python's to tell of: tests/faults/test_ends_well_nets.py.
        names = [name for name in ENDING if name != "SIGINT" or LOOPS not in faults]
        pair.number, pair.moment = getattr(signal, draw.choice(names)), 0.01 + 0.3 * draw.random()
    if MEMORY in faults:
        pair.room = int((64 << 10) * 1024 ** draw.random())
    if CACHE in faults:
        _damage(draw.choice([path for path in sorted((folder / "cache").rglob("*")) if path.is_file()]), draw)
    if LOOPS in faults:
        pair.environment["NUMBA_CACHE_DIR"] = str(folder / "loops")
        _damaged_loops(folder / "loops", draw)
    return pair


def _damage(path: Path, draw: random.Random) -> None:
    content = bytearray(path.read_bytes() or b"?")
    content[draw.randrange(len(content))] ^= 1 << draw.randrange(8)
    path.write_bytes(content if draw.random() < 0.5 else content[: len(content) // 2])


def _damaged_loops(folder: Path, draw: random.Random) -> None:
    """The loops that are kept, one of them damaged."""
    there = Path(kept.folder() or "")
    place = folder / "rosenblatt" / there.name
    place.parent.mkdir(parents=True)
    shutil.copytree(there, place)
    place.chmod(0o700)
    _damage(draw.choice(sorted(place.iterdir())), draw)


def _try(pair: Pair, wanted: dict[str, bytes], base: Path, outcome: Outcome) -> bool:
    """The run and what it left; whether a library in C ended it."""
    folder = base / "run"
    children = [_started(pair, folder, "said")]
    if OTHER in pair.faults:
        quiet = Pair((), _words(pair.out, "data.csv", base / "inputs", str(folder / "out" / pair.out)), pair.out)
        quiet.environment = pair.environment
        children.append(_started(quiet, folder, "said by the other"))
    if pair.number:
        while not (folder / BEGUN).exists():  # before, nothing of ours would be there to heed it
            time.sleep(0.002)
        time.sleep(pair.moment)
        os.kill(children[0], pair.number)
    codes = [ended(child, LIMIT) for child in children]
    said = (folder / "said").read_text(errors="replace")
    lines = [line for line in said.splitlines() if line.startswith("rosenblatt: ")]
    in_c = MEMORY in pair.faults and codes[0] < 0 and codes[0] != -signal.SIGALRM
    good = codes[0] in pair.codes() and "Traceback" not in said and "mistake in rosenblatt" not in said
    told = len(lines) == (codes[0] > 0) or (PIPE in pair.faults and not lines)
    over = pair.number and codes[0] == CRASHED and not said  # the signal came to the child when its command had ended
    outcome.case(in_c or over or (good and told), f"{pair}: {codes[0]}, {said[-300:]!r}")
    outcome.case(codes[1:] in ([], [0]), f"{pair}: the other process ended with {codes[1:]}")
    _look(pair, codes, wanted, folder, in_c, outcome)
    remove(folder)
    return in_c


def _look(pair: Pair, codes: list[int], wanted: dict[str, bytes], folder: Path, in_c: bool, outcome: Outcome) -> None:
    content = (folder / "out" / pair.out).read_bytes()
    new = content != OLD and (printed_model(folder / "out" / pair.out) if pair.out == MODEL else content)
    written = 0 in codes and not (codes == [0] and OUTPUT in pair.faults)
    outcome.case(new == wanted[pair.out] or (not new and not written), f"{pair}: {codes}, the output is neither")
    left = [name for name in files_in(folder / "out") if name != pair.out]
    left += [path.name for path in (folder / "temporary").iterdir()]
    left += [path.name for path in (folder / "cache").rglob(f"{BUILDING}*")]
    outcome.case(in_c or not left, f"{pair}: {codes}, left {left}")


def _started(pair: Pair, folder: Path, said: str) -> int:
    """A child that makes the command under its faults: a copy of this process, or a new one if it is to load loops."""

    def call() -> None:
        os.environ.update(pair.environment)
        tempfile.tempdir = None  # it is read from the environment again
        if PIPE in pair.faults:
            reader, writer = os.pipe()
            os.dup2(writer, 1)
            os.close(reader)
            os.close(writer)
        if DISK in pair.faults:
            break_disk(WAYS["the disk is full"])
        if LOOPS in pair.faults:
            (folder / BEGUN).touch()
            os.execv(sys.executable, [sys.executable, "-m", "rosenblatt", *pair.words])
        prepare()
        end_in_order()
        try:
            (folder / BEGUN).touch()
            if pair.room:
                limit_memory(pair.room)
        except Ended as early:  # the command has not begun, and would say the same
            print("rosenblatt: stopped.", file=sys.stderr)
            raise SystemExit(128 + early.number) from None
        cli.main(pair.words)

    return started(call, folder / "printed", folder / said)
