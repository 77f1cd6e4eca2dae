"""The data that is built into the page, so that digits and mail need no server: one JSON object for `setBuiltin`.

Digits come as their pixels: the page trains on them itself and finds the weights of today to the bit, since they are
whole numbers. The mail comes with the weights of its model, whose training is in floating point. The page of the player
is for runs that are taken away.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from typing import Any

import numpy as np

from rosenblatt.data import read
from rosenblatt.features import Classes, learn_and_encode, split_rows
from rosenblatt.lab.mail_model import builtin as learned_mail
from rosenblatt.lab.mail_texts import one_text
from rosenblatt.loops.rows import Dense
from rosenblatt.model import Linear
from rosenblatt.traces import player
from rosenblatt.web import embed, hash_of

PARTS = (0.8, 0.0, 0.2)
BITS = 5  # of a pixel, which is a number from 0 to 16


@cache
def builtin_json() -> str:
    """The JSON object as text that can stand in a script element."""
    return embed({"digits": _digits(), "mail": _mail(), "player": {"page": _player()}})


def _digits() -> dict[str, Any]:
    """Pixels and labels, the rows for training before those for the test, each in the order of the data."""
    table = read("digits")
    classes = Classes.learn(table)
    truth = classes.encode(table)
    split = split_rows(table, truth, seed=0, parts=PARTS)
    rows = learn_and_encode(table)[1].rows
    assert isinstance(rows, Dense)
    order = np.concatenate([split.train, split.test])
    bits = np.unpackbits(rows.values[order].astype(np.uint8).reshape(-1, 1), axis=1)[:, -BITS:]
    return {
        "classes": list(classes.names),
        "train": len(split.train),
        "labels": "".join(str(code) for code in truth[order]),
        "pixels": _text(np.packbits(bits)),
    }


def _mail() -> dict[str, Any]:
    """All messages with the numbers of their classes, which of them were kept apart, and the model of the others."""
    learned, texts = learned_mail(), one_text(read("mail"))
    model = learned.model
    assert isinstance(model.learner, Linear)
    plain = texts.columns["text"].to_pylist()
    test = learned.test.columns["text"].to_pylist()
    labels = model.classes.encode(texts).tolist()
    return {
        "name": learned.name,
        "classes": list(model.classes.names),
        "messages": [{"text": text, "label": label} for text, label in zip(plain, labels, strict=True)],
        "test": [plain.index(text) for text in test],
        "words": " ".join(model.plan.names),
        "weights": _text(model.learner.weights.astype("<f8")),
    }


def _player() -> str:
    """The page of the player, in which the engine of the page puts a run for what stands in ⟦⟧."""
    parts = {name: f"⟦{name}⟧" for name in ("title", "data", "summary", "table")}
    return player.PAGE.format(style=player.style(), script=player.script(), hash=hash_of(player.script()), **parts)


def _text(array: np.ndarray) -> str:
    return b64encode(array.tobytes()).decode("ascii")
