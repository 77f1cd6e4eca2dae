"""What rows 18 to 20 of docs/faults.md found, and its neighbours: streams, open files, imports, other kinds of file."""

from __future__ import annotations

import errno
import os
import resource
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from rosenblatt import cli
from rosenblatt.data import mail, read
from rosenblatt.errors import LAST_WORDS, OUT_OF_MEMORY, DataError
from rosenblatt.store import load

ROOT = Path(__file__).parents[2]
AT_MOST = 100  # seconds, to end a hang
STOPPED_BY_CLICK = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nwhile True:\n    pass\n"


def command(*arguments: str, **more) -> subprocess.CompletedProcess[bytes]:
    given = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": AT_MOST, "check": False, **more}
    return subprocess.run([sys.executable, "-m", "rosenblatt", *arguments], **given)


def script() -> list[str]:
    """What the command does that an installation makes of our entry in pyproject.toml."""
    entry = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]["rosenblatt"]
    module, _, name = entry.partition(":")
    return ["-c", f"import sys; from {module} import {name}; sys.exit({name}())"]


@pytest.mark.parametrize("how", [["-m", "rosenblatt"], script()], ids=["python -m", "the command"])
def test_ends_well_10_ctrl_c_during_the_first_imports_shows_no_traceback(tmp_path, how):
    """The import of click is where the signal comes; a shell reports such an end as 130."""
    (tmp_path / "click.py").write_text(STOPPED_BY_CLICK)
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, *how, "--help"], env={**os.environ, "PYTHONPATH": path}, capture_output=True,
        timeout=AT_MOST, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, b"", b"")


def test_ends_well_10_an_import_under_nohup_ignores_ctrl_c_as_before(tmp_path):
    (tmp_path / "click.py").write_text(STOPPED_BY_CLICK.replace("while True:\n    pass\n", "raise SystemExit(7)\n"))
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "rosenblatt"], env={**os.environ, "PYTHONPATH": path}, capture_output=True,
        timeout=AT_MOST, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )  # fmt: skip
    assert done.returncode == 7


@pytest.fixture(scope="module")
def rows(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("rows") / "d.csv"
    path.write_text("a,b,label\n" + "".join(f"{n % 7},{n % 5},{'xy'[n % 7 > 3]}\n" for n in range(60)))
    return path


def test_ends_well_10_progress_that_cannot_be_written_does_not_cost_the_model(rows, tmp_path):
    """Each line of progress is due at once here; the first of them ended the job."""
    code = "import rosenblatt.cli.progress as p; p.FIRST = 0.0\nfrom rosenblatt.__main__ import main; main()"
    line = [sys.executable, "-c", code, "train", str(rows), "--model", "perceptron", "--passes", "2"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*line, "--out", str(tmp_path / "m")], stdout=subprocess.PIPE, stderr=full, check=False)
    assert done.returncode == 0
    assert load(tmp_path / "m").card["rows"]
    assert b"wrote" in done.stdout


def test_ends_well_10_a_table_on_the_disk_may_have_more_columns_than_open_files(tmp_path):
    columns, most = 150, 100
    names = [f"c{number}" for number in range(columns)]
    lines = [[f"w{row * (column + 3) % 11}" for column in range(columns)] + ["xy"[row % 2]] for row in range(100)]
    data = tmp_path / "wide.csv"
    data.write_text("".join(",".join(line) + "\n" for line in [[*names, "label"], *lines]))
    for _ in range(2):  # it is written, and then found in the cache
        done = command(
            "train", str(data), "--memory", "100kB", "--model", "perceptron", "--passes", "1", "--quiet", "--out",
            str(tmp_path / "m"), env={**os.environ, "ROSENBLATT_CACHE": str(tmp_path / "cache")},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most)),
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, b"")
    assert len(list((tmp_path / "cache").rglob("c*.values"))) == columns


@pytest.mark.parametrize("content", [b"a,b,label\n1,2,x\n", b"", b"\x00", b"\xff\xff\x00\x00\x00\x00\x00\x00{}"])
def test_ends_well_10_what_is_no_model_is_said_in_plain_words(tmp_path, content):
    path = tmp_path / "m.rosenblatt"
    path.write_bytes(content)
    with pytest.raises(DataError) as told:
        load(path)
    wanted = "(it begins in another way, or is cut short). Name a file that `rosenblatt train` wrote."
    assert str(told.value) == f"{path}: not a model file {wanted}"


@pytest.mark.parametrize(
    "start", [b"<!DOCTYPE html>\n<html>", b"\xef\xbb\xbf\n <HTML lang=en>", b'<?xml version="1.0"?>\n<html>']
)
def test_ends_well_10_a_web_page_is_no_table(tmp_path, start):
    page = tmp_path / "report.html"
    page.write_bytes(start + b"<body>\na,b\n1,2\n3,4\n</body></html>\n")
    with pytest.raises(DataError, match=r"this is a web page, not a table\. Save its table as CSV, or name another"):
        read(page, labelled=False)


