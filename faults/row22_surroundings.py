"""The same commands in other surroundings: language, time zone, hash seed, places that are not there or read-only."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import NamedTuple

import rosenblatt
from faults.outcome import Outcome, generator

NUMBER = 22
FAULT = (
    "train, predict, explain and prove over names of many scripts and dates, with another locale, encoding, time zone, "
    "hash seed, width of the terminal, umask, working folder; without HOME, or with one that is no folder or cannot be "
    "written to; installed where nothing can be written; two processes at once that compile into one empty folder"
)
PROMISE = "the same bytes of models, predictions, explanations and certificates, code 0, and no traceback"
SHORT, FULL = 2, 300
FOUND: list[str] = []
LIMIT = 600.0  # seconds of one process

SETTINGS: dict[str, tuple[dict[str, str | None], ...]] = {
    "language": (
        {"LC_ALL": "C"}, {"LC_ALL": "POSIX", "PYTHONUTF8": "0"}, {"LC_ALL": "tr_TR.UTF-8"},
        {"LC_ALL": "de_DE.ISO-8859-1"}, {"LANG": None, "LC_ALL": None}, {"LC_ALL": "no_such"},
        {"PYTHONIOENCODING": "latin-1"}, {"PYTHONIOENCODING": "cp1252:strict"}, {"PYTHONUTF8": "1"},
    ),
    "time": ({"TZ": "America/New_York"}, {"TZ": "Asia/Kathmandu"}, {"TZ": "Pacific/Apia"}, {"TZ": "no/where"}),
    "hash": ({"PYTHONHASHSEED": "1"}, {"PYTHONHASHSEED": "77"}, {"PYTHONHASHSEED": "4294967295"}),
    "home": (
        {"HOME": None}, {"HOME": "/nonexistent"}, {"HOME": "/proc"}, {"HOME": "/etc/passwd"},
        {"HOME": None, "XDG_CACHE_HOME": None, "NUMBA_CACHE_DIR": None}, {"XDG_CACHE_HOME": "/proc/none"},
    ),
    "terminal": ({"COLUMNS": "20"}, {"TERM": "dumb"}, {"TERM": None}, {"NO_COLOR": "1"}, {"FORCE_COLOR": "1"}),
    "interpreter": ({"PYTHONOPTIMIZE": "2"}, {"PYTHONDONTWRITEBYTECODE": "1"}, {"PYTHONDEVMODE": "1"}),
}  # fmt: skip
UMASKS = (0o022, 0o077, 0o000)
# Makes each folder before -- a mount that can only be read, for the command after it alone.
LOCK = """
while [ "$1" != -- ]; do
    mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 125
    if touch "$1/none" 2>/dev/null; then exit 125; fi
    shift
done
shift
exec "$@"
"""
INSTALLED = (str(Path(rosenblatt.__file__).parent), sys.prefix)

# Prints nothing but what differs between runs of no consequence; everything that counts is in the files it writes.
WORK = """
import os, sys
os.umask(int(sys.argv[3], 8))
from rosenblatt import cli
from rosenblatt.cli.streams import prepare
prepare()
data, out = sys.argv[1:3]
for words in (
    ["train", data, "--label", "kind", "--model", "perceptron", "--quiet", "--out", f"{out}/m.rosenblatt"],
    ["predict", f"{out}/m.rosenblatt", data, "--scores", "--out", f"{out}/p.csv"],
    ["predict", f"{out}/m.rosenblatt", data, "--probabilities", "--out", f"{out}/p.jsonl"],
    ["export", f"{out}/m.rosenblatt", "--to", "json", "--out", f"{out}/e.json"],
    ["prove", data, "--label", "kind", "--out", f"{out}/c.json"],
    ["explain", f"{out}/m.rosenblatt", data, "--row", "3"],
    ["inspect", f"{out}/m.rosenblatt"],
):
    try:
        cli.main(words)
    except SystemExit as end:
        if end.code:
            raise
