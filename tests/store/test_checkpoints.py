"""A job that was stopped, killed or ran out of room goes on to the very same model, and no other job takes it up."""

from __future__ import annotations

import json
import resource
from pathlib import Path

import numpy as np
import pytest

import rosenblatt
from rosenblatt import cli, train
from rosenblatt.errors import DataError, SettingError
from rosenblatt.learn.problem import make_problem
from rosenblatt.learn.run import learn
from rosenblatt.learn.settings import Settings
from rosenblatt.learn.state import from_state, to_state
from rosenblatt.loops.rows import dense_rows
from rosenblatt.pipeline import Goal, Progress
from rosenblatt.store import to_bytes
from rosenblatt.store.checkpoints import Checkpoints
from rosenblatt.store.packing import packed, unpacked


def noisy(n=300, n_classes=2):
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(n, 6)), 2)
    return X, np.digitize(X[:, 0] + rng.normal(size=n) / 3, np.linspace(-0.5, 0.5, n_classes - 1))


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(
    "choice",
    [
        {"record": True, "shards": 3},
        {"weights": "final", "shuffle": False, "tol": 1e-4},
        {"margin": 0.5, "tol": 1e-3, "n_iter_no_change": 2},
    ],
)
def test_a_run_taken_up_after_any_pass_ends_as_if_it_had_never_stopped(choice, n_classes, tmp_path):
    X, y = noisy(n_classes=n_classes)
    problem, settings = make_problem(dense_rows(X), y, n_classes), Settings(max_iter=7, **choice)
    kept = []
    whole = learn(problem, settings, on_pass=lambda run: kept.append(packed(*to_state(run), allow_nan=True)))
    assert len(kept) == whole.passes > 3
    for content in kept:
        (tmp_path / "one.run").write_bytes(content)
        _, text, arrays = unpacked(tmp_path / "one.run", DataError)
        again = learn(problem, settings, saved=from_state(json.loads(text), arrays, settings, problem))
        assert np.array_equal(again.weights, whole.weights)
        assert np.array_equal(again.weights_of("averaged"), whole.weights_of("averaged"))
        assert (again.per_pass, again.amount, again.stopped) == (whole.per_pass, whole.amount, whole.stopped)
        assert (again.progress, again.lowest_lead, again.margin_bracket) == (
            whole.progress, whole.lowest_lead, whole.margin_bracket,
        )  # fmt: skip
        if settings.record:
            one, other = again.recording, whole.recording
            assert one[5:] == other[5:]
            assert all(map(np.array_equal, one[:5], other[:5]))
            assert [len(each.steps) for each in other.by_pass()] == [updates for updates, _ in whole.per_pass]


def test_a_cycle_is_found_also_across_an_interruption():
    X, y = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 1, 1, 0])
    problem, settings = make_problem(dense_rows(X), y, 2), Settings(weights="final", shuffle=False, tol=None)
    states = []
    whole = learn(problem, settings, on_pass=lambda run: states.append(_copied(to_state(run))))
    assert whole.stopped == "cycle"
    for plain, arrays in states:
        again = learn(problem, settings, saved=from_state(plain, arrays, settings, problem))
        assert (again.passes, again.stopped) == (whole.passes, "cycle")
        assert np.array_equal(again.cycle.rows, whole.cycle.rows)


def _copied(state):
    plain, arrays = state
    return json.loads(json.dumps(plain)), {name: array.copy() for name, array in arrays.items()}


class Stop(Exception):
    pass


def stopping_after(events):
    """A watch that ends the job at its n-th word from a run."""
    left = [events]

    def watch(progress: Progress) -> None:
        left[0] -= progress.passes > 0
        if left[0] < 0:
            raise Stop

    return watch


@pytest.mark.parametrize(
    ("source", "settings"),
    [
        ("mail", {"seed": 1, "record": True}),
        ("breast-cancer", {"goal": Goal("malignant", 0.05), "passes": 3, "seeds": 2, "shards": 2}),
    ],
)
def test_a_job_stopped_again_and_again_gives_the_same_model_and_card(source, settings, tmp_path):
    wanted = to_bytes(train(source, **settings))
    stops = 0
    for allowed in [0, 1, 5, 20, 50, *[10**6]]:
        try:
            got = train(source, **settings, checkpoint=tmp_path / "kept", resume=True, watch=stopping_after(allowed))
        except Stop:
            stops += 1
    assert stops >= 3
    assert to_bytes(got) == wanted


def keep_one(folder, **more):
    X, y = noisy()
    with pytest.raises(Stop):
        train(X, label=y, model="perceptron", passes=5, checkpoint=folder, watch=stopping_after(3), **more)
    return X, y