def test_ends_well_10_a_table_whose_first_column_is_called_html_is_one_where_its_name_says_so(tmp_path):
    (tmp_path / "tags.csv").write_text("<html>,label\n1,x\n2,y\n")
    assert read(tmp_path / "tags.csv").n_rows == 2


def test_ends_well_10_a_command_that_cannot_be_loaded_for_want_of_memory_says_so(tmp_path):
    (tmp_path / "click.py").write_text("raise MemoryError")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    done = command("--help", env={**os.environ, "PYTHONPATH": path})
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", LAST_WORDS)


def raised_from(cause: BaseException, error: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(), OSError(errno.ENOMEM, "no more"), RuntimeError("can't start new thread"),
        RuntimeError("can't allocate lock"),
        RuntimeError("can't allocate read lock"),
        raised_from(ImportError("x.so: failed to map segment from shared object"), ImportError("numpy is not there")),
        raised_from(MemoryError(), DataError("the file is damaged")),
        OSError("libllvm.so: cannot allocate memory in static TLS block"),
    ],
)  # fmt: skip
def test_ends_well_10_memory_that_ran_out_is_told_as_such_in_whatever_words_a_library_says_it(
    monkeypatch, capsys, error
):
    def fails(*arguments, **more):
        raise error

    monkeypatch.setattr("rosenblatt.data.cache.entries", fails)
    with pytest.raises(SystemExit) as end:
        cli.main(["cache"])
    assert (end.value.code, capsys.readouterr().err) == (1, f"rosenblatt: {OUT_OF_MEMORY}\n")


def test_ends_well_10_what_cannot_even_be_said_for_want_of_memory_is_said_in_words_made_before(monkeypatch, capfd):
    def fails(*arguments, **more):
        raise MemoryError

    monkeypatch.setattr("rosenblatt.data.cache.entries", fails)
    monkeypatch.setattr("rosenblatt.cli.show", fails)
    with pytest.raises(SystemExit) as end:
        cli.main(["cache"])
    assert (end.value.code, capfd.readouterr().err) == (1, LAST_WORDS.decode())


def test_ends_well_10_a_message_is_not_taken_for_an_empty_one_where_memory_runs_out(monkeypatch):
    def fails(raw):
        raise MemoryError

    monkeypatch.setattr(mail.email, "message_from_bytes", fails)
    with pytest.raises(MemoryError):
        mail.parse_mail(b"Subject: one\n\ntwo\n")


def test_ends_well_10_nobody_waits_for_a_thread_that_ended_for_want_of_memory():
    code = """
import threading
from rosenblatt.cli.signals import end_in_order
def fail(): raise MemoryError
end_in_order()
try:
    threading.Thread(target=fail).start()
    threading.Event().wait()
except (MemoryError, RuntimeError):
    print("told")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=AT_MOST, check=False)
    assert (done.stdout, done.stderr) == (b"told\n", b"")


def test_ends_well_10_nobody_waits_for_a_thread_that_had_no_memory_to_begin():
    """Python drops what is raised before a thread has begun, and whoever started it waits for its beginning."""
    code = """
import threading
from rosenblatt.cli.signals import end_in_order
def fail(thread): raise MemoryError
threading.Thread._bootstrap = fail
end_in_order()
try:
    threading.Thread(target=print).start()
except (MemoryError, RuntimeError):  # the latter from the former, between two steps of Python's own waiting
    print("told")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=AT_MOST, check=False)
    assert (done.stdout, done.stderr) == (b"told\n", b"")


def test_ends_well_10_a_command_that_waits_all_the_same_is_ended_with_words_made_before():
    code = """
import threading
from rosenblatt.cli import signals
def fail(): raise MemoryError
signals.PATIENCE = 0.1
signals.end_in_order()
failing = threading.Thread(target=fail)
while True:
    try:
        failing.start() if failing.ident is None else threading.Event().wait()
    except (MemoryError, RuntimeError):
        pass
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=AT_MOST, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", LAST_WORDS)


def test_ends_well_10_memory_that_runs_out_while_wrong_usage_is_told_is_told_instead(monkeypatch, capsys):
    def fails(*arguments, **more):
        raise MemoryError

    monkeypatch.setattr("click.exceptions.UsageError.show", fails)
    with pytest.raises(SystemExit) as end:
        cli.main(["cache", "--no-such-option"])
    assert (end.value.code, capsys.readouterr().err) == (1, f"rosenblatt: {OUT_OF_MEMORY}\n")


def test_ends_well_10_memory_that_runs_out_in_a_destructor_shows_no_traceback():
    code = """
from rosenblatt.cli.signals import end_in_order
class Kept:
    def __del__(self): raise MemoryError
end_in_order()
Kept()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=AT_MOST, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
