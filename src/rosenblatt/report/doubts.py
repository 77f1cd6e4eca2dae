"""A review of labels as lines for the terminal, as CSV, as JSON lines and as a page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rosenblatt.harmless import csv_lines
from rosenblatt.model.doubts import Doubt, Review
from rosenblatt.proofs.verdicts import Inseparable, Separable
from rosenblatt.report.facts import Fact
from rosenblatt.report.figures import count, percent, rows_of, shortened
from rosenblatt.report.markup import Child, Markup, joined, table, tag
from rosenblatt.report.style import style
from rosenblatt.report.terminal import WIDTH, fact_lines

SHOWN = 10  # doubtful rows on a screen
LONGEST, MOST = 300, 500  # letters of a row on a page, and rows
NAMED = 8  # rows of a certificate or a repair that are named
BINS = 20  # of the picture
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
COLUMNS = (
    "row", "place", "label", "suggested", "probability", "confidence", "copies", "contradicts", "in_repair",
    "every_pass", "behind", "shown",
)  # fmt: skip


def review_facts(found: Review) -> list[Fact]:
    """What was found, in a few lines."""
    sizes = np.bincount(found.codes, minlength=len(found.classes.names))
    classes = ", ".join(f"{name} {count(size)}" for name, size in zip(found.classes.names[:6], sizes, strict=False))
    more = f" and {len(sizes) - 6} more" if len(sizes) > 6 else ""
    other = sum(each.suggested != each.label for each in found.queue)
    copies = sum(bool(each.copies) for each in found.queue)
    said = [f"{rows_of(other)} of which another label is more probable"]
    said += [f"{rows_of(copies)} with copies of another label"] if copies else []
    always = sum(each.every_pass for each in found.queue)
    said += [f"{count(always)} of them wrong in every pass"] if always else []
    return [
        Fact("rows", (count(found.n), f"{classes}{more}", found.table.origin.source)),
        Fact("judged", (f"out of fold by {found.judge}",)),
        Fact("doubt", tuple(said)),
        Fact("proof", tuple(proof_parts(found))),
    ]


def proof_parts(found: Review) -> list[str]:
    """Whether the labels can be told apart by a linear boundary, and what would make it so."""
    verdict, repair = found.verdict, found.repair
    if verdict is None:
        return ["not looked for"]
    if isinstance(verdict, Separable):
        return ["separable: no labels contradict each other"]
    parts = ["not separable" if isinstance(verdict, Inseparable) else "undecided"]
    if isinstance(verdict, Inseparable):
        parts.append(f"{rows_of(len(verdict.rows))} contradict each other: {_places(found, verdict.rows)}")
    if repair is None:
        return [*parts, "no repair was found"]
    least = (
        "no repair takes fewer, which is proved"
        if repair.smallest
        else f"the least found; at least {repair.at_least} must go"
        if repair.at_least
        else "the least found, perhaps not the smallest"
    )
    how = "without them, or with the labels suggested," if repair.relabelled is not None else "without them"
    return [*parts, f"{rows_of(len(repair.rows))} to repair: {_places(found, repair.rows)}", f"{how} separable", least]


def _places(found: Review, rows: Sequence[int]) -> str:
    origin = found.table.origin
    names = [origin.of(row) if origin.paths is not None else str(origin.numbers[row]) for row in rows[:NAMED]]
    return ", ".join(names) + (f" and {count(len(rows) - NAMED)} more" if len(rows) > NAMED else "")


def review_lines(found: Review) -> list[str]:
    """The review on a screen: what was found, and the most doubtful rows."""
    lines = [line for fact in review_facts(found) for line in fact_lines(fact)]
    some = found.queue[:SHOWN]
    if not some:
        return lines
    names = [shortened(each.place.rpartition("/")[2], 24) for each in some]
    first = max(8, *map(len, names))
    labels = max(5, *(len(each.label) for each in some))
    other = max(9, *(len(each.suggested) for each in some))
    lines += ["", f"{'doubtful':<{first}}  {'label':<{labels}}  {'chance':>6}  suggested"]
    for name, each in zip(names, some, strict=True):
        line = f"{name:<{first}}  {each.label:<{labels}}  {percent(each.probability):>6}  {each.suggested:<{other}}"
        room = WIDTH - len(line) - 2
        lines.append(f"{line}  {shortened(' '.join(each.shown.split()), room - 2) if room > 12 else ''}".rstrip())
    rest = len(found.queue) - len(some)
    return [*lines, *([f"and {rows_of(rest)} more (--out FILE has all)"] if rest else [])]


def doubt_values(each: Doubt) -> dict[str, Any]:
    """A doubtful row as plain values; rows count from 1, as `explain --row` does."""
    behind = [{"place": row.origin, "label": row.label, "part": row.part} for row in each.behind]
    values = {name: getattr(each, name) for name in COLUMNS}
    return {**values, "row": each.row + 1, "copies": list(each.copies), "behind": behind}


def review_values(found: Review) -> dict[str, Any]:
    """What a review found as plain values, with its certificates."""
    verdict, repair = found.verdict, found.repair
    rows = [] if repair is None else list(zip(repair.rows, repair.labels, strict=True))
    return {
        "rows": found.n,
        "judge": found.judge,
        "doubtful": [doubt_values(each) for each in found.queue],
        "verdict": None if verdict is None else verdict.kind,
        "certificate": None if verdict is None else json.loads(verdict.to_json()),
        "repair": None
        if repair is None
        else {
            "rows": [{"row": row + 1, "label": found.classes.names[code]} for row, code in rows],
            "at_least": repair.at_least,
            "smallest": repair.smallest,
            "certificate": json.loads(repair.verdict.to_json()),
        },
    }


def to_csv(found: Review) -> str:
    """The queue as CSV, a line for each doubtful row."""
    rows = []
    for each in found.queue:
        values = doubt_values(each)
        values["copies"] = "; ".join(each.copies)
        values["behind"] = "; ".join(f"{row.origin} ({row.label})" for row in each.behind)
        rows.append([values[name] for name in COLUMNS])
    return csv_lines([COLUMNS, *rows])


def to_json_lines(found: Review) -> str:
    """The queue as JSON lines, an object for each doubtful row."""
    return "".join(json.dumps(doubt_values(each), ensure_ascii=False) + "\n" for each in found.queue)


def to_page(found: Review) -> str:
    """The review as one page that needs no network and runs no script."""
    name = Path(found.table.origin.source).name
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="generator", content="rosenblatt"),
        tag("title", f"{name} · doubtful labels"),
        tag("style", Markup(style())),
    )
    facts = [tag("p", tag("strong", fact.label), " ", " · ".join(fact.parts)) for fact in review_facts(found)]
    header = tag("header", tag("h1", f"Doubtful labels of {name}"), tag("p", f"judged by {found.judge}", class_="soft"))
    title = tag("h2", f"{rows_of(len(found.queue))}, the most doubtful first")
    main = tag("main", tag("section", *facts), _picture(found), tag("section", title, doubtful_rows(found, MOST)))
    return "<!doctype html>\n" + tag("html", head, tag("body", header, main), lang="en") + "\n"


def _picture(found: Review) -> Markup:
    """How many rows have which probability of their given label, as bars of a logarithmic height."""
    known = found.probability[~np.isnan(found.probability)]
    counts = np.histogram(known, BINS, (0.0, 1.0))[0]
    tallest = float(np.log1p(counts.max(initial=1)))
    wide, high, parts = 32, 160, list[Child]()
    for place, number in enumerate(counts.tolist()):
        size = high * float(np.log1p(number)) / tallest
        colour = "#d55e00" if place < BINS // 2 else "#0072b2"
        bar = tag("rect", x=20 + wide * place, y=high + 20 - size, width=wide - 4, height=size, fill=colour)
        told = tag("text", count(number), x=20 + wide * place + 14, y=high + 14 - size, text_anchor="middle")
        parts += [bar, told if number else None]
        if place % 5 == 0:
            parts.append(tag("text", f"{100 * place // BINS}%", x=20 + wide * place, y=high + 38))
    parts.append(tag("text", "100%", x=20 + wide * BINS, y=high + 38, text_anchor="end"))
    label = f"{rows_of(len(known))} by the probability of their given label"
    picture = tag("svg", *parts, viewBox=f"0 0 {wide * BINS + 40} {high + 50}", role="img", aria_label=label)
    note = "Rows on the left have a label that is less probable than not; heights are logarithms of the numbers above."
    return tag("section", tag("h2", "How probable the given labels are"), picture, tag("p", note, class_="soft"))


def doubtful_rows(found: Review, most: int) -> Markup:
    """The most doubtful rows as a table, and how many more there are."""
    heads = ("row", "given", "chance", "suggested", "what else", "the row")
    lines = [
        (
            each.place,
            each.label,
            percent(each.probability, 2),
            each.suggested,
            _more(each),
            shortened(each.shown, LONGEST),
        )
        for each in found.queue[:most]
    ]
    rest = len(found.queue) - len(lines)
    more = tag("p", f"and {rows_of(rest)} more, which CSV and JSON lines have", class_="soft") if rest else None
    return joined([table(heads, lines, "doubtful rows", (2,)), more])


def _more(each: Doubt) -> str:
    """Why a label is doubtful, beside its probability."""
    parts = [f"copies with another label: {', '.join(each.copies)}"] if each.copies else []
    parts += ["contradicts others in the certificate"] if each.contradicts else []
    parts += ["taken out by the repair"] if each.in_repair else []
    parts += ["wrong in every pass"] if each.every_pass else []
    against = ", ".join(f"{row.origin} ({row.label})" for row in each.behind[:3])
    parts += [f"against it speak {against}"] if against else []
    return "; ".join(parts)
