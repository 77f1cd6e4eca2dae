"""Data that is legal and odd, or not legal at all: what becomes of each is written here and in docs/data.md."""

from __future__ import annotations

import re
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from faults.outcome import Outcome
from rosenblatt import NaiveBayes, Perceptron, load, prove, save, train
from rosenblatt.data import read
from rosenblatt.errors import RosenblattError

NUMBER = 7
FAULT = (
    "one class, no rows, one row, a class with one row, all rows equal, equal rows with different labels, 10⁵ columns, "
    "10⁴ classes, empty strings, right-to-left and emoji, lone surrogates, duplicate and blank column names, BOM"
)
PROMISE = "the documented result"
SHORT, FULL = 1, 1  # each case once
FOUND = [
    "A blank column name was kept as it is, and a header that begins with one was taken for a row (data/csv.py).",
    "A lone surrogate in a message to predict ended in an error of Python's, not in a line (data/table.py).",
]

Case = tuple[str, Callable[[Path], Any], str | Callable[[Any], bool]]  # what, the call, its refusal or what must hold


def run(cases: int, seed: int) -> Outcome:
    outcome = Outcome()
    with tempfile.TemporaryDirectory() as name, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for what, call, wanted in CASES:
            try:
                found = call(Path(name))
                holds, said = (
                    (False, f"gave {found!r}") if isinstance(wanted, str) else (wanted(found), f"gave {found!r}")
                )
            except RosenblattError as error:
                said = f"refused: {error}"
                holds = isinstance(wanted, str) and re.search(wanted, str(error)) is not None and "\n" not in str(error)
            except UnicodeError as error:
                holds, said = False, f"{type(error).__name__}: {error}"
            except ValueError as error:  # scikit-learn's own checks of arrays
                said = f"refused: {error}"
                holds = isinstance(wanted, str) and re.search(wanted, str(error)) is not None
            except Exception as error:
                holds, said = False, f"{type(error).__name__}: {error}"
            outcome.case(holds, f"{what}: {said[:300]}")
    return outcome


def csv(text: str | bytes, **how: Any) -> Callable[[Path], Any]:
    """Trains on a CSV file of this content and gives the model as it comes back from its file."""

    def call(folder: Path) -> Any:
        path = folder / "odd.csv"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        model = train(path, **how)
        save(model, folder / "odd.rosenblatt")
        return load(folder / "odd.rosenblatt")

    return call


def lines(*columns: Any, header: str = "a,b,label") -> str:
    return "\n".join([header, *(",".join(map(str, row)) for row in zip(*columns, strict=True))]) + "\n"


def fitted(X: Any, y: Any, **settings: Any) -> Callable[[Path], Any]:
    return lambda _: Perceptron(random_state=0, **settings).fit(X, y)


N = 60
NUMBERS = [(i * 37) % 29 for i in range(N)]  # with repetitions: whole numbers that never repeat are taken for an id
TWO = ["yes" if value > 14 else "no" for value in NUMBERS]
RTL, EMOJI = "שלום עולם حياة", "👩‍👩‍👧 🏳️‍🌈"
DRAW = np.random.default_rng(0)
WIDE = DRAW.integers(0, 2, (30, 100_000)).astype(np.uint8)
MANY = np.arange(20_000) % 10_000

