"""The exported lab in Debian's Firefox, which playwright cannot drive: puppeteer-core does, over WebDriver BiDi."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from rosenblatt.lab.export import export_lab
from rosenblatt.traces import trace

ROOT = Path(__file__).parent.parent.parent
MODULES = Path(os.environ.get("ROSENBLATT_NODE", ROOT / ".venv" / "node"))  # where `make browser` puts puppeteer-core
FIVE = np.array([[1, 1], [3, 2], [2, 4], [3, 4], [2, 3]]), np.array([0, 1, 1, 1, 0])


def test_the_file_opens_runs_and_teaches_in_firefox(tmp_path):
    firefox, node = shutil.which("firefox-esr") or shutil.which("firefox"), shutil.which("node")
    if firefox is None or node is None:
        pytest.skip("no Firefox or no node: install Debian's packages firefox-esr and nodejs")
    if not (MODULES / "node_modules" / "puppeteer-core").is_dir():
        pytest.skip("puppeteer-core is not installed: npm could not fetch it (make browser)")
    export_lab(tmp_path / "lab.html")
    line = [node, str(Path(__file__).parent / "firefox.mjs"), firefox, str(MODULES), str(tmp_path / "lab.html")]
    done = subprocess.run(line, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["wrong"] == []
    assert all(asked.startswith(("file:", "data:")) for asked in seen["asked"])
    run = trace(*FIVE, start=[-1, 0, 0], passes=300)
    assert seen["updates"] == sum(not step.correct for step in run.steps)
    assert seen["end"] == run[-1].after.tolist()
    assert seen["lessons"] >= 7
    assert seen["lesson"]
