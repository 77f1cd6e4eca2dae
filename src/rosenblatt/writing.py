"""Writing a file so that it is there whole or not at all, even when the power fails."""

from __future__ import annotations

import glob
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from rosenblatt.errors import DataError

PART = ".part"  # how the names of files end that are being written
FRESH = 60.0  # seconds in which a file without a lock is taken to be one that is just being made


def check_folder(path: str | os.PathLike[str]) -> None:
    """Refuses a path that cannot be written to, before hours of work go into what should be written there."""
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise DataError(f"{path}: this is a folder. Name a file in it.")
    if _is_device(target):
        return
    folder = str(Path(path).parent)  # as it was typed
    if not target.parent.is_dir():
        raise DataError(f"{path}: there is no folder {folder!r}. Create it, or name another.")
    if not os.access(target.parent, os.W_OK):
        raise DataError(f"{path}: the folder {folder!r} cannot be written to. Name another.")


def write_whole(path: str | os.PathLike[str], content: bytes | str) -> None:
    """The content under this name, in place of what was there; text as UTF-8."""
    with writing_whole(path) as stream:
        stream.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def writing_whole(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A stream whose content takes the place of the file when the block ends well, and vanishes otherwise."""
    check_folder(path)
    target = Path(os.path.realpath(path))  # what a link points to is to be replaced, not the link
    try:
        if _is_device(target):
            with open(target, "wb") as stream:
                yield stream
            return
        sweep(target)
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=PART, dir=target.parent)
        try:
            with os.fdopen(handle, "wb") as stream:
                hold(stream)
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            os.chmod(name, 0o666 & ~_umask())
            os.replace(name, target)
        except BaseException:
            with suppress(OSError):
                os.unlink(name)
            raise
        _sync_folder(target.parent)
    except OSError as error:
        raise DataError(f"{path}: cannot be written ({error.strerror or error}). Make room, or name another.") from None


def sweep(target: Path) -> None:
    """Removes what processes that were killed while they wrote this file left beside it."""
    pattern = f".{glob.escape(target.name)}.*{PART}"
    for left in target.parent.glob(pattern):
        with suppress(OSError), left.open("rb") as file:
            if time.time() - left.stat().st_mtime > FRESH and hold(file):
                left.unlink()


def hold(file: IO[bytes]) -> bool:
    """True if the file is locked for this process from now on; the system lets go of it however the process ends."""
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # a system without such locks: what is left behind stays
        return False
    except OSError:
        return False
    return True


def _is_device(target: Path) -> bool:
    """True for a pipe or a device: it has no place that something else could take."""
    return target.exists() and not target.is_file() and not target.is_dir()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _sync_folder(folder: Path) -> None:
    """The new name is on the disk only when the folder is."""
    with suppress(OSError):  # some systems do not open folders
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
