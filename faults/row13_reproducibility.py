"""The same run again: in a new process, with one thread and two, without the compile cache, with the JIT off."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from faults.outcome import Outcome

NUMBER = 13
FAULT = (
    "the same run in a new process, with 1 and 2 threads, with and without the compile cache, JIT off on small integer "
    "data"
)
PROMISE = "the same bits"
SHORT, FULL = 2, 50
FOUND: list[str] = []

# Prints one digest per line: what small whole numbers give anywhere, then what this kind of processor gives.
WORK = """
import hashlib, os, sys, warnings
if os.environ.get("ONE_PROCESSOR"):
    os.sched_setaffinity(0, list(os.sched_getaffinity(0))[:1])
import numpy as np
warnings.simplefilter("ignore")
import rosenblatt
from rosenblatt import NaiveBayes, Perceptron

def digest(*values):
    found = hashlib.sha256()
    for value in values:
        found.update(value if isinstance(value, bytes) else np.ascontiguousarray(value).tobytes())
    print(found.hexdigest()[:16])

jobs, small = int(sys.argv[1]), sys.argv[2] == "small"
draw = np.random.RandomState(0)
for classes in (2, 3):
    X, y = draw.randint(-3, 4, (40, 3)).astype(float), draw.randint(0, classes, 40)
    for weights, shards in (("final", 1), ("final", 2), ("averaged", 1)):  # the averages of shards are fractions
        model = Perceptron(weights=weights, max_iter=5, tol=None, random_state=1, shards=shards, n_jobs=jobs).fit(X, y)
        digest(model.coef_, model.intercept_, model.n_updates_)
    digest(NaiveBayes(k=1.0, features="categorical").fit(X, y).counts_.cells)
    digest(rosenblatt.prove(X[:8], np.arange(8) % classes).to_json().encode())
if not small:
    from sklearn.datasets import load_digits
    from scipy import sparse
    X, y = load_digits(return_X_y=True)
    X = X / 7
    for rows in (X, sparse.csr_array(X), X.astype(np.float32)):
        model = Perceptron(max_iter=3, tol=None, random_state=1, shards=3, n_jobs=jobs).fit(rows, y)
        digest(model.coef_, model.decision_function(rows))
    model = rosenblatt.train("mail", seed=2)
    from rosenblatt.store import to_bytes
    digest(to_bytes(model))
"""


def run(cases: int, seed: int) -> Outcome:
    """Every case is a process whose digests are compared with those of the first."""
    outcome = Outcome()
    wanted = _digests(1, "all", {})
    outcome.case(len(wanted) > 10 and len(set(wanted)) > 10, f"the first process printed {wanted}")
    for number, (what, jobs, size, environment) in zip(range(cases), _ways(), strict=False):
        found = _digests(jobs, size, environment)
        same = found == wanted[: len(found)] and len(found) >= 10
        outcome.case(same, f"{what} ({number}): {found} where {wanted} was expected")
    return outcome


def _ways() -> Iterator[tuple[str, int, str, dict[str, str]]]:
    while True:
        yield "JIT off", 1, "small", {"NUMBA_DISABLE_JIT": "1"}
        yield "two threads", 2, "all", {}
        yield "one processor", 1, "all", {"ONE_PROCESSOR": "1"}
        with tempfile.TemporaryDirectory() as folder:
            yield "without the compile cache", 2, "small", {"NUMBA_CACHE_DIR": folder}
        yield "another hash seed", 2, "all", {"PYTHONHASHSEED": "12345"}


def _digests(jobs: int, size: str, environment: dict[str, str]) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", WORK, str(jobs), size],
        env={**os.environ, **environment}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout.split() or [done.stderr[-300:]]
