"""Two threads against one over the same shards, on data of 1 GB in memory. Figures are medians of passes in turns.

Beside the time on the clock, which other programs disturb, it shows processor time: the share of a pass that is not
visiting shards, and what two free processors could therefore gain at most.

python benchmarks/scale_threads.py [GB]
"""

from __future__ import annotations

import sys
import time

import numpy as np

from rosenblatt.learn.problem import Problem, make_problem
from rosenblatt.learn.run import learn
from rosenblatt.learn.settings import Settings
from rosenblatt.loops.rows import Rows, dense_rows, n_bytes, sparse_rows
from rosenblatt.loops.threads import in_threads, thread_count

SHARDS, PASSES, TURNS, GOAL = 8, 6, 3, 1.6


def sparse(size: int, rng: np.random.Generator) -> Rows:
    """Rows of about 100 values in 100,000 columns, 12 bytes each."""
    n, per_row, d = size // (12 * 100), 100, 100_000
    step = d // per_row
    columns = (np.arange(per_row) * step + rng.integers(0, step, (n, per_row), np.int32)).astype(np.uint32)
    values = rng.random(n * per_row)
    return sparse_rows(np.arange(0, n * per_row + 1, per_row), columns.ravel(), values, d)


def dense(size: int, rng: np.random.Generator) -> Rows:
    return dense_rows(rng.random((size // (8 * 200), 200)))


def planted(rows: Rows, rng: np.random.Generator) -> Problem:
    """Classes that a random separator gives, a tenth of them flipped."""
    from rosenblatt.learn.decide import score_rows
    from rosenblatt.loops.rows import n_features

    scores = score_rows(rows, rng.normal(size=n_features(rows) + 1))
    truth = (scores > np.median(scores)) ^ (rng.random(len(scores)) < 0.1)
    return make_problem(rows, truth.astype(np.int32), 2)


def seconds_per_pass(problem: Problem, jobs: int) -> tuple[float, np.ndarray]:
    """The median pass of a run, the first left out, and the weights."""
    times = [time.perf_counter()]
    settings = Settings(shards=SHARDS, n_jobs=jobs, tol=None, max_iter=PASSES, margin=problem.mean_square)
    run = learn(problem, settings, on_pass=lambda run: times.append(time.perf_counter()))
    return float(np.median(np.diff(times)[1:])), run.weights


def bound(problem: Problem) -> tuple[float, float]:
    """The share of processor time outside the shards, and the gain that two free processors could reach."""
    marks: list[tuple[float, float]] = []
    settings = Settings(shards=SHARDS, n_jobs=2, tol=None, max_iter=PASSES, margin=problem.mean_square)
    learn(problem, settings, on_pass=lambda run: marks.append((time.thread_time(), time.process_time())))
    alone, whole = np.median(np.diff(marks, axis=0), axis=0)
    marks.clear()
    one = Settings(shards=SHARDS, n_jobs=1, tol=None, max_iter=PASSES, margin=problem.mean_square)
    learn(problem, one, on_pass=lambda run: marks.append((time.thread_time(), time.process_time())))
    single = float(np.median(np.diff(marks, axis=0)[:, 1]))
    return float(alone / whole), single / float(alone + (whole - alone) / 2)


def stream(rows: Rows, threads: int) -> float:
    """Seconds to add up the same bytes with so many threads: what the memory allows."""
    arrays = [field.view(np.uint8).ravel() for field in rows if isinstance(field, np.ndarray)]
    parts = [piece for array in arrays for piece in np.array_split(array[: len(array) // 8 * 8].view(np.uint64), 16)]
    start = time.perf_counter()
    in_threads(lambda piece: piece.sum(), parts, threads)
    return time.perf_counter() - start


def main() -> None:
    size = int(float(sys.argv[1]) * 1e9 if len(sys.argv) > 1 else 1e9)
    rng = np.random.default_rng(0)
    print(f"{SHARDS} shards, {thread_count()} processors; a pass in ms, its GB/s, and the memory's own gain")
    for name, make in {"sparse, 100 of 100,000 columns": sparse, "dense, 200 columns": dense}.items():
        problem = planted(make(size, rng), rng)
        seconds_per_pass(problem, 2)  # compiles
        pairs, memory = [], []
        for _ in range(TURNS):
            one, two = seconds_per_pass(problem, 1), seconds_per_pass(problem, 2)
            assert np.array_equal(one[1], two[1]), "the number of threads changed the result"
            pairs.append((one[0], two[0]))
            memory.append(stream(problem.rows, 1) / stream(problem.rows, 2))
        one_thread, two_threads = np.median(pairs, axis=0)
        gain = float(np.median([one / two for one, two in pairs]))
        gigabytes = n_bytes(problem.rows) / 1e9
        print(
            f"{name:<32}{gigabytes:5.2f} GB  one thread {one_thread * 1e3:6.0f} ms {gigabytes / one_thread:5.1f} GB/s  "
            f"two {two_threads * 1e3:6.0f} ms {gigabytes / two_threads:5.1f} GB/s   gain {gain:.2f}× "
            f"(memory alone {np.median(memory):.2f}×)   goal ≥{GOAL}×  {'yes' if gain >= GOAL else 'no'}",
            flush=True,
        )
        share, most = bound(problem)
        print(
            f"{'':<32}processor time outside the shards {share:.1%}; with two free processors {most:.2f}×", flush=True
        )


if __name__ == "__main__":
    main()
