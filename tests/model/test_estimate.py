"""Maximum likelihood and smoothing of counts: the notes' numbers, the reference, pictures, the command."""

from __future__ import annotations

import json
import math
import random
import re
from fractions import Fraction
from xml.etree import ElementTree

import numpy as np
import pytest
from click.testing import CliRunner

from rosenblatt import NaiveBayes, cli, estimate, train
from rosenblatt.errors import SettingError
from rosenblatt.reference import likelihood as reference
from rosenblatt.reference import naive_bayes as plain
from rosenblatt.store import load, save

COIN, BALLS = {"heads": 7, "tails": 3}, {"red": 2, "blue": 1}
STRENGTHS = (0, 0.1, 1, 2.5, 100, 1e300, math.inf)


def test_the_balls_and_the_coin_of_the_notes():
    balls, coin = estimate(BALLS), estimate(COIN)
    assert (balls.theta, balls.likelihood(), balls.derivative()) == (Fraction(2, 3), Fraction(4, 27), 0)
    assert balls.zeros == {Fraction(0): "minimum", Fraction(2, 3): "maximum"}
    assert (coin.theta, coin.likelihood(Fraction(1, 2)), coin.log_derivative()) == (
        Fraction(7, 10),
        Fraction(1, 1024),
        0,
    )
    assert coin.log_likelihood() == pytest.approx(7 * math.log(0.7) + 3 * math.log(0.3), rel=1e-15)
    assert "L′(θ) = θ · (2 − 3θ), 0 at θ = 0 (minimum), 2/3 (maximum)" in str(balls)
    assert estimate({"red": 2, "blue": 1}, k=math.inf).theta == Fraction(1, 2)


def test_everything_agrees_with_the_plain_rule():
    draw = random.Random(0)
    for _ in range(200):
        counts = [draw.choice((0, 1, 2, draw.randrange(40))) for _ in range(draw.choice((2, 2, 3, 5)))]
        found = estimate(dict(enumerate(counts)))
        for k in STRENGTHS:
            exactly = k if k == math.inf else Fraction(repr(float(k)))
            wanted = reference.estimate(counts, exactly if k else Fraction(0))
            assert list(found.smoothed(k).probabilities.values()) == pytest.approx(
                [Fraction(p) for p in wanted], rel=1e-15
            )
        parts = [draw.randrange(5) for _ in counts]
        parts[0] += not sum(parts)
        theta = {v: Fraction(part, sum(parts)) for v, part in enumerate(parts)}
        chances = list(theta.values())
        assert found.likelihood(theta) == reference.likelihood(counts, chances)
        assert found.log_likelihood(theta) == pytest.approx(reference.log_likelihood(counts, chances), rel=1e-14)
        if len(counts) == 2:
            assert found.derivative(chances[0]) == reference.derivative(*counts, chances[0])


def test_no_theta_is_more_likely_than_the_shares_and_every_derivative_is_0_there():
    sky = estimate({"sun": 5, "rain": 3, "fog": 2})
    assert sky.theta == {"sun": Fraction(1, 2), "rain": Fraction(3, 10), "fog": Fraction(1, 5)}
    assert set(sky.derivative().values()) == set(sky.log_derivative().values()) == {0}
    draw = random.Random(1)
    for _ in range(500):
        parts = [draw.random() for _ in range(3)]
        theta = {value: part / sum(parts) for value, part in zip(sky.counts, parts, strict=True)}
        assert sky.log_likelihood(theta) <= sky.log_likelihood()
    for value in sky.counts:
        curve = sky.curve(value, points=11)
        assert max(curve, key=lambda point: point[1]) == (sky.theta[value], sky.likelihood())


def test_a_count_of_0_has_its_maximum_at_the_edge_where_the_derivative_need_not_be_0():
    never = estimate({"minute": 0, "no minute": 5})
    assert (never.theta, never.likelihood(), never.derivative()) == (0, 1, -5)
    assert never.zeros == {Fraction(1): "minimum"}
    assert never.log_likelihood(1) == -math.inf
    assert never.log_derivative(1) == -math.inf
    assert "L only falls, and its maximum is at the edge, θ = 0" in str(never)
    assert never.smoothed(1).theta == Fraction(1, 7)
    nothing = estimate({"a": 0, "b": 0})
    assert (nothing.theta, nothing.likelihood(0.2), nothing.derivative(0.2)) == (Fraction(1, 2), 1, 0)


