"""What cannot be asked of probabilities, costs, comparisons, reviews and forgetting: one line each, nothing written."""

from __future__ import annotations

from pathlib import Path

import pytest

from rosenblatt import cli, save, train

MADE = {
    "bc": ("breast-cancer", {"model": "perceptron", "passes": 2, "margin": 1.0}),
    "iris": ("iris", {"model": "perceptron", "passes": 2, "margin": 1.0}),
    "nb": ("mail", {"model": "naive-bayes", "k": 1.0, "counting": "presence"}),
}
FILES = {
    "unlabelled.csv": "a,b\n1,2\n3,4\n",
    "empty_labels.csv": "a,b,label\n1,2,\n3,4,\n",
    "stranger.csv": "text,subject,sender,label\nhello there,x,y,ham\n",
    "few.csv": "a,label\n" + "".join(f"{i},x\n{i + 9},y\n" for i in range(30)) + "1,z\n2,z\n3,z\n",
    "one.csv": "a,label\n" + "".join(f"{i},x\n{i + 9},y\n" for i in range(30)) + "1,z\n",
    "held.toml": "[split]\ncalibration = 0.1\n",
    "below.toml": '[goal]\npositive = "malignant"\ncost_false_negative = -2\n',
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("bad")
    for name, (data, settings) in MADE.items():
        save(train(data, **settings), made / f"{name}.rosenblatt")
    for name, text in FILES.items():
        (made / name).write_text(text)
    return made


def said(capfd, folder, monkeypatch, words):
    monkeypatch.chdir(folder)
    with pytest.raises(SystemExit) as end:
        cli.main(words.split())
    return end.value.code or 0, capfd.readouterr().err


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("train one.csv --config held.toml", "one.csv: calibration 0.1 leaves no row of class 'z' to calibrate by"),
        ("train iris --choose-by auc", "choose_by auc is for two classes; these are 3. Choose by one of accuracy,"),
        ("train breast-cancer --positive benign --cost-false-positive -1", "cost_false_positive must be 0 or more"),
        ("train breast-cancer --config below.toml", "goal.cost_false_negative must be a number from 0 to inf; got -2."),
        ("predict bc.rosenblatt breast-cancer --sets 100%", "coverage must be a share from 50% to 99.9%; got 1.0."),
        ("evaluate bc.rosenblatt iris.rosenblatt iris", "the models tell different classes apart: only the first"),
        ("review unlabelled.csv", "unlabelled.csv: no column is named label, class or target. Columns are: a, b."),
        ("review empty_labels.csv", "empty_labels.csv, row 1: no value for the label 'label' (2 rows lack it)."),
        ("update nb.rosenblatt --forget stranger.csv --out f.rosenblatt", "row 1: the model was never trained on this"),
        ("update bc.rosenblatt --forget stranger.csv --out f.rosenblatt", "only naive Bayes can forget rows"),
    ],
)  # fmt: skip
def test_it_is_refused_in_one_line(capfd, folder, monkeypatch, words, line):
    before = sorted(Path(folder).iterdir())
    code, err = said(capfd, folder, monkeypatch, words + (" --quiet" if words.startswith("train") else ""))
    assert code == 1
    assert err.count("\n") == 1
    assert line in err
    assert sorted(Path(folder).iterdir()) == before


def test_of_a_class_with_three_rows_sets_say_that_they_cannot_tell(capfd, folder, monkeypatch):
    assert said(capfd, folder, monkeypatch, "train few.csv --quiet --model perceptron --passes 1")[0] == 0
    code, err = said(capfd, folder, monkeypatch, "predict few.rosenblatt few.csv --sets 95% --out few_sets.csv")
    assert code == 0
    assert "note: class 'z' is in every set: 2 calibration rows are too few to tell by" in err
