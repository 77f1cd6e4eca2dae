"""How quick the lab's page is in a real browser: python benchmarks/lab.py [--before TREE]

It needs Debian's chromium, and starts and ends a lab of its own. Times are read from the page's own clock, so the way
from this program to the browser is in none of them. `--before` is a tree of the first version, which takes turns with
this one: `git worktree add ../version-one 9a21dda4f1`.

    first paint    from asking for the page until something of it is on the screen
    first run      until the five points of the notes have been learned and drawn
    step           from the press of a button until the frame after it, with 2,000 points
    scrub          the longest frame while the slider is drawn through 5,000 updates
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

REPOSITORY = Path(__file__).resolve().parents[1]
CHROMIUM = "/usr/bin/chromium"
VISITS = 7
GOALS = {"first paint": 1000, "first run": 2000, "step": 100, "scrub": 1000}  # milliseconds

# Asked again and again in the page itself: its policy forbids Playwright's way of waiting.
RUN = """async () => {
  const ready = () => window.lab?.state.course && !window.lab.state.following;
  while (!ready()) await new Promise((done) => setTimeout(done, 5));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return performance.now();
}"""
PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
STEPS = """async () => {
  const ways = ["Next example", "Next mistake", "Previous mistake", "Next pass", "Next mistake"];
  const found = [];
  for (let k = 0; k < 40; k++) {
    const from = performance.now();
    document.querySelector(`[aria-label="${ways[k % ways.length]}"]`).click();
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    found.push(performance.now() - from);
  }
  return found;
}"""
SCRUB = """async () => {
  const slider = document.querySelector(".scrub input");
  const steps = window.lab.state.course.updateSteps;
  window.lab.state.goTo(window.lab.state.course.length); // the slider spans what was seen
  let [longest, last] = [0, performance.now()];
  for (let u = 0; u < steps.length; u += 25) {
    slider.value = steps[u];
    slider.dispatchEvent(new Event("input"));
    await new Promise(requestAnimationFrame);
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }
  return [longest, steps.length];
}"""


@contextmanager
def running_lab(tree: Path) -> Iterator[str]:
    """The address of a lab of this tree as the command starts it."""
    command = [sys.executable, "-m", "rosenblatt", "lab", "--no-browser"]
    settings = os.environ | {"PYTHONPATH": str(tree.resolve() / "src")}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=settings) as lab:
        assert lab.stdout
        found = re.search(r"http://\S+", lab.stdout.readline())
        try:
            yield found[0] if found else sys.exit("the lab did not start")
        finally:
            lab.terminate()


def many_points() -> list[Any]:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(2000, 2)).round(3)
    y = X @ [1, 0.6] + rng.normal(0, 0.5, 2000) > 0
    return [X.tolist(), y.astype(int).tolist()]


def visit(browser: Any, address: str, found: dict[str, list[float]]) -> None:
    page = browser.new_page(viewport={"width": 1380, "height": 900})
    page.goto(f"{address}&still")
    found["first run"].append(page.evaluate(RUN))
    found["first paint"].append(page.evaluate(PAINT))
    page.evaluate("([X, y]) => window.lab.state.setPoints(X, y, { passes: 20 })", many_points())
    found["step"] += page.evaluate(STEPS)
    longest, updates = page.evaluate(SCRUB)
    if updates < 5000:
        sys.exit(f"the run has {updates} updates; the goal speaks of 5,000")
    found["scrub"].append(longest)
    page.close()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--before", type=Path)
    given = options.parse_args()
    if not Path(CHROMIUM).exists():
        print(f"the lab's page is left out: {CHROMIUM} is not there; install Debian's package chromium")
        return
    from playwright.sync_api import sync_playwright

    trees = {"this tree": REPOSITORY, **({"before": given.before} if given.before else {})}
    found: dict[str, dict[str, list[float]]] = {tree: {name: [] for name in GOALS} for tree in trees}
    with ExitStack() as labs, sync_playwright() as play:
        addresses = {name: labs.enter_context(running_lab(tree)) for name, tree in trees.items()}
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        for _ in range(VISITS):
            for tree, address in addresses.items():
                visit(browser, address, found[tree])
        browser.close()
    for tree, measured in found.items():
        print(f"{tree}: {VISITS} visits; milliseconds\n\n{'':14}{'median':>8}{'longest':>9}{'goal':>7}")
        for name, times in measured.items():
            met = "met" if median(times) < GOALS[name] else "missed"
            print(f"{name:14}{median(times):8.0f}{max(times):9.0f}{GOALS[name]:7}  {met}")
        print()


if __name__ == "__main__":
    main()
