"""Arrays that lie in files: mapped into memory, and let go of again when they fill too much of it.

A mapped array is an ordinary array to everybody who reads it, so code and results are those of arrays in memory. What
was read stays resident until somebody takes it away. Whoever works through a large array does so in pieces and calls
`relieve` between them, which lets go of all pages when the process is larger than it may be; they are read again when
they are next touched. For code that takes no such breaks there is the valve, a thread that lives while maps are open.

Nobody may write to a mapped array: the map is private, and what is written to it would be lost with its pages.
"""

from __future__ import annotations

import bisect
import ctypes
import mmap
import os
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from rosenblatt.claims import Misfit

PAGE = mmap.PAGESIZE
TICK = 0.004  # seconds between two looks at the size: at 10 GB/s a pass takes in 40 MB meanwhile
LEAST = 16 << 20  # bytes read since pages were last let go of, below which it is not worth doing again
DONTNEED = getattr(mmap, "MADV_DONTNEED", None)
MMAP_THRESHOLD = -3  # of glibc's mallopt


class Maps:
    """The open maps of this process, by address, and the valve.

    A map is unmapped under the lock and nowhere else: otherwise the valve could take away the pages of whatever came
    to lie at its address.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.starts: list[int] = []
        self.open: dict[int, tuple[Callable[[], object], int, Path]] = {}  # how to unmap it, its size and its file
        self.done: deque[int] = deque()  # addresses of maps that no array uses any more
        self.budget: int | None = None  # bytes that the process may take
        self.thread: threading.Thread | None = None
        self.left = 0  # bytes of files that stayed when pages were last let go of: those of the libraries

    def add(self, address: int, unmap: Callable[[], object], size: int, path: Path) -> None:
        with self.lock:
            self._unmap()
            bisect.insort(self.starts, address)
            self.open[address] = (unmap, size, path)
            if self.thread is None and self.budget is not None and resident() is not None:
                self.thread = threading.Thread(target=self._watch, name="rosenblatt valve", daemon=True)
                self.thread.start()

    def after_fork(self) -> None:
        """In a copy of the process: it has no valve, and a new one starts with the next map."""
        self.thread = None
        self.lock.release()

    def remove(self, address: int) -> None:
        """Called when the last array is gone, at any moment in any thread: so it waits for nobody."""
        self.done.append(address)
        if self.lock.acquire(blocking=False):
            self._unmap()
            self.lock.release()

    def _unmap(self) -> None:
        while self.done:
            address = self.done.popleft()
            self.starts.remove(address)
            self.open.pop(address)[0]()

    def find(self, array: np.ndarray) -> tuple[int, int, Path] | None:
        """Address, size and file of the map that the array lies in; None for an array in memory."""
        if not self.open:  # as in most programs
            return None
        at = array.ctypes.data
        with self.lock:
            place = bisect.bisect_right(self.starts, at) - 1
            if place < 0:
                return None
            start = self.starts[place]
            _, size, path = self.open[start]
        return (start, size, path) if at < start + size else None

    def release(self) -> None:
        """Lets go of the pages of all maps."""
        if DONTNEED is None:
            return
        with self.lock:
            self._unmap()
            for start, (_, size, _) in self.open.items():
                advise(start, size, DONTNEED)
        size_left = resident()
        self.left = 0 if size_left is None else size_left[1]

    def _watch(self) -> None:
        while True:
            with self.lock:
                self._unmap()
                if not self.open or self.budget is None:
                    self.thread = None
                    return
                budget = self.budget
            self.relieve(budget)
            time.sleep(TICK)

    def relieve(self, budget: int | None = None) -> None:
        """Lets go of the pages of all maps if the process is larger than it may be, and there are some to let go of.

        A table of many columns has many maps and asks at each column, so a release that frees nothing must be rare.
        """
        budget = self.budget if budget is None else budget
        size = None if budget is None or not self.open else resident()
        if size is not None and budget is not None and size[0] > budget and size[1] > self.left + LEAST:
            self.release()


MAPS = Maps()
if hasattr(os, "register_at_fork"):  # otherwise a copy of the process could find the lock taken for ever
    os.register_at_fork(before=MAPS.lock.acquire, after_in_parent=MAPS.lock.release, after_in_child=MAPS.after_fork)
relieve = MAPS.relieve


def resident() -> tuple[int, int] | None:
    """Bytes of this process in memory, and those of them that are pages of files; None where nobody says."""
    try:
        with open("/proc/self/statm", "rb") as file:
            pages = file.read().split()
    except OSError:
        return None
    return int(pages[1]) * PAGE, int(pages[2]) * PAGE


@contextmanager
def at_most(memory: int) -> Iterator[None]:
    """While the block runs, maps are let go of when the process has grown by more than `memory` bytes."""
    _return_what_is_freed()
    size = resident()
    before, MAPS.budget = MAPS.budget, None if size is None else size[0] + memory
    try:
        yield
    finally:
        MAPS.budget = before


@cache
def _return_what_is_freed() -> None:
    """Has the C library give large arrays back to the system when they are freed.

    Left to itself it comes to keep those of up to 32 MB, which is what arrays over some million rows take: training on
    4 GB held 150 to 250 MB more in the end.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(MMAP_THRESHOLD, 1 << 20)


