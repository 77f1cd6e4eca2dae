"""Text from data, made harmless for whatever shows it: a terminal, a page, a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from typing import Any

# Able to drive a terminal or to turn the text around them, or not allowed in HTML: shown by a sign instead.
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
FIRST_PICTURE = 0x2400  # the block of signs for control characters
LINE_ENDS = str.maketrans({"\n": "␊", "\u2028": "\ufffd", "\u2029": "\ufffd"})
NO_TEXT = re.compile("[\udc80-\udcff]")  # how Python holds bytes of a path that no text has; no file of ours can
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet takes for the beginning of one


def visible(text: str) -> str:
    """The string with control characters and marks that turn text around replaced by signs."""
    return UNSAFE.sub(_sign, text)


def one_line(text: str) -> str:
    """The same without line ends, so that a name cannot look like a line of ours."""
    return visible(text).translate(LINE_ENDS)


def called(path: Any) -> str:
    """What messages, models and reports call a file: a byte of its name that is not UTF-8 is written as its number."""
    return NO_TEXT.sub(lambda found: f"\\x{ord(found[0]) - 0xDC00:02x}", str(path))


def cell(value: Any) -> Any:
    """The value for a cell of CSV: text that a spreadsheet would run begins with an apostrophe; −1 is a number."""
    if not isinstance(value, str) or not value.startswith(FORMULA) or is_number(value):
        return value
    return f"'{value}"


def csv_lines(rows: Iterable[Iterable[Any]]) -> str:
    """The rows as CSV. Python before 3.13 leaves a carriage return without quotes, where it would end the line."""
    out = io.StringIO()
    plain = csv.writer(out, lineterminator="\n")
    quoted = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for row in rows:
        cells = [cell(value) for value in row]
        broken = any(isinstance(value, str) and "\r" in value for value in cells)
        (quoted if broken else plain).writerow(cells)
    return out.getvalue()


def _sign(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(FIRST_PICTURE + code)
    return "␡" if code == 0x7F else "\ufffd"


def is_number(text: str) -> bool:
    """Whether the text reads as a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True
