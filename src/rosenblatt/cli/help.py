"""What --help shows: the commands in four groups, and of a command with many options the few that most people need."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click
from click.shell_completion import CompletionItem

ALL = "rosenblatt.help_all"  # in the context's notes: every option is to be shown


class Named(click.types.StringParamType):
    """A text that mostly names a file, which the shell completes; `-`, built-in sets and addresses are texts too."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(incomplete, type="file")]


class Commands(click.Group):
    """Commands that are listed in groups; hidden ones are in none."""

    groups: Mapping[str, Sequence[str]] = {}
    gone: Mapping[str, str] = {}  # commands of earlier versions, and what to do instead

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        """Takes the command in; arguments, and options whose value is called FILE or DIR, complete as files do."""
        for each in cmd.params:
            if each.type is click.STRING and (isinstance(each, click.Argument) or each.metavar in ("FILE", "DIR")):
                each.type = Named()
        super().add_command(cmd, name)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args[0] in self.gone:
            raise click.UsageError(self.gone[args[0]])  # without a context, which would add how commands are used
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        longest = max(len(name) for names in self.groups.values() for name in names)
        for title, names in self.groups.items():
            with formatter.section(title):
                width = formatter.width - longest - 6
                formatter.write_dl([(f"{n:<{longest}}", self.commands[n].get_short_help_str(width)) for n in names])


class Command(click.Command):
    """A command that shows some of its options for --help, and all of them in groups for --help-all."""

    groups: Mapping[str, Sequence[str]] = {}  # each option, by the name of its parameter, in one of them
    short: Sequence[str] = ()

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        options = {param.name: param.get_help_record(ctx) for param in self.params}
        shown = self.groups if ctx.meta.get(ALL) else {"Options": self.short}
        for title, names in shown.items():
            with formatter.section(title):
                formatter.write_dl([record for name in names if (record := options[name]) is not None])
        if not ctx.meta.get(ALL):
            rest = sum(len(names) for names in self.groups.values()) - len(self.short)
            formatter.write_paragraph()
            formatter.write(f"{rest} more options: {ctx.command_path} --help-all\n")


def explained_in_full(command: Callable[..., Any]) -> Callable[..., Any]:
    """The option --help-all."""
    shown = click.option("--help-all", is_flag=True, is_eager=True, expose_value=False, hidden=True, callback=_show_all)
    return shown(command)


def _show_all(context: click.Context, option: click.Parameter, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        context.meta[ALL] = True
        click.echo(context.get_help(), color=context.color)
        context.exit()
