"""Proofs: wrong results found in use. Each test failed before its cause was mended."""

from __future__ import annotations

import importlib
import itertools
import json
import math
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.svm import SVC

from rosenblatt import Perceptron, prove
from rosenblatt.cli import commands
from rosenblatt.errors import DataError
from rosenblatt.lab.calls import CALLS
from rosenblatt.lab.sessions import Session
from rosenblatt.proofs import Separable, from_json
from rosenblatt.proofs.certificate import checksum

CORNERS = [[0, 0], [0, 1], [1, 0], [1, 1]]
FIVE = [[1, 1], [3, 2], [2, 4], [3, 4], [2, 3]], [-1, 1, 1, 1, -1]
BIG, BIGGER = 2**53, 2**63
TEXTS = {
    "past 2^63.csv": f"x,label\n{BIGGER + 1},a\n{BIGGER + 3},b\n",
    "past 2^63.tsv": f"x\tlabel\n{BIGGER + 1}\ta\n{BIGGER + 3}\tb\n",
    "beside a fraction.csv": f"x,label\n{BIG},a\n{BIG + 1},b\n0.5,a\n",
    "below zero.csv": f"x,label\n{-BIG},a\n{-BIG - 1},b\n0.5,a\n",
    "numbered.svm": f"1 1:{BIG}\n-1 1:{BIG + 1}\n",
    "past 2^63.jsonl": f'{{"x":{BIGGER + 1},"label":"a"}}\n{{"x":{BIGGER + 3},"label":"b"}}\n',
    "beside a fraction.jsonl": f'{{"x":{BIG},"label":"a"}}\n{{"x":{BIG + 1},"label":"b"}}\n{{"x":0.5,"label":"b"}}\n',
    "lists.jsonl": f'{{"x":[{BIG},1.5],"label":"a"}}\n{{"x":[{BIG + 1},1.5],"label":"b"}}\n',
    "whole lists.jsonl": f'{{"x":[{BIG},1],"label":"a"}}\n{{"x":[{BIG + 1},1],"label":"b"}}\n',
}


def run(*arguments):
    return CliRunner().invoke(commands, [str(argument) for argument in arguments])


def proved(folder, *arguments):
    return run("prove", *arguments, "--out", folder / "c.json")


# 5: identical are only rows that are


@pytest.mark.parametrize("name", TEXTS)
def test_found_05_numbers_that_reading_may_have_rounded_are_refused(name, tmp_path):
    path = tmp_path / name
    path.write_text(TEXTS[name])
    done = proved(tmp_path, path, *(["--format", "svmlight"] if name.endswith("svm") else []))
    assert isinstance(done.exception, DataError), done.output
    said = str(done.exception)
    assert said.startswith(f"{path}, ")
    assert "\n" not in said
    assert "column 1 holds" in said if name.endswith("svm") else "column 'x' holds" in said
    assert any(
        f"({value}" in said
        for value in ("9007199254740992)", "9007199254740993)", "-90071992547409", "9.22337", "922337203685477")
    )
    assert not (tmp_path / "c.json").exists()


def test_found_05_a_vector_of_whole_numbers_that_floats_merge_is_refused(tmp_path):
    numbers = pa.FixedSizeListArray.from_arrays(pa.array([2**60, 1, 2**60 + 1, 1]), 2)
    pq.write_table(pa.table({"x": numbers, "label": ["a", "b"]}), tmp_path / "v.parquet")
    assert "holds whole numbers beyond 2^53" in str(proved(tmp_path, tmp_path / "v.parquet").exception)


def test_found_05_a_float_of_a_parquet_file_is_the_number_itself(tmp_path):
    pq.write_table(pa.table({"x": [1e20, 2e20], "label": ["a", "b"]}), tmp_path / "f.parquet")
    assert "Separable (2 rows" in proved(tmp_path, tmp_path / "f.parquet").output
    (tmp_path / "f.csv").write_text("x,label\n1e20,a\n2e20,b\n")
    assert "numbers of 2^53 or more (1e+20)" in str(proved(tmp_path, tmp_path / "f.csv").exception)


def test_found_05_rows_that_differ_in_a_column_left_out_are_not_called_identical(tmp_path):
    ids = [f"k{n}" for n in range(12)]
    lines = [f"{n // 2},2020-01-{n + 1:02},{ids[n]},{'xy'[n % 2]}" for n in range(12)]
    path = tmp_path / "day.csv"
    path.write_text("\n".join(["a,day,code,label", *lines]) + "\n")
    said = proved(tmp_path, path).output
    assert "identical in the columns used (a) but labelled" in said
    assert "Left out: day (a time), code (an id)." in said
    checked = run("check", tmp_path / "c.json", path).output
    assert checked == f"The certificate holds: {path} is not separable. Left out: day (a time), code (an id).\n"


