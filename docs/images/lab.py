"""Takes the pictures of the lab's plane again: python docs/images/lab.py [CHROMIUM]"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from rosenblatt.lab.export import export_lab

HERE = Path(__file__).parent
MOONS = """async () => {
  const { state } = window.lab;
  const list = document.querySelector('select[aria-label="Points"]');
  list.value = 'moons';
  list.dispatchEvent(new Event('change'));
  while (!state.course?.kernel || state.trying) await new Promise((go) => setTimeout(go, 20));
  state.goToMistake(7);
}"""


def plane(page: Any) -> None:
    """A mistake of the notes' run, with a term of its score lit."""
    page.evaluate("window.lab.state.goToMistake(13)")
    page.locator("button.term").nth(1).hover()


def take(browser: Any, address: str, name: str, size: tuple[int, int], scheme: str, prepare: Any) -> None:
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
    page.goto(f"{address}?&still")
    page.wait_for_timeout(800)
    prepare(page)
    page.wait_for_timeout(600)
    page.screenshot(path=HERE / name)
    page.close()


def main(chromium: str) -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "lab.html"
        export_lab(file)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        take(browser, file.as_uri(), "lab.png", (1440, 900), "light", plane)
        take(browser, file.as_uri(), "lab_phone.png", (390, 844), "dark", lambda page: None)
        take(browser, file.as_uri(), "lab_curve.png", (1440, 900), "light", lambda page: page.evaluate(MOONS))
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "/usr/bin/chromium")
