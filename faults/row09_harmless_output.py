"""Names and values made to be more than text: everywhere they are shown they must stay text."""

from __future__ import annotations

import csv
import io
import json
import re
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

from faults.child import command, load_commands
from faults.outcome import Outcome

NUMBER = 9
FAULT = "`<script>`, quotes and control characters as class, word, column, file name and cell"
PROMISE = "escaped in HTML, terminal, SVG and JSON; formula cells neutralised in CSV output"
SHORT, FULL = 1, 0  # 0: every payload
FOUND = [
    "Control characters in classes, words and columns went to the terminal as they were (cli/screen.py).",
    "Class names that a spreadsheet takes for formulas were written to CSV as they were (harmless.py).",
    "A carriage return in a class name ended its line of CSV (harmless.py).",
]

REPORT, MODEL = "report.html", "m.rosenblatt"
MARK = "pwn"
PAYLOADS = (
    f"<script>{MARK}()</script>",
    f'"><img src=x onerror={MARK}()>',
    f"</script><script>{MARK}()</script>",
    f"]]>--><svg onload={MARK}()>",
    f"=cmd|' /C {MARK}'!A0",
    f"+{MARK}", f"@{MARK}", f"-{MARK}+1",
    f"\x1b[2J\x1b[31m{MARK}", f"\x1b]0;{MARK}\x07", f"\x9b31m{MARK}", f"a\rb{MARK}", f"{MARK}\u202etxt.exe",
    f"${{{MARK}}}{{{{{MARK}}}}}%s%n", f"`{MARK}` **b** | c", f"javascript:{MARK}()",
)  # fmt: skip
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def run(cases: int, seed: int) -> Outcome:
    outcome = Outcome()
    chosen = [PAYLOADS[(seed + 5 * i) % len(PAYLOADS)] for i in range(cases)] if cases else PAYLOADS
    with tempfile.TemporaryDirectory() as name:
        load_commands(*_commands("word", _data("word", Path(name)), Path(name)))
    for payload in chosen:
        with tempfile.TemporaryDirectory() as name:
            _everywhere(payload, Path(name), outcome)
    return outcome


def _data(payload: str, folder: Path) -> Path:
    """A table that is full of the payload."""
    data = folder / f"{payload.replace('/', '_').replace(chr(0), '')[:60]}.csv"
    with data.open("w", newline="", encoding="utf8") as file:
        writer = csv.writer(file)
        writer.writerow([f"{payload} column", "text", "number", "label"])
        for i in range(80):
            kind = i % 2
            words = f"{payload} alpha beta gamma {i % 7}" if kind else f"delta epsilon zeta {payload} {i % 5}"
            writer.writerow([f"{payload}{i % 3}", words, i % 9 + kind, payload if kind else f"other {payload}"])
    return data


def _commands(payload: str, data: Path, folder: Path) -> list[list[str]]:
    report, model, certificate = (str(folder / name) for name in (REPORT, MODEL, "c.json"))
    return [
        ["train", str(data), "--model", "perceptron", "--record", "--out", model, "--report", report],
        ["inspect", model],
        ["explain", model, str(data), "--row", "1"],
        ["evaluate", model, str(data)],
        ["trace", str(data), "--label", "label"],
        ["prove", str(data), "--out", certificate],
        ["check", certificate, str(data)],
        ["train", str(data), "--label", payload],
        ["train", str(folder / payload.replace("/", "_").replace(chr(0), ""))],
    ]


def _everywhere(payload: str, folder: Path, outcome: Outcome) -> None:
    """Trains on data full of the payload and looks at everything that the commands write."""
    data = _data(payload, folder)
    for arguments in _commands(payload, data, folder):
        _, *streams = command(arguments, folder)
        printed = "".join(streams)
        bad = CONTROL.search(printed)
        outcome.case(bad is None, f"{payload!r}: {arguments[0]} printed {bad[0] if bad else ''!r} in {printed[:300]!r}")
        outcome.case("Traceback" not in printed, f"{payload!r}: {arguments[0]} ended in a traceback: {printed[-300:]}")
    _pages(payload, folder, data, outcome)
    _json(payload, folder, data, outcome)
    _spreadsheet(payload, folder, data, outcome)


class Page(HTMLParser):
    """Everything in a page that could run."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.running: list[str] = []
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag
        for name, value in attrs:
            if name.startswith("on") or (name in ("href", "src") and (value or "").strip().lower().startswith("java")):
                self.running.append(f"{tag} {name}={value}")
        if tag in ("img", "iframe", "object", "embed", "base", "form"):
            self.running.append(tag)

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""

    def handle_data(self, data: str) -> None:
        # The player's own script and the data of the run are the only ones; the payload may be in the data, escaped.
        if self.inside == "script" and f"{MARK}()" in data and "<" in data.split(MARK)[0][-12:]:
            self.running.append(f"script with {data[:60]}")


def _pages(payload: str, folder: Path, data: Path, outcome: Outcome) -> None:
    player = folder / "trace.html"
    command(["trace", str(data), "--to", "html", "--out", str(player)], folder)
    for path in (folder / REPORT, player):
        if not path.exists():
            outcome.case(
                path is player, f"{payload!r}: no {path.name}"
            )  # a trace may be refused: text has many columns
            continue
        whole = path.read_text(encoding="utf8")
        page = Page()
        page.feed(whole)
        outcome.case(not page.running, f"{payload!r}: {path.name} could run {page.running[:3]}")
        policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', whole)
        scripts = re.search(r"script-src ([^;]*)", policy[1]) if policy else None
        strict = policy is not None and "default-src" in policy[1] and "unsafe" not in (scripts[1] if scripts else "")
        outcome.case(strict, f"{payload!r}: {path.name} has the policy {policy[1] if policy else None}")
        for picture in re.findall(r"<svg.*?</svg>", whole, re.S):
            try:
                ElementTree.fromstring(picture)
                outcome.case(True, "")
            except ElementTree.ParseError as error:
                outcome.case("&nbsp;" in picture, f"{payload!r}: a picture in {path.name} is no XML: {error}")


def _json(payload: str, folder: Path, data: Path, outcome: Outcome) -> None:
    model = str(folder / MODEL)
    for arguments in (
        ["inspect", model, "--json"],
        ["export", model, "--to", "json"],
        ["predict", model, str(data), "--to", "jsonl"],
    ):
        done = command(arguments, folder)
        if done.code == 0 and done.printed.strip():
            lines = done.printed.splitlines() if "jsonl" in arguments else [done.printed]
            outcome.case(all(json.loads(line) is not None for line in lines), f"{payload!r}: {arguments[0]} is no JSON")
        outcome.case("Traceback" not in done.said, f"{payload!r}: {arguments[0]} crashed")


def _spreadsheet(payload: str, folder: Path, data: Path, outcome: Outcome) -> None:
    done = command(["predict", str(folder / MODEL), str(data), "--scores"], folder)
    cells = [cell for row in csv.reader(io.StringIO(done.printed, newline="")) for cell in row]
    formulas = [cell for cell in cells if cell.startswith(("=", "+", "@", "\t", "\r")) or re.match(r"-[^\d.]", cell)]
    outcome.case(len(cells) > 80 and not formulas, f"{payload!r}: {len(cells)} cells, formulas {formulas[:3]}")
