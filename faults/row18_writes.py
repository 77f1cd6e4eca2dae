"""Every system call by which a command writes, failing once: the calls are found by watching, not in the source."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path
from typing import NamedTuple

from faults.calls import SHORT as HALF
from faults.calls import Decide, Write, overseen
from faults.outcome import Outcome, generator
from faults.write_cases import OLD, Case, cases, optional, streaming
from faults.write_runs import Healthy, files_in, healthy, remove, warm
from rosenblatt.cli.streams import prepare
from rosenblatt.data import cache

NUMBER = 18
FAULT = (
    "every system call by which a command writes (outputs, temporary files, caches, compiled loops, standard output "
    "and error) fails once: ENOSPC, EDQUOT, EIO, EROFS, EACCES, or half of the bytes are written"
)
PROMISE = (
    "half of the bytes, a lost message and a lost compiled loop change nothing; otherwise code 1 and one line, each "
    "output is the old one or the new one whole, nothing is left, and the next run ends as without a fault"
)
SHORT, FULL = 30, 0  # 0: every error at every call
FOUND = ["A line of progress that could not be written to standard error ended the training (cli/streams.py)."]
FEW = 8  # cases of a short run
MAKING = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS, errno.EACCES)
ERRORS = {
    "write": (errno.ENOSPC, errno.EDQUOT, errno.EIO, HALF), "sync": (errno.EIO, errno.ENOSPC, errno.EDQUOT),
    "rename": MAKING, "folder": MAKING, "open": MAKING,
}  # fmt: skip
OUT, ERROR = "printed", "said"  # the files that are standard output and standard error
DASK = "dask-scratch-space"  # where workers of Dask keep what is theirs


class Try(NamedTuple):
    case: Case
    place: int  # of the call among those of the run
    error: int

    def told(self, call: Write, base: Path) -> str:
        what = "half of the bytes" if self.error == HALF else errno.errorcode[self.error]
        return f"{self.case.name}, {what} at call {self.place}, {call.kind} {call.path.removeprefix(str(base))}"


def run(count: int, seed: int) -> Outcome:
    """With 0 every error at every call of all cases; otherwise so many, of few cases."""
    outcome, draw = Outcome(), generator(seed, NUMBER)
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        (base / "inputs").mkdir()
        every = cases(base / "inputs")
        every += [*streaming(base / "inputs"), *optional()]
        chosen = draw.sample(every, FEW) if count else every
        runs = {case.name: _watched(case, base, outcome) for case in chosen}
        tries = [
            Try(case, place, error)
            for case in chosen
            for place, call in enumerate(runs[case.name][1])
            for error in ERRORS[call.kind]
        ]
        for one in draw.sample(tries, min(count, len(tries))) if count else tries:
            _try(one, runs[one.case.name][0], base, outcome)
        outcome.measured |= {"cases": len(chosen), "calls": sum(len(calls) for _, calls in runs.values())}
    return outcome


def _watched(case: Case, base: Path, outcome: Outcome) -> tuple[Healthy, list[Write]]:
    """A run without a fault, and all its calls."""
    calls: list[Write] = []
    if case.warm:
        warm(case, base)
    case.prepare(base / "folder")
    code = _run(case, base, lambda call: calls.append(call))
    found = healthy(case, code, base / OUT, base / "folder")
    remove(base / "folder")
    made = all(found.files[name] != OLD for name in case.made)
    outcome.case(code in (0, 1, 2) and made, f"{case.name} without a fault: {code}")
    return found, calls


def _try(one: Try, well: Healthy, base: Path, outcome: Outcome) -> None:
    case, folder, left, failed = one.case, base / "folder", [one.place], []

    def decide(call: Write) -> int | None:
        left[0] -= 1
        if left[0] != -1:
            return None
        failed.append(call)
        return one.error

    case.prepare(folder)
    before = files_in(folder)
    code = _run(case, base, decide)
    if failed:  # a run may make fewer calls than the one before
        said, told = (base / ERROR).read_text(errors="replace"), one.told(failed[0], base)
        outcome.case(_good(one, failed[0], code, said, well, base), f"{told}: {code}, {said[-300:]!r}")
        after = files_in(folder)
        if case.keeps:
            hidden = [name for name in after if cache.BUILDING in name or Path(name).name.startswith(".")]
            outcome.case(not hidden, f"{told}: left {hidden}")
            again = _run(case, base, lambda call: None)
            same = well.equals(again, base / OUT, folder)
            outcome.case(same, f"{told}: the next run ended with {again}, or with another model")
        else:
            # Another loop is as good as the first, and has its own checksum: of those the names alone are looked at.
            wrong = sorted({*after} - {*well.files}) if case.optional else well.spoilt(before, after)
            outcome.case(not wrong, f"{told}: {code}, left {wrong}")
    remove(folder)


def _good(one: Try, call: Write, code: int, said: str, well: Healthy, base: Path) -> bool:
    """Either all is as without the fault, or the case was refused in one line and the fault is one to refuse for."""
    if one.case.optional and one.error != HALF and call.path != str(base / ERROR):
        return code == 0 and (base / OUT).read_bytes().endswith(well.printed)
    same = well.equals(code, base / OUT, base / "folder")
    if one.error == HALF or call.path == str(base / ERROR):
        return same
    lines = [line for line in said.splitlines() if line.startswith(("rosenblatt: ", "Traceback"))]  # not its progress
    lines = [line for line in lines if not line.endswith("starting from the beginning.")]
    refused = code == 1 and bool(lines) and lines[-1].startswith("rosenblatt: ") and "mistake in" not in lines[-1]
    if call.path == str(base / OUT):
        return refused and "rosenblatt: standard output: cannot be written (" in lines[-1]
    return same or (refused and len(lines) == 1 and str(base / "folder") in lines[0])


def _run(case: Case, base: Path, decide: Decide) -> int:
    """The case in a child whose streams are those of a command; only what it does in our folder is decided on.

    What is optional is no command, so nobody tells of its standard output.
    """
    others = (DASK, f"{base / OUT}") if case.optional else (DASK,)

    def call() -> None:
        prepare()
        case.call(base / "folder")

    def of_ours(each: Write) -> str | None:
        ours = each.path.startswith(str(base)) and not any(other in each.path for other in others)
        return decide(each) if ours else None

    return overseen(call, of_ours, base / OUT, base / ERROR, case.given or os.devnull)
