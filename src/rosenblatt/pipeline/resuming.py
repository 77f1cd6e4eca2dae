"""Keeping a job: its checkpoints are opened when it is known what the job is, and let go of however it ends."""

from __future__ import annotations

from dataclasses import asdict
from os import PathLike
from types import TracebackType
from typing import Any

import numpy as np

from rosenblatt import __version__
from rosenblatt.errors import SettingError
from rosenblatt.features import Classes
from rosenblatt.features.contents import Contents
from rosenblatt.pipeline.choices import Choices
from rosenblatt.pipeline.operating import Goal
from rosenblatt.pipeline.progress import Progress, Watch
from rosenblatt.store.checkpoints import Checkpoints
from rosenblatt.writing import check_new_folder


class Keeping:
    """The folder that was asked for, if any; a job that ends well is marked as finished there."""

    def __init__(self, folder: str | PathLike[str] | None, resume: bool, watch: Watch):
        if resume and folder is None:
            raise SettingError("resume needs the folder of a checkpoint. Name it with checkpoint=… (--checkpoint DIR).")
        if folder is not None:
            check_new_folder(folder)
        self.folder, self.resume, self.watch = folder, resume, watch
        self.checkpoints: Checkpoints | None = None

    def open(
        self,
        contents: Contents,
        classes: Classes,
        codes: np.ndarray,
        choices: Choices,
        apart: bool,
        judged: str,
        group: str | None,
        time: str | None,
        goal: Goal | None,
    ) -> Checkpoints | None:
        """The checkpoints of this job; None where none were asked for."""
        if self.folder is None:
            return None
        return self.open_for(
            {
                "rosenblatt version": __version__,
                "data": contents.fingerprint(codes),
                "classes": list(classes.names),
                **{name: value for name, value in asdict(choices).items() if name != "jobs"},
                "test rows given apart": apart,
                **({"validation rows": judged} if judged else {}),
                "group": group,
                "time": time,
                "goal": None if goal is None else asdict(goal),
            }
        )

    def open_for(self, job: dict[str, Any]) -> Checkpoints | None:
        """The checkpoints of a job, given as plain values: whatever its result depends on."""
        if self.folder is None:
            return None
        self.checkpoints = Checkpoints(self.folder, job, self.resume)
        if self.resume:
            empty = f"{self.folder} holds no checkpoint: from the beginning"
            self.watch(Progress(f"going on from {self.folder}" if self.checkpoints.resumed else empty))
        return self.checkpoints

    def __enter__(self) -> Keeping:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        if self.checkpoints is not None and kind is None:
            self.checkpoints.finish()
        elif self.checkpoints is not None:
            self.checkpoints.close()
