"""The data that is built into the page, so that digits and mail are read in it: one JSON object for `setBuiltin`.

Digits come as their pixels: the page trains on them itself and finds the weights of today to the bit, since they are
whole numbers. The mail comes with the weights of its model, whose training is in floating point. The page of the player
is for runs that are taken away.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from threading import Lock
from typing import Any

import numpy as np

from rosenblatt.data import read
from rosenblatt.features import Classes, learn_and_encode, split_rows
from rosenblatt.lab.mail_model import learn_mail, tell
from rosenblatt.lab.mail_texts import one_text
from rosenblatt.lab.sessions import Session
from rosenblatt.loops.rows import Dense
from rosenblatt.traces import player
from rosenblatt.web import hash_of

PARTS = (0.8, 0.0, 0.2)
BITS = 5  # of a pixel, which is a number from 0 to 16

_lock = Lock()


def builtin() -> dict[str, Any]:
    """The data, made by whoever asks first; others wait for it."""
    with _lock:
        return _made()


def give_builtin(_session: Session, _body: dict[str, Any]) -> dict[str, Any]:
    """The same, for a page that comes from the server."""
    return builtin()


@cache
def _made() -> dict[str, Any]:
    return {"digits": _digits(), "mail": _mail(), "player": {"page": _player()}}


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
        "pixels": b64encode(np.packbits(bits).tobytes()).decode(),
    }


def _mail() -> dict[str, Any]:
    """The model, and all messages with the numbers of their classes, whose words are counted for naive Bayes."""
    table = read("mail")
    learned, texts = learn_mail(table, "the built-in mail"), one_text(table)
    labels = learned.model.classes.encode(texts).tolist()
    plain = texts.columns["text"].to_pylist()
    messages = [{"text": text, "label": label} for text, label in zip(plain, labels, strict=True)]
    return {**tell(learned), "messages": messages}


def _player() -> str:
    """The page of the player, in which the engine of the page puts a run for what stands in ⟦⟧."""
    parts = {name: f"⟦{name}⟧" for name in ("title", "data", "summary", "table")}
    return player.PAGE.format(style=player.style(), script=player.script(), hash=hash_of(player.script()), **parts)
