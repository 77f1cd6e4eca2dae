"""Model and certificate files that were cut short, or in which one bit changed."""

from __future__ import annotations

import tempfile
from pathlib import Path

import rosenblatt
from faults.outcome import Outcome, generator, one_line
from rosenblatt.errors import RosenblattError
from rosenblatt.proofs import from_json
from rosenblatt.store import to_bytes

NUMBER = 3
FAULT = "model and certificate files cut at every length, and every bit flipped"
PROMISE = "never loaded as something else, never a crash, refused with a reason"
SHORT, FULL = 3_000, 0  # 0: every cut and every flip of the small files, and 100,000 of the large one
LARGE = 100_000
FOUND: list[str] = []


def run(cases: int, seed: int) -> Outcome:
    """With 0 cases all there are; otherwise so many, drawn at random."""
    outcome, draw = Outcome(), generator(seed, NUMBER)
    small = {
        "perceptron.rosenblatt": to_bytes(rosenblatt.train("iris", model="perceptron", passes=2)),
        "bayes.rosenblatt": to_bytes(rosenblatt.train("iris", model="naive-bayes", k=1.0)),
        "certificate.json": rosenblatt.prove([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]).to_json().encode(),
    }
    for name, whole in small.items():
        every = [*range(len(whole)), *range(-8 * len(whole), 0)]
        _try(name, whole, every if not cases else draw.sample(every, min(cases // 4, len(every))), outcome)
    large = to_bytes(rosenblatt.train("digits", model="perceptron", record=True, passes=2))
    some = [draw.randrange(-8 * len(large), len(large)) for _ in range(cases // 4 or LARGE)]
    _try("large.rosenblatt", large, some, outcome)
    return outcome


def _try(name: str, whole: bytes, faults: list[int], outcome: Outcome) -> None:
    """Fault n >= 0 keeps n bytes; fault -n flips bit n - 1."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        for fault in faults:
            damaged = whole[:fault] if fault >= 0 else _flipped(whole, -fault - 1)
            path.write_bytes(damaged)
            where = f"{name}, {'cut at' if fault >= 0 else 'bit'} {fault if fault >= 0 else -fault - 1}"
            try:
                # Loaded as the very same thing is no fault: a certificate needs no line end.
                outcome.case(_loaded(path).strip() == whole.strip(), f"{where}: loaded as something else")
            except RosenblattError as error:
                outcome.case(one_line(str(error)), f"{where}: refused with {str(error)!r}")
            except Exception as error:
                outcome.case(False, f"{where}: {type(error).__name__}: {error}")


def _flipped(whole: bytes, bit: int) -> bytes:
    changed = bytearray(whole)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def _loaded(path: Path) -> bytes:
    """What the file says, written again."""
    if path.suffix == ".json":
        return from_json(path.read_bytes()).to_json().encode()
    return to_bytes(rosenblatt.load(path))
