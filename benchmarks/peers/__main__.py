"""`python -m benchmarks.peers`: this project beside its peers, measured here and now."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

import click
from rich.console import Console

from benchmarks.peers import bench, write
from benchmarks.peers.terminal import WIDTH, show
from rosenblatt.cli import OBJECTS
from rosenblatt.errors import RosenblattError, SettingError


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--quick", is_flag=True, help="Some tasks with few rows and repeats, under three minutes.")
@click.option("--task", "tasks", multiple=True, metavar="NAME", help="Only this task; may be given several times.")
@click.option("--repeats", type=click.IntRange(1), help="Of every timed fit; otherwise 5, or 3 with --quick.")
@click.option("--rows", type=click.IntRange(200), help="At most so many training rows in each task.")
@click.option("--out", metavar="DIR", help="Also write DATE.json, DATE.md and pictures into this folder.")
def main(quick: bool, tasks: tuple[str, ...], repeats: int | None, rows: int | None, out: str | None) -> None:
    """Measure fits, predictions and memory beside scikit-learn, Vowpal Wabbit, fastText, River and mlpack.

    All on one core and the same rows. Tasks: reuters-acq, a9a, news20, mnist, digits, letter, kernel mnist,
    newsgroups, spam, rt-polarity, adult, mushroom, spambase, german, wide; then reading, texts, train, cold start,
    calibration, review, serve, columns, scale, workers, growth. Real data is taken from the folder that
    ROSENBLATT_DATA names or from ../shared/data; without it generated rows take its place. Peers come with
    `make peers`.
    """
    folder = None if out is None else Path(out)
    if folder is not None and not folder.is_dir():
        what = "this is a file, not a folder" if folder.exists() else "there is no such folder"
        raise SettingError(f"{out}: {what}. Create a folder, or name another.")
    results = bench(tasks, quick=quick, repeats=repeats, rows=rows, say=_say)
    _say("")
    show(results, Console(width=WIDTH, highlight=False, soft_wrap=False))
    if folder is not None:
        click.echo("wrote    " + " · ".join(str(path) for path in write(results, folder)))


def _say(line: str) -> None:
    """What is being measured: one line that changes on a terminal, lines elsewhere."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{line[:79]}")
    elif line:
        sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    gc.set_threshold(OBJECTS)  # as in every command of ours, and here for everybody
    try:
        main()
    except (RosenblattError, OSError) as error:
        sys.exit(f"benchmarks.peers: {error}")
