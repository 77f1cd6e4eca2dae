"""The parts of the page that need no server say what the library says: naive Bayes, XOR, lessons, digits, mail."""

from __future__ import annotations

import json
import math
import random
import re
import subprocess
import sys
from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest

from engine_page import ADDRESS, open_engine, open_page
from notes_table import NOTES
from rosenblatt import NaiveBayes, Perceptron, estimate, prove, trace
from rosenblatt.data import read
from rosenblatt.features import split_rows, tokens
from rosenblatt.features.spans import spans_of
from rosenblatt.lab.builtin import builtin
from rosenblatt.lab.calls import CALLS, RAW_CALLS
from rosenblatt.lab.mail_model import Learned, learn_mail, tell
from rosenblatt.traces import Trace
from rosenblatt.traces.bayes import trace_row
from rosenblatt.traces.numerals import vector
from rosenblatt.web import embed

LARGEST_DATA = 350_000
OF_THE_SERVER = {"builtin", "open", "pick", "weigh", "load", "mail_learn", "review", "corrected"}
FIVE = [[1, 1], [3, 2], [2, 4], [3, 4], [2, 3]], [0, 1, 1, 1, 0]
INPUTS, XOR = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]


@pytest.fixture(scope="module")
def ask(browser):
    ask = open_engine(browser)
    ask("builtin.js", "setBuiltin", [[builtin()]])
    return ask


@pytest.fixture(scope="module")
def learned() -> Learned:
    """The model of the built-in mail, made anew."""
    return learn_mail(read("mail"), "the built-in mail")


def utf16(text: str, place: int) -> int:
    """A place in a text as a browser counts it."""
    return len(text[:place].encode("utf-16-le")) // 2


def one(ask, module: str, name: str, *given):
    return ask(module, name, [given])[0]


def test_the_data_in_the_page_is_small_and_cannot_end_its_script():
    assert len(embed(builtin())) < LARGEST_DATA
    assert "<" not in embed(builtin())


def test_numbers_are_written_as_python_writes_them(ask):
    rng = random.Random(0)
    values = [rng.randint(-(10**6), 10**6) / 64 for _ in range(2000)] + [10 ** rng.uniform(-20, 20) for _ in range(500)]
    values += [0.5, 2.5, 1000.125, 1e16, 123456789012345680.0, 5e-324, 1e-5, 0.0001]
    for digits in (3, 4, 6):
        assert ask("formats.js", "general", [[v, digits] for v in values]) == [f"{v:.{digits}g}" for v in values]
        assert ask("formats.js", "fixed", [[v, digits] for v in values]) == [f"{v:.{digits}f}" for v in values]
    assert ask("formats.js", "floatText", [[v] for v in values]) == [repr(v) for v in values]
    texts = ["it's", 'say "x"', "a\nb\t\\", "é ∞", "\u200b", "𝕏'\""]
    assert ask("formats.js", "repr", [[t] for t in texts]) == [repr(t) for t in texts]
    assert ask("formats.js", "asciiText", [[t] for t in texts]) == [ascii(t) for t in texts]


# Naive Bayes and likelihood


def drawn_tables(seed: int) -> dict:
    rng = random.Random(seed)
    rows = [rng.randint(1, 9), rng.randint(1, 9)]
    features = [{"name": f"w{j}", "counts": [rng.randint(0, n) for n in rows]} for j in range(rng.randint(1, 5))]
    row = [rng.randint(0, 1) for _ in features]
    return {"classes": ["ham", "spam"], "rows": rows, "features": features, "row": row}


def rows_with(tables: dict) -> tuple[np.ndarray, list[str]]:
    """Rows that have these counts: the first so many of each class have the word."""
    X, y = [], []
    for c, n in enumerate(tables["rows"]):
        for i in range(n):
            X.append([int(i < feature["counts"][c]) for feature in tables["features"]])
            y.append(tables["classes"][c])
    return np.array(X), y


