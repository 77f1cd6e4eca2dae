"""The kernel perceptron on a GPU beside the CPU: PYTHONPATH=src python benchmarks/gpu.py [MNIST folder] [--quick]

Same list?   12,000 rows with each kernel, bytes and floats, two classes and ten: the list of updates and every score
             are compared with the CPU's, bit by bit.
How fast?    MNIST (or rows that resemble it, where the folder is not there): from arrays in host memory to a fitted
             model, after start-up; at most 0.4 s, and at most 30 µs an update. Then a million rows of 784 bytes, one
             pass; at most 10 s for 20,000 updates.

It needs numpy, numba, scikit-learn, pyarrow and CuPy, and prints one JSON object a line.
"""

from __future__ import annotations

import gzip
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from rosenblatt.estimators.kernel import KernelPerceptron
from rosenblatt.learn.kernel import device

SETTINGS: dict[str, dict[str, Any]] = {
    "cosine": {"kernel": "cosine", "degree": 9, "margin": 0.3},
    "poly": {"kernel": "poly", "degree": 4},
    "rbf": {"kernel": "rbf", "gamma": 0.02 / 255**2, "margin": 0.3},
}


def tell(**figures: Any) -> None:
    print(json.dumps({k: round(v, 6) if isinstance(v, float) else v for k, v in figures.items()}), flush=True)


def idx(path: Path, skip: int) -> np.ndarray:
    with gzip.open(path) as file:
        return np.frombuffer(file.read()[skip:], np.uint8)


def digits(folder: Path | None) -> tuple[str, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """MNIST, or rows that resemble it: strokes of ten classes, moved and blurred."""
    if folder is not None and (folder / "train-images-idx3-ubyte.gz").exists():
        found = [idx(folder / f"{part}-images-idx3-ubyte.gz", 16).reshape(-1, 784) for part in ("train", "t10k")]
        labels = [idx(folder / f"{part}-labels-idx1-ubyte.gz", 8) for part in ("train", "t10k")]
        return "mnist", found[0], labels[0], found[1], labels[1]
    rng = np.random.default_rng(0)
    strokes = rng.random((200, 784)) < 0.12
    which = rng.integers(0, 200, 70_000)
    X = strokes[which] * rng.integers(90, 256, (70_000, 784))
    X = (X * (rng.random((70_000, 784)) < 0.75) + (rng.random((70_000, 784)) < 0.06) * 120).clip(0, 255)
    X, y = X.astype(np.uint8), (which % 10).astype(np.uint8)
    return "strokes", X[:60_000], y[:60_000], X[60_000:], y[60_000:]


def compare(X: np.ndarray, y: np.ndarray, test: np.ndarray) -> None:
    """One line for each kernel and kind of rows: whether CPU and GPU agree."""
    kinds = {"bytes": X, "float64": X[:, 200:260] * 0.1, "float32": X[:, 200:260].astype(np.float32) / np.float32(7)}
    for kind, rows in kinds.items():
        more = {"bytes": test, "float64": test[:, 200:260] * 0.1}.get(kind)
        for name, settings in SETTINGS.items():
            if kind != "bytes" and name == "rbf":
                settings = {"kernel": "rbf", "margin": 0.3}
            for classes in (10, 2):
                labels = y if classes == 10 else y % 2
                chosen = {"random_state": 0, "record": True, "max_iter": 8, **settings}
                made = [KernelPerceptron(device=where, **chosen).fit(rows, labels) for where in ("cpu", "gpu")]
                cpu, gpu = (each.run_ for each in made)
                same = np.array_equal(made[0].mistakes_, made[1].mistakes_)
                bits = same and cpu.scores.tobytes() == gpu.scores.tobytes()
                alike = None if more is None else bool((made[0].predict(more) == made[1].predict(more)).all())
                tell(
                    compare=name, rows=kind, classes=classes, updates=[cpu.updates, gpu.updates], same_list=same,
                    same_scores=bool(bits), same_classes=alike, device=made[1].device_,
                )  # fmt: skip


class Clock:
    """The seconds of the passes alone, beside those of a whole fit."""

    def __init__(self) -> None:
        self.seconds, self.made = 0.0, device.OnDevice.one_pass

    def __enter__(self) -> Clock:
        def timed(on: Any, *given: Any) -> Any:
            on.cupy.cuda.Device().synchronize()
            started = time.perf_counter()
            found = self.made(on, *given)  # which reads back how many updates there were, and so waits for the device
            self.seconds += time.perf_counter() - started
            return found

        device.OnDevice.one_pass = timed  # type: ignore[method-assign]
        return self

    def __exit__(self, *_: object) -> None:
        device.OnDevice.one_pass = self.made  # type: ignore[method-assign]


def measure(name: str, X: np.ndarray, y: np.ndarray, test: np.ndarray, truth: np.ndarray) -> None:
    """The time of a fit from host memory, three times."""
    for kernel, settings in SETTINGS.items():
        for _ in range(3):
            started = time.perf_counter()
            with Clock() as passes:
                model = KernelPerceptron(random_state=0, device="gpu", **settings).fit(X, y)
            seconds = time.perf_counter() - started
            tell(
                task=name, kernel=kernel, rows=len(y), fit_s=seconds, passes_s=passes.seconds,
                us_per_update_of_passes=passes.seconds / model.n_updates_ * 1e6, updates=model.n_updates_,
                passes=model.n_iter_, us_per_update=seconds / model.n_updates_ * 1e6, support=len(model.support_),
            )  # fmt: skip
        tell(task=name, kernel=kernel, accuracy=float(model.score(test, truth)))


def measure_million(X: np.ndarray, y: np.ndarray) -> None:
    """A million rows of 784 bytes: the given ones, moved by up to two pixels."""
    rng = np.random.default_rng(1)
    pictures = np.concatenate([X] * -(-1_000_000 // len(X)))[:1_000_000].reshape(-1, 28, 28)
    for start in range(len(X), 1_000_000, len(X)):
        down, right = rng.integers(-2, 3, 2)
        pictures[start : start + len(X)] = np.roll(pictures[start : start + len(X)], (down, right), (1, 2))
    labels = np.concatenate([y] * -(-1_000_000 // len(y)))[:1_000_000]
    rows = pictures.reshape(-1, 784)
    for _ in range(2):
        started = time.perf_counter()
        settings = {"kernel": "cosine", "degree": 9, "max_iter": 1}
        with Clock() as passes:
            model = KernelPerceptron(random_state=0, device="gpu", **settings).fit(rows, labels)
        seconds = time.perf_counter() - started
        tell(
            task="a million rows", fit_s=seconds, passes_s=passes.seconds, updates=model.n_updates_,
            s_for_20000_updates=seconds / model.n_updates_ * 20_000,
        )  # fmt: skip


def main() -> None:
    import cupy

    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    tell(gpu=name, cupy=cupy.__version__, cuda=cupy.cuda.runtime.runtimeGetVersion())
    folders = [Path(word) for word in sys.argv[1:] if not word.startswith("-")]
    data, X, y, test, truth = digits(folders[0] if folders else None)
    size = 3_000 if "--quick" in sys.argv else 12_000
    compare(X[:size], y[:size], test)
    measure(data, X, y, test, truth)
    if "--quick" not in sys.argv:
        measure_million(X, y)


if __name__ == "__main__":
    main()
