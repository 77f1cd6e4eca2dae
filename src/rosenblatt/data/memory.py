"""How much memory there is, how much a source would take, and sizes as people write them."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rosenblatt.errors import SettingError

if TYPE_CHECKING:
    from rosenblatt.data.format import Format
    from rosenblatt.data.source import Source

UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}
COMPRESSED = 5  # what gzip and zstd usually save
ROW = 100  # bytes for each row that stay in memory in any case: classes, order, what the passes note


def parse_size(text: Any, what: str = "memory") -> int:
    """Bytes, from a number or from text such as 512MB, 1GB or 1GiB."""
    if isinstance(text, int) and not isinstance(text, bool) and text > 0:
        return text
    found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([kmgt]i?)?b?\s*", str(text), re.IGNORECASE)
    size = float(found[1]) * UNITS[(found[2] or "").lower()] if found and not isinstance(text, bool) else 0.0
    if not 1 <= size < math.inf:
        raise SettingError(f"{what} is a size such as 512MB, 1GB or 1GiB; got {str(text)[:40]!r}.")
    return int(size)


_asked: ContextVar[int | None] = ContextVar("asked", default=None)


@contextmanager
def asking(size: int | None) -> Iterator[None]:
    """While the block runs, `asked` tells that the user allows so many bytes; None where nothing is said."""
    token = _asked.set(size)
    try:
        yield
    finally:
        _asked.reset(token)


def asked() -> int | None:
    """The bytes that the user allows, if that was said. What is learned may depend on it, never on what is free."""
    return _asked.get()


def show_size(size: float) -> str:
    """The size as people read it."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" or size >= 100 else f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} TB"


def available() -> int | None:
    """Bytes that this process could still take: what the machine has free, or less where its group is limited."""
    found = [size for size in (_machine(), *_groups()) if size is not None]
    return min(found) if found else None


def _machine() -> int | None:
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            for line in file:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return _pages("SC_AVPHYS_PAGES")


def installed() -> int | None:
    """Bytes of main memory that the machine has, whoever uses them."""
    return _pages("SC_PHYS_PAGES")


def _pages(which: str) -> int | None:
    try:
        return os.sysconf(which) * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def _groups(root: Path = Path("/sys/fs/cgroup"), own: Path = Path("/proc/self/cgroup")) -> Iterator[int]:
    """What the limits of the control groups that this process is in leave; their caches can be let go of."""
    try:
        paths = [line.split(":", 2)[2] for line in own.read_text().splitlines() if line.startswith("0::")]
    except OSError:
        return
    for path in paths:
        folder = root / path.strip("/")
        while folder == root or root in folder.parents:
            try:
                limit = (folder / "memory.max").read_text().strip()
                if limit != "max":
                    used = int((folder / "memory.current").read_text())
                    stat = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
                    yield max(
                        0, int(limit) - used + int(stat.get("inactive_file", 0)) + int(stat.get("active_file", 0))
                    )
            except (OSError, ValueError):
                pass
            if folder == root:
                break
            folder = folder.parent


def estimate(source: Source, form: type[Format]) -> int:
    """Bytes that training on this file or folder would take in memory, about."""
    if source.path.is_dir():
        size = sum(os.stat(os.path.join(at, name)).st_size for at, _, names in os.walk(source.path) for name in names)
    elif source.packed:
        size = source.path.stat().st_size * COMPRESSED
    else:
        size = form.size(source)
    return size * form.memory
