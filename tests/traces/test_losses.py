"""The losses of the notes: along a run, as curves, and descended over all rows at once; held to the plain rules."""

from __future__ import annotations

import json
from fractions import Fraction
from xml.etree import ElementTree

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt import Perceptron, descend, draw, trace
from rosenblatt.cli import commands
from rosenblatt.reference import perceptron as plain

POINTS, LABELS = [[1, 1], [3, 2], [2, 4], [3, 4], [2, 3]], [-1, 1, 1, 1, -1]
ROWS = [[1, *point] for point in POINTS]


@pytest.mark.parametrize("ties", ["mistake", "positive", "negative"])
def test_losses_after_each_pass_are_those_of_the_plain_rules(ties):
    run = trace(POINTS, LABELS, start=[-1, 0, 0], passes=20, ties=ties)
    w, expected = [-1, 0, 0], []
    for _ in range(21):
        expected.append((plain.zero_one_loss(ROWS, LABELS, w, ties), plain.loss(ROWS, LABELS, w)))
        w = list(plain.binary_pass(ROWS, LABELS, w, ties))[-1][1]
    assert np.array(run.losses) == pytest.approx(np.array(expected))
    told = json.loads(run.to_json())["losses"]
    assert list(zip(told["zero_one"], told["perceptron"], strict=True)) == run.losses


def test_at_weights_0_one_loss_is_0_and_the_other_1():
    assert trace(POINTS, LABELS).losses[0] == (1, 0)
    assert trace(POINTS, LABELS).losses_after(0) == (1, 0)


def test_losses_of_several_classes_are_those_of_the_estimator():
    rng = np.random.default_rng(5)
    X, y = rng.integers(-4, 5, (30, 2)), rng.integers(0, 3, 30)
    for passes in (1, 4):
        model = Perceptron(weights="final", shuffle=False, tol=None, max_iter=passes).fit(X, y)
        assert trace(X, y, passes=passes).losses[-1].perceptron == pytest.approx(model.loss(X, y))


def test_verbose_prints_both_losses_of_each_pass(capsys):
    model = Perceptron(weights="final", shuffle=False, verbose=1, max_iter=1)
    model.fit(POINTS, LABELS, coef_init=[0, 0], intercept_init=-1)
    line = "pass 1: 2 updates, 2 of them mistakes, 2 updates so far; 0/1 loss 0.6, perceptron loss 1"
    assert capsys.readouterr().out.splitlines() == [line]


def test_the_subgradient_step_is_the_update():
    for step in trace(POINTS, LABELS, start=[-1, 0, 0]):
        predicted, true = 2 * step.predicted - 1, 2 * step.true - 1
        moved = plain.subgradient_step(step.features.tolist(), true, predicted, step.before.tolist())
        assert moved == step.after.tolist()
        assert step.subgradient.startswith("w − (α/2)(ŷ − y) f(x) = ")
    words = trace(POINTS, LABELS, start=[-1, 0, 0])[1].subgradient
    assert words.endswith("[-1, 0, 0] − (1/2)(-1 − 1)·[1, 3, 2] = [0, 3, 2]")


@given(st.integers(0, 10**6), st.sampled_from(["mistake", "positive", "negative"]), st.sampled_from([4, 8]))
def test_a_descent_is_the_plain_rule(seed, ties, n):
    rng = np.random.default_rng(seed)
    X, labels = rng.integers(-5, 6, (n, 2)).tolist(), rng.choice([-1, 1], n).tolist()
    labels[:2] = [-1, 1]
    rows, w = [[1, *x] for x in X], [Fraction(0)] * 3
    run = descend(X, labels, steps=12, ties=ties)
    for move in run.moves[: len(run)]:
        assert move.weights.tolist() == w
        wrong, w = plain.batch_step(rows, labels, w, ties, Fraction(1))
        assert move.wrong.tolist() == wrong
        assert move.losses.perceptron == plain.loss(rows, labels, move.weights.tolist())
    assert run.weights.tolist() == w


def test_a_descent_from_a_start_with_a_rate():
    run, w = descend(POINTS, LABELS, steps=7, start=[-1, 0, 0], rate=0.5), [Fraction(-1), Fraction(0), Fraction(0)]
    for move in run.moves[: len(run)]:
        wrong, w = plain.batch_step(ROWS, LABELS, w, rate=Fraction(1, 2))
        assert move.wrong.tolist() == wrong
    assert run.weights == pytest.approx([float(weight) for weight in w])


def test_a_descent_separates_the_five_points_in_102_steps_and_xor_comes_back():
    run = descend(POINTS, LABELS, steps=300)
    assert (len(run), run.stopped, run.losses[-1]) == (102, "separated", (0, 0))
    assert descend([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0], steps=9).stopped == "cycle"


def test_the_rows_lie_on_the_curves():
    picture = ElementTree.fromstring(draw(trace(POINTS, LABELS, start=[-1, 0, 0]), "losses"))
    svg = "{http://www.w3.org/2000/svg}"
    assert len(picture.findall(f"{svg}circle")) == 3
    assert [text.text for text in picture.findall(f"{svg}text")][-2:] == [
        "perceptron loss max(0, −y·w·x), mean 1", "0/1 loss, mean 0.6",
    ]  # fmt: skip


def command(*arguments):
    done = CliRunner().invoke(commands, ["trace", *arguments])
    assert done.exit_code == 0, done.output
    return done.output


def test_the_command_prints_losses_and_a_descent_and_draws(tmp_path):
    lines = command("notes", "--losses", "--passes", "2", "--to", "csv").splitlines()
    assert lines == ["pass,updates,0/1 loss,perceptron loss", "0,0,0.6,0.6", "1,2,0.6,1", "2,2,0.4,1.6"]
    shown = command("notes", "--batch", "--passes", "300").splitlines()
    assert " ".join(shown[1].split()) == "1 [-1, 0, 0] 0.6 0.6 2, 3, 4 +1/5·[3, 8, 10]"
    assert shown[-2].endswith("0/1 loss 0.6 → 0; no row is wrong any more: separated")
    assert shown[-1].startswith("Row by row: 232 passes, 446 mistakes, perceptron loss 0")
    assert json.loads(command("notes", "--batch", "--to", "json"))["steps"][0]["wrong"] == [1, 2, 3]
    command("notes", "--figure", str(tmp_path / "a.svg"), "--draw", "losses", "--step", "0")
    assert "the means are 0.6 and 0.6" in (tmp_path / "a.svg").read_text(encoding="utf8")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: descend(POINTS, LABELS, seed=1), "leave out seed and margin"),
        (lambda: descend([[1]] * 2001, [1] * 2001), "at most 2000 rows; got 2001"),
        (lambda: draw(trace(POINTS, LABELS), "circles"), "what must be one of"),
        (lambda: draw(trace(POINTS, LABELS), "losses", step=6), "from 0 to 5; got 6"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(call, message):
    with pytest.raises(ValueError, match=message):
        call()
