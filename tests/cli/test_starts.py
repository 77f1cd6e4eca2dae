"""Small questions are answered without the compiler: what loads, and that the answers are the same to the bit."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from rosenblatt import load, save, train
from rosenblatt.data import read
from rosenblatt.loops.compile import Loop

SLOW_TO_LOAD = ("numba", "llvmlite", "scipy", "pandas", "sklearn", "matplotlib")
TEXTS = ["win cash now", "", "the Straße is CLOSED today, «naïve» plans", "a" * 300 + " " + "prize " * 9]
RUN = (
    "import sys; from rosenblatt.cli import main\n"
    "try: main()\n"
    "except SystemExit as end: assert not end.code, end.code\n"
    f"print(sorted(set({SLOW_TO_LOAD!r}) & {{name.partition('.')[0] for name in sys.modules}}), file=sys.stderr)"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Models of both families over a table and over text, and one row of each as CSV and as JSON."""
    place = tmp_path_factory.mktemp("starts")
    rng = np.random.default_rng(0)
    numbers = rng.standard_normal((90, 2))
    kinds = np.where(numbers[:, 0] > 0.5, "high", np.where(numbers[:, 1] > 0, "middle", "low"))
    sky = [("sun", "rain", "snow")[i % 3] for i in range(90)]
    lines = [f'{a},{b},"{s}",{y}' for (a, b), s, y in zip(numbers, sky, kinds, strict=True)]
    (place / "table.csv").write_text("\n".join(["wind,height,sky,label", *lines]))
    (place / "one.csv").write_text('wind,height,sky\n0.3,-0.1,"rain"\n')
    (place / "one.jsonl").write_text('{"wind": 0.3, "height": -0.1, "sky": "rain"}\n')
    (place / "one.tsv").write_text("subject\tsender\ttext\nhello\tA\twin cash now\n")
    (place / "one.svm").write_text("1 1:0.5 2:1e-3 7:2\n")
    for family, settings in {"perceptron": {"passes": 2}, "naive-bayes": {"k": 1.0}}.items():
        save(train(place / "table.csv", model=family, **settings), place / f"table-{family}.rosenblatt")
        save(train("mail", model=family, **settings), place / f"mail-{family}.rosenblatt")
    return place


def run(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", RUN, *arguments], capture_output=True, text=True, cwd=folder, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[-1] == "[]", done.stderr
    return done.stdout


@pytest.mark.parametrize("family", ["perceptron", "naive-bayes"])
def test_one_row_loads_no_compiler(folder, family):
    table, mail = f"table-{family}.rosenblatt", f"mail-{family}.rosenblatt"
    from_csv = run(folder, "predict", table, "one.csv", "--scores")
    assert run(folder, "predict", table, "one.jsonl", "--scores") == from_csv
    scores = load(folder / table).scores(folder / "one.csv")
    assert [float(score) for score in from_csv.splitlines()[1].split(",")[1:]] == scores[0].tolist()  # compiled here
    run(folder, "explain", table, "one.csv")
    run(folder, "inspect", table)
    run(folder, "predict", mail, "one.tsv")
    run(folder, "explain", mail, "--text", TEXTS[2])
    run(folder, "inspect", mail)


def test_a_long_file_is_worth_the_compiler(folder):
    """Otherwise the test above could not fail."""
    (folder / "long.csv").write_text("subject,sender,text\n" + "hello,A,win cash now\n" * 20_000)
    with pytest.raises(AssertionError, match="numba"):
        run(folder, "predict", "mail-perceptron.rosenblatt", "long.csv")


def as_written(loop: Loop, *arguments):
    """What a loop does while it has little to do."""
    with np.errstate(over="ignore"):
        return loop.function(*arguments)


@pytest.mark.parametrize("name", ["table", "mail"])
@pytest.mark.parametrize("family", ["perceptron", "naive-bayes"])
def test_small_and_compiled_answers_are_the_same_bits(folder, monkeypatch, name, family):
    rows = read(folder / "table.csv").take(np.arange(9)) if name == "table" else TEXTS

    def answers():
        model = load(folder / f"{name}-{family}.rosenblatt")
        told = [model.explain(rows.take(np.array([0])) if name == "table" else [text]) for text in TEXTS]
        return [model.scores(rows).tobytes(), *(part for each in told for part in (each.scores, each.contributions))]

    compiled = answers()
    monkeypatch.setattr(Loop, "__call__", as_written)
    for one, other in zip(compiled, answers(), strict=True):
        assert np.asarray(one).tobytes() == np.asarray(other).tobytes()


def test_files_are_read_alike(folder, monkeypatch):
    def content():
        tables = [read(folder / name, labelled=False) for name in ("table.csv", "one.tsv", "one.svm")]
        return [table.columns.to_pydict() for table in tables]

    compiled = content()
    monkeypatch.setattr(Loop, "__call__", as_written)
    assert content() == compiled
