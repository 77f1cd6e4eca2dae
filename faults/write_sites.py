"""Every function of the package that writes to a disk, found in its source, and which of them a run enters."""

from __future__ import annotations

import ast
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import rosenblatt
from faults.parsing import parse

SOURCE = Path(rosenblatt.__file__).parent
WRITERS = {
    "mkstemp", "mkdtemp", "NamedTemporaryFile", "TemporaryFile", "SpooledTemporaryFile", "TemporaryDirectory",
    "write_bytes", "write_text", "write_whole", "writing_whole", "mkdir", "makedirs", "touch", "tofile", "memmap",
    "save_file", "save_model", "savefig", "ParquetWriter", "copyfile", "copytree", "move", "extractall",
}  # fmt: skip
OF_OS = {"replace", "rename", "link", "symlink", "mkfifo", "truncate"}
MODE = re.compile(r"[rbt]*[wax+][bt+]*")


def write_sites() -> set[str]:
    """As "store/__init__.py:save"."""
    found = set()
    for path in sorted(SOURCE.rglob("*.py")):
        tree = parse(path.read_text(encoding="utf8"))
        found |= {f"{path.relative_to(SOURCE)}:{name}" for name in _writing(tree, "")}
    return found


def _writing(node: ast.AST, inside: str) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from _writing(
                child, f"{inside}{child.name}" + ("." if isinstance(child, ast.ClassDef) else ".<locals>.")
            )
        else:
            if isinstance(child, ast.Call) and writes(child):
                yield inside.removesuffix(".<locals>.")
            yield from _writing(child, inside)


def writes(call: ast.Call) -> bool:
    """Whether the call creates or changes a file or a folder, as far as its name and its arguments tell."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    owner = getattr(getattr(call.func, "value", None), "id", "")
    if name == "open" and owner == "os":
        return "O_WR" in ast.unparse(call) and "devnull" not in ast.unparse(call)
    if name == "open":
        given = [*call.args, *(keyword.value for keyword in call.keywords if keyword.arg == "mode")]
        return any(isinstance(each, ast.Constant) and MODE.fullmatch(str(each.value)) for each in given)
    return name in WRITERS or (owner == "os" and name in OF_OS)


@contextmanager
def watched(sites: set[str], entered: Callable[[str], None]) -> Iterator[None]:
    """Calls `entered` whenever a site begins or, if it is a generator, goes on; in all threads that start meanwhile."""
    known: dict[CodeType, str | None] = {}

    def see(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            code = frame.f_code
            if code not in known:
                path = Path(code.co_filename)
                name = f"{path.relative_to(SOURCE)}:{code.co_qualname}" if path.is_relative_to(SOURCE) else ""
                known[code] = name if name in sites else None
            site = known[code]
            if site is not None:
                entered(site)

    threading.setprofile(see)
    sys.setprofile(see)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
