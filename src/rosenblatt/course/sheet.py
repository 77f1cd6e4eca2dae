"""A task as it is handed out, in Markdown, HTML and CSV, and the CSV file that comes back.

The first line of a CSV file says whose it is, so that it can be graded wherever it lies; its first cell is always the
word `exercise`, and what stands behind that word is the separator that the file was saved with.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from rosenblatt.course.draws import Draws
from rosenblatt.course.exercises import EXERCISES
from rosenblatt.course.task import NOT_ASKED, Cells, Task
from rosenblatt.errors import DataError
from rosenblatt.harmless import called, csv_lines
from rosenblatt.report.markup import Child, Markup, tag, text
from rosenblatt.traces.courses import COURSES
from rosenblatt.traces.table import markdown

SEPARATORS = ",;\t|"
LARGEST = 1_000_000  # bytes of a file that comes back
HOW_TO_FILL_IN = (
    "Write numbers as fractions (1/3) or decimals (0.333 or 0,333, three significant digits), vectors as [1, 0, -2]. "
    "You may write how you came to a number; what stands behind the last = counts. Cells with — stay as they are."
)
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;margin:1rem 0}th,td{border:1px solid #888;padding:.4rem .7rem;text-align:left}"
    "td:empty{min-width:9rem;height:1.6rem}section{break-inside:avoid}"
)


class Sheet(NamedTuple):
    """Whose exercise it is; the same words give the same data."""

    exercise: str
    course: str
    student: str
    assignment: str

    def task(self) -> Task:
        """The exercise with this student's data."""
        return EXERCISES[self.exercise](Draws(self.assignment, self.student, self.exercise, self.course), self.course)

    def line(self) -> Cells:
        """The first line of the CSV file."""
        named = {"exercise": self.exercise, "as": self.course, "student": self.student, "assignment": self.assignment}
        return tuple(part for pair in named.items() for part in pair)


def to_csv(sheet: Sheet, solved: bool = False) -> str:
    """The file to be filled in; with a byte order mark, by which Excel knows that it is UTF-8."""
    task = sheet.task()
    return "\ufeff" + csv_lines([sheet.line(), task.head, *(task.solved if solved else task.lines)])


def to_markdown(sheets: Sequence[Sheet], solved: bool = False) -> str:
    """All exercises of a student."""
    parts = [f"# {sheets[0].assignment}: {sheets[0].student}\n", f"{HOW_TO_FILL_IN}\n"]
    for sheet in sheets:
        task = sheet.task()
        parts += [f"## {task.title}\n", *(f"{line}\n" for line in task.text)]
        if task.given:
            parts.append(_markdown(task.given))
        parts.append(_markdown([task.head, *(task.solved if solved else task.lines)]))
        parts.append(f"Fill in `{sheet.exercise}.csv`.\n")
    return "\n".join(parts)


def _markdown(lines: Sequence[Cells]) -> str:
    return markdown([tuple(cell.replace("|", "\\|") for cell in line) for line in lines])


def to_html(sheets: Sequence[Sheet], solved: bool = False) -> str:
    """The same as a page to print."""
    title = f"{sheets[0].assignment}: {sheets[0].student}"
    sections = []
    for sheet in sheets:
        task = sheet.task()
        inner: list[Child] = [tag("h2", task.title), *(tag("p", line) for line in task.text)]
        if task.given:
            inner.append(_table(task.given))
        inner.append(_table([task.head, *(task.solved if solved else task.lines)]))
        sections.append(tag("section", inner, tag("p", "Fill in ", tag("code", f"{sheet.exercise}.csv"), ".")))
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        tag("style", Markup(STYLE)),
    )
    body = tag("body", tag("h1", title), tag("p", HOW_TO_FILL_IN), sections)
    return "<!doctype html>\n" + tag("html", head, body, lang="en") + "\n"


