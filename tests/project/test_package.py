"""The package as a user meets it: what loads, what is public, that it runs without the compiler and from its cache."""

from __future__ import annotations

import doctest
import os
import subprocess
import sys
from pathlib import Path

import pytest

import rosenblatt
from rosenblatt.estimators import kernel, naive_bayes, perceptron, units
from rosenblatt.proofs import portfolio
from rosenblatt.report import estimate as counting

REPOSITORY = Path(__file__).parents[2]


def python(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        cwd=REPOSITORY,
        env={**os.environ, **environment},
        check=False,
        timeout=300,
    )


@pytest.mark.parametrize("arguments", [["-c", "import rosenblatt"], ["-m", "rosenblatt", "--help"]])
def test_starting_loads_neither_numba_nor_scikit_learn(arguments):
    done = python("-X", "importtime", *arguments)
    assert done.returncode == 0, done.stderr
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert "rosenblatt" in loaded
    assert not loaded & {"numba", "sklearn", "scipy", "pyarrow", "numpy"}


def test_public_names():
    assert sorted(rosenblatt.__all__) == [
        "AssociationUnits", "KernelPerceptron", "NaiveBayes", "Perceptron", "__version__", "compare", "compare_orders",
        "descend", "draw", "estimate", "estimator", "load", "plot_boundary", "plot_passes", "plot_weights", "prove",
        "review", "save", "show_lab", "trace", "train",
    ]  # fmt: skip
    assert set(rosenblatt.__all__) <= set(dir(rosenblatt))
    with pytest.raises(AttributeError, match="Public names: AssociationUnits, KernelPerceptron, NaiveBayes"):
        rosenblatt.Perzeptron  # noqa: B018


def test_the_examples_in_docstrings():
    for module, least in ((perceptron, 4), (kernel, 3), (units, 4), (naive_bayes, 4), (portfolio, 2), (counting, 4)):
        results = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
        assert results.attempted >= least
        assert results.failed == 0


SLOW = "test_shuffled_passes_on_the_five_points_have_a_median_near_89"


def test_without_the_compiler_the_loops_still_equal_the_reference():
    done = python(
        *(
            "-m",
            "pytest",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            "--deselect",
            f"tests/project/test_notes.py::{SLOW}",
        ),
        *("tests/project/test_notes.py", "tests/loops/test_loops_equal_reference.py", "tests/loops/test_order.py"),
        NUMBA_DISABLE_JIT="1",
        HYPOTHESIS_PROFILE="few",
    )
    assert done.returncode == 0, done.stdout[-3000:]


def test_bits_are_the_same_in_another_process_with_and_without_the_compiler():
    code = (
        "import numpy as np; from rosenblatt import Perceptron; r = np.random.default_rng(0);"
        "X, y = r.integers(-9, 10, (400, 6)).astype(float), r.integers(0, 3, 400);"
        "m = Perceptron(random_state=1, max_iter=4, shards=2).fit(X, y); print(m.coef_.tobytes().hex())"
    )
    runs = [python("-c", code), python("-c", code), python("-c", code, NUMBA_DISABLE_JIT="1")]
    assert all(run.returncode == 0 for run in runs), runs[-1].stderr
    assert len({run.stdout for run in runs}) == 1


@pytest.mark.parametrize("text", [{}, {"ngrams": 2}, {"characters": True}], ids=["words", "pairs", "characters"])
def test_an_answer_to_one_message_loads_neither_pandas_nor_scikit_learn(text, tmp_path):
    """Each would take longer than everything else; Arrow loads pandas for a scalar, an array or a missing value."""
    from rosenblatt import save, train

    model = train("mail", model="perceptron", passes=1, config={"text": text})
    save(model, tmp_path / "mail.rosenblatt")  # three columns, two then missing
    code = (
        "import sys; from rosenblatt import load; "
        "print(load('mail.rosenblatt').predict(['free prize, £5 für ÄRZTE'])); "
        "print(sorted({'pandas', 'sklearn'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_tests_lie_in_a_folder_named_after_the_package_they_are_of():
    packages = {path.name for path in (REPOSITORY / "src" / "rosenblatt").iterdir() if path.is_dir()}
    folders = {
        path.parent.relative_to(REPOSITORY / "tests").as_posix() for path in (REPOSITORY / "tests").rglob("test_*.py")
    }
    assert folders <= packages | {"faults", "project", "pinned"}  # the last three are of no package
    assert packages - folders <= {"reference", "__pycache__"}  # which the tests of loops are about
