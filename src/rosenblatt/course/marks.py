"""Which cells of a filled-in table are right. An error counts once: what follows from it is right again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rosenblatt.course.by_hand import Unreadable, same
from rosenblatt.course.task import ASKED, Blank, Cells, State, Task, settled, shown


class Mark(NamedTuple):
    """One cell: where it stands, whether it is right, and what is to be said of it otherwise."""

    where: str
    right: bool
    said: str = ""


@dataclass(frozen=True)
class Marks:
    """All cells of a table in their order."""

    cells: tuple[Mark, ...]

    @property
    def share(self) -> float:
        """The share of cells that are right."""
        return sum(mark.right for mark in self.cells) / len(self.cells)

    @property
    def first_wrong(self) -> Mark | None:
        return next((mark for mark in self.cells if not mark.right), None)


def judge(task: Task, lines: Sequence[Cells]) -> Marks:
    """The marks of the lines that came back.

    A cell is right if it follows from what the student wrote before it, or from what should stand there: whoever
    goes on with a wrong number and whoever only miswrote one loses that one cell.
    """
    written: State = {}
    mended: State = {}
    marks = []
    for blank in task.blanks(written, len(lines)):
        line, column = blank.place
        cells = lines[line] if line < len(lines) else ()
        text = cells[column] if column < len(cells) else ""
        expected = blank.follows(written), blank.follows(mended)
        mark, value = _judge(blank, text, expected, begun=_begun(task, cells, line))
        marks.append(mark)
        written[blank.place] = value
        chosen = isinstance(expected[1], frozenset) and mark.right
        mended[blank.place] = value if chosen else settled(expected[1])
    return Marks(tuple(marks))


def _judge(blank: Blank, text: str, expected: tuple[Any, Any], begun: bool) -> tuple[Mark, Any]:
    """The mark of a cell, and what it is taken to say: what should stand there where it says nothing."""
    instead = settled(expected[0])
    if not text.strip():
        if not (blank.may_be_empty and begun):
            return Mark(blank.where, False, f"nothing is written; {shown(expected[0])} belongs here"), instead
        text = "none"
    try:
        value = blank.read(text)
    except Unreadable as error:
        return Mark(blank.where, False, f"{text.strip()!r} cannot be read: {error}"), instead
    if any(same(value, right) for right in expected):
        return Mark(blank.where, True), value
    return Mark(blank.where, False, f"wrote {text.strip()}; from what stands before it, {shown(expected[0])}"), value


def _begun(task: Task, cells: Cells, line: int) -> bool:
    """Whether the student wrote anything into the line."""
    handed = task.lines[line] if line < len(task.lines) else ()
    return any(cell.strip() and (k >= len(handed) or handed[k] == ASKED) for k, cell in enumerate(cells))
