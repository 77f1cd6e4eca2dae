"""The call `lesson`: what one of the seven lessons puts on the bench, and every number that it speaks of.

The words of the lessons stand in page/lesson_*.js. A number in them is one of the facts
given here, each worked out by the engine.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from rosenblatt.lab import lessons_beyond, lessons_rule
from rosenblatt.lab.sessions import Session
from rosenblatt.lab.wanted import one_of

# In the order of the notes.
LESSONS: dict[str, Callable[[], dict[str, Any]]] = {
    "line": lessons_rule.line,
    "update": lessons_rule.update,
    "bias": lessons_rule.bias,
    "classes": lessons_rule.classes,
    "separable": lessons_beyond.separable,
    "smoothing": lessons_beyond.smoothing,
    "many": lessons_beyond.many,
}


def lesson(_: Session, body: dict[str, Any]) -> dict[str, Any]:
    """One lesson by its name: {benches: {name: points and settings}, facts: {…}}."""
    return facts_of(one_of("name", body.get("name"), tuple(LESSONS)))


@cache
def facts_of(name: str) -> dict[str, Any]:
    return LESSONS[name]()
