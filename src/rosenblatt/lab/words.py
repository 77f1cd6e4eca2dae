"""What happens in a run, in sentences: one for a step, one for how it ended. Rows count from 1 for people."""

from __future__ import annotations

from typing import Any

from rosenblatt.lab.course import MOST_STEPS, MOST_UPDATES, Course
from rosenblatt.learn.stopping import boundary_words, why_it_stopped
from rosenblatt.traces.numerals import change, expanded, numeral


def step_words(course: Course, step: int) -> dict[str, Any]:
    """A step, counted from 0: its score expanded as a trace does, what is added, and all of it in a sentence."""
    bench, past = course.bench, course.history
    row, update = int(past.rows[step]), int(past.updates[step])
    before = _before(course, step)
    features = _features(course, row)
    true, rival = int(bench.codes[row]), int(past.rivals[update]) if update >= 0 else -1
    if past.scores.ndim == 1:
        score = float(past.scores[step])
        amount = bench.alpha if true == 1 else -bench.alpha
        return {
            "arithmetic": expanded(before.tolist(), features, score),
            "change": change(amount, features) if rival >= 0 else "none",
            "words": _two(course, row, true, rival, score),
        }
    scores = past.scores[step].tolist()
    up, down = change(bench.alpha, features), change(-bench.alpha, features)
    return {
        "arithmetic": "; ".join(map(numeral, scores)),
        "change": f"{bench.names[true]} {up}, {bench.names[rival]} {down}" if rival >= 0 else "none",
        "words": _several(course, row, true, rival, scores),
    }


def sums(course: Course, step: int) -> list[str]:
    """The score of each weight vector, expanded, with the name of its class where there are several."""
    bench, past = course.bench, course.history
    features = _features(course, int(past.rows[step]))
    if past.scores.ndim == 1:
        return [expanded(_before(course, step).tolist(), features, float(past.scores[step]))]
    each = zip(bench.names, _before(course, step).tolist(), past.scores[step].tolist(), strict=True)
    return [f"{name}: {expanded(weights, features, score)}" for name, weights, score in each]


def _before(course: Course, step: int) -> Any:
    """The weights before the step: as many updates were made as have a lower number than its own, or the next one."""
    return course.history.weights[int(course.history.steps.searchsorted(step))]


def _features(course: Course, row: int) -> list[float]:
    return [1.0] * course.bench.bias + course.bench.points[row].tolist()


def _place(course: Course, row: int) -> str:
    return f"Point {row + 1} at ({', '.join(map(numeral, course.bench.points[row].tolist()))})"


def _two(course: Course, row: int, true: int, rival: int, score: float) -> str:
    bench, point, shown = course.bench, _place(course, row), numeral(score)
    name = bench.names[true]
    if rival < 0:
        return f"{point} is {name} and its score is {shown}: right, so nothing changes."
    what = "its features" if bench.alpha == 1 else f"{numeral(bench.alpha)} times its features"
    then = f"{'Add' if true == 1 else 'Subtract'} {what}."
    zero = {"mistake": None, "positive": 1, "negative": 0}[bench.ties]  # the class that a score of 0 stands for
    if score == 0 and zero != true:
        counts = "a mistake" if zero is None else bench.names[zero]
        return f"{point} is {name} and its score is exactly 0, which counts as {counts}. {then}"
    if score == 0 or (score > 0) == (true == 1):
        return (
            f"{point} is {name} and its score {shown} is right, but within the margin {numeral(bench.margin)}. {then}"
        )
    return f"{point} is {name}, but its score is {shown}. {then}"


def _several(course: Course, row: int, true: int, rival: int, scores: list[float]) -> str:
    bench, point = course.bench, _place(course, row)
    name, own = bench.names[true], numeral(scores[true])
    if rival < 0:
        return f"{point} is {name} and {name} scores highest with {own}: right, so nothing changes."
    other, theirs = bench.names[rival], numeral(scores[rival])
    what = "its features" if bench.alpha == 1 else f"{numeral(bench.alpha)} times its features"
    then = f"add {what} to the weights of {name}, take them from {other}."
    if scores[true] > scores[rival]:
        return f"{point} is {name} and {name} scores {own}, but {other} comes within the margin with {theirs}: {then}"
    how = f"{other} scores {theirs} as well" if own == theirs else f"{other} scores {theirs} against {own}"
    return f"{point} is {name}, but {how}: {then}"


def ending(course: Course) -> str:
    """How the run ended."""
    return why_it_stopped(course.run, "point", course.bench.bias)


def cycle_words(course: Course) -> str:
    """What a cycle is, for this one."""
    cycle = course.run.cycle
    return "" if cycle is None else cycle.words("point", boundary_words(course.bench.bias))


def limit_words(course: Course) -> str | None:
    """That the lab itself ended the run, if it did."""
    if not course.limited:
        return None
    return (
        f"The lab follows a run for at most {MOST_STEPS:,} steps and about {MOST_UPDATES:,} updates; this one would go "
        f"on after pass {course.run.passes:,}."
    )
