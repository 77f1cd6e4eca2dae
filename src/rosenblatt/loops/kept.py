"""What was compiled, kept on the disk for the next process: in a folder of ours, one checked file for each signature.

numba's own way keeps an index beside the code. A damaged index or file then ends every later run, two processes that
add to an index at once can leave it naming each other's code, and a loop is taken for current when a function that it
inlines from another file has changed. Here a file is named after what it holds, ends in a checksum, and lies in a
folder named after everything that the code depends on. Whatever is wrong with it, the loop is compiled again.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import IO, Any

import numba
from llvmlite.binding import get_host_cpu_name
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile

config: Any = numba.config
VERSION = sys.modules["rosenblatt"].__version__  # loops import nothing of the package, whose names lead everywhere
SETTINGS = ("BOUNDSCHECK", "OPT", "CPU_NAME", "CPU_FEATURES", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT")
NAME = "loops-"
KEPT = 12  # folders of other versions; each has some 15 MB when all loops have been of use
SEAL = hashlib.sha256().digest_size


@cache
def folder() -> str | None:
    """Where compiled loops are kept: in $NUMBA_CACHE_DIR, or the user's own cache. None where nothing can be trusted.

    Who can write there can have any code run, so the folder is for its owner alone, and one that others could write
    to is not used. It may belong to root and be one that we can only read.
    """
    path = os.path.join(_base(), "rosenblatt", NAME + _version())
    try:
        if not os.path.isdir(path):
            os.makedirs(path, 0o700, exist_ok=True)
            _remove_old(path)
        found = os.lstat(path)
    except OSError:
        return None
    if not hasattr(os, "geteuid"):
        return path
    trusted = found.st_uid in (0, os.geteuid()) and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return path if trusted and stat.S_ISDIR(found.st_mode) else None


def _base() -> str:
    own = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.abspath(config.CACHE_DIR or own)


def _version() -> str:
    """A name for all that the code depends on: versions and processor to be read, then a hash of the sources too."""
    python = ".".join(map(str, sys.version_info[:3]))
    processor = config.CPU_NAME or get_host_cpu_name()
    name = f"{VERSION}-numba{numba.__version__}-python{python}-{processor}"
    found = hashlib.sha256(repr([name, [str(getattr(config, each, None)) for each in SETTINGS]]).encode())
    for source in sorted(files("rosenblatt.loops").iterdir(), key=lambda each: each.name):
        if source.name.endswith(".py"):
            found.update(source.read_bytes())
    return f"{name}-{found.hexdigest()[:12]}"


def _remove_old(new: str) -> None:
    """Other versions leave their folders behind; those used last stay. A process that still uses one does without."""
    place = os.path.dirname(new)
    others = [each.path for each in os.scandir(place) if each.name.startswith(NAME) and each.path != new]
    with suppress(OSError):  # another process tidies up at the same time
        for path in sorted(others, key=os.path.getmtime)[:-KEPT]:
            shutil.rmtree(path, ignore_errors=True)


class Kept(FunctionCache):
    """The compiled forms of one function. What cannot be read or written is not there, and no error."""

    def __init__(self, function: Any, place: str) -> None:
        self._name, self._py_func, self._cache_path = repr(function), function, place
        self._impl = _Form(function, place)
        self._cache_file = _Files(place, self._impl.filename_base, None)
        self.enable()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            found = super().load_overload(sig, target_context)
        except MemoryError:
            raise
        except Exception:  # whatever numba says of a file that is not its own
            return None
        return found if found is not None and tuple(found.signature.args) == tuple(sig) else None

    def save_overload(self, sig: Any, data: Any) -> None:
        with suppress(OSError):  # the disk is full, or may not be written to
            super().save_overload(sig, data)


class _Form(CompileResultCacheImpl):
    """How numba turns what it compiled into bytes and back; it is told the place instead of looking for one."""

    def __init__(self, function: Any, place: str) -> None:
        code = function.__code__
        self._locator, self._lineno, self._py_file, self._place = self, code.co_firstlineno, code.co_filename, place
        module = function.__module__.rpartition(".")[2]
        self._filename_base = f"{module}.{function.__qualname__}".replace("<", "").replace(">", "")

    def ensure_cache_path(self) -> None:
        os.makedirs(self._place, 0o700, exist_ok=True)  # somebody may have emptied the cache meanwhile


class _Files(IndexDataCacheFile):
    """One file for each signature, named after it."""

    def load(self, key: Any) -> Any:
        name = self._name_of(key)
        return self._load_data(name) if _is_whole(self._data_path(name)) else None

    def save(self, key: Any, data: Any) -> None:
        self._save_data(self._name_of(key), data)

    def _name_of(self, key: Any) -> str:
        named: str = self._data_name_pattern.format(number=0)
        return named.replace(".0.", f".{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}.")

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[IO[bytes]]:
        content = BytesIO()
        yield content
        with super()._open_for_write(filepath) as file:
            file.write(content.getvalue() + _seal(filepath, content.getvalue()))


def _is_whole(path: str) -> bool:
    """Whether the file ends in its checksum. (What follows a pickle, numba does not see.)"""
    try:
        with open(path, "rb") as file:
            content = file.read()
    except OSError:
        return False
    return _seal(path, content[:-SEAL]) == content[-SEAL:]


def _seal(path: str, content: bytes) -> bytes:
    """Of the content under its name: the code of another loop is no better than a damaged one."""
    return hashlib.sha256(os.path.basename(path).encode() + b"\n" + content).digest()
