"""Links of the lab: the whole bench in the fragment of an address, as it is copied, cut, changed and forged."""

from __future__ import annotations

import json
import random
from typing import Any

from faults.mutation import mutated, mutated_value
from faults.node import NODE, in_node, of_modules
from faults.outcome import Outcome, generator

NUMBER = 25
FAULT = (
    "links of the lab: drawn benches written and read again, and links that were cut, changed, put together from "
    "others or forged with a right sum, each opened by the page's engine as far as its run"
)
PROMISE = "the bench that was written, or one line that says what is wrong; never another error; under 1 s"
SHORT, FULL = 400, 50_000
NEEDS = {"node": NODE}
FOUND = [
    "A link with a field named `__proto__` ended in an error of the browser's own, and fields such as `constructor` "
    "were taken for known ones (web/lab/link.js).",
    "A class or feature with half a character in its name broke the link off, and one of more than 40 emoji gave a "
    "link that could not be read (web/lab/link.js).",
    "The line about a link that cannot be read quoted a point or a number of it at any length (web/lab/link.js).",
]
BATCH = 2_000  # cases of one process
SECONDS = 1.0  # of the processor, for one link
PROGRAM = """
import { LOCAL } from "./engine/calls.js";
import { question } from "./lab/course.js";
import { read, write } from "./lab/link.js";

const opened = (link) => {
  let bench;
  try {
    bench = read(link);
  } catch (error) {
    if (error.constructor !== Error) throw error;
    return { refused: error.message };
  }
  const again = write(bench);
  const told = { bench, again, same: JSON.stringify(read(again)) === JSON.stringify(bench) };
  try {
    const { n_steps } = LOCAL.run(question(bench));
    return { ...told, n_steps };
  } catch (error) {
    if (error.name !== "Problem") throw error;
    return { ...told, problem: error.message };
  }
};
const answer = ({ bench, link }) => opened(link ?? write(bench));
"""
CLASSES, FEATURES = ("-1", "1", "2", "ham", "spam", "ü"), ("x1", "x2")
NAMES = (
    "", " ", "a,b", "a~b", "a&b=c", "%41", "%", "#", "x1", "</script>", "\u2028", "\u202ea", "𝒳" * 40, "👍" * 60,
    "e\u0301", "__proto__", "\ud800", "half \udc00", "\0", "a" * 80, "+", "'\"",
)  # fmt: skip
NUMBERS = (0, 1, -1, 0.5, 1 / 3, -2.75, 1e-7, 5e-324, 1e21, 1e9, 1e300, -1e9, 123456.789, 2**53)
CHOICES: dict[str, tuple[Any, ...]] = {
    "ties": ("mistake", "positive", "negative"),
    "bias": (True, False),
    "alpha": (1, 0.5, 1 / 64, 1e-6, 1e6, 0, 1e300),
    "shuffle": (True, False),
    "seed": (0, 1, 77, 2**32 - 1, 2**53 - 1),
    "margin": (0, 0.25, 3, 1e9, 1e10),
    "passes": (300, 1, 7, 10_000, 10_001),
    "kernel": ("line", "rbf", "poly", "cosine"),
    "gamma": (1, 0.25, 1e-6, 1e6, 3.3),
    "degree": (3, 1, 12, 30, 31),
    "coef0": (1, 0, 0.5, 1e6),
}
USUAL = {name: values[0] for name, values in CHOICES.items()} | {"bias": True, "shuffle": False, "start": None}
SHOWN = ("final", "averaged", "voted", "pocket", "regions", "band", "normal", "proof")
TABS = ("bench", "views", "xor", "likelihood", "bayes", "digits", "mail", "labels", "lessons", "missions")
NOT_IN_ADDRESSES = dict.fromkeys(b"\t\n\r")  # a browser leaves these out
FIELDS = {"points": "1,1,0~3,2,1", "classes": "a,b", "start": "-1,0,0", "window": "-1,1,-1,1", "step": "1"}
WORDS = [
    b"&", b"=", b"~", b",", b"#v=1&", b"v=2", b"sum=", b"points=", b"1,1,0~2,2,1", b"classes=", b"start=", b"window=",
    b"show=", b"step=", b"tab=", b"kernel=rbf", b"passes=10000", b"__proto__=1", b"constructor=1", b"toString=", b"%00",
    b"%ED%A0%80", b"%E0%A4%A", b"NaN", b"Infinity", b"0x10", b"1e999", b"-0", b"  ", b"\xf0\x9f\x91\xa9", b"\xed\xa0",
]  # fmt: skip


