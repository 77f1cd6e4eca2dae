"""docs/cli.md from the options: `python tests/cli_page.py` writes it, a test notices when it is stale."""

from __future__ import annotations

import inspect
from pathlib import Path

import click

from rosenblatt.cli import commands
from rosenblatt.cli.help import Command
from rosenblatt.cli.options import READING
from rosenblatt.course.commands import course

PAGE = Path(__file__).parent.parent / "docs" / "cli.md"
INTRODUCTION = """# The command line

Made from the options by `python tests/cli_page.py`; a test compares the two. `rosenblatt COMMAND --help` shows the same
in a terminal; of `train` it shows the options most people need, and all of them with `--help-all`. The guides say how
commands are used together: [quick start](quick_start.md), [from data to a model](train.md), [reading data](data.md).

Wrong data ends in one line on standard error and exit code 1, wrong usage in exit code 2. `-` is standard input or
output.
`NO_COLOR` turns colours off, and `ROSENBLATT_CACHE` names the folder that keeps tables in a quick form.

## Completion

The shell completes commands, options, their choices and names of files after one line in its start-up file:

| shell | file | line |
|---|---|---|
| bash, 4.4 or later | `~/.bashrc` | `eval "$(_ROSENBLATT_COMPLETE=bash_source rosenblatt)"` |
| zsh | `~/.zshrc` | `eval "$(_ROSENBLATT_COMPLETE=zsh_source rosenblatt)"` |
| fish | `~/.config/fish/completions/rosenblatt.fish` | `_ROSENBLATT_COMPLETE=fish_source rosenblatt \\| source` |

The line asks the program each time a shell starts. To save that, print the script once into a file, such as
`_ROSENBLATT_COMPLETE=bash_source rosenblatt > ~/.rosenblatt-complete.bash`, and source the file.
"""
READING_ABOUT = """Commands that read rows take these too. Content and name of a file tell its format; the options
are for what they do not tell ([from a file to rows](data.md)).
"""
AT = "options-of-reading"
TAKES = {click.types.IntRange: "N", click.types.FloatRange: "X", click.types.FloatParamType: "X", click.Path: "FILE"}
COURSE = "Exercises for courses have a program of their own ([for instructors](course.md))."


def make_page() -> str:
    """The whole page: the commands in the groups of --help, hidden ones last, then those of the course."""
    top = click.Context(commands, info_name="rosenblatt")
    grouped = [(title, [commands.commands[name] for name in names]) for title, names in commands.groups.items()]
    listed = {command.name for _, those in grouped for command in those}
    grouped.append(("Housekeeping", [each for name, each in commands.commands.items() if name not in listed]))
    parts = [INTRODUCTION]
    for title, those in grouped:
        parts += [f"## {title}\n", *(describe(command, top) for command in those)]
    read = [each for each in commands.commands["evaluate"].params if each.name in READING]
    parts += ["## Options of reading\n", READING_ABOUT, table("option", read)]
    own = click.Context(course, info_name="python -m rosenblatt.course")
    return "\n".join([*parts, f"## Courses\n\n{COURSE}\n", *(describe(each, own) for each in course.commands.values())])


def describe(command: click.Command, above: click.Context) -> str:
    """One command: how it is called, what it does, and its options, in groups where it has them."""
    context = click.Context(command, info_name=command.name, parent=above)
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    parts = [f"### {command.name}\n", f"```text\n{usage}\n```\n", f"{inspect.cleandoc(command.help or '')}\n"]
    options = {each.name: each for each in command.params if isinstance(each, click.Option) and not each.hidden}
    reads = set(READING) <= set(options)
    groups = command.groups if isinstance(command, Command) else {"option": tuple(options)}
    for title, names in groups.items():
        parts.append(table(title.lower(), [options[name] for name in names if not (reads and name in READING)]))
    return "\n".join([*parts, f"And the [options of reading](#{AT}).\n"] if reads else parts)


def table(title: str, options: list[click.Option]) -> str:
    lines = [f"| {title} | |", "|---|---|", *(f"| {typed(each)} | {said(each)} |" for each in options)]
    return "\n".join(lines) + "\n"


def typed(option: click.Option) -> str:
    """The option as it is typed, with what it takes."""
    names = " / ".join([*option.opts, *option.secondary_opts])
    kind = option.type
    takes = option.metavar or ("" if option.is_flag else TAKES.get(type(kind), "TEXT"))
    if isinstance(kind, click.Path) and not kind.file_okay:
        takes = "DIR"
    if isinstance(kind, click.Choice):
        takes = "\\|".join(map(str, kind.choices))
    return f"`{names} {takes}`" if takes else f"`{names}`"


def said(option: click.Option) -> str:
    """What the option does, the least and the most that it takes, and its default where it is no matter of the data."""
    assert option.help, f"{option.name} has no help"
    text, kind = " ".join(option.help.split()).replace("|", "\\|"), option.type
    if isinstance(kind, click.IntRange | click.FloatRange) and kind.min:
        text += f" At least {kind.min:g}."
    return f"{text} Default: {option.default}." if option.show_default else text


if __name__ == "__main__":
    PAGE.write_text(make_page(), encoding="utf8")
