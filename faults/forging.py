"""Files whose content was changed and whose checksums were then made right again, as whoever makes a file can do.

A kind of file is a name, a function that makes a forged file by a random draw and returns a call that uses it, and the
files that a refusal may name.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import rosenblatt
from faults.fuzz_signed import X, Y
from faults.mutation import WHOLE, mutated, mutated_value, other_contents
from faults.row04_hostile_models import packed as signed
from rosenblatt import cli
from rosenblatt.data import cache
from rosenblatt.pipeline import Progress, train_with_evidence
from rosenblatt.proofs.certificate import checksum
from rosenblatt.store import to_bytes
from rosenblatt.store.contents import to_contents
from rosenblatt.store.packing import unpacked
from rosenblatt.strict_json import read_strictly
from rosenblatt.traces import Trace, trace


class Kind(NamedTuple):
    """`forge` puts a forged file in place and returns what uses it; `names` are those that a refusal may give it."""

    name: str
    forge: Callable[[random.Random], Callable[[], object]]
    names: tuple[str, ...] = ()


def kinds(folder: Path) -> list[Kind]:
    """All kinds of files that are read back; what they are made of is kept in the folder."""
    return [*model_kinds(folder), *checkpoint_kinds(folder), cache_kind(folder), *paper_kinds(folder)]


def command(*arguments: str) -> None:
    """A command as it is typed, but for the last line of defence, which makes a line of any exception."""
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        cli.commands(args=list(arguments), standalone_mode=False)


# Models and their cards


def model_kinds(folder: Path) -> list[Kind]:
    made = [
        rosenblatt.train("iris", model="perceptron", margin=1.0, passes=2, record=True),
        rosenblatt.train("iris", model="naive-bayes", k=1.0),
        rosenblatt.train("mail", model="perceptron", margin=1.0, passes=2, record=True),
        rosenblatt.train("iris", model="kernel", margin=0.3, passes=2, record=True),
    ]
    contents = [(json.loads(json.dumps(plain)), arrays) for plain, arrays in map(to_contents, made)]
    path, out = folder / "forged.rosenblatt", folder / "out.rosenblatt"
    commands = [
        ("inspect",), ("predict", "DATA"), ("evaluate", "DATA"), ("explain", "DATA", "--row", "1"),
        ("update", "DATA", "--out", str(out)), ("export", "--to", "json"),
    ]  # fmt: skip
    recorded = [*commands, ("trace",), ("check", "DATA")]

    curved = [each for each in recorded if each[0] != "export"]  # it has no form for training rows

    def use(which: int, draw: random.Random) -> Callable[[], object]:
        name, *rest = draw.choice([[*recorded, ("export", "--to", "sql")], commands, recorded, curved][which])
        data = "mail" if which == 2 else "iris"
        arguments = [name, str(path), *(data if each == "DATA" else each for each in rest)]
        return lambda: command(*arguments)

    def forge(draw: random.Random) -> Callable[[], object]:
        which = draw.randrange(len(contents))
        path.write_bytes(signed(*other_contents(*contents[which], draw)))
        return use(which, draw)

    def forge_card(draw: random.Random) -> Callable[[], object]:
        which = draw.randrange(len(contents))
        plain, arrays = contents[which]
        path.write_bytes(signed({**plain, "card": mutated_value(plain["card"], draw)}, arrays))
        return use(which, draw)

    return [Kind("model", forge, (str(path), "iris", "mail")), Kind("card", forge_card, (str(path), "iris", "mail"))]


# Checkpoints and the job beside them


class Stop(Exception):
    """Ends a job in its final run, so that it can be gone on with."""


def checkpoint_kinds(folder: Path) -> list[Kind]:
    # One way, and one kernel, so that there is one run of the search.
    line = {"model": "perceptron", "margin": 1.0, "config": {"features": {"knots": 0}}}
    curve = {"model": "kernel", "margin": 0.3, "config": {"search": {"kernel": "rbf", "gamma": 0.5}}}
    lines, curves = (checkpoints_of(folder / each["model"], each) for each in (line, curve))
    return [*lines, curves[0]._replace(name="kernel checkpoint")]


def checkpoints_of(folder: Path, settings: dict[str, Any]) -> list[Kind]:
    """The checkpoint of a job with these settings that was ended, which lies in the folder, and the job beside it."""
    whole, at = folder / "checkpoint", folder / "forged checkpoint"
    settings = {**settings, "passes": 4, "record": True}

    def stop(progress: Progress) -> None:
        if progress.stage == "final run" and progress.passes == 3:
            raise Stop

    with contextlib.suppress(Stop):
        rosenblatt.train("iris", checkpoint=whole, watch=stop, **settings)
    runs = sorted(whole.glob("*.run"))
    assert len(runs) == 2, "a run of the search, and the final one"

    def resume() -> object:
        return rosenblatt.train("iris", checkpoint=at, resume=True, **settings)

    def fresh() -> None:
        shutil.rmtree(at, ignore_errors=True)
        shutil.copytree(whole, at)

    def forge(draw: random.Random) -> Callable[[], object]:
        fresh()
        path = draw.choice(runs)
        _, text, arrays = unpacked(path, ValueError)  # type: ignore[arg-type]
        plain, changed = other_contents(read_strictly(text, infinite=True), arrays, draw)
        (at / path.name).write_bytes(signed(plain, changed))
        return resume

    def forge_job(draw: random.Random) -> Callable[[], object]:
        fresh()
        content = (whole / "job.json").read_bytes()
        nested = b"[" * 100_000, b'{"format": 1, "finished": false, "job": ' + b"[" * 500 + b"]" * 500 + b"}"
        value = json.dumps(mutated_value(json.loads(content), draw)).encode()
        (at / "job.json").write_bytes(draw.choice([value, value, mutated([content], [b"[", b"{"], draw), *nested]))
        return resume

    return [Kind("checkpoint", forge, (str(at),)), Kind("job", forge_job, (str(at),))]


# The cache


# One run in one way: a search in folds writes forty times as much, of the same kinds.
BRIEF = {
    "features": {"knots": 0, "units": 0},
    "text": {"weight": "presence", "ngrams": 1, "characters": False},
    "search": {"model": "perceptron", "margin": 1.0, "passes": 2, "rule": "perceptron"},
    "split": {"calibration": "none"},
}


def cache_kind(folder: Path) -> Kind:
    source, whole, at = folder / "large.csv", folder / "cache", folder / "forged cache"
    draw = random.Random(0)
    lines = ["text,size,label"]
    for number in range(200):
        words = " ".join(f"w{draw.randrange(30) + 10 * (number % 2)}" for _ in range(20))
        lines.append(f"{words},{draw.random():.3f},{'ab'[number % 2]}")
    source.write_text("\n".join(lines) + "\n")

    def train() -> object:
        found, evidence = train_with_evidence(str(source), memory="30kB", config=BRIEF)
        assert evidence.disk is not None
        return to_bytes(found)

    def forge(draw: random.Random) -> Callable[[], object]:
        shutil.rmtree(at, ignore_errors=True)
        shutil.copytree(whole, at)
        entry = draw.choice(sorted(path.parent for path in at.rglob(cache.MANIFEST)))
        about = cache.read_about(entry)
        files = [path for path in sorted(entry.iterdir()) if path.is_file() and path.name != cache.MANIFEST]
        if files and draw.random() < 0.6:
            _other_file(draw.choice(files), draw)
        else:
            about = mutated_value(about, draw)
        cache.seal(entry, {})
        manifest = json.loads((entry / cache.MANIFEST).read_bytes().partition(b"\n")[2])
        (entry / cache.MANIFEST).write_bytes(cache.signed(json.dumps({**manifest, "about": about}).encode()))
        return lambda: in_cache(at, train)

    in_cache(whole, train)
    return Kind("cache", forge, (str(at), str(source)))


def in_cache(place: Path, call: Callable[[], object]) -> object:
    """The call with its cache in this folder."""
    before = os.environ.get(cache.PLACE)
    os.environ[cache.PLACE] = str(place)
    try:
        return call()
    finally:
        if before is None:
            del os.environ[cache.PLACE]
        else:
            os.environ[cache.PLACE] = before


def _other_file(path: Path, draw: random.Random) -> None:
    content = bytearray(path.read_bytes())
    way = draw.random()
    if way < 0.15:
        del content[len(content) // 2 :]
    elif way < 0.25:
        content += b"\0" * 64
    elif content:
        size = draw.choice((1, 4, 8))
        for _ in range(draw.choice((1, 1, 5))):
            place = draw.randrange(0, len(content), size)
            content[place : place + size] = (draw.choice(WHOLE) % 256**size).to_bytes(size, "little")
    path.write_bytes(content)


# Traces and certificates


def paper_kinds(folder: Path) -> list[Kind]:
    traces = [
        json.loads(trace([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1], passes=3).to_json()),
        json.loads(trace([[0, 1], [2, 1], [1, 3]], [0, 1, 2], passes=2, margin=0.5, rate=0.5, seed=1).to_json()),
    ]
    verdicts = [rosenblatt.prove(X, labels) for labels in (Y, [0, 0, 0, 1])]
    papers = [json.loads(verdict.to_json()) for verdict in verdicts]
    data, path = folder / "points.csv", folder / "forged.json"

    def forge_trace(draw: random.Random) -> Callable[[], object]:
        text = json.dumps(mutated_value(draw.choice(traces), draw))
        return lambda: Trace.from_json(text)

    def forge_certificate(draw: random.Random) -> Callable[[], object]:
        which = draw.randrange(2)
        labels = Y if papers[which]["verdict"].startswith("inseparable") else [0, 0, 0, 1]
        data.write_text("a,b,label\n" + "".join(f"{a},{b},{c}\n" for (a, b), c in zip(X, labels, strict=True)))
        content = mutated_value(papers[which], draw)
        if isinstance(content, dict):
            content.pop("checksum", None)
            with contextlib.suppress(ValueError):  # NaN, which no certificate can hold
                content["checksum"] = checksum(content)
        path.write_text(json.dumps(content))
        return lambda: command("check", str(path), str(data))

    return [Kind("trace", forge_trace), Kind("certificate", forge_certificate, (str(path), str(data)))]
