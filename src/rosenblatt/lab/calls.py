"""The calls of the page by name: plain values in, plain values out. A part of the page adds its line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rosenblatt.lab.sessions import Session

Call = Callable[[Session, dict[str, Any]], dict[str, Any]]
RawCall = Callable[[Session, bytes, Mapping[str, str]], dict[str, Any]]

# POST /api/<name> with a JSON object
CALLS: dict[str, Call] = {}

# POST /api/<name>?... with any bytes
RAW_CALLS: dict[str, RawCall] = {}
