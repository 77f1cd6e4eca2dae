"""`rosenblatt train`: from data to a model, a report, and the next command to type."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rosenblatt.cli.help import Command, explained_in_full
from rosenblatt.cli.options import READING, asked, colourful, configured, print_json, reading, say, wishing
from rosenblatt.cli.outputs import check_outputs
from rosenblatt.cli.screen import pass_on, refuse_binary, show

if TYPE_CHECKING:
    from rosenblatt.learn.shards import Site
    from rosenblatt.model import Evidence, Model
    from rosenblatt.pipeline.config import Config

ENDING = ".rosenblatt"
SHARDS = 8  # on a cluster, unless told otherwise: the result must not follow from the number of workers


class Train(Command):
    """The options of train by what they are for."""

    short = (
        *("label", "test", "validation", "model", "positive", "max_false_positives", "choose_by", "cv", "time"),
        *("group", "record", "config", "out", "report"),
    )
    groups: Mapping[str, Sequence[str]] = {
        "Data": ("label", "test", "validation", "cv", "time", "group", *READING),
        "Columns": ("text", "category", "numeric", "ordered", "drop", "scale"),
        "Search": ("model", "weights", "margin", "passes", "k", "choose_by", "fit_all", "seed", "seeds", "record"),
        "Goal": ("positive", "max_false_positives", "cost_false_positive", "cost_false_negative"),
        "Work": ("memory", "shards", "jobs", "workers", "cluster", "shared", "checkpoint", "resume"),
        "Config": ("config", "plan_only"),
        "Output": ("out", "report", "quiet", "as_json"),
    }


@click.command(cls=Train)
@click.argument("data", default="digits")
@click.option("--label", metavar="COLUMN", help="The column to predict; otherwise label, class or target.")
@click.option("--test", metavar="FILE", help="Rows for the test; otherwise a fifth of DATA is kept for it.")
@click.option(
    "--validation",
    metavar="FILE",
    help="Rows to choose by, them alone; otherwise a fifth of DATA, with --test a quarter.",
)
@click.option(
    "--model",
    type=click.Choice(["auto", "perceptron", "naive-bayes", "kernel"]),
    default="auto",
    show_default=True,
    help="Which family to search; auto tries the first two.",
)
@click.option(
    "--choose-by",
    type=click.Choice(["accuracy", "balanced-accuracy", "f1", "auc", "log-loss"]),
    default="accuracy",
    show_default=True,
    help="What candidates are compared by.",
)
@click.option("--cv", type=click.IntRange(2), metavar="FOLDS", help="So many folds in place of a test part.")
@click.option("--fit-all", is_flag=True, help="After the test, fit the choice to all rows, those of the test too.")
@click.option("--weights", type=click.Choice(["final", "averaged", "pocket", "voted"]), help="Of the perceptron.")
@click.option("--margin", type=click.FloatRange(0), help="Of the perceptron, in multiples of the mean |f(x)|².")
@click.option("--passes", type=click.IntRange(1), help="Of the perceptron.")
@click.option("--k", type=click.FloatRange(0), help="Of naive Bayes: how much to smooth.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Decides the split and the order.")
@click.option("--seeds", type=click.IntRange(1), default=1, show_default=True, help="Fit in so many orders.")
@click.option("--shards", type=click.IntRange(1), help="Parts of the rows to visit at once: 1, on a cluster 8.")
@click.option("--jobs", type=click.IntRange(1), help="Threads for the shards; otherwise one for each processor.")
@click.option("--workers", type=click.IntRange(1), help="Visit the shards in so many processes, by Dask.")
@click.option("--cluster", metavar="ADDRESS", help="Visit them on the Dask cluster there, such as tcp://host:8786.")
@click.option("--shared", metavar="DIR", help="With --cluster: a folder that all workers see, for the shards.")
@click.option("--record", is_flag=True, help="Keep the run in the model, rows and updates; naive Bayes is not tried.")
@click.option("--checkpoint", metavar="DIR", help="Keep the state of every run there after each pass.")
@click.option("--resume", is_flag=True, help="Go on from the checkpoint, to the very same model.")
@click.option("--group", metavar="COLUMN", help="Rows with the same value here stay in one part.")
@click.option("--time", metavar="COLUMN", help="Train on the earliest rows, test on the latest.")
@click.option("--positive", metavar="CLASS", help="Of two classes, the one that matters: scores point to it.")
@click.option("--max-false-positives", metavar="SHARE", help="Of the other class, at most so many, such as 0.1%.")
@click.option("--cost-false-positive", type=float, help="What it costs to take the other for it.")
@click.option("--cost-false-negative", type=float, help="What it costs to miss one.")
@wishing
@reading
@configured
@click.option("--plan-only", is_flag=True, help="Print the config and what becomes of each column, and train nothing.")
@click.option("--memory", metavar="SIZE", help="What the data may take in memory, such as 1GB; the rest is on disk.")
@click.option("--out", metavar="FILE", help="The model; otherwise named after DATA. - for standard output.")
@click.option("--report", metavar="FILE", help="Also a report as one HTML page.")
@click.option("--quiet", is_flag=True, help="No progress and no report.")
@click.option("--json", "as_json", is_flag=True, help="The card of the model as JSON instead of the report.")
@explained_in_full
@click.pass_context
def train(context: click.Context, /, data: str, **options: Any) -> None:
    """Train on DATA, choose on its validation part, open its test part once.

    DATA is a file, a folder, - for standard input, or a built-in set: digits (the default), iris, breast-cancer,
    wine, mail, apples, notes, and, or, xor.
    """
    if options["plan_only"]:
        _print_plan(context, data, options)
        return
    out = options["out"] or default_out(data)
    refuse_binary(out == "-")
    _check_files(data, out, options, options)
    from rosenblatt.cli.progress import Display  # numba and pyarrow load here, not for --help
    from rosenblatt.pipeline import train_with_evidence

    config = _asked(context, options)
    _check_files(data, out, options, config.values)
    display = Display(options["quiet"])
    _check_resuming(options)
    try:
        with _site(options, config.get("shards"), config.get("model")) as site:
            model, evidence = train_with_evidence(
                data,
                config=config,
                jobs=options["jobs"],
                watch=display,
                memory=options["memory"],
                site=site,
                checkpoint=options["checkpoint"],
                resume=options["resume"],
                curves=options["report"] is not None,
            )
    except KeyboardInterrupt:
        display.end()
        say(display.known(), lines=True)
        raise
    display.end()
    _write(model, evidence, data, out, options)
    if options["checkpoint"] is not None:  # only now: a model that was not written could still be had from it
        from rosenblatt.store.checkpoints import remove

        remove(options["checkpoint"])


def default_out(data: str) -> str:
    """The name of the data with our ending, in the current folder."""
    name = Path(data).name if data != "-" else "model"
    for ending in (".gz", ".zst", ".zstd"):
        name = name.removesuffix(ending)
    return f"{Path(name).stem or 'model'}{ENDING}"


def _site(options: dict[str, Any], shards: int, model: str) -> AbstractContextManager[Site | None]:
    """Where the shards are visited, for as long as the job lasts; None for this process."""
    if options["workers"] and options["cluster"]:
        raise click.UsageError("--workers starts a cluster and --cluster names one. Choose one of them.")
    if options["shared"] is not None and not options["cluster"]:
        raise click.UsageError("--shared is for --cluster ADDRESS.")
    if not options["workers"] and not options["cluster"]:
        return nullcontext()
    if model == "kernel":
        raise click.UsageError(
            "a kernel is learned in one process, on all its cores: an update changes the score of every row. Leave out "
            f"{'--workers' if options['workers'] else '--cluster'}, or choose --model perceptron, which makes units."
        )
    from rosenblatt import distributed

    if options["workers"]:
        return distributed.local(min(options["workers"], shards))  # the others would have nothing to do
    return distributed.connected(options["cluster"], options["shared"])


def _check_resuming(options: dict[str, Any]) -> None:
    from rosenblatt.store.checkpoints import holds_one

    folder = options["checkpoint"]
    if options["resume"] and folder is None:
        raise click.UsageError("name the folder to go on from with --checkpoint DIR.")
    if options["resume"] and not holds_one(folder):
        say(f"{folder}: no checkpoint yet; starting from the beginning.")


def _asked(context: click.Context, options: dict[str, Any]) -> Config:
    """What the command asks for. On a cluster shards are fixed, so that no result depends on the workers."""
    config = asked(context, options)
    costs = ("max_false_positives", "cost_false_positive", "cost_false_negative")
    if config.get("positive") is None and any(options[name] is not None for name in costs):
        raise click.UsageError("name the class that matters with --positive CLASS.")
    elsewhere = options["workers"] or options["cluster"]
    if elsewhere and options["shards"] is None and "shards" not in config.values:
        from rosenblatt.features import Wishes

        config = config.joined({"shards": SHARDS}, Wishes())
    return config


def _check_files(data: str, out: str, options: dict[str, Any], settings: Mapping[str, Any]) -> None:
    """Refuses to write over what is read; files that are read are named by the options or by the config."""
    named = {f"--{name}": settings.get(name) for name in ("label", "test", "validation", "names")}
    read = {name: file if isinstance(file, str) else None for name, file in named.items()}
    outputs = {"--out": out, "--report": options["report"]}
    check_outputs(outputs, {"DATA": data, "--config": options["config"], **read})


def _print_plan(context: click.Context, data: str, options: dict[str, Any]) -> None:
    if options["out"] or options["report"]:
        raise click.UsageError("--plan-only prints the config and makes no model. Leave out --out and --report.")
    from rosenblatt.pipeline import plan_only

    pass_on(plan_only(data, _asked(context, options), options["memory"]))


def _write(model: Model, evidence: Evidence, data: str, out: str, options: dict[str, Any]) -> None:
    """The files, and then what was found."""
    from dataclasses import replace
    from importlib import import_module

    from rosenblatt.report.terminal import terminal_report
    from rosenblatt.store import save, to_bytes

    report = options["report"]
    files = [*([] if out == "-" else [out]), *([report] if report else [])]
    evidence = replace(evidence, files=files, next=_next(model, out, data))
    if out == "-":
        sys.stdout.buffer.write(to_bytes(model))
    else:
        save(model, out)
    if report:
        import_module("rosenblatt.report.html").write_report(model, evidence, report)
    stream = sys.stderr if out == "-" else sys.stdout
    if options["as_json"] and out != "-":
        disk = {} if evidence.disk is None else {"disk": {"bytes": evidence.disk.bytes}}
        print_json({**model.card, "files": files, "seconds": round(evidence.seconds, 3), **disk})
    elif not options["quiet"]:
        show(terminal_report(model, evidence, colourful(stream)).split("\n"), nl=False, file=stream)


def _next(model: Model, out: str, data: str) -> str:
    """The command that shows why the model decides as it does."""
    name = "MODEL" if out == "-" else shlex.quote(out)
    if all(line.kind in ("text", "dropped") for line in model.plan.lines):
        return f'rosenblatt explain {name} --text "…"'
    return f"rosenblatt explain {name} {shlex.quote(data) if data != '-' else 'DATA'} --row 1"
