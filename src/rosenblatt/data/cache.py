"""The cache folder: what was made of large files, kept for the next run.

An entry is a folder of arrays and a manifest, which is written last. It is built under another name and then renamed,
so an entry that has a manifest is whole; it is trusted when the sizes and checksums of all its files are those that
the manifest tells. Data files are not forced to the disk: after a power failure their checksums do not fit, and the
entry is built anew. So is one whose checksums fit but whose content cannot be: whoever has written to the folder can
compute them.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import secrets
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeVar

import numpy as np
import pyarrow as pa

from rosenblatt.claims import Misfit, anything, fields, row, table, text, whole
from rosenblatt.data.maps import mapped, relieve
from rosenblatt.errors import DataError
from rosenblatt.strict_json import read_strictly
from rosenblatt.writing import FRESH, hold, share, write_whole

PLACE = "ROSENBLATT_CACHE"
MANIFEST, BUILDING, LOCK = "manifest", ".building-", "lock"
VERSION = 1
SEALED = fields({"version": whole(VERSION, VERSION), "files": table(row(whole(), text)), "about": table(anything)})
SOURCE = fields({"source": text, "rows": whole()})
Made = TypeVar("Made")
PIECE = 1 << 22  # words of a checksum between two looks at the memory; a multiple of four


def place() -> Path:
    """The cache folder: $ROSENBLATT_CACHE, or the user's own cache."""
    if os.environ.get(PLACE):
        return Path(os.environ[PLACE])
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "rosenblatt"


def digest(*what: Any) -> str:
    """A name for plain values: equal for equal ones."""
    return hashlib.sha256(json.dumps(what, sort_keys=True, default=str).encode()).hexdigest()[:16]


def digest_of(array: np.ndarray) -> str:
    """A name for the content of an array."""
    found = hashlib.sha256()
    for start in range(0, len(array), 1 << 20):
        found.update(np.ascontiguousarray(array[start : start + (1 << 20)]).tobytes())
    return found.hexdigest()[:16]