def test_every_stop_of_k_says_what_naive_bayes_fitted_to_such_rows_says(ask):
    begin = one(ask, "bayes.js", "bayesExamples", {})
    cases = [*begin["examples"], *map(drawn_tables, range(40))]
    for tables, answer in zip(cases, ask("bayes.js", "bayes", [[case] for case in cases]), strict=True):
        X, y = rows_with(tables)
        model = NaiveBayes(features="binary").fit(X, y)
        assert [stop["k"] for stop in answer["stops"]] == begin["stops"]
        for stop in answer["stops"][::10]:
            model.set_params(k=math.inf if stop["k"] == "∞" else float(stop["k"]))
            assert stop["posterior"] == pytest.approx(model.predict_proba([tables["row"]])[0].tolist(), rel=1e-3)
            assert stop["predicted"] == model.predict([tables["row"]])[0]
            shown = [list(cells[1:]) for cells in trace_row(model, tables["row"]).cells()]
            assert [cells[1:] for cells in stop["cells"]] == shown


LIMIT = {
    "classes": ["a", "b"],
    "rows": [10, 2],
    "features": [{"name": "first", "counts": [0, 2]}, {"name": "second", "counts": [6, 0]}],
    "row": [1, 1],
}


def test_what_has_no_count_is_said_in_words(ask):
    """Two zeros against each other, a value that no row has, a class without rows, and a zero that k mends."""
    never = LIMIT | {"features": [{"name": "never", "counts": [0, 0]}, LIMIT["features"][1]]}
    alone = LIMIT | {"rows": [10, 0], "features": [{"name": "first", "counts": [5, 0]}], "row": [1]}
    mail = one(ask, "bayes.js", "bayesExamples", {})["examples"][0]
    limit, left_out, lone, words = ask("bayes.js", "bayes", [[case] for case in (LIMIT, never, alone, mail)])
    first = limit["stops"][0]
    assert (first["k"], first["posterior"]) == ("0", [0.375, 0.625])  # 0.6 : 1
    assert first["words"][-1].startswith("Every class has a factor of 0. The limit k → 0 decides")
    assert [bar["text"] for bar in first["odds"]["bars"][1:]] == ["+∞", "-∞"]
    first = left_out["stops"][0]
    assert first["odds"]["bars"][1] == {"name": "never = 1", "value": 0.0, "text": "left out", "zeros": 0}
    assert "No row of either class has never = 1, so that factor is left out." in first["words"]
    for stop in lone["stops"]:
        assert stop["posterior"] == [1, 0]
        assert stop["odds"]["bars"][0]["text"] == stop["odds"]["total"] == "-∞"
        assert "There is no b row at all: P(b) = 0." in stop["words"]
    assert words["zeros"][[feature["name"] for feature in mail["features"]].index("minute")] == [True, False]
    stops = {stop["k"]: stop["words"] for stop in words["stops"]}
    assert stops["0"][0].startswith("None of the 34 ham rows has minute = 1: with k = 0 its factor is 0/34 = 0")
    assert stops["0"][1] == "With k = 0 such a row cannot be ham, whatever its other words say."
    assert "(0 + 1)/(34 + 1·2) = 0.0277778 instead of 0" in stops["1"][0]
    assert "P(y) alone decides" in stops["∞"][0]


def test_no_table_claims_a_source_that_has_none_like_it(ask):
    """No source holds a table of counts with rows: the one of the mail is counted here, the other was made here."""
    examples = one(ask, "bayes.js", "bayesExamples", {})["examples"]
    assert [each["title"] for each in examples if re.search("notes|source", each["title"] + each["about"], re.I)] == []
    assert [each["title"] for each in examples if "Made for this page" in each["about"]] == ["Every class impossible"]


