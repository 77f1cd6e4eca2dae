"""A text with the signs of its words and n-grams below it, for a terminal: overlapping ones stand under each other."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from rosenblatt.harmless import one_line
from rosenblatt.model.marked import Mark, Marked, tiers

WIDTH, MOST_LINES = 76, 12
FURTHEST = 100_000  # characters of a text in which marks are shown; a person does not read on
FOR, AGAINST = "+", "-"


def marked_lines(found: Marked, count: int) -> list[str]:
    """The lines of the text that hold some of the heaviest features, so many at most, each with its signs below it."""
    heaviest = dict.fromkeys(mark.name for mark in sorted(found.marks, key=lambda mark: -abs(mark.part)))
    shown = set(list(heaviest)[:count])
    marks = [mark for mark in found.marks if mark.name in shown and mark.stop <= FURTHEST]
    stacked = list(zip(marks, tiers(marks), strict=True))
    lines, last = list[str](), 0
    every = list(_cut(found.text))
    for number, (start, stop) in enumerate(every):
        here = [(mark, tier) for mark, tier in stacked if mark.start < stop and mark.stop > start]
        if not here:
            continue
        if len(lines) and number > last + 1:
            lines.append("  …")
        last = number
        if sum(not line.startswith("  …") for line in lines) > MOST_LINES * 2:
            return [*lines, f"  … and {len(every) - number} more lines"]
        lines += [f"  {one_line(found.text[start:stop])}", *_below(found.text, start, stop, here)]
    return lines


def _below(text: str, start: int, stop: int, here: Sequence[tuple[Mark, int]]) -> Iterator[str]:
    """The signs of each line under the text."""
    places = [2]
    for character in text[start:stop]:
        places.append(places[-1] + columns_of(character))
    for tier in sorted({tier for _, tier in here}):
        signs = [" "] * places[-1]
        for mark, own in here:
            if own == tier:
                first, last = places[max(mark.start, start) - start], places[min(mark.stop, stop) - start]
                signs[first:last] = (FOR if mark.part > 0 else AGAINST) * (last - first)
        yield "".join(signs).rstrip()


def _cut(text: str) -> Iterator[tuple[int, int]]:
    """The text in lines that fit, cut at its own ends and between words where there are any."""
    at = 0
    while at < len(text):
        end, width, space = at, 0, -1
        while end < len(text) and text[end] != "\n" and width + columns_of(text[end]) <= WIDTH:
            width += columns_of(text[end])
            space = end if text[end].isspace() else space
            end += 1
        if end < len(text) and text[end] != "\n" and space > at and not text[end].isspace():
            end = space
        yield at, end
        at = end + 1 if end < len(text) and text[end].isspace() else max(end, at + 1)


def columns_of(character: str) -> int:
    """How many columns of a terminal a character takes."""
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
