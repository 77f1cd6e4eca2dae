"""Modules of the pages under node, without a browser: many cases go in as one text, what became of each comes back."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rosenblatt.web import text_of
from rosenblatt.web.modules import bundle

NODE = shutil.which("node")
ENTRY = "asked.js"
LIMIT = 300.0  # seconds for all cases
# `answer` is what a program makes of a case. An error that it does not expect is told, and how long each case took.
ASKING = """
const asPlain = (key, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value);
const toldOfAll = JSON.parse(require("node:fs").readFileSync(0, "utf8")).map((given) => {
  const begun = process.cpuUsage();
  const told = {};
  try {
    told.answer = answer(given);
  } catch (error) {
    told.crashed = `${error.stack}`.slice(0, 500);
  }
  const used = process.cpuUsage(begun);
  return { ...told, seconds: (used.user + used.system) / 1e6 };
});
process.stdout.write(JSON.stringify(toldOfAll, asPlain));
"""


def of_modules(program: str) -> str:
    """A script of the program, which imports modules of the package such as ./lab/link.js and defines `answer`."""
    return bundle(ENTRY, lambda path: program + ASKING if path == ENTRY else text_of(path))


def of_page(script: str, program: str) -> str:
    """The script of a page in one file, with the program in the place of its last line, which starts the page."""
    return "".join(script.rstrip("\n").rpartition("\n")[:2]) + program + ASKING


def in_node(script: str, cases: Sequence[Any]) -> list[dict[str, Any]]:
    """For each case `answer`, or `crashed` with the error, and `seconds` of the processor.

    All of them are one crash where node itself ends, or does not end in time.
    """
    assert NODE is not None, "node is not installed"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "asked.cjs"
        path.write_text(script, encoding="utf8")
        try:
            done = subprocess.run(
                [NODE, "--disallow-code-generation-from-strings", str(path)], input=json.dumps(list(cases)),
                capture_output=True, encoding="utf8", timeout=LIMIT, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return [{"crashed": f"it did not end within {LIMIT:g} s", "seconds": LIMIT}] * len(cases)
    if done.returncode:
        return [{"crashed": f"node: {done.stderr[-500:]}", "seconds": 0.0}] * len(cases)
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found
