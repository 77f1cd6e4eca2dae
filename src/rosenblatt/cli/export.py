"""`rosenblatt export`: a model for other programs, as a page, SQL, JSON or ONNX."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rosenblatt.cli.outputs import check_outputs
from rosenblatt.cli.screen import pass_on, refuse_binary, show
from rosenblatt.errors import SettingError

if TYPE_CHECKING:
    from rosenblatt.model import Model

FORMATS = ("html", "sql", "json", "onnx")


@click.command()
@click.argument("model", type=click.Path())
@click.option("--to", "kind", type=click.Choice(FORMATS), help="What to write.")
@click.option(
    "--strip",
    is_flag=True,
    help="Instead: the model file without the training rows that it keeps, and without their hashes.",
)
@click.option("--out", default="-", metavar="FILE", help="Where to write it, needed for html; otherwise it is printed.")
@click.option("--table", default="data", show_default=True, help="For SQL: the table to read the rows from.")
@click.option("--data", metavar="DATA", help="For html: rows with labels, to tell what words that are left out cost.")
def export(model: str, kind: str | None, strip: bool, out: str, table: str, data: str | None) -> None:
    """Write MODEL for other people and programs.

    html is one page of at most 2 MB that decides and explains in any browser, offline: words that matter least are left
    out where it would be larger, and the model that is in the page is then written beside it;
    sql is one SELECT for DuckDB and PostgreSQL that computes scores and probabilities, for columns of numbers, of dates
    and of categories; onnx is a graph for the same columns and for images; json is the plan, the classes and the
    weights, to be read by people too.
    """
    if (kind is None) != strip:
        raise click.UsageError("say what to write: --to html, sql, json or onnx; or --strip.")
    if strip or kind == "onnx":
        refuse_binary(out == "-")
    if kind == "html" and out == "-":
        raise click.UsageError("a page is a file: name it with --out, such as --out model.html.")
    if data is not None and kind != "html":
        raise click.UsageError("--data goes with --to html: nothing is left out of the others.")
    check_outputs({"--out": out}, {"MODEL": model, "--data": data})
    from rosenblatt.store import load  # numpy and the rest load here, not for --help

    if kind == "html":
        return _page(model, out, data)
    content = exported(load(model), kind, table)
    if out == "-" and isinstance(content, str):
        pass_on(content)
    elif out == "-":
        click.echo(content, nl=False)
    else:
        from rosenblatt.writing import write_whole

        write_whole(out, content)
        show(f"wrote    {out}")


def _page(path: str, out: str, data: str | None) -> None:
    from rosenblatt.store import load, save
    from rosenblatt.store.export_html import to_html
    from rosenblatt.writing import write_whole

    whole = load(path)
    rows = None if data is None else whole.read(data)  # what is wrong with it is told before anything is written
    page, held = to_html(whole, path)
    beside = f"{out.removesuffix('.html')}.page.rosenblatt"
    if held is not whole:
        check_outputs({"--out": out, "the model of the page": beside}, {"MODEL": path})
        save(held, beside)
    write_whole(out, page)
    show(f"wrote    {out} ({len(page) / 1e6:.2f} MB): it opens in any browser and asks nobody for anything")
    if held is not whole:
        show(f"pruned   {whole.plan.width:,} features to {held.plan.width:,}, to fit: the page's model is {beside}")
    if rows is not None:
        before = f"{whole.evaluate(rows).accuracy:.1%}"
        told = before if held is whole else f"{before} before, {held.evaluate(rows).accuracy:.1%} after"
        show(f"accuracy {told}, on {rows.n_rows:,} rows of {data}")
    elif held is not whole:
        show(f"compare  rosenblatt evaluate {path} {beside} DATA tells what that costs, and so does --data DATA here")


def exported(model: Model, kind: str | None, table: str) -> bytes | str:
    """The export; without a kind, the bytes of a model file without training rows."""
    if kind is None:
        from dataclasses import replace

        from rosenblatt.store import to_bytes

        if model.learner.kept:
            raise SettingError(
                "--strip: a kernel and voted weights are made of training rows, so the file cannot do without them. "
                "Train another model, with weights averaged."
            )
        from rosenblatt.pipeline.card import without_hashes

        return to_bytes(replace(model, record=None, seen=None, card=without_hashes(model.card)))
    from rosenblatt.store.export_json import to_json
    from rosenblatt.store.export_onnx import to_onnx
    from rosenblatt.store.export_sql import to_sql

    if kind == "onnx":
        return to_onnx(model)
    # Text that was read with errors may hold half characters, which no encoding has.
    return (to_json(model) if kind == "json" else to_sql(model, table)).encode("utf8", "replace").decode()
