"""The lessons on the rule itself: a linear classifier, the update, the bias, more than two classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.lab.lessons_bench import course, lay, option, place, proved, scored
from rosenblatt.lab.presets import FIVE, SIGNS
from rosenblatt.lab.words import ending, step_words, sums
from rosenblatt.learn.decide import Decision
from rosenblatt.traces import trace
from rosenblatt.traces.numerals import change, numeral, vector
from rosenblatt.traces.table import HEAD, lines_of

PASSES = 300  # enough for every run here that ends by itself

# Lesson 1: weights with small numbers, two points on either side of their boundary, and one place on it.
LINE_WEIGHTS = [-6.0, 2.0, 1.0]
LINE_POINTS = [[1, 1], [4, 3], [1, 3], [3, 2]], [0, 1, 0, 1]
ON_THE_LINE = [2, 2]


def line() -> dict[str, Any]:
    points, labels = LINE_POINTS
    w = np.array(LINE_WEIGHTS)
    length = float(np.linalg.norm(w[1:]))
    once, twice = ([scored(m * w, point) for point in points] for m in (1, 2))
    same = all((a["score"] > 0) == (b["score"] > 0) for a, b in zip(once, twice, strict=True))
    rows = [
        row | {"class": SIGNS[label], "distance": f"{abs(row['score']) / length:.4g}"}
        for row, label in zip(once, labels, strict=True)
    ]
    return {
        "benches": {
            "once": lay(points, labels, start=w.tolist()),
            "twice": lay(points, labels, start=(2 * w).tolist()),
        },
        "facts": {
            "weights": vector(w.tolist()),
            "parts": [numeral(value) for value in w.tolist()],
            "doubled": vector((2 * w).tolist()),
            "rows": rows,
            "twice": [row["text"] for row in twice],
            "zero": scored(w, ON_THE_LINE),
            "normal": place(w[1:]),
            "length": f"{length:.4g}",
            "options": [
                option("It stays where it is.", same),
                option("It moves twice as far from the origin.", not same),
                option("It turns.", False),
            ],
        },
    }


def update() -> dict[str, Any]:
    """The worked pass of the notes: its table, row by row, and how the run goes on."""
    points, labels = FIVE
    start = [-1, 0, 0]
    first, whole = (trace(points, labels, start=start, passes=passes) for passes in (1, PASSES))
    laid = lay(points, labels, start=start, passes=PASSES)
    run = course(laid)
    second, last = first[1], first[4]
    other = last.before - last.amount * last.features  # what a wrong sign would give
    return {
        "benches": {"five": laid},
        "facts": {
            "head": list(HEAD),
            "table": [list(cells) for cells in lines_of(first)],
            "words": [step_words(run, step)["words"] for step in range(len(points))],
            "start": vector(start),
            "asked": scored(second.before, points[second.row]) | {"class": SIGNS[second.true]},
            "added": {"change": second.update, "after": vector(second.after.tolist())},
            "last": {
                "at": place(points[last.row]),
                "class": SIGNS[last.true],
                "score": numeral(float(last.scores[0])),
                "before": vector(last.before.tolist()),
                "features": vector(last.features.tolist()),
                "change": last.update,
                "after": vector(last.after.tolist()),
                "now": scored(last.after, points[last.row]),
                "squared": numeral(float(last.features @ last.features)),
            },
            "options": [
                option(vector(weights.tolist()), np.array_equal(weights, last.after))
                for weights in (other, last.after, last.before)
            ],
            "passes": whole.n_passes,
            "mistakes": whole.n_mistakes,
            "final": vector(whole.weights.tolist()),
        },
    }


# Lesson 3: the first point and the third lie on one ray from the origin and are of different classes.
RAY_POINTS = [[1, 1], [0, 1], [3, 3], [4, 1]], [0, 0, 1, 1]
RAY_WEIGHTS = [2.0, -1.0]


def bias() -> dict[str, Any]:
    points, labels = RAY_POINTS
    without = lay(points, labels, bias=False, passes=PASSES)
    trial = lay(points, labels, bias=False, start=RAY_WEIGHTS, passes=PASSES)
    with_bias = lay(points, labels, passes=PASSES)
    ended = course(with_bias)
    final = ended.history.weights[-1]
    return {
        "benches": {"trial": trial, "without": without, "with": with_bias},
        "facts": {
            "trial": vector(RAY_WEIGHTS),
            "near": scored(RAY_WEIGHTS, points[0]) | {"class": SIGNS[labels[0]]},
            "far": scored(RAY_WEIGHTS, points[2]) | {"class": SIGNS[labels[2]]},
            "times": numeral(points[2][0] / points[0][0]),
            "origin": scored(RAY_WEIGHTS, [0, 0]),
            "impossible": proved(without)["words"],
            "ended_without": ending(course(without)),
            "ended_with": ending(ended),
            "final": vector(final.tolist()),
            "shift": numeral(float(final[0])),
            "origin_with": scored(final, [0, 0]),
            "near_with": scored(final, points[0]),
            "far_with": scored(final, points[2]),
        },
    }


# Lesson 4: the worked example of the notes, with the bias first; a point of each other class makes it a run.
CLASS_WEIGHTS = [[1, -2, 2], [4, 0, 3], [-2, 1, 4]]
CLASS_POINTS = [[-2, 3], [-3, -2], [3, -1]], [2, 0, 1]


def classes() -> dict[str, Any]:
    points, labels = CLASS_POINTS
    names = ["class 0", "class 1", "class 2"]
    laid = lay(points, labels, names, start=CLASS_WEIGHTS, passes=PASSES)
    run = course(laid)
    before, after = run.history.weights[:2]
    features = [1.0, *map(float, points[0])]
    scores, then = ([scored(w, points[0]) for w in weights] for weights in (before, after))
    true, rival = labels[0], int(run.history.rivals[0])
    winner = int(Decision().decide(run.history.scores[:1])[0])
    changed = [c for c in range(len(names)) if not np.array_equal(before[c], after[c])]
    return {
        "benches": {"three": laid},
        "facts": {
            "at": place(points[0]),
            "features": vector(features),
            "rows": [
                {
                    "class": name,
                    "before": vector(b.tolist()),
                    "sum": old["sum"],
                    "score": old["score"],
                    "change": change(1.0 if c == true else -1.0, features) if c in changed else "none",
                    "after": vector(a.tolist()),
                    "now": new["text"],
                    "sum_after": new["sum"],
                }
                for c, (name, b, a, old, new) in enumerate(zip(names, before, after, scores, then, strict=True))
            ],
            "sums": sums(run, 0),
            "winner": names[winner],
            "true": names[true],
            "rival": names[rival],
            "other": next(names[c] for c in range(len(names)) if c not in changed),
            "words": step_words(run, 0)["words"],
            "options": [
                option(f"That of {names[true]}, the true one.", changed == [true]),
                option(f"Those of {names[true]} and {names[rival]}.", changed == sorted([true, rival])),
                option("All three.", len(changed) == len(names)),
            ],
            "ended": ending(run),
            "mistakes": run.run.mistakes,
        },
    }
