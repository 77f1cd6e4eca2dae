"""Everything that writes to a disk, as it is asked for: each case fills a folder, and a fault befalls that folder."""

from __future__ import annotations

import gzip
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numba
import numpy as np
import sklearn.datasets  # noqa: F401  so that children find it loaded
from distributed import LocalCluster

import rosenblatt
from faults import page, results
from faults.outcome import Outcome
from rosenblatt import cli
from rosenblatt.cli import progress
from rosenblatt.cli.lab import _in_browser
from rosenblatt.course.commands import course
from rosenblatt.data import cache
from rosenblatt.distributed import connected
from rosenblatt.distributed.shard import Shard, write_shard
from rosenblatt.learn.problem import make_problem
from rosenblatt.loops import kept
from rosenblatt.loops.compile import loop
from rosenblatt.loops.rows import dense_rows
from rosenblatt.store import load, to_bytes

READ_ONLY, SMALL, CREATING = "a read-only folder", "a small disk", "nothing can be created"
OLD = b"what was there before\n" * 9


@dataclass(frozen=True)
class Case:
    """A call that writes `made` into a folder.

    keeps    it keeps its state there for the next run, which must end as if nothing had happened
    warm     whether this process may run it, so that children find everything loaded
    ways     the faults that can be told from others; all, if none are named
    optional what it writes is done without where it cannot be written
    library  it is no command but a call of the library, which raises where a command says a line
    """

    name: str
    call: Callable[[Path], object]
    made: tuple[str, ...] = ()
    keeps: bool = False
    before: Callable[[Path], object] | None = None
    given: Path | None = None  # its standard input
    warm: bool = True
    ways: tuple[str, ...] = ()
    optional: bool = False
    library: bool = False

    def prepare(self, folder: Path) -> None:
        folder.mkdir()
        for name in self.made:
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(OLD)
        if self.before is not None:
            self.before(folder)


def cases(inputs: Path) -> list[Case]:
    """All of them, over data and models that are written to a folder first."""
    draw = np.random.default_rng(0)
    rows = draw.normal(size=(600, 4))
    lines = [f"{','.join(f'{value:.3f}' for value in row)},{'ab'[int(row[0] > row[1])]}\n" for row in rows]
    data, packed = inputs / "data.csv", inputs / "data.parquet.gz"
    data.write_text("a,b,c,d,label\n" + "".join(lines))
    model = inputs / "model.rosenblatt"
    rosenblatt.save(rosenblatt.train(str(data), model="perceptron", passes=3, record=True), model)
    _packed(data, packed)
    return [
        *_commands(str(data), str(model)),
        Case("update in place", _command("update", "{folder}/own.rosenblatt", str(data)),
             before=lambda folder: (folder / "own.rosenblatt").write_bytes(model.read_bytes())),
        Case("Trace.to_html", lambda folder: rosenblatt.trace(rows[:9], rows[:9, 0] > 0).to_html(folder / "p.html"),
             ("p.html",), library=True),
        Case("the page of faults", _page(page.write), ("faults.md",), library=True),
        Case("the figures of faults", _page(lambda: results.note(2, Outcome(cases=1), 1.0, 0)),
             before=lambda folder: (folder / "results.json").write_text("{}"), library=True),
        Case("a shard", lambda folder: write_shard(_shard(rows), folder / "one"), library=True),
        *_course(inputs),
        *_temporary(model, data, packed),
        *_keeping(inputs, str(data)),
    ]  # fmt: skip


def _command(*arguments: str, of: click.Group = cli.commands) -> Callable[[Path], object]:
    return lambda folder: cli.main([each.format(folder=folder) for each in arguments], of)


