"""`check` and `trace` of recorded models, as typed: what they say, and how they end when something is wrong."""

from __future__ import annotations

import csv
import io
import json
import re

import numpy as np
import pytest
from click.testing import CliRunner

from rosenblatt import load, save, train
from rosenblatt.cli import commands
from rosenblatt.traces import Trace
from rosenblatt.traces.numerals import vector
from rosenblatt.traces.replay import Replay
from rosenblatt.traces.updates import trace_updates


def run(*arguments):
    return CliRunner().invoke(commands, [str(argument) for argument in arguments])


def failed(*arguments):
    """The one line of a command that fails on its data."""
    done = run(*arguments)
    assert done.exit_code == 1
    assert "\n" not in str(done.exception)
    return str(done.exception)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Model files: two and three classes, few features and many, final and averaged weights."""
    where = tmp_path_factory.mktemp("models")
    for source, weights in (("notes", "final"), ("iris", "averaged"), ("mail", "final"), ("digits", "averaged")):
        model = train(source, model="perceptron", weights=weights, passes=5, margin=0.0, record=True)
        save(model, where / f"{source}.rosenblatt")
    save(train("mail", model="naive-bayes"), where / "bayes.rosenblatt")
    save(train("wine", model="perceptron", passes=1), where / "plain.rosenblatt")
    return where


@pytest.mark.parametrize("source", ["notes", "iris", "mail", "digits"])
def test_check_proves_a_model_on_the_data_of_its_training(source, folder):
    file = folder / f"{source}.rosenblatt"
    training = load(file).record.training
    done = run("check", file, source)
    assert done.exit_code == 0
    passes = re.search(r"(\d+) pass", done.output)
    updates = re.search(r"([\d,]+) updates", done.output)
    assert int(passes[1]) == training.passes
    assert int(updates[1].replace(",", "")) == len(training.recording.steps)
    assert f"its {training.settings.weights} weights." in done.output


def test_check_reads_the_data_as_train_did(tmp_path):
    lines = [f"{k % 7};{k % 5};{'jam' if k % 3 else 'eggs'};{'yes' if k % 7 > k % 5 else 'no'}" for k in range(60)]
    data = tmp_path / "rows.txt"
    data.write_text("a;b;food;good\n" + "\n".join(lines) + "\n")
    how = ["--delimiter", ";", "--relabel", "yes=fine"]
    out = tmp_path / "one.model"  # a model by what it holds, whatever its name
    options = ["--label", "good", "--model", "perceptron", "--record", "--quiet", "--out", out]
    assert run("train", data, *how, *options).exit_code == 0
    assert run("check", out, data, *how).output.startswith("The model holds: ")
    assert failed("check", out, data, "--delimiter", ",").startswith(f"{data}: no column named 'good'")
    assert "the label 'yes' is not one of the training labels" in failed("check", out, data)


def test_what_cannot_be_checked_is_one_line_that_says_why(folder, tmp_path):
    iris = folder / "iris.rosenblatt"
    assert failed("check", folder / "bayes.rosenblatt", "mail").startswith(f"{folder}/bayes.rosenblatt: naive Bayes")
    assert "keeps no record of its run: train it with record=True (--record)" in failed(
        "check", folder / "plain.rosenblatt", "wine"
    )
    assert "is not one of the training labels" in failed("check", iris, "wine")
    assert failed("check", iris, tmp_path / "none.csv").startswith(f"{tmp_path}/none.csv: no such file or folder")
    assert "cannot be read (No such file" in failed("check", tmp_path / "none.json", "iris")
    cut = tmp_path / "cut.rosenblatt"
    cut.write_bytes(iris.read_bytes()[:500])
    assert "not a model file" in failed("check", cut, "iris")
    assert "not a model file" in failed("trace", cut)
    assert run("check", iris, "iris", "--plan").exit_code == 2


def test_certificates_are_still_told_from_models(tmp_path):
    proof = tmp_path / "proof.rosenblatt.json"
    assert run("prove", "and", "--out", proof).exit_code == 0
    assert run("check", proof, "and").output == "The certificate holds: and is separable.\n"


def test_trace_prints_the_updates_of_a_file_with_their_rows(folder):
    file = folder / "notes.rosenblatt"
    replay, origins = Replay(load(file)), load(file).record.origins
    lines = [re.split(r" {2,}", line) for line in run("trace", file).output.splitlines()]
    assert lines[0] == ["step", "weights", "score", "row", "update"]
    for line, step, row in zip(lines[1:], replay.steps, replay.rows, strict=False):
        bias_first = np.roll(replay.weights_after(int(step)), 1).tolist()
        assert line[:2] == [str(step + 1), vector(bias_first)]
        assert line[3].startswith(f"{origins[row]} (")
    size = len(replay.steps)
    final = vector(np.roll(replay.weights_after(replay.run.steps), 1).tolist())
    assert lines[size + 1] == [str(replay.run.steps + 1), final]
    assert lines[-2] == [f"{size} updates in 5 passes over 4 rows"]
    assert lines[-1] == ["Stopped at the limit of 5 passes with 12 mistakes, 3 updates in the last pass."]


def test_the_end_of_a_run_alone_starts_where_the_rest_left_off(folder):
    file = folder / "iris.rosenblatt"
    whole, last = (run("trace", file, *more).output.splitlines() for more in ((), ("--last", 3)))
    assert [re.split(r" {2,}", line) for line in last[1:5]] == [re.split(r" {2,}", line) for line in whole[-7:-3]]
    model = load(file)
    few, all_of_them = trace_updates(model, 3), trace_updates(model)
    for one, other in zip(few, all_of_them.steps[-3:], strict=True):
        assert np.array_equal(one.before, other.before)
        assert np.array_equal(one.after, other.after)
        assert (one.step, one.number, one.true, one.rival) == (other.step, other.number, other.true, other.rival)
    assert last[-2].startswith("the last 3 of ")
    assert last[-2].endswith("over 120 rows; the model decides by the average of the weights")


@pytest.mark.parametrize("source", ["iris", "digits", "mail"])
def test_every_step_of_a_file_s_trace_has_the_weights_of_its_replay(source, folder):
    model = load(folder / f"{source}.rosenblatt")
    replay, steps = Replay(model), trace_updates(model)
    assert [step.step - 1 for step in steps] == replay.steps.tolist()
    for step in steps.steps[:: max(1, len(steps) // 9)]:
        assert np.array_equal(np.roll(step.after, -1, axis=-1), replay.weights_after(step.step))
        assert step.number == (step.step - 1) // model.record.training.visited + 1
        lead = step.scores[0] * (1 if step.true else -1) if source == "mail" else None
        if lead is None:
            lead = step.scores[step.true] - step.scores[step.rival]
        assert lead <= 0  # without a margin every update is a mistake


def test_many_features_are_told_by_name(folder):
    output = run("trace", folder / "mail.rosenblatt", "--last", 2).output.splitlines()
    assert re.split(r" {2,}", output[0]) == ["step", "score", "row", "update"]
    assert re.search(r"[+-]\[bias 1, \w+: \w+ [\d.]+, .*, … \d+ more\]$", output[1])
    assert output[-2].startswith("each line shows at most 6 of the ")
    digits = run("trace", folder / "digits.rosenblatt", "--last", 1).output.splitlines()
    assert re.search(r"\d against -?\d+ for (\d)  digits, row \d+ \((\d)\)  \2 \+ and \1 - \[pixel", digits[1])


def test_other_forms_of_a_file_s_trace(folder, tmp_path):
    file = folder / "iris.rosenblatt"
    model = load(file)
    rows = list(csv.DictReader(io.StringIO(run("trace", file, "--to", "csv").output)))
    recording = model.record.training.recording
    assert [int(row["step"]) - 1 for row in rows] == recording.steps.tolist()
    assert [row["origin"] for row in rows] == [model.record.origins[row] for row in recording.rows]
    text = run("trace", file, "--to", "json").output
    plain = json.loads(text)
    assert (plain["kind"], plain["version"]) == ("rosenblatt recorded run", 1)
    assert (plain["run_steps"], plain["seed"]) == (5 * 120, 0)
    with pytest.raises(ValueError, match="These are the updates of a model: `rosenblatt check` proves its file"):
        Trace.from_json(text)
    assert run("trace", file, "--to", "markdown").output.startswith("| step | weights | score | row | update |\n")
    out = tmp_path / "run.html"
    assert run("trace", file, "--to", "html", "--out", out).output.startswith(f"wrote {out}: {len(rows)} updates in 5")
    assert out.read_text(encoding="utf8").endswith("</html>\n")


def test_a_trace_of_a_file_takes_no_options_of_a_run_and_says_what_is_missing(folder, monkeypatch):
    for option in (["--ties", "mistake"], ["--passes", 3], ["--label", "x"], ["--start", "0"], ["--no-bias"]):
        done = run("trace", folder / "iris.rosenblatt", *option)
        assert done.exit_code == 2
        assert f"{option[0]} chooses a run; that of a model is in its record" in done.output
    done = run("trace", folder / "iris.rosenblatt", "--delimiter", ";")
    assert done.exit_code == 2
    assert "--delimiter is for reading data; that of a model is in its record" in done.output
    assert "naive Bayes counts" in failed("trace", folder / "bayes.rosenblatt")
    assert "keeps no record" in failed("trace", folder / "plain.rosenblatt")
    monkeypatch.setattr("rosenblatt.traces.updates.MOST_NUMBERS", 5000)
    said = failed("trace", folder / "digits.rosenblatt")
    last = re.search(r"\(--last (\d+)\), or fewer", said)
    assert run("trace", folder / "digits.rosenblatt", "--last", last[1]).exit_code == 0


@pytest.mark.parametrize("name", ["and", "or", "xor"])
def test_rows_too_few_to_split_are_sent_where_they_can_be_used(name):
    said = failed("train", name)
    assert f"`rosenblatt trace {name}` or `rosenblatt prove {name}`" in said
    assert run("trace", name).exit_code == 0


def test_a_missing_label_names_its_option(tmp_path):
    (tmp_path / "rows.csv").write_text("a,b\n1,x\n2,y\n")
    assert failed("train", tmp_path / "rows.csv").endswith("Columns are: a, b. Name one as the label (--label).")


@pytest.mark.parametrize("command", [["trace", "notes"], ["prove", "xor"], ["train", "iris"]])
def test_a_label_that_a_built_in_set_does_not_have_is_refused(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert failed(*command, "--label", "nope").startswith(f"{command[1]}: no label 'nope' in this built-in set")


def test_a_recorded_kernel_is_checked_and_a_cluster_is_refused_in_one_line(tmp_path):
    """The list of a kernel is made again on its data; on other data, and on a cluster, one line says why not."""
    model = tmp_path / "iris.rosenblatt"
    assert run("train", "iris", "--model", "kernel", "--record", "--passes", 3, "--out", model).exit_code == 0
    said = run("check", model, "iris").output
    assert said.startswith("The model holds: 3 passes over 120 of the 150 rows of iris make its ")
    assert said.endswith("updates, and these its averaged scores.\n")
    assert "record   every update in its order" in run("inspect", model).output
    assert failed("check", model, "wine").startswith("wine")
    refused = run("train", "iris", "--model", "kernel", "--workers", 2)
    assert refused.exit_code == 2
    assert "a kernel is learned in one process" in " ".join(refused.output.split())
