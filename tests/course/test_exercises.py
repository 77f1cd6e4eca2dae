"""What the exercises hold to be right is what the engine computes, and every student has data of their own."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rosenblatt import NaiveBayes, Perceptron, estimate
from rosenblatt.course.draws import Draws
from rosenblatt.course.exercises import EXERCISES, naive_bayes
from rosenblatt.course.marks import judge
from rosenblatt.course.sheet import Sheet, to_html, to_markdown
from rosenblatt.course.task import ASKED

COURSES = ("berkeley", "ucla", "cornell")


@pytest.mark.parametrize("course", COURSES)
def test_the_table_of_the_trace_is_right_in_every_cell(course):
    for number in range(40):
        task = Sheet("perceptron", course, f"student {number}", "hw1").task()
        marks = judge(task, task.solved)
        assert marks.share == 1, (number, marks.first_wrong)
        assert len(marks.cells) >= 10


@pytest.mark.parametrize("course", COURSES)
def test_the_numbers_of_the_sheet_are_those_that_are_traced(course):
    task = Sheet("perceptron", course, "ada", "hw1").task()
    run = task.blanks.args[0]
    table = [tuple(map(float, line[1:3])) for line in task.given[1:]]
    traced = run.traced()
    assert np.array_equal(table, traced.X[:, 1:])
    assert [line[3] for line in task.given[1:]] == [f"{traced.classes[c]:+d}" for c in traced.truth]


def test_margins_are_those_of_a_perceptron_with_these_weights():
    task = Sheet("margins", "berkeley", "ada", "hw1").task()
    w = np.array(task.text[0].split("[")[1].split("]")[0].split(","), float)
    X, y = np.array([line[1:3] for line in task.given[1:]], float), np.array([line[3] for line in task.given[1:]], int)
    scores = Perceptron.from_weights(w[1:], w[0], classes=[-1, 1]).decision_function(X)
    solved = {line[0]: line for line in task.solved}
    assert [float(solved[f"row {i}"][1]) for i in range(1, 5)] == scores.tolist()
    assert float(solved["|w|"][4]) == np.linalg.norm(w)
    assert float(solved["margin"][4]) == pytest.approx((y * scores).min() / np.linalg.norm(w), rel=1e-5)


def test_naive_bayes_is_that_of_the_estimator():
    for number in range(10):
        sheet = Sheet("naive-bayes", "berkeley", f"student {number}", "hw1")
        task = sheet.task()
        rows, labels = [line[1:3] for line in task.given[1:]], [line[3] for line in task.given[1:]]
        k = int(task.text[0].partition("k = ")[2].partition(":")[0])
        if {row[0] for row in rows} < set(naive_bayes.OUTLOOK):
            continue  # the estimator counts only the values that it has seen
        model = NaiveBayes(k=k).fit(np.array(rows, object), labels)
        day = [task.lines[line][0].split("= ")[1].split(" |")[0] for line in (1, 2)]
        assert [float(cell) for cell in task.solved[4][1:]] == pytest.approx(model.predict_proba([day])[0], rel=1e-5)
        assert task.solved[5][1] == model.predict([day])[0]


def test_likelihoods_are_those_of_estimate():
    task = Sheet("likelihood", "berkeley", "ada", "hw1").task()
    tosses = task.text[0].partition(": ")[2].partition(".")[0].split()
    counts = {side: tosses.count(side) for side in "HT"}
    value = {line[0]: float(line[1]) for line in task.solved}
    best = estimate(counts)
    assert value["θ with the largest L"] == pytest.approx(float(best.probabilities["H"]), rel=1e-5)
    assert value["L(1/2)"] == pytest.approx(0.5 ** len(tosses))
    assert value["ln L of it"] == pytest.approx(math.log(value["L of the θ with the largest L"]), rel=1e-4)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_students_and_assignments_have_data_of_their_own(exercise):
    def handed(student: str, assignment: str) -> tuple:
        task = Sheet(exercise, "berkeley", student, assignment).task()
        return task.text, task.given, task.solved

    many = {handed(f"student {number}", "hw1") for number in range(30)}
    assert len(many) > 20  # a coin has few sequences
    assert handed("ada", "hw1") == handed("ada", "hw1")
    assert handed("ada", "hw1") != handed("ada", "hw2")
    assert Draws("ab", "c").whole(0, 10**9) != Draws("a", "bc").whole(0, 10**9)


def test_an_empty_sheet_gives_nothing_away():
    sheets = [Sheet(name, "berkeley", "<b>ada", "hw1") for name in EXERCISES]
    for sheet in sheets:
        task = sheet.task()
        assert any(ASKED in line for line in task.lines)
        assert judge(task, task.lines).share == 0
    assert "<b>ada" not in to_html(sheets)
    assert "| \\|w\\| |" in to_markdown(sheets)
