"""Kernel models and checkpoints that were cut, in which bits changed, or that were forged with right checksums."""

from __future__ import annotations

import json
import random
import shutil
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import rosenblatt
from faults.apart import apart
from faults.forging import Kind, checkpoints_of, command
from faults.mutation import other_contents
from faults.outcome import Outcome, generator, one_line
from faults.row04_hostile_models import packed as signed
from faults.row16_forged import run_kind
from rosenblatt.errors import RosenblattError
from rosenblatt.model import Model
from rosenblatt.store import to_bytes
from rosenblatt.store.contents import to_contents

NUMBER = 26
FAULT = (
    "models of every kernel (of numbers, names and texts, of two and three classes, dense and sparse, recorded and "
    "not) and checkpoints of them: cut, with flipped bits, or forged with right checksums, then used by a drawn command"
)
PROMISE = (
    "damaged: refused in one line that names the file, or the very same predictions and, of a checkpoint, the same "
    "model; forged: an answer without a number that is none, or one line; never a crash or a hang"
)
SHORT, FULL = 60, 6_000
FOUND = [
    "Training rows past 3e38 in a forged model of a kernel, and such rows to learn from, drew a warning of an overflow "
    "(learn/kernel/grid.py).",
    "A forged checkpoint of a kernel that was right on more than all validation rows ended in a mistake of our own "
    "(pipeline/families/kernel.py).",
]
SHARES = {"damaged": 50, "forged": 35, "damaged checkpoint": 8, "forged checkpoint": 7}  # of a hundred cases
KERNELS = ("rbf", "poly", "cosine")
SETTINGS: dict[str, Any] = {"model": "kernel", "margin": 0.3, "passes": 2}
CURVE = {"kernel": "poly", "degree": 2, "gamma": 0.5}
CHECKPOINT: dict[str, Any] = {"model": "kernel", "margin": 0.3, "config": {"search": CURVE}}


