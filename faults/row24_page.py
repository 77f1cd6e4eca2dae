"""A model as one page (`export --to html`): hostile classes, words, columns and values, and what it makes of them."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from html.parser import HTMLParser
from typing import Any, NamedTuple

import numpy as np

import rosenblatt
from faults.node import NODE, in_node, of_page
from faults.outcome import Outcome, generator
from faults.row09_harmless_output import PAYLOADS
from rosenblatt.errors import RosenblattError
from rosenblatt.model import Model
from rosenblatt.store.export_html import page_data, to_html
from rosenblatt.web import hash_of

NUMBER = 24
FAULT = (
    "pages of models (`export --to html`) whose classes, words, columns, values and name are `</script>`, quotes, line "
    "separators, half characters, right-to-left marks, `__proto__` and the like, asked about rows of the same kind"
)
PROMISE = (
    "the page is that of any other model but for its data, which come back exactly; its policy allows its own script "
    "and style by their hashes and nothing else; it decides as Python does, with the same scores, and reads a table as "
    "it was written"
)
SHORT, FULL = 5, 500  # models
FOUND = [
    "A page took the mark U+FEFF off the ends of a value, and left U+0085 and the separators 28 to 31 there, where "
    "Python does not: it decided otherwise than the file (web/engine/reader.js).",
    "A page could not read a table with a semicolon in a name of its header (web/engine/csv.js).",
]
ROWS, ASKED = 60, 20  # that a model learns from, and that its page is asked about
HOSTILE = (
    *PAYLOADS, "__proto__", "constructor", "toString", "hasOwnProperty", "</script", "<!--<script>", "-->", "&lt;b&gt;",
    "\\u003c", "\u2028", "\u2029x", "\u202egnp.exe", "\u200b", "\ufeffx", "é", "e\u0301", "İ", "ẞ", "ς",
    "\U0001f469\u200d\U0001f467", "漢字", "a\nb", "a\r\nb", "tab\tbed", 'say "hi"', "a,b;c", "p;q;r;s",
    "\ufeff", "x\x85", "\x1fy", "\u3000z ", "'", "$&", "$1", "NaN", "null", "true", "1e5", "-0", "0x10",
    "x" * 3000, "'\"`\\", "]]>", "\x7f", "\x01", "%s%n", "{{x}}",
)  # fmt: skip
HALF = ("m\ud800.rosenblatt", "\udcff", "a/\ud83d")  # of names of files; classes and columns are text of UTF-8
PROGRAM = """
const { scoresOf } = $engine_model();
const { readTable } = $engine_csv();
const answer = ({ data, rows, table }) => {
  const held = JSON.parse(data);
  return { held, scores: scoresOf(held, rows), read: readTable(table) };
};
"""


class Made(NamedTuple):
    """A model with its page, and the rows of texts that it is asked about."""

    model: Model
    name: str
    page: str
    rows: list[dict[str, str]]


def run(cases: int, seed: int) -> Outcome:
    outcome, draw, refused = Outcome(), generator(seed, NUMBER), 0
    plain = _parts(to_html(rosenblatt.train("iris", model="perceptron", margin=1.0, passes=2), "iris")[0].decode())
    for number in range(cases):
        try:
            made = _made(draw)
        except RosenblattError as error:  # names that no table can have, or rows that say too little
            outcome.case("\n" not in str(error), f"model {number}: {error}")
            refused += 1
            continue
        told = f"model {number}, {made.model.classes.names[:3]}, {[line.column for line in made.model.plan.lines]}"
        found = _parts(made.page)
        outcome.case(found._replace(data="") == plain._replace(data=""), f"{told}: another page than that of iris")
        outcome.case(_policy_holds(found), f"{told}: its policy allows {found.policy}")
        outcome.case(not re.search("[<>&]", found.data), f"{told}: its data can be more than text")
        if NODE is not None:
            _decides(made, found, outcome, told)
    outcome.measured["refused, share"] = refused / cases
    if NODE is None:  # the rest was looked at
        outcome.measured["without node"] = 1
    return outcome


class Parts(NamedTuple):
    """What a page is made of: everything but its data as it stands, and what counts in it."""

    skeleton: str
    data: str
    scripts: tuple[tuple[tuple[tuple[str, str | None], ...], str], ...]  # attributes and content
    styles: tuple[str, ...]
    policy: str


def _parts(page: str) -> Parts:
    reader = _Reader()
    reader.feed(page)
    reader.close()
    scripts = [(attributes, text) for tag, attributes, text in reader.found if tag == "script"]
    held = [text for attributes, text in scripts if ("id", "builtin") in attributes]
    data = held[0] if held else ""
    kept = tuple((attributes, "" if text == data else text) for attributes, text in scripts)
    styles = tuple(text for tag, _, text in reader.found if tag == "style")
    return Parts(page.replace(data, ""), data, kept, styles, reader.policy)


class _Reader(HTMLParser):
    """Collects what is run or styles, and the policy."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, tuple[tuple[str, str | None], ...], str]] = []
        self.inside, self.policy = False, ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag in ("script", "style")
        if self.inside:
            self.found.append((tag, tuple(attrs), ""))
        if ("http-equiv", "Content-Security-Policy") in attrs:
            self.policy = dict(attrs)["content"] or ""

    def handle_data(self, data: str) -> None:
        if self.inside:
            tag, attributes, text = self.found[-1]
            self.found[-1] = tag, attributes, text + data

    def handle_endtag(self, tag: str) -> None:
        self.inside = False


