"""What several commands share: how to read data, how to say what columns are, where to write."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from rosenblatt.cli.screen import escaped, show
from rosenblatt.cli.streams import speaks_unicode
from rosenblatt.data import FORMATS
from rosenblatt.errors import SettingError
from rosenblatt.harmless import called

if TYPE_CHECKING:
    from rosenblatt.data import How
    from rosenblatt.features import Wishes
    from rosenblatt.pipeline.config import Config

READING = ("format", "header", "delimiter", "quotes", "encoding", "names", "relabel")  # the options of `reading`


def reading(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of reading, for any command that reads rows."""
    options = [
        click.option("--format", type=click.Choice(FORMATS), help="Of the data, where its content does not tell."),
        click.option("--header/--no-header", default=None, help="CSV: whether the first line names the columns."),
        click.option("--delimiter", help="CSV: the character between values."),
        click.option("--quotes/--no-quotes", default=None, help="CSV: whether quotes may surround a value."),
        click.option("--encoding", help="CSV and folders of texts, where it is not UTF-8."),
        click.option("--names", metavar="FILE", help="svmlight: the names of the columns, one on each line."),
        click.option("--relabel", multiple=True, metavar="OLD=NEW", help="Rename a label; several may form one class."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def configured(command: Callable[..., Any]) -> Callable[..., Any]:
    """The option of a config, for any command that reads what train reads."""
    about = "Take settings from this TOML file; `train DATA --plan-only` prints one. Options come first."
    return click.option("--config", metavar="FILE", help=about)(command)


def asked(context: click.Context, options: Mapping[str, Any]) -> Config:
    """What the options and the config ask for together; an option that was typed comes first."""
    from rosenblatt.pipeline.config import NAMES, read_config

    typed = [name for name in NAMES if context.get_parameter_source(name) == ParameterSource.COMMANDLINE]
    how: dict[str, Any] = {**how_to_read(**{name: options[name] for name in READING})}
    values = {name: value for name, value in (dict(options) | how).items() if name in NAMES and value is not None}
    if "max_false_positives" in values:
        values["max_false_positives"] = share(values["max_false_positives"])
    kinds = {name: options.get(name, ()) for name in ("text", "category", "numeric", "ordered", "drop")}
    return read_config(options["config"]).without(typed).joined(values, wishes_of(**kinds))


def how_to_read(
    format: str | None,
    header: bool | None,
    delimiter: str | None,
    quotes: bool | None,
    encoding: str | None,
    names: str | None,
    relabel: Sequence[str],
    labelled: bool = True,
) -> How:
    """The options above as settings of `read`."""
    return {
        "labelled": labelled,
        "format": format,
        "header": header,
        "delimiter": "\t" if delimiter in ("tab", "\\t") else delimiter,
        "quotes": quotes,
        "encoding": encoding,
        "names": names,
        "relabel": dict(_pair(text, "--relabel", "OLD=NEW") for text in relabel) or None,
    }


def as_typed(how: Mapping[str, Any]) -> str:
    """The options of reading that were given, for a command that is to read the same rows."""
    words: list[str] = []
    for name in READING:
        value = how[name]
        if isinstance(value, bool):
            words.append(f"--{name}" if value else f"--no-{name}")
        else:
            for each in [value] if isinstance(value, str) else value or ():
                words += [f"--{name}", shlex.quote(each)]
    return "".join(f" {word}" for word in words)


def wishing(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say what columns are."""
    options = [
        click.option("--text", multiple=True, metavar="COLUMN", help="Read the column as text, word by word."),
        click.option("--category", multiple=True, metavar="COLUMN", help="Take its values as names."),
        click.option("--numeric", multiple=True, metavar="COLUMN", help="Take its values as numbers."),
        click.option("--ordered", multiple=True, metavar="COLUMN=A,B,C", help="Its values in order, lowest first."),
        click.option("--drop", multiple=True, metavar="COLUMN", help="Leave it out."),
        click.option("--scale/--no-scale", default=True, help="Whether numbers are centred and scaled."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def wishes_of(
    text: Sequence[str],
    category: Sequence[str],
    numeric: Sequence[str],
    ordered: Sequence[str],
    drop: Sequence[str],
) -> Wishes:
    from rosenblatt.features import Wishes

    orders = {
        name: values.split(",") for name, values in (_pair(each, "--ordered", "COLUMN=A,B,C") for each in ordered)
    }
    return Wishes(text, category, numeric, drop, orders)


def _pair(text: str, option: str, form: str) -> tuple[str, str]:
    left, sign, right = text.partition("=")
    if not (left and sign and right):
        raise click.BadParameter(f"write it as {form}; got {text!r}.", param_hint=option)
    if called(text) != text:
        raise click.BadParameter(f"it is not UTF-8; got {called(text)}.", param_hint=option)
    return left, right


def share(text: str | None) -> float | None:
    """A share such as 0.1% or 0.001."""
    if text is None:
        return None
    try:
        return float(text[:-1]) / 100 if text.endswith("%") else float(text)
    except ValueError:
        raise SettingError(f"a share is written as 0.1% or 0.001; got {text!r}.") from None


def colourful(stream: IO[Any]) -> bool:
    """Whether to colour: on a terminal, unless NO_COLOR says otherwise."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def is_model_file(path: str) -> bool:
    """Whether the file is a model: by its ending, or because it begins with the length of a header, and the header."""
    file = Path(path)
    if not file.is_file():
        return False
    with file.open("rb") as opened:
        head = opened.read(9)
    whole = int.from_bytes(head[:8], "little") + 8 <= file.stat().st_size  # 8 letters would be a very large number
    return file.suffix == ".rosenblatt" or (head[8:] == b"{" and whole)


def print_json(value: Any) -> None:
    from rosenblatt.store.contents import finite

    click.echo(escaped(json.dumps(finite(value), ensure_ascii=not speaks_unicode(), indent=2)))


def say(line: str, lines: bool = False) -> None:
    """A line for the person, beside whatever the command writes to standard output."""
    with suppress(OSError):  # the work does not depend on it
        show(line.split("\n") if lines else line, file=sys.stderr)
