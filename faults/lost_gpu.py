"""A stand-in for CuPy on numpy, whose n-th call fails: a GPU that is lost, has no memory left or cannot compile."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from rosenblatt.learn.kernel import device
from rosenblatt.loops.kernels import POLY

FAILURES = {
    "lost": "cudaErrorDevicesUnavailable: CUDA-capable device(s) is/are busy or unavailable",
    "launch": "cudaErrorLaunchFailure: unspecified launch failure\nat line 3",
    "memory": "Out of memory allocating 8,589,934,592 bytes",
    "library": "CuPy failed to load libnvrtc.so.13: cannot open shared object file",
}


class OutOfMemoryError(MemoryError):
    """As CuPy has it."""


class CUDARuntimeError(RuntimeError):
    """As CuPy has it."""


for _kind in (OutOfMemoryError, CUDARuntimeError):
    _kind.__module__ = "cupy.cuda"


class Gpu:
    """Counts calls; from the one numbered `at` on they fail, memory alone only once.

    at    None for a GPU that never fails
    """

    def __init__(self, at: int | None = None, how: str = "lost") -> None:
        self.at, self.how, self.calls, self.failed = at, how, 0, False

    def tick(self) -> None:
        self.calls += 1
        if self.at is None or self.calls <= self.at or (self.failed and self.how == "memory"):
            return
        self.failed = True
        kind = {"memory": OutOfMemoryError, "library": RuntimeError}.get(self.how, CUDARuntimeError)
        raise kind(FAILURES[self.how])


class Array(np.ndarray):
    """Memory of the GPU: whoever reads or writes a part of it makes a call."""

    gpu: Gpu

    def __array_finalize__(self, made: Any) -> None:
        self.gpu = getattr(made, "gpu", Gpu())

    def __getitem__(self, place: Any) -> Any:
        self.gpu.tick()
        return super().__getitem__(place)

    def __setitem__(self, place: Any, value: Any) -> None:
        self.gpu.tick()
        super().__setitem__(place, value)


@contextmanager
def having(gpu: Gpu) -> Iterator[None]:
    """While the block runs, `import cupy` gives the stand-in; whether there is a GPU is asked anew."""
    before = sys.modules.get("cupy")
    sys.modules["cupy"] = _module(gpu)
    _forget()
    try:
        yield
    finally:
        if before is None:
            del sys.modules["cupy"]
        else:
            sys.modules["cupy"] = before
        _forget()


def _forget() -> None:
    device.why_no_gpu.cache_clear()
    device._compiled.cache_clear()


def _module(gpu: Gpu) -> ModuleType:
    made = ModuleType("cupy")

    def on_gpu(name: str) -> Any:
        def call(*given: Any, **more: Any) -> Array:
            gpu.tick()
            found = np.array(getattr(np, name)(*given, **more)).view(Array)
            found.gpu = gpu
            return found

        return call

    def asnumpy(array: np.ndarray) -> np.ndarray:
        gpu.tick()
        return np.array(array, subok=False)

    def room() -> tuple[int, int]:
        gpu.tick()
        return 10**9, 8 * 10**9

    def device_() -> SimpleNamespace:
        gpu.tick()
        return SimpleNamespace(attributes={"MultiProcessorCount": 4})

    for name in ("asarray", "zeros", "empty", "full", "arange", "ascontiguousarray"):
        setattr(made, name, on_gpu(name))
    for name in ("uint8", "uint32", "uint64", "int32", "int64", "float64"):
        setattr(made, name, getattr(np, name))
    more = {
        "asnumpy": asnumpy,
        "RawKernel": lambda *_, **__: _Launched(gpu),
        "cuda": SimpleNamespace(
            memory=SimpleNamespace(OutOfMemoryError=OutOfMemoryError),
            runtime=SimpleNamespace(getDeviceCount=lambda: 1, memGetInfo=room),
            Device=device_,
        ),
    }
    for name, value in more.items():
        setattr(made, name, value)
    return made


class _Launched:
    """The pass of `learn/kernel/device.py`, one row after the other."""

    def __init__(self, gpu: Gpu) -> None:
        self.gpu = gpu

    def __call__(self, blocks: tuple[int], threads: tuple[int], given: tuple[Any, ...], shared_mem: int) -> None:
        self.gpu.tick()
        _, by_row, _, truth, amounts, order, _, scores = (np.asarray(each) for each in given[:8])
        noted, count = np.asarray(given[10]), np.asarray(given[11])
        kind, degree, gamma, coef0, earlier, later, last = given[15:22]
        assert kind == POLY, "the stand-in knows no other"
        rows = (by_row.view(np.uint8) if by_row.dtype == np.uint32 else by_row).astype(np.float64)
        made = 0
        for position, row in enumerate(order.tolist()):
            own = int(truth[row])
            rival, lead = _look(scores[:, row], own, bool(last))
            if lead > (later if own > rival else earlier):
                continue
            noted[made] = position << 24 | rival << 1 | int(lead <= 0)
            made += 1
            base = gamma * (rows @ rows[row]) + coef0
            part = amounts[row] * base**degree
            if len(scores) == 1:
                scores[0] += part if own == 1 else -part
            else:
                scores[own] += part
                scores[rival] -= part
        count[0] = made


def _look(scores: np.ndarray, own: int, last: bool) -> tuple[int, float]:
    """The rival of a row, and how far it is ahead of it."""
    if len(scores) == 1:
        return 1 - own, float(scores[0] if own == 1 else -scores[0])
    rival = -1
    for other, score in enumerate(scores.tolist()):
        if other != own and (rival < 0 or score > scores[rival] or (last and score == scores[rival])):
            rival = other
    return rival, float(scores[own] - scores[rival])
