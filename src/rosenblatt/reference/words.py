"""Words, n-grams and ratios in plain Python: what the compiled tokenizer does, to be read first.

A word is two or more word characters in a row, in small letters. Han, Kana, Thai, Lao, Khmer and Burmese put no spaces
between words: there a unit is a letter with its marks, and words are single units and neighbouring ones together.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator, Sequence

SCRIPTS = (
    "CJK", "IDEOGRAPHIC", "VERTICAL IDEOGRAPHIC", "HANGZHOU", "HIRAGANA", "KATAKANA", "COMBINING KATAKANA",
    "HENTAIGANA", "THAI", "LAO", "KHMER", "MYANMAR",
)  # fmt: skip
STACKERS = "\u1039\u17d2\u0eba"  # they put the next consonant under the last one
FOLLOWERS = "\u0e33\u0eb3\uff9e\uff9f"  # letters by their category, which never stand without the one before them
DOTS = "…"


def is_spaceless(character: str) -> bool:
    """Whether the character is of a script that has no spaces between words."""
    name = unicodedata.name(character, "").removeprefix("HALFWIDTH ")
    return name.startswith(SCRIPTS) and (is_mark(character) or character.isalnum())


def is_mark(character: str) -> bool:
    """Whether the character belongs to the one before it."""
    name = unicodedata.name(character, "").removeprefix("HALFWIDTH ")
    return name.startswith(SCRIPTS) and (unicodedata.category(character)[0] == "M" or character in FOLLOWERS)


def units(run: str) -> list[str]:
    """The letters of a run of such a script, each with its marks and with what is stacked under it."""
    found: list[str] = []
    for character in run:
        if found and (is_mark(character) or found[-1][-1] in STACKERS):
            found[-1] += character
        else:
            found.append(character)
    return found


def words(text: str, together: int = 2) -> list[str]:
    """The words of a text in reading order; of units, up to so many that stand side by side."""
    found = []
    for run in runs(text.lower()):
        if not is_spaceless(run[0]):
            found += [run] if len(run) > 1 else []
            continue
        letters = units(run)
        for place in range(len(letters)):
            for size in range(1, min(together, place + 1) + 1):
                found.append("".join(letters[place + 1 - size : place + 1]))
    return found


def runs(text: str) -> Iterator[str]:
    """The longest runs of word characters that are all of a script without spaces, or all not."""
    run = ""
    for character in text:
        spaceless = is_spaceless(character)
        belongs = spaceless or re.match(r"\w", character) is not None
        if run and (not belongs or spaceless != is_spaceless(run[0])):
            yield run
            run = ""
        run += character if belongs else ""
    if run:
        yield run


def ngrams(found: Sequence[str], longest: int) -> list[str]:
    """Neighbouring words together, two or more, with spaces between; units of scripts without spaces break the row."""
    plain = [not is_spaceless(word[0]) for word in found]
    return [
        " ".join(found[start : start + size])
        for size in range(2, longest + 1)
        for start in range(len(found) - size + 1)
        if all(plain[start : start + size])
    ]


def character_runs(text: str) -> list[str]:
    """Runs of 3 to 5 characters of what stands between spaces, its ends counted; dots where it goes on."""
    found = []
    for chunk in chunks(text.lower()):
        padded = f" {chunk} "
        for size in range(3, min(5, len(padded) - 1) + 1):
            for start in range(len(padded) - size + 1):
                run = padded[start : start + size]
                begins, ends = start == 0, start + size == len(padded)
                found.append(("" if begins else DOTS) + run.strip(" ") + ("" if ends else DOTS))
    return found


def chunks(text: str) -> list[str]:
    """What stands between spaces, signs included; scripts without spaces are spaces here."""
    spaced = "".join(" " if is_spaceless(each) or _is_gap(each) else each for each in text)
    return [chunk for chunk in spaced.split(" ") if len(chunk) > 1]


def _is_gap(character: str) -> bool:
    return re.match(r"[\s\x00-\x1f\x7f-\x9f…\ud800-\udfff]", character) is not None


def ratio(first: int, second: int, all_first: int, all_second: int) -> float:
    """How unevenly two classes have a word: first and second rows of them with it; the sums are over all words.

    |ln((p / P) / (q / Q))| with p and q one more than the rows, and P and Q their sums (Wang and Manning 2012).
    """
    return abs(math.log(((1 + first) / all_first) / ((1 + second) / all_second)))
