"""What all tests share: the folder of real data, a browser, and how long hypothesis may search."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from faults.signals import let_children_heed
from rosenblatt.cli import progress
from rosenblatt.loops import compile as compiling

settings.register_profile("checks", max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("few", max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("long", max_examples=5000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "checks"))

# Tests are of compiled loops, however little they have to do; tests/cli/test_starts.py is of the others.
compiling.PATIENCE = compiling.LOADED = 0
progress.FIRST = float("inf")  # lines that come by the clock would show how fast the machine is
let_children_heed()
pytest.register_assert_rewrite("lab_browser")  # tests import from this plugin, in whatever order they are collected

REPOSITORY = Path(__file__).parent.parent
# The first draws no windows that nobody sees, and takes less of the processor.
CHROMIUM = next(filter(Path.exists, map(Path, ("/usr/bin/chromium-headless-shell", "/usr/bin/chromium"))), None)
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
]
# For `ROSENBLATT_LATE_PAGE=400 pytest tests/lab`: answers, frames and the clipboard come late, answers up
# to 400 ms each way. A test that reads too early fails then, and so does a page that trusts in the order of answers.
LATE = """
  const late = () => new Promise((done) => setTimeout(done, Math.random() * MOST));
  const { fetch, requestAnimationFrame } = window;
  window.fetch = async (...asked) => {
    await late();
    const answer = await fetch(...asked);
    await late();
    return answer;
  };
  window.requestAnimationFrame = (draw) => requestAnimationFrame(() => setTimeout(() => draw(performance.now()), 40));
  if (navigator.clipboard) {
    const write = navigator.clipboard.writeText.bind(navigator.clipboard);
    navigator.clipboard.writeText = async (text) => (await late(), write(text));
  }
"""


@pytest.fixture(scope="session")
def data() -> Path:
    folder = Path(os.environ.get("ROSENBLATT_DATA", REPOSITORY / ".." / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real data in {folder}; set ROSENBLATT_DATA to its folder")
    return folder


@pytest.fixture(scope="session")
def mnist(data: Path) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Images as rows of 784 bytes and their digits, for training and for the test."""

    def values(name: str, header: int) -> np.ndarray:
        return np.frombuffer(gzip.decompress((data / "mnist" / name).read_bytes())[header:], np.uint8)

    return {
        part: (values(f"{name}-images-idx3-ubyte.gz", 16).reshape(-1, 784), values(f"{name}-labels-idx1-ubyte.gz", 8))
        for part, name in {"train": "train", "test": "t10k"}.items()
    }


@pytest.fixture(scope="module")  # not longer: while it is open, no other test of the process can run an event loop
def browser():
    if CHROMIUM is None:
        pytest.skip("no browser: install Debian's package chromium-headless-shell, or chromium")
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with api.sync_playwright() as play:
        opened = play.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        if most := os.environ.get("ROSENBLATT_LATE_PAGE"):
            new_context = opened.new_context

            def late_context(**choice):
                context = new_context(**choice)
                context.add_init_script(LATE.replace("MOST", str(int(most))))
                return context

            opened.new_context = late_context
        yield opened
        opened.close()


@pytest.fixture
def watched(browser):
    """A page, what went wrong on it, and what it asked for."""
    page = browser.new_page()
    wrong: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", lambda dialog: wrong.append(dialog.message))
    page.on("request", lambda request: asked.append(request.url))
    yield page, wrong, asked
    page.close()


@pytest.fixture(scope="session")
def axe(tmp_path_factory) -> str:
    """The source of axe-core, fetched for this run only."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed, so axe-core cannot be had")
    folder = tmp_path_factory.mktemp("axe")
    command = ["npm", "install", "--prefix", str(folder), "--no-save", "--no-audit", "--no-fund", "axe-core@4"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        pytest.skip("axe-core could not be fetched within a minute")
    source = folder / "node_modules" / "axe-core" / "axe.min.js"
    if done.returncode or not source.exists():
        pytest.skip(f"axe-core could not be fetched: {done.stderr.strip().splitlines()[-1:]}")
    return source.read_text(encoding="utf8")
