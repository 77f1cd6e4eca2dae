"""Files whose checksums are right and whose content cannot be: one line that names the file, never a crash."""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import rosenblatt
from faults.apart import apart
from faults.forging import checkpoints_of
from faults.row04_hostile_models import packed
from faults.row26_kernel_files import CHECKPOINT
from rosenblatt import cli
from rosenblatt.claims import Misfit
from rosenblatt.data import cache
from rosenblatt.errors import DataError
from rosenblatt.pipeline import train_with_evidence
from rosenblatt.store import load, to_bytes
from rosenblatt.store.contents import from_contents, to_contents
from rosenblatt.store.packing import unpacked
from rosenblatt.traces import Trace, trace

SETTINGS = {"model": "perceptron", "margin": 1.0, "passes": 4, "record": True}


class Stop(Exception):
    pass


# Checkpoints


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The checkpoint of a job that was ended in its final run."""
    folder = tmp_path_factory.mktemp("whole") / "job"

    def stop(progress):
        if progress.stage == "final run" and progress.passes == 2:
            raise Stop

    with contextlib.suppress(Stop):
        rosenblatt.train("iris", checkpoint=folder, watch=stop, **SETTINGS)
    return folder


@pytest.fixture
def stopped(whole, tmp_path):
    return shutil.copytree(whole, tmp_path / "job")


def resumed(folder):
    return apart(lambda: rosenblatt.train("iris", checkpoint=folder, resume=True, **SETTINGS))


def forge(folder, change):
    """Changes the final run of a checkpoint, and makes its checksum right again; returns its path."""
    (path,) = folder.glob("final-run-*.run")
    _, text, arrays = unpacked(path, DataError)
    plain = json.loads(text)
    change(plain, arrays)
    path.write_bytes(packed(plain, arrays))
    return path


def _array(name, make):
    return lambda plain, arrays: arrays.update({name: np.ascontiguousarray(make(arrays[name]))})


def _value(name, value):
    return lambda plain, arrays: plain["run"].update({name: value})


@pytest.mark.parametrize(
    "change",
    [
        _array("weights", lambda weights: weights[:, :2]),
        _array("weights", lambda weights: np.zeros((300, 400))),
        _array("weights", lambda weights: weights.astype(np.float32)),
        _array("weights", lambda weights: weights * np.nan),
        _array("lag", lambda lag: lag[:1]),
        _array("per_pass", lambda counts: counts.ravel()),
        _array("recording.rows", lambda rows: rows + 2**31),
        _array("recording.rivals", lambda rivals: rivals - 7),
        _array("recording.steps", lambda steps: steps[:-1]),
        lambda plain, arrays: arrays.pop("lag"),
        _value("passes", 99),  # beyond the limit, which was never met again: the run did not end
        _value("passes", "2"),
        _value("fingerprint", [1, 2, 3]),
        _value("progress", [0.0]),
        _array("recording.steps", lambda steps: steps[::-1]),
        lambda plain, arrays: plain.update(run=[]),
        lambda plain, arrays: plain.update(seen=[["x", 0, 0]]),
    ],
)
def test_ends_well_02_a_forged_checkpoint_is_refused_by_name(stopped, change):
    path = forge(stopped, change)
    found = resumed(stopped)
    assert found.ending == "refused", found
    assert found.said.startswith(f"{path}: the checkpoint is damaged (")
    assert "\n" not in found.said


def test_ends_well_02_a_kernel_checkpoint_that_is_better_than_all_right_is_refused_by_name(tmp_path):
    checkpoints_of(tmp_path, CHECKPOINT)
    at = tmp_path / "checkpoint"
    for path in at.glob("*.run"):
        _, text, arrays = unpacked(path, ValueError)
        plain = json.loads(text)
        path.write_bytes(packed({**plain, "seen": [[1e9, seconds] for _, seconds in plain["seen"]]}, arrays))
    with pytest.raises(DataError, match=r"seen.* must be .*from 0 to 1") as refused:
        rosenblatt.train("iris", checkpoint=at, resume=True, passes=4, record=True, **CHECKPOINT)
    assert str(at) in str(refused.value)


def test_a_checkpoint_that_was_not_changed_goes_on(stopped):
    forge(stopped, lambda plain, arrays: None)
    assert resumed(stopped).ending == "done"


@pytest.mark.parametrize(
    "content",
    [b"", b'{"format": 1', b"[" * 100_000, b'{"format": 1, "finished": false}', b'{"format": 1, "job": {}}', b"null",
     b'{"format": 1, "finished": false, "job": {"data": ' + b"[" * 900 + b"]" * 900 + b"}}", b"\xff",
     b'{"format": true, "finished": 0, "job": {}}'],
)  # fmt: skip
@pytest.mark.parametrize("resume", [True, False])
def test_ends_well_02_a_job_file_that_was_cut_or_nested_is_refused_by_name(stopped, content, resume):
    (stopped / "job.json").write_bytes(content)
    with pytest.raises(DataError, match=r"job\.json: the checkpoint is damaged") as error:
        rosenblatt.train("iris", checkpoint=stopped, resume=resume, **SETTINGS)
    assert "\n" not in str(error.value)


# The cache


@pytest.fixture
def source(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.PLACE, str(tmp_path / "cache"))
    rng = np.random.default_rng(0)
    rows = [
        f"{' '.join(f'w{n}' for n in rng.integers(0, 30, 20) + 10 * (i % 2))},{rng.random():.3f},{'ab'[i % 2]}\n"
        for i in range(200)
    ]
    path = tmp_path / "large.csv"
    path.write_text("text,size,label\n" + "".join(rows))
    return path


def trained(source):
    model, evidence = train_with_evidence(str(source), memory="30kB", model="perceptron", margin=1.0, passes=2)
    assert evidence.disk is not None
    return to_bytes(model)


def reseal(source, name, change):
    """Changes every file of this name in the cache, and makes the checksums right again; returns how many."""
    paths = sorted((source.parent / "cache").rglob(name))
    for path in paths:
        about = cache.read_about(path.parent)
        change(path, about)
        cache.seal(path.parent, about)
    return len(paths)


def _all(kind, value):
    def change(path, about):
        array = np.fromfile(path, kind)
        array[:] = value
        path.write_bytes(array.tobytes())

    return change


def _about(path, about):
    about["rows"] |= {"width": 3}


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("columns", _all(np.uint32, 0x30000000)),
        ("starts", _all(np.uint64, 2**40)),
        ("columns", _about),
        ("columns", lambda path, about: path.write_bytes(path.read_bytes()[:40])),
        ("c0.starts", _all(np.int64, 2**40)),
        ("c0.starts", lambda path, about: about["columns"]["c0"].update(length=10**9)),
        ("c0.values", _all(np.uint8, 255)),
        ("number.values", lambda path, about: about.update(rows=10**12)),
        ("number.values", lambda path, about: about["columns"]["c1"].update(stem="../../large.csv")),
        ("hashes", lambda path, about: path.write_bytes(b"\0" * 8)),
    ],
)
def test_ends_well_02_a_forged_cache_is_built_anew(source, name, change):
    first = trained(source)
    assert reseal(source, name, change)
    found = apart(lambda: _same(trained(source), first))
    assert (found.ending, found.said) == ("done", "")


def _same(one, other):
    assert one == other, "another model"


def test_ends_well_02_a_forged_plan_in_the_cache_is_made_anew(source):
    first = trained(source)
    plans = [
        path.parent
        for path in (source.parent / "cache").rglob(cache.MANIFEST)
        if "lines" in (cache.read_about(path.parent).get("kept") or ())
    ]
    for folder, wrong in zip(plans, ({}, {"lines": 5}, {"version": "x"}), strict=False):
        cache.seal(folder, {"kept": wrong})
    assert plans
    assert trained(source) == first


def test_ends_well_02_the_list_of_the_cache_leaves_out_what_is_no_entry(source, capsys):
    trained(source)
    (folder,) = [path for path in (source.parent / "cache").iterdir() if (path / cache.MANIFEST).exists()]
    cache.seal(folder, {**cache.read_about(folder), "rows": "many"})
    with pytest.raises(SystemExit) as end:
        cli.main(["cache"])
    assert end.value.code == 0
    assert "a mistake in rosenblatt itself" not in capsys.readouterr().err


# Cards


@pytest.fixture(scope="module")
def iris():
    return to_contents(rosenblatt.train("iris", model="perceptron", margin=1.0, passes=2))


WRONG = (None, -1, "x", [], {}, [[1]], 2**70)


def _changed_cards(card):
    for name in card:
        yield name, {key: value for key, value in card.items() if key != name}
        for wrong in WRONG:
            yield name, {**card, name: wrong}
            if isinstance(card[name], dict):
                for inner in card[name]:
                    yield name, {**card, name: {**card[name], inner: wrong}}


def test_ends_well_02_an_altered_card_is_refused_by_name_or_serves(iris, tmp_path, capsys):
    plain, arrays = json.loads(json.dumps(iris[0])), iris[1]
    path, refused = tmp_path / "forged.rosenblatt", 0
    for name, card in _changed_cards(plain["card"]):
        path.write_bytes(packed({**plain, "card": card}, arrays))
        used = name in ("majority", "label")  # by evaluate; inspect uses most
        for command in (["inspect", str(path)], *([["evaluate", str(path), "iris"]] if used else [])):
            with pytest.raises(SystemExit) as end:
                cli.main(command)
            said = capsys.readouterr().err
            assert end.value.code in (0, 1)
            assert "a mistake in rosenblatt itself" not in said, (card, said)
            if end.value.code:
                assert said.startswith((f"rosenblatt: {path}: the card", "rosenblatt: iris: no label")), said
                refused += 1
                break
    assert refused > 100


def test_what_a_card_has_beyond_what_is_used_is_kept(iris, tmp_path):
    plain, arrays = iris
    path = tmp_path / "later.rosenblatt"
    more = {"of a later version": {"a": [1, None]}}
    path.write_bytes(packed({**plain, "card": {**plain["card"], **more}}, arrays))
    assert load(path).card["of a later version"] == {"a": [1, None]}


def test_ends_well_02_a_card_nested_beyond_reason_is_refused_by_name(iris, tmp_path, capsys):
    plain, arrays = iris
    deep = json.loads("[" * 400 + "]" * 400)
    path = tmp_path / "deep.rosenblatt"
    path.write_bytes(packed({**plain, "card": {**plain["card"], "notes": deep}}, arrays))
    with pytest.raises(SystemExit) as end:
        cli.main(["export", str(path), "--to", "json"])
    assert end.value.code == 1
    assert capsys.readouterr().err.startswith(f"rosenblatt: {path}: not a model file")


# Models, traces, certificates


@pytest.mark.parametrize("name", ["record.labels", "schema.binary", "run.rows", "record.amounts", "seen"])
@pytest.mark.parametrize("model", ["perceptron", "naive-bayes"])
def test_ends_well_02_arrays_of_a_model_of_another_shape_are_refused(name, model, tmp_path):
    more = {"margin": 1.0, "passes": 2, "record": True} if model == "perceptron" else {"k": 1.0}
    plain, arrays = to_contents(rosenblatt.train("iris", model=model, **more))
    if name not in arrays:
        return
    path = tmp_path / "forged.rosenblatt"
    for shape in ((-1, 1), (1, -1), (1, 1, -1)):
        path.write_bytes(packed(plain, {**arrays, name: arrays[name].reshape(shape)}))
        with pytest.raises(DataError, match=str(path)):
            load(path)


POINTS, LABELS = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]


@pytest.mark.parametrize(
    "change",
    [
        {"rows": [[1, 0, 0], [1, 0], [1], [1, 1, 1]]}, {"rows": [[1, [0], 0]] * 4}, {"start": [[0, 0, 0], [0, 0]]},
        {"truth": [0, 0, 0, 2**70]}, {"truth": [[0]] * 4}, {"truth": [0.5] * 4}, {"classes": "ab"}, {"classes": [1, 2]},
        {"features": []}, {"features": 3}, {"bias": "no"}, {"margin": "x"}, {"margin": 2**2000}, {"rate": None},
        {"rate": [1]}, {"seed": True}, {"seed": 2**70}, {"ties": ["x"]}, {"steps": [1, 2]}, {"steps": {}},
        {"steps": [{"pass": 10**6}]}, {"rows": [], "truth": []}, {"start": [1e308] * 3}, {"version": [1]},
        {"rows": [[1, 2**1100, 0]] * 4},
    ],
)  # fmt: skip
def test_ends_well_02_an_altered_trace_is_refused_in_one_line(change):
    plain = json.loads(trace(POINTS, LABELS, passes=2).to_json()) | change
    with pytest.raises(DataError) as error:
        Trace.from_json(json.dumps(plain))
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 500


def test_ends_well_02_make_bounds_runs_the_suite_with_loops_that_check_their_bounds():
    told = subprocess.run(
        ["make", "-n", "bounds"], capture_output=True, text=True, cwd=Path(__file__).parents[2], check=False
    )
    assert "NUMBA_BOUNDSCHECK=1" in told.stdout
    assert "NUMBA_CACHE_DIR=" in told.stdout


def test_ends_well_02_a_column_that_counts_twice_in_a_forged_cache_is_found_out(source):
    first = trained(source)
    forged = 0
    for path in (source.parent / "cache").rglob(cache.MANIFEST):
        kept = cache.read_about(path.parent).get("kept")
        if isinstance(kept, list):
            cache.seal(path.parent, {"kept": kept * 3})
            forged += 1
    assert forged
    assert trained(source) == first


def test_ends_well_02_a_message_quotes_no_more_than_a_person_reads():
    said = str(DataError(f"{'a' * 50_000} is no column. Name another."))
    assert len(said) < 2_000
    assert said.endswith("is no column. Name another.")


def test_ends_well_02_more_rows_of_a_class_than_there_can_be_are_refused():
    plain, tensors = to_contents(rosenblatt.train("iris", model="perceptron", passes=2))
    tensors["calibration.rows"] = np.full(3, 2**64 - 1, np.uint64)  # as a signed number -1
    with pytest.raises(Misfit, match=r"calibration\.rows must hold numbers from 0 to"):
        from_contents(plain, tensors)
