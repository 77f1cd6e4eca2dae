"""Inputs of every kind, changed at random: each gives a result or is refused by name."""

from __future__ import annotations

import random
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from faults.batches import run_batch
from faults.fuzz_api import api_kind
from faults.fuzz_files import file_kinds
from faults.fuzz_signed import signed_kinds
from faults.mutation import Kind
from faults.outcome import Outcome

NUMBER = 5
FAULT = "fuzzed svmlight, CSV, JSON lines, e-mail, idx, model, certificate and requests to the lab"
PROMISE = "a result or a named error; no crash, no hang over 1 s per input, no memory over 200 MB"
SHORT, FULL = 1_600, 1_000_000
FOUND = [
    "JSON lines that begin with null ended the process: Arrow dies of them (data/columnar.py, NoBareNull).",
    "A column name in JSON that is not UTF-8, and JSON nested 1,000 deep, ended in a traceback (data/columnar.py).",
    "Messages that list column names with line ends in them had several lines (data/table.py).",
    "A model with half a character or a number past 1e308 in its description was loaded, and then could not be saved "
    "(store/packing.py).",
    "Saving a model with weights past 3e38 warned of an overflow (store/contents.py).",
    "A certificate with a number past 1e308 ended in a traceback (proofs/certificate.py).",
    "A refusal of the lab that quotes half a character could not be sent (serve/guard.py).",
    "A model whose columns have a spread of almost 0 warned of an overflow when it predicted (features/numeric.py).",
    "A CSV file of 20,000 columns in 20 kB took 260 MB, as Arrow keeps the words for true and false for each; now only "
    "where a column has them (data/csv.py).",
]
BATCH = 2_000
# Parts of a hundred: what is cheap gets more.
SHARES = {"svmlight": 20, "csv": 15, "jsonl": 14, "mail": 19, "idx": 22, "model": 3, "certificate": 5, "lab": 2}


def run(cases: int, seed: int) -> Outcome:
    outcome = Outcome()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        kinds = {**file_kinds(folder), **signed_kinds(folder), "lab": api_kind()}
        for name, share in SHARES.items():
            outcome.add(run_kind(name, kinds[name], cases * share // 100, seed))
    return outcome


def run_kind(name: str, kind: Kind, count: int, seed: int) -> Outcome:
    """So many inputs of one kind. A child that dies takes the rest of its batch along, which is then made up for."""
    outcome, batch = Outcome(), 0
    while outcome.cases < count:
        size = min(BATCH, count - outcome.cases)
        found = run_batch(lambda: _some(kind, name, seed, batch, size), kind.use)  # noqa: B023 (used at once)
        outcome.cases += found.tried
        outcome.broken += [f"{name}, batch {batch}: {what}: {content[:600]!r}" for what, content in found.broken]
        outcome.largest("slowest input, s", found.seconds)
        outcome.largest("largest batch, MB", found.megabytes)
        outcome.measured["refused"] = outcome.measured.get("refused", 0) + found.refused
        batch += 1
    outcome.measured[f"{name} accepted, share"] = 1 - outcome.measured.pop("refused") / outcome.cases
    return outcome


def _some(kind: Kind, name: str, seed: int, batch: int, count: int) -> Iterator[bytes]:
    draw = random.Random(zlib.crc32(f"{seed} {name} {batch}".encode()))
    return (kind.change(kind.seeds, kind.words, draw) for _ in range(count))
