"""Files that are written whole or not at all: reports, exports and models."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from rosenblatt.errors import DataError


def write_whole(path: str | Path, content: bytes) -> None:
    """The content is in the file `path`, or what was there before still is; never a part of it.

    A temporary file beside it is written and forced to the disk, then takes the name. Readers see the old file or
    the new one, also when the machine stops in between.
    """
    path = Path(path)
    if not path.parent.is_dir():
        raise DataError(f"{path}: there is no folder {str(path.parent)!r} to write it to. Make it, or name another.")
    if path.is_dir():
        raise DataError(f"{path}: is a folder, so no file can be written there. Name a file in it.")
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name[:100]}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(temporary, _mode(path))
            os.replace(temporary, path)
        except BaseException:  # also Ctrl-C: no half file stays behind
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
        _force_folder(path.parent)
    except OSError as error:
        raise DataError(f"{path}: cannot be written: {error.strerror or error}. Name another file.") from None


def _mode(path: Path) -> int:
    """The rights of the file that is replaced; for a new one those that the user's mask leaves."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _force_folder(folder: Path) -> None:
    """The new name is on the disk too. Not every system can open a folder; there it is left to the system."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