def mapped(path: Path, kind: np.dtype | type | str, shape: tuple[int, ...]) -> np.ndarray:
    """The content of the file as an array; an ordinary one where there is nothing to map."""
    kind = np.dtype(kind)
    size = int(np.prod(shape, dtype=np.int64)) * kind.itemsize
    if not size:
        return np.empty(shape, kind)
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size < size:
            raise Misfit(f"{path.name} has fewer bytes than the {size} of an array of shape {shape}")
        address, unmap = _map(file.fileno(), size)
    MAPS.add(address, unmap, size, path)
    holder = _Holder(address, kind, shape)
    weakref.finalize(holder, MAPS.remove, address)
    return np.asarray(holder)


def _map(handle: int, size: int) -> tuple[int, Callable[[], object]]:
    """The address of the open file's bytes, and how they are unmapped.

    Private, so that it counts as an array that may be written to: loops are compiled anew for others. A map of Python's
    own keeps its file open, and a table of a thousand columns has more maps than a process may have open files.
    """
    system = _system()
    if system is None:
        opened = mmap.mmap(handle, size, access=mmap.ACCESS_COPY)
        return ctypes.addressof(ctypes.c_char.from_buffer(opened)), opened.close
    address = system.mmap(None, size, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE, handle, 0)
    if address == ctypes.c_void_p(-1).value:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return address, lambda: system.munmap(ctypes.c_void_p(address), ctypes.c_size_t(size))


class _Holder:
    """What an array and all its views refer to: the map ends with it."""

    def __init__(self, address: int, kind: np.dtype, shape: tuple[int, ...]) -> None:
        self.__array_interface__ = {"data": (address, False), "typestr": kind.str, "shape": shape, "version": 3}


def is_mapped(array: np.ndarray) -> bool:
    return bool(array.nbytes) and MAPS.find(array) is not None


def file_of(array: np.ndarray) -> Path | None:
    """The file that the array lies in; None for an array in memory."""
    found = MAPS.find(array)
    return None if found is None else found[2]


def advise(address: int, size: int, advice: int) -> int:
    """madvise through ctypes, which lets other threads run meanwhile; 0 if it was taken."""
    system = _system()
    return -1 if system is None else int(system.madvise(ctypes.c_void_p(address), ctypes.c_size_t(size), advice))


@cache
def _system() -> Any:
    """The C library of this system; None where it has no such calls."""
    try:
        found = ctypes.CDLL(None, use_errno=True)
        found.mmap.restype = ctypes.c_void_p
        found.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long)
    except (OSError, AttributeError, TypeError):
        return None
    return found
