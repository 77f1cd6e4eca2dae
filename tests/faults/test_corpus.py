"""Inputs that once broke a reader are read or refused now; and a corpus that grows finds what fixed seeds do not."""

from __future__ import annotations

import os
import random
import signal
from itertools import islice
from pathlib import Path

import pytest

from faults import branches
from faults.batches import run_batch
from faults.corpus import grow
from faults.mutation import Kind
from faults.row17_coverage import CORPUS, readers

BROKE = {folder.name: sorted(folder.iterdir()) for folder in sorted(CORPUS.iterdir())}


@pytest.fixture(scope="module")
def kinds(tmp_path_factory):
    return readers(tmp_path_factory.mktemp("readers"))


@pytest.mark.parametrize("reader", BROKE)
def test_inputs_that_broke_a_reader_are_read_or_refused(reader, kinds):
    inputs = [path.read_bytes() for path in BROKE[reader]]
    found = run_batch(lambda: iter(inputs), kinds[reader].use)
    assert found.broken == []
    assert found.tried == len(inputs) > 0


def test_a_wide_row_that_is_read_again_takes_no_more_memory(kinds):
    wide = (CORPUS / "lines" / "dbe81672861c").read_bytes()
    found = run_batch(lambda: iter([wide] * 12), kinds["lines"].use)
    assert (found.tried, found.broken) == (12, [])


def maze(content: bytes) -> int:
    if content[:1] != b"m":
        return 1
    if content[1:2] != b"a":
        return 2
    if content[2:3] != b"z":
        return 3
    if content[3:4] != b"e":
        return 4
    raise KeyError("the way out")


MAZE = Kind([b"nothing"], [bytes([letter]) for letter in range(97, 123)], maze)


def test_a_corpus_that_grows_finds_the_way_through_a_maze(monkeypatch):
    monkeypatch.setattr(branches, "OURS", str(Path(__file__).parent))
    outcome, findings, files = grow("maze", MAZE, 4_000, 0, seed=1)
    assert files == [Path(__file__).name]
    assert findings == [("KeyError: 'the way out'", b"maze")]
    assert (outcome.measured["maze arcs, seeds"], outcome.measured["maze arcs, all"]) == (2, 9)
    assert outcome.cases >= 4_000
    draw = random.Random(1)
    changed = (MAZE.change(MAZE.seeds, MAZE.words, draw) for _ in iter(int, 1))
    assert run_batch(lambda: islice(changed, 4_000), maze).broken == []  # the seed alone does not lead there


def end_the_process(content: bytes) -> None:
    if b"!" in content:
        os.kill(os.getpid(), signal.SIGTERM)


def test_an_input_of_which_the_process_dies_is_found_and_made_short():
    outcome, findings, _ = grow("deadly", Kind([b"a long way to the end"], [b"!"], end_the_process), 200, 0, seed=1)
    assert findings == [("the process ended: signal 15", b"!")]
    assert outcome.broken == ["deadly: the process ended: signal 15: b'!'"]
