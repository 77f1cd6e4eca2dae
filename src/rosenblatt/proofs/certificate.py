"""Certificates as text: strict JSON with the mark of the data and a checksum over everything else in it.

Numbers that a JSON number cannot carry everywhere (whole numbers beyond 2^53) are written in hexadecimal, which is
also free of Python's limit on decimal digits. Reading accepts exactly what writing makes: other keys, repeated keys,
NaN, other types and other sizes are refused.

Every field is something that `check` decides against the data, or follows from another field. How a proof was found
and how many mistakes that took cannot be checked, so they are not in it. Format 1 had them as `found_by` and
`mistakes`: a certificate of that format is read, its two fields held to what a proof can have written, and forgotten.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from typing import Any

import numpy as np

from rosenblatt.errors import DataError
from rosenblatt.proofs.question import Mark
from rosenblatt.strict_json import read_strictly

FORMAT = "rosenblatt certificate 2"
FORMAT_1 = "rosenblatt certificate 1"
THROUGH_THE_ORIGIN = " through the origin"  # follows the kind of a verdict about boundaries without a bias
HEXADECIMAL = re.compile(r"-?0x[0-9a-f]+")
SAFE = 2**53
KEYS = {
    "separable": {"weights", "margin", "gap", "radius", "mistake_bound"},
    "inseparable": {"rows", "others", "multipliers"},
    "undecided": {"rows", "others", "multipliers", "high"},
}
FORGOTTEN = {"separable": {"found_by", "mistakes"}, "inseparable": {"found_by"}, "undecided": set()}  # of format 1
WAYS = {"", "perceptron", "cycle", "linear program", "program in integers", "equal rows", "a row of zeros"}
WHOLE = {"mistake_bound"}
LISTS = {"rows", "others", "multipliers"}
# Hexadecimal digits of a number in a certificate, for each feature of each class. What a solver writes are minors of
# the rows, a float takes 525 digits where all are brought to one scale, and the mistake bound is a ratio of squares. A
# file of more was not written by `prove`: to multiply numbers of a million digits takes minutes.
MOST_DIGITS = 2400


def write(verdict: Any) -> str:
    """The certificate of a verdict."""
    mark = verdict.data
    content = {
        "format": FORMAT,
        "verdict": verdict.kind + ("" if mark.bias else THROUGH_THE_ORIGIN),
        "data": {
            "rows": mark.rows,
            "columns": mark.columns,
            "classes": list(mark.classes),
            "bias": mark.bias,
            "sha256": mark.sha256,
        },
    }
    for name in sorted(KEYS[verdict.kind]):
        content[name] = _plain(getattr(verdict, name))
    return _dump({**content, "checksum": checksum(content)}) + "\n"


def read(text: str | bytes) -> tuple[Mark, dict[str, Any]]:
    """The mark and the fields of a certificate whose form and checksum are right. Raises DataError for any other."""
    content = _load(text)
    form = content.get("format") if isinstance(content, dict) else None
    if form not in (FORMAT, FORMAT_1):
        raise _damaged(f"it does not begin as a {FORMAT!r}")
    claim = content.get("verdict")
    kind = claim.removesuffix(THROUGH_THE_ORIGIN) if isinstance(claim, str) and form == FORMAT else claim
    if not isinstance(kind, str) or kind not in KEYS:
        raise _damaged(f"its verdict is {ascii(claim)[:60]}")
    forgotten = FORGOTTEN[kind] if form == FORMAT_1 else set()
    wanted = KEYS[kind] | forgotten | {"format", "verdict", "data", "checksum"}
    if set(content) != wanted:
        raise _damaged(f"it has the fields {ascii(sorted(set(content) ^ wanted))[:120]} too many or too few")
    given = content.pop("checksum")
    if given != checksum(content):
        raise _damaged("its checksum does not fit; it was changed after it was written")
    mark = _mark(content["data"])
    if form == FORMAT and (claim == kind) != mark.bias:
        raise _damaged(f"its verdict is {ascii(claim)[:60]} and its data is marked with bias {mark.bias}")
    _check_digits(content, mark)
    fields = {name: _value(name, content[name]) for name in KEYS[kind]}
    for name in sorted(forgotten):
        _check_forgotten(name, content[name], fields)
    return mark, {"verdict": kind, **fields}


def checksum(content: dict[str, Any]) -> str:
    """SHA-256 of the content in one canonical spelling."""
    return hashlib.sha256(_dump(content).encode()).hexdigest()


def check_mark(claimed: Mark, actual: Mark) -> None:
    """Raises DataError, saying what differs, unless the certificate is for this data."""
    if claimed == actual:
        return
    shapes = [f"{mark.rows} rows, {mark.columns} columns and {len(mark.classes)} classes" for mark in (claimed, actual)]
    if shapes[0] != shapes[1]:
        raise DataError(f"the certificate is for {shapes[0]}, the data has {shapes[1]}. Give the data it was made for.")
    what = "classes" if claimed.classes != actual.classes else "values, labels or order of rows"
    raise DataError(
        f"the certificate is for other data of this shape: the {what} differ. Give the data it was made for."
    )


def _dump(content: Any) -> str:
    return json.dumps(content, ensure_ascii=True, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _plain(value: Any) -> Any:
    """The value as JSON can hold it."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, int) and abs(value) > SAFE:
        return hex(value)
    return value


