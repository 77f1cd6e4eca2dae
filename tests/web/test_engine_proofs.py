"""What the page proves by itself is what `prove` proves, and its certificates are accepted by `check`."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

from engine_page import open_engine
from rosenblatt import prove
from rosenblatt.errors import DataError
from rosenblatt.proofs import Inseparable, Separable, Undecided, from_json

KINDS = ("separable", "any", "collinear", "duplicates", "few places", "thin")
COUNT = 60  # sets of each kind


@pytest.fixture(scope="module")
def ask(browser):
    return open_engine(browser)


def drawn(kind: str, seed: int) -> dict:
    """A set on the plane, in multiples of 1/64: two to six classes, with and without a bias, one to three features."""
    rng = random.Random(f"{kind} {seed}")
    n_classes, width = rng.choice([2, 2, 2, 3, 4, 6]), rng.choice([1, 2, 2, 2, 3])
    count, size = rng.randint(n_classes, rng.choice([8, 30, 90])), rng.choice([2, 64, 640, 64_000])
    points = [[rng.randint(-size, size) / 64 for _ in range(width)] for _ in range(count)]
    labels = [row % n_classes for row in range(count)]
    if kind == "collinear":
        points = [[point[0]] * width for point in points]
    if kind == "few places":
        points = [[float(rng.randint(0, 2)) for _ in range(width)] for _ in range(count)]
    if kind in ("separable", "thin", "duplicates", "collinear"):
        lines = [[rng.uniform(-1, 1) for _ in range(width + 1)] for _ in range(n_classes)]
        lines[0][0] += 0.1 * (kind == "thin")
        by = [[line[0] * size / 200 + np.dot(line[1:], point) for line in lines] for point in points]
        labels = [int(np.argmax(scores)) for scores in by]
        if len(set(labels)) < 2:
            labels[0] = (labels[0] + 1) % n_classes
    if kind == "duplicates":
        points, labels = [*points, points[0]], [*labels, (labels[0] + 1) % n_classes]
    return {"points": points, "labels": labels, "settings": {"bias": rng.random() < 0.6}}


def rows_of(body: dict) -> tuple[np.ndarray, np.ndarray, bool]:
    codes = np.unique(body["labels"], return_inverse=True)[1]
    return np.array(body["points"]), codes, body["settings"]["bias"]


@pytest.mark.parametrize("kind", KINDS)
def test_verdicts_are_those_of_prove_and_their_certificates_hold(ask, kind):
    bodies = [drawn(kind, seed) for seed in range(COUNT)]
    told = ask("proof.js", "proof", [[body] for body in bodies])
    texts = ask("proof.js", "certificate", [[body] for body in bodies])
    for body, found, text in zip(bodies, told, texts, strict=True):
        X, y, bias = rows_of(body)
        verdict, own = prove(X, y, bias=bias), from_json(text["text"])
        assert found["kind"] == verdict.kind == own.kind, body
        assert own.check(X, y)
        if isinstance(verdict, Separable):
            low, high = verdict.best_margin
            assert low <= found["margin"] <= found["best_margin"][1] <= high * (1 + 1e-15)
            assert found["best_margin"][1] <= found["margin"] * (1 + 1e-15), "nothing is left between the two bounds"
            assert found["bound"] <= verdict.best.mistake_bound
            assert found["gap"] == pytest.approx(verdict.best.gap, rel=1e-6)


def test_the_best_margin_of_the_five_points_is_that_of_the_notes(ask):
    points, labels = [[1, 1], [3, 2], [2, 4], [3, 4], [2, 3]], [0, 1, 1, 1, 0]
    body = {"points": points, "labels": labels, "settings": {"start": [-1, 0, 0]}}
    found = ask("proof.js", "proof", [[body]])[0]
    assert found["margin"] == pytest.approx(245**-0.5, rel=1e-15)
    assert found["bound"] == int((found["radius"] / found["margin"]) ** 2) == 6370
    assert found["bound_here"] >= 446
    rows = np.column_stack([np.ones(5), points]) * np.where(np.array(labels) == 1, 1, -1)[:, None]
    weights = np.array(found["weights"])
    assert (rows @ weights).min() / np.linalg.norm(weights) == pytest.approx(found["margin"])
    assert "margin γ = 0.06389" in found["words"]


def test_what_cannot_be_separated_says_why(ask):
    corners = {"points": [[0, 0], [0, 1], [1, 0], [1, 1]], "labels": [0, 1, 1, 0]}
    twins = {"points": [[1, 1], [0, 3], [1, 1]], "labels": [0, 0, 1]}
    origin = {"points": [[0, 0], [1, 1]], "labels": [0, 1], "settings": {"bias": False}}
    found, same, zero = ask("proof.js", "proof", [[corners], [twins], [origin]])
    assert (found["kind"], found["rows"], found["multipliers"]) == ("inseparable", [0, 1, 2, 3], [1, 1, 1, 1])
    assert found["sum"] == [0, 0, 0]
    assert "sum to [0, 0, 0] exactly" in found["words"]
    assert same["words"] == "Not separable: points 1 and 3 lie in the same place and are of different classes."
    assert "point 1 is the origin" in zero["words"]
    cycle = ask("answer.js", "run", [[corners]])[0]["cycle"]
    assert (cycle["passes"], cycle["rows"], cycle["updates"]) == (1, [0, 1, 2, 3], [1, 1, 1, 1])


def test_weights_are_whole_numbers_and_separate_with_the_margin_claimed(ask):
    bodies = [drawn("separable", seed) for seed in range(30)]
    for body, text in zip(bodies, ask("proof.js", "certificate", [[body] for body in bodies]), strict=True):
        own = from_json(text["text"])
        if not isinstance(own, Separable):
            continue
        X, y, bias = rows_of(body)
        lines = [[int(w) for w in line] for line in np.atleast_2d(own.weights)]
        lines = [[0] * len(lines[0]), *lines] if len(lines) == 1 else lines
        leads = []
        for point, code in zip(X.tolist(), y.tolist(), strict=True):
            f = [Fraction(v) for v in ([1.0] if bias else []) + point]
            scores = [sum(w * v for w, v in zip(line, f, strict=True)) for line in lines]
            leads += [scores[code] - score for c, score in enumerate(scores) if c != code]
        square = sum(w * w for line in lines for w in line)
        assert min(leads) > 0
        assert min(leads) ** 2 >= Fraction(own.margin) ** 2 * square


def test_a_changed_certificate_is_refused(ask):
    body = {"points": [[0, 0], [0, 1], [1, 0], [1, 1]], "labels": [0, 0, 0, 1], "settings": {"bias": True}}
    X, y, _ = rows_of(body)
    text = ask("proof.js", "certificate", [[body]])[0]["text"]
    with pytest.raises(DataError, match="checksum"):
        from_json(text.replace('"margin":', '"margin":1'))
    with pytest.raises(DataError, match="other data"):
        from_json(text).check(X + 1 / 64, y)


def test_the_bound_of_a_run_holds_for_its_start_margin_and_rate(ask):
    rng = random.Random(0)
    bodies = []
    for seed in range(40):
        body = drawn("separable", seed)
        if len(set(body["labels"])) == 2:
            width = len(body["points"][0]) + body["settings"]["bias"]
            body["settings"] |= {"alpha": rng.randint(1, 128) / 64, "margin": rng.randint(0, 64) / 64}
            body["settings"]["start"] = [rng.randint(-64, 64) / 64 for _ in range(width)]
            body["settings"]["passes"] = 100
            bodies.append(body)
    proofs = ask("proof.js", "proof", [[body] for body in bodies])
    runs = ask("answer.js", "run", [[body] for body in bodies])
    ended = [(p, r) for p, r in zip(proofs, runs, strict=True) if p["kind"] == "separable"]
    assert len(ended) > 5
    assert all(run["n_updates"] <= proof["bound_here"] for proof, run in ended)


def test_what_is_not_decided_is_said_and_its_bound_is_proved(ask):
    body = drawn("any", 3)
    X, y, bias = rows_of(body)
    given = {"points": body["points"], "codes": y.tolist(), "classes": sorted(set(y.tolist())), "bias": bias}
    found = ask("proof.js", "prove", [[given, 0]])[0]
    assert found["kind"] == "undecided"
    assert found["high"] > 0
    words = ask("proof.js", "undecidedWords", [[found, given]])[0]
    assert "neither proof was found" in words
    assert "rosenblatt prove" in words
    text = ask("proof.js", "certificateAfter", [[given, 0]])[0]
    own = from_json(text)
    assert isinstance(own, Undecided)
    assert own.check(X, y)


def test_two_thousand_points_of_six_classes_are_decided(ask):
    rng = np.random.default_rng(0)
    points = np.round(rng.normal(size=(2000, 2)) * 200) / 64
    angles = np.arange(6) * np.pi / 3
    labels = np.argmax(points @ np.array([np.cos(angles), np.sin(angles)]), axis=1)
    for codes, kind in ((labels, Separable), ((labels + (np.arange(2000) == 7)) % 6, Inseparable)):
        body = {"points": points.tolist(), "labels": codes.tolist(), "settings": {}}
        own = from_json(ask("proof.js", "certificate", [[body]])[0]["text"])
        assert isinstance(own, kind)
        assert own.check(points, codes)
