"""The shell completes what is typed: commands, options, their choices, and names of files."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from click.shell_completion import ShellComplete

from rosenblatt.cli import commands


@pytest.mark.parametrize(
    ("typed", "begun", "offered"),
    [
        ([], "tra", [("trace", "plain"), ("train", "plain")]),
        (["train"], "--mod", [("--model", "plain")]),
        (["train", "--model"], "n", [("naive-bayes", "plain")]),
        (["train"], "mess", [("mess", "file")]),
        (["predict"], "mo", [("mo", "file")]),
        (["predict", "model.rosenblatt"], "ne", [("ne", "file")]),
        (["train", "--config"], "pl", [("pl", "file")]),
        (["evaluate", "a.rosenblatt", "b.rosenblatt"], "ne", [("ne", "file")]),
        (["train", "--label"], "ki", []),
        (["train"], "--help-a", []),  # hidden
    ],
)
def test_what_is_offered(typed, begun, offered):
    found = ShellComplete(commands, {}, "rosenblatt", "_ROSENBLATT_COMPLETE").get_completions(typed, begun)
    assert [(item.value, item.type) for item in found] == offered


def test_the_program_answers_the_shell_by_the_variable_that_the_page_names():
    asked = {"_ROSENBLATT_COMPLETE": "zsh_complete", "COMP_WORDS": "rosenblatt pro", "COMP_CWORD": "1"}
    call = [sys.executable, "-c", "import sys; sys.argv[0] = 'rosenblatt'; from rosenblatt.cli import main; main()"]
    done = subprocess.run(call, env={**os.environ, **asked}, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.split("\n")[:2] == ["plain", "prove"], done.stderr
