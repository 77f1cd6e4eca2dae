"""The calls `run` and `words`: a whole run as columns, and the sentences of some of its steps."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rosenblatt.errors import SettingError
from rosenblatt.lab.bench import read_bench
from rosenblatt.lab.columns import pack
from rosenblatt.lab.course import Course, course_of
from rosenblatt.lab.sessions import Session
from rosenblatt.lab.wanted import whole
from rosenblatt.lab.words import cycle_words, ending, limit_words, step_words, sums

MOST_WORDS = 500  # steps in one answer


def run(session: Session, body: dict[str, Any]) -> dict[str, Any]:
    """Everything that happened, for a page that scrubs through it without asking again."""
    course = course_of(session, read_bench(body))
    bench, found, past = course.bench, course.run, course.history
    low, high = found.margin_bracket
    return {
        "classes": list(bench.classes),
        "vectors": 1 if len(bench.classes) == 2 else len(bench.classes),
        "features": bench.columns,
        "n_steps": len(past.rows),
        "n_updates": found.updates,
        "n_mistakes": found.mistakes,
        "passes": found.passes,
        "per_pass": [list(counts) for counts in found.per_pass],
        "stopped": found.stopped,
        "separated": found.separated,
        "words": ending(course),
        "limited": limit_words(course),
        "steps": _steps(course),
        "updates": _updates(course),
        "weights": _flat(past.weights),
        "averaged": _flat(past.shown(course.averaged)),
        "pocket": _flat(past.shown(course.pockets[0][:-1])),
        "margin_at_most": pack(past.margin_at_most),
        "mistakes": pack(np.concatenate([[0], np.cumsum(past.mistaken)]), "int32"),
        "final": _final(course),
        "bracket": [low, high if math.isfinite(high) else None],
        "radius": found.radius,
        "cycle": _cycle(course),
    }


def words(session: Session, body: dict[str, Any]) -> dict[str, Any]:
    """The steps `from` to `to`, counted from 1, in words and expanded sums."""
    course = course_of(session, read_bench(body))
    first = whole("from", body.get("from"), 1, len(course.history.rows))
    last = whole("to", body.get("to"), first, len(course.history.rows))
    if last - first >= MOST_WORDS:
        raise SettingError(f"at most {MOST_WORDS} steps can be had at once; got {last - first + 1}.")
    steps = range(first, last + 1)
    return {"steps": [{"step": s, **step_words(course, s - 1), "sums": sums(course, s - 1)} for s in steps]}


def _numbers_of(course: Course, places: np.ndarray) -> np.ndarray:
    """The class numbers of the page for places among the classes in use."""
    return np.array(course.bench.classes)[places]


def _steps(course: Course) -> dict[str, Any]:
    past = course.history
    return {
        "row": pack(past.rows, "int32"),
        "pass": pack(past.passes + 1, "int32"),
        "predicted": pack(_numbers_of(course, past.predicted), "uint8"),
        "true": pack(_numbers_of(course, course.bench.codes[past.rows]), "uint8"),
        "update": pack(past.updates, "int32"),
        "score": pack(past.scores),
    }


def _updates(course: Course) -> dict[str, Any]:
    past = course.history
    rows = past.rows[past.steps]
    told = [step_words(course, step) for step in past.steps.tolist()]
    return {
        "step": pack(past.steps + 1, "int32"),
        "row": pack(rows, "int32"),
        "pass": pack(past.passes[past.steps] + 1, "int32"),
        "true": pack(_numbers_of(course, course.bench.codes[rows]), "uint8"),
        "rival": pack(_numbers_of(course, past.rivals), "uint8"),
        "mistake": pack(past.mistaken, "uint8"),
        "score": pack(past.scores[past.steps]),
        "score_after": pack(_scores_after(course, rows)),
        **{name: [each[name] for each in told] for name in ("arithmetic", "change", "words")},
    }


def _scores_after(course: Course, rows: np.ndarray) -> np.ndarray:
    """What each update made of the score of its own row; one per class where there are several."""
    points = course.bench.points[rows]
    features = np.column_stack([np.ones(len(points)), points]) if course.bench.bias else points
    return np.einsum("u...f,uf->u...", course.history.weights[1:], features)


def _final(course: Course) -> dict[str, Any]:
    variants = ("final", "averaged", "pocket")
    found: dict[str, Any] = {
        name: course.history.shown(np.asarray(course.weights(name))).ravel().tolist() for name in variants
    }
    return found | {"right": {name: course.right(name) for name in variants}}


def _cycle(course: Course) -> dict[str, Any] | None:
    cycle = course.run.cycle
    if cycle is None:
        return None
    words = cycle_words(course)
    return {
        "passes": cycle.passes,
        "rows": cycle.rows.tolist(),
        "updates": cycle.updates.tolist(),
        "words": words[0].upper() + words[1:],
    }


def _flat(weights: np.ndarray) -> dict[str, Any]:
    return pack(weights.reshape(len(weights), -1))
