"""A server of one model file: where it listens, who may ask, and an end that finishes what has begun."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rosenblatt.errors import DataError, SettingError
from rosenblatt.loops.compile import expect_much
from rosenblatt.serve.app import make_app
from rosenblatt.serve.connections import fastest_connection
from rosenblatt.serve.listening import HERE, Listening, listen, server_of
from rosenblatt.serve.work import SECONDS, Work
from rosenblatt.store import load

SHORTEST = 16  # characters of a token
END = int(SECONDS) + 5  # seconds for what has begun, when the server is told to end: more than a call may take


@dataclass
class Serving(Listening):
    """A model that listens."""

    host: str

    @property
    def address(self) -> str:
        """Where it is asked."""
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


def open_server(path: str | Path, port: int = 0, host: str = HERE, token_file: str | Path | None = None) -> Serving:
    """The model of the file at this port, or at a free one for 0.

    host         127.0.0.1, for this machine alone; any other needs a token
    token_file   whose first line everybody who asks must send
    """
    token = "" if token_file is None else read_token(token_file)
    alone = host in (HERE, "localhost", "::1")
    if not alone and not token:
        raise SettingError(f"--host {host}: others could ask this model. Name a file with a token (--token-file).")
    found = os.stat(path) if os.path.exists(path) else None
    model = load(path)
    listening = listen(port, host)
    expect_much()  # answers will be many: loops are compiled from the start
    work = Work()

    def health() -> dict[str, Any]:
        return {
            "status": "ok",
            "model": Path(path).name,
            "classes": list(model.classes.names),
            "file": _state(path, found),
        }

    app = make_app(model, work, health, listening.getsockname()[1], token, not alone)
    return Serving(listening, server_of(app, fastest_connection(), END, "auto"), work, host)


def read_token(path: str | Path) -> str:
    """The first line of the file; DataError where it is too short to be a secret, or no plain text."""
    try:
        text = Path(path).read_text(encoding="ascii")
    except FileNotFoundError:
        raise DataError(
            f"{path}: no such file. Write a token into it, such as `openssl rand -hex 24` prints."
        ) from None
    except (UnicodeDecodeError, IsADirectoryError):
        raise DataError(f"{path}: not a file with one line of plain letters. Write a token into one.") from None
    token = text.split("\n")[0].strip()
    if len(token) < SHORTEST or not token.isprintable() or " " in token:
        raise DataError(f"{path}: its first line is no token of at least {SHORTEST} letters without spaces.")
    return token


def _state(path: str | Path, found: os.stat_result | None) -> str:
    """Whether the file is still the one that was read. The model is in memory: answers do not depend on it."""
    try:
        now = os.stat(path)
    except OSError:
        return "removed"
    same = found is not None and (now.st_mtime_ns, now.st_size) == (found.st_mtime_ns, found.st_size)
    return "as read" if same else "changed"