def test_the_counts_to_begin_with_are_those_of_the_built_in_mail(ask):
    mail = one(ask, "bayes.js", "bayesExamples", {})["examples"][0]
    table = read("mail")
    texts = [f"{s}\n{t}" for s, t in zip(*(table.columns[c].to_pylist() for c in ("subject", "text")), strict=True)]
    labels = table.labels.to_pylist()
    for feature in mail["features"]:
        found = [label for text, label in zip(texts, labels, strict=True) if feature["name"] in words_of(text)]
        assert feature["counts"] == [found.count(name) for name in mail["classes"]]
    assert mail["rows"] == [labels.count(name) for name in mail["classes"]]


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"classes": ["a"]}, "the tables are for two classes; got 1. Name two."),
        ({"rows": ["3", "x"]}, "rows of spam: give a whole number from 0 to 1000000; got 'x'."),
        ({"classes": ["a", "a"]}, "classes must have different names; got a, a."),
        ({"rows": [0, 0]}, "both classes have 0 rows, so there is nothing to count. Give one of them a row."),
        ({"features": [1]}, "each feature must have a name and its counts."),
        ({"row": [2]}, "w in the row: give a whole number from 0 to 1; got 2."),
        (
            {"features": [{"name": "w", "counts": [9, 0]}]},
            "w in ham: give a whole number from 0 to 4 (there are 4 ham rows); got 9.",
        ),
    ],
)
def test_tables_that_cannot_be_are_refused_in_one_line(ask, change, line):
    tables = {"classes": ["ham", "spam"], "rows": [4, 5], "features": [{"name": "w", "counts": [1, 2]}], "row": [1]}
    assert one(ask, "bayes.js", "bayes", tables | change) == {"problem": line, "status": 400}


def test_the_likelihood_of_counts_is_that_of_estimate(ask):
    rng = random.Random(1)
    counts = [[7, 3], [2, 1], [0, 5], [5, 0], [0, 0], *([rng.randint(0, 50), rng.randint(0, 50)] for _ in range(20))]
    asked = [[{"values": ["heads", "tails"], "counts": pair}] for pair in counts]
    for pair, answer in zip(counts, ask("likelihood.js", "likelihood", asked), strict=True):
        found = estimate({"heads": pair[0], "tails": pair[1]})
        assert answer["top"] == f"{float(found.likelihood()):.4g}"
        assert "\n".join(answer["formulas"]) in str(found)
        for place in answer["places"][1:-1:7]:
            assert place["likelihood"] == f"{float(found.likelihood(place['theta'])):.4g}"
            assert float(place["log"]) == pytest.approx(found.log_likelihood(place["theta"]), abs=1e-4)
            assert float(place["slope"]) == pytest.approx(float(found.log_derivative(place["theta"])), rel=1e-3)
        for stop in answer["stops"]:
            smoothed = found.smoothed(math.inf if stop["k"] == "∞" else float(stop["k"]))
            assert stop["theta"] == pytest.approx(float(smoothed.theta), rel=1e-5)


# XOR and the lessons


def test_xor_is_proved_impossible_and_solved_twice(ask):
    story = one(ask, "xor.js", "xor", {})
    verdict = prove(INPUTS, XOR)
    assert [part["row"] for part in story["proof"]["parts"]] == list(verdict.rows)
    assert {part["weight"] for part in story["proof"]["parts"]} == {"1/4"}
    assert story["proof"]["sum"] == "[0, 0, 0]"
    assert story["proof"]["meet"] == [[0.5, 0.5], [0.5, 0.5]]
    for unit, labels in zip(story["network"]["units"], ([0, 1, 1, 1], [0, 0, 0, 1]), strict=False):
        run = trace(INPUTS, labels, passes=1000)
        assert (unit["weights"], unit["passes"], unit["mistakes"]) == (
            run.weights.tolist(),
            run.n_passes,
            run.n_mistakes,
        )
    assert story["network"]["right"] == 4
    more = np.column_stack([INPUTS, np.prod(INPUTS, axis=1)])
    run = trace(more, XOR, passes=1000)
    product = story["product"]
    assert (product["weights"], product["mistakes"]) == (run.weights.tolist(), run.n_mistakes)
    assert float(product["margin"]) == pytest.approx(prove(more, XOR).best_margin[0], rel=1e-5)


