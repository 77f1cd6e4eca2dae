"""Texts of a page with what each word and n-gram adds in its place, drawn by the module that the lab has too.

Without scripts, as on paper, the text stands there as it is, and the heaviest parts are in the sentence beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rosenblatt.harmless import visible
from rosenblatt.model.marked import Mark, Why
from rosenblatt.report.figures import signed
from rosenblatt.report.markup import Markup, tag
from rosenblatt.web import embed, hash_of, script_of, text_of

ENTRY = "spans_page.js"
MOST_CHARACTERS, MOST_MARKS = 1_500, 400
LEVELS = 4  # strengths
NAMED = 6  # parts that the sentence has
COLOURS = ".marked{--marked-for:var(--for);--marked-against:var(--against)}"


def show_text(found: Why, number: int) -> list[Markup]:
    """The text, which is marked when the page opens by its number in the data; and how its parts add up."""
    heaviest: dict[str, float] = {}
    for mark in found.text.marks:
        heaviest[mark.name] = heaviest.get(mark.name, 0.0) + mark.part
    top = sorted(heaviest.items(), key=lambda item: -abs(item[1]))[:NAMED]
    named = ", ".join(f"{name} {signed(part)}" for name, part in top)
    more = ", …" if len(heaviest) > NAMED else "."
    say = (
        f"Solid lines speak for {found.towards}, dotted ones against it: {named}{more} "
        f"The text adds {signed(found.text.total)}, the rest {signed(found.rest)}: score {signed(found.score)}."
    )
    return [
        tag("div", _cut(found.text.text), class_="marked", data_spans=str(number)),
        tag("p", say, class_="soft"),
    ]


def spans_script(texts: Sequence[Why]) -> list[Markup]:
    """The data of the texts and the script that marks them; nothing where there are none."""
    if not texts:
        return []
    data = [_plain(each) for each in texts]
    return [
        tag("script", Markup(embed(data)), type="application/json", id="spans"),
        tag("script", Markup(script_of(ENTRY)), type="module"),
    ]


def spans_hash() -> str:
    """What the policy of the page must allow."""
    return hash_of(script_of(ENTRY))


def spans_style() -> str:
    return text_of("spans.css") + COLOURS


def _cut(text: str) -> str:
    return visible(text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}…")


def _plain(found: Why) -> dict[str, Any]:
    text = _cut(found.text.text)
    inside = [mark for mark in found.text.marks if mark.stop <= MOST_CHARACTERS]
    inside = sorted(inside, key=lambda mark: -abs(mark.part))[:MOST_MARKS]
    largest = max((abs(mark.part) for mark in inside), default=1.0)
    return {"text": text, "spans": [_span(text, mark, largest) for mark in sorted(inside)]}


def _span(text: str, mark: Mark, largest: float) -> list[Any]:
    """Places as a browser counts them, in halves of 32 bits, the sign, the strength, and what is said of it."""
    places = [len(text[:place].encode("utf-16-le")) // 2 for place in (mark.start, mark.stop)]
    level = min(LEVELS, max(1, -int(-LEVELS * abs(mark.part) / largest // 1)))
    return [*places, 1 if mark.part > 0 else -1, level, f"{visible(mark.name)} {signed(mark.part)}"]
