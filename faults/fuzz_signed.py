"""Models and certificates for the fuzzer. Half of them get a checksum that fits, as whoever makes one could give it."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import rosenblatt
from faults.fuzz_files import Kinds
from faults.mutation import mutated, mutated_value
from faults.row04_hostile_models import with_text
from rosenblatt.proofs import from_json
from rosenblatt.proofs.certificate import checksum
from rosenblatt.store import to_bytes
from rosenblatt.store.contents import to_contents

WORDS = (b"{", b"}", b'"', b":", b",", b"[", b"null", b"1e400", b"-1", b"\\u0000", b"\\ud800", b"F64", b"I8", b"\0\0",
         b"\xff\xff", b'"shape":[9]', b'"data_offsets":[0,1]', b"NaN", b"0x10", b'"0x' + b"f" * 300 + b'"')  # fmt: skip
X, Y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]


def signed_kinds(folder: Path) -> Kinds:
    from rosenblatt.data import read

    rows = {name: read(name).take(np.arange(3)) for name in ("iris", "mail")}
    models = [
        rosenblatt.train("iris", model="perceptron", passes=2),
        rosenblatt.train("iris", model="naive-bayes", k=1.0),
        rosenblatt.train("mail", model="perceptron", passes=2, record=True),
    ]
    path = folder / "fuzzed.rosenblatt"

    def use_model(content: bytes) -> object:
        path.write_bytes(content)
        model = rosenblatt.load(path)
        to_bytes(model)
        return model.predict(rows["mail" if b"subject" in content else "iris"])

    verdicts = [rosenblatt.prove(X, labels) for labels in (Y, [0, 0, 0, 1])]
    papers = [verdict.to_json().encode() for verdict in verdicts]

    def use_certificate(content: bytes) -> object:
        return from_json(content).check(X, Y if b'"inseparable"' in content else [0, 0, 0, 1])

    whole = [to_bytes(model) for model in models]
    contents = [to_contents(model) for model in models]
    for content in whole:
        try:
            use_model(content)
        except ValueError:
            continue
    for paper in papers:
        use_certificate(paper)

    def make_models(draw: random.Random) -> Iterator[bytes]:
        while True:
            if draw.random() < 0.4:
                yield mutated(whole, WORDS, draw)
                continue
            plain, tensors = draw.choice(contents)
            arrays = dict(tensors)
            if draw.random() < 0.4:
                name = draw.choice([*arrays])
                arrays[name] = _other_numbers(arrays[name], draw)
            text = json.dumps(mutated_value(plain, draw)) if draw.random() < 0.7 else json.dumps(plain)
            if draw.random() < 0.1:
                numbers = [*re.finditer(r"\d+(?:\.\d+)?", text)]
                found = draw.choice(numbers)
                text = text[: found.start()] + draw.choice(("1e999", "-1e308", "1e-400", "00")) + text[found.end() :]
            yield with_text(text, arrays)

    def make_certificates(draw: random.Random) -> Iterator[bytes]:
        while True:
            if draw.random() < 0.4:
                yield mutated(papers, WORDS, draw)
                continue
            content = mutated_value(json.loads(draw.choice(papers)), draw)
            if isinstance(content, dict):
                content.pop("checksum", None)
                try:
                    content["checksum"] = checksum(content)
                except ValueError:  # NaN, which no certificate can hold
                    content["checksum"] = ""
            yield json.dumps(content).encode()

    return {"model": (make_models, use_model), "certificate": (make_certificates, use_certificate)}


def _other_numbers(array: Any, draw: random.Random) -> Any:
    """The array with some of its bytes changed, so that any number may come out, or with other lengths."""
    raw = bytearray(array.tobytes())
    for _ in range(draw.choice((1, 3))):
        if raw:
            raw[draw.randrange(len(raw))] = draw.choice((0, 1, 0x7F, 0x80, 0xF0, 0xFF))
    changed = type(array)(array.shape, array.dtype, bytes(raw)) if raw else array
    if draw.random() < 0.2:
        changed = changed.ravel()[: draw.randint(0, changed.size)]
    return changed
