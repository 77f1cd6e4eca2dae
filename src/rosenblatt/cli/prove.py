"""`rosenblatt prove`: can the data be separated? One paragraph for a person, and a certificate for anybody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from rosenblatt.cli.options import as_typed, asked, configured, reading, say
from rosenblatt.cli.outputs import check_outputs
from rosenblatt.cli.screen import pass_on, show

if TYPE_CHECKING:
    from rosenblatt.cli.table import LabelledRows

SHOWN = 6  # columns that are named


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
    from rosenblatt.report.verdict import paragraph
    from rosenblatt.writing import write_whole

    table = read_table(data, asked(context, how), by_plan)
    verdict = find_proof(table.X, table.y, time_limit=time_limit, bias=not no_bias)
    tell = say if out == "-" else show
    if out == "-":
        pass_on(verdict.to_json())
    else:
        write_whole(out, verdict.to_json())
    tell(paragraph(verdict, InTable(table, by_plan)))
    if by_plan:
        tell("This is about the features of the training plan, not about the raw numbers.")
    named = "".join(f" --{name} {quote(how[name])}" for name in ("label", "config") if how[name] is not None)
    options = named + (" --plan" if by_plan else "") + as_typed(how)
    place, file = ("printed", "FILE") if out == "-" else (f"in {out}", quote(out))
    tell(f"The certificate is {place}; verify it with: rosenblatt check {file} {quote(data)}{options}")


def _inputs(data: str, how: Mapping[str, Any]) -> dict[str, str | None]:
    return {"DATA": data, **{f"--{name}": how[name] for name in ("label", "names", "config")}}


@dataclass(frozen=True)
class InTable:
    """Rows as the data has them: by line or place, and with all that their columns say."""

    read: LabelledRows
    by_plan: bool

    @property
    def unit(self) -> str:
        return self.read.origin.unit

    @property
    def left_out(self) -> Sequence[str]:
        return self.read.left_out

    def name(self, row: int) -> str:
        origin = self.read.origin
        return str(origin.numbers[row]) if origin.paths is None else origin.of(row)

    def label(self, row: int) -> str:
        from rosenblatt.proofs.question import label_name

        return label_name(self.read.y[row])

    def alike(self, one: int, other: int) -> str:
        """Texts of the same words may differ, and so may what is left out."""
        from rosenblatt.data.table import some

        table, used = self.read.table, self.read.used
        pairs = {name: (table.value(name, one), table.value(name, other)) for name in used}
        differing = [name for name, (a, b) in pairs.items() if a != b and (a == a or b == b)]
        if differing:
            return f"the same in every feature, though not in {some(differing, SHOWN)} itself,"
        if self.by_plan:
            return "the same in every feature"
        return f"identical in the columns used ({some(used, SHOWN)})" if self.left_out else "identical"
