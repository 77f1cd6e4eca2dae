"""The lessons on what the rule cannot do alone: separability, smoothing of counts, and many perceptrons."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rosenblatt.lab import bayes
from rosenblatt.lab.bayes_tables import examples
from rosenblatt.lab.lessons_bench import bench_of, course, lay, option, place, proved
from rosenblatt.lab.presets import CORNERS, FIVE, presets, uniform
from rosenblatt.lab.sessions import Session
from rosenblatt.lab.words import cycle_words, ending, step_words
from rosenblatt.lab.xor import tell_xor
from rosenblatt.learn.smoothing import log_factor
from rosenblatt.traces.bayes import Line
from rosenblatt.traces.numerals import numeral, vector

PASSES = 300
ALONE = Session("lessons")  # for calls that keep nothing
XOR = CORNERS, [0, 1, 1, 0]
ASKED = 10_000  # mistakes; could there be as many?


def separable() -> dict[str, Any]:
    five, xor = lay(*FIVE, passes=PASSES), lay(*XOR, passes=PASSES)
    drawn = {preset["name"]: preset for preset in presets(ALONE, {"seed": 0})["presets"]}
    wide, thin = (lay(drawn[name]["points"], drawn[name]["labels"], passes=PASSES) for name in ("wide", "thin"))
    proof, run, ring = proved(five), course(five), course(xor)
    high = run.history.margin_at_most
    low, last = run.run.margin_bracket
    story = tell_xor(ALONE, {})["proof"]
    after = ring.history.weights[len(ring.history.steps)]
    back = bool(np.array_equal(after, ring.history.weights[0]))
    return {
        "benches": {"five": five, "wide": wide, "thin": thin, "xor": xor},
        "facts": {
            "margin": numeral(proof["margin"]),
            "radius": numeral(proof["radius"]),
            "squared": numeral(round(proof["radius"] ** 2, 9)),
            "bound": f"{proof['bound']:,}",
            "mistakes": run.run.mistakes,
            "ended": ending(run),
            "asked": f"{ASKED:,}",
            "options": [option("Yes, with bad luck.", proof["bound"] >= ASKED), option("No.", proof["bound"] < ASKED)],
            "bracket": [
                {"mistakes": n, "at_most": f"{high[n]:.4g}"} for n in (1, 10, 100, run.run.updates) if n < len(high)
            ],
            "low": f"{low:.4g}",
            "high": f"{last:.4g}",
            "sets": [_gap("Wide margin", wide), _gap("Thin margin", thin)],
            "parts": [part | {"at": place(CORNERS[part["row"]])} for part in story["parts"]],
            "sum": story["sum"],
            "proof": proved(xor)["words"],
            "passes": ring.run.passes,
            "after": vector(after.tolist()),
            "cycle": _sentence(cycle_words(ring)),
            "xor_options": [
                option("It finds a line after very many passes.", ring.run.separated),
                option("The weights come back and it goes round for ever.", back and ring.run.cycle is not None),
                option("The weights grow without end.", not back),
            ],
        },
    }


def _gap(name: str, laid: dict[str, Any]) -> dict[str, Any]:
    proof = proved(laid)
    return {
        "name": name,
        "margin": f"{proof['margin']:.4g}",
        "radius": f"{proof['radius']:.4g}",
        "bound": f"{proof['bound']:,}",
        "mistakes": course(laid).run.mistakes,
    }


def _sentence(words: str) -> str:
    return words[0].upper() + words[1:]


# Lesson 6: the balls of the notes, red, red, blue; then words in mail, one of which no ham has.
BALLS = 2, 3
STRENGTHS = 0.0, 1.0, 10.0, math.inf
WORD = "minute"


def smoothing() -> dict[str, Any]:
    mail = next(example for example in examples() if example["name"] == "mail")
    found = bayes.weigh_row(ALONE, mail)["stops"]
    at = {k: found[bayes.STOPS.index(k)] for k in STRENGTHS}
    red = {k: _share(*BALLS, k) for k in STRENGTHS}
    word = [feature["name"] for feature in mail["features"]].index(WORD)
    never = mail["features"][word]["counts"]
    empty = never.index(0)
    limit = at[math.inf]["chances"][word][empty]
    return {
        "benches": {},
        "facts": {
            "red": BALLS[0],
            "balls": BALLS[1],
            "shares": [{"k": bayes.k_text(k), "sum": red[k].arithmetic(k)[0]} for k in STRENGTHS],
            "smoothed": {"value": float(red[1.0].probabilities[0]), "sum": red[1.0].arithmetic(1.0)[0]},
            "word": WORD,
            "lacks": mail["classes"][empty],
            "has": mail["classes"][1 - empty],
            "rows": mail["rows"][empty],
            "seen": never[1 - empty],
            "held": " and ".join(f"“{f['name']}”" for f, v in zip(mail["features"], mail["row"], strict=True) if v),
            "stops": [
                {
                    "k": at[k]["k"],
                    "place": bayes.STOPS.index(k),
                    "factor": _cell(at[k]["cells"], f"{WORD} = 1", empty),
                    "posterior": at[k]["posterior"],
                    "predicted": at[k]["predicted"],
                    "words": at[k]["words"],
                }
                for k in STRENGTHS
            ],
            "classes": mail["classes"],
            "options": [
                option(numeral(value), math.isclose(value, limit))
                for value in (0.0, 0.5, 1.0, float(BALLS[0] / BALLS[1]))
            ],
            "limit": numeral(float(limit)),
        },
    }


def _share(count: int, total: int, k: float) -> Line:
    """The smoothed share of one of two values, with its working."""
    counts, totals = np.array([count]), np.array([total])
    factor = log_factor(counts, totals, 2, k)
    zeros = np.zeros(1) if factor.zeros is None else factor.zeros
    return Line("ball", "red", counts, totals, 2, 1, factor.logs, zeros)


def _cell(cells: list[list[str]], name: str, column: int) -> str:
    return next(line[1 + column] for line in cells if line[0] == name)


# Lesson 7: two clouds far apart, the classes in turn, and at the end one point with the wrong label.
CLOUDS = (-1.6, -1.2), (1.6, 1.2)
SPREAD = 0.35
COUNT = 1020
ODD_ONE = [2.0, 0.5]


def many() -> dict[str, Any]:
    thousand, xor = lay(*_thousand(), passes=1), lay(*XOR, passes=PASSES)
    run = course(thousand)
    steps = run.history.steps
    longest = int(np.max(np.diff(steps))) - 1
    right = {kind: run.right(kind) for kind in ("final", "averaged", "voted", "pocket")}
    n = len(thousand["points"])
    network = tell_xor(ALONE, {})["network"]
    both = network["inputs"][-1]
    return {
        "benches": {"thousand": thousand, "xor": xor},
        "facts": {
            "points": f"{n:,}",
            "longest": f"{longest:,}",
            "before": vector(run.history.weights[-2].tolist()),
            "after": vector(run.history.weights[-1].tolist()),
            "before_right": f"{_right(thousand, run.history.weights[-2]):,}",
            "mistake": int(steps[-1]) + 1,
            "words": step_words(run, int(steps[-1]))["words"],
            "right": {kind: f"{count:,}" for kind, count in right.items()},
            "options": [
                option(f"{value:,}", value == right["final"]) for value in (n - 1, n - n // 10, right["final"])
            ],
            "units": [
                {"name": unit["name"], "text": unit["text"], "inputs": unit["inputs"]} for unit in network["units"]
            ],
            "inputs": network["inputs"],
            "both": both,
            "says": [option(str(value), value == both["says"]) for value in (0, 1)],
            "solved": network["right"],
        },
    }


def _thousand() -> tuple[list[list[float]], list[int]]:
    draw = uniform(0, 15)
    points = []
    for row in range(COUNT):
        # The sum of twelve uniform numbers is as good as normal here.
        points.append([round(at + SPREAD * (sum(draw() for _ in range(12)) - 6), 2) for at in CLOUDS[row % 2]])
    return [*points, ODD_ONE], [*(row % 2 for row in range(COUNT)), 0]


def _right(laid: dict[str, Any], weights: np.ndarray) -> int:
    """How many points these weights get strictly right."""
    bench = bench_of(laid)
    scores = weights[0] + bench.points @ weights[1:]
    return int(np.sum(np.where(bench.codes == 1, scores, -scores) > 0))