def _table(lines: Sequence[Cells]) -> Markup:
    head, *body = lines
    rows = [tag("tr", [tag("td", text(cell)) for cell in line]) for line in body]
    return tag("table", tag("thead", tag("tr", [tag("th", cell, scope="col") for cell in head])), tag("tbody", rows))


def read_filled(path: str | Path) -> tuple[Sheet, list[Cells]]:
    """Whose file it is, and its lines in the order of the table; DataError says in one line what is wrong with it."""
    name = called(path)
    rows = _rows(name, _text(Path(path), name))
    sheet = _whose(name, rows[0])
    return sheet, _placed(name, sheet.task(), rows[1:])


def _text(path: Path, name: str) -> str:
    """The file as text, whatever the spreadsheet saved it as."""
    content = path.read_bytes()[: LARGEST + 1]
    if len(content) > LARGEST:
        raise DataError(f"{name}: more than {LARGEST} bytes are no table that was filled in by hand. Save it as CSV.")
    if content[:4] == b"PK\x03\x04":
        raise DataError(f"{name}: this is a workbook, not CSV. Save it as CSV in the spreadsheet.")
    for encoding in ["utf-16"] if content[:2] in (b"\xff\xfe", b"\xfe\xff") else ["utf-8-sig", "cp1252"]:
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise DataError(f"{name}: this is no text. Save it as CSV with the encoding UTF-8.")


def _rows(name: str, content: str) -> list[list[str]]:
    """The lines that hold anything, cut at the separator that the file has."""
    lines = content.splitlines()
    first = next((line for line in lines if line.strip(f"{SEPARATORS} \t")), "").strip('"\ufeff ')
    if not first.startswith("exercise"):
        raise DataError(
            f"{name}: the first line must be the one it was handed out with, exercise,…; got {first[:40]!r}. "
            "Copy that line back."
        )
    mark = first.removeprefix("exercise").lstrip('"')[:1]
    if mark not in SEPARATORS or not mark:
        raise DataError(
            f"{name}: cells must be parted by a comma, a semicolon or a tab; got {mark!r} after 'exercise'. "
            "Save it as CSV."
        )
    try:
        rows = list(csv.reader(io.StringIO(content), delimiter=mark, strict=True))
    except csv.Error as error:
        raise DataError(f"{name}: this is no CSV file ({error}). Save it again as CSV.") from None
    return [row for row in rows if any(cell.strip() for cell in row)]


def _whose(name: str, first: list[str]) -> Sheet:
    cells = [cell.strip().strip("\ufeff") for cell in first]
    told = dict(zip(cells[::2], cells[1::2], strict=False))
    for key in ("exercise", "as", "student", "assignment"):
        if not told.get(key):
            raise DataError(f"{name}, line 1: no {key!r}. Copy back the line that the file was handed out with.")
    if told["exercise"] not in EXERCISES or told["as"] not in COURSES:
        known = f"{', '.join(EXERCISES)} as {', '.join(COURSES)}"
        raise DataError(
            f"{name}, line 1: there is no exercise {told['exercise']!r} as {told['as']!r}. There are: {known}."
        )
    return Sheet(told["exercise"], told["as"], told["student"], told["assignment"])


def _placed(name: str, task: Task, rows: list[list[str]]) -> list[Cells]:
    """The lines by their first cells; those that are missing are empty."""
    body = rows[1:] if rows and rows[0][0].strip() == task.head[0] else rows
    known = [line[0] for line in task.lines]
    found: dict[str, Cells] = {}
    for row in body:
        label = row[0].strip().removeprefix("'")
        if label in found:
            raise DataError(f"{name}: there are two lines that begin with {label!r}. Leave one of them out.")
        if not task.free and label not in known:
            raise DataError(f"{name}: no line begins with {label!r}. Lines begin with: {', '.join(known)}.")
        found[label] = tuple("" if cell.strip() == NOT_ASKED else cell for cell in row)
    if not task.free:
        return [found.get(label, ()) for label in known]
    written = [cells for cells in found.values() if any(cell.strip() for cell in cells[1:])]
    return written or [()]
