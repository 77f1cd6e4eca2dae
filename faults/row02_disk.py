"""A disk that is full, fails or may not be written to, at every place of the package that writes."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from faults.disk import PAGE, WAYS, break_disk, fill, give_up_rights, small_disk
from faults.outcome import Outcome, generator
from faults.write_cases import OLD, READ_ONLY, SMALL, Case, cases, printed_model
from faults.write_runs import files_in, remove, run_case, warm
from faults.write_sites import watched, write_sites
from rosenblatt.data import cache

NUMBER = 2
FAULT = "disk full, I/O error, no rename, no sync and a read-only folder at every write site"
PROMISE = "one clear line, old file intact, no leftovers that a later run trusts"
SHORT, FULL = 24, 0  # 0: every fault at every site
FOUND = [
    "A full folder of temporary files was reported without its name, or as a file that cannot be read: for standard "
    "input, pipes and packed tables (data/source.py, data/columnar.py) and for the benchmark "
    "(benchmarks/peers/reading.py).",
    "Workers of Dask that cannot start, and shards that cannot be written, ended in a traceback "
    "(distributed/cluster.py).",
    "A shard that did not fit was left cut short (distributed/shard.py).",
    "An entry of a cache that may only be read was taken for damaged (data/cache.py).",
    "A second local cluster on the machine drew a warning of Dask about its port (distributed/cluster.py).",
]

# Compiled loops, and the lab's page for the browser, are done without: row 18.
EXEMPT = ("loops/kept.py", "cli/lab.py:_in_browser")
STANDARD_OUTPUT = "standard output is full"
MOST_ENTRIES = 3  # of a site in one run after which faults begin


class Try(NamedTuple):
    """A fault: which, at the n-th entry of which site; or, on a small disk, how much of what is needed is there."""

    case: Case
    way: str
    site: str = ""
    entry: int = 0
    share: float = 0.0

    def __str__(self) -> str:
        where = f" from entry {self.entry} of {self.site}" if self.site else f" {self.share:.2f}" if self.share else ""
        return f"{self.case.name}, {self.way}{where}"


class Healthy(NamedTuple):
    """What a run without a fault leaves, prints and enters."""

    files: dict[str, bytes]
    model: bytes | None
    entered: Counter[str]
    room: int  # bytes of disk


def run(count: int, seed: int) -> Outcome:
    """With 0 all faults there are; otherwise so many, drawn at random. All sites are looked for in any case."""
    outcome, sites = Outcome(), write_sites()
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        base.chmod(0o755)
        (base / "inputs").mkdir()
        every, healthy = cases(base / "inputs"), {}
        for case in every:
            if case.warm:
                warm(case, base)
            healthy[case.name] = _healthy(case, base, sites, outcome)
        reached = {site for each in healthy.values() for site in each.entered}
        for site in sorted(site for site in sites if not site.startswith(EXEMPT)):
            outcome.case(site in reached, f"{site} writes, and no case comes there")
        for one in _chosen([_tries(case, healthy[case.name]) for case in every], count, seed):
            _try(one, healthy[one.case.name], base, sites, outcome)
        for arguments in _printing(base)[: 1 if count else None]:
            _standard_output(arguments, outcome)
        outcome.measured |= {"write sites": len(sites), "cases": len(every)}
    return outcome


def _chosen(tries: list[list[Try]], count: int, seed: int) -> list[Try]:
    """One try of each case and then any; with 0 all. A case that failed even without a fault may have none."""
    if count:
        tries = [each for each in tries if each]
        draw = generator(seed, NUMBER)
        for each in tries:
            draw.shuffle(each)
        others = [one for each in tries for one in each[1:]]
        tries = [[each[0] for each in tries][:count], draw.sample(others, max(0, count - len(tries)))]
    return [one for each in tries for one in each]


def _tries(case: Case, healthy: Healthy) -> list[Try]:
    shares = (0.0, 0.2, 0.4, 0.6, 0.8) if healthy.room else (0.0,)
    found = [Try(case, READ_ONLY), *(Try(case, SMALL, share=share) for share in shares)]
    for way in WAYS:
        for site, entries in sorted(healthy.entered.items()):
            chosen = sorted({*range(1, min(entries, MOST_ENTRIES) + 1), entries})
            found += [Try(case, way, site, entry) for entry in chosen]
    return [one for one in found if not case.ways or one.way in case.ways]


def _healthy(case: Case, base: Path, sites: set[str], outcome: Outcome) -> Healthy:
    folder, notes = base / "folder", base / "entered"
    case.prepare(folder)

    def call() -> None:
        entered: Counter[str] = Counter()
        try:
            with watched(sites, lambda site: entered.update([site])):
                case.call(folder)
        finally:
            notes.write_text(json.dumps(entered))

    code, said = run_case(case, call, base)
    files = files_in(folder)
    room = sum(-(-len(content) // PAGE) * PAGE for content in files.values())
    good = code == 0 and all(files[name] != OLD for name in case.made)
    outcome.case(good, f"{case.name} without a fault: {code}, {said!r}, {sorted(files)}")
    model = printed_model(base / "printed") if case.keeps and code == 0 else None
    remove(folder)
    return Healthy(files, model, Counter(json.loads(notes.read_text())), room)


def _try(one: Try, healthy: Healthy, base: Path, sites: set[str], outcome: Outcome) -> None:
    case, folder = one.case, base / "folder"
    if one.way == SMALL:
        disk = base / "disk"
        disk.mkdir(exist_ok=True)
        with small_disk(disk, 2 * healthy.room + (1 << 20)) as mounted:
            if mounted:
                folder = disk / "folder"
                case.prepare(folder)
                fill(disk, int(one.share * healthy.room) // PAGE * PAGE)
                _look(one, lambda: case.call(folder), healthy, folder, base, outcome)
                (disk / "filling").unlink()
                _afterwards(one, healthy, folder, base, outcome)
        outcome.measured["small disk"] = float(mounted)
        return
    case.prepare(folder)
    try:
        if one.way == READ_ONLY:
            folder.chmod(0o555)
            _look(one, lambda: (give_up_rights(), case.call(folder)), healthy, folder, base, outcome)
            folder.chmod(0o755)
        else:
            _look(one, lambda: _breaking(one, sites, folder), healthy, folder, base, outcome)
        _afterwards(one, healthy, folder, base, outcome)
    finally:
        folder.chmod(0o755)
        remove(folder)


def _breaking(one: Try, sites: set[str], folder: Path) -> None:
    """The call, during which the disk breaks at the given entry of the site."""
    left = [one.entry]

    def entered(site: str) -> None:
        left[0] -= site == one.site
        if left[0] == 0 and site == one.site:
            break_disk(WAYS[one.way])

    with watched(sites, entered):
        one.case.call(folder)


def _look(one: Try, call: Callable[[], object], healthy: Healthy, folder: Path, base: Path, outcome: Outcome) -> None:
    """Either the call was refused in one line and nothing changed, or the fault came too late and all is as asked."""
    case, before = one.case, files_in(folder)
    code, said = run_case(case, call, base)
    after = files_in(folder)
    lines = said.splitlines()
    refused = code == 1 and len(lines) >= 1 and lines[-1].startswith("rosenblatt: ")
    extra = [line for line in lines if not line.endswith("starting from the beginning.")]
    clear = refused and len(extra) == 1 and str(folder) in extra[0] and "mistake in rosenblatt" not in said
    outcome.measured["refused"] = outcome.measured.get("refused", 0) + refused
    outcome.case(code == 0 or clear, f"{one}: {code}, {said!r}")
    if case.keeps:
        return
    if code == 0:
        new = set(after) == set(healthy.files) and all(after[name] != OLD for name in case.made)
        outcome.case(new, f"{one}: ended well, with {sorted(after)}")
        return
    changed = sorted(name for name in {*before, *after} if before.get(name) != after.get(name))
    whole = [name for name in changed if name in case.made and after.get(name) not in (None, OLD)]
    # Of several files those that were written before the fault are there whole.
    outcome.case(changed == whole[: len(case.made) - 1], f"{one}: left {changed}")


def _afterwards(one: Try, healthy: Healthy, folder: Path, base: Path, outcome: Outcome) -> None:
    """A later run trusts nothing that is not whole: it ends as the one without a fault."""
    if not one.case.keeps:
        return
    left = [name for name in files_in(folder) if cache.BUILDING in name or Path(name).name.startswith(".")]
    outcome.case(not left, f"{one}: left {left}")
    code, said = run_case(one.case, lambda: one.case.call(folder), base)
    same = code == 0 and printed_model(base / "printed") == healthy.model
    outcome.case(same, f"{one}: the next run ended with {code}, {said!r}, or with another model")


def _printing(base: Path) -> list[list[str]]:
    model, data = str(base / "inputs" / "model.rosenblatt"), str(base / "inputs" / "data.csv")
    return [
        ["predict", model, data],
        ["trace", "notes", "--to", "csv"],
        ["export", model, "--to", "json"],
        ["train", data, "--passes", "1", "--model", "perceptron", "--quiet", "--out", "-"],
        ["inspect", model],
    ]


def _standard_output(arguments: list[str], outcome: Outcome) -> None:
    """A process of its own, since the end of the interpreter writes too."""
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "rosenblatt", *arguments], stdout=full, stderr=subprocess.PIPE, check=False
        )
    said = done.stderr.decode()
    good = done.returncode == 1 and said.startswith("rosenblatt: ") and said.count("\n") == 1
    outcome.case(good, f"{STANDARD_OUTPUT}, {arguments[0]}: {done.returncode}, {said!r}")
