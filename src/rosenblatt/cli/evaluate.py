"""`rosenblatt evaluate`: how a model does on rows that have labels."""

from __future__ import annotations

from typing import Any

import click

from rosenblatt.cli.options import how_to_read, print_json, reading
from rosenblatt.cli.screen import show


@click.command()
@click.argument("model")
@click.argument("data", default="-")
@click.option("--label", metavar="COLUMN", help="Otherwise the column that the model was trained to predict.")
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
@reading
def evaluate(model: str, data: str, label: str | None, as_json: bool, **how: Any) -> None:
    """Compare the model's predictions with the labels of DATA."""
    from rosenblatt.report.terminal import class_lines, training_lines
    from rosenblatt.store import load

    loaded = load(model)
    table = loaded.read(data, label, **how_to_read(**how))
    found = loaded.evaluate(table)
    low, high = found.interval
    always = found.always(loaded.card["majority"]["class"])
    if as_json:
        per_class = {
            name: {"precision": float(p), "recall": float(r), "f1": float(f), "rows": int(n)}
            for name, p, r, f, n in zip(found.classes, found.precision, found.recall, found.f1, found.rows, strict=True)
        }
        plain: dict[str, Any] = {
            "accuracy": found.accuracy,
            "low": low,
            "high": high,
            "rows": found.n,
            "always": always,
        }
        plain |= {"training_rows": found.training_rows, "training_rows_exact": found.training_rows_exact}
        print_json({**plain, "per_class": per_class, "confusion": found.confusion.tolist()})
        return
    show(f"rows     {found.n:,} · {table.origin.source}")
    shown = f"{found.accuracy:.1%}  ({low * 100:.1f} – {high * 100:.1f})"
    show(f"right    {shown}      always {loaded.card['majority']['class']!r} would get {always:.1%}")
    show([*training_lines(found), *class_lines(found)])
