"""Numbers, vectors and answers as people write them: 1/3, 0.333, 0,333, 33.3 %, [1; 0,5], -[1, 2, 3], yes.

Numbers are fractions: what a person writes is then taken at its word, and no rounding of ours decides about a mark.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rosenblatt.errors import DataError

TOLERANCE = Fraction(5, 1000)  # of the right number: what rounding to three significant digits changes at most
NUMBER = re.compile(r"[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d{1,3})?")
DATED = re.compile(r"^\d{1,4}[-./ ]*[^\W\d]{3,}|^[^\W\d]{3,}[-./ ]*\d|^\d+([-./])\d+\1\d+$")  # 3-Jan, Jan 3, 1.3.2026
LONGEST = 60  # characters of a number; more are no number that somebody wrote by hand
YES, NO = ("yes", "y", "true", "ja", "oui", "si", "sí"), ("no", "n", "false", "nein", "non")
NOTHING = ("none", "no update", "no", "0", "-", "—")
SIGNS = str.maketrans({"−": "-", "–": "-", "⁄": "/", "×": "·", "*": "·", "⋅": "·", "\u00a0": " ", "\u202f": " "})


class Unreadable(DataError):
    """A cell that cannot be read; the message says what it may hold."""


def plain(text: str) -> str:
    """The cell with one sign for each meaning; a spreadsheet wants an apostrophe before what looks like a formula."""
    return text.translate(SIGNS).strip().removeprefix("'").strip()


def result(text: str) -> str:
    """What stands after the last equals sign: students may write how they came to it."""
    return re.split("[=≈]", plain(text))[-1].strip()


def read_number(text: str) -> Fraction:
    """The number that was written."""
    shown = result(text).replace(" ", "")
    share = shown.endswith("%")
    above, bar, below = shown.removesuffix("%").strip("()").partition("/")
    if DATED.search(shown):
        raise Unreadable(
            "a spreadsheet took a fraction for a date. Write 0.333 in place of 1/3, or format cells as text"
        )
    if len(shown) > LONGEST or not NUMBER.fullmatch(above) or (bar and not NUMBER.fullmatch(below)):
        raise Unreadable("write a number, such as -2, 1/3, 0.333 or 0,333")
    bottom = _fraction(below) if bar else Fraction(1)
    if not bottom:
        raise Unreadable("write a number; a fraction cannot have 0 below its bar")
    return _fraction(above) / bottom / (100 if share else 1)


def _fraction(text: str) -> Fraction:
    return Fraction(text.replace(",", "."))


def vector_of(size: int) -> Callable[[str], tuple[Fraction, ...]]:
    """A reader of vectors of this size: [1, 3, 2], (1; 0,5; 2), -[1, 2, 3], 1·(-1)·[1, 3, 2] or 1 3 2."""

    def read(text: str) -> tuple[Fraction, ...]:
        shown = result(text)
        found = re.fullmatch(r"(.*?)[\[(]([^\[\]()]*)[\])]", shown)
        before, inner = found.groups() if found else ("", shown)
        numbers = [read_number(part) for part in _parts(inner)]
        if len(numbers) != size:
            raise Unreadable(f"write {size} numbers, such as [{', '.join(map(str, range(size)))}]")
        factor = _factor(before)
        return tuple(factor * number for number in numbers)

    return read


def _parts(inner: str) -> list[str]:
    """The numbers of a vector; where semicolons or spaces part them, commas are decimal."""
    if ";" in inner:
        return inner.split(";")
    return inner.split(",") if re.search(r",\s|,.*,|,-", inner) or " " not in inner.strip() else inner.split()


def _factor(before: str) -> Fraction:
    """What stands before a vector, as a product: nothing, a sign, or 1·(-1)·."""
    parts = [part.strip().strip("()").replace(" ", "") for part in before.split("·")]
    product = Fraction(1)
    for part in filter(None, parts):
        product *= read_number({"+": "1", "-": "-1"}.get(part, part))
    return product


def change_of(size: int) -> Callable[[str], tuple[Fraction, ...]]:
    """A reader of what is added to the weights; "none" is nothing."""
    read = vector_of(size)
    return lambda text: (Fraction(0),) * size if plain(text).lower() in NOTHING else read(text)


def read_answer(text: str) -> bool:
    """Yes or no."""
    shown = plain(text).lower()
    if shown not in (*YES, *NO):
        raise Unreadable("write yes or no")
    return shown in YES


def read_name(text: str) -> str:
    """The name of a class, whatever its case."""
    return plain(text).casefold()


def same(written: Any, right: Any) -> bool:
    """Whether a cell says this; numbers may be rounded to three significant digits."""
    if isinstance(right, frozenset):  # any of these will do
        return any(same(written, one) for one in right)
    if isinstance(right, tuple):
        return len(written) == len(right) and all(map(same, written, right))
    if isinstance(right, bool | str):
        return bool(written == right)
    return abs(written - right) <= TOLERANCE * abs(right)
