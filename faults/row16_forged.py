"""Every kind of file that is read back, its content changed and its checksums made right again."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from faults.apart import apart
from faults.forging import Kind, kinds
from faults.outcome import Outcome, generator, one_line

NUMBER = 16
FAULT = (
    "forged with right checksums: models, cards, checkpoints, job files, caches, traces and certificates whose values "
    "or arrays were changed; checkpoints and caches also with loops that check their bounds"
)
PROMISE = "an answer, or one line that names the file; never a crash, a hang or a mistake of our own"
SHORT, FULL = 40, 20_000
FOUND = [
    "A model of naive Bayes with a class that has no rows could not be exported as JSON (store/export_json.py).",
    "A checkpoint with weights of another shape ended the process, or wrote past the end of them; one with more passes "
    "than its limit never ended (learn/state.py).",
    "Column numbers, row starts and offsets of a cache were believed: reads and writes anywhere (data/rowfile.py, "
    "data/columnfile.py).",
    "Cards, traces and job files of another form ended in a mistake of our own (model/card.py, traces/reading.py, "
    "store/checkpoints.py).",
    "A model with arrays of one dimension more, or a card nested some hundred deep, was loaded and then could not be "
    "used (store/contents.py, strict_json.py).",
    "A trace of some kilobytes could ask for a run that takes gigabytes (traces/reading.py).",
    "The refusal of a certificate quoted whatever it held, at any length (proofs/certificate.py).",
    "So did those of models and tables (8 of the 13 of the full run; errors.py). A column that counted many times in a "
    "forged cache was a KeyError (features/contents.py). Four rows were refused without the file's name, as intended.",
]
# Parts of a hundred: what takes a training run gets fewer.
SHARES = {
    "model": 20,
    "card": 20,
    "checkpoint": 10,
    "kernel checkpoint": 4,
    "job": 6,
    "cache": 5,
    "trace": 20,
    "certificate": 15,
}
TOO_LARGE = re.compile(r"row \d+ holds values so large")
IN_BOUNDS = 200  # cases with loops that check their bounds: they are compiled anew, so in full runs alone
BOUNDS = Path(__file__).parent.parent / ".venv" / "bounds"


def run(cases: int, seed: int) -> Outcome:
    outcome = Outcome()
    with tempfile.TemporaryDirectory() as folder:
        for kind in kinds(Path(folder)):
            outcome.add(run_kind(kind, max(1, cases * SHARES[kind.name] // 100), generator(seed, NUMBER)))
    if cases >= FULL:
        outcome.add(_in_bounds(IN_BOUNDS, seed))
    return outcome


def run_kind(kind: Kind, count: int, draw: random.Random) -> Outcome:
    """So many forged files of a kind, each used in a process of its own."""
    outcome, refused = Outcome(), 0
    for number in range(count):
        use = kind.forge(draw)
        found = apart(use)
        # Numbers may be huge and possible: then a row is refused for which they are too large.
        named = not kind.names or any(name in found.said for name in kind.names) or TOO_LARGE.match(found.said)
        fine = found.ending == "done" or (found.ending == "refused" and one_line(found.said) and named)
        outcome.case(fine, f"{kind.name}, file {number}: {found.ending} {found.said}")
        refused += found.ending == "refused"
    outcome.measured[f"{kind.name} refused, share"] = refused / count
    return outcome


def _in_bounds(cases: int, seed: int) -> Outcome:
    """Checkpoints and caches in a program whose loops check every place that they read or write."""
    settings = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(BOUNDS)}
    told = subprocess.run(
        [sys.executable, "-m", "faults.row16_forged", str(cases), str(seed)],
        env=settings, capture_output=True, text=True, check=False, cwd=Path(__file__).parent.parent,
    )  # fmt: skip
    outcome = Outcome(cases)
    if told.returncode:
        outcome.broken = [f"in bounds: {line}" for line in (told.stdout + told.stderr).splitlines()[-20:]]
    return outcome


def main(cases: int, seed: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        found = Outcome()
        for kind in kinds(Path(folder)):
            if kind.name in ("checkpoint", "kernel checkpoint", "cache"):
                found.add(run_kind(kind, cases // 2, generator(seed, NUMBER)))
    print("\n".join(found.broken))
    return int(bool(found.broken))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
