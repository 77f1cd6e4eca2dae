"""Which characters belong to words, and which are of scripts that have no spaces between words.

Word characters are those of Python's own `re`. By that a sentence of Han, Kana, Thai, Lao, Khmer or Burmese would be
one word, or, cut at its vowel signs, none; so these scripts are cut into graphemes, a letter with its marks.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

import numpy as np

from rosenblatt.loops.words import EXTENDS, JOINS, UNIT, WORD

# Scripts without spaces, by the blocks of Unicode.
RANGES = (
    (0x0E00, 0x0E7F),  # Thai
    (0x0E80, 0x0EFF),  # Lao
    (0x1000, 0x109F), (0xA9E0, 0xA9FF), (0xAA60, 0xAA7F),  # Burmese
    (0x1780, 0x17FF), (0x19E0, 0x19FF),  # Khmer
    (0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3021, 0x302D), (0x3038, 0x303B), (0x3192, 0x3195),  # Han: signs, numerals
    (0x3040, 0x30FF), (0x31F0, 0x31FF), (0xFF66, 0xFF9F), (0x1AFF0, 0x1B16F),  # Kana
    (0x1D372, 0x1D376),  # tally marks of Han
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFD),  # Han
)  # fmt: skip
# Signs that put the next consonant under the last: the stackers of Burmese and Khmer, and the older one of Lao.
STACKING = (0x1039, 0x17D2, 0x0EBA)
# Vowels that are no marks by their category, but never stand without the consonant before them; and half-width marks.
FOLLOWING = (0x0E33, 0x0EB3, 0xFF9E, 0xFF9F)
EVERY = 0x110000


@cache
def character_table(cut: bool) -> np.ndarray:
    """What each character is to words; `cut` is False for models of versions that did not cut scripts."""
    every = np.arange(EVERY, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")
    table = np.zeros(EVERY, np.uint8)
    for run in re.finditer(r"\w+", every):
        table[run.start() : run.end()] = WORD
    if cut:
        for first, last in RANGES:
            own = table[first : last + 1]
            others = (first + np.flatnonzero(own != WORD)).tolist()  # a mark is one of these, and can be printed
            own[own == WORD] = UNIT
            marks = [code for code in others if every[code].isprintable()]
            table[[code for code in marks if unicodedata.category(every[code]).startswith("M")]] = EXTENDS
        table[[*FOLLOWING]], table[[*STACKING]] = EXTENDS, JOINS
    return table


@cache
def chunk_table() -> np.ndarray:
    """What each character is to chunks: runs of whatever is no space, dots, control or script without spaces."""
    table = character_table(True)
    chunks = np.where(table >= UNIT, 0, WORD).astype(np.uint8)
    every = np.arange(EVERY, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")
    for gap in re.finditer(r"[\s\x00-\x1f\x7f-\x9f…\ud800-\udfff]+", every):
        chunks[gap.start() : gap.end()] = 0
    return chunks
