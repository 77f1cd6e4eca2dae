"""Model files made to do harm. Their checksums are right: whoever makes such a file can compute one."""

from __future__ import annotations

import copy
import json
import struct
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import rosenblatt
from faults.apart import apart
from faults.mutation import with_text
from faults.outcome import Outcome, generator, one_line
from rosenblatt.store.contents import to_contents

NUMBER = 4
FAULT = (
    "hostile model files: 10⁵ tensors, huge shapes, NaN weights, unsorted dictionary, wrong versions, "
    "duplicated names, deep JSON"
)
PROMISE = "refused in under 1 s and under 100 MB"
SHORT, FULL = 40, 0  # 0: all there are
SECONDS, MEGABYTES = 1.0, 100.0
FOUND = [
    "Deeply nested JSON in a model ended in a RecursionError instead of a refusal (store/__init__.py).",
    "100,000 arrays were all read before the model was refused; headers of any size were unpacked (store/__init__.py).",
    "A dictionary out of order or with a word twice was accepted (features/checks.py).",
    "A name twice in the JSON, and NaN in it, were accepted (store/__init__.py).",
    "Settings of text of a wrong type, arrays of a wrong type, and records out of order or too long were accepted "
    "(features/text.py, store/contents.py, store/records.py).",
    "Numbers of calibration rows had no range: 2^64 − 1 became −1 (store/calibrations.py).",
]

ORDERED = ("record.starts", "record.columns", "plan.lines.0.columns")

WRONG_VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 1e308, "x", "", [], {}, [[]], {"a": 1}, ["x"] * 3, [1.5], 2**70, "\x00", "nan",
)  # fmt: skip


def run(cases: int, seed: int) -> Outcome:
    """With 0 cases all there are; otherwise so many, drawn at random."""
    outcome = Outcome()
    every = list(_files())
    if cases:
        every = generator(seed, NUMBER).sample(every, min(cases, len(every)))
    with tempfile.TemporaryDirectory() as folder:
        for what, content in every:
            path = Path(folder) / "hostile.rosenblatt"
            path.write_bytes(content)
            found = apart(lambda path=path: rosenblatt.load(path))
            outcome.case(found.ending == "refused" and one_line(found.said), f"{what}: {found.ending} {found.said}")
            outcome.case(found.seconds < SECONDS, f"{what}: {found.seconds:.1f} s")
            outcome.case(found.megabytes < MEGABYTES, f"{what}: {found.megabytes:.0f} MB")
            outcome.largest("slowest, s", found.seconds)
            outcome.largest("largest, MB", found.megabytes)
    outcome.cases //= 3
    return outcome


def _files() -> Iterator[tuple[str, bytes]]:
    models = {
        "perceptron": rosenblatt.train("iris", model="perceptron", passes=2),
        "bayes": rosenblatt.train("iris", model="naive-bayes", k=1.0),
        "text": rosenblatt.train("mail", model="perceptron", passes=2, record=True),
    }
    for name, model in models.items():
        plain, tensors = to_contents(model)
        for what, changed in _changed_plain(plain):
            yield f"{name}: {what}", packed(changed, tensors)
        for what, arrays in _changed_tensors(tensors):
            yield f"{name}: {what}", packed(plain, arrays)
    plain, tensors = to_contents(models["perceptron"])
    yield from _many_and_deep(plain, tensors)
    yield from _headers()


def packed(plain: Any, tensors: dict[str, np.ndarray]) -> bytes:
    """A file with this content and a checksum that fits."""
    return with_text(json.dumps(plain), tensors)