CASES: list[Case] = [
    ("one class, array", fitted([[1.0], [2.0]], [1, 1]), "one class|1 class|two classes"),
    ("one class, file", csv(lines(NUMBERS, NUMBERS, ["x"] * N)), "all 60 rows have the label 'x'"),
    ("no rows, array", fitted(np.empty((0, 2)), []), "0 sample|no row"),
    ("no rows, file", csv("a,b,label\n"), "no rows"),
    ("an empty file", csv(""), "empty|no rows"),
    ("one row", csv(lines([1], [2], ["x"])), "label|rows"),
    ("two rows", csv(lines([1, 2], [2, 1], ["x", "y"])), "rows"),
    (
        "a class with one row",
        csv(lines(NUMBERS, NUMBERS[::-1], ["one", *TWO[1:]])),
        lambda m: len(m.classes.names) == 3,
    ),
    ("all rows equal", csv(lines([1] * N, [2] * N, TWO)), "no column is left|leave none"),
    ("all rows equal, array", fitted([[1.0, 2.0]] * 4, [0, 1, 0, 1], max_iter=20), lambda m: not m.separated_),
    (
        "equal rows with different labels: a proof",
        lambda _: prove([[1, 2], [1, 2], [3, 4]], [0, 1, 1]),
        lambda v: v.kind == "inseparable" and set(v.rows) == {0, 1},
    ),
    (
        "100,000 columns",
        lambda _: Perceptron(weights="final", random_state=0).fit(WIDE, np.arange(30) % 2),
        lambda m: m.coef_.shape == (1, 100_000) and m.score(WIDE, np.arange(30) % 2) == 1.0,
    ),
    (
        "10,000 classes",
        lambda _: Perceptron(max_iter=2, random_state=0).fit(np.eye(100)[MANY % 100], MANY),
        lambda m: m.coef_.shape == (10_000, 100) and len(m.predict(np.eye(100))) == 100,
    ),
    (
        "10,000 classes, naive Bayes",
        lambda _: NaiveBayes().fit((np.arange(20_000)[:, None] >> np.arange(14)) & 1, MANY),
        lambda m: m.predict([[0] * 14]).shape == (1,),
    ),
    (
        "empty strings are missing values",
        csv(lines(["" if v % 3 else v for v in NUMBERS], NUMBERS, TWO)),
        lambda m: any(name == "a=(missing)" for name in m.plan.names),
    ),
    (
        "right-to-left and emoji as classes, columns and values",
        csv(
            lines(
                [RTL if v % 2 else EMOJI for v in NUMBERS],
                NUMBERS,
                [RTL if t == "yes" else EMOJI for t in TWO],
                header=f"{RTL} {EMOJI},b,label",
            )
        ),
        lambda m: set(m.classes.names) == {RTL, EMOJI} and any(RTL in name for name in m.plan.names),
    ),
    (
        "a lone surrogate in a text",
        lambda _: train({"text": ["\ud800 free", "x y z"] * 30, "label": ["a", "b"] * 30}),
        "surrogate|characters|text",
    ),
    (
        "a lone surrogate to predict",
        lambda _: train("mail", model="perceptron", passes=1).predict(["\ud800 free prize"]),
        "surrogate|characters|text",
    ),
    (
        "bytes that are no UTF-8",
        csv(lines(NUMBERS, NUMBERS, TWO).encode() + b"1,\xff\xfe,yes\n"),
        "UTF-8|utf-8|encoding",
    ),
    ("a name twice", csv(lines(NUMBERS, NUMBERS, TWO, header="a,a,label")), "columns 1 and 2 are both named 'a'"),
    (
        "blank names are c1, c2",
        csv(lines(NUMBERS, NUMBERS[::-1], TWO, header=",,label"), header=True),
        lambda m: [line.column for line in m.plan.lines] == ["c1", "c2"],
    ),
    (
        "row numbers without a name, as data frames write them",
        csv(lines(range(N), NUMBERS, TWO, header=",b,label")),
        lambda m: [(line.column, line.kind) for line in m.plan.lines] == [("c1", "dropped"), ("b", "numeric")],
    ),
    ("a blank name that another column has", csv(lines(NUMBERS, NUMBERS, TWO, header=",c1,label")), "both named 'c1'"),
    (
        "a byte order mark",
        csv(b"\xef\xbb\xbf" + lines(NUMBERS, NUMBERS[::-1], TWO).encode()),
        lambda m: m.plan.lines[0].column == "a",
    ),
    (
        "line ends of Windows",
        csv(lines(NUMBERS, NUMBERS[::-1], TWO).replace("\n", "\r\n")),
        lambda m: set(m.classes.names) == {"yes", "no"},
    ),
    ("a row too short", csv(lines(NUMBERS, NUMBERS, TWO) + "1,2\n"), "row 61|line 62"),
    ("a row too long", csv(lines(NUMBERS, NUMBERS, TWO) + "1,2,yes,4\n"), "row 61|line 62"),
    ("a quote that never closes", csv(lines(NUMBERS, NUMBERS, TWO) + '1,"2,yes\n'), "quote"),
    ("a label that is missing", csv(lines(NUMBERS, NUMBERS, ["", *TWO[1:]])), "no value for the label"),
    ("no such column", csv(lines(NUMBERS, NUMBERS, TWO), label="labl"), "Did you mean 'label'"),
    ("no such file", lambda folder: train(folder / "absent.csv"), "no such file"),
    ("a folder without classes", lambda folder: read(folder), "folder|class"),
]
