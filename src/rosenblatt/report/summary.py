"""The sections in words and tables: the facts of the report on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rosenblatt.report.facts import (
    Folded,
    Result,
    compared_by,
    data_fact,
    disk_fact,
    folded,
    goal_facts,
    notes_of,
    proof_fact,
    pruned_fact,
    result_of,
    settled_by,
    split_fact,
    spread_sentence,
    tried,
    weights_fact,
)
from rosenblatt.report.figures import count, percent, rows_of, shortened
from rosenblatt.report.markup import Child, Markup, card, facts, table, tag
from rosenblatt.report.scales import Scale, picture

if TYPE_CHECKING:
    from rosenblatt.features.lines import Line
    from rosenblatt.features.plan import Plan
    from rosenblatt.model import Card, Disk, Evaluation, Evidence, Trial

MOST_CLASSES = 12  # named with their rows; with more, how many there are
MOST_LINES, LONGEST = 60, 200  # of the plan that are not folded; letters of a cell


def show_result(evaluation: Evaluation, card_of: Card) -> Markup:
    """The accuracy on the test rows, large, with its interval and what always guessing would give."""
    if (folds := folded(card_of)) is not None:
        return _result_of_folds(folds)
    found, spread = result_of(evaluation, card_of), spread_sentence(card_of)
    number = tag("p", tag("b", percent(found.accuracy)), " of the test rows are right", class_="large")
    apart = not card_of["split"]["test"]
    rows = f"{rows_of(found.rows)} {'given apart' if apart else 'kept aside'} and looked at once"
    span = f"{percent(found.low)} to {percent(found.high)}"
    say = f"95% interval {span}, from {rows}."
    guess = tag("p", "Always ", tag("q", found.common), f" would get {percent(found.always)}.")
    if found.no_better:
        guess = tag("p", tag("b", f"This is {found.no_better}."))
    label = f"{percent(found.accuracy)}, between {span.replace(' to ', ' and ')}; always guessing gets " + percent(
        found.always
    )
    more = [tag("p", f"{each[0].upper()}{each[1:]}.") for each in (found.without_copies, spread) if each]
    return card("Result", number, tag("p", say), *more, guess, _interval(found, label))


def _result_of_folds(found: Folded) -> Markup:
    """The mean over the folds, large, with its deviation and what was chosen in each fold."""
    mean = f"{percent(found.accuracy)} ± {100 * found.deviation:.1f}"
    number = tag("p", tag("b", mean), " of the rows are right out of fold", class_="large")
    guess = f"This is {found.no_better}." if found.no_better else f"Always guessing would get {percent(found.always)}."
    said = [tag("p", f"{each[0].upper()}{each[1:]}.") for each in (found.said, found.how, guess.rstrip("."))]
    low, high = found.accuracy - found.deviation, min(1.0, found.accuracy + found.deviation)
    label = f"{mean} out of fold; always guessing gets {percent(found.always)}"
    shown = Result(found.accuracy, low, high, 0, found.common, found.always)
    folds = table(found.head, found.rows, "Each fold and what was chosen in it", range(len(found.head) - 1))
    return card("Result", number, *said, _interval(shown, label), folds)


def _interval(found: Result, label: str) -> Markup:
    x, always = Scale(0, 1, 10, 550), found.always
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
        tag("line", x1=x.place(found.low), x2=x.place(found.high), y1=34, y2=34, class_="span"),
        tag("circle", cx=x.place(found.accuracy), cy=34, r=5, class_="mark new"),
    ]
    return picture(560, 62, label, marks)


def show_data(card_of: Card, disk: Disk | None) -> Markup:
    """Where the rows came from, how they were divided, and what was noticed about them."""
    found = [data_fact(card_of, MOST_CLASSES), disk_fact(disk), split_fact(card_of)]
    found += [weights_fact(card_of), pruned_fact(card_of)]
    rows: list[tuple[str, Child]] = [("source", card_of["source"])]
    if card_of["label"]:
        rows.append(("label", card_of["label"]))
    rows += [(fact.label, " · ".join(fact.parts)) for fact in found if fact is not None]
    rows += [("note", note) for note in notes_of(card_of)]
    return card("Data", facts(rows))


def show_goal(card_of: Card) -> Markup | None:
    """Where the line between two classes is, and what that gives for the positive one; None without a goal."""
    goal = goal_facts(card_of)
    if goal is None:
        return None
    say = f"Predicted {goal.positive}: {', '.join(goal.line.parts)}. The line was drawn by {goal.drawn_by}."
    shown = table((goal.positive, *goal.head), goal.rows, "The positive class", range(1, len(goal.head) + 1))
    note = "False alarms: rows of the other class that were taken for it. AUC: how well the scores rank, at any line."
    return card("Goal", tag("p", say), shown, tag("p", note, class_="soft"))


def show_plan(plan: Plan) -> Markup | None:
    """What becomes of every column, and why; of many columns those after the first are folded."""
    lines = plan.lines
    if not lines:
        return None
    others = tag("details", tag("summary", f"{len(lines) - MOST_LINES} more columns"), _columns(lines[MOST_LINES:]))
    units = None if plan.units is None else tag("p", f"These are read by {plan.units.describe()}.")
    return card("Plan", _columns(lines[:MOST_LINES]), others if len(lines) > MOST_LINES else None, units, wide=True)


def _columns(lines: Sequence[Line]) -> Markup:
    head = ("column", "kind", "why", "features", "first values", "what becomes of it")
    rows = [
        (
            shortened(line.column, LONGEST), line.kind, shortened(line.reason, LONGEST), f"{line.width:,}",
            shortened(line.first_values(), LONGEST), shortened(line.describe(), LONGEST),
        )
        for line in lines
    ]  # fmt: skip
    return table(head, rows, "Columns and what becomes of them", (3,))


def show_choice(trials: list[Trial], card_of: Card) -> Markup | None:
    """What was tried on the validation rows, and which was taken; the best few, the others folded."""
    if not trials:
        return None
    found = tried(trials)
    validation = card_of.get("validation")
    say = "Candidates were compared on validation rows alone"
    say += f" ({count(validation['rows'])} of them)" if validation is not None else ""
    say += f" and {settled}" if (settled := settled_by(card_of)) else ""
    say += "; then it learned again from training and validation rows together."
    others = tag(
        "details", tag("summary", f"{len(found.rest)} more"), _trials(found.rest, "The others", compared_by(card_of))
    )
    best = _trials(found.shown, "Candidates on the validation rows", compared_by(card_of))
    return card("Choice", tag("p", say), best, others if found.rest else None)


def _trials(trials: list[Trial], caption: str, by: str) -> Markup:
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
    head = ("tried", by, *(["out of fold"] if folds else []), "seconds")
    return table(head, rows, caption, tuple(range(1, len(head))))


def show_classes(evaluation: Evaluation, tested: str) -> Markup:
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
    shown = table(("class", "precision", "recall", "F1", "rows"), rows, f"{tested.capitalize()} by class", (1, 2, 3, 4))
    return card("Classes", shown, tag("p", note, class_="soft"))


def show_proof(card_of: Card) -> Markup | None:
    """Whether the training rows can be separated, as far as the run shows it."""
    proof = card_of.get("proof")
    if not proof:
        return None
    verdict, counts, bounds = proof_fact(card_of).parts
    open_still = "" if proof["separated"] else "; this run does not tell whether any weights separate them"
    rows: list[tuple[str, Child]] = [
        ("run", counts),
        ("updates", count(proof.get("updates", 0))),
        ("stopped by", str(proof.get("stopped", ""))),
        ("bound", bounds),
    ]
    return card("Separability", tag("p", f"{verdict[0].upper()}{verdict[1:]}{open_still}."), facts(rows))


def show_files(evidence: Evidence, card_of: Card) -> Markup:
    """What was written, what to type next, and what is needed to do it again."""
    rows: list[tuple[str, Child]] = [
        ("wrote", " · ".join(evidence.files) or "nothing"),
        ("next", tag("code", evidence.next)),
        ("choice", card_of["choice"]["name"]),
        ("fingerprint", tag("code", card_of["fingerprint"])),
        ("versions", ", ".join(f"{name} {version}" for name, version in card_of["versions"].items())),
    ]
    return card("Files and versions", facts(row for row in rows if row[1]), wide=True)
