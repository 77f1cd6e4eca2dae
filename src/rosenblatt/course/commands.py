"""`python -m rosenblatt.course assign` and `grade`."""

from __future__ import annotations

import re
from pathlib import Path

import click

from rosenblatt.cli.outputs import check_outputs
from rosenblatt.cli.screen import show
from rosenblatt.errors import DataError, SettingError

NOTATIONS = ("berkeley", "ucla", "cornell")
NAME = re.compile(r"[^\W_][\w .@+'-]{0,99}")  # of a student or an assignment: also the name of a folder or a file


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def course() -> None:
    """Exercises with data of their own for each student, and their grading."""


@course.command()
@click.argument("assignment")
@click.argument("students", type=click.Path(exists=True, dir_okay=False))
@click.option("--exercises", metavar="A,B", help="Which ones; by default perceptron,margins,naive-bayes,likelihood.")
@click.option("--as", "notation", type=click.Choice(NOTATIONS), default="berkeley", show_default=True, help="Notation.")
@click.option("--out", type=click.Path(file_okay=False), help="Folder to write to; by default the assignment's name.")
@click.option("--solved", is_flag=True, help="Write the solutions in place of the empty tables.")
def assign(assignment: str, students: str, exercises: str | None, notation: str, out: str | None, solved: bool) -> None:
    """Make ASSIGNMENT for each line of the text file STUDENTS: Markdown, a page to print, and CSV files to fill in.

    The same names give the same data at any time, so nothing else has to be kept.
    """
    from rosenblatt.course.exercises import EXERCISES
    from rosenblatt.course.sheet import Sheet, to_csv, to_html, to_markdown
    from rosenblatt.writing import check_new_folder, write_whole

    chosen = exercises.split(",") if exercises else list(EXERCISES)
    for one in chosen:
        if one not in EXERCISES:
            raise SettingError(f"--exercises: there is no {one!r}. There are: {', '.join(EXERCISES)}.")
    if len(set(chosen)) < len(chosen):
        raise SettingError(f"--exercises {exercises}: an exercise stands there twice. Name each once.")
    names = _students(students)
    _check_name(assignment, "ASSIGNMENT")
    folder = Path(out or assignment)
    check_new_folder(folder)
    for student in names:
        sheets = [Sheet(one, notation, student, assignment) for one in chosen]
        files = {f"{assignment}.md": to_markdown(sheets, solved), f"{assignment}.html": to_html(sheets, solved)}
        files |= {f"{sheet.exercise}.csv": to_csv(sheet, solved) for sheet in sheets}
        (folder / student).mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            write_whole(folder / student / name, content)
    each = f"{len(chosen)} exercise{'s' if len(chosen) > 1 else ''}"
    show(f"wrote {folder}: {each} for {len(names)} student{'s' if len(names) > 1 else ''}")


def _students(path: str) -> list[str]:
    """The lines of the file, each a name that can be a folder's."""
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise DataError(f"{path}: this is no UTF-8 text. Write one student on each line.") from None
    names = [line.strip() for line in lines if line.strip()]
    if not names:
        raise DataError(f"{path}: there are no students in it. Write one on each line.")
    for number, name in enumerate(names, 1):
        _check_name(name, f"{path}, student {number}")
    if len({name.casefold() for name in names}) < len(names):
        twice = next(name for i, name in enumerate(names) if name.casefold() in map(str.casefold, names[:i]))
        raise DataError(f"{path}: {twice!r} stands there twice. Tell the students apart, by a number or an address.")
    return names


def _check_name(name: str, where: str) -> None:
    if not NAME.fullmatch(name) or name.endswith("."):
        raise DataError(
            f"{where}: {name!r} cannot name a folder. Use letters, digits, spaces and . @ + ' -, a letter first."
        )


@course.command()
@click.argument("submissions", type=click.Path(), nargs=-1, required=True)
@click.option("--student", help="Whose work it must be; files of others are refused.")
@click.option("--missions", type=click.IntRange(1), help="Missions that were to be solved, for 3 stars each.")
@click.option("--together", is_flag=True, help="Take all SUBMISSIONS for one; otherwise each is somebody's.")
@click.option("--out", type=click.Path(dir_okay=False), help="Write the text to this file.")
@click.option("--json", "as_json", type=click.Path(dir_okay=False), help="Write the results.json of Gradescope.")
def grade(
    submissions: tuple[str, ...], student: str | None, missions: int | None, together: bool, out: str | None,
    as_json: str | None,
) -> None:  # fmt: skip
    """Grade SUBMISSIONS: folders or files, filled-in CSV tables and text files with a result code of the lab.

    Each cell is judged from what the student wrote before it, so that an error costs its own cell alone. The first
    wrong step is named.
    """
    from rosenblatt.course.grading import grade as graded
    from rosenblatt.writing import write_whole

    if as_json and not together and len(submissions) > 1:
        raise click.UsageError("--json is the result of one submission. Name one, or add --together.")
    check_outputs({"--out": out, "--json": as_json}, {f"SUBMISSION {path}": path for path in submissions}, printed=())
    whole = [submissions] if together else [(path,) for path in submissions]
    grades = [graded(paths, student, missions) for paths in whole]
    if as_json:
        write_whole(as_json, grades[0].to_gradescope())
    if out:
        write_whole(out, "\n\n".join(map(str, grades)) + "\n")
    for each in grades:
        show(str(each).split("\n"))
