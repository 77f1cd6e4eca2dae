"""Point 3 of what an attack found: whatever is wrong with the folder of compiled loops, commands work as without it."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import rosenblatt

LONGEST = 600  # seconds, only to end a hang
FIT = """
from rosenblatt import Perceptron
rows = [[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [1.0, 2.0]]
print(Perceptron(max_iter=5, random_state=0).fit(rows, [0, 1, 1, 0]).predict(rows))
"""
ONE_LOOP = """
import numpy as np
from rosenblatt.loops.checksum import fold_words
lanes = np.arange(4, dtype=np.uint64)
fold_words.compiled(np.arange(8, dtype=np.uint64), lanes)  # so few would not be worth the compiler
print(lanes)
"""
SMALL_FILES = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n"
WHERE = "from rosenblatt.loops.kept import folder; print(folder())"


def python(code: str, source: Path | None = None, without: tuple[str, ...] = (), **environment: str) -> str:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA") and name not in without}
    path = str(source or Path(rosenblatt.__file__).parent.parent)
    done = subprocess.run(
        [sys.executable, "-B", "-c", code],
        capture_output=True, text=True, check=False, timeout=LONGEST, env={**kept, "PYTHONPATH": path, **environment},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def files(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def damage(path: Path, way: int) -> None:
    content = path.read_bytes()
    half = len(content) // 2
    flipped = content[:half] + bytes([content[half] ^ 16]) + content[half + 1 :]
    path.write_bytes([content[:half], b"", flipped, b"no such thing\n", content + b"more"][way % 5])


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """A folder of compiled loops, and what the run that made it printed."""
    folder = tmp_path_factory.mktemp("compiled")
    return folder, python(FIT, NUMBA_CACHE_DIR=str(folder))


def test_ends_well_03_damaged_code_is_compiled_again(compiled, tmp_path):
    folder, printed = compiled
    damaged = tmp_path / "cache"
    shutil.copytree(folder, damaged)
    found = [path for path in files(damaged) if path.suffix in (".nbc", ".nbi")]
    assert len(found) >= 3
    for way, path in enumerate(found):
        damage(path, way)
    assert python(FIT, NUMBA_CACHE_DIR=str(damaged)) == printed
    mended = files(damaged)
    assert set(mended) == set(found)  # each under its name again, and nothing beside
    assert python(FIT, NUMBA_CACHE_DIR=str(damaged)) == printed
    assert files(damaged) == mended  # it is of use now: nothing was compiled again


def test_ends_well_03_code_of_another_signature_is_not_run(compiled, tmp_path):
    """Two processes that added to numba's index at once could leave it naming each other's files."""
    folder, printed = compiled
    mixed = tmp_path / "cache"
    shutil.copytree(folder, mixed)
    whole = [path for path in files(mixed) if path.suffix == ".nbc"]
    for path in whole:
        path.write_bytes(whole[0].read_bytes())
    assert python(FIT, NUMBA_CACHE_DIR=str(mixed)) == printed


def test_ends_well_03_a_disk_without_room_is_done_without(tmp_path):
    printed = python(ONE_LOOP, NUMBA_CACHE_DIR=str(tmp_path / "good"))
    assert python(SMALL_FILES + ONE_LOOP, NUMBA_CACHE_DIR=str(tmp_path / "full")) == printed
    assert files(tmp_path / "full") == {}
    assert python(ONE_LOOP, without=("HOME",), XDG_CACHE_HOME="/dev/null/none") == printed


def test_ends_well_03_the_folder_is_ours_and_for_the_owner_alone(tmp_path):
    old = os.umask(0)
    try:
        python(ONE_LOOP, NUMBA_CACHE_DIR=str(tmp_path))
    finally:
        os.umask(old)
    (ours,) = (tmp_path / "rosenblatt").iterdir()
    assert stat.S_IMODE(ours.stat().st_mode) == 0o700
    assert rosenblatt.__version__ in ours.name
    assert {path.parent for path in files(tmp_path)} == {ours}


@pytest.mark.parametrize("mode", [0o777, 0o770])
def test_ends_well_03_a_folder_that_others_can_write_to_is_not_used(tmp_path, mode):
    place = python(WHERE, NUMBA_CACHE_DIR=str(tmp_path)).strip()
    Path(place).chmod(mode)
    assert python(WHERE, NUMBA_CACHE_DIR=str(tmp_path)).strip() == "None"
    python(ONE_LOOP, NUMBA_CACHE_DIR=str(tmp_path))
    assert files(tmp_path) == {}


def test_ends_well_03_code_from_other_sources_or_settings_lies_elsewhere(tmp_path):
    source = tmp_path / "source"
    shutil.copytree(
        Path(rosenblatt.__file__).parent, source / "rosenblatt", ignore=shutil.ignore_patterns("__pycache__")
    )
    environment = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    places = [python(WHERE, source, **environment), python(WHERE, source, NUMBA_BOUNDSCHECK="1", **environment)]
    edited = source / "rosenblatt" / "loops" / "ties.py"  # inlined into loops of other files
    edited.write_text(edited.read_text() + "\n# edited\n")
    places.append(python(WHERE, source, **environment))
    assert len(set(places)) == 3


def test_ends_well_03_folders_of_former_versions_do_not_pile_up(tmp_path):
    for number in range(30):
        (tmp_path / "rosenblatt" / f"loops-0.0.{number}").mkdir(parents=True)
    (tmp_path / "rosenblatt" / "other").mkdir()
    place = Path(python(WHERE, NUMBA_CACHE_DIR=str(tmp_path)).strip())
    left = {path.name for path in place.parent.iterdir()}
    assert {"other", place.name} < left
    assert len(left) < 20