def _changed_plain(plain: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The description with one value in it replaced by what does not belong there, left out, or put in."""
    for path, value in _places(plain):
        where = ".".join(map(str, path))
        if path[0] == "card":
            continue  # row 16 is about cards
        for wrong in WRONG_VALUES:
            if type(wrong) is not type(value) and not (isinstance(value, float) and isinstance(wrong, int)):
                yield f"{where} = {wrong!r}", _with(plain, path, wrong)
                break
        if not where.endswith(("damped", ".reads")):  # plans of earlier versions do not name them
            yield f"{where} left out", _with(plain, path, None, leave_out=True)
    yield "an unknown part", {**plain, "more": 1}
    for version in (0, -1, 99, 2**70, "1", None, True, 1.5):
        yield f"format {version!r}", {**plain, "format": version}
    yield "a list", [plain]


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if path:
        yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    for key, each in items:
        yield from _places(each, (*path, key))


def _with(plain: Any, path: tuple[Any, ...], value: Any, leave_out: bool = False) -> Any:
    changed = copy.deepcopy(plain)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    if leave_out:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return changed


def _changed_tensors(tensors: dict[str, np.ndarray]) -> Iterator[tuple[str, dict[str, np.ndarray]]]:
    for name, array in tensors.items():
        yield f"{name} left out", {other: each for other, each in tensors.items() if other != name}
        if array.size:
            yield f"{name} one longer", {**tensors, name: np.append(array.ravel(), array.ravel()[:1])}
            yield f"{name} empty", {**tensors, name: array.ravel()[:0]}
        yield f"{name} as float16", {**tensors, name: array.astype(np.float16)}
        if array.dtype.kind == "f":
            for value in (np.nan, np.inf, -np.inf):
                wrong = array.copy()
                wrong.ravel()[-1] = value
                yield f"{name} with {value}", {**tensors, name: wrong}
        elif array.size and not name.startswith(("counts.", "run.part", "calibration.rows")):  # any numbers
            yield f"{name} at its type's largest", {**tensors, name: np.full_like(array, np.iinfo(array.dtype).max)}
            if name in ORDERED or "words" in name:
                yield f"{name} reversed", {**tensors, name: array[::-1].copy()}
    yield "an array that nobody asked for", {**tensors, "more": np.zeros(3)}


def _many_and_deep(plain: dict[str, Any], tensors: dict[str, np.ndarray]) -> Iterator[tuple[str, bytes]]:
    yield "100,000 tensors", packed(plain, {**tensors, **{f"t{i}": np.zeros(1, np.uint8) for i in range(100_000)}})
    text = json.dumps(plain)
    for depth in (1_000, 100_000, 5_000_000):
        yield f"lists {depth:,} deep", with_text("[" * depth + "]" * depth, tensors)
        deep = text[:-1] + ', "more": ' + '{"a":' * depth + "1" + "}" * depth + "}"
        yield f"tables {depth:,} deep", with_text(deep, tensors)
    yield (
        "a number of a million digits",
        with_text(text.replace('"format": 1', '"format": ' + "1" * 1_000_000), tensors),
    )
    yield "a name twice", with_text(text[:-1] + ', "format": 1}', tensors)
    yield "no JSON", with_text("not json", tensors)
    yield "NaN", with_text(text.replace('"threshold": 0.0', '"threshold": NaN'), tensors)
    yield "a lone surrogate", with_text(text.replace('"ties": "mistake"', '"ties": "\\ud800"'), tensors)


def _headers() -> Iterator[tuple[str, bytes]]:
    """Files whose safetensors header lies."""
    for length in (0, 1, 2**31, 2**40, 2**63 - 1, 2**64 - 1):
        yield f"a header of {length} bytes", struct.pack("<Q", length) + b"{}"
    for shape in ([2**40], [2**31, 2**31], [2**62, 2], [0, 2**62], [-1], [1.5], ["x"], [2**70]):
        yield (
            f"a tensor of shape {shape}",
            _header({"weights": {"dtype": "F64", "shape": shape, "data_offsets": [0, 8]}}),
        )
    for offsets in ([0, 2**40], [8, 0], [-8, 0], [2**63, 2**63], [0]):
        yield f"a tensor at {offsets}", _header({"weights": {"dtype": "F64", "shape": [1], "data_offsets": offsets}})
    yield "a type that is none", _header({"weights": {"dtype": "X9", "shape": [1], "data_offsets": [0, 8]}})
    twice = (
        b'{"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]},"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}}'
    )
    yield "a tensor twice", struct.pack("<Q", len(twice)) + twice + b"\0" * 8
    yield "metadata that is no text", _header({"__metadata__": {"rosenblatt": 7}})
    yield "a pickle", b"\x80\x04cos\nsystem\n(S'true'\ntR."
    yield "nothing", b""


def _header(header: dict[str, Any]) -> bytes:
    text = json.dumps({"__metadata__": {"rosenblatt": "0\n{}"}, **header}).encode()
    return struct.pack("<Q", len(text)) + text + b"\0" * 8
