"""Recorded runs of kernels: proved on their data, found out when anything was changed, kept and taken up again."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from rosenblatt import KernelPerceptron, load, save, train
from rosenblatt.claims import Misfit
from rosenblatt.errors import DataError, SettingError
from rosenblatt.learn.kernel.run import learn_kernel
from rosenblatt.learn.kernel.state import kernel_from_state, kernel_to_state
from rosenblatt.learn.problem import make_problem
from rosenblatt.learn.settings import Settings
from rosenblatt.loops.kernels import COSINE, RBF, Kernel
from rosenblatt.loops.rows import dense_rows
from rosenblatt.pipeline import train_with_evidence
from rosenblatt.pipeline.update import update
from rosenblatt.store import to_bytes
from rosenblatt.store.contents import format_of
from rosenblatt.traces.curve_replay import CurveReplay
from rosenblatt.traces.replay import Replay, verify
from sample_models import changed

X = np.random.default_rng(0).normal(size=(150, 3)).round(3)
RINGS = np.digitize((X**2).sum(axis=1), [1.5, 3.5])
ASKED = {"search": {"kernel": "rbf", "gamma": 0.5, "margin": 0.3, "passes": 6}, "split": {"calibration": "none"}}


@pytest.fixture(scope="module")
def rings():
    return train(X, label=RINGS, model="kernel", record=True, config=ASKED)


@pytest.mark.parametrize("weights", ["final", "averaged", "voted"])
@pytest.mark.parametrize("classes", [2, 3])
def test_a_fitted_kernel_proves_its_list_on_its_rows(weights, classes):
    y, heavy = RINGS % classes, np.arange(150) % 4
    model = KernelPerceptron(weights=weights, record=True, margin=0.2, random_state=3, max_iter=5)
    model.fit(X, y, sample_weight=heavy)
    verify(model, X, y, sample_weight=heavy)
    replay = CurveReplay(model, X, y, sample_weight=heavy)
    assert not replay.dual_after(0).any()
    assert np.array_equal(replay.dual_after(replay.run.steps), model.run_.dual("final"))
    with pytest.raises(DataError, match="not the rows that the run visited"):
        verify(model, X, y)
    made = model.run_.recording
    model.run_ = replace(model.run_, recorded=[made._replace(rows=np.roll(made.rows, 1))])
    with pytest.raises(DataError, match=r"step \d+: this is the turn of row"):
        verify(model, X, y, sample_weight=heavy)


def test_what_cannot_be_replayed_says_so():
    with pytest.raises(DataError, match="kept no mistake list"):
        verify(KernelPerceptron().fit(X, RINGS), X, RINGS)
    with pytest.raises(DataError, match="no weights to show"):
        Replay(KernelPerceptron(record=True).fit(X, RINGS), X, RINGS)
    twice = KernelPerceptron(record=True).partial_fit(X, RINGS).partial_fit(X[:50], RINGS[:50])
    with pytest.raises(DataError, match="began on other rows"):
        verify(twice, X[:50], RINGS[:50])


@pytest.mark.parametrize("calibration", ["none", "folds"])
def test_a_kernel_has_the_format_that_knows_kernels_with_probabilities_too(calibration):
    asked = {**ASKED, "split": {"calibration": calibration}}
    assert format_of(train(X, label=RINGS, model="kernel", config=asked)) == 6


def test_a_file_proves_itself_on_its_data_and_replays_without_them(rings, tmp_path):
    save(rings, tmp_path / "one.rosenblatt")
    again = load(tmp_path / "one.rosenblatt")
    assert format_of(again) == 8
    assert to_bytes(again) == to_bytes(rings)
    verify(again, X, RINGS)
    assert "updated_rows" not in again.card["choice"]  # nothing was pruned
    replay = CurveReplay(again)
    assert np.array_equal(replay.dual_after(replay.run.steps), again.learner.final)
    with pytest.raises(DataError, match="not the row that the model keeps"):
        verify(again, X + 1, RINGS)
    parts = rings.behind(X[:1], "1", 1000)
    assert sum(each.part for each in parts) == pytest.approx(rings.scores(X[:1])[0, 1], rel=1e-9)


LISTED = [
    "run.steps", "run.rows", "run.rivals", "run.numbers", "run.part",
    "support.dual", "support.final", "support.labels",
]  # fmt: skip


@pytest.mark.parametrize("name", LISTED)
def test_any_changed_entry_in_the_file_is_found(rings, name, tmp_path):
    draw, path = np.random.default_rng(5), tmp_path / "one.rosenblatt"

    def change(plain, tensors):
        array = tensors[name].reshape(-1)
        place = draw.integers(len(array))
        array[place] = array[place] + 1 if array.dtype.kind == "f" or array[place] < array.max() else 0

    for _ in range(6):
        path.write_bytes(changed(rings, change))
        with pytest.raises(DataError) as error:
            verify(load(path), X, RINGS)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "change",
    [
        lambda plain, tensors: plain["learner"].update(gamma=0.25),
        lambda plain, tensors: plain["learner"].update(ties="negative"),
        lambda plain, tensors: plain["record"]["run"]["settings"].update(margin=0.0),
        lambda plain, tensors: plain["record"]["run"]["settings"].update(max_iter=7),
        lambda plain, tensors: plain["record"]["run"].update(passes=2**52),
        lambda plain, tensors: plain["record"].update(dense=True),
        lambda plain, tensors: plain["record"].pop("run"),
        lambda plain, tensors: tensors.pop("run.numbers"),
        lambda plain, tensors: tensors.update({"run.numbers": np.full_like(tensors["run.numbers"], 3)}),
        lambda plain, tensors: tensors.update({"run.numbers": tensors["run.numbers"].astype(np.float64)}),
        lambda plain, tensors: tensors.update({"run.rows": tensors["run.rows"] + np.uint8(200)}),
    ],
)
def test_a_forged_file_is_refused_in_one_line(rings, change, tmp_path):
    (tmp_path / "one.rosenblatt").write_bytes(changed(rings, change))
    with pytest.raises(DataError) as error:
        verify(load(tmp_path / "one.rosenblatt"), X, RINGS)
    assert "\n" not in str(error.value)


def test_an_update_ends_the_record_and_a_gpu_has_none(rings):
    more = update(rings, rings.read(X[:20], RINGS[:20]))
    with pytest.raises(DataError, match="it was updated since"):
        verify(more, X, RINGS)
    with pytest.raises(SettingError, match="checked by a run on the CPU"):
        train(X, label=RINGS, model="kernel", record=True, config={"search": {"device": "gpu"}})


class Cut(Exception):
    pass


@pytest.mark.parametrize("told", [5, 30, 60])
@pytest.mark.parametrize("record", [False, True])
def test_a_job_that_was_cut_off_is_taken_up_to_the_very_same_model(told, record, tmp_path):
    asked = {"search": {"kernel": "rbf", "gamma": 0.5}, "split": {"calibration": "none"}}
    chosen = {"label": RINGS, "model": "kernel", "record": record, "config": asked}
    left = [told]

    def cut(progress):
        left[0] -= 1
        if left[0] < 0:
            raise Cut

    with pytest.raises(Cut):
        train_with_evidence(X, checkpoint=tmp_path / "kept", watch=cut, **chosen)
    again = train(X, checkpoint=tmp_path / "kept", resume=True, **chosen)
    assert to_bytes(again) == to_bytes(train(X, **chosen))


@pytest.fixture(scope="module")
def state():
    """A run after each pass as it is kept, and what is known without it."""
    problem = make_problem(dense_rows(X[:40])._replace(bias=0.0), RINGS[:40], 3)
    settings, kernel, found = Settings(max_iter=4, tol=None, record=True), Kernel(RBF, 1, 0.5, 0.0), []

    def keep(run, passes):
        passes.hand_back(run)
        plain, arrays = kernel_to_state(run)
        found.append((json.loads(json.dumps(plain)), {name: array.copy() for name, array in arrays.items()}))

    whole = learn_kernel(problem, settings, lambda _: kernel, on_pass=keep)
    return found, settings, problem, kernel, whole


def test_a_run_goes_on_from_every_pass_to_the_same_end(state):
    found, settings, problem, kernel, whole = state
    assert len(found) == 4
    for plain, arrays in found:
        saved = kernel_from_state(plain, arrays, settings, problem, kernel)
        run = learn_kernel(problem, settings, lambda _: kernel, saved=saved)
        assert run.scores.tobytes() == whole.scores.tobytes()
        assert run.dual("averaged").tobytes() == whole.dual("averaged").tobytes()
        assert (run.stopped, run.passes, run.margin_bracket) == (whole.stopped, whole.passes, whole.margin_bracket)
        assert np.array_equal(run.recording.rows, whole.recording.rows)


@pytest.mark.parametrize(
    "change",
    [
        lambda plain, arrays: plain.update(passes=9),
        lambda plain, arrays: plain.update(stopped="cycle"),
        lambda plain, arrays: plain.update(updates=plain["updates"] + 1),
        lambda plain, arrays: plain["fingerprint"].reverse(),
        lambda plain, arrays: arrays["recording.rows"].__setitem__(0, 40),
        lambda plain, arrays: arrays["recording.rivals"].__setitem__(0, 3),
        lambda plain, arrays: arrays["recording.rivals"].__setitem__(slice(None), 1),
        lambda plain, arrays: arrays["recording.amounts"].__setitem__(0, 2.0),
        lambda plain, arrays: arrays["recording.steps"].__setitem__(1, 0),
        lambda plain, arrays: arrays["scores"].__setitem__((0, 0), np.nan),
        lambda plain, arrays: arrays["scores"].__setitem__((0, 0), 1e308),
        lambda plain, arrays: arrays.update(scores=arrays["scores"][:, 1:]),
        lambda plain, arrays: arrays.pop("scores"),
    ],
)
def test_a_state_that_no_run_can_have_left_is_refused(state, change):
    found, settings, problem, kernel, _ = state
    plain, arrays = json.loads(json.dumps(found[1][0])), {name: each.copy() for name, each in found[1][1].items()}
    change(plain, arrays)
    with pytest.raises(Misfit):
        kernel_from_state(plain, arrays, settings, problem, kernel)


def test_a_run_in_a_fixed_order_is_not_kept():
    problem = make_problem(dense_rows(X[:40])._replace(bias=0.0), RINGS[:40], 3)
    run = learn_kernel(problem, Settings(max_iter=2, shuffle=False), lambda _: Kernel(COSINE, 2, 1.0, 0.0))
    with pytest.raises(SettingError, match="cannot be kept"):
        kernel_to_state(run)


def test_a_recorded_kernel_with_weights_of_classes_is_proved_too():
    asked = {"search": {**ASKED["search"], "class_weights": "balanced"}, "split": ASKED["split"]}
    verify(train(X, label=RINGS, model="kernel", record=True, config=asked), X, RINGS)
