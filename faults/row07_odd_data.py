"""Data that is legal and odd, or not legal at all: what becomes of each is written here and in docs/data.md."""

from __future__ import annotations

import re
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse

from faults import child
from faults.outcome import Outcome
from rosenblatt import NaiveBayes, Perceptron, load, prove, save, train
from rosenblatt.data import read
from rosenblatt.errors import RosenblattError
from rosenblatt.features import Wishes

NUMBER = 7
FAULT = (
    "one class, no rows, one row, a class with one row, all rows equal, equal rows with different labels, 10⁵ columns, "
    "10⁴ classes, empty strings, right-to-left and emoji, lone surrogates, duplicate and blank column names, BOM, a "
    "mistyped number, columns that look like ids, whole numbers past 2⁵³ in a file to prove, damaged sparse matrices, "
    "an output that is an input"
)
PROMISE = "the documented result"
SHORT, FULL = 1, 1  # each case once
FOUND = [
    "A blank column name was kept as it is, and a header that begins with one was taken for a row (data/csv.py).",
    "A lone surrogate in a message to predict ended in an error of Python's, not in a line (data/table.py).",
    "A sparse matrix with falling row starts crashed naive Bayes and `train` in scipy (data/matrices.py).",
    "`prove FILE` rounded whole numbers past 2⁵³ and proved that distinct rows were equal (cli/table.py).",
    "An output that was an input replaced it without a word (cli/outputs.py).",
    "One mistyped number made its column strings, all distinct, and so an id, dropped in silence (data/mistyped.py).",
    "Floats past 2⁵³ were taken for ids; rows of nothing but ids were all copies of each other (features/split.py).",
    "A label spelt nan or NaN was a class (features/labels.py).",
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


def damaged(fit: Callable[[Any], Any]) -> Callable[[Path], Any]:
    """A fit to a CSR matrix whose row starts fall."""

    def call(_: Path) -> Any:
        matrix = scipy.sparse.csr_array(np.eye(4))
        matrix.indptr = np.array([0, 5, 2, 3, 4], np.int32)
        return fit(matrix)

    return call


def command(text: str, *arguments: str) -> Callable[[Path], Any]:
    """What a command prints; `odd.csv` is a file of this content, and must be the same afterwards."""

    def call(folder: Path) -> Any:
        (folder / "odd.csv").write_text(text)
        return *child.command(arguments, folder), (folder / "odd.csv").read_text() == text

    return call


def refused(code: int, word: str) -> Callable[[Any], bool]:
    """One line with the word in it on standard error, this exit code, and nothing lost."""
    return lambda done: done[0] == code and done[1] == "" and done[2].count("\n") == 1 and word in done[2] and done[3]


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
        lambda _: Perceptron(max_iter=1, random_state=0).fit(np.eye(20)[MANY % 20], MANY),
        lambda m: m.coef_.shape == (10_000, 20) and len(m.predict(np.eye(20))) == 20,
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
    (
        "a mistyped number",
        csv(lines(["1_0", *(v + 0.5 for v in range(1, N))], NUMBERS, TWO)),
        "row 1, column 'a': '1_0' is not a number",
    ),
    ("nothing but ids", csv(lines(range(N), TWO, header="a,label")), "'a' is dropped .an id.*numeric"),
    (
        "an id that is asked for as a number",
        csv(lines(range(N), TWO, header="a,label"), wishes=Wishes(numeric=["a"])),
        lambda m: m.card["split"]["duplicates"] == 0 and m.plan.lines[0].kind == "numeric",
    ),
    (
        "measurements past 2⁵³",
        csv(lines([f"{1e21 + v * 1e19:.6e}" for v in range(N)], TWO, header="a,label")),
        lambda m: m.plan.lines[0].kind == "numeric",
    ),
    ("a label spelt nan", csv(lines(NUMBERS, NUMBERS, ["NaN", *TWO[1:]])), "'NaN', which means no number"),
    ("damaged rows, naive Bayes", damaged(lambda X: NaiveBayes().fit(X, [0, 1, 0, 1])), "damaged"),
    ("damaged rows, perceptron", damaged(lambda X: Perceptron().fit(X, [0, 1, 0, 1])), "damaged"),
    ("damaged rows, train", damaged(lambda X: train(X, label=[0, 1, 0, 1])), "damaged"),
    ("damaged rows, prove", damaged(lambda X: prove(X, [0, 1, 0, 1])), "damaged"),
    (
        "whole numbers past 2⁵³ in a file to prove",
        command(lines([2**60 + k for k in range(6)], list("aaabbb"), header="x,label"), "prove", "odd.csv"),
        refused(1, "beyond 2^53"),
    ),
    (
        "a model over its data",
        command(lines(NUMBERS, NUMBERS[::-1], TWO), "train", "odd.csv", "--out", "odd.csv"),
        refused(2, "would write over DATA"),
    ),
    (
        "a certificate over its data",
        command(lines(NUMBERS, NUMBERS[::-1], TWO), "prove", "odd.csv", "--out", "odd.csv"),
        refused(2, "would write over DATA"),
    ),
    (
        "a seed past 64 bits",
        command(lines(NUMBERS, NUMBERS[::-1], TWO), "train", "odd.csv", "--seed", "9" * 23),
        refused(1, "seed must be a whole number from 0 to"),
    ),
]
