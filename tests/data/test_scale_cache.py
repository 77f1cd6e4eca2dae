"""The cache of data larger than memory: reused, checked, replaced, removed; and disks that do not serve."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from rosenblatt.data import cache, spool
from rosenblatt.errors import DataError, SettingError
from rosenblatt.pipeline import train_with_evidence
from rosenblatt.store import to_bytes
from rosenblatt.writing import share

# One way of encoding, so that little is built: the cache does not know for whom.
SETTINGS = {"model": "perceptron", "margin": 1.0, "passes": 1, "config": {"features": {"units": 0, "knots": 0}}}


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.PLACE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def source(tmp_path):
    x = np.random.default_rng(0).normal(size=(3000, 4))
    path = tmp_path / "data.csv"
    path.write_text(
        "a,b,c,d,label\n" + "".join(f"{','.join(f'{v:.3f}' for v in row)},{int(row[0] > row[1])}\n" for row in x)
    )
    return path


def train(source, memory="500kB", **settings):
    model, evidence = train_with_evidence(str(source), memory=memory, **{**SETTINGS, **settings})
    assert evidence.disk is not None
    return to_bytes(model)


def files(place: Path):
    return sorted(path for path in place.rglob("*") if path.is_file() and path.name != cache.MANIFEST)


def test_a_second_run_reads_the_cache_alone(place, source, monkeypatch):
    first = train(source)

    def refuse(*_):
        raise AssertionError("the source was read again")

    monkeypatch.setattr(spool, "blocks_of", refuse)
    assert train(source) == first
    state = os.stat(source)
    source.write_text(source.read_text() + "1,2,3,4,1\n")
    os.utime(source, ns=(state.st_atime_ns, state.st_mtime_ns + 1))
    with pytest.raises(AssertionError):  # another file under the same name
        train(source)


def test_a_cache_that_may_only_be_read_is_used(place, source, monkeypatch):
    first = train(source)

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(spool, "blocks_of", refuse)
    monkeypatch.setattr(os, "utime", refuse)
    assert train(source) == first


@pytest.mark.parametrize("harm", ["flip", "cut", "gone", "manifest"])
def test_a_damaged_entry_is_made_again(place, source, harm):
    first = train(source)
    for path in files(place):
        content = bytearray(path.read_bytes())
        if harm == "flip" and content:
            content[len(content) // 2] ^= 4
            path.write_bytes(content)
        elif harm == "cut":
            path.write_bytes(content[:-1])
        elif harm == "gone":
            path.unlink()
    if harm == "manifest":
        for path in place.rglob(cache.MANIFEST):
            path.write_bytes(path.read_bytes()[:-20])
    assert train(source) == first


def test_a_digit_that_changed_in_what_an_entry_says_about_itself_is_noticed(place, source):
    """Plans are kept there, with means and spreads: another digit would be another model."""
    first = train(source)
    changed = 0
    for path in place.rglob(cache.MANIFEST):
        content = path.read_bytes()
        other = re.sub(rb"(\d\.\d{5,})(\d)", lambda found: found[1] + b"%d" % (int(found[2]) ^ 1), content)
        changed += other != content
        path.write_bytes(other)
    assert changed
    assert train(source) == first


def test_what_was_made_of_a_file_that_changed_is_replaced(place, source):
    train(source)
    before = [entry.name for entry in cache.entries()]
    source.write_text(source.read_text() + "1,2,3,4,1\n")
    train(source)
    after = [entry.name for entry in cache.entries()]
    assert len(before) == len(after) == 1
    assert before != after


def test_what_a_run_does_not_use_is_removed(place, source):
    train(source, seed=1)
    one = cache.size_of(place)
    train(source, seed=2)
    assert cache.size_of(place) < 1.1 * one
    assert not list(place.rglob(f"{cache.BUILDING}*"))


def test_the_command_lists_and_removes(place, source, run_command):
    train(source)
    (entry,) = cache.entries()
    listed = run_command("cache")
    assert entry.name in listed
    assert "3,000 rows" in listed
    with pytest.raises(SettingError, match="no entry 'other'"):
        run_command("cache", "--remove", "other")
    assert run_command("cache", "--remove", entry.name).startswith("removed 1 entry")
    assert not files(place)
    train(source)
    assert run_command("cache", "--remove", "all").startswith("removed 1 entry")
    assert "0 entries" in run_command("cache")


@pytest.fixture
def run_command():
    from click.testing import CliRunner

    from rosenblatt.cli import commands

    def run(*arguments):
        return CliRunner().invoke(commands, arguments, standalone_mode=False, catch_exceptions=False).output

    return run


def test_leftovers_of_ended_processes_are_swept(place, source):
    left = place / f"{cache.BUILDING}left"
    left.mkdir(parents=True)
    (left / cache.LOCK).touch()
    (left / "values").write_bytes(b"half")
    train(source)
    assert left.exists()  # it may be one that is just being made
    os.utime(left, (0, 0))
    cache.sweep(place)
    assert not left.exists()


def test_an_entry_that_another_process_uses_stays(place, source):
    def made(seed):
        train(source, seed=seed)
        return {path for path in place.glob("*/made-*") if path.is_dir()}

    of_one_alone = min(made(1) - made(2))  # the others are of use with any seed
    assert of_one_alone in made(1)
    with (of_one_alone / cache.LOCK).open("rb") as file:
        assert share(file)
        assert of_one_alone in made(2)
    assert of_one_alone not in made(2)


def test_an_entry_that_another_process_put_there_is_not_replaced(tmp_path):
    target = tmp_path / "made-x"

    def make(folder, about):
        (folder / "values").write_bytes(b"ours")
        if not target.exists():
            with cache.building(target) as (other, more):
                (other / "values").write_bytes(b"ours")
                more["by"] = "another"
        about["by"] = "us"

    assert cache.entry(target, make, lambda about: (target / "values").read_bytes()) == b"ours"
    assert cache.opened(target) == {"by": "another"}
    assert [path.name for path in tmp_path.iterdir()] == ["made-x"]


def test_a_damaged_entry_is_removed_but_not_the_one_that_took_its_place(tmp_path):
    target = tmp_path / "made-x"
    with cache.building(target) as (made, _):
        (made / "values").write_bytes(b"values")
    seen = cache._identity(target)
    target.rename(tmp_path / "old")
    with cache.building(target) as (made, _):
        (made / "values").write_bytes(b"values")
    cache.discard(target, seen)
    assert target.exists()
    cache.discard(target, cache._identity(target))
    assert not target.exists()


def test_too_little_memory_for_the_rows_is_said_with_what_is_needed(place, source):
    with pytest.raises(SettingError, match="3000 rows need 300 kB"):
        train(source, memory="100kB")
    assert not list(place.iterdir())  # what is of no use is not kept
    train(source)
    kept = files(place)
    with pytest.raises(SettingError, match="3000 rows need 300 kB"):
        train(source, memory="100kB")
    assert files(place) == kept  # what an earlier run can use again stays


def test_the_memory_that_is_said_to_be_needed_suffices():
    with pytest.raises(SettingError, match=r"need 1\.1 GB of memory .* got 1 GB"):
        spool._check_rows("rows.parquet", 10_010_624, 10**9)
    spool._check_rows("rows.parquet", 10_010_624, 1_100_000_000)


def test_a_folder_that_cannot_be_made_is_one_line(source, monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv(cache.PLACE, str(tmp_path / "file" / "cache"))
    with pytest.raises(DataError, match="the cache folder cannot be used"):
        train(source)


def command(source, place, before="", memory="500kB"):
    arguments = ["train", str(source), "--memory", memory, "--out", os.devnull, "--passes", "1", "--margin", "1"]
    code = f"{before}\nfrom rosenblatt.cli import main\nmain({arguments!r})"
    environment = {**os.environ, cache.PLACE: str(place)}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)


def test_a_disk_that_fills_up_leaves_one_line_and_nothing_else(place, source):
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))"
    done = command(source, place, limit)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(f"rosenblatt: {place}: the cache folder is full.")
    assert "Traceback" not in done.stderr
    assert not files(place)
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 20000


def test_a_small_file_system(source, tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", small], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("mounting is not allowed here")
    try:
        done = command(source, small)
        assert done.returncode == 1
        assert "the cache folder is full" in done.stderr
        assert not list(small.rglob(f"{cache.BUILDING}*"))
        assert all(cache.opened(path.parent) is not None for path in small.rglob(cache.MANIFEST))
        cache.forget_used()
    finally:
        subprocess.run(["umount", small], check=True)


def test_a_signal_in_the_middle_of_removing_leaves_nothing(tmp_path, monkeypatch):
    """Once in 2,800 runs of faults SIGQUIT came there, and half of a damaged entry stayed under another name."""
    damaged = tmp_path / "entry"
    damaged.mkdir()
    for name in ("manifest", "rows", "words"):
        (damaged / name).write_text("damaged")
    unlink, asked = os.unlink, list[str]()

    def once(path, *more, **others):
        asked.append(os.fsdecode(path))
        if len(asked) == 2:
            raise KeyboardInterrupt
        unlink(path, *more, **others)

    monkeypatch.setattr(os, "unlink", once)
    with pytest.raises(KeyboardInterrupt):
        cache.discard(damaged, damaged.stat().st_ino)
    assert len(asked) > 2
    assert not list(tmp_path.iterdir())
