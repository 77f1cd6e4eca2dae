"""Disks that do not serve: a small one, one that errors, and a folder that may not be written to. Linux alone.

Errors come from the kernel: a filter refuses system calls of this process, and of it alone, from now to its end.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

PAGE = 4096
NOBODY = 65534
NO_NEW_PRIVILEGES, SECCOMP, FILTER = 38, 22, 2  # of prctl
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
CALL, MACHINE, FIRST, THIRD = 0, 4, 16, 32  # places in what the kernel shows to a filter
CALLS = {
    "x86_64": (0xC000003E, {
        "write": (1, 18, 20, 40, 296, 326), "sync": (74, 75), "rename": (82, 264, 316), "folder": (83, 258),
        "open": (257,),
    }),
    "aarch64": (0xC00000B7, {
        "write": (64, 68, 66, 71, 70, 285), "sync": (82, 83), "rename": (38, 276), "folder": (34,), "open": (56,),
    }),
}  # fmt: skip


class Broken(NamedTuple):
    """What fails, and with which error."""

    calls: tuple[str, ...]
    error: int


WAYS = {
    "writing fails": Broken(("write",), errno.EIO),
    "the disk is full": Broken(("write",), errno.ENOSPC),
    "the disk cannot be waited for": Broken(("sync",), errno.EIO),
    "renaming fails": Broken(("rename",), errno.EIO),
    "nothing can be created": Broken(("open", "folder"), errno.EROFS),
}


Step = tuple[int, int, int, int]  # what to do, where to go on if it is so and if not, and with which number


class _Step(ctypes.Structure):
    _fields_ = (("code", ctypes.c_ushort), ("yes", ctypes.c_ubyte), ("no", ctypes.c_ubyte), ("k", ctypes.c_uint))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.POINTER(_Step)))


def program(steps: list[Step]) -> ctypes.Structure:
    """A filter as the kernel takes it."""
    return _Program(len(steps), (_Step * len(steps))(*(_Step(*step) for step in steps)))


def break_disk(broken: Broken) -> None:
    """From now on the calls fail in this process; writing to the three standard streams goes on."""
    machine, numbers = CALLS[platform.machine()]
    chosen = {name: numbers[name] for name in broken.calls}
    always = [number for name in ("sync", "rename", "folder") for number in chosen.get(name, ())]
    tests = [
        *((number, "refuse") for number in always),
        *((number, "files") for number in chosen.get("write", ())),
        *((number, "creates") for number in chosen.get("open", ())),
    ]
    # The blocks behind the tests, and how far each is from their end.
    places = {"files": 1, "creates": 3, "refuse": 5}
    steps: list[Step] = [(LOAD, 0, 0, MACHINE), (EQUAL, 0, 1 + len(tests), machine), (LOAD, 0, 0, CALL)]
    for place, (number, block) in enumerate(tests):
        steps.append((EQUAL, len(tests) - place - 1 + places[block], 0, number))
    steps += [
        (RETURN, 0, 0, ALLOW),
        (LOAD, 0, 0, FIRST), (AT_LEAST, 2, 3, 3),
        (LOAD, 0, 0, THIRD), (ANY_BIT, 0, 1, os.O_CREAT),
        (RETURN, 0, 0, REFUSE | broken.error),
        (RETURN, 0, 0, ALLOW),
    ]  # fmt: skip
    made, system = program(steps), ctypes.CDLL(None, use_errno=True)
    if system.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) or system.prctl(SECCOMP, FILTER, ctypes.byref(made), 0, 0):
        raise OSError(ctypes.get_errno(), "the kernel takes no filter")


def give_up_rights() -> None:
    """Makes this process one of nobody in particular, to whom permissions apply."""
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[bool]:
    """A file system of so many bytes on the folder while the block runs; False where mounting is not allowed."""
    options = ["-t", "tmpfs", "-o", f"size={size},mode=0755", "tmpfs", str(folder)]
    mounted = subprocess.run(["mount", *options], capture_output=True, check=False).returncode == 0
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder: Path, room: int) -> None:
    """Leaves so many bytes on the disk of this folder."""
    about = os.statvfs(folder)
    with (folder / "filling").open("wb") as file:
        file.write(bytes(max(0, about.f_bavail * about.f_frsize - room)))
