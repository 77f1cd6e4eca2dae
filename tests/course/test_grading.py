"""Grading: 200 submissions with planted errors, files as spreadsheets save them, one line for what cannot be read."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction

import pytest

from rosenblatt import cli
from rosenblatt.course.codes import Result, make_code
from rosenblatt.course.commands import course
from rosenblatt.course.draws import Draws
from rosenblatt.course.exercises import EXERCISES
from rosenblatt.course.grading import grade
from rosenblatt.course.marks import judge
from rosenblatt.course.sheet import Sheet, read_filled, to_csv
from rosenblatt.course.task import Blank, Task, settled, shown
from rosenblatt.harmless import csv_lines

KINDS = [("perceptron", name) for name in ("berkeley", "ucla", "cornell")]
KINDS += [(name, "berkeley") for name in EXERCISES if name != "perceptron"]


def wrong(value, draws: Draws):
    """Another value of the same kind, beyond any rounding."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, tuple):
        place = draws.whole(0, len(value) - 1)
        return tuple(v + draws.one_of((-2, -1, 1, 2)) * (j == place) for j, v in enumerate(value))
    if isinstance(value, str):
        return "yes" if value == "no" else "no"
    return value + draws.one_of((-1, 1)) * (1 if value.denominator == 1 else abs(value) / 10 + Fraction(1, 50))


def filled(task: Task, planted: int, draws: Draws, carries_on: bool) -> tuple[list[list[str]], Blank]:
    """A table with one error, and where it is; whoever carries on computes with the wrong number."""
    state, true = {}, {}
    lines = [list(line) for line in task.lines]
    where = None
    for number, blank in enumerate(task.blanks(state, 1 if task.free else len(lines))):
        line, column = blank.place
        true[blank.place] = right = settled(blank.follows(true))
        value = settled(blank.follows(state)) if carries_on or number <= planted else right
        if number == planted:
            where, allowed = blank, blank.follows(state)
            value = wrong(value, draws) if not isinstance(allowed, frozenset) or not value else _other(allowed, value)
        state[blank.place] = value
        while line >= len(lines):
            lines.append([str(len(lines)), "", "", "", ""])
        lines[line][column] = shown(value).partition(" = ")[0]
    return lines, where


def _other(allowed: frozenset, value):
    """Something of the same kind that is not among what will do."""
    if isinstance(value, str):
        return "maybe"
    return next((Fraction(i) for i in range(1, 5) if Fraction(i) not in allowed), Fraction(7))


def saved(path, sheet: Sheet, lines, way: int) -> None:
    """The file as an editor, an English and a German spreadsheet save it."""
    task = sheet.task()
    text = csv_lines([sheet.line(), task.head, *lines])
    if way == 1:  # with a byte order mark, line ends of Windows and empty lines at the end
        path.write_bytes(b"\xef\xbb\xbf" + (text + ",,,,\n,,,,\n").replace("\n", "\r\n").encode())
    elif way == 2:  # semicolons and decimal commas; vectors then have semicolons, in quotes
        german = [[_german(cell) if c else cell for c, cell in enumerate(line)] for line in lines]
        rows = [sheet.line(), task.head, *german]
        path.write_text("\n".join(";".join(f'"{cell}"' for cell in row) for row in rows), encoding="utf-8")
    elif way == 3:
        path.write_bytes(
            text.replace(",", "\t").replace("'", "").encode("utf-16") if "[" not in text else text.encode()
        )
    else:
        path.write_text(text, encoding="utf-8")


def _german(cell: str) -> str:
    return cell.replace(", ", "; ").replace(".", ",")


