"""Changing an input a little, so that it gets past the first check and meets the ones behind it."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from typing import Any

MOST_BYTES = 20_000
NUMBERS = (
    b"0", b"-0", b"1", b"-1", b"255", b"256", b"65536", b"2147483647", b"2147483648", b"4294967296",
    b"9007199254740993", b"9223372036854775808", b"18446744073709551616", b"1e308", b"1e309", b"-1e999", b"5e-324",
    b"1e-400", b"nan", b"inf", b"-Infinity", b"0x10", b"1_000", b"1.", b".5", b"1e", b"+", b"00001", b"9" * 400,
    b"0." + b"3" * 400,
)  # fmt: skip
NUMBER = re.compile(rb"[0-9]+(?:\.[0-9]+)?")
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 0.5, -0.0, 1e308, -1e308, 5e-324, 1e9, 2**31, 2**53 + 1, 2**63, 2**64, -(2**70),
    10**300, "", "x", "\ud800", "\x00", "<b>", "a" * 3000, "1", [], {}, [[]], [None], [1, 2, 3], {"": 0}, [[[[1]]]],
    float("nan"), float("inf"),
)  # fmt: skip


def mutated(seeds: Sequence[bytes], words: Sequence[bytes], draw: random.Random) -> bytes:
    """One of the seeds after one to six changes."""
    content = bytearray(draw.choice(seeds))
    for _ in range(draw.choice((1, 1, 2, 3, 6))):
        draw.choice(CHANGES)(content, seeds, words, draw)
        del content[MOST_BYTES:]
    return bytes(content)


def _place(content: bytearray, draw: random.Random) -> int:
    # Beginnings decide most: headers, first lines.
    return draw.randint(0, min(len(content), 40) if draw.random() < 0.3 else len(content))


def _flip(content: bytearray, seeds: Sequence[bytes], words: Sequence[bytes], draw: random.Random) -> None:
    for _ in range(draw.choice((1, 1, 4)) if content else 0):
        content[min(_place(content, draw), len(content) - 1)] ^= 1 << draw.randrange(8)


def _byte(content: bytearray, seeds: Sequence[bytes], words: Sequence[bytes], draw: random.Random) -> None:
    place = _place(content, draw)
    content[place : place + draw.choice((0, 1))] = bytes([draw.randrange(256)])


def _cut(content: bytearray, seeds: Sequence[bytes], words: Sequence[bytes], draw: random.Random) -> None:
    if draw.random() < 0.5:
        del content[_place(content, draw) :]
    else:
        place = _place(content, draw)
        del content[place : place + draw.choice((1, 4, 30, 300))]


def _splice(content: bytearray, seeds: Sequence[bytes], words: Sequence[bytes], draw: random.Random) -> None:
    other = draw.choice(seeds)
    begin = draw.randint(0, len(other))
    place = _place(content, draw)
    content[place:place] = other[begin : begin + draw.choice((3, 30, 300))]


def _repeat(content: bytearray, seeds: Sequence[bytes], words: Sequence[bytes], draw: random.Random) -> None:
    place = _place(content, draw)
    piece = content[place : place + draw.choice((1, 2, 10, 100))]
    content[place:place] = piece * draw.choice((1, 2, 50, 500))


def _number(content: bytearray, seeds: Sequence[bytes], words: Sequence[bytes], draw: random.Random) -> None:
    found = NUMBER.search(content, _place(content, draw)) or NUMBER.search(content)
    if found:
        content[found.start() : found.end()] = draw.choice(NUMBERS)


def _word(content: bytearray, seeds: Sequence[bytes], words: Sequence[bytes], draw: random.Random) -> None:
    place = _place(content, draw)
    content[place : place + draw.choice((0, 0, 1, 5))] = draw.choice(words)


def _lines(content: bytearray, seeds: Sequence[bytes], words: Sequence[bytes], draw: random.Random) -> None:
    lines = content.splitlines(keepends=True)
    draw.shuffle(lines)
    content[:] = b"".join(lines[: draw.randint(0, len(lines))])


CHANGES = (_flip, _flip, _byte, _byte, _cut, _splice, _repeat, _number, _number, _word, _word, _word, _lines)


def mutated_value(value: Any, draw: random.Random) -> Any:
    """A value of JSON with one to three of its parts replaced, left out, repeated or exchanged."""
    for _ in range(draw.choice((1, 1, 2, 3))):
        value = json.loads(json.dumps(value))  # a copy in which no part is there twice
        holders = [each for each in _holders(value) if each]
        if not holders:
            return draw.choice(VALUES)
        holder = draw.choice(holders)
        key = draw.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
        deed = draw.random()
        if deed < 0.65:
            holder[key] = draw.choice(VALUES)
        elif deed < 0.8:
            del holder[key]
        elif isinstance(holder, list):
            holder[key:key] = holder[key : key + 1] * draw.choice((1, 2, 30))
        else:
            holder[draw.choice(("", "x", "points", "settings", "name"))] = holder[key]
    return value


def _holders(value: Any) -> list[Any]:
    """All lists and tables in the value, itself included."""
    found: list[Any] = []
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict | list):
            found.append(each)
            waiting.extend(each.values() if isinstance(each, dict) else each)
    return found
