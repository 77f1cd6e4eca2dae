"""Python as a tree, also while other threads of the process parse something."""

from __future__ import annotations

import ast

ATTEMPTS = 20


def parse(code: str) -> ast.Module:
    """The tree of the code. Python 3.11 loses count of its depth when two threads make a tree at once; it says so."""
    for _ in range(ATTEMPTS - 1):
        try:
            return ast.parse(code)
        except SystemError:
            continue
    return ast.parse(code)
