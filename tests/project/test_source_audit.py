"""Nothing in the package runs code that it reads: no pickle, eval, exec or shell, and nothing fetched at run time."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import rosenblatt
from faults.parsing import parse

SOURCE = Path(rosenblatt.__file__).parent
MODULES = {
    "pickle",
    "cPickle",
    "marshal",
    "shelve",
    "dill",
    "cloudpickle",
    "joblib",
    "ctypes",
    "urllib.request",
    "requests",
    "httpx",
}
CALLS = {"eval", "exec", "compile", "__import__", "system", "popen", "execv", "execve", "spawnl", "mktemp", "getoutput"}
# Uses that are meant: how memory is given back to the system, and how a call of the lab ends that nobody waits for.
MEANT = {
    "data/maps.py": "import ctypes",
    "serve/work.py": "import ctypes",
}
FILES = sorted(SOURCE.rglob("*.py"))


def is_forbidden(module: str) -> bool:
    """Whether it is one of MODULES, or lies within one."""
    return any(f"{module}.".startswith(f"{name}.") for name in MODULES)


def problems(tree: ast.AST) -> list[str]:
    """Every use of something that could run what a file or a request says."""
    found = []
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Import):
            found += [f"{line}: import {name.name}" for name in node.names if is_forbidden(name.name)]
        elif isinstance(node, ast.ImportFrom) and any(
            is_forbidden(f"{node.module or ''}.{name.name}") for name in node.names
        ):
            found.append(f"{line}: from {node.module}")
        elif isinstance(node, ast.Call):
            name = getattr(node.func, "id", None)
            attribute = getattr(node.func, "attr", None)
            owner = getattr(getattr(node.func, "value", None), "id", None)
            if name in CALLS or (attribute in CALLS and owner in ("os", "subprocess", "tempfile", "builtins", "pty")):
                found.append(f"{line}: {name or attribute}()")
            for keyword in node.keywords:
                true = isinstance(keyword.value, ast.Constant) and keyword.value.value is True
                if keyword.arg in ("shell", "allow_pickle") and true:
                    found.append(f"{line}: {keyword.arg}=True")
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_module_runs_what_it_reads(path):
    found = [each.partition(": ")[2] for each in problems(parse(path.read_text(encoding="utf8")))]
    meant = MEANT.get(str(path.relative_to(SOURCE)))
    assert found == ([] if meant is None else [meant])


@pytest.mark.parametrize(
    "code",
    [
        "import pickle", "from marshal import loads", "eval('1')", "import subprocess; subprocess.run('x', shell=True)",
        "np.load(path, allow_pickle=True)", "os.system('x')", "import urllib.request",
    ],
)  # fmt: skip
def test_the_audit_finds_what_it_looks_for(code):
    assert problems(parse(code))
