"""What we wrote ourselves and read back, for the fuzzer: traces, job files, checkpoints, the cache.

Checksums are made right again, as whoever makes a file can do.
"""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from faults.forging import in_cache
from faults.fuzz_signed import WORDS
from faults.mutation import Kind, mutated, mutated_json, mutated_packed
from rosenblatt.data import cache
from rosenblatt.data.formats.csv import Csv
from rosenblatt.data.reading import Reading
from rosenblatt.data.rowfile import RowsWriter, read_rows
from rosenblatt.data.source import Source
from rosenblatt.data.spool import read_spooled
from rosenblatt.errors import DataError
from rosenblatt.learn.kernel.passes import Passes
from rosenblatt.learn.kernel.run import KernelRun, learn_kernel
from rosenblatt.learn.kernel.state import kernel_from_state, kernel_to_state
from rosenblatt.learn.problem import Problem, make_problem
from rosenblatt.learn.run import learn
from rosenblatt.learn.settings import Settings
from rosenblatt.learn.state import from_state, to_state
from rosenblatt.loops.kernels import RBF, Kernel
from rosenblatt.loops.rows import Rows, Words, dense_rows, sparse_rows
from rosenblatt.store.checkpoints import Checkpoints
from rosenblatt.store.packing import packed
from rosenblatt.strict_json import read_strictly
from rosenblatt.traces import Trace, trace

BETWEEN = b"\n=== "  # before the name of a file; what comes first is what is said about them
POINTS = [[0, 0], [0, 1], [1, 0], [1, 1], [2, 1], [1, 3]]
LIMIT = 1 << 30


def kept_kinds(folder: Path) -> dict[str, Kind]:
    traces = [
        trace(POINTS[:4], [0, 0, 0, 1], passes=3).to_json().encode(),
        trace(POINTS[:3], [0, 1, 2], passes=2, margin=0.5, rate=0.5, seed=1).to_json().encode(),
    ]
    return {
        "trace": Kind(traces, WORDS, lambda content: len(Trace.from_json(content)), mutated_json),
        "job": _job(folder / "job"),
        "checkpoint": _checkpoint(folder / "run"),
        "kernel checkpoint": _kernel_checkpoint(folder / "curve"),
        "cache": _cache(folder / "kept.csv", folder / "kept"),
        "rows": _rows(folder / "rows"),
    }


def _job(at: Path) -> Kind:
    job = {"data": "abc", "classes": ["a", "b"], "seed": 1, "margin": None, "goal": {"positive": "a", "share": 0.1}}
    Checkpoints(at, job, resume=False).close()
    path = at / "job.json"

    def use(content: bytes) -> object:
        path.write_bytes(content)
        opened = Checkpoints(at, job, resume=True)
        opened.close()
        return opened.resumed

    return Kind([path.read_bytes()], WORDS, use, mutated_json)


def _checkpoint(at: Path) -> Kind:
    """The state of a run; a run that is taken up goes on to its end."""
    problem = make_problem(dense_rows(np.array(POINTS, float)), np.array([0, 1, 1, 0, 1, 2]), 3)
    two = make_problem(dense_rows(np.array(POINTS[:4], float)), np.array([0, 1, 1, 0]), 2)
    runs: dict[str, tuple[Problem, Settings]] = {
        "recording": (problem, Settings(max_iter=4, record=True, shards=2)),
        "watch": (two, Settings(max_iter=6, weights="final", shuffle=False)),
        "run": (problem, Settings(max_iter=4, margin=0.5, tol=1e-3, n_iter_no_change=2)),
    }
    seeds: list[bytes] = []
    for of, settings in runs.values():
        learn(of, settings, on_pass=lambda run: seeds.append(packed(*to_state(run), allow_nan=True)))
    checkpoints, path = _one_run(at)

    def use(content: bytes) -> object:
        path.write_bytes(content)
        of, settings = next(run for word, run in runs.items() if word.encode() in content or word == "run")
        saved = checkpoints.load({}, lambda plain, arrays: from_state(plain, arrays, settings, of))
        return learn(of, settings, saved=saved).stopped

    return Kind(seeds, WORDS, use, mutated_packed)


def _one_run(at: Path) -> tuple[Checkpoints, Path]:
    """A folder with the checkpoint of one run, and where it lies."""
    checkpoints = Checkpoints(at, {}, resume=False)
    checkpoints.save({}, {}, {})
    checkpoints.close()
    (path,) = at.glob("*.run")
    return checkpoints, path