"""


class Surroundings(NamedTuple):
    """What is set, or taken away where it is None; the umask; and the folder that is worked in."""

    variables: dict[str, str | None]
    umask: int
    folder: str
    locked: bool = False  # whether the package and its Python lie where nothing can be written

    def __str__(self) -> str:
        return f"{self.variables}, umask {self.umask:03o}, in {self.folder}{', installed read-only' * self.locked}"

    @property
    def command(self) -> list[str]:
        """What a command begins with."""
        return [*lock(), *INSTALLED, "--"] if self.locked else []


def lock() -> list[str]:
    """A command that takes folders to lock, -- and a command."""
    return ["unshare", "--map-root-user", "--mount", "sh", "-c", LOCK, "sh"]


@cache
def can_lock() -> bool:
    """Whether this machine lets a process have mounts of its own."""
    if shutil.which("unshare") is None:
        return False
    return subprocess.run([*lock(), *INSTALLED, "--", "true"], capture_output=True, check=False).returncode == 0


def run(cases: int, seed: int) -> Outcome:
    """Every case is a process whose files are compared with those of the first."""
    outcome, draw = Outcome(), generator(seed, NUMBER)
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        data = base / "data.csv"  # where names of files are no UTF-8, that of the source is another in the card
        data.write_text(_table(), encoding="utf8")
        wanted, said = _files_of(data, base / "first", Surroundings({}, 0o022, str(base)))
        outcome.case(len(wanted) == 5, f"the first process wrote {sorted(wanted)}: {said}")
        with ThreadPoolExecutor(2) as pool:
            drawn = [_drawn(draw, base) for _ in range(cases)]
            places = [base / str(number) for number in range(cases)]
            for each, (found, said) in zip(
                drawn, pool.map(lambda one, place: _files_of(data, place, one), drawn, places), strict=True
            ):
                other = sorted(name for name in {*wanted, *found} if wanted.get(name) != found.get(name))
                outcome.case(not other, f"{each}: other bytes in {other}: {said[-300:]!r}")
                outcome.case("Traceback" not in said, f"{each}: {said[-300:]!r}")
        outcome.measured["installed read-only"] = sum(each.locked for each in drawn)
        if cases >= FULL:
            _compile_together(data, base, wanted, outcome)
    return outcome


def _drawn(draw: random.Random, base: Path) -> Surroundings:
    """Some of the settings at once."""
    variables: dict[str, str | None] = {}
    for some in SETTINGS.values():
        if draw.random() < 0.5:
            variables |= draw.choice(some)
    umask, folder = draw.choice(UMASKS), draw.choice(("/", str(base), "/usr"))
    return Surroundings(variables, umask, folder, draw.random() < 0.5 and can_lock())


def _table() -> str:
    """Dates, amounts and names in which languages differ: dotless i, sharp s, final sigma, two forms of one letter."""
    draw = random.Random(0)
    towns = ["İzmir", "ısparta", "STRASSE", "straße", "Σάμος", "e\u0301cole", "école", "東京"]
    lines = [
        f"2024-0{1 + k % 9}-1{k % 10}T0{k % 10}:30:00,{draw.choice(towns)},{draw.gauss(0, 1):.3f},{'xy'[k % 2]}"
        for k in range(60)
    ]
    return "when,town,amount,kind\n" + "\n".join(lines) + "\n"


def _files_of(
    data: Path, out: Path, around: Surroundings, more: dict[str, str] | None = None
) -> tuple[dict[str, bytes], str]:
    """What the process writes, by name, and what it says where it fails."""
    out.mkdir()
    environment = {**os.environ, **around.variables, **(more or {})}
    done = subprocess.run(
        [*around.command, sys.executable, "-c", WORK, str(data), str(out), f"{around.umask:o}"],
        env={name: value for name, value in environment.items() if value is not None}, cwd=around.folder,
        capture_output=True, check=False, stdin=subprocess.DEVNULL, timeout=LIMIT,
    )  # fmt: skip
    files = {path.name: path.read_bytes() for path in out.iterdir()}
    said = (done.stdout + done.stderr).decode("utf8", "replace")
    return (files if done.returncode == 0 else {}), said


def _compile_together(data: Path, base: Path, wanted: dict[str, bytes], outcome: Outcome) -> None:
    """Two processes that find no compiled loop, and keep theirs in one folder."""
    (base / "loops").mkdir()
    more = {"NUMBA_CACHE_DIR": str(base / "loops")}
    around = Surroundings({}, 0o022, str(base))
    with ThreadPoolExecutor(2) as pool:
        both = pool.map(lambda number: _files_of(data, base / f"both{number}", around, more), range(2))
        for found, said in both:
            outcome.case(found == wanted, f"two processes that compile at once: {said[-300:]!r}")
