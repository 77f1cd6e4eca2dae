"""The parts of the lab below the bench say what the Python API says: XOR, naive Bayes, digits, mail."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from contextlib import closing
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab_server import Client, running_lab
from rosenblatt import NaiveBayes, Perceptron, prove, trace
from rosenblatt.data import read
from rosenblatt.errors import DataError
from rosenblatt.features import tokens
from rosenblatt.lab import bayes, digits, mail, mail_file, mail_model, xor
from rosenblatt.lab.columns import unpack
from rosenblatt.lab.datasets import read_bytes
from rosenblatt.lab.mail_file import with_label
from rosenblatt.lab.mail_flip import fewest
from rosenblatt.lab.mail_texts import find_words, leave_out
from rosenblatt.lab.sessions import Session
from rosenblatt.lab.xor_plane import product_shapes
from rosenblatt.traces.bayes import trace_row

INPUTS, XOR = [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1]


@pytest.fixture
def session() -> Session:
    return Session("test")


def inside(point: tuple[float, float], polygon: list[list[float]]) -> bool:
    """Whether a point lies in a polygon, by how often a ray to the right crosses its edge."""
    x, y = point
    crossings = 0
    for (x1, y1), (x2, y2) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1):
            crossings += 1
    return crossings % 2 == 1


# XOR


def test_xor_is_impossible_by_the_rows_that_prove_finds(session):
    proof = xor.tell_xor(session, {})["proof"]
    verdict = prove(INPUTS, XOR)
    assert [part["row"] for part in proof["parts"]] == list(verdict.rows)
    total = sum(verdict.multipliers)
    assert [Fraction(part["weight"]) for part in proof["parts"]] == [Fraction(m, total) for m in verdict.multipliers]
    times = [[Fraction(v) for v in part["times"].strip("[]").split(", ")] for part in proof["parts"]]
    assert [sum(column) for column in zip(*times, strict=True)] == [0, 0, 0]
    assert proof["sum"] == "[0, 0, 0]"
    assert proof["meet"][0] == proof["meet"][1], "the hulls of the two classes share this point"


def test_three_perceptrons_solve_xor_with_the_weights_of_the_notes(session):
    network = xor.tell_xor(session, {})["network"]
    units = {unit["name"]: unit for unit in network["units"]}
    assert (units["OR"]["weights"], units["OR"]["passes"], units["OR"]["mistakes"]) == ([-1, 2, 2], 6, 9)
    assert (units["AND"]["weights"], units["AND"]["passes"], units["AND"]["mistakes"]) == ([-4, 3, 2], 9, 18)
    for shown, x, label in zip(network["inputs"], INPUTS, XOR, strict=True):
        said = [int(np.dot(units[name]["weights"], [1, *x]) > 0) for name in ("OR", "AND")]
        assert [unit["fires"] for unit in shown["units"][:2]] == said == [int(any(x)), int(all(x))]
        assert shown["says"] == (np.dot(units["OR and not AND"]["weights"], [1, *said]) > 0) == (label > 0)
    assert network["right"] == 4


def test_regions_of_the_network_are_where_it_says_yes(session):
    network = xor.tell_xor(session, {})["network"]
    either, both, last = (np.array(unit["weights"]) for unit in network["units"])
    checked = 0
    for x, y in np.random.default_rng(0).uniform(-0.49, 1.49, (400, 2)):
        scores = either @ [1, x, y], both @ [1, x, y]
        if min(map(abs, scores)) > 0.01:  # corners are rounded
            says = last @ [1, *(score > 0 for score in scores)] > 0
            found = [piece["says"] for piece in network["regions"] if inside((x, y), piece["polygon"])]
            assert found == [int(says)]
            checked += 1
    assert checked > 300


def test_one_more_column_separates_xor(session):
    product = xor.tell_xor(session, {})["product"]
    rows = [[*x, x[0] * x[1]] for x in INPUTS]
    run = trace(rows, XOR, passes=100)
    assert product["weights"] == run.weights.tolist()
    assert (product["mistakes"], product["passes"]) == (run.n_mistakes, run.n_passes)
    assert [moment["arithmetic"] for moment in product["moments"][1:]] == [s.arithmetic for s in run if not s.correct]
    assert [row["fires"] == row["true"] for row in product["rows"]] == [True] * 4
    assert product["bound"] == prove(rows, XOR).mistake_bound >= product["mistakes"]


@given(st.lists(st.integers(-5, 5), min_size=4, max_size=4))
def test_shapes_of_a_product_column_are_where_the_score_is_positive(weights):
    b, w1, w2, w12 = weights
    lines, regions = product_shapes((-0.5, 1.5, -0.5, 1.5), weights)
    for x in np.linspace(-0.493, 1.493, 12):
        for y in np.linspace(-0.491, 1.489, 12):
            score = b + w1 * x + w2 * y + w12 * x * y
            if abs(score) > 0.15:  # the curve is drawn by short straight lines
                assert any(inside((x, y), region) for region in regions) == (score > 0)
    for x, y in (point for line in lines for point in line):
        assert abs(b + w1 * x + w2 * y + w12 * x * y) < 0.01


# Naive Bayes

LIMIT = {
    "classes": ["a", "b"],
    "rows": [10, 2],
    "features": [{"name": "first", "counts": [0, 2]}, {"name": "second", "counts": [6, 0]}],
    "row": [1, 1],
}


def rows_with(tables) -> tuple[np.ndarray, list[str]]:
    """Rows that have these counts."""
    blocks = [
        np.array([np.arange(n) < feature["counts"][c] for feature in tables["features"]], int).T
        for c, n in enumerate(tables["rows"])
    ]
    return np.vstack(blocks), np.repeat(tables["classes"], tables["rows"]).tolist()


def strength(text: str) -> float:
    return math.inf if text == "∞" else float(text)


def test_every_stop_of_k_says_what_naive_bayes_fitted_to_such_rows_says(session):
    for tables in bayes.list_examples(session, {})["examples"]:
        X, y = rows_with(tables)
        model = NaiveBayes(features="binary").fit(X, y)
        answer = bayes.weigh_row(session, tables)
        assert [stop["k"] for stop in answer["stops"]] == bayes.list_examples(session, {})["stops"]
        for stop in answer["stops"]:
            model.set_params(k=strength(stop["k"]))
            row = [tables["row"]]
            assert stop["posterior"] == pytest.approx(model.predict_proba(row)[0].tolist(), rel=1e-3)
            assert stop["predicted"] == model.predict(row)[0]
            chances = np.array([model.tables()[f"column {j}"].loc[1] for j in range(X.shape[1])])
            assert np.array(stop["chances"]) == pytest.approx(chances, rel=1e-3)
            products = [cells[1:] for cells in stop["cells"]]
            assert products == [list(cells[1:]) for cells in trace_row(model, tables["row"]).cells()]
            finite = [bar["value"] for bar in stop["odds"]["bars"]]
            if not any(bar["zeros"] for bar in stop["odds"]["bars"]):
                logs = model.predict_log_proba(row)[0]
                assert sum(finite) == pytest.approx(logs[1] - logs[0], abs=2e-3)
                assert float(stop["odds"]["total"]) == pytest.approx(logs[1] - logs[0], rel=1e-3)


def test_the_slider_goes_from_0_to_infinity_through_1():
    assert bayes.STOPS[0] == 0
    assert bayes.STOPS[-1] == math.inf
    assert 1.0 in bayes.STOPS
    assert list(bayes.STOPS) == sorted(set(bayes.STOPS))


def test_the_limit_of_the_notes_is_decided_and_said_in_words(session):
    first = bayes.weigh_row(session, LIMIT)["stops"][0]
    assert first["k"] == "0"
    assert first["posterior"] == [0.375, 0.625]  # 0.6 : 1
    assert first["words"][-1].startswith("Every class has a factor of 0. The limit k → 0 decides")
    assert [bar["text"] for bar in first["odds"]["bars"][1:]] == ["+∞", "-∞"]


def test_a_count_of_zero_is_flagged_at_0_and_mended_above(session):
    tables = bayes.list_examples(session, {})["examples"][0]
    answer = bayes.weigh_row(session, tables)
    place = [feature["name"] for feature in tables["features"]].index("minute")
    assert answer["zeros"][place] == [True, False]
    stops = {stop["k"]: stop for stop in answer["stops"]}
    assert stops["0"]["posterior"][0] == 0
    assert stops["0"]["words"][0].startswith(
        "None of the 34 ham rows has minute = 1: with k = 0 its factor is 0/34 = 0"
    )
    assert stops["0"]["words"][1] == "With k = 0 such a row cannot be ham, whatever its other words say."
    assert "(0 + 1)/(34 + 1·2) = 0.0277778 instead of 0" in stops["1"]["words"][0]
    assert stops["1"]["predicted"] == "ham"
    assert "P(y) alone decides" in stops["∞"]["words"][0]


def test_the_counts_to_begin_with_are_those_of_the_built_in_mail(session):
    tables = bayes.list_examples(session, {})["examples"][0]
    table = read("mail")
    seen = {label: Counter() for label in tables["classes"]}
    rows = Counter()
    for label, subject, text in zip(
        table.labels.to_pylist(), table.columns["subject"].to_pylist(), table.columns["text"].to_pylist(), strict=True
    ):
        rows[label] += 1
        seen[label].update(set(re.findall(r"\b\w\w+\b", f"{subject}\n{text}".lower())))
    assert tables["rows"] == [rows[label] for label in tables["classes"]]
    for feature in tables["features"]:
        assert feature["counts"] == [seen[label][feature["name"]] for label in tables["classes"]]


def test_a_value_that_no_row_has_is_left_out_and_a_class_without_rows_is_impossible(session):
    never = {**LIMIT, "features": [{"name": "never", "counts": [0, 0]}, LIMIT["features"][1]]}
    stop = bayes.weigh_row(session, never)["stops"][0]
    assert stop["odds"]["bars"][1] == {"name": "never = 1", "value": 0.0, "text": "left out", "zeros": 0}
    assert "No row of either class has never = 1, so that factor is left out." in stop["words"]
    alone = {**LIMIT, "rows": [10, 0], "features": [{"name": "first", "counts": [5, 0]}], "row": [1]}
    for stop in bayes.weigh_row(session, alone)["stops"]:
        assert stop["posterior"] == [1, 0]
        assert stop["odds"]["bars"][0]["text"] == stop["odds"]["total"] == "-∞"
        assert "There is no b row at all: P(b) = 0." in stop["words"]


@settings(max_examples=20)  # 63 stops each
@given(st.data())
def test_any_counts_give_finite_numbers_that_json_can_hold(data):
    rows = data.draw(st.lists(st.integers(0, 40), min_size=2, max_size=2).filter(sum))
    counts = data.draw(st.lists(st.tuples(*(st.integers(0, n) for n in rows)), min_size=1, max_size=4))
    tables = {
        "classes": ["no", "yes"],
        "rows": rows,
        "features": [{"name": f"w{j}", "counts": list(pair)} for j, pair in enumerate(counts)],
        "row": [data.draw(st.integers(0, 1)) for _ in counts],
    }
    answer = bayes.weigh_row(Session("x"), tables)
    json.dumps(answer, allow_nan=False)
    for stop in answer["stops"]:
        assert sum(stop["posterior"]) == pytest.approx(1, abs=1e-3)


def with_count(value):
    return {**LIMIT, "features": [{"name": "first", "counts": [value, 2]}, LIMIT["features"][1]]}


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (with_count(-1), r"first in a: give a whole number from 0 to 10 \(there are 10 a rows\); got -1"),
        (with_count(11), "from 0 to 10 .* got 11"),
        (with_count("three"), "got 'three'"),
        (with_count(""), "got ''"),
        (with_count(1.5), "got 1.5"),
        (with_count(True), "got True"),
        (with_count(None), "got None"),
        (with_count("9" * 400), "from 0 to 10"),
        (with_count("²"), "got '²'"),
        ({**LIMIT, "rows": [10**9, 2]}, "rows of a: give a whole number from 0 to 1000000"),
        ({**LIMIT, "rows": [0, 0]}, "both classes have 0 rows"),
        ({**LIMIT, "rows": [10]}, "one number for each of a, b"),
        ({**LIMIT, "classes": ["a", "a"]}, "different names"),
        ({**LIMIT, "classes": ["a", "b", "c"]}, "two classes; got 3"),
        ({**LIMIT, "features": []}, "a list of 1 to 12 tables"),
        ({**LIMIT, "features": [3]}, "a name and its counts"),
        ({**LIMIT, "features": [{"name": "", "counts": [0, 0]}], "row": [1]}, "names of 1 to 40 characters"),
        ({**LIMIT, "row": [2, 0]}, "first in the row: give a whole number from 0 to 1; got 2"),
        ({}, "classes must have names"),
    ],
)
def test_tables_that_cannot_be_are_refused_in_one_line(session, body, line):
    with pytest.raises(DataError, match=line) as raised:
        bayes.weigh_row(session, body)
    assert len(str(raised.value)) < 300


# Digits


@pytest.fixture(scope="module")
def shown():
    return digits.show_digits(Session("digits"), {})


@pytest.fixture(scope="module")
def train_rows():
    """The training part, found anew by the digits that the lab keeps for the test."""
    from rosenblatt.features import split_rows

    table = read("digits")
    X = np.vstack(table.columns["pixel"].to_pylist()).astype(np.uint8)
    y = np.array(table.labels.to_pylist())
    split = split_rows(table, y.astype(np.int64), seed=0, parts=digits.PARTS)
    return X[split.train], y[split.train], X[split.test], y[split.test]


def test_images_of_digits_are_the_weights_of_a_perceptron_after_so_many_passes(shown, train_rows):
    X, y, X_test, y_test = train_rows
    assert shown["truth"] == y_test.tolist()
    assert np.array_equal(unpack(shown["images"]), X_test)
    weights = unpack(shown["weights"])
    ends = {}
    for place, moment in enumerate(shown["moments"]):
        found = re.search(r"after pass (\d+)", moment["name"])
        if found:
            ends[int(found[1])] = place
    assert {1, 2, 10, 20, max(ends)} <= set(ends)
    for passes in (1, 2, 10, max(ends)):
        model = Perceptron(weights="final", tol=None, max_iter=passes, random_state=0).fit(X, y)
        place = ends[passes]
        moment = shown["moments"][place]
        assert np.array_equal(weights[place], model.coef_)
        assert moment["bias"] == model.intercept_.tolist()
        assert moment["updates"] == model.n_updates_
        assert moment["right"] == int((model.predict(X_test) == y_test).sum())
        assert shown["wrong"][place] == np.flatnonzero(model.predict(X_test) != y_test).tolist()
    assert model.separated_
    assert shown["stopped"] == model.stopped_ == "separated"


def test_the_run_starts_at_0_and_the_first_mistake_moves_two_images(shown):
    weights = unpack(shown["weights"])
    assert not weights[0].any()
    names = [(moment["updates"], moment["name"]) for moment in shown["moments"][:4]]
    assert names[0] == (0, "before the first digit")
    assert names[1:] == [(n, f"mistake {n}, in pass 1") for n in (1, 2, 3)]
    assert np.count_nonzero(weights[1].any(axis=1)) == 2
    assert np.array_equal(weights[1].sum(axis=0), np.zeros(64)), "what one class gets the other loses"


@pytest.mark.parametrize("row", [0, 1, 100, 358])
def test_a_digit_s_scores_are_sums_of_what_its_pixels_add(shown, row):
    answer = digits.read_digit(Session("x"), {"row": row})
    adds, weights, image = unpack(answer["adds"]), unpack(shown["weights"]), unpack(shown["images"])[row]
    for place, moment in enumerate(answer["moments"]):
        assert np.array_equal(adds[place], weights[place] * image.astype(int))
        assert (adds[place].sum(axis=1) + moment["bias"]).tolist() == moment["scores"]
        assert moment["predicted"] == int(np.argmax(moment["scores"]))
        assert moment["right"] == (moment["predicted"] == answer["true"]) == (row not in shown["wrong"][place])
        assert moment["words"].endswith("right." if moment["right"] else "wrong.")


@pytest.mark.parametrize("row", [-1, 359, 10**30, "two", None, True, 1.5, [1]])
def test_an_unknown_digit_is_refused_in_one_line(row):
    with pytest.raises(DataError, match="there are digits 1 to 359 to choose from") as raised:
        digits.read_digit(Session("x"), {"row": row})
    assert "\n" not in str(raised.value)


# Mail


@pytest.fixture(scope="module")
def three_kinds() -> mail_model.Learned:
    """A model of three classes, whose messages share many words."""
    rng = np.random.default_rng(3)
    words = {"sport": "ball goal team win", "food": "bread soup salt win", "home": "wall door roof team"}
    common = ["the", "and", "of", "to", "is", "it", "was", "on"]
    texts, labels = [], []
    for name, own in words.items():
        for _ in range(40):
            texts.append(" ".join([*rng.choice(own.split(), 3), *rng.choice(common, 4)]))
            labels.append(name)
    return mail_model.learn_mail(read(pa.table({"text": texts, "kind": labels}), "kind"), "three kinds")


def brute_force(model, text: str) -> int | None:
    """The size of the smallest set of words without which the message is something else, by trying all sets."""
    words = sorted({place.word for place in find_words(text)} & set(model.plan.names))
    before = model.predict([text])[0]
    for size in range(1, len(words) + 1):
        texts = [leave_out(text, set(some)) for some in combinations(words, size)]
        if any(label != before for label in model.predict(texts)):
            return size
    return None


def messages(model, count: int, seed: int) -> list[str]:
    rng = np.random.default_rng(seed)
    weights = np.atleast_2d(model.learner.weights)[:, :-1]
    heavy = np.argsort(-np.abs(weights).max(axis=0))[:60]
    names = [model.plan.names[j] for j in heavy]
    return [" ".join(rng.choice(names, rng.integers(1, 10))) for _ in range(count)]


def test_the_fewest_words_are_the_fewest_by_brute_force():
    model = mail_model.builtin().model
    sizes = Counter()
    for text in messages(model, 150, 0):
        flip = mail.read_mail(Session("x"), {"text": text})["flip"]
        assert (len(flip["words"]) or None) == brute_force(model, text), text
        if flip["words"]:
            assert model.predict([flip["text"]]) == [flip["becomes"]] != model.predict([text])
        sizes[len(flip["words"])] += 1
    assert len(sizes) >= 4, sizes  # messages of several sizes, and some that cannot be flipped
    assert sizes[0]


def test_the_fewest_words_are_the_fewest_with_three_classes_too(three_kinds):
    session = Session("three")
    session.keep(mail.KEPT, three_kinds, 1)
    for text in messages(three_kinds.model, 80, 1):
        flip = mail.read_mail(session, {"text": text})["flip"]
        assert (len(flip["words"]) or None) == brute_force(three_kinds.model, text), text


@given(
    st.lists(st.integers(-6, 6), min_size=1, max_size=7),
    st.integers(-9, 9),
)
def test_the_fewest_words_are_the_fewest_for_any_weights_and_bias(weights, bias):
    """Whole numbers make ties and scores of exactly 0 common, where the first class wins."""
    w = np.array(weights, np.float64)

    def says(left_out) -> int:
        kept = np.delete(w, list(left_out))
        # The sign of b + S / sqrt(m), without a root: that of b and S, or where they differ of b²m against S².
        b, s, m = bias, int(kept.sum()), len(kept)
        if not m or b * s >= 0:
            return int((b if not m else b + s) > 0)
        return int((b > 0) == (b * b * m > s * s) and b * b * m != s * s)

    before = says(())
    lines, biases = np.stack([np.zeros_like(w), w]), np.array([0.0, bias])
    every = range(len(w))
    wanted = next(
        (size for size in range(1, len(w) + 1) if any(says(some) != before for some in combinations(every, size))), None
    )
    found = fewest(lines, biases, before, says)
    assert (None if found is None else len(found.words)) == wanted


def test_what_the_words_add_and_the_bias_are_the_score(three_kinds):
    learned = mail_model.builtin()
    for sample in mail.show_mail(Session("x"), {})["samples"]:
        answer = mail.read_mail(Session("x"), {"text": sample["text"]})
        score = float(learned.model.scores([sample["text"]])[0])
        assert float(answer["score"]) == pytest.approx(score, rel=1e-3)
        assert sum(float(word["adds"]) for word in answer["words"]) + float(answer["bias"]) == pytest.approx(
            score, abs=0.01
        )
        assert answer["predicted"] == learned.model.predict([sample["text"]])[0]
        assert "".join(text for text, _ in answer["pieces"]) == sample["text"]
        for text, place in answer["pieces"]:
            if place >= 0:
                assert answer["words"][place]["word"] == text.lower()
    session = Session("three")
    session.keep(mail.KEPT, three_kinds, 1)
    answer = mail.read_mail(session, {"text": "the ball and the soup"})
    scores = sorted(three_kinds.model.scores(["the ball and the soup"])[0].tolist())
    assert float(answer["score"]) == pytest.approx(scores[-1] - scores[-2], rel=1e-3)


def test_samples_were_not_learned_from_and_the_right_ones_are_counted():
    learned = mail_model.builtin()
    shown = mail.show_mail(Session("x"), {})
    test = learned.test.columns["text"].to_pylist()
    assert all(sample["text"] in test for sample in shown["samples"])
    assert shown["train"] + shown["test"] == read("mail").n_rows
    labels = learned.test.labels.to_pylist()
    assert shown["right"] == sum(a == b for a, b in zip(learned.model.predict(learned.test), labels, strict=True))
    assert shown["right"] > shown["test"] / 2


@pytest.mark.parametrize(
    "text",
    [
        "Ein Wort, zwei Wörter; ΣΊΣΥΦΟΣ und DİYARBAKIR stehen da. A b cc",
        "İİ İstanbul'da ΑΣ ΑΣ. ﬁne ǅabc",
        "don't 3.14 under_score __ x y zz\u0301 日本語 \U0001d400bc",
        "",
    ],
)
def test_words_are_those_of_the_engine_where_they_stand(text):
    (found,) = tokens.find(pa.array([text], pa.large_string()))
    engine = [found.words[int(number)].as_py() for number in found.numbers]
    places = find_words(text)
    assert [place.word for place in places] == engine
    assert all(
        text[place.start : place.end].lower().startswith(place.word) for place in places if "σ" not in place.word
    )
    assert all(a.end <= b.start for a, b in pairwise(places))


# Without Σ: which small letter it becomes depends on the letters around it, beyond the word, and these may be left out.
@given(st.text(alphabet="aB é İ,.-_1\n", max_size=30), st.integers(0, 5))
def test_leaving_words_out_leaves_exactly_the_others(text, which):
    words = [place.word for place in find_words(text)]
    out = set(words[:which])
    assert Counter(place.word for place in find_words(leave_out(text, out))) == Counter(
        word for word in words if word not in out
    )


def test_a_message_of_unknown_words_is_decided_by_the_bias():
    answer = mail.read_mail(Session("x"), {"text": "qqqq zzzz"})
    assert answer["words"] == []
    assert answer["unknown"] == 2
    assert answer["score"] == answer["bias"]
    assert answer["sentence"].startswith("None of its words occurred in training: the bias alone decides")
    assert answer["flip"]["words"] == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "the message is empty"),
        (" \n\t ", "the message is empty"),
        (None, "the message is empty"),
        (["a"], "the message is empty"),
        ("spam " * 209_716, "1,048,580 characters; the lab takes at most 20,000"),
        ("half a letter \ud83d", "lone surrogate"),
    ],
)
def test_messages_that_cannot_be_read_are_refused_in_one_line(session, text, line):
    with pytest.raises(DataError, match=line) as raised:
        mail.read_mail(session, {"text": text})
    assert len(str(raised.value)) < 200


def csv_of(*rows: str) -> bytes:
    return "\n".join(["text,label", *rows]).encode()


OWN = csv_of(
    *(f"the ball went over line {n} of the field,sport" for n in range(20)),
    *(f"the soup needs {n} grains of salt,food" for n in range(20)),
)


def test_own_messages_stay_in_their_session_and_bad_ones_change_nothing():
    with running_lab() as lab, closing(Client(lab)) as mine, closing(Client(lab)) as other:
        story = mine.call("mail_learn", OWN, name="mine.csv")
        assert (story["name"], story["own"], story["classes"]) == ("mine.csv", True, ["food", "sport"])
        learned = mail_model.learn_mail(read_bytes(OWN, "mine.csv"), "mine.csv")
        assert (story["train"], story["right"]) == (learned.n_train, learned.right)
        read = mine.call("mail_read", {"text": "a ball in the field"})
        assert read["predicted"] == learned.model.predict(["a ball in the field"])[0] == "sport"
        assert other.call("mail")["name"] == "the built-in mail"
        assert other.call("mail_read", {"text": "a ball in the field"})["towards"] == "spam"
        for body, line in {
            b"": "mine.csv: the file is empty",
            csv_of('"broken,sport'): "mine.csv, line 2: a quote opens here and never closes",
            b"a,b\n1,2\n3,4\n": "the label could be any of a, b",
            csv_of("one message only here,ham"): "mine.csv",
            b"\x1f\x8b\x08packed": "this is compressed",
        }.items():
            answer = mine.ask("mail_learn", body, name="mine.csv")
            assert answer.status_code == 422
            assert line in answer.json()["error"]
            assert mine.call("mail") == story
        assert mine.call("mail_forget")["name"] == "the built-in mail"


def test_the_label_is_found_where_only_one_column_can_be_it():
    body = OWN.replace(b"text,label", b"message,kind")
    table = with_label(read_bytes(body, "mine.csv"))
    assert (table.label, table.names) == ("kind", ["message"])


def test_a_real_file_of_short_messages_is_learned_well(data):
    lines = (data / "sms-spam" / "SMSSpamCollection").read_bytes()
    session = Session("sms")
    story = mail_file.learn_file(session, b"label\ttext\n" + lines, {"name": "sms.tsv"})
    assert story["train"] + story["test"] == 5574
    assert story["right"] / story["test"] > 0.97
    assert session.size > 0
    answer = mail.read_mail(session, {"text": "WINNER! claim your free prize now, txt to 80888"})
    assert answer["predicted"] == "spam"
    assert len(answer["flip"]["words"]) == brute_force(
        session.get(mail.KEPT).model, "WINNER! claim your free prize now, txt to 80888"
    )


def test_what_is_refused_over_http_is_one_line_with_status_422():
    with running_lab() as lab, closing(Client(lab)) as client:
        for name, body in {
            "bayes": with_count(-1),
            "likelihood": {"values": ["a", "b"], "counts": [1, 51]},
            "digit": {"row": 4000},
            "mail_read": {"text": ""},
        }.items():
            answer = client.ask(name, body)
            assert answer.status_code == 422
            assert "\n" not in answer.json()["error"]