def test_shapes_of_a_product_column_are_where_the_score_is_positive(ask):
    rng = np.random.default_rng(3)
    weights = [[-3, 4, 3, -6], [0, 1, 1, -2], [1, 0, 0, 0], [0, 0, 0, 0], *rng.integers(-5, 6, (30, 4)).tolist()]
    window = [-0.5, 1.5, -0.5, 1.5]
    for w, found in zip(weights, ask("xor_plane.js", "productShapes", [[window, w] for w in weights]), strict=True):
        for x, y in rng.uniform(-0.5, 1.5, (40, 2)):
            score = w[0] + w[1] * x + w[2] * y + w[3] * x * y
            if abs(score) > 0.05:
                assert any(inside((x, y), region) for region in found["regions"]) == (score > 0), (w, x, y)


def inside(point: tuple[float, float], polygon: list[list[float]]) -> bool:
    """Whether a point lies in a polygon, by how often a ray to the right crosses its edge."""
    x, y = point
    ends = zip(polygon, [*polygon[1:], polygon[0]], strict=True)
    return sum((b > y) != (d > y) and x < a + (y - b) / (d - b) * (c - a) for (a, b), (c, d) in ends) % 2 == 1


def test_the_lessons_speak_of_the_runs_and_proofs_of_the_library(ask):
    names = ["line", "update", "bias", "classes", "separable", "smoothing", "many"]
    line, update, bias, classes, separable, smoothing, many = ask(
        "lessons.js", "lesson", [[{"name": n}] for n in names]
    )
    notes = [[cell.strip() for cell in row.strip("|").split("|")] for row in NOTES.splitlines()[2:]]
    assert update["facts"]["table"] == notes
    whole = trace(*FIVE, start=[-1, 0, 0], passes=300)
    assert update["facts"]["final"] == vector(whole.weights.tolist())
    assert (update["facts"]["passes"], update["facts"]["mistakes"]) == (whole.n_passes, whole.n_mistakes)
    verdict = prove(*FIVE)
    assert separable["facts"]["bound"] == f"{verdict.best.mistake_bound:,}"
    assert separable["facts"]["mistakes"] == Perceptron(shuffle=False, tol=None).fit(*FIVE).n_mistakes_
    assert separable["facts"]["sets"][1]["bound"] == bound_of(separable["benches"]["thin"])
    assert prove([[1, 1], [0, 1], [3, 3], [4, 1]], [0, 0, 1, 1], bias=False).kind == "inseparable"
    assert bias["facts"]["impossible"].startswith("Not separable through the origin")
    assert [option["right"] for option in line["facts"]["options"]] == [True, False, False]
    assert classes["facts"]["winner"] == "class 1"
    assert smoothing["facts"]["smoothed"] == {"value": 0.6, "sum": "(2 + 1)/(3 + 1·2) = 0.6"}
    run = trace(many["benches"]["thousand"]["points"], many["benches"]["thousand"]["labels"], passes=1)
    assert many["facts"]["after"] == vector(run.weights.tolist())
    assert many["facts"]["right"]["final"] == "511"
    refused = one(ask, "lessons.js", "lesson", {"name": "none"})
    assert refused["problem"].startswith("name must be one of 'line', 'update'")


def bound_of(laid: dict) -> str:
    return f"{prove(laid['points'], laid['labels']).best.mistake_bound:,}"


# Digits, drawings and mail


@pytest.fixture(scope="module")
def digit_rows():
    """Training rows before test rows, as the page has them, and how many are for training."""
    table = read("digits")
    X = np.array(table.columns["pixel"].to_pylist(), float)
    y = table.labels.to_numpy()
    split = split_rows(table, y, seed=0, parts=(0.8, 0.0, 0.2))
    return X[split.train], y[split.train], X[split.test], y[split.test]


