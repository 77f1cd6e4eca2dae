"""The report as one page: a file that needs no network and no other file, and no script but to play a recorded run and
to mark the words of texts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rosenblatt.report.bends import show_bends
from rosenblatt.report.bracket import show_bracket
from rosenblatt.report.calibration import show_calibration
from rosenblatt.report.confusion import show_confusion
from rosenblatt.report.growth import show_growth
from rosenblatt.report.learning import show_learning
from rosenblatt.report.markup import Child, Markup, tag
from rosenblatt.report.passes import show_passes
from rosenblatt.report.pulls import show_pulls
from rosenblatt.report.regions import show_regions
from rosenblatt.report.run import plays, run_hash, run_style, show_run
from rosenblatt.report.spans import spans_hash, spans_style
from rosenblatt.report.style import style
from rosenblatt.report.summary import (
    show_choice,
    show_classes,
    show_data,
    show_files,
    show_goal,
    show_plan,
    show_proof,
    show_result,
)
from rosenblatt.report.support import show_support
from rosenblatt.report.thresholds import show_thresholds
from rosenblatt.report.weight_bars import show_weight_bars
from rosenblatt.report.weight_images import show_weight_images
from rosenblatt.report.worst import show_worst
from rosenblatt.writing import write_whole

if TYPE_CHECKING:
    from rosenblatt.model import Evidence, Model

# Should escaping ever fail, a browser still runs no script of the data and asks nobody for anything. Where a recorded
# run is played, or texts are marked, the script for it is allowed by its hash.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def write_report(model: Model, evidence: Evidence, path: str | Path) -> None:
    """The report of a training run is in the file `path`, whole; or an error says why not and nothing changed."""
    write_whole(path, page(model, evidence).encode("utf8"))


def page(model: Model, evidence: Evidence) -> str:
    """The report as HTML."""
    source = model.card["source"]
    run = show_run(model)
    marks = any(row.why is not None for row in evidence.worst)
    scripts = [run_hash()] * plays(run) + [spans_hash()] * marks
    policy = f"{POLICY}; script-src {' '.join(scripts)}" if scripts else POLICY
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="generator", content="rosenblatt"),
        tag("title", f"{Path(source).name} · rosenblatt report"),
        tag("style", Markup((run_style() if plays(run) else "") + (spans_style() if marks else "") + style())),
    )
    made = [model.card["choice"]["name"], _maker(model)]
    subtitle = tag("p", " · ".join(part for part in made if part), class_="soft")
    header = tag("header", tag("h1", Path(source).name or "Report"), subtitle)
    body = tag("body", header, tag("main", sections(model, evidence, run)))
    return "<!doctype html>\n" + tag("html", head, body, lang="en") + "\n"


def _maker(model: Model) -> str:
    version = model.card["versions"].get("rosenblatt")
    return f"rosenblatt {version}" if version else "rosenblatt"


def sections(model: Model, evidence: Evidence, run: Markup | None) -> list[Child]:
    """What the terminal shows, with pictures; what has nothing to show is left out.

    In pairs, because they stand side by side: a perceptron has a proof where naive Bayes has a calibration.
    """
    card = model.card
    return [
        show_result(evidence.evaluation, card),
        show_data(card, evidence.disk),
        show_plan(model.plan),
        show_choice(evidence.trials, card),
        show_learning(evidence.curve),
        show_growth(evidence.growth),
        show_goal(card),
        show_thresholds(model, evidence),
        show_calibration(evidence, card),
        show_proof(card),
        show_classes(evidence.evaluation, evidence.tested),
        show_confusion(evidence.evaluation, evidence.tested),
        _weights(model, evidence),
        show_regions(model),
        show_support(model, evidence.image_shape),
        show_bends(model),
        show_passes(evidence.per_pass),
        show_bracket(evidence.bracket),
        run,
        show_worst(evidence.worst, evidence.image_shape, evidence.tested),
        show_pulls(evidence.worst, model.classes.names, evidence.image_shape),
        show_files(evidence, card),
    ]


def _weights(model: Model, evidence: Evidence) -> Markup | None:
    """Images where the features are pixels and each class has a weight for every one of them; otherwise bars."""
    formula, shape = model.learner.summed_or_none(model.plan), evidence.image_shape
    drawn = None if formula is None or formula.logs else formula.weights
    if drawn is not None and shape is not None and drawn.shape[1] == shape[0] * shape[1]:
        return show_weight_images(drawn, model.classes.names, shape)
    return show_weight_bars(evidence.heaviest, "weight" if formula is None else formula.called)
