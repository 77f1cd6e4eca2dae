"""Checkpoints: a folder with the state of every run of a job after its last pass, so that the job can go on from there.

job.json    what the job is: data, settings, version. A folder that holds another job is refused.
*.run       a run: arrays and plain values as in a model file, checksummed, each written whole or not at all
lock        held by the process that works on the job
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, TypeVar

import numpy as np

from rosenblatt.claims import anything, fields, table, truth, whole
from rosenblatt.errors import DataError
from rosenblatt.harmless import one_line
from rosenblatt.store.packing import checksum, packed, unpacked
from rosenblatt.strict_json import read_strictly
from rosenblatt.writing import write_whole

JOB, LOCK, ENDING = "job.json", "lock", ".run"
LEFT = (f".*{ENDING}.*", f".{JOB}.*")  # files that were not written to their end
FORMAT = 1
KNOWN = fields({"format": whole(FORMAT, FORMAT), "finished": truth, "job": table(anything)})
Read = TypeVar("Read")


def holds_one(folder: str | os.PathLike[str]) -> bool:
    """Whether there is a checkpoint in the folder."""
    return (Path(folder) / JOB).exists()


class Checkpoints:
    """The folder of one job. `resumed` tells whether there was something to go on from."""

    def __init__(self, folder: str | os.PathLike[str], job: Mapping[str, Any], resume: bool):
        self.folder = Path(folder)
        self.job = json.loads(json.dumps(job))
        self._make()
        self._held = self._locked()
        try:
            self._open(resume)
        except BaseException:
            self.close()
            raise

    def load(self, key: Mapping[str, Any], read: Callable[[Any, dict[str, np.ndarray]], Read]) -> Read | None:
        """What `read` makes of the plain values and the arrays that were last saved under this key; None if none were.

        A ValueError of `read` says what in them cannot be: a checksum can be made to fit.
        """
        path = self._path(key)
        if not path.exists():
            return None
        given, text, arrays = unpacked(path, lambda why: self._damaged(path, why))
        if checksum(text, arrays) != given:
            raise self._damaged(path, "its checksum does not fit")
        try:
            return read(read_strictly(text, infinite=True), arrays)
        except ValueError as error:
            raise self._damaged(path, str(error)) from None

    def save(self, key: Mapping[str, Any], plain: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
        """Writes the state of a run in place of the former one, which stays if anything fails."""
        write_whole(self._path(key), packed(plain, arrays, allow_nan=True))

    def finish(self) -> None:
        """Marks the job as done: the next job may take the folder. What is in it stays, in case the model gets lost."""
        self._write(finished=True)
        self.close()

    def close(self) -> None:
        if self._held is not None:
            self._held.close()

    def _make(self) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise DataError(f"{self.folder}: this is a file. Name a folder for the checkpoint.") from None
        except OSError as error:
            raise DataError(f"{self.folder}: cannot be created ({error.strerror}). Name another folder.") from None

    def _locked(self) -> IO[bytes] | None:
        """The open lock: the system lets go of it however the process ends."""
        try:
            import fcntl
        except ImportError:  # no such locks on this system
            return None
        try:
            held = open(self.folder / LOCK, "ab")  # noqa: SIM115  it stays open as long as the job
        except OSError as error:
            raise DataError(f"{self.folder}: cannot be written ({error.strerror}). Name another folder.") from None
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            held.close()
            raise DataError(f"{self.folder}: another process works on this job. Wait for it, or end it.") from None
        return held

    def _open(self, resume: bool) -> None:
        for pattern in LEFT:  # by a process that was killed while it wrote
            for left in self.folder.glob(pattern):
                left.unlink(missing_ok=True)
        known = self._read()
        if known is not None and not resume and not known["finished"]:
            raise DataError(
                f"{self.folder}: this is the checkpoint of a job that is not finished. Go on with it (--resume), "
                "name another folder, or remove this one."
            )
        self.resumed = known is not None and resume
        if known is not None and resume:
            self._refuse_other(known["job"])
            return
        remove(self.folder, and_itself=False)
        self._write(finished=False)

    def _read(self) -> dict[str, Any] | None:
        path = self.folder / JOB
        try:
            known: dict[str, Any] = read_strictly(path.read_bytes(), infinite=True)
            KNOWN(known, "the job")
        except FileNotFoundError:
            return None
        except OSError as error:
            raise DataError(f"{path}: cannot be read ({error.strerror}). Check the file.") from None
        except ValueError as error:
            raise self._damaged(path, str(error)) from None
        return known

    def _write(self, finished: bool) -> None:
        known = {"format": FORMAT, "finished": finished, "job": self.job}
        write_whole(self.folder / JOB, json.dumps(known, ensure_ascii=False, indent=1))

    def _refuse_other(self, job: Mapping[str, Any]) -> None:
        for name in [*self.job, *job]:
            if job.get(name) != self.job.get(name):
                was, now = (_brief(each.get(name)) for each in (job, self.job))
                raise DataError(
                    f"{self.folder}: the checkpoint is of another job: its {one_line(name)} is {was}, now it is {now}. "
                    "Give the same data and options, or name another folder."
                )

    def _path(self, key: Mapping[str, Any]) -> Path:
        digest = hashlib.sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()[:16]
        name = re.sub(r"[^a-z0-9.]+", "-", str(key.get("stage", "run")).lower()).strip("-.")
        return self.folder / f"{name}-{digest}{ENDING}"

    def _damaged(self, path: Path, why: str) -> DataError:
        return DataError(
            f"{path}: the checkpoint is damaged ({' '.join(why.split())[:120]}). Remove {self.folder} and start again."
        )


def remove(folder: str | os.PathLike[str], and_itself: bool = True) -> None:
    """Removes a checkpoint; its folder too, unless it holds something else."""
    folder = Path(folder)
    for path in [*folder.glob(f"*{ENDING}"), folder / JOB]:
        path.unlink(missing_ok=True)
    if and_itself:
        (folder / LOCK).unlink(missing_ok=True)
        with suppress(OSError):
            folder.rmdir()


def _brief(value: Any) -> str:
    shown = json.dumps(value, ensure_ascii=False)
    return shown if len(shown) <= 40 else f"{shown[:36]}…"
