"""Runs a checkpointed job again and again, kills it at random moments, and goes on. Started by test_checkpoints.py.

    python kill_and_resume.py FOLDER KILLS

Everything is loaded once, and each job is a fork of this process, so that a kill costs no start. Prints as JSON what
was seen: kills, kills that left checkpoints, jobs finished, results that differ, checkpoints that cannot be read.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

import numpy as np

from rosenblatt import train
from rosenblatt.errors import DataError
from rosenblatt.store import to_bytes
from rosenblatt.store.packing import checksum, unpacked


def rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1500, 15))
    return X, (X[:, 0] + X[:, 1] + rng.normal(size=1500) > 0).astype(int)


def job(folder=None) -> bytes:
    """The model file, but for the seconds."""
    X, y = rows()
    model = train(
        X, label=y, model="perceptron", passes=12, shards=2, jobs=1, record=True, seeds=2,
        checkpoint=folder, resume=folder is not None,
    )  # fmt: skip
    model.card["seconds"] = 0
    return to_bytes(model)


def readable(folder: Path) -> bool:
    for path in folder.glob("*.run"):
        try:
            given, text, arrays = unpacked(path, DataError)
        except (DataError, OSError):
            return False
        if checksum(text, arrays) != given:
            return False
    return not (folder / "job.json").exists() or bool(json.loads((folder / "job.json").read_text()))


def forked(folder: Path, result: Path) -> int:
    child = os.fork()
    if child:
        return child
    try:
        result.write_bytes(job(folder))
    except BaseException as error:
        print(error, file=sys.stderr)
        os._exit(3)
    os._exit(0)


def main() -> None:
    base, kills = Path(sys.argv[1]), int(sys.argv[2])
    random.seed(kills)
    wanted = job()
    started = time.perf_counter()
    kept = base / "first"
    assert job(kept) == wanted, "a checkpoint changed the result"
    length = time.perf_counter() - started
    seen = {"kills": 0, "left": 0, "cut": 0, "finished": 0, "differ": 0, "unreadable": 0, "failed": 0}
    folder, result = base / "job0", base / "result"
    while seen["kills"] < kills or (folder / "job.json").exists():
        child = forked(folder, result)
        if seen["kills"] < kills:
            time.sleep(random.random() * length / 2)
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            seen["kills"] += 1
            seen["left"] += any(folder.glob("*.run"))
            seen["cut"] += any(folder.glob(".*"))
            seen["unreadable"] += not readable(folder)
            continue
        seen["failed"] += os.WEXITSTATUS(status) != 0
        seen["finished"] += 1
        seen["differ"] += result.read_bytes() != wanted
        result.unlink()
        folder = base / f"job{seen['finished']}"
    print(json.dumps(seen))


if __name__ == "__main__":
    main()
