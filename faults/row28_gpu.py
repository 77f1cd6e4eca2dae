"""A GPU that is lost half way: every call to it may be the one that fails, while a kernel is learned."""

from __future__ import annotations

import random
import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np

import rosenblatt
from faults.forging import command
from faults.lost_gpu import FAILURES, Gpu, having
from faults.outcome import Outcome, generator, one_line
from rosenblatt.errors import RosenblattError

NUMBER = 28
FAULT = (
    "a GPU that is lost, has no memory left or cannot compile at any of the calls to it while `train` learns a kernel, "
    "with and without checkpoints, with the rows before it or in the middle of a pass (a stand-in for CuPy)"
)
PROMISE = (
    "code 1 and one line that names the GPU and device='cpu'; the old model is intact, nothing else is left; the next "
    "run, with the checkpoint or anew, on a GPU or without, writes what a run without the fault does"
)
SHORT, FULL = 12, 1_500
FOUND = [
    "A GPU that was lost, or a library of CUDA that could not be loaded, ended in a mistake of our own, and so did one "
    "without memory that could not tell how much it has (learn/kernel/device.py).",
]
ROWS = 90


class Job(NamedTuple):
    """A folder with data, a config and an old model; what a run without a fault writes, and how many calls it makes."""

    folder: Path
    words: list[str]
    wanted: bytes
    calls: int


def run(cases: int, seed: int) -> Outcome:
    outcome, draw = Outcome(), generator(seed, NUMBER)
    with tempfile.TemporaryDirectory() as name:
        jobs = [_job(Path(name) / str(number), number, draw, outcome) for number in range(2 if cases < FULL else 8)]
        outcome.measured["calls of a run"] = max(job.calls for job in jobs)
        for number in range(cases):
            _lose(jobs[number % len(jobs)], draw, outcome)
    return outcome


def _job(folder: Path, number: int, draw: random.Random, outcome: Outcome) -> Job:
    folder.mkdir()
    n_classes, lowest = 2 + number % 2, -3 if number % 4 > 1 else 0
    lines = ["a,b,label"]
    for _ in range(ROWS):
        a, b = draw.randint(lowest, 9), draw.randint(lowest, 9)
        lines.append(f"{a},{b},c{(a * a + b * b > 45) + (n_classes > 2 and b > 6)}")
    (folder / "data.csv").write_text("\n".join(lines) + "\n")
    device = ("gpu", "auto")[number // 4 % 2]
    settings = f'kernel = "poly"\ndegree = 2\ngamma = 1.0\npasses = 4\nmargin = 0.5\ndevice = "{device}"\n'
    (folder / "how.toml").write_text(f'[search]\nmodel = "kernel"\n{settings}[features]\nscale = false\n')
    model = folder / "m.rosenblatt"
    words = ["train", str(folder / "data.csv"), "--config", str(folder / "how.toml"), "--quiet", "--out", str(model)]
    gpu = Gpu()
    with having(gpu):
        command(*words)
    wanted = model.read_bytes()
    alone = model.with_name("cpu.rosenblatt")
    (folder / "how.toml").write_text((folder / "how.toml").read_text().replace(device, "cpu"))
    command(*words[:-1], str(alone))
    rows = np.array([line.split(",")[:2] for line in lines[1:]], float)
    both = [rosenblatt.load(path).scores({"a": rows[:, 0], "b": rows[:, 1]}) for path in (model, alone)]
    outcome.case(np.array_equal(both[0], both[1]), f"job {number}: the GPU has other scores than the CPU")
    outcome.case(gpu.calls > 0, f"job {number}: the GPU was not asked")
    (folder / "how.toml").write_text((folder / "how.toml").read_text().replace('"cpu"', f'"{device}"'))
    alone.unlink()
    return Job(folder, words, wanted, gpu.calls)


def _lose(job: Job, draw: random.Random, outcome: Outcome) -> None:
    model, kept = job.folder / "m.rosenblatt", job.folder / "kept"
    model.write_bytes(b"an old one")
    before = {path.name for path in job.folder.iterdir()}
    how, at, keeping = draw.choice(list(FAILURES)), draw.randrange(job.calls), draw.random() < 0.5
    words = [*job.words, *(["--checkpoint", str(kept)] if keeping else [])]
    told, line = f"{job.folder.name}, {how} at call {at} of {job.calls}", None
    try:
        with having(Gpu(at, how)):
            command(*words)
    except RosenblattError as error:
        line = str(error)
    except Exception as error:
        outcome.case(False, f"{told}: {type(error).__name__}: {error}")
        shutil.rmtree(kept, ignore_errors=True)
        return
    outcome.case(one_line(line) and "GPU" in str(line) and "device='cpu'" in str(line), f"{told}: {line}")
    left = {path.name for path in job.folder.iterdir()} - before
    outcome.case(left <= {"kept"}, f"{told}: left {left}")
    outcome.case(model.read_bytes() == b"an old one", f"{told}: the old model is gone")
    with having(Gpu()):
        command(*words, *(["--resume"] if kept.exists() else []))
    outcome.case(model.read_bytes() == job.wanted, f"{told}: the next run wrote something else")
    shutil.rmtree(kept, ignore_errors=True)
