"""Changing an input a little, so that it gets past the first check and meets the ones behind it."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

from rosenblatt.store.packing import checksum

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

WHOLE = (0, 1, -1, 2, 127, 255, 0x30000000, 2**31 - 1, 2**32 - 1, 2**62, 2**63 - 1, 2**64 - 1)
BROKEN = (0.0, -1.0, 1e308, -1e308, 5e-324, np.nan, np.inf)
TYPES = ("uint8", "int32", "uint32", "int64", "uint64", "float32", "float64")


def mutated(seeds: Sequence[bytes], words: Sequence[bytes], draw: random.Random) -> bytes:
    """One of the seeds after one to six changes."""
    content = bytearray(draw.choice(seeds))
    for _ in range(draw.choice((1, 1, 2, 3, 6))):
        draw.choice(CHANGES)(content, seeds, words, draw)
        del content[MOST_BYTES:]
    return bytes(content)


class Kind(NamedTuple):
    """Inputs of one kind: those to begin with, words of the format, what is done with one, how one is changed."""

    seeds: Sequence[bytes]
    words: Sequence[bytes]
    use: Callable[[bytes], object]
    change: Callable[[Sequence[bytes], Sequence[bytes], random.Random], bytes] = mutated
    guiding: Callable[[], AbstractContextManager[object]] | None = None  # takes compiled loops out of the way of a use


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


def other_array(array: np.ndarray, draw: random.Random) -> np.ndarray:
    """The array with other values, of another type, or of another shape."""
    way = draw.random()
    if way < 0.5 and array.size:
        changed = array.copy().ravel()
        for _ in range(draw.choice((1, 1, 3, changed.size))):
            changed[draw.randrange(changed.size)] = _value_of(array.dtype, draw)
        return changed.reshape(array.shape)
    if way < 0.65:
        with np.errstate(all="ignore"):
            return array.astype(draw.choice(TYPES))
    shapes = [array.ravel(), array.ravel()[: array.size // 2], array[:0], np.resize(array, (3, 2)), array[..., None]]
    shapes += [np.resize(array, (array.size + 1,)), np.resize(array, (10_000,)), np.zeros((), array.dtype)]
    return np.ascontiguousarray(draw.choice(shapes) if array.ndim else array.ravel())


def _value_of(kind: np.dtype, draw: random.Random) -> Any:
    if kind.kind == "f":
        with np.errstate(all="ignore"):
            return np.float64(draw.choice(BROKEN)).astype(kind)
    return np.array(draw.choice(WHOLE) % 2**64, np.uint64).astype(kind)[()]


def other_contents(plain: Any, arrays: dict[str, np.ndarray], draw: random.Random) -> tuple[Any, dict[str, np.ndarray]]:
    """Plain values and arrays of which one, or both, are no longer what they were."""
    if not arrays or draw.random() < 0.5:
        return mutated_value(plain, draw), arrays
    name = draw.choice(sorted(arrays))
    changed = {**arrays, name: other_array(arrays[name], draw)}
    if draw.random() < 0.1:
        del changed[name]
    return plain, changed


def mutated_json(seeds: Sequence[bytes], words: Sequence[bytes], draw: random.Random) -> bytes:
    """One of the seeds, which are JSON, with parts of its value changed, or with changed bytes."""
    value = _json(draw.choice(seeds))
    if draw.random() < 0.4 or value is None:
        return mutated(seeds, words, draw)
    return json.dumps(mutated_value(value, draw)).encode()[:MOST_BYTES]


def mutated_packed(seeds: Sequence[bytes], words: Sequence[bytes], draw: random.Random) -> bytes:
    """One of the seeds, which are files of store/packing.py, with values or arrays changed and a checksum that fits."""
    way = draw.random()
    parts = taken_apart(draw.choice(seeds)) if way < 0.7 else None
    if parts is None:
        return mutated(seeds, words, draw)
    text, arrays = parts
    value = _json(text.encode())
    if way < 0.15 or value is None:
        return with_text(mutated([text.encode()], words, draw).decode(errors="replace"), arrays)
    value, arrays = other_contents(value, arrays, draw)
    return with_text(json.dumps(value), arrays)


def taken_apart(content: bytes) -> tuple[str, dict[str, np.ndarray]] | None:
    """The text and the arrays of a packed file; None where it is none."""
    try:
        size = int.from_bytes(content[:8], "little")
        text = json.loads(content[8 : 8 + size])["__metadata__"]["rosenblatt"].partition("\n")[2]
        text.encode()
        return text, load(content)
    except (SafetensorError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def with_text(text: str, tensors: dict[str, np.ndarray]) -> bytes:
    """A packed file of this text and these arrays, with a checksum that fits."""
    arrays = {name: np.ascontiguousarray(array) for name, array in tensors.items()}
    content: bytes = save(arrays, {"rosenblatt": f"{checksum(text, arrays)}\n{text}"})
    return content


def _json(content: bytes) -> Any:
    """What the JSON says; None where it is none, or too deep to be written again."""
    try:
        value = json.loads(content)
        json.dumps(value)
    except (ValueError, RecursionError):
        return None
    return value
