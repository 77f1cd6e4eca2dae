"""Folds: nothing of the rows that are scored is known to what scores them, and the same folds come out everywhere."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt import train
from rosenblatt.data import read
from rosenblatt.features import Classes, split_rows
from rosenblatt.features.folds import folds
from rosenblatt.pipeline import Choices, finalists, train_with_evidence
from rosenblatt.pipeline.family import Parts
from rosenblatt.pipeline.runs import Conduct
from rosenblatt.pipeline.search import search
from rosenblatt.store import to_bytes


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ROSENBLATT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(finalists, "BEHIND", 100.0)  # both families are finalists, however far one is behind


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 30)), min_size=2, max_size=80),
    st.integers(2, 6),
    st.integers(0, 5),
)
def test_each_row_is_scored_once_and_never_beside_its_copies(rows, k, seed):
    codes, named = np.array(rows).T
    together = np.unique(named, return_inverse=True)[1]
    found = folds(codes, together, k, seed)
    if len(set(together)) == 1:
        assert found == []
        return
    assert sorted(np.concatenate([fold.validation for fold in found])) == list(range(len(rows)))
    for fold in found:
        assert len(fold.train)
        assert sorted([*fold.train, *fold.validation]) == list(range(len(rows)))
        assert not set(together[fold.train]) & set(together[fold.validation])
    again = folds(codes, together, k, seed)
    assert all(np.array_equal(one.train, two.train) for one, two in zip(found, again, strict=True))


def test_every_class_is_dealt_evenly_and_the_seed_decides_how():
    codes = np.repeat([0, 1, 2], [50, 23, 4])
    found = folds(codes, np.arange(77), 5, 0)
    counts = np.array([np.bincount(codes[fold.validation], minlength=3) for fold in found])
    assert (counts.max(axis=0) - counts.min(axis=0) <= 1).all()
    assert counts.sum(axis=1).max() - counts.sum(axis=1).min() <= 1
    assert not np.array_equal(found[0].validation, folds(codes, np.arange(77), 5, 1)[0].validation)


def test_a_row_that_fills_half_the_data_fills_one_fold_and_no_other():
    together = np.concatenate([np.zeros(100, np.int64), np.arange(1, 101)])
    found = folds(np.zeros(200, np.int64), together, 5, 0)
    assert sorted(len(fold.validation) for fold in found) == [25, 25, 25, 25, 100]


@given(st.lists(st.integers(0, 20), min_size=4, max_size=60), st.integers(2, 5))
def test_with_times_folds_go_forward_and_score_no_copy_of_an_earlier_row(times, k):
    together = np.arange(len(times)) // 3
    for fold in folds(np.zeros(len(times)), together, k, 0, np.array(times)):
        assert max(np.array(times)[fold.train]) < min(np.array(times)[fold.validation])
        assert not set(together[fold.train]) & set(together[fold.validation])


def test_with_times_the_later_half_is_scored():
    found = folds(np.zeros(100), np.arange(100), 5, 0, np.arange(100)[::-1])
    assert [len(fold.train) for fold in found] == [50, 60, 70, 80, 90]
    assert sorted(np.concatenate([fold.validation for fold in found])) == list(range(50))


def table(n=150, seed=4):
    """Two numbers and a category that decide a label, beside noise."""
    rng = np.random.default_rng(seed)
    x, y, colour = rng.normal(size=n), rng.normal(size=n), rng.choice(["red", "blue"], n)
    label = np.where(x + y + (colour == "red") + rng.normal(size=n) > 0.5, "yes", "no")
    return {"x": x.round(3).tolist(), "y": y.round(3).tolist(), "colour": colour.tolist(), "label": label.tolist()}


def written(folder, columns):
    path = folder / "t.csv"
    lines = [",".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    path.write_text("\n".join([",".join(columns), *lines]) + "\n")
    return str(path)


def bytes_of(model):
    model.card.pop("disk", None)
    model.card.pop("seconds", None)
    assert "cv" in model.card["choice"]
    return to_bytes(model)


def test_labels_drawn_at_random_give_chance_out_of_fold_in_every_encoding():
    rng = np.random.default_rng(3)
    texts = [" ".join(f"w{word}" for word in rng.integers(0, 400, 12)) + f" own{k}" for k in range(400)]
    labels = rng.choice(["a", "b"], 400).tolist()
    cv = train(texts, label=labels).card["choice"]["cv"]
    assert {each["name"].split(",")[0] for each in cv["finalists"]} == {
        "averaged perceptron", "arow", "naive Bayes of presence", "naive Bayes of counts", "naive Bayes of tf-idf",
    }  # fmt: skip
    assert len(cv["finalists"]) >= 5  # perceptrons in two encodings
    weighed = train(texts, label=labels, config={"text": {"weight": "ratio-idf", "ngrams": 2, "characters": False}})
    assert weighed.card["choice"]["cv"]["rows"] == cv["rows"]
    for each in (*cv["finalists"], *weighed.card["choice"]["cv"]["finalists"]):
        # A leak lifts it. Below chance is none: what is common in the training rows of a fold is rarer in the others.
        assert each["accuracy"] < 0.5 + 4 * 0.5 / np.sqrt(cv["rows"]), each


def test_what_the_test_rows_say_changes_no_fold():
    columns = table()
    test = split_rows(given := read(columns), Classes.learn(given).encode(given)).test
    first = train(columns).card["choice"]
    flipped = list(columns["label"])
    for row in test:
        columns["x"][row] += 0.5
    assert "cv" in first
    assert train(columns | {"label": flipped}).card["choice"] == first


def test_the_same_bits_in_memory_and_on_the_disk(tmp_path):
    path = written(tmp_path, table(300))
    in_memory = train(path)
    on_disk, evidence = train_with_evidence(path, memory="35kB")
    assert evidence.disk
    assert bytes_of(in_memory) == bytes_of(on_disk)


def test_folds_leave_nothing_in_the_cache(tmp_path, monkeypatch):
    real, lying = finalists.search_again, []

    def spied(*given):
        lying.append(sorted((tmp_path / "cache").rglob("made-*")))
        found = real(*given)
        lying.append(sorted((tmp_path / "cache").rglob("made-*")))
        return found

    monkeypatch.setattr(finalists, "search_again", spied)
    train(written(tmp_path, table(300)), memory="35kB")
    before, after = lying
    assert after == before != []


def test_a_job_that_is_stopped_in_a_fold_goes_on_to_the_same_model(tmp_path):
    stages = []

    def stop(progress):
        stages.append(progress.stage)
        if progress.stage.startswith("fold 2"):
            raise KeyboardInterrupt

    from rosenblatt.pipeline import train_with_evidence

    with pytest.raises(KeyboardInterrupt):
        train_with_evidence(table(), checkpoint=tmp_path / "kept", watch=stop)
    assert "fold 1 of 5" in stages
    again = train(table(), checkpoint=tmp_path / "kept", resume=True)
    assert bytes_of(again) == bytes_of(train(table()))


def test_copies_count_once():
    columns = table()
    cv = train(columns).card["choice"]["cv"]
    often = {name: [*values, *[values[0]] * 60] for name, values in columns.items()}
    found = train(often).card["choice"]["cv"]
    assert found["rows"] <= 150  # distinct rows, without those of the test
    assert abs(found["finalists"][0]["accuracy"] - cv["finalists"][0]["accuracy"]) < 0.1


def test_shards_give_the_same_bits_for_any_number_of_threads():
    one, two = (train(table(), shards=2, jobs=jobs) for jobs in (1, 2))
    assert bytes_of(one) == bytes_of(two)


def test_groups_stay_together_and_times_go_forward(monkeypatch):
    seen = []
    real = finalists.search_again

    def spied(found, learned, parts, choices, conduct):
        seen.append((learned, parts))
        return real(found, learned, parts, choices, conduct)

    monkeypatch.setattr(finalists, "search_again", spied)
    columns = table() | {"who": [f"p{k // 3}" for k in range(150)], "day": list(range(2000, 2150))}
    assert train(columns, group="who").card["choice"]["cv"]["rows"] == len(seen[0][0].truth)
    learned, parts = seen[0]
    who = np.array(learned.table.columns["who"].to_pylist())
    assert all(not set(who[fold.train]) & set(who[fold.validation]) for fold in parts)
    train(columns, time="day")
    learned, parts = seen[1]
    day = np.array(learned.table.columns["day"].to_pylist())
    assert all(max(day[fold.train]) < min(day[fold.validation]) for fold in parts)
    assert max(day) < 2120  # the test rows, which are the latest, are in no fold


def test_what_was_asked_for_in_full_needs_no_settling():
    asked = {"margin": 2.0, "passes": 8, "config": {"features": {"knots": 0}}}
    assert "cv" not in train(table(), model="perceptron", **asked).card["choice"]
    assert "cv" not in train(table(), model="naive-bayes", k=1.0).card["choice"]
    assert "cv" in train(table(), model="naive-bayes").card["choice"]


def run_of(candidate):
    return candidate.model, candidate.way.name, getattr(candidate, "weights", ""), getattr(candidate, "k", 0.0)


def test_of_a_small_table_every_setting_is_judged_out_of_fold_and_a_run_that_ended_early_stays_as_it_is():
    """By hand: the search in each fold, and of each run what it had after so many passes at most."""
    rows = read(table(120))
    codes = Classes.learn(rows).encode(rows)
    learned = finalists.Learned(
        rows, codes.astype(np.int32), 2, 0, np.arange(120), lambda k: folds(codes, np.arange(120), k, 0)
    )
    choices, conduct = Choices(margin=0.5), Conduct()
    whole = Parts(rows, rows, codes.astype(np.int32), codes, 2)
    settled, tried = finalists.settle(search(whole, choices, conduct), 120, learned, choices, conduct)
    assert (settled.folds, settled.rows) == (5, 120)
    by_hand: dict[str, float] = {}
    for fold in learned.folds(5):
        parts = Parts(
            rows.take(fold.train), rows.take(fold.validation), codes[fold.train].astype(np.int32),
            codes[fold.validation], 2,
        )  # fmt: skip
        found = search(parts, choices, conduct, thorough=True).candidates
        for each in tried:
            alike = [other for other in found if run_of(other) == run_of(each)]
            same = [other for other in alike if other.passes <= each.passes]
            by_hand[each.name] = by_hand.get(each.name, 0.0) + same[-1].accuracy * len(fold.validation) / 120
    assert len(tried) > 20
    for each, accuracy in settled.finalists:
        assert accuracy == pytest.approx(by_hand[each.name], abs=1e-12)
    best = max(by_hand.values())
    assert settled.accuracy_of(settled.chosen) >= best - 0.5 * np.sqrt(best * (1 - best) / 120) - 0.01


def test_enough_validation_rows_decide_by_themselves(monkeypatch):
    monkeypatch.setattr(finalists, "ENOUGH", 30)
    assert "cv" not in train(table()).card["choice"]
    monkeypatch.setattr(finalists, "ENOUGH", 31)
    assert "cv" in train(table()).card["choice"]


def test_many_folds_of_many_rows_take_memory_in_step_with_the_rows():
    """Calibration of 1.4 million rows deals 68 folds and scores one: made at once they took 700 MB."""
    codes, together = np.arange(50_000) % 2, np.arange(50_000)
    tracemalloc.start()
    try:
        found = folds(codes, together, 400, 0)
        first = found[0].validation
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (len(found), len(first)) == (400, 125)
    assert peak < 400 * len(codes)  # bytes; the numbers of all folds alone would be 8 × 400 for each row