def checksum(path: Path) -> str:
    """A hash of the file's bytes, read back from where they were written; about 10 GB/s where they are in memory."""
    from rosenblatt.loops.checksum import fold_words

    size = path.stat().st_size
    lanes = np.arange(4, dtype=np.uint64) + np.uint64(size)
    with np.errstate(over="ignore"):
        words = mapped(path, np.uint64, (size // 8,))
        for start in range(0, len(words), PIECE):
            fold_words(words[start : start + PIECE], lanes)
            relieve()
        if size % 8:
            with path.open("rb") as file:
                file.seek(size - size % 8)
                fold_words(np.frombuffer(file.read().ljust(8, b"\0"), np.uint64).copy(), lanes)
    return lanes.astype("<u8").tobytes().hex()


def entry(target: Path, make: Callable[[Path, dict[str, Any]], None], load: Callable[[dict[str, Any]], Made]) -> Made:
    """What `load` makes of the entry: of the one that is there, if it is whole and can be; else of a new one.

    make    fills a folder, and the plain values that are to be said about it
    load    takes these values; it raises Misfit, or an error of the system or of Arrow, where they or the files beside
            them cannot be, before any loop sees them
    """
    known, seen = opened(target), _identity(target)
    if known is not None:
        try:
            return load(known)
        except DAMAGE:
            discard(target, seen)
    for _ in range(TRIES):  # another process may remove what it made before this one tells that it is in use here
        with building(target) as (made, about):
            make(made, about)
        if (target / MANIFEST).exists():
            break
    try:
        return load(json.loads(json.dumps(about)))  # as the next run will find it
    except DAMAGE as error:  # what it was made of was damaged, or somebody writes to it
        raise DataError(
            f"{target}: the cache cannot be used ({' '.join(str(error).split())[:120]}). Remove it with "
            "`rosenblatt cache --remove all`."
        ) from None


DAMAGE = (Misfit, OSError, pa.ArrowException)
TRIES = 3


def to_build(folder: Path) -> Path:
    """A place in the folder for something that is being built. It is made by the caller, who also removes it: a signal
    that comes between making it and knowing its name would leave it there."""
    folder.mkdir(parents=True, exist_ok=True)
    sweep(folder)
    return folder / f"{BUILDING}{secrets.token_hex(8)}"


@contextmanager
def building(target: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """A new folder and what is to be said about it; when the block ends well they become the entry `target`."""
    with unnamed(target.parent) as made:
        about: dict[str, Any] = {}
        yield made, about
        seal(made, about)
        _rename(made, target)
    _use(target)


@contextmanager
def unnamed(parent: Path | None = None) -> Iterator[Path]:
    """A folder that is gone when the block ends; what was mapped of it stays until nobody uses it."""
    try:
        made = to_build(parent or place())
        try:
            made.mkdir(mode=0o700)
            with locked(made):
                yield made
        finally:
            erase(made)
    except OSError as error:
        raise refused(error) from None


def _rename(made: Path, target: Path) -> None:
    """Puts the entry in its place; if another process was faster with the same, its one is as good, and in use."""
    try:
        os.replace(made, target)
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise
        if (target / MANIFEST).exists():
            erase(made)
        else:  # what is left of a removed one
            discard(target, _identity(target))
            os.replace(made, target)


def _use(folder: Path) -> None:
    """Notes that the entry is of use in this run, and tells other processes by a lock which they respect."""
    if USED.get(folder) is None:
        file = None
        with suppress(OSError):  # a cache that may only be read, or one without locks, is of use too
            file = (folder / LOCK).open("rb")
            share(file)
        USED[folder] = file


def forget_used() -> None:
    """From now on nothing is of use: a new run begins."""
    for folder in list(USED):
        _let_go(folder)


def _let_go(folder: Path) -> None:
    file = USED.pop(folder, None)
    if file is not None:
        file.close()


def _is_free(folder: Path) -> bool:
    """Whether no process has a use for the entry."""
    try:
        with (folder / LOCK).open("rb") as file:
            return hold(file)
    except OSError:
        return True


def _remove_if_free(folder: Path) -> None:
    """Removes the entry unless a process has a use for it; none can begin to have one meanwhile."""
    try:
        with (folder / LOCK).open("rb") as file:
            if hold(file):
                remove(folder)
    except OSError:
        remove(folder)


def _identity(folder: Path) -> int:
    """Tells a folder from the one that took its place; 0 where there is none."""
    try:
        return folder.stat().st_ino
    except OSError:
        return 0


def discard(folder: Path, seen: int) -> None:
    """Removes a damaged entry, unless another process has put a new one in its place."""
    if seen and _identity(folder) == seen:
        _let_go(folder)
        aside = folder.with_name(f"{BUILDING}{secrets.token_hex(8)}")
        with suppress(OSError):
            try:
                os.rename(folder, aside)
            finally:
                erase(aside)


def prune(folder: Path) -> None:
    """Removes what was made of a table in former runs and is of no use, in this one or in that of another process."""
    for path in [*folder.glob("made-*"), *folder.glob("made-*/order-*")]:
        if path not in USED:
            _remove_if_free(path)


@contextmanager
def passing() -> Iterator[None]:
    """Removes, when the block ends, what the block put into the cache; what was mapped of it stays until unused."""
    before = set(USED)
    try:
        yield
    finally:
        for folder in set(USED) - before:
            _let_go(folder)
            _remove_if_free(folder)


def seal(folder: Path, about: dict[str, Any]) -> None:
    """Writes the manifest of all files in the folder."""
    names = sorted(path.name for path in folder.iterdir() if path.is_file() and path.name not in (LOCK, MANIFEST))
    files = {name: [(folder / name).stat().st_size, checksum(folder / name)] for name in names}
    manifest = json.dumps({"version": VERSION, "files": files, "about": about}, ensure_ascii=False)
    write_whole(folder / MANIFEST, signed(manifest.encode()))


def signed(manifest: bytes) -> bytes:
    """The manifest behind a line with its hash: what it says about the entry counts as much as the files."""
    return hashlib.sha256(manifest).hexdigest().encode() + b"\n" + manifest


USED: dict[Path, IO[bytes] | None] = {}  # entries of use in this run, each with the lock that tells others so


def opened(folder: Path) -> dict[str, Any] | None:
    """What the entry says about itself if it is whole, otherwise None; a damaged one is removed."""
    seen = _identity(folder)
    if seen:
        _use(folder)  # before it is looked at: what is whole now could be gone the next moment
    with suppress(OSError, ValueError):
        manifest = _manifest(folder)
        if all(
            name == Path(name).name and (folder / name).stat().st_size == size and checksum(folder / name) == known
            for name, (size, known) in manifest["files"].items()
        ):
            with suppress(OSError):  # a cache that may only be read is of use too
                os.utime(folder / MANIFEST)  # when it was last of use
            return dict(manifest["about"])
    _let_go(folder)
    discard(folder, seen)
    return None


def _manifest(folder: Path) -> dict[str, Any]:
    """The manifest of an entry; an error of the system, or ValueError where it can be none."""
    found = (folder / MANIFEST).read_bytes()
    content = found.partition(b"\n")[2]
    if found != signed(content):
        raise Misfit("the manifest is not what its hash says")
    manifest: dict[str, Any] = read_strictly(content, infinite=True)
    SEALED(manifest, "the manifest")
    return manifest


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Holds a lock on the folder, which the system lets go of when the process ends, however it ends."""
    with (folder / LOCK).open("wb") as file:
        hold(file)
        yield


def sweep(folder: Path) -> None:
    """Removes what processes that were ended left half-built."""
    for left in folder.glob(f"{BUILDING}*"):
        with suppress(OSError):  # one that is just being made has no lock yet
            if time.time() - left.stat().st_mtime > FRESH and _is_free(left):
                erase(left)


def remove(folder: Path) -> None:
    """Removes an entry, its manifest first, so that no half of it is ever trusted."""
    with suppress(OSError):
        (folder / MANIFEST).unlink()
    erase(folder)


def erase(folder: Path) -> None:
    """Removes a folder, if it is there, and also when a signal ends the run in the middle of that."""
    try:
        shutil.rmtree(folder, ignore_errors=True)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def refused(error: OSError) -> DataError:
    """One line for a disk that is full, may not be written to, or is not there."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    what = "is full" if full else f"cannot be used ({error.strerror or error})"
    return DataError(
        f"{place()}: the cache folder {what}. Make room, or set {PLACE} to a folder on another disk; "
        "`rosenblatt cache` shows what it holds."
    )


@dataclass(frozen=True)
class Entry:
    """What the cache holds of one source."""

    name: str
    folder: Path
    source: str
    rows: int
    size: int  # bytes on the disk, with everything that was made of the table
    used: float  # when, in seconds since 1970


def read_about(folder: Path) -> dict[str, Any]:
    """What the entry says about itself, not checked; nothing where it does not."""
    with suppress(OSError, ValueError):
        return dict(_manifest(folder)["about"])
    return {}


def entries() -> list[Entry]:
    """All entries, the last used first."""
    found = []
    for folder in place().glob("*"):
        with suppress(OSError, ValueError):
            about = read_about(folder)
            SOURCE(about, "the entry")
            used = max(path.stat().st_mtime for path in folder.rglob(MANIFEST))
            found.append(Entry(folder.name, folder, about["source"], about["rows"], size_of(folder), used))
    return sorted(found, key=lambda entry: -entry.used)


def clear(chosen: list[Entry], everything: bool = False) -> int:
    """Removes the entries, and with `everything` also what ended processes left; returns the bytes freed."""
    freed = 0
    for entry in chosen:
        freed += entry.size
        remove(entry.folder)
        if entry.folder.exists():
            raise DataError(f"{entry.folder}: cannot be removed. Check its permissions.")
    if everything and place().is_dir():
        sweep(place())
    return freed


def size_of(folder: Path) -> int:
    """Bytes of all files below the folder."""
    total = 0
    for at, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += os.stat(os.path.join(at, name)).st_size
    return total
