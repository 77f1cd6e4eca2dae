"""kill -9 at random moments of a job with checkpoints, and of the saving of a model; everything is forked warm."""

from __future__ import annotations

import json
import os
import shutil
import signal
import tempfile
import time
from pathlib import Path

import numpy as np

import rosenblatt
from faults.child import ended, started
from faults.outcome import Outcome, generator
from rosenblatt import cli
from rosenblatt.errors import DataError
from rosenblatt.store import to_bytes
from rosenblatt.store.packing import checksum, unpacked

NUMBER = 1
FAULT = "kill -9 while training, checkpointing and saving a model"
PROMISE = "resumed weights bit-equal; the file on disk is always the old or the new one, whole"
SHORT, FULL = 21, 1_500  # a third of them where a model is saved
FOUND = [
    "A kill while job.json was written left a file that kept the checkpoint's folder from going away with the job "
    "(store/checkpoints.py).",
]
OPTIONS = ("--model", "perceptron", "--passes", "12", "--shards", "2", "--jobs", "1", "--seeds", "2", "--record")


def run(cases: int, seed: int) -> Outcome:
    """So many kills: two of three in a job, the others where a model is being saved."""
    outcome = Outcome()
    with tempfile.TemporaryDirectory() as name:
        saving = cases // 3
        _jobs(Path(name), cases - saving, seed, outcome)
        _saving(Path(name), saving, seed, outcome)
    return outcome


def _jobs(base: Path, kills: int, seed: int, outcome: Outcome) -> None:
    """One job after the other, each killed and taken up until it ends; its model replaces that of an older job."""
    draw, data = generator(seed, NUMBER), base / "data.csv"
    _write_rows(data)
    old = base / "old.rosenblatt"
    rosenblatt.save(rosenblatt.train(str(data), model="perceptron", passes=1), old)
    kept, out = base / "kept", base / "job.rosenblatt"
    command = ["train", str(data), *OPTIONS, "--quiet", "--checkpoint", str(kept), "--resume", "--out", str(out)]
    length = float("inf")
    for _ in range(3):  # the shortest, since other work on the machine must not stretch the whole row
        began = time.perf_counter()
        outcome.case(ended(started(lambda: cli.main(command))) == 0, "the job without a kill failed")
        length = min(length, time.perf_counter() - began)
    wanted, before = _content(out), old.read_bytes()
    killed = found = 0
    while killed < kills or kept.exists():
        if not kept.exists():
            out.write_bytes(before)
        child = started(lambda: cli.main(command), said=base / "said")
        if killed < kills:
            time.sleep(draw.random() * length / 2)
            os.kill(child, signal.SIGKILL)
        code = ended(child)
        what = f"kill {killed} of a job"
        if code == -signal.SIGKILL:
            killed += 1
            found += any(kept.glob("*.run"))
            whole = out.read_bytes() == before or _content(out) == wanted
            outcome.case(whole and _readable(kept), f"{what}: the model or the checkpoint is not whole")
            continue
        good = code == 0 and _content(out) == wanted and not kept.exists()
        outcome.case(good, f"{what}: taken up, it ended with {code}: {(base / 'said').read_text()[-300:]}")
        shutil.rmtree(kept, ignore_errors=True)  # so that a job that leaves something does not go on for ever
    outcome.measured["kills that left a checkpoint"] = found
    outcome.case(found > kills / 4, f"only {found} of {kills} kills left a checkpoint")


def _saving(base: Path, kills: int, seed: int, outcome: Outcome) -> None:
    """A model replaces another over and over, until the process is killed."""
    draw = generator(seed + 1, NUMBER)
    models = [rosenblatt.train("digits", model="perceptron", passes=passes, record=True) for passes in (1, 2)]
    allowed = [to_bytes(model) for model in models]
    folder = base / "saving"
    folder.mkdir()
    path, left = folder / "one.rosenblatt", 0
    rosenblatt.save(models[0], path)

    def save_both() -> None:
        while True:
            for model in models:
                rosenblatt.save(model, path)

    for number in range(kills):
        child = started(save_both)
        time.sleep(draw.random() * 0.1)
        os.kill(child, signal.SIGKILL)
        ended(child)
        outcome.case(path.read_bytes() in allowed, f"kill {number} of a save: the file is neither the old nor the new")
        # What was cut short has a name that no reader of folders takes for data.
        others = [each for each in folder.iterdir() if each != path]
        left += len(others)
        outcome.case(all(each.name.startswith(".") for each in others), f"kill {number} of a save: left {others}")
        for each in others:
            each.unlink()
    outcome.cases -= kills  # two looks at each
    outcome.measured["kills in the middle of a save"] = left


def _write_rows(path: Path) -> None:
    draw = np.random.default_rng(0)
    rows = draw.normal(size=(1500, 15)).round(4)
    labels = rows[:, 0] + rows[:, 1] + draw.normal(size=1500) > 0
    names = ",".join(f"x{number}" for number in range(15))
    lines = [f"{','.join(map(str, row))},{label}" for row, label in zip(rows.tolist(), labels, strict=True)]
    path.write_text("\n".join([f"{names},label", *lines]) + "\n")


def _content(path: Path) -> bytes:
    """The model in the file, but for the seconds; nothing if it is not whole."""
    try:
        model = rosenblatt.load(path)
    except DataError:
        return b""
    return to_bytes(model)


def _readable(folder: Path) -> bool:
    """Whether all that a later run would trust can be read."""
    for path in folder.glob("*.run"):
        try:
            given, text, arrays = unpacked(path, DataError)
        except (DataError, OSError):
            return False
        if checksum(text, arrays) != given:
            return False
    return not (folder / "job.json").exists() or bool(json.loads((folder / "job.json").read_text()))
