"""Training: nothing of the test part is known before it is opened, and every choice can be retraced."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from sklearn.metrics import roc_auc_score

from rosenblatt import load, save, train
from rosenblatt.data import read
from rosenblatt.errors import DataError, SettingError
from rosenblatt.features import Classes, Wishes, learn_and_encode, split_rows
from rosenblatt.model import Bayes, Linear
from rosenblatt.model.bayes import are_repeated, count_matrix
from rosenblatt.model.ranking import Ranking
from rosenblatt.pipeline import Choices, Goal, train_with_evidence
from rosenblatt.pipeline.crossfit import Learned
from rosenblatt.pipeline.families.naive_bayes import NaiveBayes
from rosenblatt.pipeline.families.perceptron import Perceptron
from rosenblatt.pipeline.family import Parts
from rosenblatt.pipeline.finalists import find_finalists, settle
from rosenblatt.pipeline.operating import _line
from rosenblatt.pipeline.runs import Conduct
from rosenblatt.pipeline.search import Searched
from rosenblatt.pipeline.ways import Way, encode
from rosenblatt.report.facts import split_fact


def parts_of(table, seed=0):
    return split_rows(table, Classes.learn(table).encode(table), seed=seed)


def test_what_the_test_rows_say_changes_nothing_that_is_learned():
    table = read("digits")
    labels = np.array(table.labels.to_pylist())
    test = parts_of(table).test
    labels[test] = (labels[test] + 1) % 10
    wrong = replace(table, labels=pa.chunked_array([pa.array(labels)]))
    rest = np.setdiff1d(np.arange(table.n_rows), test)
    models = [_trained_on(table.take(rest), tested.take(test)) for tested in (table, wrong)]
    assert np.array_equal(models[0].learner.weights, models[1].learner.weights)
    assert models[0].plan.to_dict() == models[1].plan.to_dict()
    assert models[0].card["test"]["accuracy"] > 0.9
    assert models[1].card["test"]["accuracy"] < 0.1


def _trained_on(rows, tested):
    def columns(table):
        return table.columns.append_column("label", table.labels)

    return train(columns(rows), test=columns(tested), model="perceptron")


def test_the_plan_is_learned_from_all_rows_but_those_of_the_test():
    texts = [f"common word number{i}" for i in range(200)]
    model = train(texts, label=["a", "b"] * 100, model="perceptron", passes=1)
    table = read(texts, label=["a", "b"] * 100)
    test = set(parts_of(table).test.tolist())
    known = {name for name in model.plan.names if name.startswith("number")}
    assert known == {f"number{i}" for i in range(200) if i not in test}


def test_the_same_seed_gives_the_same_bits_and_another_another_split():
    one, two, other = (train("digits", seed=seed) for seed in (3, 3, 4))
    assert np.array_equal(one.learner.weights, two.learner.weights)
    assert one.card == two.card
    assert one.card["test"] != other.card["test"]


def candidate(accuracy, weights="averaged", separated=False, **more):
    return Perceptron(Way("", Wishes()), accuracy, weights=weights, separated=separated, **more)


def chosen_of(candidates, rows):
    """The choice where there is nothing to cross-validate."""
    no_folds = Learned(read("iris"), np.zeros(150, np.int32), 3, 0, np.arange(150), lambda k: [])
    return settle(Searched(candidates, False), rows, no_folds, Choices(), Conduct())[0].chosen


def test_of_equals_the_first_is_chosen_and_averaged_weights_before_final_ones():
    first, second, better = candidate(0.9, passes=1), candidate(0.9, passes=2), candidate(0.95)
    separating = candidate(0.9, "final", True)
    assert chosen_of([first, second], 100) is first
    assert chosen_of([separating, first, second], 100) is first
    assert chosen_of([replace(better, weights="final"), first], 100).accuracy == 0.95
    assert chosen_of([separating, better], 100) is better


def test_over_text_the_largest_margin_within_half_a_standard_error_is_chosen():
    way = Way("tf-idf", Wishes())
    small, wide, far = (
        Perceptron(way, accuracy, weights="averaged", margin=margin, text=True)
        for accuracy, margin in ((0.9, 0.5), (0.89, 5.0), (0.88, 9.0))
    )
    assert chosen_of([small, wide, far], 100) is wide  # half a standard error is 0.0155
    assert chosen_of([small, wide, far], 10_000) is small


def test_over_small_tables_the_usual_margin_and_passes_are_chosen_within_half_a_standard_error():
    best, usual, near, far = (
        candidate(accuracy, margin=margin, passes=passes)
        for accuracy, margin, passes in ((0.9, 0.0, 1), (0.89, 2.0, 16), (0.895, 0.5, 8), (0.88, 2.0, 16))
    )
    assert find_finalists([best, usual, near], 100, usual=True) == [usual]  # half a standard error is 0.0155
    assert find_finalists([best, near, far], 100, usual=True) == [near]
    assert find_finalists([best, usual, near], 10_000, usual=True) == [best]
    assert chosen_of([best, usual, near], 100) is best  # on validation rows alone


def test_a_perceptron_must_lead_naive_bayes_over_words_by_half_a_standard_error_curves_and_units_straight_numbers():
    perceptron = candidate(0.9)  # with 100 rows a standard error is 0.031
    bayes = NaiveBayes(Way("", Wishes()), 0.885, k=1.0)
    curves, units = (replace(perceptron, way=Way("other", each)) for each in (Wishes(knots=8), Wishes(units=2000)))
    for simple, other in ((bayes, perceptron), (candidate(0.893), curves), (candidate(0.87), units)):
        assert chosen_of([other, simple], 100) is simple
        assert chosen_of([other, simple], 1000) is other
    assert chosen_of([perceptron, replace(bayes, on="columns")], 100) is perceptron


def test_naive_bayes_counts_words_in_each_way_of_weighing_them():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 300)
    usual = rng.dirichlet(np.full(40, 0.2), 3)
    counts = np.array([rng.multinomial(rng.integers(5, 60), usual[c]) for c in truth])
    for matrix, names in (
        (counts, {"presence", "counts", "unit rows", "tf-idf"}),
        (counts / np.linalg.norm(counts, axis=1, keepdims=True), {"presence", "values"}),  # weighed by somebody else
        (np.minimum(counts, 1), {"presence", "counts", "unit rows"}),
    ):
        _, evidence = train_with_evidence(read(csr_matrix(matrix), truth), model="naive-bayes")
        tried = {trial.name.partition(" of ")[2].partition(",")[0] for trial in evidence.trials}
        assert tried == names
        best = max(evidence.trials, key=lambda trial: trial.accuracy)
        assert best.chosen


def test_naive_bayes_counts_presence_where_values_are_too_large_for_a_perceptron():
    values = np.arange(1.0, 41.0)  # all different: copies of a row stay on one side of a split
    rows = np.zeros((40, 2))
    rows[::2, 0], rows[1::2, 1] = 1e150 * values[::2], values[1::2]
    model = train(read(csr_matrix(rows), [0, 1] * 20), model="naive-bayes")
    assert model.card["choice"]["name"].startswith("naive Bayes of presence")
    assert model.card["test"]["accuracy"] == 1


def test_counts_whose_sums_no_whole_number_of_the_machine_holds_are_counted_as_fractions():
    table = read(csr_matrix([[3e18, 1], [4e18, 2], [3e18, 0]]), [0, 0, 1])
    _, matrix = learn_and_encode(table, Wishes())
    assert are_repeated(matrix.rows) is False
    assert count_matrix(matrix.rows, np.array([0, 0, 1]), 2, True).stored.tolist() == [[7e18, 3e18], [3, 0]]


def test_naive_bayes_says_what_it_counts_where_it_is_asked_to_count_what_is_no_count():
    rng = np.random.default_rng(0)
    table = read(csr_matrix(rng.normal(size=(60, 4))), rng.integers(0, 2, 60))
    with pytest.raises(SettingError, match=r"counting: counts needs words or whole numbers above 0\."):
        train(table, model="naive-bayes", counting="counts")


def test_naive_bayes_over_0_1_features_is_as_good_as_a_multinomial_over_rows_of_unit_length(data):
    model = train(data / "libsvm" / "a9a", test=data / "libsvm" / "a9a.t", model="naive-bayes")
    assert model.card["choice"]["name"] == "naive Bayes of unit rows, k = 1"
    assert model.card["test"]["accuracy"] > 0.829  # scikit-learn's MultinomialNB over the same rows, to 0.1 points


def binned(*names):
    return {"features": {"knots": 0}, "columns": {name: {"kind": "bins"} for name in names}}


def test_bins_are_a_kind_of_column_for_perceptrons_and_naive_bayes(tmp_path, monkeypatch):
    monkeypatch.setenv("ROSENBLATT_CACHE", str(tmp_path / "cache"))
    values = np.random.default_rng(1).normal(size=(400, 2)).round(4)
    rows = [f"{x},{z},{'the same ' * 20},{'far' if abs(x) > 0.7 else 'near'}\n" for x, z in values]
    (tmp_path / "far.csv").write_text("x,z,beside,label\n" + "".join(rows))
    source = str(tmp_path / "far.csv")
    plain, asked = (train(source, model="perceptron", passes=8, config=binned(*names)) for names in ((), ("x",)))
    assert plain.card["test"]["accuracy"] < 0.8 < 0.9 < asked.card["test"]["accuracy"]
    assert asked.plan.lines[0].describe() == "10 bins of numbers, 0/1 each"
    save(asked, tmp_path / "m.rosenblatt")
    new = {"x": [0.0, 3.0], "z": [0, 0], "beside": ["", ""]}
    assert load(tmp_path / "m.rosenblatt").predict(new) == asked.predict(new) == ["near", "far"]
    on_disk, evidence = train_with_evidence(source, model="perceptron", passes=8, config=binned("x"), memory="41kB")
    assert evidence.disk is not None
    assert on_disk.plan.to_dict() == asked.plan.to_dict()
    assert on_disk.learner.weights.tolist() == asked.learner.weights.tolist()
    models = (train(source, model="naive-bayes", k=1, config=binned(*names)) for names in ((), ("x", "z")))
    counts, same = (model.learner.counts for model in models)
    assert counts.schema.listed == same.schema.listed
    assert counts.cells.tolist() == same.cells.tolist()
    assert counts.schema.listed[0].cuts == asked.plan.lines[0].cuts


def test_final_weights_that_do_not_separate_are_chosen_only_when_asked_for():
    _, evidence = train_with_evidence("iris", model="perceptron", passes=3)
    assert {trial.name.split()[0] for trial in evidence.trials} == {"averaged"}
    model, _ = train_with_evidence("iris", model="perceptron", passes=3, weights="final")
    assert model.card["choice"]["weights"] == "final"


@pytest.mark.parametrize(
    ("fixed", "shown"),
    [
        ({"model": "perceptron", "margin": 3.0}, {"model": "perceptron", "margin": 3.0}),
        ({"model": "perceptron", "passes": 5}, {"passes": 5}),
        ({"model": "naive-bayes", "k": 0.25}, {"model": "naive-bayes", "k": 0.25}),
    ],
)
def test_fixed_choices_are_kept(fixed, shown):
    choice = train("wine", **fixed).card["choice"]
    assert {name: choice[name] for name in shown} == shown


def test_the_margin_is_a_multiple_of_the_mean_square():
    model, _ = train_with_evidence("wine", model="perceptron", margin=3.0, config={"features": {"knots": 0}})
    kept = np.sort(np.concatenate([parts_of(read("wine")).train, parts_of(read("wine")).validation]))
    rows = model.plan.encode(read("wine").take(kept)).rows.values
    mean = float((rows**2).sum(axis=1).mean() + 1)  # the constant feature counts
    assert model.card["choice"]["threshold"] == pytest.approx(3 * mean)


@pytest.mark.parametrize(
    "wrong",
    [{"model": "svm"}, {"weights": "best"}, {"margin": -1.0}, {"passes": 0}, {"k": -1}, {"seed": -1}, {"seeds": 0}],
)
def test_wrong_choices_are_refused(wrong):
    with pytest.raises(SettingError, match=f"^{next(iter(wrong))} must be"):
        train("iris", **wrong)


@pytest.mark.parametrize(
    ("model", "name", "value"),
    [
        ("perceptron", "k", 2),
        ("perceptron", "k", 0),
        ("naive-bayes", "margin", 0.0),
        ("naive-bayes", "weights", "final"),
        ("naive-bayes", "passes", 3),
    ],
)
def test_a_setting_of_the_other_family_is_refused(model, name, value):
    with pytest.raises(
        SettingError, match=f"{name} is a setting of model .*, but model is {model}; got {name} {value!r}"
    ):
        train("iris", model=model, **{name: value})
    assert getattr(Choices(**{name: value}), name) == value  # with both families in the search it is of use


def test_a_setting_that_is_none_is_named_with_those_that_are():
    with pytest.raises(SettingError, match=r"^train has no setting named 'foo'. Settings are: C, bias, category, "):
        train("iris", foo=3)
    with pytest.raises(SettingError, match="Did you mean 'margin'"):
        train("iris", margins=3)


def test_seeds_of_64_bits_are_taken_and_no_larger_ones():
    assert train("iris", seed=2**64 - 2, seeds=2, passes=1, model="perceptron").card["split"]["seed"] == 2**64 - 2
    assert type(Choices(seed=np.int64(5)).seed) is int
    for largest, wrong in ((2**64 - 1, {"seed": 2**64}), (2**64 - 2, {"seed": 2**64 - 1, "seeds": 2})):
        with pytest.raises(SettingError, match=f"seed must be a whole number from 0 to {largest}; got"):
            train("iris", **wrong)


def test_columns_that_decide_the_split_are_no_features():
    table = read("iris")
    person = pa.array([f"p{i % 30}" for i in range(150)])
    frame = table.columns.append_column("person", person).append_column("label", table.labels)
    model = train(frame, group="person")
    assert not [name for name in model.plan.names if name.startswith("person")]
    assert model.card["split"]["kind"] == "by group 'person'"


def test_the_spread_is_over_orders_and_the_model_is_the_first():
    model = train("digits", model="perceptron", passes=2, seeds=3)
    found = model.card["spread"]
    assert found["accuracies"][0] == model.card["test"]["accuracy"]
    assert found["lowest"] == min(found["accuracies"]) <= found["median"] <= found["highest"]
    assert len(set(found["accuracies"])) > 1
    orders = [train("digits", model="perceptron", passes=2).card["test"]["accuracy"]]
    assert orders[0] == found["accuracies"][0]


def test_the_evidence_is_of_the_test_rows():
    model, evidence = train_with_evidence("digits", model="naive-bayes")
    test = read("digits").take(parts_of(read("digits")).test)
    predicted, labels = model.predict(test), [str(label) for label in test.labels.to_pylist()]
    wrong = {test.origin.of(i) for i in range(test.n_rows) if predicted[i] != labels[i]}
    assert len(evidence.worst) == 20
    assert {each.origin for each in evidence.worst} <= wrong
    margins = [each.margin for each in evidence.worst]
    assert margins == sorted(margins, reverse=True)
    for found in (evidence.posterior, evidence.evaluation.reliability):
        assert sum(rows for _, _, rows in found.bins) == found.rows == test.n_rows
    assert evidence.image_shape == (8, 8)
    assert isinstance(model.learner, Bayes)


def test_the_bracket_closes_and_holds_the_final_one():
    model, evidence = train_with_evidence("digits", model="perceptron", margin=0.0)
    assert isinstance(model.learner, Linear)
    highs = [high for _, _, high in evidence.bracket]
    assert highs == sorted(highs, reverse=True)
    assert evidence.bracket[-1][2] == model.card["margin"]["high"]
    assert sum(updates for updates, _ in evidence.per_pass) == model.card["proof"]["updates"]


scored = st.lists(st.tuples(st.integers(-5, 5), st.booleans()), min_size=2, max_size=30)


@given(scored, st.integers(0, 4), st.integers(0, 4))
def test_the_line_for_costs_is_as_cheap_as_any(rows, alarm, miss):
    scores, truth = np.array([float(s) for s, _ in rows]), np.array([int(t) for _, t in rows])
    goal = Goal("b", cost_false_positive=alarm, cost_false_negative=miss)

    def cost(line):
        predicted = scores > line
        wrong_up, wrong_down = np.sum(predicted & (truth == 0)), np.sum(~predicted & (truth == 1))
        return alarm * wrong_up + miss * wrong_down

    line = _line(Ranking.of(scores, truth), goal)
    assert cost(line) == min(cost(each) for each in np.arange(-6, 7) + 0.5)


@given(scored, st.sampled_from([0.0, 0.1, 0.3, 0.6]))
def test_the_line_keeps_false_alarms_to_the_share_and_catches_all_it_can(rows, allowed):
    scores, truth = np.array([float(s) for s, _ in rows]), np.array([int(t) for _, t in rows])
    others = max(int((truth == 0).sum()), 1)

    def alarms_and_hits(line):
        return np.sum((scores > line) & (truth == 0)), np.sum((scores > line) & (truth == 1))

    alarms, hits = alarms_and_hits(_line(Ranking.of(scores, truth), Goal("b", allowed)))
    assert alarms <= allowed * others
    possible = [alarms_and_hits(line) for line in np.arange(-6, 7) + 0.5]
    assert hits == max(h for a, h in possible if a <= allowed * others)


@given(scored)
def test_the_area_is_that_of_scikit_learn(rows):
    scores, truth = np.array([float(s) for s, _ in rows]), np.array([t for _, t in rows])
    if truth.all() or not truth.any():
        assert np.isnan(Ranking.of(scores, truth).area)
    else:
        assert Ranking.of(scores, truth).area == pytest.approx(roc_auc_score(truth, scores))


def test_a_goal_moves_the_line_and_the_card_says_what_it_gives():
    plain = train("breast-cancer", model="perceptron")
    strict = train("breast-cancer", model="perceptron", goal=Goal("malignant", 0.0))
    assert strict.card["goal"]["validation"]["false_positives"] == 0
    assert strict.decision.threshold != 0 == plain.decision.threshold
    assert set(strict.card["goal"]["test"]) == {"precision", "recall", "f1", "false_positives", "auc"}
    with pytest.raises(SettingError, match="for two classes"):
        train("iris", goal=Goal("setosa", 0.01))
    with pytest.raises(SettingError, match="benign and malignant"):
        train("breast-cancer", goal=Goal("bad", 0.01))


def test_a_column_of_distinct_whole_numbers_can_be_asked_for(tmp_path):
    file, rows = tmp_path / "house.csv", np.random.default_rng(2).permutation(80)[:60] + 50
    file.write_text("area,label\n" + "".join(f"{area},{'big' if area > 90 else 'small'}\n" for area in rows))
    with pytest.raises(
        DataError, match=r"'area' is dropped .an id: 36 whole numbers from 50 to 127, all distinct.*numeric"
    ):
        train(file)
    model = train(file, wishes=Wishes(numeric=["area"]))
    assert model.card["split"]["duplicates"] == 0
    assert model.card["test"]["accuracy"] > 0.9


def test_test_rows_that_are_copies_of_training_rows_are_counted():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(80, 3)).round(6)
    y = np.where(X[:, 0] > 0, "a", "b").tolist()
    model = train(read(X[:60], y[:60]), test=read(X[50:], y[50:]))
    assert model.card["split"]["copies_in_test"] == 10
    shown = " ".join(split_fact(model.card).parts)
    assert re.search(r"test 30 given apart \([^)]+\) 10 of them copies of training rows", shown)
    assert "copies_in_test" not in train(read(X[:60], y[:60]), test=read(X[60:], y[60:])).card["split"]


def test_measurements_beyond_2_to_the_53_are_no_ids(tmp_path):
    file, values = tmp_path / "atoms.csv", np.random.default_rng(3).uniform(1e21, 2e21, 200)
    file.write_text("atoms,label\n" + "".join(f"{v:.6e},{'a' if v > 1.5e21 else 'b'}\n" for v in values))
    assert train(file).card["test"]["accuracy"] > 0.9


@pytest.mark.parametrize(
    ("wrong", "memory"), [("1_0", None), ("0x10", None), ('"1,5"', None), ("abc", None), ("abc", "300kB")]
)
def test_a_mistyped_number_is_named_and_not_the_end_of_its_column(wrong, memory, tmp_path, monkeypatch):
    monkeypatch.setenv("ROSENBLATT_CACHE", str(tmp_path / "cache"))
    file, values = tmp_path / "typed.csv", np.random.default_rng(4).random(2_000 if memory else 200).round(4)
    cells = [wrong if row == 5 else str(value) for row, value in enumerate(values)]
    wide = [f"z{k}" for k in range(40)]  # so that the rows are larger than what is kept of each in memory
    lines = [f"{cell},{'a' if value > 0.5 else 'b'}" for cell, value in zip(cells, values, strict=True)]
    file.write_text("\n".join([f"x,label,{','.join(wide)}", *(line + ",0.1234" * len(wide) for line in lines)]))
    with pytest.raises(DataError, match=f"typed.csv, row 6, column 'x': '{wrong.strip(chr(34))}' is not a number"):
        train(file, memory=memory)
    if memory is None:
        assert train(file, wishes=Wishes(category=["x"])).plan.lines[0].kind == "category"


def test_strings_of_digits_that_a_typed_source_calls_strings_stay_what_they_are():
    table = read({"zip": [f"{k:05}" for k in range(100, 160)] * 2}, ["a", "b"] * 60)
    assert not table.declared


@pytest.mark.parametrize("order", [False, True], ids=["words tell", "only their order tells"])
def test_of_many_topics_some_rows_tell_whether_n_grams_are_worth_a_run_over_all(monkeypatch, order):
    rng, classes = np.random.default_rng(0), ("a", "b", "c")
    told = {"a": ["one two", "three"], "b": ["two three", "one"], "c": ["three one", "two"]}
    texts, labels = [], []
    for k in range(600):
        label = classes[k % 3]
        own = told[label] if order else [f"{label}{word}" for word in rng.integers(0, 9, 3)]
        parts = [*own, *(f"w{word}" for word in rng.integers(0, 400, 6))]
        texts.append(" ".join(parts[place] for place in rng.permutation(len(parts))))
        labels.append(label)
    seen = []

    def encoded(self, way):
        if way.name == "pairs":
            seen.append(len(self.truth))
        return encode(way, self.train, self.validation, self.truth)

    monkeypatch.setattr(Parts, "encoded", encoded)
    monkeypatch.setattr("rosenblatt.pipeline.families.perceptron.MOST_PROBED", 200)
    model = train(texts, label=labels, model="perceptron", config={"text": {"characters": False}})
    assert seen == ([180, 360] if order else [180])
    assert (model.plan.lines[0].settings.longest == 2) == order