def test_a_sample_too_large_for_a_likelihood_has_its_logarithm_and_its_picture():
    many = estimate({"a": 700_000, "b": 300_000})
    assert many.log_likelihood() == pytest.approx(-610864.302, abs=1e-3)
    assert many.likelihood(0.5) == 0
    assert "e^-610864.3" in str(many)
    assert "NaN" not in many.to_svg()


WRONG = {
    "one value": (lambda: estimate({"heads": 7}), "name two values or more"),
    "no mapping": (lambda: estimate([7, 3]), "name two values or more"),
    "a fraction": (lambda: estimate({"a": 1.5, "b": 2}), "the count of a must be a whole number"),
    "below 0": (lambda: estimate({"a": -1, "b": 2}), "got -1"),
    "a truth value": (lambda: estimate({"a": True, "b": 2}), "got True"),
    "k": (lambda: estimate(COIN, k=-1), "k must be a number from 0"),
    "theta": (lambda: estimate(COIN).likelihood(1.5), "theta must be a probability from 0 to 1; got 1.5"),
    "no number": (lambda: estimate(COIN).likelihood("x"), "theta must be a probability"),
    "number for three": (lambda: estimate({"a": 1, "b": 1, "c": 1}).likelihood(0.5), "a mapping with the probability"),
    "other names": (lambda: estimate(COIN).likelihood({"a": 1, "b": 0}), "theta must name heads, tails; got a, b"),
    "sum": (lambda: estimate(COIN).likelihood({"heads": 0.5, "tails": 0.4}), "must sum to 1; got 0.9"),
    "curve": (lambda: estimate(COIN).curve("edge"), "value must be one of heads, tails"),
    "zeros": (lambda: estimate({"a": 1, "b": 1, "c": 1}).zeros, "zeros is about a number theta"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_is_refused_in_one_line(case):
    act, line = WRONG[case]
    with pytest.raises(SettingError, match=re.escape(line)):
        act()


# Pictures


def test_the_picture_has_the_estimates_of_k_on_the_curve():
    picture = ElementTree.fromstring(estimate(COIN, k=1).to_svg())
    space = "{http://www.w3.org/2000/svg}"
    dots = [(float(dot.get("cx")), float(dot.get("r"))) for dot in picture.iter(f"{space}circle")]
    places = {round((x - 72) / (530 - 72), 3): r for x, r in dots}
    wanted = {k: round(float(estimate(COIN, k=k).theta), 3) for k in (0, 1, 10, 100, math.inf)}
    assert set(places) == set(wanted.values())
    assert places[wanted[1]] == max(places.values()), "the estimate that was asked for is the largest mark"
    texts = [text.text for text in picture.iter(f"{space}text")]
    assert {"k = 0", "k = 1", "k = ∞", "θ = P(heads)", "L(θ)"} <= set(texts)


def test_names_cannot_become_markup(tmp_path):
    written = tmp_path / "x.svg"
    estimate({"<script>": 2, "a&b": 1, "\x1b[2J": 3}).to_svg(written)
    assert "<script>" not in written.read_text()
    ElementTree.parse(written)


def test_the_sketch_is_highest_at_the_estimate():
    lines = estimate(COIN).sketch().split("\n")
    top, axis = lines[0], lines[-2]
    assert top[axis.index("┴")] == "█"
    assert max(map(len, lines)) <= 80
    bars = estimate({"sun": 5, "rain": 3, "fog": 0}).sketch().split("\n")
    assert [line.count("█") for line in bars] == [37, 22, 0]


# The command


def run(*arguments: str):
    return CliRunner().invoke(cli.commands, ["estimate", *arguments])


def test_the_command_shows_what_python_does(tmp_path):
    coin = estimate(COIN, k=2)
    figure = tmp_path / "coin.svg"
    done = run("heads=7", "tails=3", "--k", "2", "--at", "1/2", "--figure", str(figure))
    assert done.exit_code == 0
    assert done.output.startswith(f"{coin}\n\nat θ = 1/2 = 0.5\n  L = 1/1024 = 0.000976562\n")
    assert figure.read_text() == coin.to_svg()
    plain_values = json.loads(run("heads=7", "tails=3", "--json").output)
    assert plain_values["fractions"] == {"heads": "7/10", "tails": "3/10"}
    assert run("a=1", "b=2", "c=3", "--at", "a=1/2,b=1/4,c=1/4").exit_code == 0
    assert "k = ∞" not in run("a=1", "b=2", "--k", "inf").output  # a terminal sketch, not the picture
    assert "1/2 = 0.5" in run("a=1", "b=2", "--k", "inf").output


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["a", "b=1"], "'a': write a value and how often it was drawn"),
        (["a=1", "a=2"], "'a' is given twice"),
        (["a=-1", "b=2"], "'a=-1': write a value"),
        (["a=1", "b=2", "--at", "half"], "--at half: write a probability"),
        (["a=1", "b=2", "--at", "1/0"], "--at 1/0: write a probability"),
        (["a=1", "b=2", "--figure", "-"], "written to a file, not to standard output"),
        ([], "Missing argument"),
    ],
)
def test_wrong_use_of_the_command_is_told_in_one_line(arguments, line):
    done = run(*arguments)
    assert done.exit_code == 2
    assert line in done.output


