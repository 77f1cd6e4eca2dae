"""What SECURITY.md says of a model's file, of the cache and of who may read what, as far as no other test holds it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import numpy as np
import pytest

from rosenblatt import load, save, train
from rosenblatt.data import cache, read
from rosenblatt.features.contents import Contents
from rosenblatt.model import seen
from rosenblatt.pipeline import train_with_evidence
from rosenblatt.pipeline.forget import forget
from rosenblatt.writing import write_whole
from sample_models import table_of

SECURITY = Path(__file__).parents[2] / "SECURITY.md"
QUICK = {"model": "perceptron", "passes": 1, "config": {"features": {"units": 0, "knots": 0}}}


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def write_rows(path: str, seed: int, count: int = 40) -> str:
    x = np.random.default_rng(seed).normal(size=(count, 2))
    lines = "".join(f"{a:.3f},{b:.3f},{'left' if a > b else 'right'}\n" for a, b in x)
    Path(path).write_text(f"a,b,label\n{lines}")
    return path


@pytest.mark.parametrize("record", [False, True])
def test_a_model_names_the_files_as_they_were_given_and_nothing_else_of_the_machine(tmp_path, monkeypatch, record):
    monkeypatch.setenv("ROSENBLATT_MARK", "only-in-the-environment")
    monkeypatch.setenv("HOME", str(tmp_path / "home-of-somebody"))
    given = {"test": write_rows("later.csv", 1), "config": {**QUICK["config"], "split": {"validation": "judged.csv"}}}
    write_rows("judged.csv", 2)
    save(train(write_rows("data.csv", 0), **{**QUICK, **given}, record=record), "m.rosenblatt")
    content = Path("m.rosenblatt").read_bytes()
    for name in ("data.csv", "later.csv", "judged.csv"):
        assert name.encode() in content
    for strange in (str(tmp_path), "only-in-the-environment", "home-of-somebody", os.uname().nodename):
        assert strange.encode() not in content
    versions = load("m.rosenblatt").card["versions"]
    assert sorted(versions) == ["numba", "numpy", "pyarrow", "python", "rosenblatt"]


def test_a_model_knows_8192_of_its_rows_by_hashes_alone():
    assert "at most 8,192 of its training rows" in SECURITY.read_text()
    assert seen.MOST == 8192
    rows = [str(number) for number in range(10_000)]
    found = seen.Seen.of(contents_of(rows))
    assert (found.hashes.dtype, len(found.hashes), found.whole) == (np.uint64, 8192, False)
    assert sorted(seen.Seen.__dataclass_fields__) == ["hashes", "whole"]


def contents_of(texts: list[str]) -> Contents:
    from rosenblatt.features import Wishes, learn_and_encode

    table = table_of({"text": texts, "label": ["x", "y"] * (len(texts) // 2)})
    return Contents.of_plan(table, learn_and_encode(table, Wishes(text=["text"]))[0])


def test_a_receipt_keeps_the_hash_and_the_class_of_each_forgotten_row():
    write_rows("data.csv", 0)
    forgetful = forget(train("data.csv", model="naive-bayes", fit_all=True), read("data.csv").take([0, 1, 2]))
    (receipt,) = forgetful.card["forgotten"]
    assert [len(hash) for hash, _ in receipt["forgotten"]] == [16, 16, 16]
    assert {name for _, name in receipt["forgotten"]} <= {"left", "right"}


def test_what_training_from_the_disk_leaves_in_the_cache_is_for_the_user_alone(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.PLACE, str(tmp_path / "cache"))
    old = os.umask(0)
    try:
        assert train_with_evidence(write_rows("data.csv", 0, 4000), memory="400kB", **QUICK)[1].disk is not None
    finally:
        os.umask(old)
    entries = [path.parent for path in (tmp_path / "cache").rglob(cache.MANIFEST)]
    assert entries
    assert {stat.S_IMODE(entry.stat().st_mode) for entry in entries} == {0o700}


@pytest.mark.parametrize(("group", "left"), [(None, 0o664), (12345, 0o604)])
def test_a_group_that_cannot_be_kept_may_do_nothing(monkeypatch, group, left):
    """The file that is replaced is another's, as far as the system says, and only its owner may give files away."""
    write_whole("m", b"old")
    Path("m").chmod(0o664)

    def refused(*_: object) -> None:
        raise PermissionError(1, "not permitted")

    plain = Path.stat

    def of_another_group(path: Path, **options: bool) -> os.stat_result:
        about = plain(path, **options)
        return os.stat_result([*about[:5], group, *about[6:]]) if group and path.name == "m" else about

    with monkeypatch.context() as patched:
        patched.setattr(os, "chown", refused)
        patched.setattr(Path, "stat", of_another_group)
        write_whole("m", b"new")
    assert (Path("m").read_bytes(), stat.S_IMODE(Path("m").stat().st_mode)) == (b"new", left)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_owner_and_group_stay():
    write_whole("m", b"old")
    os.chown("m", 1234, 5678)
    write_whole("m", b"new")
    about = Path("m").stat()
    assert (Path("m").read_bytes(), about.st_uid, about.st_gid) == (b"new", 1234, 5678)
