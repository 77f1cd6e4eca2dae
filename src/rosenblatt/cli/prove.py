"""`rosenblatt prove`: can the data be separated? One paragraph for a person, and a certificate for anybody."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from rosenblatt.cli.options import as_typed, asked, configured, reading, say
from rosenblatt.cli.outputs import check_outputs
from rosenblatt.cli.screen import pass_on, show

if TYPE_CHECKING:
    from rosenblatt.cli.table import LabelledRows

SHOWN = 6  # rows of a witness that are written out
SOON = 2_000_000  # numbers in data of which the best margin is found within a second or two


@click.command()
@click.argument("data")
@click.option("--label", help="Column to predict.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, allow_dash=True),
    default="certificate.json",
    show_default=True,
    help="Where; - to print it.",
)
@click.option("--plan", "by_plan", is_flag=True, help="Ask of the features that train would use, scaled ones too.")
@click.option("--no-bias", is_flag=True, help="Boundaries through the origin only.")
@click.option("--time-limit", type=click.FloatRange(min=0), help="Seconds after which to say: undecided.")
@configured
@reading
@click.pass_context
def prove(
    context: click.Context, /, data: str, out: str, by_plan: bool, no_bias: bool, time_limit: float | None, **how: Any
) -> None:
    """Prove that the classes of DATA can or cannot be separated by linear boundaries.

    DATA is a file, a folder, `-`, or a built-in name such as notes, xor, iris or mail. The question is asked of the raw
    numbers, of 0/1 columns for categories and of 0/1 words.
    """
    check_outputs({"--out": out}, _inputs(data, how))
    from rosenblatt.cli.table import read_table
    from rosenblatt.proofs import prove as find_proof
    from rosenblatt.writing import write_whole

    table = read_table(data, asked(context, how), by_plan)
    verdict = find_proof(table.X, table.y, time_limit=time_limit, bias=not no_bias)
    tell = say if out == "-" else show
    if out == "-":
        pass_on(verdict.to_json())
    else:
        write_whole(out, verdict.to_json())
    tell(paragraph(verdict, table, by_plan))
    if by_plan:
        tell("This is about the features of the training plan, not about the raw numbers.")
    named = "".join(f" --{name} {quote(how[name])}" for name in ("label", "config") if how[name] is not None)
    options = named + (" --plan" if by_plan else "") + as_typed(how)
    place, file = ("printed", "FILE") if out == "-" else (f"in {out}", quote(out))
    tell(f"The certificate is {place}; verify it with: rosenblatt check {file} {quote(data)}{options}")


def _inputs(data: str, how: Mapping[str, Any]) -> dict[str, str | None]:
    return {"DATA": data, **{f"--{name}": how[name] for name in ("label", "names", "config")}}


def paragraph(verdict: Any, table: LabelledRows, by_plan: bool = False) -> str:
    """The verdict in words, its witness in terms of the data, and the columns that it does not speak of."""
    mark = verdict.data
    size = f"{_of(mark.rows, 'row')}, {_of(mark.columns, 'feature')}, {len(mark.classes)} classes"
    found = {"separable": separator, "inseparable": witness, "undecided": bound}[verdict.kind](verdict, table, by_plan)
    return f"{verdict.statement.capitalize()} ({size}). {found}{not_used(table)}"


def not_used(table: LabelledRows) -> str:
    """A sentence with the columns left out, or nothing."""
    from rosenblatt.data.table import some

    return f" Left out: {some(table.left_out)}." if table.left_out else ""


def bound(verdict: Any, table: LabelledRows, by_plan: bool) -> str:
    return f"Neither proof was found in time. No margin exceeds {verdict.high:.4g}."


def separator(verdict: Any, table: LabelledRows, by_plan: bool) -> str:
    """What the weights at hand prove, and the best margin where it is soon found."""
    mark = verdict.data
    made = "" if verdict.mistakes is None else f"; the one that found these weights made {verdict.mistakes:,}"
    parts = [
        f"Linear boundaries get every row strictly right, with a gap of at least {verdict.gap:.4g} between the classes "
        f"in feature space. In homogeneous form{', the constant feature counted' if mark.bias else ''}, these weights "
        f"have a margin of {verdict.margin:.4g}"
    ]
    most = verdict.mistake_bound
    if mark.rows * mark.columns * (len(mark.classes) - 1) <= SOON:
        most = verdict.best.mistake_bound
        parts += [f" and the best margin is {_between(*verdict.best_margin)}, held by {_rows(table, verdict.support)}"]
    mistakes = f"{count(most)} mistake{'' if most == 1 else 's'}"
    return (
        f"{''.join(parts)}. The longest row is {verdict.radius:.4g}, so a perceptron from zero makes at most "
        f"{mistakes}{made}."
    )


def _between(low: float, high: float) -> str:
    """One number where both bounds round to it, otherwise both."""
    same = f"{low:.4g}" == f"{high:.4g}" or high - low <= 1e-6 * high
    return f"{low:.4g}" if same else f"between {low:.4g} and {high:.4g}"


def _rows(table: LabelledRows, rows: Any) -> str:
    """Some rows by their places in the data."""
    names = [_name(table, row) for row in rows]
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"{table.origin.unit}{'' if len(names) == 1 else 's'} {', '.join(names[:SHOWN])}{more}"


def _name(table: LabelledRows, row: int) -> str:
    return str(table.origin.numbers[row]) if table.origin.paths is None else table.origin.of(row)


def witness(verdict: Any, table: LabelledRows, by_plan: bool) -> str:
    """Which rows prove that there is no separator."""
    names = [_name(table, row) for row in verdict.rows]
    unit = table.origin.unit
    labels = [label_of(table, row) for row in verdict.rows]
    if len(names) == 1:
        where = " in the columns used" if table.left_out else ""
        return (
            f"{unit.capitalize()} {names[0]} is all zeros{where}, and without a bias every boundary passes through it."
        )
    if verdict.found_by == "equal rows":
        alike = _alike(table, verdict.rows[0], verdict.rows[1], by_plan)
        return f"{unit.capitalize()}s {names[0]} and {names[1]} are {alike} but labelled {labels[0]} and {labels[1]}."
    total = sum(verdict.multipliers)
    shares = [f"{c} ×" if total < 10**6 else f"{float(Fraction(c, total)):.2%} of" for c in verdict.multipliers]
    parts = [f"{share} {unit} {name} ({label})" for share, name, label in zip(shares, names, labels, strict=True)]
    more = f" and {len(parts) - SHOWN} more" if len(parts) > SHOWN else ""
    return (
        f"These {len(parts)} rows cancel, each counted towards its class: {', '.join(parts[:SHOWN])}{more}. Weights "
        f"that got all of them right would make their sum positive, but it is exactly zero."
    )


def _alike(table: LabelledRows, one: int, other: int, by_plan: bool) -> str:
    """How far two rows of equal features are the same: texts of the same words may differ, and what is left out."""
    from rosenblatt.data.table import some

    read = table.table
    pairs = {name: (read.value(name, one), read.value(name, other)) for name in table.used}
    differing = [name for name, (a, b) in pairs.items() if a != b and (a == a or b == b)]
    if differing:
        return f"the same in every feature, though not in {some(differing, SHOWN)} itself,"
    if by_plan:
        return "the same in every feature"
    return f"identical in the columns used ({some(table.used, SHOWN)})" if table.left_out else "identical"


def _of(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def count(number: int) -> str:
    return f"{number:,}" if number < 10**15 else f"about 10^{int(number.bit_length() * 0.30103)}"


def label_of(table: LabelledRows, row: int) -> str:
    from rosenblatt.proofs.question import label_name

    return label_name(table.y[row])
