"""Visiting orders, Cornell's "while some row is wrong" among them, and runs written as the three courses write them."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from notes_table import NOTES
from rosenblatt import compare_orders, trace
from rosenblatt.cli import commands
from rosenblatt.reference import perceptron as plain
from rosenblatt.traces import Trace

POINTS, LABELS = [[1, 1], [3, 2], [2, 4], [3, 4], [2, 3]], [-1, 1, 1, 1, -1]
CORNERS = [[0, 0], [0, 1], [1, 0], [1, 1]]


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.sampled_from(["first-wrong", "worst-first"]), st.sampled_from(["mistake", "positive"]))
def test_rows_are_chosen_as_the_plain_rule_chooses_them(seed, order, ties):
    rng = np.random.default_rng(seed)
    X, labels = rng.integers(-5, 6, (7, 2)).tolist(), [-1, 1, *rng.choice([-1, 1], 5).tolist()]
    run = trace(X, labels, passes=4, order=order, ties=ties)
    rows, w, chosen = [[1, *x] for x in X], [0, 0, 0], []
    while True:
        wrong = plain.wrong_rows(rows, labels, w, ties)
        if not wrong or len(chosen) == run.n_mistakes:
            break
        i = wrong[0] if order == "first-wrong" else plain.worst_row(rows, labels, w, wrong)
        w = plain.plus(w, labels[i], rows[i])
        chosen.append(i)
    assert [step.row for step in run if not step.correct] == chosen
    assert run.weights.tolist() == w
    assert (run.stopped in ("separated", "clean pass")) == (not wrong)
    assert Trace.from_json(run.to_json()).weights.tolist() == w


def test_the_mistakes_of_every_order_are_within_the_bound():
    found = compare_orders(POINTS, LABELS)
    assert found.bound == 6370
    assert found.mistakes == {"given": 445, "shuffled": 159, "first-wrong": 325, "worst-first": 217}
    assert max(found.shuffled) <= found.bound
    assert str(found).splitlines()[-1].split() == ["bound", "(R/γ)²", "6370"]


def test_xor_has_no_bound_and_its_chosen_rows_come_back():
    found = compare_orders(CORNERS, [0, 1, 1, 0], passes=20)
    assert found.bound is None
    assert {name: run.stopped for name, run in found.runs.items()} == {
        "given": "cycle", "shuffled": "limit", "first-wrong": "cycle", "worst-first": "cycle",
    }  # fmt: skip
    assert "4 updates ago" in found.runs["first-wrong"].why()
    assert str(found).endswith("The rows cannot be separated, so no bound holds.")


def test_several_classes_and_a_margin_are_chosen_too():
    rng = np.random.default_rng(1)
    X = rng.integers(-3, 4, (12, 2))
    y = np.argmax(X @ rng.normal(size=(2, 3)), axis=1)
    run = trace(X, y, order="worst-first", passes=50, margin=1.0)
    assert run.stopped == "separated"
    scores = run.X @ run.weights.T
    own = scores[np.arange(12), y]
    scores[np.arange(12), y] = -np.inf
    assert (own - scores.max(axis=1) > 1).all()


def command(*arguments):
    done = CliRunner().invoke(commands, ["trace", *arguments])
    assert done.exit_code == 0, done.output
    return done.output


def test_berkeley_writes_its_training_set_and_its_table():
    shown = command("notes", "--as", "berkeley", "--to", "markdown")
    rows = ["| # | f1 | f2 | y* |", "|---|---|---|---|", "| 1 | 1 | 1 | − |", "| 2 | 3 | 2 | + |", "| 3 | 2 | 4 | + |"]
    assert shown.splitlines()[:5] == rows
    head = "| step | Weights | Score | Correct? | Update |"
    assert shown.split("\n\n")[1] == NOTES.replace("| step | weights | score | correct? | update |", head)
    assert trace(POINTS, LABELS, course="berkeley", passes=300).weights.tolist() == [-24, 10, 1]


def test_ucla_writes_the_test_of_its_pseudocode():
    run = trace(POINTS, LABELS, course="ucla", rate=0.5)
    lines = [line.split("  ") for line in str(run).splitlines()]
    assert [cell.strip() for cell in lines[2] if cell] == [
        "2", "[-0.5, -0.5, -0.5]", "1·(-0.5·1 + -0.5·3 + -0.5·2) = -3", "yes", "+ 0.5·(1)·[1, 3, 2]",
    ]  # fmt: skip
    assert run.ties == "mistake"
    assert run.start.tolist() == [0, 0, 0]


def test_cornell_counts_updates_and_has_the_bias_last():
    run = trace(CORNERS, [0, 0, 0, 1], course="cornell")
    lines = [line.split("  ") for line in str(run).splitlines()]
    assert [cell.strip() for cell in lines[2] if cell.strip()] == [
        "1", "[0, 0, -1]", "4", "1·([0, 0, -1]·[1, 1, 1]) = -1", "[0, 0, -1] + [1, 1, 1] = [1, 1, 0]",
    ]  # fmt: skip
    assert len(lines) == run.n_mistakes + 2 == 20
    assert run.stopped == "separated"
    assert trace(CORNERS, [0, 0, 0, 1], course="cornell", start=[3, 2, -4]).n_mistakes == 0


BAD = {
    "order": (lambda: trace(POINTS, LABELS, order="any"), "order must be one of 'given', 'shuffled'"),
    "seed": (lambda: trace(POINTS, LABELS, order="given", seed=1), "seed=1 is for rows that are shuffled"),
    "long": (lambda: trace([[1], [2]] * 2000, [0, 1] * 2000, order="worst-first", passes=4), "at most 50000000 are"),
    "course": (lambda: trace(POINTS, LABELS, course="mit"), "course must be one of 'berkeley', 'ucla', 'cornell'"),
    "ties": (lambda: trace(POINTS, LABELS, course="ucla", ties="positive"), "has ties='mistake'; got ties='positive'"),
    "rate": (lambda: trace(POINTS, LABELS, course="cornell", rate=2), "has no rate; got rate=2"),
    "classes": (lambda: trace(CORNERS, [0, 1, 2, 0], course="ucla"), "speaks of two classes; got 3"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_is_refused_in_one_line(case):
    call, message = BAD[case]
    with pytest.raises(ValueError, match=message):
        call()
