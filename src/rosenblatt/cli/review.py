"""`rosenblatt review`: labels that are doubtful, with what speaks against each."""

from __future__ import annotations

from typing import Any

import click

from rosenblatt.cli.options import asked, configured, print_json, reading
from rosenblatt.cli.outputs import check_outputs
from rosenblatt.cli.screen import show
from rosenblatt.errors import SettingError

FORMS = {"csv": "to_csv", "jsonl": "to_json_lines", "ndjson": "to_json_lines", "html": "to_page", "htm": "to_page"}


@click.command()
@click.argument("data")
@click.option("--label", metavar="COLUMN", help="Column to review; otherwise the one named label, class or target.")
@click.option("--out", metavar="FILE", help="All doubtful rows: .csv, .jsonl or .html, by its ending.")
@click.option("--json", "as_json", is_flag=True, help="Everything as one JSON object, with the certificates.")
@configured
@reading
@click.pass_context
def review(context: click.Context, /, data: str, out: str | None, as_json: bool, **how: Any) -> None:
    """List the labels of DATA that are doubtful, the most doubtful first. DATA itself is never changed.

    Each row is judged by a model that did not see it. Beside that stand copies with other labels, rows that contradict
    each other, and the least repair found: rows without which a linear boundary separates the classes.
    """
    ending = "" if out is None else out.rpartition(".")[2].lower()
    if out is not None and ending not in FORMS:
        raise SettingError(
            f"{out}: the ending says what to write: .csv, .jsonl or .html. Name a file with one of them."
        )
    check_outputs({"--out": out}, {"DATA": data, "--config": how["config"], "--names": how["names"]}, printed=())
    from rosenblatt.pipeline.review import review as review_rows
    from rosenblatt.report import doubts
    from rosenblatt.writing import write_whole

    found = review_rows(data, config=asked(context, how))
    if out is not None:
        content: str = getattr(doubts, FORMS[ending])(found)
        write_whole(out, content.encode("utf8", "replace"))
    if as_json:
        print_json(doubts.review_values(found))
        return
    show(doubts.review_lines(found))
    if out is not None:
        show(f"wrote    {out}")
