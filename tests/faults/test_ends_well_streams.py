"""What commands do with the streams they are started with, and with names that would look like lines of theirs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

SOON = 120  # seconds, to end a hang
CLOSED = "standard output: cannot be written (Bad file descriptor). Make room, or have it written elsewhere."
FULL = "standard output: cannot be written (No space left on device). Make room, or have it written elsewhere."


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A model of classes that few encodings can write, and its data."""
    from rosenblatt import train
    from rosenblatt.store import save

    folder = tmp_path_factory.mktemp("streams")
    values = np.random.default_rng(1).normal(size=(60, 2))
    lines = [f"{x + 3 * (i % 2):.3f},{y:.3f},{'ä€'[i % 2]}" for i, (x, y) in enumerate(values)]
    (folder / "d.csv").write_text("\n".join(["x,y,label", *lines]) + "\n", "utf-8")
    save(train(folder / "d.csv"), folder / "m.rosenblatt")
    return folder


def run(folder: Path, line: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The command with what a shell does to its streams."""
    program = f"{sys.executable} -m rosenblatt"
    return subprocess.run(
        ["bash", "-c", f"{program} {line}"],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        timeout=SOON,
    )


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("predict m.rosenblatt d.csv >&-", CLOSED),
        ("inspect m.rosenblatt >&-", CLOSED),
        ("predict m.rosenblatt d.csv >/dev/full", FULL),
        ("inspect m.rosenblatt --json >/dev/full", FULL),
        (
            "predict m.rosenblatt - <&-",
            "standard input: it is closed. Pipe the rows into the command, or name a file.",
        ),
    ],
)
def test_ends_well_07_a_stream_that_is_closed_or_full_is_named_in_one_line(folder, line, told):
    done = run(folder, line)
    assert (done.returncode, done.stderr.decode()) == (1, f"rosenblatt: {told}\n")


@pytest.mark.parametrize(
    ("line", "code"), [("predict 2>/dev/full", 2), ("predict no no 2>&-", 1), ("inspect no 2>/dev/full", 1)]
)
def test_ends_well_07_where_nobody_can_be_told_the_code_tells(folder, line, code):
    done = run(folder, line)
    assert (done.returncode, done.stdout) == (code, b"")


def test_ends_well_07_a_command_without_any_stream_writes_its_file_and_nothing_else(folder):
    done = run(folder, "predict m.rosenblatt d.csv --out alone.csv <&- >&- 2>&-")
    assert done.returncode == 0
    assert (folder / "alone.csv").read_bytes() == run(folder, "predict m.rosenblatt d.csv").stdout


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_ends_well_07_what_an_encoding_cannot_say_is_shown_by_its_number(folder, encoding):
    shown = run(folder, "inspect m.rosenblatt", PYTHONIOENCODING=encoding)
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert ("€" if encoding == "cp1252" else "\\u20ac") in shown.stdout.decode(encoding)
    card = run(folder, "inspect m.rosenblatt --json", PYTHONIOENCODING=encoding).stdout
    assert card.isascii()
    assert json.loads(card) == json.loads(run(folder, "inspect m.rosenblatt --json", PYTHONIOENCODING="utf-8").stdout)


def test_ends_well_07_a_printed_certificate_is_a_certificate(folder):
    done = run(folder, "prove d.csv --out -")
    assert done.returncode == 0
    assert not (folder / "-").exists()
    (folder / "c.json").write_bytes(done.stdout)
    assert run(folder, "check c.json d.csv").stdout.startswith(b"The certificate holds")
    assert done.stderr.splitlines()[-1] == (b"The certificate is printed; verify it with: rosenblatt check FILE d.csv")


@pytest.mark.parametrize("line", ["train d.csv --report -", "update m.rosenblatt d.csv --out -"])
def test_ends_well_07_what_cannot_be_printed_is_refused_before_the_work(folder, line):
    done = run(folder, line)
    assert done.returncode == 2
    assert done.stderr.decode().splitlines()[-1].endswith("written to a file, not to standard output. Name a file.")
    assert not (folder / "-").exists()


FORGED = "wrote    /etc/passwd"


@pytest.fixture(scope="module")
def forging(folder) -> Path:
    """Data, and a model of it, in which a class and a column hold a line that looks like one of ours."""
    from rosenblatt import train
    from rosenblatt.store import save

    values = np.random.default_rng(2).normal(size=(60, 2))
    lines = [
        f'{x + 3 * (i % 2):.3f},{y:.3f},"{("a", f"b{chr(10)}{FORGED}")[i % 2]}"' for i, (x, y) in enumerate(values)
    ]
    place = folder / "forging"
    place.mkdir()
    (place / "f.csv").write_text("\n".join([f'"x\n{FORGED}",y,label', *lines]) + "\n")
    save(train(place / "f.csv"), place / "f.rosenblatt")
    return place


@pytest.mark.parametrize(
    "line",
    [
        "inspect f.rosenblatt",
        "explain f.rosenblatt f.csv",
        "evaluate f.rosenblatt f.csv",
        "train f.csv --out again.rosenblatt",
        "prove f.csv --out c.json",
        f"predict f.rosenblatt $'no\\n{FORGED}.csv'",
        f"predict f.rosenblatt f.csv --out $'no/no\\n{FORGED}'",
    ],
)
def test_ends_well_07_a_name_with_a_line_end_forges_no_line(forging, line):
    done = run(forging, line)
    said = (done.stdout + done.stderr).decode()
    assert FORGED in said, "the name is not shown at all"
    assert not [each for each in said.splitlines() if each.startswith(FORGED)]
