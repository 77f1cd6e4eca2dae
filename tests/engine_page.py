"""The page's own engine in a real browser: modules of src/rosenblatt/web/engine called with many cases at once."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ENGINE = Path(__file__).parent.parent / "src" / "rosenblatt" / "web" / "engine"
ADDRESS = "http://engine.test/"
# Cases travel as one text, which is much faster than value by value. A Problem is given as its line.
CALL = """async ([module, name, cases]) => {
  const made = (await import(module))[name];
  const plain = (key, value) =>
    ArrayBuffer.isView(value) ? Array.from(value) : typeof value === 'bigint' ? `${value}` : value;
  const found = [];
  for (const given of JSON.parse(cases)) {
    try {
      found.push(JSON.stringify(await made(...given), plain));
    } catch (error) {
      if (error.name !== 'Problem') throw error;
      found.push(JSON.stringify({ problem: error.message, status: error.status }));
    }
  }
  return found;
}"""

Asked = Callable[[str, str, Sequence[Sequence[Any]]], list[Any]]


def open_page(browser: Any) -> Any:
    """A blank page that can import the modules of the engine from its own address."""
    page = browser.new_page()

    def serve(route: Any) -> None:
        name = route.request.url.removeprefix(ADDRESS)
        if not name:
            route.fulfill(content_type="text/html", body="<!doctype html><title>engine</title>")
        elif (ENGINE / name).is_file():
            route.fulfill(content_type="text/javascript", body=(ENGINE / name).read_text(encoding="utf8"))
        else:
            route.fulfill(status=404)

    page.route(f"{ADDRESS}**", serve)
    page.goto(ADDRESS)
    return page


def open_engine(browser: Any) -> Asked:
    """`ask("proof.js", "proof", [[body], ...])` gives what the function of the module makes of each list of values."""
    page = open_page(browser)

    def ask(module: str, name: str, cases: Sequence[Sequence[Any]]) -> list[Any]:
        found = page.evaluate(CALL, [ADDRESS + module, name, json.dumps([list(case) for case in cases])])
        return [json.loads(each) if each is not None else None for each in found]

    return ask
