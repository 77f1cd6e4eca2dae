"""`rosenblatt inspect`: what is in a model file."""

from __future__ import annotations

import click

from rosenblatt.cli.options import print_json
from rosenblatt.cli.screen import pass_on, show


@click.command()
@click.argument("model")
@click.option("--features", type=click.IntRange(1), default=10, show_default=True, help="Shown for each class.")
@click.option("--json", "as_json", is_flag=True, help="The card as one JSON object.")
@click.option("--config", "as_config", is_flag=True, help="The config that it was trained with, for train --config.")
def inspect(model: str, features: int, as_json: bool, as_config: bool) -> None:
    """Show a model's plan, its heaviest features and its card."""
    from rosenblatt.report.inspected import model_facts
    from rosenblatt.report.terminal import fact_lines
    from rosenblatt.store import load
    from rosenblatt.store.contents import format_of

    loaded = load(model)
    card = loaded.card
    if as_json:
        print_json(card)
        return
    if as_config:
        from rosenblatt.pipeline.config import config_of

        pass_on(config_of(loaded, model))
        return
    lines = [line for fact in model_facts(loaded) for line in fact_lines(fact)]
    lines += ["", "plan", *(f"  {line}" for line in card["plan"])]
    heaviest = loaded.heaviest(features)
    lines += ["", "heaviest features"] if heaviest else []
    for name, pairs in heaviest.items():
        shown = "  ".join(f"{feature} {weight:+.3g}" for feature, weight in pairs)
        lines.append(f"  {name}: {shown}")
    versions = " · ".join(f"{name} {number}" for name, number in card["versions"].items())
    lines += ["", f"made by  {versions}", f"data     {card['fingerprint'][:16]}… · format {format_of(loaded)}"]
    show(lines)
