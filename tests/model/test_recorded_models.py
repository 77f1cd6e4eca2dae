"""Models with a record: replayed from their file, proved on their data, and found out when anything was changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import load, save, train
from rosenblatt.data import read
from rosenblatt.errors import DataError
from rosenblatt.features import TextSettings, Wishes
from rosenblatt.pipeline.update import update
from rosenblatt.store import to_bytes
from rosenblatt.store.contents import format_of, from_contents, to_contents
from rosenblatt.traces.replay import Replay, made_by, verify
from sample_models import changed

GOLDEN = Path(__file__).parents[1] / "golden" / "format-2-recorded.rosenblatt"
SOURCES = ["notes", "apples", "iris", "wine", "digits", "mail"]


def recorded(source="iris", **choice):
    return train(source, model="perceptron", record=True, **{"weights": "averaged", "passes": 4, **choice})


def with_list(model, recording):
    training = replace(model.record.training, recording=recording)
    return replace(model, record=replace(model.record, training=training))


def stored(model, folder):
    save(model, folder / "one.rosenblatt")
    return load(folder / "one.rosenblatt")


@pytest.mark.parametrize("weights", ["final", "averaged"])
@pytest.mark.parametrize("source", SOURCES)
def test_a_file_proves_itself_on_its_data_and_replays_without_them(source, weights, tmp_path):
    model = recorded(source, weights=weights, margin=0.5)
    again = stored(model, tmp_path)
    assert to_bytes(again) == to_bytes(model)
    verify(again, source)
    verify(again, read(source))
    alone, whole = Replay(again), Replay(again, source)
    assert alone.run.steps == whole.run.steps == model.record.training.passes * model.record.training.visited
    for step in np.linspace(0, alone.run.steps, 7).astype(int):
        assert np.array_equal(alone.weights_after(step), whole.weights_after(step))
    decides = alone.run.weights_of(weights)
    assert np.array_equal(decides, model.learner.weights)
    if weights == "final":
        assert np.array_equal(alone.weights_after(alone.run.steps), model.learner.weights)


def test_rows_in_memory_and_files_are_the_same_data(tmp_path):
    make = np.random.default_rng(2)
    X, y = make.normal(size=(60, 3)).round(3), np.where(make.random(60) < 0.5, "no", "yes")
    verify(train(X, label=y, model="perceptron", passes=3, record=True), X, y)
    table = tmp_path / "rows.csv"
    lines = [",".join([*map(str, row), str(k // 3), label]) for k, (row, label) in enumerate(zip(X, y, strict=True))]
    table.write_text("a,b,c,day,kind\n" + "\n".join(lines) + "\n")
    verify(train(table, label="kind", group="day", model="perceptron", passes=3, record=True), table)
    verify(train(table, label="kind", test=table, model="perceptron", passes=3, record=True), table)


def test_the_rows_behind_a_score_are_found_from_the_file_alone(tmp_path):
    model = recorded("mail")
    replay = Replay(stored(model, tmp_path))
    row = read("mail").take(np.array([3]))
    features = np.zeros(model.plan.width)
    encoded = model.plan.encode(row).rows
    features[encoded.columns] = encoded.values if hasattr(encoded, "values") else encoded.scales[0]
    shares, start = made_by(replay, features, "spam")
    assert start + sum(share.part for share in shares) == pytest.approx(model.scores(row)[0], rel=1e-12)
    best = model.behind(row, "spam", 1)[0]
    assert model.record.origins[shares[0].row] == best.origin


def test_checkpoints_keep_to_their_room(monkeypatch):
    model = recorded("digits")
    whole = Replay(model)
    monkeypatch.setattr("rosenblatt.traces.replay.CHECKPOINT", 10)
    monkeypatch.setattr("rosenblatt.traces.replay.MOST_KEPT", 20 * whole.run.weights.nbytes)
    small = Replay(model)
    for step in (small.run.steps, 3000, 2999, 17):
        assert np.array_equal(small.weights_after(step), whole.weights_after(step))
    assert len(small._kept) <= 21


@pytest.fixture(scope="module", params=["iris", "mail"])
def sample(request):
    """A source, the model of it, and a folder for files."""
    return request.param, recorded(request.param, passes=3)


@settings(max_examples=150)
@given(st.data())
def test_any_changed_entry_of_the_list_in_the_file_is_found(sample, tmp_path_factory, data):
    source, model = sample
    names = ["run.steps", "run.rows", "run.numbers", "run.part", *(["run.rivals"] if source == "iris" else [])]
    name = data.draw(st.sampled_from(names))

    def change(plain, tensors):
        array = tensors[name]
        place = data.draw(st.integers(0, len(array) - 1))
        value = data.draw(st.integers(0, max(int(array.max()), 2)).filter(lambda new: new != array[place]))
        array[place] = value

    path = tmp_path_factory.mktemp("changed") / "one.rosenblatt"
    path.write_bytes(changed(model, change))
    with pytest.raises(DataError) as error:
        verify(load(path), source)
    assert "\n" not in str(error.value)


@settings(max_examples=40)
@given(st.data())
def test_an_update_that_was_moved_is_named_by_its_step(sample, data):
    """Entries of the list alone, within their ranges: the message is about the first step that differs."""
    source, model = sample
    training = model.record.training
    recording = training.recording
    at = data.draw(st.integers(0, len(recording.steps) - 1))
    field = data.draw(st.sampled_from(["steps", "rows", "rivals"] if source == "iris" else ["steps", "rows"]))
    values = getattr(recording, field).copy()
    if field == "steps":
        low = int(values[at - 1]) + 1 if at else 0
        high = int(values[at + 1]) - 1 if at + 1 < len(values) else training.passes * training.visited - 1
    else:
        low, high = 0, len(training.numbers) - 1 if field == "rows" else 2
    others = [value for value in range(low, high + 1) if value != values[at]]
    if not others:
        return
    first = int(recording.steps[at]) + 1
    values[at] = data.draw(st.sampled_from(others))
    tampered = with_list(model, recording._replace(**{field: values}))
    with pytest.raises(DataError, match=r"^step \d+: ") as error:
        verify(tampered, source)
    said = int(str(error.value).split()[1].rstrip(":"))
    assert said == (min(first, int(values[at]) + 1) if field == "steps" else first)


def test_what_follows_from_the_list_is_checked_too():
    model = recorded("iris", weights="final", passes=3)
    record, training = model.record, model.record.training
    weights = model.learner.weights.copy()
    weights[0, 0] = np.nextafter(weights[0, 0], 9)
    with pytest.raises(DataError, match="weights that the model decides by are not the final ones"):
        verify(replace(model, learner=replace(model.learner, weights=weights)), "iris")
    with pytest.raises(DataError, match="decides ties by another rule"):
        verify(replace(model, decision=replace(model.decision, ties="positive")), "iris")
    with pytest.raises(DataError, match="shares of the training rows"):
        verify(replace(model, record=replace(record, shares=record.shares + 1)), "iris")
    one_less = replace(training.settings, max_iter=2)
    with pytest.raises(DataError, match="3 passes; by its settings it ends after 2"):
        verify(replace(model, record=replace(record, training=replace(training, settings=one_less))), "iris")
    with pytest.raises(DataError, match=r"step \d+: the rule makes an update on iris, row \d+, and the list has none"):
        verify(with_list(model, training.recording.part(slice(-1))), "iris")
    with pytest.raises(DataError, match="sample_weight"):
        verify(model, "iris", None, np.ones(150))
    with pytest.raises(DataError, match="give the data of the training"):
        verify(model)


def test_weights_that_were_rounded_still_follow(monkeypatch):
    monkeypatch.setattr("rosenblatt.pipeline.families.perceptron.EXACT_WEIGHTS", 100)
    model = recorded("mail", wishes=Wishes(words=TextSettings(weight="tfidf")))
    exact = Replay(model).run.weights_of("averaged")
    assert not np.array_equal(exact, model.learner.weights)
    assert np.array_equal(exact.astype(np.float32), model.learner.weights)
    verify(model, "mail")


def test_other_data_are_told_apart(tmp_path):
    table = read("iris")
    lines = ["a,b,c,d,kind"]
    for row, label in zip(table.columns.to_pylist(), table.labels.to_pylist(), strict=True):
        lines.append(",".join([*map(str, row.values()), label]))

    def write(name, lines):
        path = tmp_path / name
        path.write_text("\n".join(lines) + "\n")
        return path

    model = train(write("rows.csv", lines), label="kind", model="perceptron", passes=3, record=True)
    training = model.record.training
    rows = np.flatnonzero(training.part)
    used = int(rows[training.numbers[0]]) + 1  # the first line names the columns
    unused = int(np.setdiff1d(rows, rows[training.numbers])[0]) + 1
    for at, message in ((used, f", row {used}: not the row that the model keeps"), (unused, "not the rows that")):
        other = lines.copy()
        other[at] = "9" + other[at]
        with pytest.raises(DataError, match=message):
            verify(model, write("other.csv", other))
    tested = lines.copy()
    tested[int(np.flatnonzero(~training.part)[0]) + 1] = "9,9,9,9,virginica"
    verify(model, write("tested.csv", tested))  # no weight depends on the rows of the test
    relabelled = [*lines[:used], lines[used].replace("setosa", "virginica"), *lines[used + 1 :]]
    with pytest.raises(DataError, match="not the row that the model keeps"):
        verify(model, write("labels.csv", relabelled))
    with pytest.raises(DataError, match="149 rows; the model was trained with 150"):
        verify(model, write("short.csv", lines[:-1]))
    with pytest.raises(DataError, match="no column named 'kind'"):
        verify(model, write("head.csv", ["a,b,c,d,sort", *lines[1:]]))


def test_models_without_a_list_say_so(tmp_path):
    with pytest.raises(DataError, match="keeps no record of its run: train it with record=True"):
        Replay(train("wine", model="perceptron", passes=1))
    with pytest.raises(DataError, match="it was updated since"):
        verify(update(recorded("wine"), read("wine")), "wine")
    with pytest.raises(DataError, match="naive Bayes counts and makes no updates"):
        verify(train("mail", model="naive-bayes"), "mail")


def test_a_record_of_format_1_still_loads_and_says_what_it_lacks(tmp_path):
    model = recorded("mail")

    def older(plain, tensors):
        plain["format"] = 1
        del plain["record"]["run"], plain["seen"], plain["calibration"]
        for name in [name for name in tensors if name.startswith(("run.", "seen", "calibration."))]:
            del tensors[name]

    path = tmp_path / "old.rosenblatt"
    path.write_bytes(changed(model, older))
    again = load(path)
    row = read("mail").take(np.array([0]))
    assert again.behind(row, "spam") == model.behind(row, "spam")
    assert format_of(again) == 1
    with pytest.raises(DataError, match="not the order of its updates"):
        verify(again, "mail")


def test_files_of_format_2_still_load():
    """The file was written when format 2 was new. Its features are whole numbers, so that every machine agrees."""
    model = load(GOLDEN)
    verify(model, "notes")
    replay = Replay(model)
    assert (replay.run.passes, len(replay.steps)) == (166, 287)
    assert model.learner.weights.tolist() == replay.weights_after(664).tolist() == [9, 2, -25]
    assert replay.weights_after(657).tolist() == [9, 2, -25]
    assert replay.weights_after(656).tolist() == [6, 0, -26]


def put(*path, value):
    def change(plain, tensors):
        inner = plain["record"]["run"]
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = value

    return change


def tensor(name, make):
    return lambda plain, tensors: tensors.__setitem__(name, make(tensors[name]))


HOSTILE = {
    "row beyond the record": tensor("run.rows", lambda a: np.full_like(a, 255)),
    "signed rows": tensor("run.rows", lambda a: a.astype(np.int64) - 1),
    "fewer rows than steps": tensor("run.rows", lambda a: a[1:]),
    "no updates": lambda plain, tensors: [tensors.update({n: tensors[n][:0]}) for n in ("run.rows", "run.steps")],
    "steps beyond the end": tensor("run.steps", lambda a: a.astype(np.uint32) + 1000),
    "steps whose sum overflows": tensor("run.steps", lambda a: np.full(len(a), 2**64 - 1, np.uint64)),
    "steps that fall": tensor("run.steps", lambda a: a.astype(np.int64) - 5),
    "steps of fractions": tensor("run.steps", lambda a: a.astype(np.float64)),
    "a table of steps": tensor("run.steps", lambda a: a.reshape(1, -1)),
    "numbers beyond the data": tensor("run.numbers", lambda a: a.astype(np.uint16) + 60000),
    "fewer numbers": tensor("run.numbers", lambda a: a[1:]),
    "class beyond the last": tensor("run.rivals", lambda a: a + 3),
    "class of the row itself": tensor("run.rivals", lambda a: np.zeros_like(a)),
    "bits for other rows": tensor("run.part", lambda a: a[1:]),
    "bits beyond the end": tensor("run.part", lambda a: np.append(a[:-1], np.uint8(255))),
    "nothing visited": tensor("run.part", np.zeros_like),
    "no passes": put("passes", value=0),
    "passes in words": put("passes", value="3"),
    "passes without end": put("passes", value=2**60),
    "other length of the data": put("data", value=10**9),
    "negative data": put("data", value=-1),
    "seed in words": put("settings", "seed", value="0"),
    "shuffle in words": put("settings", "shuffle", value="no"),
    "voted": put("settings", "weights", value="voted"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_list_that_cannot_be_is_refused_although_the_checksum_fits(case, tmp_path, sample):
    source, model = sample
    if source != "iris":
        model = recorded("iris", passes=3)
    path = tmp_path / "one.rosenblatt"
    path.write_bytes(changed(model, HOSTILE[case]))
    with pytest.raises(DataError, match="list of updates does not fit") as error:
        load(path)
    assert str(error.value).startswith(f"{path}: ")


def test_settings_of_a_run_that_are_none_are_refused():
    plain, tensors = to_contents(recorded("iris", passes=1))
    plain["record"]["run"]["settings"]["margin"] = -1.0
    with pytest.raises(ValueError, match="margin must be"):
        from_contents(plain, dict(tensors))
    plain["record"]["run"]["settings"] = {"weights": "final"}
    with pytest.raises(DataError, match="the settings of the run has unknown or missing parts: margin"):
        from_contents(plain, dict(tensors))
