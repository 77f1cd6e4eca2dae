"""The command line: what it prints, what it writes, and how it ends when something is wrong."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from rosenblatt import cli, load

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run(capfd):
    """Runs a command as a shell would: exit code, standard output, standard error."""

    def call(*arguments):
        with pytest.raises(SystemExit) as end:
            cli.main([str(each) for each in arguments])
        out, err = capfd.readouterr()
        return end.value.code, out, err

    return call


def sheet(name="tennis.csv", rows=60):
    lines = [f"{('sunny', 'rain')[i % 2]},{60 + i % 7},{('no', 'yes')[i % 2]}" for i in range(rows)]
    Path(name).write_text("\n".join(["outlook,humidity,play", *lines]))
    return name


def test_bins_of_whole_numbers_are_shown_in_a_long_plan(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    draw = random.Random(3)
    rows = [",".join(str(draw.randrange(6)) for _ in range(7)) + f",{draw.choice('yn')}" for _ in range(150)]
    Path("t.csv").write_text("\n".join(["a,b,c,d,e,f,g,label", *rows, ""]))
    Path("c.toml").write_text('[columns]\na = {kind = "bins"}\n')
    code, out, _ = run("train", "t.csv", "--config", "c.toml", "--passes", "2")
    assert code == 0
    assert "a  bins (as asked) → 6: 0, 1, 2, …" in out


@pytest.mark.parametrize("name", ["digits", "iris", "wine", "mail", "apples"])
def test_the_whole_report_of_a_built_in_set(name, run):
    code, out, _ = run("train", name)
    assert code == 0
    assert out == (GOLDEN / f"train-{name}.txt").read_text(encoding="utf8")
    assert max(len(line) for line in out.splitlines()) <= 80
    assert len(out.splitlines()) <= 48
    assert load(f"{name}.rosenblatt").card["source"] == name


def test_json_is_one_object_with_the_accuracy_the_choice_and_the_bracket(run):
    code, out, _ = run("train", "digits", "--json", "--model", "perceptron", "--seeds", "2")
    card = json.loads(out)
    assert code == 0
    assert card["test"]["accuracy"] > 0.9
    assert card["choice"]["model"] == "perceptron"
    assert 0 <= card["margin"]["low"] < card["margin"]["high"]
    assert card["spread"]["seeds"] == 2
    assert card["files"] == ["digits.rosenblatt"]


def test_quiet_says_nothing(run):
    assert run("train", "iris", "--quiet") == (0, "", "")


def test_no_colour_where_nobody_looks(run, monkeypatch):
    assert "\x1b" not in run("train", "iris")[1]
    from rosenblatt.cli import options

    class Terminal:
        def isatty(self):
            return True

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert options.colourful(Terminal())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not options.colourful(Terminal())


def test_options_reach_the_training(run):
    sheet()
    code, out, _ = run(
        *("train", "tennis.csv", "--label", "play", "--category", "humidity", "--drop", "outlook", "--json"),
        *("--model", "naive-bayes", "--k", "2", "--seed", "5", "--out", "other.rosenblatt"),
    )
    assert code == 0, out
    card = json.loads(out)
    assert card["choice"]["k"] == 2
    assert card["split"]["seed"] == 5
    assert any("category of 5 values" in line for line in card["plan"])
    assert any(line.startswith("outlook   dropped  (as asked)") for line in card["plan"])
    assert Path("other.rosenblatt").exists()


def test_a_goal_is_reported_out_of_fold_and_on_test(run):
    code, out, _ = run("train", "breast-cancer", "--positive", "malignant", "--max-false-positives", "1%")
    assert code == 0
    assert [line[2:13] for line in out.splitlines() if line.startswith(("  out of fold ", "  test  "))] == [
        "out of fold",
        "test       ",
    ]
    assert load("breast-cancer.rosenblatt").card["goal"]["max_false_positives"] == 0.01


WRONG_USE = {
    "no label": (["train", "tennis.csv"], 1, "no column is named label, class or target. Columns are: outlook"),
    "wrong label": (["train", "tennis.csv", "--label", "Play"], 1, "no column named 'Play'. Columns are: outlook"),
    "missing file": (["train", "nowhere.csv"], 1, "nowhere.csv: no such file or folder"),
    "near name": (["train", "digit"], 1, "Did you mean 'digits'?"),
    "no folder for the model": (["train", "iris", "--out", "gone/iris.rosenblatt"], 1, "there is no folder 'gone'"),
    "no folder for the report": (["train", "iris", "--report", "gone/iris.html"], 1, "there is no folder 'gone'"),
    "a folder as the model": (["train", "iris", "--out", "."], 1, "this is a folder"),
    "missing model": (["predict", "nowhere.rosenblatt", "tennis.csv"], 1, "nowhere.rosenblatt: no such file"),
    "data as a model": (["predict", "tennis.csv", "tennis.csv"], 1, "tennis.csv: not a model file"),
    "a folder as a model to read": (["inspect", "."], 1, "this is a folder"),
    "data that does not fit": (["predict", "iris.rosenblatt", "tennis.csv"], 1, "which the model was trained with"),
    "labels that do not fit": (["evaluate", "iris.rosenblatt", "wine"], 1, "not one of the training labels"),
    "text for numbers": (["explain", "iris.rosenblatt", "--text", "hello"], 1, "reads no text"),
    "no such row": (["explain", "iris.rosenblatt", "iris", "--row", "151"], 1, "there is no row 151; the last is 150"),
    "nothing to explain": (["explain", "iris.rosenblatt"], 2, "give a message with --text"),
    "a row of a message": (["explain", "iris.rosenblatt", "--text", "hi", "--row", "3"], 2, "--row 3 chooses a row"),
    "smoothing of a perceptron": (
        ["train", "iris", "--model", "perceptron", "--k", "2"], 1, "k is a setting of model naive-bayes, but model"
    ),
    "margin of naive Bayes": (
        ["train", "iris", "--model", "naive-bayes", "--margin", "2"], 1, "Leave it out, or choose model perceptron."
    ),
    "unknown class": (["train", "breast-cancer", "--positive", "bad"], 1, "one of the classes, benign and malignant"),
    "share that is none": (["train", "mail", "--positive", "spam", "--max-false-positives", "few"], 1, "0.1% or"),
    "costs without a class": (["train", "mail", "--cost-false-positive", "3"], 2, "--positive CLASS"),
    "half a pair": (["train", "mail", "--relabel", "ham"], 2, "write it as OLD=NEW"),
    "unknown column": (["train", "iris", "--drop", "colour"], 1, "no column named 'colour'"),
    "unknown command": (["learn"], 2, "No such command"),
    "wrong seed": (["train", "--seed", "-1"], 2, "is not in the range"),
    "seed beyond 64 bits": (["train", "--seed", "9" * 23], 1, "seed must be a whole number from 0 to 1844674407370955"),
    "order beyond 64 bits": (["trace", "--shuffle", "9" * 20], 1, "--shuffle must be a whole number from 0 to"),
    "order below 0": (["trace", "--shuffle", "-1"], 1, "to 18446744073709551615; got -1"),
    "too few rows": (["train", "two.csv", "--label", "play"], 1, "leave none for the validation part"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG_USE)
def test_wrong_use_ends_with_one_line_that_helps(case, run):
    arguments, expected, message = WRONG_USE[case]
    sheet()
    sheet("two.csv", 2)
    if "iris.rosenblatt" in arguments:
        run("train", "iris", "--quiet", "--passes", "1")
    code, out, err = run(*arguments)
    assert code == expected, err
    assert message in " ".join(err.split())
    assert "Traceback" not in err
    assert out == ""
    if expected == 1:
        assert err.startswith("rosenblatt: ")
        assert err.count("\n") == 1


def test_a_command_of_the_first_version_says_where_it_went_and_is_not_listed(run):
    assert run("bench", "--quick") == (
        2,
        "",
        "Error: bench is no command any more. Run `make bench` in the source tree.\n",
    )
    assert "bench" not in run("--help")[1]


OVER_INPUTS = {
    "train over its data": (["train", "tennis.csv", "--label", "play", "--out", "tennis.csv"], "over DATA"),
    "train over its data by another path": (
        ["train", "tennis.csv", "--label", "play", "--out", "../{here}/tennis.csv"], "over DATA"
    ),
    "train over what a link leads to": (["train", "link.csv", "--label", "play", "--out", "tennis.csv"], "over DATA"),
    "report over the data": (["train", "tennis.csv", "--label", "play", "--report", "tennis.csv"], "--report would"),
    "train over its test rows": (["train", "iris", "--test", "tennis.csv", "--out", "tennis.csv"], "over --test"),
    "train over the names": (["train", "iris", "--names", "tennis.csv", "--out", "tennis.csv"], "over --names"),
    "model and report are one": (
        ["train", "iris", "--out", "new.rosenblatt", "--report", "./new.rosenblatt"], "--out and --report name the same"
    ),
    "default name and report are one": (["train", "iris", "--report", "iris.rosenblatt"], "--out and --report name"),
    "predict over its data": (["predict", "iris.rosenblatt", "tennis.csv", "--out", "tennis.csv"], "over DATA"),
    "predict over its model": (["predict", "iris.rosenblatt", "iris", "--out", "iris.rosenblatt"], "over MODEL"),
    "update over its data": (["update", "iris.rosenblatt", "tennis.csv", "--out", "tennis.csv"], "over DATA"),
    "export over its model": (
        ["export", "iris.rosenblatt", "--to", "json", "--out", "iris.rosenblatt"], "over MODEL"
    ),
    "prove over its data": (["prove", "tennis.csv", "--label", "play", "--out", "tennis.csv"], "over DATA"),
    "trace over its data": (["trace", "tennis.csv", "--label", "play", "--out", "tennis.csv"], "over DATA"),
    "trace over its model": (["trace", "iris.rosenblatt", "--out", "iris.rosenblatt"], "over DATA"),
}  # fmt: skip


@pytest.mark.parametrize("case", OVER_INPUTS)
def test_no_command_writes_over_what_it_reads_or_twice_to_one_file(case, run, tmp_path):
    arguments, message = OVER_INPUTS[case]
    sheet()
    Path("link.csv").symlink_to("tennis.csv")
    Path("iris.rosenblatt").write_bytes(b"a model")  # refused before it is read
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    code, out, err = run(*(each.format(here=tmp_path.name) for each in arguments))
    assert (code, out) == (2, "")
    assert message in err
    assert "Name another file with --" in err
    assert err.count("\n") == 1
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_what_an_earlier_command_wrote_is_replaced(run):
    sheet()
    for _ in range(2):
        assert run("train", "tennis.csv", "--label", "play", "--report", "t.html", "--quiet", "--passes", "1")[0] == 0
        assert run("predict", "tennis.rosenblatt", "tennis.csv", "--out", "answers.csv")[0] == 0
        assert run("update", "tennis.rosenblatt", "tennis.csv")[0] == 0
        assert run("update", "tennis.rosenblatt", "tennis.csv", "--out", "tennis.rosenblatt")[0] == 0
        assert run("prove", "xor", "--out", "xor")[0] == 0  # a built-in set is no file
        Path("xor").unlink()
    assert len(load("tennis.rosenblatt").card["updates"]) == 2


def test_a_model_may_lie_in_the_folder_of_texts_that_it_is_trained_on(run):
    for k in range(20):
        for name in ("ham", "spam"):
            Path("mails", name).mkdir(parents=True, exist_ok=True)
            Path("mails", name, f"{k}.txt").write_text(f"a {name} of number {k}")
    Path("mails/x.rosenblatt").touch()
    assert run("train", "mails", "--out", "mails/x.rosenblatt", "--quiet")[0] == 0
    assert load("mails/x.rosenblatt").classes.names == ("ham", "spam")


def test_stopping_shows_what_is_known_so_far(run, monkeypatch):
    from rosenblatt.pipeline import procedure

    real = procedure.search

    def stopped(parts, choices, watch):
        real(parts, choices, watch)
        raise KeyboardInterrupt

    monkeypatch.setattr(procedure, "search", stopped)
    code, out, err = run("train", "iris")
    assert (code, out) == (130, "")
    assert "tried so far, on validation rows:" in err
    assert "averaged perceptron, margin 2" in err
    assert err.endswith("rosenblatt: stopped.\n")
    assert not Path("iris.rosenblatt").exists()


def test_help_names_every_command():
    done = CliRunner().invoke(cli.commands, ["--help"])
    assert all(name in done.output for name in ("train", "predict", "evaluate", "explain", "inspect", "update"))


def test_a_mistake_of_ours_is_one_line_too_unless_someone_looks_for_it(run, monkeypatch):
    from rosenblatt.pipeline import procedure

    def broken(*_):
        raise KeyError("two\nlines")

    monkeypatch.setattr(procedure, "search", broken)
    code, _, err = run("train", "iris")
    assert code == 1
    assert err.startswith("rosenblatt: a mistake in rosenblatt itself (KeyError")
    assert err.count("\n") == 1
    monkeypatch.setenv("ROSENBLATT_DEBUG", "1")
    with pytest.raises(KeyError):
        cli.main(["train", "iris"])


def test_help_has_four_groups_and_leaves_out_what_is_hidden():
    shown = CliRunner().invoke(cli.commands, ["--help"]).output
    titles = ("Use:", "Trust:", "Learn:", "Ship:")
    assert [line for line in shown.splitlines() if line in titles] == list(titles)
    listed = re.findall(r"^  (\w+)  ", shown.partition("Use:")[2], flags=re.MULTILINE)
    assert len(listed) == len(set(listed))
    assert set(listed) == set(cli.commands.commands) - {"cache"}


def test_help_of_train_is_short_and_all_of_it_is_one_option_away():
    command = cli.commands.commands["train"]
    short, every = (CliRunner().invoke(cli.commands, ["train", each]) for each in ("--help", "--help-all"))
    assert (short.exit_code, every.exit_code) == (0, 0)
    options = re.findall(r"^  (--[\w-]+)", short.output, flags=re.MULTILINE)
    assert len(options) <= 14
    grouped = [name for names in command.groups.values() for name in names]
    known = {each.name for each in command.params if isinstance(each, click.Option)} - {"help", "help_all"}
    assert sorted(grouped) == sorted(known)  # each in one group
    assert set(command.short) <= known
    assert len(re.findall(r"^  --[\w-]+", every.output, flags=re.MULTILINE)) == len(grouped)
    assert f"{len(grouped) - len(options)} more options: " in short.output
