"""`rosenblatt evaluate`: how a model does on rows that have labels, or how two compare on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from rosenblatt.cli.options import how_to_read, is_model_file, print_json, reading
from rosenblatt.cli.screen import show

if TYPE_CHECKING:
    from rosenblatt.data.table import Table
    from rosenblatt.model import Evaluation, Model


@click.command()
@click.argument("models", nargs=-1, required=True, metavar="MODEL [OTHER] [DATA]")
@click.option("--label", metavar="COLUMN", help="Otherwise the column that the model was trained to predict.")
@click.option("--positive", metavar="CLASS", help="Of two classes, the one that matters: false alarms and AUC for it.")
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
@reading
def evaluate(models: Sequence[str], label: str | None, positive: str | None, as_json: bool, **how: Any) -> None:
    """Compare the model's predictions with the labels of DATA; of two models, also with each other's.

    DATA is a file or - for standard input, the default.
    """
    from rosenblatt.store import load

    names, data = _parted(models)
    loaded = [load(name) for name in names]
    table = loaded[0].read(data, label, **how_to_read(**how))
    if len(loaded) == 1:
        _one(loaded[0], table, positive, as_json)
        return
    from rosenblatt.model import compare
    from rosenblatt.report.comparison import comparison_lines, comparison_values

    found = compare(loaded[0], loaded[1], table)
    pairs = zip("AB", loaded, (found.a, found.b), strict=True)
    of_positive = {s: _of_positive(m, table, each, positive) for s, m, each in pairs} if positive is not None else {}
    if as_json:
        more = {"positive": {"class": positive, **of_positive}} if of_positive else {}
        print_json({**comparison_values(found), **more})
        return
    show(comparison_lines(found, names))
    for number, (sign, measured) in enumerate(of_positive.items()):
        show([*([] if number else [""]), f"{sign}  {_positive_line(str(positive), measured)}"])


def _parted(given: Sequence[str]) -> tuple[Sequence[str], str]:
    """The model or the two, and the data: what comes last, unless it is a model."""
    if len(given) > 3:
        raise click.UsageError(f"evaluate takes one model or two, and one DATA; got {len(given)} files.")
    if len(given) == 1 or (len(given) == 2 and is_model_file(given[1])):
        return given, "-"
    return given[:-1], given[-1]


def _of_positive(loaded: Model, table: Table, found: Evaluation, positive: str) -> dict[str, float]:
    """Precision, recall, F1, AUC and false alarms for a class of two."""
    from rosenblatt.features.labels import place_of_positive
    from rosenblatt.model.ranking import Ranking

    own = place_of_positive(positive, loaded.classes.names)
    scores, truth = loaded.scores(table), loaded.classes.encode(table)
    ranking = Ranking.of(scores if own else -scores, (truth == own).astype(int))
    alarms, others = int(found.confusion[1 - own, own]), int(found.rows[1 - own])
    return {
        "precision": float(found.precision[own]),
        "recall": float(found.recall[own]),
        "f1": float(found.f1[own]),
        "false_positives": alarms / others if others else 0.0,
        "auc": ranking.area,
    }


def _one(loaded: Model, table: Table, positive: str | None, as_json: bool) -> None:
    from rosenblatt.report.terminal import class_lines, training_lines

    found = loaded.evaluate(table)
    low, high = found.interval
    always = found.always(loaded.card["majority"]["class"])
    of_positive = None if positive is None else _of_positive(loaded, table, found, positive)
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
        plain |= {} if of_positive is None else {"positive": {"class": positive, **of_positive}}
        print_json({**plain, "per_class": per_class, "confusion": found.confusion.tolist()})
        return
    show(f"rows     {found.n:,} · {table.origin.source}")
    shown = f"{found.accuracy:.1%}  ({low * 100:.1f} – {high * 100:.1f})"
    show(f"right    {shown}      always {loaded.card['majority']['class']!r} would get {always:.1%}")
    show([*training_lines(found), *class_lines(found)])
    if of_positive is not None:
        show(_positive_line(str(positive), of_positive))


def _positive_line(positive: str, found: dict[str, float]) -> str:
    shares = f"{found['precision']:.1%} precision · {found['recall']:.1%} recall"
    alarms = f"{found['false_positives']:.2%} false alarms"
    return f"{positive}: {shares} · {alarms} · F1 {found['f1']:.3f} · AUC {found['auc']:.3f}"
