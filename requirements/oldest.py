"""Prints the oldest versions that pyproject.toml allows, for `make oldest`; tools that no test calls are left out."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

FLOOR = re.compile(r"([A-Za-z0-9._-]+)(?:>=([0-9.]+))?(;.*)?$")
EXTRAS = ("dask", "excel", "onnx", "serve", "dev")
TOOLS = ("import-linter", "mypy", "oxlint", "ruff")


def main() -> None:
    project = tomllib.loads(Path(__file__).parent.with_name("pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    needed = [*project["dependencies"], *(each for name in EXTRAS for each in extras[name])]
    for wanted in needed:
        found = FLOOR.match(wanted)
        if found and found[1] not in TOOLS:  # the other extras of the project itself are no match
            print((f"{found[1]}=={found[2]}" if found[2] else found[1]) + (found[3] or ""))


if __name__ == "__main__":
    main()