def test_the_digits_are_learned_to_the_bits_of_the_perceptron(ask, digit_rows):
    X, y, test, truth = digit_rows
    shown = one(ask, "digits.js", "digits", {})
    images = np.array(shown["weights"]).reshape(len(shown["moments"]), 10, 64)
    for number, name in ((10, "after pass 1"), (11, "after pass 2"), (len(images) - 1, "")):
        passes = int(shown["moments"][number]["name"].split()[-1])
        assert shown["moments"][number]["name"].endswith(name)
        model = Perceptron(weights="final", max_iter=passes, tol=None, random_state=0).fit(X, y)
        assert np.array_equal(images[number], model.coef_)
        assert shown["moments"][number]["bias"] == model.intercept_.tolist()
        assert shown["moments"][number]["right"] == np.sum(model.predict(test) == truth)
    assert shown["stopped"] == "separated"
    assert np.array_equal(np.array(shown["images"]).reshape(-1, 64), test)
    assert shown["wrong"][-1] == np.flatnonzero(model.predict(test) != truth).tolist()
    assert not images[0].any()
    names = [moment["name"] for moment in shown["moments"][:3]]
    assert names == ["before the first digit", "mistake 1, in pass 1", "mistake 2, in pass 1"]
    assert np.count_nonzero(images[1].any(axis=1)) == 2
    assert not images[1].sum(axis=0).any(), "what one class gets the other loses"
    told = one(ask, "digits.js", "digit", {"row": 7})
    assert told["moments"][-1]["scores"] == model.decision_function(test[7:8])[0].tolist()
    adds = np.array(told["adds"]).reshape(images.shape)
    assert (adds.sum(axis=2)[-1] + told["moments"][-1]["bias"]).tolist() == told["moments"][-1]["scores"]
    for row, got in ((359, "360"), (-1, "0"), (1.5, "1.5"), (True, "True"), ("x", "'x'"), (None, "None")):
        line = f"there are digits 1 to 359 to choose from; got {got}."
        assert one(ask, "digits.js", "digit", {"row": row}) == {"problem": line, "status": 400}


def blown_up(image: np.ndarray, rng: np.random.Generator) -> list[int]:
    """A digit of 8 × 8 on a canvas of 72 × 72, at a random place and size, with hard edges."""
    size = rng.integers(36, 64)
    places = (np.arange(size) + 0.5) * 10 / size - 1.5  # with a rim of paper
    padded = np.pad(image.reshape(8, 8) / 16, 2)
    low = np.floor(places).astype(int)
    part = places - low
    across = padded[:, low + 2] * (1 - part) + padded[:, low + 3] * part
    large = across[low + 2] * (1 - part)[:, None] + across[low + 3] * part[:, None]
    canvas = np.zeros((72, 72), int)
    top, left = rng.integers(0, 72 - size, 2)
    canvas[top : top + size, left : left + size] = large >= 0.5
    return canvas.ravel().tolist()


def test_digits_that_were_blown_up_are_recognised_wherever_and_however_large_they_are(ask, digit_rows):
    X, y, *_ = digit_rows
    rng = np.random.default_rng(0)
    canvases = [blown_up(image, rng) for image in X[::5]]
    found = ask("digit_drawing.js", "readDrawing", [[{"strokes": [canvas]}] for canvas in canvases])
    right = np.mean([each["predicted"] for each in found] == y[::5])
    assert right >= 0.85
    assert all(0 <= value <= 16 for each in found for value in each["pixels"])


def test_what_strokes_and_pixels_add_are_the_scores_of_a_drawing(ask):
    one_stroke, other = np.zeros((40, 40)), np.zeros((40, 40))
    one_stroke[5:35, 10:13] = 1
    other[18:21, 10:30] = 1
    given = {"strokes": [one_stroke.ravel().tolist(), other.ravel().tolist()]}
    found = one(ask, "digit_drawing.js", "readDrawing", given)
    bias = np.array(one(ask, "digits.js", "digits", {})["moments"][-1]["bias"])
    assert (np.sum(found["strokes"], axis=0) + bias).tolist() == found["scores"]
    assert (np.sum(found["adds"], axis=1) + bias).tolist() == found["scores"]
    empty = one(ask, "digit_drawing.js", "readDrawing", {"strokes": []})
    assert (empty["predicted"], sum(empty["pixels"])) == (None, 0)
    refused = one(ask, "digit_drawing.js", "features", [1, 1, 1])
    assert refused["problem"] == "a drawing must be a square of numbers; got 3 of them."