def streaming(inputs: Path) -> list[Case]:
    """Commands that write to no file of their own but to standard output, or to standard error where they refuse."""
    data, model, proof = (str(inputs / name) for name in ("data.csv", "model.rosenblatt", "proof.json"))
    Path(proof).write_text(rosenblatt.prove([[1, 2], [2, 1], [3, 1]], ["x", "y", "y"]).to_json())
    proved = inputs / "proved.csv"
    proved.write_text("p,q,label\n1,2,x\n2,1,y\n3,1,y\n")
    asked: dict[str, tuple[str, ...]] = {
        "train": ("train", data, "--model", "perceptron", "--passes", "2", "--out", "{folder}/m"),
        "train --out -": ("train", data, "--model", "perceptron", "--passes", "2", "--out", "-"),
        "predict": ("predict", model, data), "evaluate": ("evaluate", model, data),
        "explain": ("explain", model, data), "inspect": ("inspect", model), "export": ("export", model, "--to", "sql"),
        "trace": ("trace", "notes"), "prove": ("prove", "iris", "--out", "-"), "check": ("check", proof, str(proved)),
        "refused": ("train", model), "misused": ("train", "--no-such-option"),
    }  # fmt: skip
    calls = {name: _command(*words) for name, words in asked.items()} | {"cache": _own_cache(inputs / "kept")}
    return [Case(f"{name} to the streams", _chatty(call)) for name, call in calls.items()]


def _own_cache(place: Path) -> Callable[[Path], object]:
    """The command over a cache that nobody else adds to while the row runs."""
    for number in range(3):
        (place / f"rows-{number}").mkdir(parents=True)

    def inside(folder: Path) -> None:
        os.environ[cache.PLACE] = str(place)  # in a process of its own
        cli.main(["cache"])

    return inside


def _chatty(call: Callable[[Path], object]) -> Callable[[Path], object]:
    """With a line of progress at every step."""

    def inside(folder: Path) -> None:
        before, progress.FIRST = progress.FIRST, 0.0
        try:
            call(folder)
        finally:
            progress.FIRST = before

    return inside


def optional() -> list[Case]:
    """What is done without where it cannot be written."""
    return [
        Case("compiled loops", _compile, warm=False, optional=True),
        Case("the lab's page for a browser", _in_temporary(_show_lab), warm=False, optional=True),
    ]


def _compile(folder: Path) -> None:
    """A loop that is compiled, kept and found again."""
    numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]  # in a process of its own
    kept.folder.cache_clear()
    print([loop(_seventh)(number) for number in (1, 2)], loop(_seventh)(3))


def _seventh(number: int) -> int:
    return 7 * number


def _show_lab(folder: Path) -> None:
    """The command, without a lab and without a browser."""
    import webbrowser

    webbrowser.open = lambda *arguments, **more: True
    with _in_browser("http://127.0.0.1:1/"):
        print("the lab goes on")


def _commands(data: str, model: str) -> list[Case]:
    """Commands that write one file."""
    quick = ("--model", "perceptron", "--passes", "2", "--quiet")
    asked = {
        "m.rosenblatt": ("train", data, *quick, "--out"),
        "r.html": ("train", data, *quick, "--out", "-", "--report"),
        "u.rosenblatt": ("update", model, data, "--out"),
        "p.csv": ("predict", model, data, "--out"),
        "p.jsonl": ("predict", model, data, "--scores", "--out"),
        "p.parquet": ("predict", model, data, "--out"),
        "e.sql": ("export", model, "--to", "sql", "--out"),
        "e.json": ("export", model, "--to", "json", "--out"),
        "e.html": ("export", model, "--to", "html", "--out"),
        "e.onnx": ("export", model, "--to", "onnx", "--out"),
        "e.rosenblatt": ("export", model, "--strip", "--out"),
        "c.json": ("prove", "iris", "--out"),
        "d.csv": ("review", data, "--out"),
        "t.csv": ("trace", "notes", "--to", "csv", "--out"),
        "t.html": ("trace", model, "--to", "html", "--out"),
        "t.svg": ("trace", "notes", "--figure"),
        "l.svg": ("estimate", "heads=7", "tails=3", "--figure"),
        "lab.html": ("lab", "--export"),
    }
    return [
        Case(f"{words[0]} to {name}", _command(*words, f"{{folder}}/{name}"), (name,)) for name, words in asked.items()
    ]


def _course(inputs: Path) -> list[Case]:
    """What a course hands out, and how it is graded."""
    (inputs / "students.txt").write_text("ada\n")
    handed = inputs / "handed"
    words = ("hw", str(inputs / "students.txt"), "--exercises", "margins", "--out")
    course(["assign", *words, str(handed)], standalone_mode=False)
    grade = ("grade", str(handed / "ada" / "margins.csv"))
    asked = {
        "assign": (("assign", *words, "{folder}"), ("ada/hw.html", "ada/hw.md", "ada/margins.csv")),
        "grade": ((*grade, "--out", "{folder}/g.txt"), ("g.txt",)),
        "grade to JSON": ((*grade, "--json", "{folder}/results.json"), ("results.json",)),
    }
    return [Case(name, _command(*given, of=course), made) for name, (given, made) in asked.items()]


