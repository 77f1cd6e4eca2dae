"""The exercises: one file each, and one line here. Each makes a Task from a student's draws and a course's notation."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rosenblatt.course.draws import Draws
from rosenblatt.course.exercises import likelihood, margins, naive_bayes, perceptron
from rosenblatt.course.task import Task

EXERCISES: Mapping[str, Callable[[Draws, str], Task]] = {
    "perceptron": perceptron.make,
    "margins": margins.make,
    "naive-bayes": naive_bayes.make,
    "likelihood": likelihood.make,
}