def words_of(text: str) -> set[str]:
    return {word for part in tokens.find(pa.array([text], pa.large_string())) for word in part.words.to_pylist()}


TEXTS = [
    "Straße ΑΣ İstanbul free MONEY",
    "CLICK NOW!!! don't_do it",
    "naïve café 日本語 free ½ ² x̂y",
    "ǅabc Ⅷ free 🎉 now",
    "Free   money\t\tnow  please",
    "nothing known hereabouts",
]


def test_words_of_a_message_are_those_of_training(ask):
    for text, found in zip(TEXTS, ask("mail_words.js", "findWords", [[text] for text in TEXTS]), strict=True):
        assert {place["word"] for place in found} == words_of(text)


def test_mail_is_read_as_the_model_of_the_library_reads_it(ask, learned):
    model, shown = learned.model, one(ask, "mail.js", "mail", {})
    assert (shown["words"], shown["train"], shown["test"]) == (model.plan.width, learned.n_train, learned.test.n_rows)
    assert shown["right"] == learned.right
    tests = learned.test.columns["text"].to_pylist()
    assert len(shown["samples"]) >= 4
    assert all(sample["text"] in tests for sample in shown["samples"]), "none was learned from"
    assert {name: [(w["word"], float(w["weight"])) for w in some] for name, some in shown["heaviest"].items()} == {
        name: [(word, pytest.approx(weight, rel=1e-5)) for word, weight in some]
        for name, some in model.heaviest(8).items()
    }
    texts = [*TEXTS, *learned.test.columns["text"].to_pylist()]
    for text, read_ in zip(texts, ask("mail.js", "mailRead", [[{"text": text}] for text in texts]), strict=True):
        row = model.texts([text])
        assert read_["predicted"] == model.predict(row)[0]
        score = float(model.scores(row)[0])
        assert read_["score"] == f"{score:+.4g}"
        words = [word["word"] for word in read_["words"]]
        there = sorted((one["start"], one["end"], words[one["place"]]) for one in read_["spans"])
        assert there == sorted(
            (utf16(text, start), utf16(text, stop), model.plan.names[feature])
            for start, stop, feature in spans_of(model.plan.lines[0], text)
        )
        adds = dict(zip(model.plan.names, model.explain(row).contributions[0].tolist(), strict=True))
        assert {w["word"]: w["adds"] for w in read_["words"]} == {
            w["word"]: f"{adds[w['word']]:+.4g}" if adds[w["word"]] else "0" for w in read_["words"]
        }
        if read_["flip"]["words"]:
            assert model.predict(model.texts([read_["flip"]["text"]])) == [read_["flip"]["becomes"]]


def brute_force(model, text: str) -> int | None:
    """The size of the smallest set of words without which the message is something else, by trying all sets."""
    words, before = set(text.split()), model.predict([text])[0]
    for size in range(1, len(words) + 1):
        rests = [" ".join(words - set(some)) for some in combinations(sorted(words), size)]
        if any(label != before for label in model.predict(rests)):
            return size
    return None


def drawn_messages(model, count: int, most: int) -> list[str]:
    """Different words of the 60 that weigh most."""
    rng = np.random.default_rng(count)
    heavy = np.argsort(-np.abs(np.atleast_2d(model.learner.weights)[:, :-1]).max(axis=0))[:60]
    names = [model.plan.names[j] for j in heavy]
    size = min(most, len(names))
    return [" ".join(rng.choice(names, rng.integers(1, size + 1), replace=False)) for _ in range(count)]


def three_kinds() -> Learned:
    """A model of three classes, whose messages share many words."""
    rng = np.random.default_rng(3)
    words = {"sport": "ball goal team win", "food": "bread soup salt win", "home": "wall door roof team"}
    common = ["the", "and", "of", "to", "is", "it", "was", "on"]
    rows = [(name, own.split()) for name, own in words.items() for _ in range(40)]
    texts = [" ".join([*rng.choice(own, 3), *rng.choice(common, 4)]) for _, own in rows]
    return learn_mail(read(pa.table({"text": texts, "kind": [name for name, _ in rows]}), "kind"), "three kinds")


