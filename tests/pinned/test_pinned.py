"""Each pinned command gives what it gave. To the bit on this kind of processor, so `make test` leaves it out."""

from __future__ import annotations

import json

import pytest

from rosenblatt.distributed import local
from tests.pinned.commands import commands
from tests.pinned.data import write_all
from tests.pinned.noting import FRAGMENTS, RESULTS, noted, noted_fragments

COMMANDS = dict(commands())
PINNED = json.loads(RESULTS.read_text())
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning", "ignore::UserWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("data")
    write_all(made)
    return made


@pytest.fixture(scope="module")
def client():
    with local(2) as site:
        yield site.client


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ROSENBLATT_CACHE", str(tmp_path / "cache"))


def test_every_command_is_pinned():
    assert len(PINNED) >= 60
    assert list(PINNED) == [*COMMANDS, *FRAGMENTS]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_gives_what_it_gave(name, folder, tmp_path):
    assert noted(COMMANDS[name], folder, tmp_path / "m.rosenblatt") == PINNED[name]


@pytest.mark.parametrize("name", FRAGMENTS)
def test_a_model_from_fragments_is_what_it_was(name, client, folder, tmp_path):
    assert noted_fragments(name, client, folder, tmp_path / "m.rosenblatt") == PINNED[name]


@pytest.mark.parametrize("name", [name for name in COMMANDS if name.endswith(", memory")])
def test_memory_and_disk_give_the_same(name):
    other = PINNED[name.replace(", memory", ", disk")]
    assert {**PINNED[name], "choice": None} == {**other, "choice": None}
