"""`prove` and `check` as typed: what they say, and how they end when something is wrong."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys

import pytest
from click.testing import CliRunner

from rosenblatt.cli import commands
from rosenblatt.errors import DataError

SPAM = "free,caps,label\n1,2,spam\n0,0,ham\n1,2,ham\n"
APPLES = "color,size,tasty\nred,1,yes\ngreen,2,no\nred,3,yes\n"


def run(*arguments):
    return CliRunner().invoke(commands, [str(argument) for argument in arguments])


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("notes", "Separable (5 rows, 2 features, 2 classes)"),
        ("and", "makes at most 51 mistakes; the one that found these weights made 22."),
        ("xor", "These 4 rows cancel, each counted towards its class: 1 × row 1 (-1), 1 × row 2 (1)"),
        ("iris", "Not separable"),
        ("breast-cancer", "Separable"),
    ],
)
def test_prove_says_what_it_found_and_check_confirms_it(name, says, tmp_path):
    out = tmp_path / "proof.json"
    proved = run("prove", name, "--out", out)
    assert proved.exit_code == 0
    assert says in proved.output
    checked = run("check", out, name)
    assert checked.exit_code == 0
    assert "The certificate holds" in checked.output


def test_one_is_not_many(tmp_path):
    data = tmp_path / "data.csv"
    data.write_text("a,label\n-1,x\n1,y\n")
    assert "Separable (2 rows, 1 feature, 2 classes)" in run("prove", data, "--out", tmp_path / "c.json").output


def test_equal_rows_are_named_by_their_numbers(tmp_path):
    (tmp_path / "mail.csv").write_text(SPAM)
    done = run("prove", tmp_path / "mail.csv", "--out", tmp_path / "proof.json")
    assert "Rows 1 and 3 are identical but labelled spam and ham." in done.output


def test_text_columns_become_columns_of_0_and_1(tmp_path):
    (tmp_path / "apples.csv").write_text(APPLES)
    done = run("prove", tmp_path / "apples.csv", "--label", "tasty", "--out", tmp_path / "proof.json")
    assert "Separable (3 rows, 3 features, 2 classes)" in done.output
    assert run("check", tmp_path / "proof.json", tmp_path / "apples.csv", "--label", "tasty").exit_code == 0


def test_words_are_0_and_1_and_the_plan_is_another_question(tmp_path):
    raw = run("prove", "mail", "--out", tmp_path / "raw.json")
    assert "Separable (64 rows" in raw.output
    planned = run("prove", "mail", "--plan", "--out", tmp_path / "plan.json")
    assert "about the features of the training plan" in planned.output
    assert run("check", tmp_path / "plan.json", "mail", "--plan").exit_code == 0
    assert run("check", tmp_path / "plan.json", "mail").exit_code != 0


def test_standard_input_is_data_too(tmp_path):
    done = CliRunner().invoke(commands, ["prove", "-", "--out", str(tmp_path / "p.json")], input=SPAM)
    assert "Rows 1 and 3 are identical" in done.output


def test_prove_and_check_read_a_file_as_train_does(tmp_path):
    path, out = tmp_path / "two words.dat", tmp_path / "p.json"
    path.write_bytes('5" é;1\n2;2\n5" é;3\n'.encode("latin-1"))
    how = ["--format", "csv", "--delimiter", ";", "--no-header", "--no-quotes", "--encoding", "latin-1"]
    how += ["--relabel", "3=2", "--label", "c2"]
    proved = run("prove", path, *how, "--out", out)
    assert "Rows 1 and 3 are identical but labelled 1 and 2." in proved.output
    command = proved.output.strip().rpartition("rosenblatt ")[2]  # the command that verifies it, ready to be typed
    assert run(*shlex.split(command)).exit_code == 0, command


def test_undecided_when_there_is_no_time(tmp_path):
    done = run("prove", "wine", "--time-limit", "0", "--out", tmp_path / "proof.json")
    assert "Undecided" in done.output
    assert "its bound on the margin is right" in run("check", tmp_path / "proof.json", "wine").output


@pytest.mark.parametrize(
    ("file", "data", "message"),
    [
        ("proof.json", "and", "order of rows differ"),
        ("proof.json", "iris", "the certificate is for 4 rows"),
        ("changed.json", "xor", "checksum does not fit"),
        ("none.json", "xor", "cannot be read"),
        ("proof.json", "nowhere.csv", "no such file"),
    ],
)
def test_check_refuses_with_one_line_and_code_1(file, data, message, tmp_path):
    run("prove", "xor", "--out", tmp_path / "proof.json")
    content = json.loads((tmp_path / "proof.json").read_text())
    content["multipliers"][0] = 2
    (tmp_path / "changed.json").write_text(json.dumps(content))
    done = run("check", tmp_path / file, data)
    assert isinstance(done.exception, DataError)
    assert message in str(done.exception)
    assert "\n" not in str(done.exception)


def test_what_is_wrong_with_the_data_begins_with_its_name(tmp_path):
    run("prove", "xor", "--out", tmp_path / "proof.json")
    assert str(run("check", tmp_path / "proof.json", "nowhere.csv").exception).startswith("nowhere.csv: no such file")
    assert str(run("check", tmp_path / "proof.json", "and").exception).startswith(f"{tmp_path}/proof.json: ")


@pytest.mark.parametrize("command", [["prove"], ["trace"], ["check", "proof.json"]])
def test_values_that_overflow_are_named_by_file_and_row(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("prove", "xor", "--out", "proof.json")
    (tmp_path / "huge.csv").write_text("a,b,label\n1,2,x\n1e300,4,y\n5,6,x\n")
    assert str(run(*command, "huge.csv").exception).startswith("huge.csv, row 2 holds values so large (length squared")


def test_the_exit_code_of_a_refusal(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "rosenblatt", "check", str(tmp_path / "none.json"), "xor"],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.decode().count("\n") == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,label\n1,2\n3\n", "line 3: 1 value"),
        ("a,label\n1,x\n2,y\n", None),
        ("1 1:2 2:x\n", "line 1"),
        ("", "empty"),
        ("a,b\n1,x\n2,y\n", "Name one as the label"),
    ],
)
def test_files_that_cannot_be_read(text, message, tmp_path):
    path = tmp_path / ("data.dat" if ":" in text or not text else "data.csv")
    path.write_text(text)
    done = run("prove", path, "--out", tmp_path / "proof.json")
    if message is None:
        assert done.exit_code == 0
    else:
        with pytest.raises(DataError, match=message):
            raise done.exception


@pytest.mark.parametrize("command", ["prove", "trace"])
def test_whole_numbers_that_floats_cannot_tell_apart_are_refused(command, tmp_path):
    """Rounded, rows 1 and 4 would be equal, and a proof that nothing separates them would be false."""
    file, out = tmp_path / "close.csv", tmp_path / "out.json"
    file.write_text("x,label\n" + "".join(f"{2**60 + k},{'a' if k < 3 else 'b'}\n" for k in range(6)))
    done = run(command, file, "--out", out)
    assert done.exit_code == 1
    assert isinstance(done.exception, DataError | SystemExit)
    assert "column 'x' holds whole numbers beyond 2^53 (1152921504606846976)" in str(done.exception) + done.output
    assert not out.exists()