def _policy_holds(found: Parts) -> bool:
    """Whether it allows the one script and the styles of the page by their hashes, and nothing else at all."""
    given = dict(part.strip().partition(" ")[::2] for part in found.policy.split(";"))
    own = [text for attributes, text in found.scripts if ("type", "module") in attributes]
    return (
        len(found.scripts) == 2
        and len(own) == 1
        and given.pop("script-src", "").split() == [hash_of(own[0])]
        and given.pop("style-src", "").split() == [hash_of(text) for text in found.styles]
        and given.pop("img-src", "") == "data: blob:"
        and all(given.pop(name, "") == "'none'" for name in ("default-src", "base-uri", "form-action"))
        and not given
    )


def _made(draw: random.Random) -> Made:
    classes = draw.sample(HOSTILE, draw.choice((2, 2, 3)))
    names = draw.sample(HOSTILE, 4)
    values = draw.sample(HOSTILE, 4)
    words = draw.sample(HOSTILE, 6)
    of_text = draw.random() < 0.5
    label = [classes[k % len(classes)] for k in range(ROWS)]
    table: dict[str, list[Any]] = {}
    if of_text:
        table[names[0]] = [
            " ".join([*draw.choices(words, k=5), f"w{k % len(classes)}", f"u{k % 7}"]) for k in range(ROWS)
        ]
    if not of_text or draw.random() < 0.3:
        table[names[1]] = [values[(k + draw.randrange(2)) % len(values)] for k in range(ROWS)]
        gone = draw.random() < 0.5
        table[names[2]] = [
            None if gone and k % 9 == 0 else round(draw.gauss(k % len(classes), 1), 2) for k in range(ROWS)
        ]
    kernel = not of_text and draw.random() < 0.3
    wishes: dict[str, Any] = {"model": "kernel", "margin": 0.3} if kernel else {"model": "perceptron", "margin": 1.0}
    if of_text:
        wishes["text"] = [names[0]]
    model = rosenblatt.train({**table, names[3]: label}, label=names[3], passes=3, **wishes)
    rows = [_asked(draw, model, table) for _ in range(ASKED)]
    name = draw.choice((*HOSTILE, *HALF))
    return Made(model, name, to_html(model, name)[0].decode(), rows)


def _asked(draw: random.Random, model: Model, table: dict[str, list[Any]]) -> dict[str, str]:
    """A row as a form or a file gives it: texts alone, some of them of the training rows, some never seen."""
    row = {}
    for line in model.plan.lines:
        seen = str(draw.choice([value for value in table[line.column] if value is not None]))
        odd = (
            draw.choice(HOSTILE) if isinstance(table[line.column][1], str) else draw.choice(("1e9", "-.5", " 3 ", "x"))
        )
        row[line.column] = odd if draw.random() < 0.3 else seen
    return row


def _decides(made: Made, found: Parts, outcome: Outcome, told: str) -> None:
    """The page's own script without its last line, which would want a browser."""
    columns = list(made.rows[0])
    written = io.StringIO()
    # A mark in front of a file is none of its first name, unless that is quoted.
    quoted = columns[0].startswith("\ufeff") or len(told) % 2
    writer = csv.writer(written, lineterminator="\r\n", quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL)
    writer.writerows([columns, *([row[name] for name in columns] for row in made.rows)])
    (script,) = (text for attributes, text in found.scripts if ("type", "module") in attributes)
    given = {"data": found.data, "rows": made.rows, "table": written.getvalue()}
    (answer,) = in_node(of_page(script, PROGRAM), [given])
    if "crashed" in answer:
        outcome.case(False, f"{told}: {answer['crashed']}")
        return
    got = answer["answer"]
    held = json.loads(json.dumps(page_data(made.model, made.name)))
    outcome.case(got["held"] == held, f"{told}: its data did not come back as they were")
    outcome.case(
        got["read"] == {"names": columns, "rows": made.rows}, f"{told}: its table was read as {str(got['read'])[:300]}"
    )
    for row, scores in zip(made.rows, got["scores"], strict=True):
        wanted = _scores(made.model, row)
        told_off = isinstance(scores, str)  # numbers without a point come as whole ones
        same = told_off if wanted is None else not told_off and [float(each) for each in scores] == wanted
        outcome.case(same, f"{told}: {row}: the page has {scores}, Python {wanted}")


def _scores(model: Model, row: dict[str, str]) -> list[float] | None:
    """None where it is refused."""
    try:
        found = model.scores(model.plan.completed(model.read([row], labelled=False)))
    except RosenblattError:
        return None
    return [float(each) for each in np.atleast_1d(found[0])]