def run(cases: int, seed: int) -> Outcome:
    outcome, draw = Outcome(), generator(seed, NUMBER)
    counts = {name: max(1, cases * share // 100) for name, share in SHARES.items()}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subjects = [_subject(number, folder) for number in range(3 if cases < FULL else 12)]
        for number in range(counts["damaged"]):
            _damaged(*subjects[number % len(subjects)], folder / "damaged.rosenblatt", draw, outcome)
        outcome.add(run_kind(_forged(subjects, folder), counts["forged"], draw))
        kind = checkpoints_of(folder / "kept", CHECKPOINT)[0]._replace(name="forged checkpoint")
        _damaged_checkpoints(folder / "kept", counts["damaged checkpoint"], draw, outcome)
        outcome.add(run_kind(kind, counts["forged checkpoint"], draw))
    return outcome


def _subject(number: int, folder: Path) -> tuple[Model, Path]:
    """A model of the number's kernel and kind of rows, and the rows that it was trained on, as a file."""
    draw, kind = np.random.default_rng(number), ("numbers", "texts", "names", "three")[number % 4]
    n = 80
    x, y = draw.normal(size=(2, n)).round(2)
    label = ["in" if a * a + b * b < 1.4 else "out" for a, b in zip(x, y, strict=True)]
    table: dict[str, Any] = {"x": x.tolist(), "y": y.tolist()}
    if kind == "names":
        table["town"] = draw.choice(["Ulm", "Köln", "Bonn"], n).tolist()
    if kind == "three":
        label = ["up" if b > 0.8 else each for each, b in zip(label, y, strict=True)]
    if kind == "texts":
        words = {"in": "near inside home", "out": "far outside away"}
        table = {"text": [" ".join(draw.choice(f"{words[each]} the of and".split(), 6)) for each in label]}
    kernel = {"kernel": KERNELS[number % 3]}
    record = number % 2 == 1
    model = rosenblatt.train({**table, "label": label}, record=record, config={"search": kernel}, **SETTINGS)
    path = folder / f"{number}.jsonl"
    rows = [dict(zip([*table, "label"], each, strict=True)) for each in zip(*table.values(), label, strict=True)]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return model, path


def _damage(whole: bytes, draw: random.Random) -> bytes:
    """Cut, one to three bits flipped, a piece repeated or some bytes exchanged."""
    changed, way = bytearray(whole), draw.random()
    if way < 0.3:
        del changed[draw.randrange(len(changed)) :]
    elif way < 0.8:
        for _ in range(draw.choice((1, 1, 3))):
            changed[draw.randrange(len(changed))] ^= 1 << draw.randrange(8)
    else:
        at, to, size = draw.randrange(len(changed)), draw.randrange(len(changed)), draw.choice((1, 8, 64))
        changed[to : to + (size if way < 0.9 else 0)] = changed[at : at + size]
    return bytes(changed)


def _damaged(model: Model, rows: Path, path: Path, draw: random.Random, outcome: Outcome) -> None:
    whole = to_bytes(model)
    changed = _damage(whole, draw)
    path.write_bytes(changed)
    try:
        same = np.array_equal(rosenblatt.load(path).scores(rows), model.scores(rows))
        outcome.case(same and changed == whole, f"{rows.name}: a damaged file was loaded")
    except RosenblattError as error:
        outcome.case(one_line(str(error)) and str(path) in str(error), f"{rows.name}: refused with {error!r}")
    except Exception as error:
        outcome.case(False, f"{rows.name}: {type(error).__name__}: {error}")


def _forged(subjects: list[tuple[Model, Path]], folder: Path) -> Kind:
    path = folder / "forged.rosenblatt"
    contents = [
        (json.loads(json.dumps(plain)), arrays) for plain, arrays in (to_contents(each) for each, _ in subjects)
    ]

    def forge(draw: random.Random) -> Callable[[], object]:
        which = draw.randrange(len(subjects))
        path.write_bytes(signed(*other_contents(*contents[which], draw)))
        rows = str(subjects[which][1])
        commands = [
            ["inspect", str(path)], ["predict", str(path), rows], ["explain", str(path), rows, "--row", "1", "--flip"],
            ["evaluate", str(path), rows], ["update", str(path), rows],
            ["export", str(path), "--to", "html", "--out", str(folder / "page.html")],
        ]  # fmt: skip
        chosen = draw.choice(commands)
        return _strictly(draw.choice([lambda: _answers(path, subjects[which][1]), lambda: command(*chosen)]))

    return Kind("forged", forge, (str(path), *(str(rows) for _, rows in subjects)))


def _strictly(use: Callable[[], object]) -> Callable[[], object]:
    """The use, in which a warning is an error: one about what somebody else wrote helps nobody."""

    def used() -> None:
        warnings.simplefilter("error")
        use()

    return used


def _answers(path: Path, rows: Path) -> None:
    """Scores and classes of a model that was loaded are what they should be, whatever it holds."""
    model = rosenblatt.load(path)
    assert np.isfinite(model.scores(rows)).all(), "a score that is no number"
    assert set(model.predict(rows)) <= set(model.classes.names), "a class that there is not"


def _damaged_checkpoints(folder: Path, count: int, draw: random.Random, outcome: Outcome) -> None:
    """A job goes on from a damaged checkpoint as from none, or refuses it."""
    whole, at = folder / "checkpoint", folder / "damaged checkpoint"
    settings = {**CHECKPOINT, "passes": 4, "record": True}

    def use() -> None:
        found = to_bytes(rosenblatt.train("iris", checkpoint=at, resume=True, **settings))
        assert found == wanted, "another model"

    wanted = to_bytes(rosenblatt.train("iris", **settings))
    for number in range(count):
        shutil.rmtree(at, ignore_errors=True)
        shutil.copytree(whole, at)
        path = draw.choice(sorted(path for path in at.iterdir() if path.stat().st_size))
        path.write_bytes(_damage(path.read_bytes(), draw))
        found = apart(use)
        named = found.ending == "refused" and one_line(found.said) and str(at) in found.said
        fine = found.ending == "done" or named
        outcome.case(fine, f"damaged checkpoint {number}, {path.name}: {found.ending} {found.said}")
