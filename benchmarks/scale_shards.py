"""How results compare over numbers of shards: test accuracy after so many passes, on a9a and news20.

    python benchmarks/scale_shards.py          # ROSENBLATT_DATA names the folder with libsvm/

Averaged weights, margin of 2 times the mean |f(x)|², rows of unit length; five orders, the median and the range.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from rosenblatt.data import read
from rosenblatt.features import Classes, Wishes, learn_and_encode
from rosenblatt.learn.decide import Decision, score_rows
from rosenblatt.learn.problem import make_problem
from rosenblatt.learn.run import Run, learn
from rosenblatt.learn.settings import Settings

DATA = Path(os.environ.get("ROSENBLATT_DATA", Path(__file__).parent.parent / ".." / "shared" / "data"))
SHARDS = (1, 2, 4, 16)
AFTER = (1, 2, 4, 8, 16)
SEEDS = range(5)
MARGIN = 2.0
CLOSE = 0.001


def accuracies(name: str, shards: int, seed: int, cache: dict[str, tuple]) -> dict[int, float]:
    """The share of test rows that averaged weights get right after every pass."""
    if name not in cache:
        table, test = read(DATA / "libsvm" / name), read(DATA / "libsvm" / f"{name}.t")
        classes = Classes.learn(table)
        plan, matrix = learn_and_encode(table, Wishes(unit="rows"))
        problem = make_problem(matrix.rows, classes.encode(table).astype(np.int32), len(classes.names))
        cache[name] = problem, plan.encode(test).rows, classes.encode(test)
    problem, rows, wanted = cache[name]
    found: dict[int, float] = {}

    def score(run: Run) -> None:
        predicted = Decision().decide(score_rows(rows, run.weights_of("averaged")))
        found[run.passes] = float(np.mean(predicted == wanted))

    margin = MARGIN * problem.mean_square
    learn(
        problem,
        Settings(margin=margin, tol=None, max_iter=AFTER[-1], shards=shards, n_jobs=-1, seed=seed),
        on_pass=score,
    )
    return found


def main() -> None:
    if not DATA.is_dir():
        print(f"no real data in {DATA}; set ROSENBLATT_DATA")
        return
    cache: dict[str, tuple] = {}
    headings = [f"{n} pass" if n == 1 else f"{n} passes" for n in AFTER]
    print(f"| data | shards | {' | '.join(headings)} | passes to within 0.1% of its best |")
    print("|---|---|" + "---|" * (len(AFTER) + 1))
    for name in ("a9a", "news20"):
        for shards in SHARDS:
            runs = [accuracies(name, shards, seed, cache) for seed in SEEDS]
            cells = []
            for n in AFTER:
                values = [run[n] for run in runs]
                cells.append(f"{np.median(values):.2%} ({min(values):.1%} – {max(values):.1%})")
            close = [min(n for n, value in run.items() if value >= max(run.values()) - CLOSE) for run in runs]
            print(f"| {name} | {shards} | {' | '.join(cells)} | {np.median(close):.0f} |", flush=True)


if __name__ == "__main__":
    main()