def test_the_fewest_words_are_the_fewest_by_brute_force(ask, learned):
    own = three_kinds()
    for found, given in ((own, {"learned": tell(own)}), (learned, {})):
        shown = one(ask, "mail.js", "mail", given)
        assert (shown["name"], shown["own"], shown["train"]) == (found.name, bool(given), found.n_train)
        texts = drawn_messages(found.model, 60, 8)
        sizes = set()
        for text, told in zip(texts, ask("mail.js", "mailRead", [[{"text": text}] for text in texts]), strict=True):
            assert told["predicted"] == found.model.predict([text])[0]
            flip = told["flip"]
            assert (len(flip["words"]) or None) == brute_force(found.model, text), text
            if flip["words"]:
                assert found.model.predict([flip["text"]]) == [flip["becomes"]]
            sizes.add(len(flip["words"]))
            scores = found.model.scores([text])[0]
            lead = scores if not given else np.sort(scores)[-1] - np.sort(scores)[-2]
            assert float(told["score"]) == pytest.approx(float(lead), rel=1e-3)
            adds = sum(float(word["adds"]) for word in told["words"])
            assert adds + float(told["bias"]) == pytest.approx(float(lead), abs=0.01)
        assert len(sizes) >= 3, sizes


def test_a_message_of_unknown_words_is_decided_by_the_bias(ask):
    told = one(ask, "mail.js", "mailRead", {"text": "qqqq zzzz"})
    assert (told["words"], told["unknown"], told["flip"]["words"]) == ([], 2, [])
    assert told["score"] == told["bias"]
    assert told["sentence"].startswith("None of its words occurred in training: the bias alone decides")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("  ", "the message is empty. Type or paste some words."),
        (3, "the message is empty. Type or paste some words."),
        ("half a letter \ud83d", "the message holds half a character (a lone surrogate). Paste it anew."),
        ("x" * 20_001, "the message has 20,001 characters; the lab takes at most 20,000. Paste a part."),
    ],
)
def test_messages_that_cannot_be_read_are_refused_in_one_line(ask, text, line):
    assert one(ask, "mail.js", "mailRead", {"text": text}) == {"problem": line, "status": 400}


# What is taken away


def benches() -> list[dict]:
    rng = random.Random(5)
    found = []
    for _ in range(24):
        n_classes, width, bias = rng.choice([2, 2, 3, 6]), rng.choice([1, 2, 2, 5]), rng.random() < 0.7
        settings = {
            "bias": bias,
            "passes": rng.choice([1, 3, 30]),
            "ties": rng.choice(["mistake", "positive", "negative"]),
            "alpha": rng.choice([1, 0.5, 37 / 64]),
            "margin": rng.choice([0, 0, 1.25]),
            "seed": rng.randint(0, 9),
            "order": rng.choice(["given", "shuffled", "first wrong", "worst first"]),
        }
        if rng.random() < 0.4:
            lines = [[rng.randint(-100, 100) / 64 for _ in range(width + bias)] for _ in range(n_classes)]
            settings["start"] = lines[0] if n_classes == 2 else lines
        points = [[rng.randint(-200, 200) / rng.choice([1, 64]) for _ in range(width)] for _ in range(9)]
        names = ["it's", '<&"é', "c", "d", "e", "f"][:n_classes]
        labels = [i % n_classes for i in range(9)]
        found.append({"points": points, "labels": labels, "classes": names, "settings": settings})
    return found


def test_a_trace_that_is_taken_away_is_the_run_of_the_library(ask):
    """Reading it makes the run anew, and refuses a step, a loss or an end that is not the engine's."""
    for body in benches():
        again = Trace.from_json(one(ask, "takeaway.js", "takeaway", body | {"form": "json"})["text"])
        answer = one(ask, "answer.js", "run", body)
        assert np.ravel(again.weights).tolist() == answer["final"]["final"]
        assert len(again) == answer["n_steps"]