def test_found_05_what_is_left_out_is_named_with_every_verdict(tmp_path):
    path = tmp_path / "day.csv"
    path.write_text("a,day,label\n1,2020-01-01,x\n2,2020-01-02,y\n3,2020-01-03,y\n")
    for more in ([], ["--no-bias"]):
        assert "Left out: day (a time)." in proved(tmp_path, path, *more).output


def test_found_05_texts_of_the_same_words_are_not_called_identical(tmp_path):
    path = tmp_path / "mail.csv"
    lines = ["a dog bites the man now,x", "the man bites a dog now,y", "other words are here to see,y"]
    path.write_text("\n".join(["body,label", *lines]) + "\n")
    said = proved(tmp_path, path).output
    assert "Rows 1 and 2 are the same in every feature, though not in body itself, but labelled x and y." in said


# 6: a certificate says what it claims, and nothing that is not checked


def test_found_06_opposite_certificates_say_what_each_of_them_claims(tmp_path):
    with_bias, without = tmp_path / "with.json", tmp_path / "without.json"
    assert "Separable (5 rows" in run("prove", "notes", "--out", with_bias).output
    said = run("prove", "notes", "--no-bias", "--out", without).output
    assert "Not separable through the origin (5 rows" in said
    assert run("check", with_bias, "notes").output == "The certificate holds: notes is separable.\n"
    checked = run("check", without, "notes").output
    assert checked == "The certificate holds: notes is not separable through the origin.\n"
    assert json.loads(without.read_text())["verdict"] == "inseparable through the origin"


def signed(content):
    content.pop("checksum", None)
    return json.dumps(content | {"checksum": checksum(content)})


def test_found_06_a_claim_that_does_not_fit_the_bias_is_refused():
    for y, bias in itertools.product([[0, 0, 0, 1], [0, 1, 1, 0]], [True, False]):
        content = json.loads(prove(CORNERS, y, bias=bias).to_json())
        kind = content["verdict"].split()[0]
        content["verdict"] = f"{kind} through the origin" if bias else kind
        with pytest.raises(DataError, match="damaged"):
            from_json(signed(content))


def old(verdict, **changed):
    """A certificate as version 1 wrote it."""
    content = json.loads(verdict.to_json()) | {"format": "rosenblatt certificate 1", "verdict": verdict.kind}
    content |= {"found_by": verdict.found_by} | ({"mistakes": verdict.mistakes} if verdict.kind == "separable" else {})
    return signed(content | changed)


UNCHECKED = [
    *({"mistakes": -7}, {"mistakes": 10**9}, {"mistakes": True}, {"found_by": "<script>alert(1)</script>"}),
    *({"found_by": None}, {"found_by": ["perceptron"]}, {"note": "x"}),
]


@pytest.mark.parametrize("wrong", UNCHECKED)
def test_found_06_nothing_that_is_not_checked_is_in_a_certificate(wrong):
    verdict = prove(*FIVE)
    content = json.loads(verdict.to_json())
    assert not {"found_by", "mistakes"} & set(content)
    with pytest.raises(DataError, match="damaged"):
        from_json(signed(content | wrong))
    with pytest.raises(DataError, match="damaged"):
        from_json(old(verdict, **wrong))


@pytest.mark.parametrize("y", [[0, 0, 0, 1], [0, 1, 1, 0]])
@pytest.mark.parametrize("bias", [True, False])
def test_found_06_certificates_of_the_first_format_still_hold(y, bias):
    verdict = prove(CORNERS[1:], y[1:], bias=bias)
    again = from_json(old(verdict))
    assert again.check(CORNERS[1:], y[1:])
    assert again == verdict
    assert again.found_by == ""


# 26: one best margin


def told_by_the_lab(X, y, bias=True):
    body = {"points": X, "labels": y, "settings": {"bias": bias}}
    return CALLS["proof"](Session("test"), body)


