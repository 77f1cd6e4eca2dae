"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from rosenblatt.errors import DataError


def write_whole(path: str | os.PathLike[str], text: str) -> None:
    """Writes the text beside the file and then puts it in its place, so that no one ever meets half of it."""
    target = Path(os.path.realpath(path))  # what a link points to is to be replaced, not the link
    try:
        if target.exists() and not target.is_file() and not target.is_dir():
            with open(target, "w", encoding="utf8", newline="") as stream:  # a pipe or a device has no place to take
                stream.write(text)
            return
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise DataError(f"{path}: cannot be written: {error.strerror}.") from None
    try:
        with os.fdopen(handle, "w", encoding="utf8", newline="") as out:
            out.write(text)
        os.chmod(name, 0o666 & ~_mask())
        os.replace(name, target)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise DataError(f"{path}: cannot be written: {error.strerror}.") from None


def _mask() -> int:
    """What the user wants new files to be closed to; a temporary file would be closed to all others."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
