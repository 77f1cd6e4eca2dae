"""Writing a file so that it is there whole or not at all, even when the power fails."""

from __future__ import annotations

import glob
import os
import secrets
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO

from rosenblatt.errors import DataError

PART = ".part"  # how the names of files end that are being written
FRESH = 60.0  # seconds in which a file without a lock is taken to be one that is just being made
PAGE = 4096
LONGEST_START = 200  # bytes of a name; with the rest it must stay within 255


def check_folder(path: str | os.PathLike[str]) -> None:
    """Refuses a path that cannot be written to, before hours of work go into what should be written there."""
    _check_place(path)
    if not _is_device(Path(os.path.realpath(path))):
        _refuse_full(path, Path(os.path.realpath(path)).parent)


def _check_place(path: str | os.PathLike[str]) -> None:
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise DataError(f"{path}: this is a folder. Name a file in it.")
    if _is_device(target):
        return
    folder = str(Path(path).parent)  # as it was typed
    if not target.parent.is_dir():
        raise DataError(f"{path}: there is no folder {folder!r}. Create it, or name another.")
    if not os.access(target.parent, os.W_OK) or _is_kept_from_us(target):
        raise DataError(f"{path}: the folder {folder!r} cannot be written to. Name another.")


def check_new_folder(path: str | os.PathLike[str]) -> None:
    """Refuses a folder that cannot be written to, or could not be made where it is not there yet."""
    there = Path(os.path.realpath(path))
    if there.exists() and not there.is_dir():
        raise DataError(f"{path}: this is a file. Name a folder for the checkpoint.")
    while not there.exists():
        there = there.parent
    if not there.is_dir() or not os.access(there, os.W_OK):
        raise DataError(f"{path}: the folder {str(there)!r} cannot be written to. Name another.")
    _refuse_full(path, there)


def _is_kept_from_us(target: Path) -> bool:
    """Whether it is another user's file in a folder such as /tmp, where only its owner may replace it."""
    if not hasattr(os, "geteuid") or not target.exists():
        return False
    folder, me = target.parent.stat(), os.geteuid()
    return bool(folder.st_mode & stat.S_ISVTX) and me not in (0, folder.st_uid, target.stat().st_uid)


def _refuse_full(path: str | os.PathLike[str], folder: Path) -> None:
    """As far as it can be known beforehand: there is room for a page, in a file that is gone at once."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(PAGE))
    except OSError as error:
        raise _cannot(path, error) from None


def write_whole(path: str | os.PathLike[str], content: bytes | str) -> None:
    """The content under this name, in place of what was there; text as UTF-8."""
    with writing_whole(path) as stream:
        stream.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def writing_whole(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A stream whose content takes the place of the file when the block ends well, and vanishes otherwise."""
    _check_place(path)
    target = Path(os.path.realpath(path))  # what a link points to is to be replaced, not the link
    try:
        if _is_device(target):
            with open(target, "wb") as stream:
                yield stream
            return
        sweep(target)
        handle, name = _beside(target)
        try:
            with os.fdopen(handle, "wb") as stream:
                hold(stream)
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            _allow_the_same(name, target)
            os.replace(name, target)
        except BaseException:
            with suppress(OSError):
                os.unlink(name)
            raise
        _sync_folder(target.parent)
    except OSError as error:
        raise _cannot(path, error) from None


def _cannot(path: str | os.PathLike[str], error: OSError) -> DataError:
    return DataError(f"{path}: cannot be written ({error.strerror or error}). Make room, or name another.")


def _beside(target: Path) -> tuple[int, str]:
    """A new file in the same folder, open for writing. Before it replaces another it is for us alone; otherwise it
    gets what the umask leaves, which the system sees to: to ask for the umask is to change it for a moment."""
    name = str(target.parent / f"{_start(target)}{secrets.token_hex(6)}{PART}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    return os.open(name, flags, 0o600 if target.exists() else 0o666), name


def _start(target: Path) -> str:
    """How the names of files begin that are being written in place of this one."""
    return f".{os.fsdecode(os.fsencode(target.name)[:LONGEST_START])}."


def _allow_the_same(name: str, target: Path) -> None:
    """Who may read and write the file that is to be replaced may do so with the new one, and nobody else."""
    if not target.exists():
        return
    old, mode = target.stat(), stat.S_IMODE(target.stat().st_mode) & 0o777
    try:
        os.chown(name, old.st_uid, old.st_gid)
    except (AttributeError, OSError):  # another's file: what its group may do is not for ours
        mode &= 0o777 if old.st_gid == os.stat(name).st_gid else 0o707
    os.chmod(name, mode)


@contextmanager
def holding(path: str | os.PathLike[str], waiting: Callable[[], None]) -> Iterator[Callable[[], None]]:
    """While the block runs, others who want to hold the file wait, after `waiting` has told so.

    What comes out refuses a file that was replaced nevertheless, by a program that does not ask: what that one wrote
    would be lost.
    """
    with ExitStack() as stack:
        held = None
        while os.path.isfile(path) and held != _identity(path):  # otherwise it was replaced while we waited
            file = stack.enter_context(open(path, "rb"))
            _lock(file, waiting)
            held = _identity(file.fileno())

        def check() -> None:
            if not os.path.isfile(path) or _identity(path) != held:
                raise DataError(f"{path}: it was changed while this ran, so nothing was written. Run it again.")

        yield check


def _lock(file: IO[bytes], waiting: Callable[[], None]) -> None:
    try:
        import fcntl
    except ImportError:  # no such locks on this system: a file that was changed is refused in the end
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        waiting()
        fcntl.flock(file, fcntl.LOCK_EX)
    except OSError:  # nor on this disk
        return


def _identity(file: str | os.PathLike[str] | int) -> tuple[int, int, int, int]:
    about = os.stat(file)
    return about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns


def sweep(target: Path) -> None:
    """Removes what processes that were killed while they wrote this file left beside it."""
    pattern = f"{glob.escape(_start(target))}*{PART}"
    for left in target.parent.glob(pattern):
        with suppress(OSError), left.open("rb") as file:
            if time.time() - left.stat().st_mtime > FRESH and hold(file):
                left.unlink()


def hold(file: IO[bytes]) -> bool:
    """True if the file is locked for this process from now on; the system lets go of it however the process ends."""
    return _flock(file, "LOCK_EX")


def share(file: IO[bytes]) -> bool:
    """True if others can share the file from now on, but none can hold it."""
    return _flock(file, "LOCK_SH")


def _flock(file: IO[bytes], kind: str) -> bool:
    try:
        import fcntl

        fcntl.flock(file, getattr(fcntl, kind) | fcntl.LOCK_NB)
    except (ImportError, OSError):  # a system without such locks: what is left behind stays
        return False
    return True


def _is_device(target: Path) -> bool:
    """True for a pipe or a device: it has no place that something else could take."""
    return target.exists() and not target.is_file() and not target.is_dir()


def _sync_folder(folder: Path) -> None:
    """The new name is on the disk only when the folder is."""
    with suppress(OSError):  # some systems do not open folders
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
