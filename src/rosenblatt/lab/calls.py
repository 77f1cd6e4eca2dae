"""What the page asks the server for, by name: plain values in, plain values out. The rest it does (engine/calls.js)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rosenblatt.lab.builtin import give_builtin
from rosenblatt.lab.datasets import load, open_builtin, pick, weigh
from rosenblatt.lab.labels import corrected_copy, review_file
from rosenblatt.lab.mail_file import learn_file
from rosenblatt.lab.proof import proof
from rosenblatt.lab.sessions import Session

Call = Callable[[Session, dict[str, Any]], dict[str, Any]]
RawCall = Callable[[Session, bytes, Mapping[str, str]], dict[str, Any]]

# POST /api/<name> with a JSON object
CALLS: dict[str, Call] = {
    "builtin": give_builtin, "proof": proof, "open": open_builtin, "pick": pick, "weigh": weigh,
    "corrected": corrected_copy,
}  # fmt: skip

# POST /api/<name>?... with any bytes
RAW_CALLS: dict[str, RawCall] = {"load": load, "mail_learn": learn_file, "review": review_file}
