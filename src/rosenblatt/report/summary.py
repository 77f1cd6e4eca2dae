"""The sections in words and tables: the result, the data, the choice, the classes, the proof, what was written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.report.figures import count, percent, rows_of, settled_by, short, shortened
from rosenblatt.report.markup import Child, Markup, card, facts, table, tag
from rosenblatt.report.scales import Scale, picture
from rosenblatt.report.terminal import without_copies

if TYPE_CHECKING:
    from rosenblatt.model import Evaluation, Evidence, Trial

MOST_CLASSES = 12  # named with their rows; with more, how many there are
MOST_LINES = 60  # of the plan
MOST_TRIALS = 6


def show_result(evaluation: Evaluation, card_of: dict[str, Any]) -> Markup:
    """The accuracy on the test rows, large, with its interval and what always guessing would give."""
    accuracy, (low, high) = evaluation.accuracy, evaluation.interval
    common = str(card_of.get("majority", {}).get("class", ""))
    always = evaluation.always(common)
    number = tag("p", tag("b", percent(accuracy)), " of the test rows are right", class_="large")
    rows = f"{rows_of(evaluation.n)} kept aside and looked at once"
    say = f"95% interval {percent(low)} to {percent(high)}, from {rows}."
    guess = tag("p", "Always ", tag("q", common), f" would get {percent(always)}.")
    without = without_copies(card_of) if card_of.get("test") else ""
    copies = tag("p", f"{without[0].upper()}{without[1:]}.") if without else None
    label = f"{percent(accuracy)}, between {percent(low)} and {percent(high)}; always guessing gets {percent(always)}"
    no_better = card_of.get("test", {}).get("no_better")
    guess = tag("p", tag("b", f"This is {no_better}.")) if no_better else guess
    return card("Result", number, tag("p", say), copies, guess, _interval(accuracy, low, high, always, label))


def _interval(accuracy: float, low: float, high: float, always: float, label: str) -> Markup:
    x = Scale(0, 1, 10, 550)
    side = "start" if always < 0.15 else "end" if always > 0.85 else "middle"
    marks = [
        tag("line", x1=x.start, x2=x.end, y1=34, y2=34, class_="g"),
        *(tag("line", x1=x.place(v), x2=x.place(v), y1=30, y2=38, class_="g") for v in (0, 0.25, 0.5, 0.75, 1)),
        *(
            tag("text", f"{v:.0%}", x=x.place(v), y=56, text_anchor=a)
            for v, a in ((0, "start"), (0.5, "middle"), (1, "end"))
        ),
        tag("line", x1=x.place(always), x2=x.place(always), y1=20, y2=46, class_="line old"),
        tag("text", "always guessing", x=x.place(always), y=13, text_anchor=side),
        tag("line", x1=x.place(low), x2=x.place(high), y1=34, y2=34, class_="span"),
        tag("circle", cx=x.place(accuracy), cy=34, r=5, class_="mark new"),
    ]
    return picture(560, 62, label, marks)


def show_data(card_of: Mapping[str, Any], classes: tuple[str, ...]) -> Markup:
    """Where the rows came from and how they were divided."""
    split, counts = card_of.get("split", {}), card_of.get("class_counts", {})
    named = ", ".join(f"{name} {count(n)}" for name, n in counts.items())
    parts = [f"{name} {count(split[name])}" for name in ("train", "validation", "test") if split.get(name) is not None]
    if split.get("duplicates"):
        parts.append(f"{count(split['duplicates'])} duplicates kept together")
    if split.get("seed") is not None:
        parts.append(f"seed {split['seed']}")
    rows: list[tuple[str, Child]] = [
        ("source", str(card_of.get("source", ""))),
        ("rows", count(card_of.get("rows", 0))),
        ("classes", f"{len(classes)}: {named}" if 0 < len(counts) <= MOST_CLASSES else str(len(classes))),
        ("features", count(card_of.get("features", 0))),
        ("split", " · ".join(parts)),
    ]
    if card_of.get("label"):
        rows.insert(1, ("label", str(card_of["label"])))
    return card("Data", facts(rows))


def show_plan(lines: list[str]) -> Markup | None:
    """What becomes of each column, and why."""
    if not lines:
        return None
    shown = "\n".join(shortened(line, 400) for line in lines[:MOST_LINES])
    more = f"\n… and {len(lines) - MOST_LINES} more columns" if len(lines) > MOST_LINES else ""
    return card("Plan", tag("pre", shown + more, tabindex=0), wide=True)


def show_choice(trials: list[Trial], card_of: Mapping[str, Any]) -> Markup | None:
    """What was tried on the validation rows, and which was taken; the best few, the others folded."""
    if not trials:
        return None
    best = sorted(trials, key=lambda trial: (not trial.chosen, trial.cv is None, -trial.accuracy))[:MOST_TRIALS]
    shown = [trial for trial in trials if any(trial is one for one in best)]
    rest = [trial for trial in trials if all(trial is not one for one in best)]
    validation = card_of.get("validation") or {}
    say = "Candidates were compared on validation rows alone"
    say += f" ({count(validation['rows'])} of them)" if validation.get("rows") else ""
    say += f" and {settled}" if (settled := settled_by(card_of)) else ""
    say += "; then it learned again from training and validation rows together."
    more = tag("details", tag("summary", f"{len(rest)} more"), _trials(rest, "The others")) if rest else None
    return card("Choice", tag("p", say), _trials(shown, "Candidates on the validation rows"), more)


def _trials(trials: list[Trial], caption: str) -> Markup:
    folds = any(trial.cv is not None for trial in trials)
    rows = [
        (
            tag("b", trial.name, tag("span", " ← chosen", class_="chosen")) if trial.chosen else trial.name,
            percent(trial.accuracy),
            *(["–" if trial.cv is None else percent(trial.cv)] if folds else []),
            f"{trial.seconds:.2f}",
        )
        for trial in trials
    ]
    head = ("tried", "accuracy", *(["out of fold"] if folds else []), "seconds")
    return table(head, rows, caption, tuple(range(1, len(head))))


def show_classes(evaluation: Evaluation) -> Markup:
    """Precision and recall of every class."""
    given, own = evaluation.confusion.sum(axis=0), evaluation.rows
    # A share of nothing is not 0.
    columns = (
        np.where(given > 0, evaluation.precision, np.nan),
        np.where(own > 0, evaluation.recall, np.nan),
        np.where(given + own > 0, evaluation.f1, np.nan),
    )
    rows = [
        (name, *(percent(float(column[k])) for column in columns), count(evaluation.rows[k]))
        for k, name in enumerate(evaluation.classes)
    ]
    note = "Precision: of the rows given this class, the share that are of it. Recall: of its rows, the share found."
    shown = table(("class", "precision", "recall", "F1", "rows"), rows, "Test rows by class", (1, 2, 3, 4))
    return card("Classes", shown, tag("p", note, class_="soft"))


def show_proof(card_of: Mapping[str, Any]) -> Markup | None:
    """Whether the training rows can be separated, as far as the run shows it."""
    proof, margin = card_of.get("proof"), card_of.get("margin")
    if not proof:
        return None
    if proof.get("separated"):
        say = "The final weights separate the training rows: every one is on its side."
    else:
        say = "The final weights do not separate the training rows; this run does not tell whether any weights do."
    rows: list[tuple[str, Child]] = [
        ("passes", count(proof.get("passes", 0))),
        ("mistakes", count(proof.get("mistakes", 0))),
        ("updates", count(proof.get("updates", 0))),
        ("stopped by", str(proof.get("stopped", ""))),
    ]
    if margin:
        low, high = (margin.get(side) for side in ("low", "high"))
        least = f"at least {short(low)}, " if low is not None and low > 0 else ""
        rows.append(("margin", f"{least}at most {short(high)}" if high is not None else "unknown"))
    return card("Separability", tag("p", say), facts(rows))


def show_files(evidence: Evidence, card_of: Mapping[str, Any]) -> Markup:
    """What was written, what to type next, and what is needed to do it again."""
    versions = card_of.get("versions") or {}
    rows: list[tuple[str, Child]] = [
        ("wrote", " · ".join(evidence.files) or "nothing"),
        ("next", tag("code", evidence.next)),
        ("choice", str((card_of.get("choice") or {}).get("name", ""))),
        ("fingerprint", tag("code", str(card_of.get("fingerprint", "")))),
        ("versions", ", ".join(f"{name} {version}" for name, version in versions.items())),
    ]
    return card("Files and versions", facts(row for row in rows if row[1]), wide=True)
