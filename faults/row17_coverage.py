"""Every reader of bytes from outside, fed by a corpus that grows with the ways its inputs go through our code."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import tempfile
from pathlib import Path

from faults import results
from faults.corpus import Finding, Grown, grow
from faults.fuzz_api import api_kind
from faults.fuzz_books import book_kinds
from faults.fuzz_files import file_kinds
from faults.fuzz_kept import kept_kinds
from faults.fuzz_signed import signed_kinds
from faults.fuzz_tables import table_kinds
from faults.mutation import Kind
from faults.outcome import Outcome, shared_out

NUMBER = 17
FAULT = (
    "fuzzed with a corpus that grows by the lines an input reaches: every reader of data, packed files, folders, "
    "names, dates, options, models, certificates, traces, job files, checkpoints, the cache and requests to the lab"
)
PROMISE = "a result or a named error; no crash, no hang over 1 s per input, no memory over 200 MB"
SHORT, FULL = 360, 0  # 0: ten minutes of a core for each reader, or as many as MINUTES says
PART = "reader"
PARTS = [
    *("svmlight", "csv", "jsonl", "fasttext", "lines", "mail", "idx", "excel", "packed", "parquet", "arrow", "folder"),
    *("names", "dates", "options", "model", "certificate", "trace", "job", "checkpoint", "kernel checkpoint"),
    *("cache", "rows", "lab"),
]
FOUND = [
    "An Arrow file with a decimal number of 33,554,434 places ended the process: Arrow dies of reading it as a float "
    "(data/plain.py).",
    "A time zone, or a name within a column, that is no UTF-8 text ended in a traceback (data/columnar.py).",
    "A table with nothing but bytes, structs, maps or unions ended in a mistake of our own, and so did bytes that are "
    "asked for as text or category (features/contents.py, data/values.py).",
    "A wish (`--text`, `--category`, `--numeric`) for a column of lists or structs ended so too (features/plan.py).",
    "A folder of mbox files without any message, and `--memory` with 310 digits or more, did so as well "
    "(data/folder.py, data/memory.py).",
    "A forged cache whose columns are no tables, or with half a character in the name of one, ended in a mistake of "
    "our own (data/spool.py, claims.py).",
    "JSON lines that begin with a single byte of the mark of UTF-8 and null ended the process: Arrow skips the byte "
    "and dies of the null (data/columnar.py).",
    "A CSV line of thousands of empty values, packed or not, took more than a second: each column was cleaned again "
    "although all of its values had been looked at (data/csvtypes.py).",
    "Lines that look like a table of ten thousand columns took more than a second: each column was searched for "
    "mistyped numbers although there was one row (data/mistyped.py).",
    "A row of 20,000 columns that is read as text took more than a second: each name was looked for among all names "
    "(data/csv.py).",
    "A row of 18,000 columns that was read again and again took 250 MB: each thread of Arrow kept its memory "
    "(data/csv.py).",
    "An Arrow file with views of strings, of which those of missing values point anywhere, ended the process: Arrow "
    "follows them and does not check them (data/plain.py).",
    "An Arrow file that claims 10^12 rows and holds none, one without its dictionary, and a page of Parquet that "
    "claims 8 GB ended in errors of libraries (data/columnar.py).",
    "A time zone that nobody knows, a label that is a duration of more than Python holds, and a NaN that signals did "
    "so too (data/plain.py, data/values.py).",
    "A forged model of naive Bayes whose values are lists, a forged job with a line end in a name, and a trace of "
    "weights whose length overflows ended in a traceback, two lines and a warning (store/counted.py, "
    "store/checkpoints.py, traces/replay.py).",
    "Months and days as intervals, a count of rows below 0, and lists whose places were counted before they were "
    "checked ended in a traceback or the process (data/plain.py, data/columnar.py).",
    "A value of 10,000 digits that is no number took more than a second, and twice the digits four times as long: the "
    "pattern of numbers tried every place among them (data/values.py, data/dialect.py, data/svmlight.py).",
    "Durations of more than 285 years ended in a traceback: whole numbers past 2^53 are no floats (data/values.py).",
    "A forged record of a run that claims 10^9 passes took gigabytes (store/records.py).",
    "A table of some thousand equal rows with different labels took gigabytes to review: each row listed all others, "
    "of which five are named (pipeline/review.py).",
]
MINUTES = "ROSENBLATT_FUZZ_MINUTES"
MEMORY = "/dev/shm"  # files there cost no time of a disk, where a system has it
CORPUS = Path(__file__).parent.parent / "tests" / "corpus"  # inputs that once broke something; the tests use them again


def run(cases: int, seed: int, only: list[str] | None = None) -> Outcome:
    """With 0 cases some minutes for each reader that is left; otherwise so many inputs in all.

    What a reader found is kept as soon as it is done, as are inputs that broke it.

    only    these readers, done or not
    """
    outcome = Outcome()
    with tempfile.TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as folder:
        kinds = readers(Path(folder))
        if cases:
            for (name, kind), count in zip(kinds.items(), shared_out(cases, len(kinds)), strict=True):
                outcome.add(grow(name, kind, count, 0.0, seed).outcome)
            return outcome
        minutes = float(os.environ.get(MINUTES, "10"))
        _KINDS.update(kinds)
        results.commit()
        wanted = [(name, minutes, seed) for name in only or results.parts_left(NUMBER, PARTS)]
        with multiprocessing.get_context("fork").Pool(os.cpu_count(), maxtasksperchild=1) as pool:
            for name, (found, findings, files) in pool.imap_unordered(_grown, wanted):
                keep(name, findings)
                results.note_part(NUMBER, name, found, minutes, seed, files)
                outcome.add(found)
                print(f"        {name}: {found.cases:,} inputs, {len(found.broken)} broken", flush=True)
    return outcome


_KINDS: dict[str, Kind] = {}  # the readers of a full run: processes that are forked from this one find them here


def _grown(wanted: tuple[str, float, int]) -> tuple[str, Grown]:
    name, minutes, seed = wanted
    return name, grow(name, _KINDS[name], 0, minutes, seed)


def readers(folder: Path) -> dict[str, Kind]:
    """All readers, each with what it begins with; the folder is for their files."""
    kinds = {
        **file_kinds(folder),
        **book_kinds(folder),
        **table_kinds(folder),
        **signed_kinds(folder),
        **kept_kinds(folder),
    }
    return {**kinds, "lab": api_kind()}


def keep(reader: str, findings: list[Finding]) -> None:
    for _, content in findings:
        folder = CORPUS / reader
        folder.mkdir(parents=True, exist_ok=True)
        (folder / hashlib.sha256(content).hexdigest()[:12]).write_bytes(content)
