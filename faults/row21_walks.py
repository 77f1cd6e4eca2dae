"""A random walk through the commands: each takes what those before it left, and is sometimes given the wrong thing."""

from __future__ import annotations

import csv
import io
import json
import os
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from xml.etree import ElementTree

import pyarrow.parquet as pq

import rosenblatt
from faults.child import Done, command, load_commands
from faults.outcome import Outcome, generator
from faults.walk_words import line_of, write_data

NUMBER = 21
FAULT = (
    "walks of five commands over one folder, drawn with their options: each takes models, tables, certificates and "
    "pages that others wrote, now and then a file of another kind, a damaged one, none, or one that is its own output"
)
PROMISE = (
    "code 0, or 1 and one line, or 2 for wrong usage; after an error no file has changed, otherwise only the outputs, "
    "each of them whole; nothing else is left; never a traceback"
)
SHORT, FULL = 6, 2_000
FOUND: list[str] = []
STEPS = 5  # commands of a walk
OURS = "rosenblatt: "  # with which the line of an error begins


def run(cases: int, seed: int) -> Outcome:
    outcome = Outcome()
    prepare()
    if cases < FULL:
        for number in range(cases):
            outcome.add(walk(seed, number))
        return outcome
    with ProcessPoolExecutor(os.cpu_count(), get_context("fork")) as pool:
        for each in pool.map(walk, [seed] * cases, range(cases), chunksize=10):
            outcome.add(each)
    return outcome


_MODELS: dict[str, bytes] = {}  # with which walks begin


def prepare() -> None:
    """Makes the models, and runs here what loads the most, so that children have it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_data(folder)
        data, texts, model, reader = (
            str(folder / each) for each in ("numbers.csv", "texts.csv", "numbers.rosenblatt", "texts.rosenblatt")
        )
        load_commands(
            ["train", data, "--model", "perceptron", "--record", "--out", model],
            ["train", texts, "--quiet", "--out", reader], ["trace", "notes"], ["prove", data, "--out", "-"],
            ["predict", model, data, "--out", str(folder / "p.csv")],
        )  # fmt: skip
        _MODELS.update({path.name: path.read_bytes() for path in folder.glob("*.rosenblatt")})


def walk(seed: int, number: int) -> Outcome:
    """One walk in a folder of its own."""
    outcome, draw = Outcome(), generator(seed, NUMBER * 100_000 + number)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_data(folder)
        for model, content in _MODELS.items():
            (folder / model).write_bytes(content)
        for _ in range(STEPS):
            _step(line_of(draw, folder), folder, outcome, f"walk {number}")
    return outcome


def _step(words: list[str], folder: Path, outcome: Outcome, where: str) -> None:
    before = _files(folder)
    done = command(words, folder)
    told = f"{where}: {' '.join(words)}: code {done.code}: {done.said[-300:]!r}"
    outcome.case(done.code in (0, 1, 2), told)
    outcome.case("Traceback" not in done.said + done.printed, told)
    outcome.case("mistake in rosenblatt" not in done.said, told)
    if done.code == 1:
        lines = [line for line in done.said.splitlines() if line.startswith(OURS)]
        outcome.case(len(lines) == 1, f"{told}: {len(lines)} lines of an error")
    after = _files(folder)
    changed = sorted(name for name in {*before, *after} if before.get(name) != after.get(name))
    if done.code:
        outcome.case(not changed, f"{told}: changed {changed}")
    stray = [name for name in changed if not _asked_for(name, words)]
    outcome.case(not stray, f"{told}: left {stray}")
    for name in changed:
        if name in after:
            problem = _spoilt(folder / name)
            outcome.case(not problem, f"{told}: {name}: {problem}")
    _used_again(words, done, changed, folder, outcome, told)


def _files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _asked_for(name: str, words: list[str]) -> bool:
    """Whether the command was told to write it; the model of a page that was made smaller stands beside the page."""
    folders = ("kept/",) if "--checkpoint" in words else ()
    beside = {word.removesuffix(".html") + ".rosenblatt" for word in words if word.endswith(".html")}
    updated = words[:1] == ["update"] and name == words[1]
    return name in words or name in beside or name.startswith(folders) or updated


def _used_again(words: list[str], done: Done, changed: list[str], folder: Path, outcome: Outcome, told: str) -> None:
    """A model that was just written answers for itself."""
    if done.code or words[0] not in ("train", "update"):
        return
    for name in changed:
        if name.endswith(".rosenblatt"):
            again = command(["inspect", name], folder)
            outcome.case(again.code == 0, f"{told}: inspect then said {again.said[-200:]!r}")


def _spoilt(path: Path) -> str:
    """What is wrong with the file; nothing where it is whole."""
    look = LOOKS.get(path.suffix)
    try:
        if look is not None:
            look(path)
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:200]
    return ""


def _table(path: Path) -> None:
    rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf8"), newline="")))
    if len({len(row) for row in rows}) > 1:
        raise ValueError("lines of different lengths")


def _page(path: Path) -> None:
    if not path.read_text(encoding="utf8").rstrip().endswith("</html>"):
        raise ValueError("the page has no end")


LOOKS: dict[str, Callable[[Path], object]] = {
    ".rosenblatt": rosenblatt.load,
    ".json": lambda path: json.loads(path.read_bytes()),
    ".jsonl": lambda path: [json.loads(line) for line in path.read_bytes().splitlines()],
    ".csv": _table,
    ".html": _page,
    ".parquet": pq.read_table,
    ".svg": ElementTree.parse,
}