def _load(text: str | bytes) -> Any:
    try:
        return read_strictly(text)
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise _damaged(f"it is no JSON text ({error})") from error
    except ValueError as error:
        raise _damaged(str(error)) from error


def _mark(data: Any) -> Mark:
    types = {"rows": int, "columns": int, "classes": list, "bias": bool, "sha256": str}
    if not isinstance(data, dict) or {name: type(value) for name, value in data.items()} != types:
        raise _damaged("its description of the data is not complete")
    if not all(isinstance(name, str) for name in data["classes"]):
        raise _damaged("its classes are no texts")
    return Mark(data["rows"], data["columns"], tuple(data["classes"]), data["bias"], data["sha256"])


def _check_digits(content: dict[str, Any], mark: Mark) -> None:
    """Refuses numbers longer than any that a proof about data of this size can need, before they are computed with."""
    most = MOST_DIGITS * max(1, len(mark.classes)) * max(1, mark.columns + 2)
    waiting: list[Any] = [content]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict | list):
            waiting += item.values() if isinstance(item, dict) else item
        elif isinstance(item, str) and len(item) > most and HEXADECIMAL.fullmatch(item):
            raise _damaged(
                f"it holds a number of {len(item):,} digits, and data of {mark.columns} columns and "
                f"{len(mark.classes)} classes never needs more than {most:,}"
            )


def _value(name: str, value: Any) -> Any:
    if name in LISTS:
        if not isinstance(value, list):
            raise _damaged(f"{name} is no list")
        return tuple(_integer(name, item) for item in value)
    if name == "weights":
        return _weights(value)
    if name in WHOLE:
        return _integer(name, value)
    if type(value) is not float or not math.isfinite(value):
        raise _damaged(f"{name} is {ascii(value)[:60]}, no finite number")
    return value


def _check_forgotten(name: str, value: Any, fields: dict[str, Any]) -> None:
    """Refuses what no proof can have written: another way than the known ones, or mistakes beyond the bound."""
    if name == "found_by" and (not isinstance(value, str) or value not in WAYS):
        raise _damaged(f"found_by is {ascii(value)[:60]}, no way that is known")
    if name == "mistakes" and value is not None and not 0 <= _integer(name, value) <= fields["mistake_bound"]:
        raise _damaged("its mistakes are below 0 or above its mistake bound")


def _integer(name: str, value: Any) -> int:
    if isinstance(value, str) and HEXADECIMAL.fullmatch(value):
        return int(value, 16)
    if type(value) is not int:
        raise _damaged(f"{name} holds {ascii(value)[:60]}, no whole number")
    return value


def _weights(value: Any) -> np.ndarray:
    lines = value if isinstance(value, list) and value and isinstance(value[0], list) else [value]
    if not all(isinstance(line, list) and len(line) == len(lines[0]) for line in lines) or not lines[0]:
        raise _damaged("its weights form no table")
    flat = [item for line in lines for item in line]
    if all(type(item) is float for item in flat):
        if not all(map(math.isfinite, flat)):
            raise _damaged("a weight is not finite")
        result = np.array(flat, np.float64)
    else:
        result = np.array([_integer("weights", item) for item in flat] + [None], object)[:-1]
    return result if lines[0] is value else result.reshape(len(lines), -1)


def _damaged(reason: str) -> DataError:
    return DataError(f"the certificate is damaged: {reason}. Make it anew with `rosenblatt prove`.")
