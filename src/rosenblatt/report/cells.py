"""Results in a cell of a notebook: the facts of the terminal, set as small HTML that follows the notebook's theme.

Every string goes through `markup`. Trace has a player of its own (`traces/player.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from typing import Any

from rosenblatt.learn import odds
from rosenblatt.learn.explain import BIAS, Explanation
from rosenblatt.model import Comparison, Model
from rosenblatt.model.doubts import Review
from rosenblatt.proofs.verdicts import Verdict
from rosenblatt.report.comparison import comparison_facts, differing, told_of_cards
from rosenblatt.report.doubts import SHOWN, doubtful_rows, review_facts
from rosenblatt.report.facts import Fact
from rosenblatt.report.figures import count, rows_of, shortened
from rosenblatt.report.inspected import model_facts
from rosenblatt.report.markup import Child, Markup, facts, joined, table, tag
from rosenblatt.report.style import cell_style
from rosenblatt.report.verdict import Numbered, paragraph

LONGEST = 60  # letters of a name
FEW, MOST = 6, 10  # heaviest features of a class, and classes
LINES = 40  # of a plan


def in_cell(*children: Child) -> Markup:
    """What stands in a cell, with its style."""
    return tag("div", tag("style", Markup(cell_style())), *children, class_="rosenblatt")


@singledispatch
def cell(shown: Any) -> Markup:
    """What a cell shows of a result."""
    raise TypeError(f"a cell of a notebook shows results; got {type(shown).__name__}.")


@cell.register
def _(shown: Model) -> Markup:
    plan, heaviest = shown.card["plan"], shown.heaviest(FEW)
    more = [f"and {len(plan) - LINES} more"] if len(plan) > LINES else []
    lines = [tag("p", line) for line in [*plan[:LINES], *more]]
    return in_cell(
        _listed(model_facts(shown)),
        tag("details", tag("summary", "plan"), lines),
        tag("details", tag("summary", "heaviest features"), _heaviest(heaviest)) if heaviest else None,
    )


@cell.register
def _(shown: Explanation) -> Markup:
    line = shown.line()
    parts = shown.listed(line, constant=BIAS)
    parts = parts if shown.bias[line] else parts[:-1]
    rows = [(each.name, each.value, each.part, each.note) for each in parts]
    return in_cell(
        tag("p", tag("strong", shown.head)),
        _parts(("feature", "value", "adds", ""), rows, "What each feature adds"),
        _products(shown.factors),
    )


@cell.register
def _(shown: odds.Explanation) -> Markup:
    head, terms = shown.told()
    return in_cell(
        tag("p", tag("strong", head)),
        _parts(("term", "log-odds", ""), terms, "What each value adds to the log-odds"),
        _products(shown.factors),
    )


@cell.register
def _(shown: Verdict) -> Markup:
    first, end, rest = paragraph(shown, Numbered(shown)).partition(". ")
    return in_cell(tag("p", tag("strong", first + end.strip()), " ", rest))


@cell.register
def _(shown: Comparison) -> Markup:
    rows, cards = differing(shown), told_of_cards(shown.cards, LONGEST)
    rest = len(shown.differ) - len(rows) + 1
    return in_cell(
        _listed(comparison_facts(shown, ("the first model", "the second"))),
        table(rows[0], rows[1:], "Rows that the two predict differently") if rows[1:] else None,
        tag("p", f"and {rows_of(rest)} more", class_="soft") if rest else None,
        tag("details", tag("summary", f"cards differ in {count(len(cards))}"), table(("", "A", "B"), cards, "Cards"))
        if cards
        else None,
    )


@cell.register
def _(shown: Review) -> Markup:
    return in_cell(_listed(review_facts(shown)), doubtful_rows(shown, SHOWN) if shown.queue else None)


def working(line: str, done: int, most: int) -> Markup:
    """A bar and a line of what is being done; nothing of the bar is filled where nobody knows how much there is."""
    filled = tag("i", class_="for", style=f"width:{min(100.0, 100 * done / most) if most else 0:.0f}%")
    bar = tag("span", filled, class_="meter", role="progressbar", aria_valuenow=done, aria_valuemax=most or None)
    return in_cell(tag("p", bar, tag("span", line, class_="soft")))


def said(line: str) -> Markup:
    """A line of what was done."""
    return in_cell(tag("p", line, class_="soft"))


def _listed(found: Sequence[Fact]) -> Markup:
    return facts((fact.label, " · ".join(fact.parts)) for fact in found)


def _heaviest(heaviest: dict[str, list[tuple[str, float]]]) -> Markup:
    rows = [
        (name, [tag("span", f"{feature} {weight:+.3g}", class_="whole") for feature, weight in pairs])
        for name, pairs in list(heaviest.items())[:MOST]
    ]
    rest = len(heaviest) - len(rows)
    more = tag("p", f"and {rest} more classes", class_="soft") if rest else None
    return joined([table(("class", "features"), rows, "Heaviest features of each class"), more])


def _parts(head: Sequence[str], rows: Sequence[tuple[Any, ...]], caption: str) -> Markup:
    """Parts of a score with bars beside them; the last two columns are the part and a note."""
    most = max((abs(row[-2]) for row in rows if abs(row[-2]) < float("inf")), default=0.0) or 1.0
    lines: list[tuple[Child, ...]] = []
    for *names, part, note in rows:
        bar = tag(
            "i", class_="for" if part > 0 else "against", style=f"width:{min(100.0, 100 * abs(part) / most):.1f}%"
        )
        shown = tag("span", bar, class_="bar"), f"({note})" if note else ""
        lines.append((*(shortened(name, LONGEST) for name in names), f"{part:+.6g}", *shown))
    return table((*head, ""), lines, caption, range(1, len(head) - 1))


def _products(factors: Any) -> Markup | None:
    """The products of naive Bayes, folded away."""
    if factors is None:
        return None
    (head, *rows), remarks = factors.likeliest()
    shown = table(head, rows, "The products, factor by factor")
    return tag("details", tag("summary", "factors"), shown, [tag("p", each, class_="soft") for each in remarks])
