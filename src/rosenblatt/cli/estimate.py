"""`rosenblatt estimate`: probabilities by counting, how likely they make the sample, and what smoothing does."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import click

from rosenblatt.cli.options import print_json
from rosenblatt.cli.outputs import check_outputs
from rosenblatt.cli.screen import show


@click.command()
@click.argument("counts", nargs=-1, required=True, metavar="VALUE=COUNT...")
@click.option("--k", type=click.FloatRange(0), default=0.0, show_default=True, help="How much to smooth, up to inf.")
@click.option("--at", metavar="THETA", help="Also L there: 0.5 or 1/2; for more than two values a=1/2,b=1/4,c=1/4.")
@click.option("--figure", metavar="FILE", help="Draw the curve as an SVG picture.")
@click.option("--json", "as_json", is_flag=True, help="The numbers as one JSON object.")
def estimate(counts: Sequence[str], k: float, at: str | None, figure: str | None, as_json: bool) -> None:
    """Estimate probabilities from how often each VALUE was drawn: maximum likelihood, smoothed by k.

    For example `rosenblatt estimate heads=7 tails=3`. A value that was never drawn has COUNT 0.
    """
    check_outputs({"--figure": figure}, {}, printed=())
    from rosenblatt.report.estimate import estimate as count_up

    found = count_up(_counts(counts), k)
    theta = None if at is None else _theta(at)
    if as_json:
        more = {} if at is None else {"at": {"theta": at, "log_likelihood": found.log_likelihood(theta)}}
        print_json({**found.to_dict(), **more})
    else:
        show([*str(found).split("\n"), *([] if at is None else ["", *found.at(theta)])])
    if figure is not None:
        found.to_svg(figure)
        if not as_json:
            show(["", f"wrote {figure}"])


def _counts(given: Sequence[str]) -> dict[str, int]:
    """The values with their counts."""
    counts: dict[str, int] = {}
    for text in given:
        value, sign, count = text.rpartition("=")
        if not sign or not value or not (count.isascii() and count.isdigit() and len(count) < 20):
            raise click.UsageError(f"{text!r}: write a value and how often it was drawn, such as heads=7.")
        if value in counts:
            raise click.UsageError(f"{value!r} is given twice. Give each value once, with all that was drawn of it.")
        counts[value] = int(count)
    return counts


def _theta(text: str) -> Any:
    """The theta of --at: a number or a fraction, or one for each value."""
    try:
        if "=" not in text:
            return _number(text)
        pairs = [part.rpartition("=") for part in text.split(",")]
        return {value.strip(): _number(number) for value, _, number in pairs}
    except (ValueError, ZeroDivisionError):
        raise click.UsageError(f"--at {text}: write a probability, 0.5 or 1/2, or one for each value.") from None


def _number(text: str) -> Fraction:
    return Fraction(text.strip())
