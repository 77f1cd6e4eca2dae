"""Points 5 and 6 of what an attack found: no work is lost, and nothing is told to those whom it is not meant for."""

from __future__ import annotations

import os
import resource
import stat
import subprocess
import sys
import urllib.parse
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from rosenblatt import cli, load, save, train

LONGEST = 600  # seconds, only to end a hang
ROWS = [(1, 2, "x"), (2, 1, "y"), (3, 5, "x"), (5, 2, "y"), (1, 4, "x"), (4, 1, "y"), (2, 3, "x"), (6, 1, "y")] * 3
ESCAPE = "\x1b]0;owned\x07"
QUICK = ("--model", "perceptron", "--passes", "1")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def write_rows(path: str, ending: str = "") -> None:
    lines = [f"{a}.{number},{b},{label}{ending}\n" for number, (a, b, label) in enumerate(ROWS)]
    Path(path).write_text("a,b,label\n" + "".join(lines))


def make_model(ending: str = "") -> None:
    write_rows("data.csv", ending)
    save(train("data.csv", model="perceptron", passes=1), "m.rosenblatt")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        cli.main(list(arguments))
    said = capsys.readouterr()
    return end.value.code, said.out, said.err


def update_command(*more: str) -> list[str]:
    return [sys.executable, "-m", "rosenblatt", "update", "m.rosenblatt", "data.csv", *more]


# 5: lost work


@pytest.mark.parametrize("more", [(), ("--memory", "3kB")])
def test_ends_well_05_names_that_are_not_utf8(capsys, monkeypatch, tmp_path, more):
    monkeypatch.setenv("ROSENBLATT_CACHE", str(tmp_path / "cache"))
    data, out, page = (os.fsdecode(name) for name in (b"caf\xe9.csv", b"m\xff.rosenblatt", b"r\xe9.html"))
    write_rows(data)
    code, _, said = run(capsys, "train", data, *QUICK, *more, "--out", out, "--report", page)
    assert (code, "rosenblatt: " in said) == (0, False), said
    assert load(out).card["source"] == "caf\\xe9.csv"
    assert "caf\\xe9.csv" in Path(page).read_text()
    code, told, _ = run(capsys, "predict", out, data)
    assert (code, len(told.splitlines())) == (0, len(ROWS) + 1)
    assert run(capsys, "update", out, data)[0] == 0
    assert load(out).card["updates"][-1]["source"] == "caf\\xe9.csv"


def test_ends_well_05_folders_of_such_names(capsys):
    for label in (b"caf\xe9", b"tea"):
        for number in range(12):
            path = os.path.join(b"texts", label, b"\xe9%d.txt" % number)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            Path(os.fsdecode(path)).write_text(f"{'cup' if label == b'tea' else 'mug'} number {number}")
    code, _, said = run(capsys, "train", "texts", *QUICK, "--out", "m.rosenblatt")
    assert (code, "rosenblatt: " in said) == (0, False), said
    assert load("m.rosenblatt").classes.names == ("caf\\xe9", "tea")


def test_ends_well_05_a_class_that_is_no_text_is_refused_before_the_work(capsys):
    write_rows("data.csv")
    code, _, said = run(capsys, "train", "data.csv", *QUICK, "--relabel", "x=" + os.fsdecode(b"caf\xe9"))
    assert (code, said.splitlines()[-1]) == (2, "Error: Invalid value for --relabel: it is not UTF-8; got x=caf\\xe9.")


def test_ends_well_05_updates_at_once_are_all_kept(monkeypatch):
    """Here the second begins while the first learns, which is when it was lost."""
    import rosenblatt.pipeline.update as pipeline

    make_model()
    learn, others = pipeline.update, []

    def slow(*arguments):
        others.append(subprocess.Popen(update_command(), stderr=subprocess.PIPE, text=True))
        others[0].stderr.readline()  # it waits; or, as it was, it is done
        return learn(*arguments)

    monkeypatch.setattr(pipeline, "update", slow)
    with pytest.raises(SystemExit) as end:
        cli.main(["update", "m.rosenblatt", "data.csv"])
    assert others[0].wait(LONGEST) == 0
    others[0].stderr.close()
    assert end.value.code == 0
    assert len(load("m.rosenblatt").card["updates"]) == 2


def test_ends_well_05_a_model_that_changed_meanwhile_is_not_written_over(capsys, monkeypatch):
    import rosenblatt.pipeline.update as pipeline

    make_model()
    other = train("data.csv", model="naive-bayes")
    learn = pipeline.update

    def slow(*arguments):
        save(other, "m.rosenblatt")  # by a program that asks nobody
        return learn(*arguments)

    monkeypatch.setattr(pipeline, "update", slow)
    code, told, said = run(capsys, "update", "m.rosenblatt", "data.csv")
    assert (code, told, said.count("\n")) == (1, "", 1)
    assert "was changed while this ran" in said
    assert load("m.rosenblatt").card["updates"] == []


