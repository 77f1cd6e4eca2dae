"""The result codes of the lab's missions: who solved which, with how many stars, and a hash that shows a slip.

A code is text, so a teacher reads it without a program: `R1.Ada%20Lovelace.line3-xor2.1f3a9c02a7`. The hash is over
what stands before it. It shows a code that was mistyped or whose name was changed; it is no seal against somebody who
reads how the page makes it.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import NamedTuple
from urllib.parse import quote, unquote

from rosenblatt.errors import DataError

VERSION = "R1"
MOST_STARS = 3
CODE = re.compile(rf"{VERSION}\.(?P<name>[^.\s]{{1,400}})\.(?P<solved>[a-z0-9-]*)\.(?P<hash>[0-9a-f]{{10}})")
SOLVED = re.compile(r"([a-z]+)([1-3])")
HASHED = 10  # digits of the hash in a code
# As encodeURIComponent has it, and the dot too, since dots part a code.
KEPT = "!~*'()"


class Result(NamedTuple):
    """What a code says."""

    name: str
    stars: dict[str, int]  # by mission


def make_code(result: Result) -> str:
    """The code as the lab makes it."""
    solved = "-".join(f"{mission}{stars}" for mission, stars in sorted(result.stars.items()))
    front = f"{VERSION}.{quote(result.name, safe=KEPT).replace('.', '%2E')}.{solved}"
    return f"{front}.{_hash(front)}"


def _hash(front: str) -> str:
    return sha256(front.encode()).hexdigest()[:HASHED]


def read_code(text: str) -> Result:
    """What a code says; DataError in one line where it is none, or was changed."""
    code = "".join(text.split())
    found = CODE.fullmatch(code)
    if found is None:
        raise DataError(
            f"{code[:60]!r} is no result code. One begins with {VERSION}. and is copied whole from the lab's missions."
        )
    if _hash(code.rpartition(".")[0]) != found["hash"]:
        raise DataError(f"the result code {code[:60]!r} was changed or mistyped. Copy it again from the lab.")
    parts = [SOLVED.fullmatch(part) for part in found["solved"].split("-") if part]
    if not all(parts):
        raise DataError(
            f"the result code {code[:60]!r} names no missions that can be read. Copy it again from the lab."
        )
    return Result(unquote(found["name"]), {part[1]: int(part[2]) for part in parts if part})


def codes_of(text: str) -> list[str]:
    """The lines of a text that look like codes."""
    return [line.strip() for line in text.splitlines() if line.strip().startswith(f"{VERSION}.")]