def run(cases: int, seed: int) -> Outcome:
    outcome, draw = Outcome(), generator(seed, NUMBER)
    script, refused = of_modules(PROGRAM), 0
    links: list[str] = ["#v=1&points=1,1,0~3,2,1~2,4,1&start=-1,0,0"]  # of benches before, to be damaged
    batch = min(BATCH, -(-cases // 4))
    for first in range(0, cases, batch):
        drawn = [_drawn(draw, links) for _ in range(min(batch, cases - first))]
        for case, told in zip(drawn, in_node(script, drawn), strict=True):
            problem = _problem(case, told)
            outcome.case(not problem, f"{problem}: {json.dumps(case)[:300]}")
            outcome.largest("slowest, s", told["seconds"])
            found = told.get("answer", {})
            refused += "refused" in found
            if "again" in found and len(links) < BATCH:
                links.append(found["again"])
    outcome.measured["refused, share"] = refused / cases
    return outcome


def _drawn(draw: random.Random, links: list[str]) -> dict[str, Any]:
    """A bench to be written, or a link to be read."""
    way = draw.random()
    if way < 0.35:
        return {"bench": _bench(draw)}
    if way < 0.4:  # what the page would write if it held something else
        fields = mutated_value(FIELDS, draw)
        return {"link": _summed("&".join(f"{name}={value}" for name, value in (fields or FIELDS).items()))}
    seeds = [link.encode("utf8", "surrogatepass") for link in draw.choices(links, k=3)]
    if way < 0.6:
        fields = draw.choice(seeds).split(b"&")
        fields.insert(draw.randint(2, len(fields)), draw.choice(WORDS))
        seeds = [b"&".join(fields)]
    changed = mutated(seeds, WORDS, draw) if way > 0.5 else seeds[0]
    link = changed.decode("utf8", draw.choice(("replace", "ignore"))).translate(NOT_IN_ADDRESSES)
    return {"link": link if draw.random() < 0.4 else _summed(link.partition("&")[2].partition("&")[2])}


def _summed(body: str) -> str:
    """The link of these fields, with the sum of their letters (FNV-1a over units of UTF-16, as link.js has it)."""
    found = 0x811C9DC5
    units = body.encode("utf-16-le", "surrogatepass")
    for at in range(0, len(units), 2):
        found = (found ^ int.from_bytes(units[at : at + 2], "little")) * 0x01000193 % 2**32
    digits = ""
    while found or not digits:
        found, last = divmod(found, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[last] + digits
    return f"#v=2&sum={digits}&{body}"


def _bench(draw: random.Random) -> dict[str, Any]:
    n_classes, count = draw.randint(2, 6), draw.randint(1, 30)
    near = draw.random() < 0.7  # as people have them

    def coordinate() -> float:
        return draw.randint(-64, 64) / 16 if near else draw.choice(NUMBERS)

    choices = {**USUAL, **{name: draw.choice(values) for name, values in CHOICES.items() if draw.random() < 0.25}}
    if draw.random() < 0.2:
        start = [[coordinate() for _ in range(3)] for _ in range(n_classes)]
        choices["start"] = start if n_classes > 2 else start[0]
    return {
        "choices": choices,
        "show": {name: draw.random() < 0.5 for name in SHOWN},
        "window": draw.choice((None, [-4, 4, -3, 3], [0.1, 1e9, -5e-324, 0])),
        "step": draw.choice((0, 1, 17, 2**53 - 1)),
        "tab": draw.choice(TABS),
        "data": {
            "points": [[coordinate(), coordinate()] for _ in range(count)],
            "labels": [draw.randrange(n_classes) for _ in range(count)],
            "classes": _names(draw, CLASSES[:n_classes]),
            "features": _names(draw, FEATURES),
        },
    }


def _names(draw: random.Random, usual: tuple[str, ...]) -> list[str]:
    return list(usual) if draw.random() < 0.5 else draw.sample(NAMES, len(usual))


def _problem(case: dict[str, Any], told: dict[str, Any]) -> str:
    """What is wrong with what became of a case; nothing where the promise holds."""
    if "crashed" in told:
        return str(told["crashed"])
    if told["seconds"] > SECONDS:
        return f"{told['seconds']:.1f} s"
    found = told["answer"]
    for line in (found.get("refused"), found.get("problem")):
        if line is not None and not (10 < len(line) < 600 and "\n" not in line):
            return f"refused with {line!r}"
    if "bench" not in case:
        return "" if found.get("same", True) else "written again, it is another bench"
    if "refused" in found:
        return f"its own link was refused: {found['refused']}"
    return "" if found["bench"] == _readable(case["bench"]) else "its own link is another bench"


def _readable(bench: dict[str, Any]) -> dict[str, Any]:
    """The bench as a link can hold it: an address has no half characters, so a question mark is in their place."""
    data = dict(bench["data"])
    for name in ("classes", "features"):
        data[name] = ["".join("?" if "\ud800" <= c <= "\udfff" else c for c in each) for each in data[name]]
    return {**bench, "data": data}