def _temporary(model: Path, data: Path, packed: Path) -> list[Case]:
    """What is written to the folder for temporary files, and is gone afterwards."""
    reads = _command("predict", str(model), "-")
    unpacks = _command("predict", str(model), str(packed))
    return [
        Case("standard input", _in_temporary(reads), given=data),
        Case("a packed table", _in_temporary(unpacks)),
        # Dask talks through sockets, which are written to as files are.
        Case("a cluster", _in_temporary(_cluster), warm=False, ways=(CREATING,)),
    ]


def _in_temporary(call: Callable[[Path], object]) -> Callable[[Path], object]:
    def inside(folder: Path) -> None:
        before = tempfile.tempdir
        tempfile.tempdir = str(folder)
        try:
            call(folder)
        finally:
            tempfile.tempdir = before

    return inside


# One run in one way and no folds: every further one writes in the same places, some thousands of times where rows are
# on the disk, and a row fails each of them.
BRIEF = """
[features]
knots = 0
units = 0
[search]
model = "perceptron"
margin = 1.0
passes = 3
[split]
calibration = "none"
"""


def _keeping(inputs: Path, data: str) -> list[Case]:
    """Checkpoints, and data that lies on the disk; the model goes to standard output."""
    config = inputs / "brief.toml"
    config.write_text(BRIEF)
    words = ("train", data, "--config", str(config), "--quiet", "--out", "-")
    kept = _command(*words, "--checkpoint", "{folder}/kept", "--resume")
    spooled = _command(*words, "--memory", "120kB", "--shards", "2")
    piped = _command(*words[:1], "-", *words[2:], "--memory", "120kB")

    def cached(call: Callable[[Path], object]) -> Callable[[Path], object]:
        def inside(folder: Path) -> None:
            os.environ[cache.PLACE] = str(folder)
            try:
                call(folder)
            finally:
                del os.environ[cache.PLACE]

        return inside

    return [
        Case("a checkpoint", kept, keeps=True),
        Case(
            "a checkpoint to go on from",
            kept,
            keeps=True,
            before=lambda folder: _stopped(data, config, folder / "kept"),
        ),
        Case("data on the disk", cached(spooled), keeps=True),
        Case("data on the disk, from a pipe", cached(_in_temporary(piped)), keeps=True, given=Path(data)),
    ]


def _stopped(data: str, config: Path, folder: Path) -> None:
    """A checkpoint after the second pass of a run."""

    class Stop(Exception):
        pass

    def watch(progress: Any) -> None:
        if progress.passes == 2:
            raise Stop

    try:
        rosenblatt.train(data, config=config, checkpoint=folder, watch=watch)
    except Stop:
        return
    raise AssertionError("the job ended before it was stopped")


def printed_model(path: Path) -> bytes:
    """The model that a command wrote to its standard output, without what differs from run to run."""
    model = load(path)
    model.card.pop("disk", None)
    return to_bytes(model)


def _packed(data: Path, target: Path) -> None:
    import pyarrow.csv
    import pyarrow.parquet

    plain = target.with_suffix("")
    pyarrow.parquet.write_table(pyarrow.csv.read_csv(data), plain)
    target.write_bytes(gzip.compress(plain.read_bytes()))


def _shard(rows: np.ndarray) -> Shard:
    problem = make_problem(dense_rows(rows), (rows[:, 0] > 0).astype(int), 2)
    return Shard(0, problem, np.arange(len(rows)))


def _page(write: Callable[[], object]) -> Callable[[Path], object]:
    def elsewhere(folder: Path) -> None:
        before = page.PAGE, results.RESULTS
        page.PAGE, results.RESULTS = folder / "faults.md", folder / "results.json"
        try:
            write()
        finally:
            page.PAGE, results.RESULTS = before

    return elsewhere


def _cluster(folder: Path) -> None:
    with LocalCluster(n_workers=1, processes=False, dashboard_address=":0") as made, connected(made.scheduler_address):
        pass