# Priors that are smoothed when asked


def test_priors_are_smoothed_by_k_only_when_asked():
    X, y = [["sun"], ["sun"], ["rain"], ["fog"], ["rain"]], ["out", "out", "out", "in", "in"]
    learned = plain.learn(X, y)
    for k in (0, Fraction(1), Fraction(5, 2), math.inf):
        wanted = plain.priors(learned, Fraction(1), k)
        model = NaiveBayes(k=float(k), priors="smoothed").fit(X, y)
        assert model.tables().priors.to_numpy()[0] == pytest.approx(
            [float(wanted[c]) for c in ("in", "out")], rel=1e-14
        )
        assert NaiveBayes(k=float(k)).fit(X, y).tables().priors.to_numpy()[0] == pytest.approx([0.4, 0.6], rel=1e-15)
    assert plain.priors(learned, Fraction(1)) == {"in": Fraction(2, 5), "out": Fraction(3, 5)}


def test_tuning_smooths_the_priors_of_each_k():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (40, 3)), np.where(rng.random(40) < 0.85, "a", "b")
    for features in ("binary", "counts"):
        model = NaiveBayes(priors="smoothed", features=features).fit(X[:20], y[:20])
        tuned = model.tune(X[20:], y[20:], [0, 0.5, 10, 1000, math.inf]).tuning_
        shares = [model.set_params(k=k).score(X[20:], y[20:]) for k in tuned.strengths]
        assert tuned.accuracies.tolist() == pytest.approx(shares)


def test_a_trained_model_keeps_its_priors(tmp_path):
    config = {"search": {"model": "naive-bayes", "k": 5, "priors": "smoothed"}}
    model, usual = train("mail", config=config), train("mail", model="naive-bayes", k=5)
    rows = model.learner.counts.rows
    assert np.exp(model.learner.log_priors) == pytest.approx((rows + 5) / (rows.sum() + 10), rel=1e-14)
    assert np.exp(usual.learner.log_priors) == pytest.approx(rows / rows.sum(), rel=1e-14)
    assert "smoothed priors" in model.card["choice"]["name"]
    save(model, tmp_path / "m.rosenblatt")
    again = load(tmp_path / "m.rosenblatt")
    assert again.learner.priors == "smoothed"
    text = ["win money now"]
    assert again.scores(text).tolist() == model.scores(text).tolist()
    with pytest.raises(SettingError, match=r"search.priors must be one of 'smoothed', 'uniform'; got 'flat'"):
        train("mail", config={"search": {"priors": "flat"}})