def test_the_command_of_the_five_points(ask):
    points, labels = FIVE
    body = {"points": points, "labels": labels, "settings": {"start": [-1, 0, 0], "passes": 300}, "form": "command"}
    assert one(ask, "takeaway.js", "takeaway", body)["text"] == (
        "cat > points.csv <<'END'\nx1,x2,label\n1,1,0\n3,2,1\n2,4,1\n3,4,1\n2,3,0\nEND\n"
        "rosenblatt trace points.csv --label label --passes 232 --ties mistake --start=-1,0,0\n"
    )
    for change, line in (({"form": "exe"}, "form must be"), ({"form": "python", "weights": "best"}, "weights must be")):
        assert one(ask, "takeaway.js", "takeaway", body | change)["problem"].startswith(f"{line} one of")


def test_nothing_that_was_typed_can_run_in_what_is_taken_away(ask):
    hostile = "'''\"\nimport os; os._exit(9) # </script> $(exit 9) `exit 9`"
    points, labels = FIVE
    body = {"points": points, "labels": labels, "classes": [hostile, "+1"], "settings": {"passes": 3}}
    page = one(ask, "takeaway.js", "takeaway", body | {"form": "player"})["text"]
    assert hostile not in page
    assert apart(page)[1]["classes"] == [hostile, "+1"]
    names: dict[str, object] = {}
    exec(one(ask, "takeaway.js", "takeaway", body | {"form": "python"})["text"], names)
    assert names["classes"] == [hostile, "+1"]


def test_the_player_s_page_is_that_of_the_library(ask):
    for body in benches()[:10]:
        text = one(ask, "takeaway.js", "takeaway", body | {"form": "json"})["text"]
        own = one(ask, "takeaway.js", "takeaway", body | {"form": "player"})["text"]
        begin, data, end = apart(Trace.from_json(text).to_html())
        assert apart(own)[::2] == (begin, end)
        assert apart(own)[1] == data | {"numbers": sorted(set(body["labels"]))}


def apart(page: str) -> tuple[str, dict, str]:
    """A page before its data, the data, and the page behind it."""
    begin, rest = page.split('<script type="application/json" id="data">')
    data, end = rest.split("</script>", 1)
    return begin, json.loads(data), end


def test_python_and_command_make_the_same_run_and_check_accepts_the_certificate(ask, tmp_path):
    for body in benches()[:4]:
        answer = one(ask, "answer.js", "run", body)
        names: dict[str, object] = {}
        exec(one(ask, "takeaway.js", "takeaway", body | {"form": "python"})["text"], names)
        assert ascii(names["classes"]) == ascii(body["classes"])
        if "run" in names:
            assert np.ravel(names["run"].weights).tolist() == answer["final"]["final"]
        else:
            model = names["model"]
            bias = [model.intercept_[:, None]] if body["settings"]["bias"] else []
            assert np.hstack([*bias, model.coef_]).ravel().tolist() == answer["final"]["final"]
    body = benches()[0]
    command = one(ask, "takeaway.js", "takeaway", body | {"form": "command"})["text"]
    subprocess.run(
        ["sh", "-c", command.replace("rosenblatt trace", f"{sys.executable} -m rosenblatt trace")],
        **{"cwd": tmp_path, "check": True, "capture_output": True, "timeout": 120},
    )
    (tmp_path / "certificate.json").write_text(one(ask, "proof.js", "certificate", body)["text"])
    checked = [sys.executable, "-m", "rosenblatt", "check", "certificate.json", "points.csv", "--label", "label"]
    done = subprocess.run(checked, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("The certificate holds")


def test_every_call_is_the_page_s_or_the_server_s_and_only_proofs_are_both(browser):
    names = "(module) => import(module).then(({ LOCAL }) => Object.keys(LOCAL))"
    found = set(open_page(browser).evaluate(names, f"{ADDRESS}calls.js"))
    assert set(CALLS) | set(RAW_CALLS) == OF_THE_SERVER | {"proof"}
    assert found & (OF_THE_SERVER | {"proof"}) == {"proof"}