@pytest.mark.parametrize("number", range(200))
def test_the_first_wrong_step_is_named(number, tmp_path):
    exercise, notation = KINDS[number % len(KINDS)]
    sheet, draws = Sheet(exercise, notation, f"student {number}", "hw1"), Draws("errors", str(number))
    task = sheet.task()
    most = len(judge(task, task.solved).cells)
    lines, planted = filled(task, draws.whole(0, most - 1), draws, carries_on=bool(number // 6 % 2))
    saved(tmp_path / "table.csv", sheet, lines, number % 4)
    found, read = read_filled(tmp_path / "table.csv")
    assert found == sheet
    marks = judge(task, read)
    assert marks.first_wrong is not None
    assert marks.first_wrong.where == planted.where
    assert not task.free or marks.share < 1
    if not task.free:  # an error counts once, whether it was carried on or only miswritten
        assert sum(not mark.right for mark in marks.cells) == 1
    said = grade([tmp_path / "table.csv"]).parts[0]
    assert f"First wrong: {planted.where}: " in said.said
    assert 0 < said.score < 10 or most < 3


@pytest.mark.parametrize("way", range(4))
@pytest.mark.parametrize(("exercise", "notation"), KINDS)
def test_a_right_table_has_all_points_however_it_was_saved(exercise, notation, way, tmp_path):
    sheet = Sheet(exercise, notation, "Zoë", "hw 1")
    saved(tmp_path / "table.csv", sheet, sheet.task().solved, way)
    found = grade([tmp_path / "table.csv"], student="zoë")
    assert (found.score, found.most) == (10, 10)


def test_at_cornell_any_wrong_row_may_be_taken(tmp_path):
    """The worst row at every step, where the trace takes the first."""
    from rosenblatt.reference.perceptron import worst_row, wrong_rows

    others = 0
    for number in range(20):
        sheet = Sheet("perceptron", "cornell", f"student {number}", "hw1")
        task = sheet.task()
        run = task.blanks.args[0]
        state, lines = {}, [list(task.lines[0])]
        for blank in task.blanks(state, 1):
            line, column = blank.place
            value = blank.follows(state)
            if isinstance(value, frozenset):
                w = state.get((line, 1), run.start)
                wrong_now = wrong_rows(run.rows, run.labels, w)
                value = Fraction(worst_row(run.rows, run.labels, w, wrong_now) + 1)
                others += value != min(wrong_now) + 1
            state[blank.place] = value
            while line >= len(lines):
                lines.append([str(len(lines)), "", "", "", ""])
            lines[line][column] = shown(value)
        assert judge(task, lines).share == 1
    assert others > 5


def test_lines_left_out_and_cells_left_empty_cost_their_cells_alone():
    task = Sheet("perceptron", "berkeley", "ada", "hw1").task()
    lines = [line if number != 3 else () for number, line in enumerate(task.solved)]
    marks = judge(task, lines)
    assert [mark.where for mark in marks.cells if not mark.right] == [
        "step 4, Weights", "step 4, Score", "step 4, Correct?", "step 4, Update"
    ]  # fmt: skip
    assert "nothing is written" in marks.first_wrong.said


BAD = {
    "a workbook": (b"PK\x03\x04rest", "this is a workbook, not CSV"),
    "no first line": (b"step,Weights\n1,0\n", "the first line must be the one it was handed out with"),
    "nothing": (b"", "the first line must be"),
    "a colon": (b"exercise:perceptron\n", "cells must be parted by a comma, a semicolon or a tab; got ':'"),
    "no student": (b"exercise,margins,as,ucla\n", "no 'student'"),
    "no such exercise": (b"exercise,svm,as,ucla,student,a,assignment,b\n", "there is no exercise 'svm'"),
    "an open quote": (b'exercise,margins,as,ucla,student,a,assignment,b\n"row 1,2\n', "this is no CSV file"),
    "another line": (b"exercise,margins,as,ucla,student,a,assignment,b\nrow 9,2\n", "no line begins with 'row 9'"),
    "twice": (
        b"exercise,margins,as,ucla,student,a,assignment,b\nrow 1,2\nrow 1,3\n",
        "two lines that begin with 'row 1'",
    ),
    "no text": (b"\xff\xfe\x00", "this is no text"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_file_that_cannot_be_graded_is_one_line(name, tmp_path, capsys):
    content, told = BAD[name]
    (tmp_path / "table.csv").write_bytes(content)
    assert run("grade", str(tmp_path / "table.csv"), "--json", str(tmp_path / "results.json")) == 1
    said = capsys.readouterr().err
    assert told in said
    assert said.count("\n") == 1
    assert not (tmp_path / "results.json").exists()


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as end:
        cli.main(arguments, of=course)
    return end.value.code


def test_gradescope_reads_the_results(tmp_path, capsys):
    folder = tmp_path / "submission"
    folder.mkdir()
    sheet = Sheet("margins", "berkeley", "ada", "hw1")
    (folder / "margins.csv").write_text(to_csv(sheet, solved=True), encoding="utf-8")
    (folder / "missions.txt").write_text(make_code(Result("Ada", {"line": 3, "xor": 1})), encoding="utf-8")
    results = tmp_path / "results.json"
    assert run("grade", str(folder), "--student", "ada", "--missions", "2", "--json", str(results)) == 0
    found = json.loads(results.read_text(encoding="utf-8"))
    assert found["score"] == 14
    assert found["visibility"] == "visible"
    assert [(test["name"], test["score"], test["max_score"], test["status"]) for test in found["tests"]] == [
        ("margins", 10, 10, "passed"),
        ("missions", 4, 6, "failed"),
    ]
    assert "line ★★★, xor ★" in capsys.readouterr().out


def test_work_of_somebody_else_is_refused(tmp_path, capsys):
    sheet = Sheet("margins", "berkeley", "ada", "hw1")
    (tmp_path / "margins.csv").write_text(to_csv(sheet, solved=True), encoding="utf-8")
    assert run("grade", str(tmp_path), "--student", "bob") == 1
    assert "this is the work of 'ada', not of 'bob'" in capsys.readouterr().err


def test_codes_that_were_changed_are_refused(tmp_path, capsys):
    code = make_code(Result("Ada L. Byron", {"line": 3}))
    for changed, told in (
        (code.replace("line3", "line2"), "was changed or mistyped"),
        (code.replace("Ada", "Bob"), "was changed or mistyped"),
        (code[:-2], "is no result code"),
        ("", "one result code belongs in the file; got 0"),
    ):
        (tmp_path / "missions.txt").write_text(changed, encoding="utf-8")
        assert run("grade", str(tmp_path)) == 1
        assert told in capsys.readouterr().err
    (tmp_path / "missions.txt").write_text(f"my code:\n{code}\n", encoding="utf-8")
    assert grade([tmp_path]).student == "Ada L. Byron"


@pytest.mark.parametrize(
    ("students", "options", "told"),
    [
        ("ada\nada\n", (), "'ada' stands there twice"),
        ("\n", (), "there are no students in it"),
        ("../ada\n", (), "'../ada' cannot name a folder"),
        ("ada\n", ("--exercises", "svm"), "there is no 'svm'"),
        ("ada\n", ("--exercises", "margins,margins"), "Name each once"),
    ],
)
def test_assign_refuses_in_one_line_and_writes_nothing(students, options, told, tmp_path, capsys):
    (tmp_path / "students.txt").write_text(students, encoding="utf-8")
    assert run("assign", "hw1", str(tmp_path / "students.txt"), "--out", str(tmp_path / "out"), *options) == 1
    assert told in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_the_module_is_a_program(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "rosenblatt.course", "grade", "nowhere"],
        cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (
        1,
        "rosenblatt: nowhere: no such file or folder. Name what was handed in.\n",
    )
