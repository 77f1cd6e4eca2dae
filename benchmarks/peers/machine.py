"""Where and with what a run was made: figures without that mean nothing."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

import rosenblatt
from rosenblatt.data.memory import installed

ALWAYS = ("numpy", "scipy", "numba", "pyarrow", "scikit-learn", "pandas", "cleanlab", "fastapi", "dask")
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


def describe(packages: Iterable[str], most: int | None, repeats: int, data: str) -> dict[str, Any]:
    """Date, machine, versions, commit, and how busy the machine was when the run began."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory": installed(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "versions": {name: found for name in sorted({*ALWAYS, *packages}) if (found := _version(name))},
        "rosenblatt": rosenblatt.__version__,
        "commit": _commit(),
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        "threads": 1,
        "most_rows": most,
        "repeats": repeats,
        "data": data,
    }


def on_one_core() -> None:
    """Ties this process and all that it starts to one core: the same number of threads for everybody.

    Libraries that come later read the environment. BLAS is here already, and its threads, waiting for each other on one
    core, would cost whoever calls it milliseconds.
    """
    for name in THREADS:
        os.environ[name] = "1"
    threadpool_limits(1)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _commit() -> str:
    """The commit of the source that runs, with a plus where files differ from it; nothing outside a checkout."""
    folder, measuring = Path(rosenblatt.__file__).parent, Path(__file__).resolve().parents[1]

    def git(*arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True, timeout=10)
        return done.stdout.strip()

    try:
        git("ls-files", "--error-unmatch", "__init__.py")  # a copy installed inside some other checkout is not ours
        return git("rev-parse", "--short=10", "HEAD") + (
            "+" if git("status", "--porcelain", "--", ".", str(measuring), f":(exclude){measuring / 'results'}") else ""
        )
    except (OSError, subprocess.SubprocessError):
        return ""
