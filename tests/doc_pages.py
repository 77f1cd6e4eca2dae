"""The pages that people read, as things to run: Python blocks, and console blocks whose output is shown.

In a console block a line after `$ ` is a command and the lines under it are what it prints; a line that is only `…`
stands for any number of lines that are left out, and `…` at the end of a line for the rest of it. The blocks of a page
run in order, in one empty folder.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner

from rosenblatt.cli import commands
from rosenblatt.course.commands import course

REPOSITORY = Path(__file__).parent.parent
README, DOCS = REPOSITORY / "README.md", REPOSITORY / "docs"
PAGES = [README, *sorted(DOCS.glob("*.md")), *sorted((DOCS / "guides").glob("*.md"))]
FENCE = re.compile(r"^```(python|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SHELL = set("|<>&;*$`")


@dataclass(frozen=True)
class Block:
    kind: str
    text: str
    where: str


def name(page: Path) -> str:
    return page.relative_to(REPOSITORY).as_posix()


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf8")
    return [
        Block(found[1], found[2], f"{name(page)}, line {text.count(chr(10), 0, found.start()) + 1}")
        for found in FENCE.finditer(text)
    ]


def run_page(page: Path) -> None:
    """Runs the blocks of a page in the present folder; an AssertionError names the block that does not hold."""
    names: dict[str, object] = {"__name__": "docs"}
    for block in blocks(page):
        if block.kind == "python":
            run_python(block, names)
        else:
            run_console(block)


def run_python(block: Block, names: dict[str, object]) -> None:
    expected = [line[2:] for line in block.text.splitlines() if line.startswith("# ") or line == "#"]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block.text, block.where, "exec"), names)
    assert [line.rstrip() for line in printed.getvalue().splitlines()] == expected, block.where
    assert expected or "assert" in block.text, f"{block.where} shows nothing that could be wrong"


def run_console(block: Block) -> None:
    for command, shown in commands_of(block):
        code, printed = run_command(command)
        assert code == 0, f"{block.where}: {command} ends with {code}\n{printed}"
        assert not shown or fits(shown, printed), f"{block.where}: {command} prints\n{printed}"


def commands_of(block: Block) -> Iterator[tuple[str, list[str]]]:
    """Each command of a block with the lines shown under it."""
    lines = block.text.splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("$ ")]
    assert starts[:1] == [0], f"{block.where}: a console block begins with a command"
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield lines[start][2:], lines[start + 1 : end]


def fits(shown: list[str], printed: str) -> bool:
    """Whether the output is what is shown, where `…` may be any lines, also none, and at the end of a line its rest."""
    pattern = "".join(r"(?:.*\n)*?" if line == "…" else _line(line) for line in shown)
    return re.fullmatch(pattern, printed if printed.endswith("\n") else printed + "\n") is not None


def _line(shown: str) -> str:
    if shown.endswith(" …"):
        return re.escape(shown[:-1]) + r".*\n"
    return re.escape(shown) + r"[ ]*\n"


def run_command(command: str) -> tuple[int, str]:
    """Exit code and standard output. Where no shell is needed it runs here, which saves the start of a process."""
    words = shlex.split(command)
    if words[0] == "rosenblatt" and not SHELL & set(command):
        done = CliRunner().invoke(commands, words[1:])
        return done.exit_code, done.stdout if done.exit_code == 0 else f"{done.output}{done.exception}"
    if words[:3] == ["python", "-m", "rosenblatt.course"] and not SHELL & set(command):
        done = CliRunner().invoke(course, words[3:])
        return done.exit_code, done.stdout if done.exit_code == 0 else f"{done.output}{done.exception}"
    own = Path("own-commands")  # so that the shell finds this rosenblatt and no other
    own.mkdir(exist_ok=True)
    script = own / "rosenblatt"
    script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m rosenblatt "$@"\n', encoding="utf8")
    script.chmod(0o755)
    path = f"{own.resolve()}{os.pathsep}{os.environ['PATH']}"
    found = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return found.returncode, found.stdout if found.returncode == 0 else found.stderr
