"""Running the cases of write_cases.py: in children of this process, each in a folder that is looked at afterwards."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from faults.child import ended, started
from faults.write_cases import Case, printed_model
from rosenblatt.store.checkpoints import LOCK

MEASURED = re.compile(rb"[^A-Za-z]+")  # what seconds, and the room for them, change in a text


class Healthy(NamedTuple):
    """What a run of the case without a fault ends with, leaves and prints."""

    case: Case
    code: int
    files: dict[str, bytes]
    printed: bytes
    model: bytes | None  # of a case that keeps its state: the model that it prints

    def equals(self, code: int, printed: Path, folder: Path) -> bool:
        """Whether another run ended with the same result."""
        if code != self.code:
            return False
        if self.model is not None:
            return printed_model(printed) == self.model
        files = files_in(folder)
        same = MEASURED.sub(b"", printed.read_bytes()) == MEASURED.sub(b"", self.printed)
        return same and all(name in files and self.is_whole(name, files[name]) for name in self.files)

    def is_whole(self, name: str, content: bytes | None) -> bool:
        """Whether the file is what this run wrote; pages and results tell seconds, too."""
        wanted = self.files.get(name)
        if wanted is None or content is None or content == wanted:
            return content == wanted
        return not name.endswith(".rosenblatt") and MEASURED.sub(b"", content) == MEASURED.sub(b"", wanted)

    def spoilt(self, before: dict[str, bytes], after: dict[str, bytes]) -> list[str]:
        """Files that are neither what they were before another run nor what this one wrote."""
        changed = sorted(name for name in {*before, *after} if before.get(name) != after.get(name))
        return [name for name in changed if not self.is_whole(name, after.get(name))]


def healthy(case: Case, code: int, printed: Path, folder: Path) -> Healthy:
    """Of a run that has just ended."""
    model = printed_model(printed) if case.keeps else None
    return Healthy(case, code, files_in(folder), printed.read_bytes(), model)


def warm(case: Case, base: Path) -> None:
    """Loads here what the case needs, so that children have it."""
    folder = base / "folder"
    case.prepare(folder)
    before = sys.stdin, sys.stdout, sys.stderr
    try:
        with open(case.given or os.devnull) as sys.stdin, open(base / "nowhere", "w") as sys.stdout:
            sys.stderr = sys.stdout
            case.call(folder)
    except SystemExit:
        pass
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
        remove(folder)


def run_case(case: Case, call: Callable[[], object], base: Path) -> tuple[int, str]:
    code = ended(started(call, base / "printed", base / "said", case.given or os.devnull))
    return code, (base / "said").read_text(errors="replace")


def files_in(folder: Path) -> dict[str, bytes]:
    """All files but locks, which hold nothing."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.endswith(LOCK))
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def remove(folder: Path) -> None:
    subprocess.run(["rm", "-rf", str(folder)], check=True)
