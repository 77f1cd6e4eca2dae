"""Replay and audit of fitted models, and the forms in which the trace command writes."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from click.testing import CliRunner

from rosenblatt import Perceptron, trace
from rosenblatt.cli import commands
from rosenblatt.traces.replay import Replay, made_by, verify

RNG = np.random.default_rng(5)
X = RNG.integers(-5, 6, (60, 4)).astype(float)
Y = np.array(["ham", "list", "spam"])[RNG.integers(0, 3, 60)]
WEIGHTS = RNG.integers(0, 3, 60).astype(float)


def fitted(X=X, y=Y, sample_weight=None, **choice) -> Perceptron:
    model = Perceptron(record=True, random_state=3, max_iter=7, tol=None, **choice)
    return model.fit(X, y, sample_weight=sample_weight)


@pytest.mark.parametrize("choice", [{}, {"weights": "final", "fit_intercept": False}, {"early_stopping": True}])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix, lambda rows: rows.astype(np.float32)])
@pytest.mark.parametrize("y", [Y, Y == "ham"], ids=["3 classes", "2 classes"])
def test_a_fitted_model_verifies_on_its_rows_and_replays_to_its_final_weights(choice, form, y):
    model = fitted(form(X), y, **choice)
    verify(model, form(X), y)
    replay = Replay(model, form(X), y)
    assert np.array_equal(replay.weights_after(model.run_.steps), model.run_.weights_of("final"))


@pytest.mark.parametrize("class_weight", [None, "balanced", {"ham": 2.0, "spam": 0.5}])
def test_weights_of_rows_and_classes_are_part_of_the_audit(class_weight):
    model = fitted(sample_weight=WEIGHTS, class_weight=class_weight)
    verify(model, X, Y, WEIGHTS)
    with pytest.raises(ValueError, match="not the rows that the run visited"):
        verify(model, X, Y)


def test_a_model_with_a_changed_list_other_rows_or_other_weights_is_found_out():
    model = fitted()
    with pytest.raises(ValueError, match="not the rows that the run visited"):
        verify(model, X + 1, Y)
    with pytest.raises(ValueError, match=r"labels that were not learned: \['eggs'\]"):
        verify(model, X, np.where(Y == "ham", "eggs", Y))
    with pytest.raises(ValueError, match="X has 60 rows and y 5 labels"):
        verify(model, X, Y[:5])
    with pytest.raises(ValueError, match="Call fit first"):
        verify(Perceptron(), X, Y)
    recording = model.run_.recording
    rivals = recording.rivals.copy()
    rivals[-2] = (rivals[-2] + 1) % 3
    model.run_ = replace(model.run_, recorded=[recording._replace(rivals=rivals)])
    with pytest.raises(ValueError, match=r"step \d+: class \w+ was ahead on row \d+, the list says \w+"):
        verify(model, X, Y)


@pytest.mark.parametrize("variant", ["final", "averaged"])
@pytest.mark.parametrize("y", [Y, Y == "ham"], ids=["3 classes", "2 classes"])
def test_the_rows_that_made_a_decision_sum_to_its_score(variant, y):
    model = fitted(y=y, weights=variant)
    replay = Replay(model, X, y)
    row = [2.0, -1, 0, 3]
    scores = np.ravel(model.decision_function([row]))
    for score, label in zip(scores, model.classes_[-len(scores) :], strict=True):
        shares, start = made_by(replay, row, label)
        total = start + sum(share.part for share in shares)
        assert total == (score if variant == "final" else pytest.approx(score, rel=1e-12, abs=1e-12))
    with pytest.raises(ValueError, match="label must be one of the classes"):
        made_by(replay, row, "eggs")
    with pytest.raises(ValueError, match="the row must have 4 features"):
        made_by(replay, row[:2], label)
    with pytest.raises(ValueError, match="no sum over the mistakes"):
        made_by(replay, row, label, "voted")


def test_arrow_and_pandas_hold_the_same():
    run = trace(X, Y, passes=2)
    assert run.to_arrow().to_pandas().equals(run.to_frame())


def invoke(*arguments):
    return CliRunner().invoke(commands, ["trace", *map(str, arguments)])


@pytest.mark.parametrize("form", ["text", "markdown", "csv", "json"])
def test_the_file_holds_what_would_be_printed(form, tmp_path):
    out = tmp_path / "run"
    done = invoke("iris", "--to", form, "--out", out)
    assert done.output == f"wrote {out}: 1 pass, 3 mistakes\n"
    assert out.read_text(encoding="utf8") == invoke("iris", "--to", form).output
    if form == "json":
        assert json.loads(out.read_text(encoding="utf8"))["classes"] == ["setosa", "versicolor", "virginica"]


def test_the_player_is_written_whole_or_not_at_all(tmp_path):
    out = tmp_path / "run.html"
    assert invoke("notes", "--passes", 300, "--to", "html", "--out", out).exit_code == 0
    assert out.read_text(encoding="utf8").endswith("</html>\n")
    missing = invoke("notes", "--to", "html", "--out", tmp_path / "no" / "run.html")
    assert "there is no folder" in str(missing.exception)
    assert [path.name for path in tmp_path.iterdir()] == ["run.html"]
    assert invoke("notes", "--to", "html").exit_code == 2


def test_a_table_of_many_features_says_what_it_shows():
    printed = invoke("digits", "--last", 1).output.splitlines()
    assert printed[-3] == (
        "each line shows the weights of at most 2 of 10 classes (the true one, the one punished) and 12 of 65 numbers "
        "of each vector; --to csv has all"
    )
    assert invoke("breast-cancer", "--last", 1).output.splitlines()[-3].startswith("each line shows 12 of 31 numbers")


def test_start_weights_of_several_classes_are_separated_by_semicolons():
    shown = invoke("iris", "--start", "1,0,0,0,0;0,1,0,0,0;0,0,0,0,-1", "--to", "markdown").output.splitlines()
    assert "[1, 0, 0, 0, 0]; [0, 1, 0, 0, 0]; [0, 0, 0, 0, -1]" in shown[2]
    assert "write numbers with commas between" in str(invoke("notes", "--start", "1;x").exception)
    assert "start must hold 3 finite numbers" in str(invoke("notes", "--start", "1,2").exception)