def _kernel_checkpoint(at: Path) -> Kind:
    """The same of a kernel, whose state is its list and its scores."""
    problem = make_problem(dense_rows(np.array(POINTS, float))._replace(bias=0.0), np.array([0, 1, 1, 0, 1, 2]), 3)
    settings, kernel, seeds = Settings(max_iter=4, tol=None), Kernel(RBF, 1, 0.5, 0.0), list[bytes]()

    def keep(run: KernelRun, passes: Passes) -> None:
        passes.hand_back(run)
        seeds.append(packed(*kernel_to_state(run), allow_nan=True))

    learn_kernel(problem, settings, lambda _: kernel, on_pass=keep)
    checkpoints, path = _one_run(at)

    def use(content: bytes) -> object:
        path.write_bytes(content)
        saved = checkpoints.load({}, lambda plain, arrays: kernel_from_state(plain, arrays, settings, problem, kernel))
        return learn_kernel(problem, settings, lambda _: kernel, saved=saved).stopped

    return Kind(seeds, WORDS, use, mutated_packed)


def _cache(source: Path, at: Path) -> Kind:
    """The table of a file on the disk; where it cannot be, it is made anew."""
    source.write_text('text,size,day,yes,label\na b,0.5,2020-01-01,true,x\n,,,,y\n"ü",2,2021-01-01,false,x\n')

    def read() -> Any:
        return in_cache(at, lambda: read_spooled(Source.at(source), Csv, Reading(), LIMIT))

    read()
    (entry,) = (path.parent for path in at.rglob(cache.MANIFEST))
    about = {name: value for name, value in cache.read_about(entry).items() if name not in ("path", "state")}
    seed = _archive(entry, json.dumps({**about, "source": source.name}).encode())

    def use(content: bytes) -> object:
        shutil.rmtree(at, ignore_errors=True)
        entry.mkdir(parents=True)
        about = _spread(content, entry)
        cache.seal(entry, {})
        manifest = (entry / cache.MANIFEST).read_bytes().partition(b"\n")[2]
        (entry / cache.MANIFEST).write_bytes(cache.signed(manifest.replace(b'"about": {}', b'"about": ' + about)))
        return read()

    return Kind([seed], WORDS, use, _changed_archive)


def _rows(at: Path) -> Kind:
    """Encoded rows on the disk, of every storage."""
    values, starts = np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]]), np.array([0, 2, 3])
    stored: list[Rows] = [dense_rows(values), sparse_rows(starts, np.array([0, 2, 1]), np.array([1.0, 2.0, 3.0]), 3)]
    stored.append(Words(stored[1].starts, stored[1].columns, np.array([1.0, 0.5]), 3, 1.0))  # type: ignore[union-attr]
    seeds = []
    for rows in stored:
        at.mkdir(exist_ok=True)
        writer = RowsWriter(at)
        writer.append(rows)
        seeds.append(_archive(at, json.dumps(writer.close()).encode()))
        shutil.rmtree(at)

    def use(content: bytes) -> object:
        shutil.rmtree(at, ignore_errors=True)
        at.mkdir()
        about = _spread(content, at)
        try:
            found = read_rows(at, _read(about), 2, 3)
        except cache.DAMAGE as error:  # what cache.entry takes for damage
            raise DataError(f"the rows are damaged: {' '.join(str(error).split())}") from None
        return [type(found).__name__]

    return Kind(seeds, WORDS, use, _changed_archive)


def _read(about: bytes) -> Any:
    try:
        return read_strictly(about, infinite=True)
    except ValueError as error:  # as cache.opened does
        raise DataError(f"the manifest is damaged: {error}") from None


def _archive(folder: Path, about: bytes) -> bytes:
    """What is said about the files of a folder, and the files."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name != cache.MANIFEST)
    return about + b"".join(BETWEEN + path.name.encode() + b"\n" + path.read_bytes() for path in files)


def _spread(content: bytes, folder: Path) -> bytes:
    """Puts the files into the folder and returns what is said about them."""
    about, *files = content.split(BETWEEN)
    for each in files[:50]:
        name, _, data = each.partition(b"\n")
        plain = re.sub("[^a-z0-9.]", "", name.decode("latin-1"))[:60].lstrip(".") or "x"  # as ours are
        (folder / plain).write_bytes(data)
    return about


def _changed_archive(seeds: Sequence[bytes], words: Sequence[bytes], draw: random.Random) -> bytes:
    parts = draw.choice(seeds).split(BETWEEN)
    which = 0 if draw.random() < 0.6 else draw.randrange(len(parts))
    change: Callable[..., bytes] = mutated if which else mutated_json
    parts[which] = change([parts[which]], words, draw)
    return BETWEEN.join(parts)
