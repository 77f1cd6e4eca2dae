"""What an input reaches: the arcs of our code that it goes along, how often, what was said of it, what came out."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import rosenblatt
from rosenblatt.data.table import Table

OURS = str(Path(rosenblatt.__file__).parent)
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
WORD = re.compile(r"[a-z]{2,}")
MOST_WORDS = 12  # of a message

Feature = tuple[Any, ...]


class Branches:
    """Whatever the inputs used so far reached. Arcs are told apart by how often an input goes along one, in doublings.

    An arc is a step from one line to another within a call of a function; threads that begin later are followed too.
    """

    def __init__(self) -> None:
        self.reached: set[Feature] = set()
        self.arcs: set[Feature] = set()
        self.fresh = False
        self._codes: dict[int, tuple[CodeType, bool]] = {}
        self._counts: dict[Feature, int] = {}

    def use(self, use: Callable[[bytes], object], content: bytes) -> object:
        """What `use` gives or raises; `fresh` tells whether it reached anything that none before it did."""
        self._counts = {}
        came: Feature = ()
        threading.settrace(self._called)
        sys.settrace(self._called)
        try:
            result = use(content)
            came = ("gave", shape(result))
            return result
        except Exception as error:
            came = ("said", type(error).__name__, template(str(error)))
            raise
        finally:
            sys.settrace(None)
            threading.settrace(None)  # type: ignore[arg-type]  # as its documentation has it
            self.arcs |= self._counts.keys()
            features = {came, *((*arc, count.bit_length()) for arc, count in self._counts.items())}
            self.fresh = not features <= self.reached
            self.reached |= features

    def files(self) -> list[str]:
        """The files of the package in which a function was called, by their names in it."""
        return sorted({code.co_filename[len(OURS) + 1 :] for code, ours in self._codes.values() if ours})

    def _called(self, frame: FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        _, ours = self._codes.get(id(code)) or self._codes.setdefault(
            id(code), (code, code.co_filename.startswith(OURS))
        )
        if not ours:
            return None
        counts, number, previous = self._counts, id(code), 0

        def line(frame: FrameType, event: str, _: Any) -> Any:
            nonlocal previous
            if event == "line":
                arc = (number, previous, frame.f_lineno)
                counts[arc] = counts.get(arc, 0) + 1
                previous = frame.f_lineno
            return line

        return line


@cache
def vocabulary() -> frozenset[str]:
    """Every word of our sources: what else stands in a message comes from the input."""
    return frozenset(word for path in Path(OURS).rglob("*.py") for word in WORD.findall(path.read_text("utf8")))


def template(message: str) -> str:
    """The message without what the input put into it, so that there are not more templates than messages of ours."""
    words = (word for word in WORD.findall(QUOTED.sub(" ", message)) if word in vocabulary())
    return " ".join([word for word, _ in zip(words, range(MOST_WORDS), strict=False)])


def shape(result: object) -> Feature:
    """What kind of thing came out, told coarsely: loops that are compiled show nothing else of the way they took."""
    if isinstance(result, Table):
        kinds = sorted({str(field.type) for field in result.columns.schema})[:4]
        label = None if result.labels is None else str(result.labels.type)
        return ("table", result.n_rows.bit_length(), len(result.columns.schema).bit_length(), *kinds, label)
    if isinstance(result, list):
        return ("list", len(result).bit_length(), *first_of(shape(each) for each in result))
    return (type(result).__name__, *([result[:30]] if isinstance(result, str) else []))


def first_of(shapes: Iterable[Feature]) -> list[Feature]:
    """The first three different ones."""
    return list(dict.fromkeys(shapes))[:3]