def test_a_checkpoint_of_another_job_is_refused_by_what_differs(tmp_path, monkeypatch):
    X, y = keep_one(tmp_path)
    same = {"label": y, "model": "perceptron", "passes": 5, "checkpoint": tmp_path, "resume": True}
    other = X.copy()
    other[7, 3] += 0.01
    for changed, source, word in (
        ({"passes": 6}, X, "passes is 5, now it is 6"),
        ({"seed": 1}, X, "seed is 0, now it is 1"),
        ({"shards": 2}, X, "shards is 1, now it is 2"),
        ({}, other, "its data is"),
    ):
        with pytest.raises(DataError, match=word):
            train(source, **{**same, **changed})
    with monkeypatch.context() as patch:
        patch.setattr("rosenblatt.pipeline.resuming.__version__", "9.9")
        with pytest.raises(DataError, match=f'version is "{rosenblatt.__version__}", now it is "9.9"'):
            train(X, **same)
    assert train(X, **same).card["choice"]["passes"] == 5


def test_an_unfinished_job_is_not_overwritten_and_a_finished_one_is(tmp_path):
    X, y = keep_one(tmp_path)
    settings = {"label": y, "model": "perceptron", "checkpoint": tmp_path}
    with pytest.raises(DataError, match="a job that is not finished"):
        train(X, passes=5, **settings)
    train(X, passes=5, resume=True, **settings)
    first = {path.name for path in tmp_path.glob("*.run")}
    train(X, passes=4, **settings)
    assert first.isdisjoint(path.name for path in tmp_path.glob("*.run"))


def test_an_empty_folder_starts_from_the_beginning_and_says_so(tmp_path):
    said = []
    train("iris", passes=1, model="perceptron", checkpoint=tmp_path / "new", resume=True, watch=said.append)
    assert f"{tmp_path / 'new'} holds no checkpoint: from the beginning" in [each.stage for each in said]
    with pytest.raises(SettingError, match="resume needs the folder"):
        train("iris", resume=True)


@pytest.mark.parametrize("place", [5, 300, -20])
def test_a_damaged_checkpoint_is_one_line(tmp_path, place):
    X, y = keep_one(tmp_path)
    again = {"label": y, "model": "perceptron", "passes": 5, "checkpoint": tmp_path, "resume": True}
    for path in tmp_path.glob("*.run"):
        content = bytearray(path.read_bytes())
        content[place] ^= 0x10
        path.write_bytes(content)
    with pytest.raises(DataError, match=r"\.run: the checkpoint is damaged .* start again\."):
        train(X, **again)
    (tmp_path / "job.json").write_text("{")
    with pytest.raises(DataError, match=r"job\.json: the checkpoint is damaged"):
        train(X, **again)


def test_two_processes_do_not_work_on_one_job(tmp_path):
    first = Checkpoints(tmp_path, {"a": 1}, resume=True)
    with pytest.raises(DataError, match="another process works on this job"):
        Checkpoints(tmp_path, {"a": 1}, resume=True)
    first.close()
    second = Checkpoints(tmp_path, {"a": 1}, resume=True)
    second.close()
    assert second.resumed


def test_a_full_disk_is_one_line_and_the_job_goes_on_when_there_is_room(tmp_path):
    # The system refuses to write past a limit on the size of files as it refuses to write to a full disk.
    X, y = noisy(n_classes=3)
    settings = {"label": y, "model": "perceptron", "passes": 6, "margin": 1.0, "checkpoint": tmp_path / "kept"}
    wanted = train(X, **{**settings, "checkpoint": None})
    before, kept = resource.getrlimit(resource.RLIMIT_FSIZE), {}

    def watch(progress: Progress) -> None:
        if progress.passes == 3:
            kept.update({path: path.read_bytes() for path in (tmp_path / "kept").glob("*.run")})
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))

    try:
        with pytest.raises(DataError, match=r"\.run: cannot be written \(File too large\)\. Make room"):
            train(X, **settings, watch=watch)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert kept
    assert {path: path.read_bytes() for path in kept} == kept
    assert not list((tmp_path / "kept").glob(".*"))
    got = train(X, **settings, resume=True)
    assert np.array_equal(got.learner.weights, wanted.learner.weights)
    assert got.card == wanted.card


def test_the_command_goes_on_and_removes_the_checkpoint_when_the_model_is_written(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        with pytest.raises(SystemExit) as end:
            cli.main(["train", "digits", "--model", "perceptron", "--passes", "2", "--quiet", *arguments])
        return end.value.code, capfd.readouterr().err

    code, said = run("--resume")
    assert code == 2
    assert "--checkpoint DIR" in said
    code, said = run("--checkpoint", "kept", "--resume")
    assert (code, said) == (0, "kept: no checkpoint yet; starting from the beginning.\n")
    assert not Path("kept").exists()
    wanted = rosenblatt.load("digits.rosenblatt")
    with pytest.raises(Stop):
        train("digits", model="perceptron", passes=2, checkpoint="kept", watch=stopping_after(3))
    assert run("--checkpoint", "kept", "--seed", "1", "--resume")[0] == 1
    assert run("--checkpoint", "kept", "--resume") == (0, "")
    again = rosenblatt.load("digits.rosenblatt")
    assert np.array_equal(again.learner.weights, wanted.learner.weights)
    assert again.card == wanted.card
