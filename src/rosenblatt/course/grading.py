"""A submission: its files, the points of each exercise, the first wrong step, and the stars of missions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rosenblatt.course.codes import MOST_STARS, codes_of, read_code
from rosenblatt.course.marks import judge
from rosenblatt.course.sheet import LARGEST, read_filled
from rosenblatt.errors import DataError
from rosenblatt.harmless import called

POINTS = 10.0
SHEETS, CODES = ".csv", ".txt"


@dataclass(frozen=True)
class Part:
    """One exercise, or the missions."""

    name: str
    score: float
    most: float
    said: str

    @property
    def whole(self) -> bool:
        return self.score == self.most


@dataclass(frozen=True)
class Grade:
    """All that somebody handed in."""

    student: str
    parts: tuple[Part, ...]

    @property
    def score(self) -> float:
        return round(sum(part.score for part in self.parts), 2)

    @property
    def most(self) -> float:
        return sum(part.most for part in self.parts)

    def __str__(self) -> str:
        lines = [f"{self.student}: {self.score:g} of {self.most:g} points"]
        lines += [f"  {part.name}: {part.score:g} of {part.most:g}. {part.said}" for part in self.parts]
        return "\n".join(lines)

    def to_gradescope(self) -> str:
        """The results.json that Gradescope's autograder reads."""
        tests = [
            {
                "name": part.name,
                "score": part.score,
                "max_score": part.most,
                "status": "passed" if part.whole else "failed",
                "output": part.said,
                "visibility": "visible",
            }
            for part in self.parts
        ]
        found: dict[str, Any] = {"score": self.score, "output": str(self), "visibility": "visible", "tests": tests}
        return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def grade(paths: Sequence[str | Path], student: str | None = None, missions: int | None = None) -> Grade:
    """The grade of one submission: its CSV files, and text files with result codes; a folder stands for those in it.

    student   whose files these must be; otherwise the first file tells, and the others must agree
    missions  how many missions were to be solved; otherwise those that were count
    """
    parts, seen = list[Part](), set[str]()
    for path in _files(paths):
        found, owner = _sheet(path) if path.suffix.lower() == SHEETS else _missions(path, missions)
        student = student or owner
        if owner.strip().casefold() != student.strip().casefold():
            raise DataError(
                f"{called(path)}: this is the work of {owner!r}, not of {student!r}. Hand in your own file."
            )
        if found.name in seen:
            raise DataError(f"{called(path)}: {found.name} was handed in twice. Leave one of the files out.")
        seen.add(found.name)
        parts.append(found)
    return Grade(student or "", tuple(parts))


def _files(paths: Iterable[str | Path]) -> list[Path]:
    found = list[Path]()
    for path in map(Path, paths):
        if not path.exists():
            raise DataError(f"{called(path)}: no such file or folder. Name what was handed in.")
        inside = sorted(path.iterdir()) if path.is_dir() else [path]
        files = [file for file in inside if file.suffix.lower() in (SHEETS, CODES)]
        if not files:
            raise DataError(
                f"{called(path)}: no {SHEETS} or {CODES} file. Hand in the tables as CSV, result codes as text."
            )
        found += files
    return found


def _sheet(path: Path) -> tuple[Part, str]:
    """The points of a table, and whose it is."""
    sheet, lines = read_filled(path)
    marks = judge(sheet.task(), lines)
    right = sum(mark.right for mark in marks.cells)
    first = marks.first_wrong
    said = f"{right} of {len(marks.cells)} cells are right."
    said += f" First wrong: {first.where}: {first.said}." if first is not None else ""
    return Part(sheet.exercise, round(POINTS * marks.share, 2), POINTS, said), sheet.student


def _missions(path: Path, wanted: int | None) -> tuple[Part, str]:
    """The stars of a result code, and whose it is."""
    try:
        codes = codes_of(path.read_bytes()[:LARGEST].decode("utf-8-sig"))
        if len(codes) != 1:
            raise DataError(f"one result code belongs in the file; got {len(codes)}. Copy it from the lab's missions.")
        result = read_code(codes[0])
    except UnicodeDecodeError:
        raise DataError(f"{called(path)}: this is no text. Save the result code as plain text.") from None
    except DataError as error:
        raise DataError(f"{called(path)}: {error}") from None
    most = MOST_STARS * (len(result.stars) if wanted is None else wanted)
    stars = min(sum(result.stars.values()), most)
    said = ", ".join(f"{name} {'★' * stars}" for name, stars in result.stars.items()) or "no mission is solved yet"
    return Part("missions", float(stars), float(most), f"{said}."), result.name
