"""A corpus that grows by what its inputs reach: an input that goes a new way in our code is changed further."""

from __future__ import annotations

import json
import random
import re
import resource
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from faults.batches import Batch, run_batch
from faults.branches import Branches, template
from faults.mutation import Kind
from faults.outcome import Outcome

BATCH = 1_000  # inputs of one child
WALL = 1_800.0  # seconds of the clock for one child: on a busy machine a batch takes many times its own time
MOST_TRIES, PER_ROUND = 3_000, 300  # when an input is made shorter
MOST_GUIDED = 2_000  # bytes that are followed through loops which are not compiled: they take a thousand times longer
LATEST = 20  # inputs that were kept last; half of the changes begin with one of them


class Reached(NamedTuple):
    """How many arcs the seeds reach, and how many all inputs do; the files of the package that these lie in."""

    before: int
    after: int
    files: list[str]


class Corpus:
    """The inputs of one kind that were worth keeping, as files in a folder: they outlive the child that found them."""

    def __init__(self, kind: Kind, folder: Path) -> None:
        self.kind, self.folder = kind, folder
        self.notes = folder / "reached.json"
        self.branches = Branches()  # each child has its own copy, and fills it with what the corpus reaches
        self._note(0)

    def batch(self, draw: random.Random, count: int, seconds: float | None) -> Batch:
        """So many more inputs, or as many as there is time for; those of the corpus come first, the shortest first."""
        return run_batch(lambda: self._inputs(draw, count, seconds), self._guided, self.kind.use, WALL)

    def reached(self) -> Reached:
        return Reached(*json.loads(self.notes.read_bytes()))

    def _note(self, before: int) -> None:
        self.notes.write_text(json.dumps(Reached(before, len(self.branches.arcs), self.branches.files())))

    def _inputs(self, draw: random.Random, count: int, seconds: float | None) -> Iterator[bytes]:
        members = list(self.kind.seeds)
        yield from members
        before = len(self.branches.arcs)
        for path in sorted(self.folder.glob("*.kept"), key=lambda path: (path.stat().st_size, path.name)):
            members.append(path.read_bytes())
            yield members[-1]
            if not self.branches.fresh:  # shorter ones reach all that it does
                members.pop()
                path.unlink()
        self._note(before)
        for _ in range(count):
            if seconds is not None and time.process_time() > seconds:  # of this child, whose clock began at 0
                return
            some = members[-LATEST:] if draw.random() < 0.5 else members
            content = self.kind.change(some, self.kind.words, draw)
            yield content
            if self.branches.fresh:
                members.append(content)
                (self.folder / f"{zlib.crc32(content):08x}.kept").write_bytes(content)
                self._note(before)

    def _guided(self, content: bytes) -> object:
        """The use of an input, seen in our code; where compiled loops hide its way, a use without them comes first."""
        if self.kind.guiding is None:
            return self.branches.use(self.kind.use, content)
        with self.kind.guiding(), suppress(Exception):
            self.branches.use(self.kind.use, content[:MOST_GUIDED])
        return self.kind.use(content)


Finding = tuple[str, bytes]  # what happened, and the input


class Grown(NamedTuple):
    """What happened, an input for each different thing that broke, and the files that were reached."""

    outcome: Outcome
    findings: list[Finding]
    files: list[str]


def grow(name: str, kind: Kind, count: int, minutes: float, seed: int) -> Grown:
    """So many changed inputs, or minutes of them where count is 0.

    Minutes are those of the processor, so that other work on the machine does not make the run shorter.
    """
    outcome, findings, done, batch = Outcome(), dict[str, Finding](), 0, 0
    until = None if count else _spent() + 60 * minutes
    with tempfile.TemporaryDirectory() as folder:
        corpus = Corpus(kind, Path(folder))
        while done < count if until is None else _spent() < until:
            size = BATCH if until is not None else min(BATCH, count - done)
            seconds = None if until is None else until - _spent()
            found = corpus.batch(random.Random(zlib.crc32(f"{seed} {name} {batch}".encode())), size, seconds)
            outcome.cases += found.tried
            for what, content in found.broken:
                findings.setdefault(_sort(what), (what, content))
            outcome.largest("slowest input, s", found.seconds)
            outcome.largest("largest batch, MB", found.megabytes)
            done, batch = done + size, batch + 1
        reached = corpus.reached()
    outcome.measured |= {f"{name} arcs, seeds": reached.before, f"{name} arcs, all": reached.after}
    smallest = [(what, reduced(kind, what, content)) for what, content in findings.values()]
    outcome.broken = [f"{name}: {what}: {content[:600]!r}" for what, content in smallest]
    return Grown(outcome, smallest, reached.files)


def _spent() -> float:
    """Seconds of the processor that the children of this process took until they ended."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def reduced(kind: Kind, what: str, content: bytes) -> bytes:
    """A shorter input of which the same comes, as far as leaving out one piece after another leads."""
    left = MOST_TRIES
    while left > 0:
        sizes = [size for size in (1 << power for power in range(15, -1, -1)) if size < len(content)]
        tries = [content[:at] + content[at + size :] for size in sizes for at in range(0, len(content), size)]
        found = run_batch(lambda tries=tries, left=left: iter(tries[: min(left, PER_ROUND)]), kind.use)
        left -= found.tried
        same = [each for said, each in found.broken if _sort(said) == _sort(what)]
        if not same:
            break
        content = min(same, key=len)
    return content


def _sort(what: str) -> str:
    """What happened, without what depends on the input or on the machine."""
    return f"{re.sub('[0-9.]+', '', what.split(':')[0])}: {template(what)}"
