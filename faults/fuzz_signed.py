"""Models and certificates for the fuzzer. Most of them get a checksum that fits, as whoever makes one could give it."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import rosenblatt
from faults.mutation import Kind, mutated_json, mutated_packed
from rosenblatt.proofs import from_json
from rosenblatt.proofs.certificate import checksum
from rosenblatt.store import to_bytes

WORDS = (b"{", b"}", b'"', b":", b",", b"[", b"null", b"1e400", b"-1", b"\\u0000", b"\\ud800", b"F64", b"I8", b"\0\0",
         b"\xff\xff", b'"shape":[9]', b'"data_offsets":[0,1]', b"NaN", b"0x10", b'"0x' + b"f" * 300 + b'"')  # fmt: skip
X, Y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]


def signed_kinds(folder: Path) -> dict[str, Kind]:
    from rosenblatt.data import read

    rows = {name: read(name).take(np.arange(3)) for name in ("iris", "mail")}
    models = [
        rosenblatt.train("iris", model="perceptron", passes=2),
        rosenblatt.train("iris", model="naive-bayes", k=1.0),
        rosenblatt.train("mail", model="perceptron", passes=2, record=True),
        rosenblatt.train("iris", model="kernel", passes=2, record=True),
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
    for content in whole:
        try:
            use_model(content)
        except ValueError:
            continue
    for paper in papers:
        use_certificate(paper)
    return {
        "model": Kind(whole, WORDS, use_model, mutated_packed),
        "certificate": Kind(papers, WORDS, use_certificate, changed_certificate),
    }


def changed_certificate(seeds: Sequence[bytes], words: Sequence[bytes], draw: random.Random) -> bytes:
    """One of the seeds after some changes; where it is still a table of JSON, with a checksum that fits."""
    content = mutated_json(seeds, words, draw)
    try:
        plain = json.loads(content)
        plain["checksum"] = checksum({name: value for name, value in plain.items() if name != "checksum"})
        return json.dumps(plain).encode()
    except (ValueError, TypeError, AttributeError, RecursionError):  # no JSON, no table, or NaN, which none can hold
        return content