@contextmanager
def a_full_disk():
    """No file can grow in this process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize(
    "arguments",
    [
        ("train", "nowhere.csv", "--out", "m"), ("train", "nowhere.csv", "--out", "-", "--report", "r.html"),
        ("train", "nowhere.csv", "--out", "-", "--checkpoint", "new"), ("predict", "nowhere", "-", "--out", "p.csv"),
        ("export", "nowhere", "--to", "sql", "--out", "e.sql"), ("update", "nowhere", "-", "--out", "u"),
        ("prove", "nowhere.csv", "--out", "c.json"), ("trace", "nowhere.csv", "--out", "t.csv", "--to", "csv"),
    ],
)  # fmt: skip
def test_ends_well_05_a_full_disk_is_found_before_the_work(capsys, arguments):
    """Whose first step would be to say that there is no such data."""
    with a_full_disk():
        code, _, said = run(capsys, *arguments)
    assert (code, said.count("\n")) == (1, 1)
    assert "cannot be written" in said
    assert "nowhere" not in said
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize("folder", ["file", "file/below", "/proc/none/below"])
def test_ends_well_05_a_checkpoint_without_a_place_is_found_before_the_work(capsys, folder):
    Path("file").touch()
    code, _, said = run(capsys, "train", "nowhere.csv", "--checkpoint", folder)
    assert (code, said.count("\n")) == (1, 1)
    assert folder in said
    assert "nowhere" not in said


def test_ends_well_05_the_longest_name_can_be_written(capsys):
    make_model()
    name = "p" * 251 + ".csv"
    assert run(capsys, "predict", "m.rosenblatt", "data.csv", "--out", name)[0] == 0
    assert Path(name).exists()


# 6: leaks


def mode(path: str) -> int:
    return stat.S_IMODE(Path(path).stat().st_mode)


@pytest.mark.parametrize("kept", [0o600, 0o640, 0o644, 0o664])
def test_ends_well_06_update_keeps_the_mode(capsys, kept):
    make_model()
    Path("m.rosenblatt").chmod(kept)
    assert run(capsys, "update", "m.rosenblatt", "data.csv")[0] == 0
    assert mode("m.rosenblatt") == kept


def test_ends_well_06_the_umask_is_left_alone(monkeypatch):
    """To ask for it is to set it, and a file that another thread creates in that moment is open to all."""
    old = os.umask(0o027)
    try:
        with monkeypatch.context() as patched:
            patched.setattr(os, "umask", lambda mask: pytest.fail("the umask was changed"))
            make_model()
    finally:
        os.umask(old)
    assert mode("m.rosenblatt") == 0o640


def make_texts() -> None:
    for label, word in (("ham", "lunch"), ("spam", "prize")):
        Path("texts", label).mkdir(parents=True)
        for number in range(12):
            Path("texts", label, f"{number}.txt").write_text(f"{word} number {number}")
    Path("secrets").mkdir()
    Path("secrets", "key.txt").write_text("hunter2")


@pytest.mark.parametrize(("link", "target"), [("ham/x.txt", "../../secrets/key.txt"), ("eggs", "../secrets")])
def test_ends_well_06_a_link_out_of_a_folder_of_texts_is_refused(capsys, link, target):
    make_texts()
    Path("texts", link).symlink_to(target)
    for words in (("train", "texts", *QUICK), ("prove", "texts")):
        code, _, said = run(capsys, *words)
        assert (code, said.count("\n")) == (1, 1)
        assert f"texts/{link}: a link to a place outside texts" in said


def test_ends_well_06_a_link_within_a_folder_of_texts_is_followed(capsys):
    make_texts()
    Path("texts", "ham", "again.txt").symlink_to("0.txt")
    Path("link").symlink_to("texts")
    assert run(capsys, "train", "link", *QUICK, "--out", "m.rosenblatt")[0] == 0
    assert load("m.rosenblatt").card["rows"] == 25


def test_ends_well_06_the_token_of_the_lab_is_in_no_command_line(capsys, monkeypatch):
    import threading
    import webbrowser

    import rosenblatt.lab.server as server

    asked, opened = [], threading.Event()

    def serve():
        assert opened.wait(LONGEST)

    def browse(address):
        try:
            page = Path(urllib.request.url2pathname(urllib.parse.urlsplit(address).path))
            asked.append((address, page, page.read_text(), mode(page), mode(page.parent)))
        finally:
            opened.set()

    lab = SimpleNamespace(address="http://127.0.0.1:9/?token=secret-one", serve=serve)
    monkeypatch.setattr(server, "open_lab", lambda port: lab)
    monkeypatch.setattr(webbrowser, "open", browse)
    assert run(capsys, "lab")[0] == 0
    ((address, page, content, file_mode, folder_mode),) = asked
    assert "secret-one" not in address
    assert lab.address in content
    assert (file_mode, folder_mode) == (0o600, 0o700)
    assert not page.parent.exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("predict", "m.rosenblatt", "data.csv"), ("predict", "m.rosenblatt", "data.csv", "--to", "jsonl", "--scores"),
        ("export", "m.rosenblatt", "--to", "sql"), ("export", "m.rosenblatt", "--to", "json"),
    ],
)  # fmt: skip
def test_ends_well_06_a_terminal_is_given_no_escapes(capsys, monkeypatch, arguments):
    make_model(ESCAPE)
    code, piped, _ = run(capsys, *arguments)
    assert code == 0
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    code, shown, _ = run(capsys, *arguments)
    assert code == 0
    assert not {"\x1b", "\x07"} & set(shown)
    assert shown == piped.replace("\x1b", "␛").replace("\x07", "␇")  # and a pipe gets what it always got


@pytest.mark.parametrize(
    "arguments",
    [
        ("train", "nowhere.csv", "--out", "-"), ("predict", "nowhere", "nowhere.csv", "--to", "parquet"),
        ("export", "nowhere", "--to", "onnx"), ("export", "nowhere", "--strip"),
    ],
)  # fmt: skip
def test_ends_well_06_no_bytes_for_a_terminal(capsys, monkeypatch, arguments):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    code, told, said = run(capsys, *arguments)
    assert (code, told) == (2, "")
    assert "no text to be printed. Name a file with --out." in said