@pytest.mark.parametrize(
    ("X", "y", "square", "support"),
    [
        (*FIVE, Fraction(1, 245), (1, 2, 4)),
        (CORNERS, [0, 0, 0, 1], Fraction(1, 17), (1, 2, 3)),
        (CORNERS, [0, 1, 1, 1], Fraction(1, 9), (0, 1, 2)),
    ],
)
def test_found_26_the_best_margin_is_that_of_the_notes_and_the_same_everywhere(X, y, square, support):
    verdict = prove(X, y)
    low, high = verdict.best_margin
    assert Fraction(low) ** 2 <= square <= Fraction(high) ** 2
    assert high - low <= 1e-6 * high
    assert verdict.support == support
    named = sorted(set(y))
    found = told_by_the_lab(X, [named.index(label) for label in y])
    assert (found["margin"], found["high"]) == (low, high)
    assert found["support"] == list(support)


def test_found_26_prove_says_the_best_margin_and_its_rows(tmp_path):
    said = proved(tmp_path, "and").output
    assert "these weights have a margin of 0.1857 and the best margin is 0.2425, held by rows 2, 3, 4" in said
    assert "makes at most 51 mistakes" in said


def widest_by_svc(X, y):
    """The best margin of the homogeneous form: signed rows against their opposites, whose boundary has no bias."""
    z = np.column_stack([np.ones(len(X)), X]) * np.where(y == y.max(), 1, -1)[:, None]
    machine = SVC(kernel="linear", C=1e10, tol=1e-10).fit(np.concatenate([z, -z]), np.repeat([1, 0], len(z)))
    return 1 / np.linalg.norm(machine.coef_)


@pytest.mark.parametrize("pair", [(0, 1), (0, 2)])
def test_found_26_the_best_margin_of_iris_is_that_of_a_support_vector_machine(pair):
    X, y = load_iris(return_X_y=True)
    X, y = X[np.isin(y, pair)], y[np.isin(y, pair)]
    verdict = prove(X, y)
    low, high = verdict.best_margin
    assert high - low <= 1e-6 * high
    assert low == pytest.approx(widest_by_svc(X, y), rel=1e-4)
    leads = np.column_stack([np.ones(len(X)), X]) @ verdict.best.weights * np.where(y == y.max(), 1, -1)
    assert set(verdict.support) <= set(np.flatnonzero(leads <= leads.min() * (1 + 1e-6)).tolist())


@pytest.mark.parametrize("load", [load_wine, load_breast_cancer])
def test_found_26_the_bounds_meet_on_thin_margins_and_more_classes(load):
    X, y = load(return_X_y=True)
    verdict = prove(X, y)
    low, high = verdict.best_margin
    assert verdict.margin <= low <= high <= low * (1 + 1e-6)
    assert verdict.best.check(X, y)
    few = sorted(verdict.support)
    assert prove(X[few], y[few]).best_margin[1] == pytest.approx(high, rel=1e-6), "these rows alone hold it"


def test_found_26_the_bounds_hold_on_drawn_data():
    """Whoever else proposes weights, they lie below the upper bound; and no bound is crossed by rescaling the rows."""
    done = 0
    for seed in range(60):
        dice = np.random.default_rng(seed)
        k = 2 + seed % 2
        X = dice.integers(-6, 7, (9, 1 + seed % 4)).astype(float) + (1e5 if seed % 5 == 0 else 0)
        y = np.concatenate([np.arange(k), dice.integers(0, k, 9 - k)])
        verdict = prove(X, y, bias=bool(seed % 3))
        if isinstance(verdict, Separable):
            low, high = verdict.best_margin
            assert 0 < low <= high <= low * (1 + 1e-6)
            doubled = prove(2 * X, y, bias=False) if seed % 3 == 0 else None
            assert doubled is None or math.isclose(doubled.best_margin[0], 2 * low, rel_tol=1e-6)
            done += 1
    assert done > 10


def test_found_26_a_fitted_perceptron_has_it_too_and_a_certificate_says_why_not():
    model = Perceptron(weights="final", shuffle=False, tol=None).fit(CORNERS, [0, 0, 0, 1])
    verdict = model.verdict(CORNERS, [0, 0, 0, 1])
    assert verdict.best_margin[0] == pytest.approx(1 / math.sqrt(17))
    with pytest.raises(DataError, match="does not hold the rows"):
        _ = from_json(verdict.to_json()).best_margin


def test_found_26_the_best_margin_is_looked_for_once_and_when_it_is_asked_for(monkeypatch):
    asked = []
    real = importlib.import_module("rosenblatt.proofs.widest").find_widest
    monkeypatch.setattr("rosenblatt.proofs.widest.find_widest", lambda *given: asked.append(1) or real(*given))
    verdict = prove(*FIVE)
    verdict.check(*FIVE)
    assert not asked
    assert verdict.best_margin == verdict.best_margin
    assert verdict.support == (1, 2, 4)
    assert len(asked) == 1
