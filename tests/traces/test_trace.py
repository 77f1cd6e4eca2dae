"""The table of the notes for any data, and runs that can be replayed and audited."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from notes_table import NOTES
from rosenblatt import Perceptron
from rosenblatt.cli import commands
from rosenblatt.learn.problem import make_problem
from rosenblatt.learn.run import learn
from rosenblatt.learn.settings import Settings
from rosenblatt.loops.rows import dense_rows
from rosenblatt.reference import perceptron as reference
from rosenblatt.traces import Trace, trace
from rosenblatt.traces.replay import Replay, made_by, verify

POINTS, LABELS = [[1, 1], [3, 2], [2, 4], [3, 4], [2, 3]], [-1, 1, 1, 1, -1]


def test_the_table_of_the_notes_character_for_character():
    assert trace(POINTS, LABELS, start=[-1, 0, 0]).to_markdown() == NOTES


@pytest.mark.parametrize(
    ("ties", "passes", "mistakes", "weights"),
    [("mistake", 232, 446, [-31, 12, 2]), ("positive", 176, 339, [-24, 10, 1]), ("negative", 173, 332, [-23, 10, 1])],
)
def test_it_runs_on_to_a_clean_pass(ties, passes, mistakes, weights):
    run = trace(POINTS, LABELS, start=[-1, 0, 0], passes=300, ties=ties)
    assert (run.n_passes, run.n_mistakes, run.weights.tolist()) == (passes, mistakes, weights)


def test_an_update_turns_the_weights_towards_the_row_and_moves_its_score_by_its_length():
    step = trace(POINTS, LABELS, start=[-1, 0, 0])[1]
    before, after = step.angles()
    assert before > 90 > after
    assert step.after @ step.features - step.scores[0] == step.features @ step.features == step.moved
    assert [step.moved for step in trace(POINTS, LABELS, start=[-1, 0, 0])] == [0, 14, 0, 0, -14]
    assert trace(POINTS, LABELS)[0].angles()[0] is None  # at weights 0 there is no angle


@given(
    st.integers(2, 4),
    st.sampled_from(["mistake", "positive", "negative"]),
    st.integers(1, 4),
    st.booleans(),
    st.integers(0, 10**6),
)
def test_steps_equal_the_reference(n_classes, ties, passes, bias, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-4, 5, (7, 2))
    y = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, 7 - n_classes)])
    run = trace(X, y, ties=ties, passes=passes, bias=bias)
    rows = [[*([1] if bias else []), *map(int, x)] for x in X]
    width = len(rows[0])
    weights = [0] * width if n_classes == 2 else [[0] * width for _ in range(n_classes)]
    expected = []
    for _ in range(run.n_passes):
        one = reference.binary_pass if n_classes == 2 else reference.multiclass_pass
        truth = [2 * int(c) - 1 for c in y] if n_classes == 2 else list(map(int, y))
        expected += one(rows, truth, weights, ties=ties)
        weights = expected[-1][1]
    assert [step.after.tolist() for step in run] == [np.array(w, float).tolist() for _, w in expected]
    if n_classes == 2:
        assert [not step.correct for step in run] == [mistake for mistake, _ in expected]
    else:
        assert [step.rival for step in run] == [rival for rival, _ in expected]
    assert len(run) == run.n_passes * len(X)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("rate", [1.0, 0.3])
@pytest.mark.parametrize("start", [None, 0.7])
def test_margin_rate_and_order_give_the_bits_of_the_estimator(n_classes, rate, start):
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(40, 3)).round(1), rng.integers(0, n_classes, 40)  # tenths: sums depend on their order
    shape = (4,) if n_classes == 2 else (n_classes, 4)
    run = trace(X, y, passes=6, margin=0.5, rate=rate, seed=11, start=None if start is None else np.full(shape, start))
    model = Perceptron(weights="final", margin=0.5, eta0=rate, random_state=11, max_iter=6, tol=None, record=True)
    first = {} if start is None else {"coef_init": np.full((len(X[0]),), start), "intercept_init": start}
    if start is not None and n_classes > 2:
        first = {"coef_init": np.full((n_classes, 3), start), "intercept_init": np.full(n_classes, start)}
    model.fit(X, y, **first)
    found = run.weights if n_classes > 2 else run.weights[np.newaxis]
    assert np.array_equal(found[:, 1:], model.coef_)
    assert np.array_equal(found[:, 0], model.intercept_)
    assert [s.row for s in run if not s.correct] == model.mistakes_["row"].tolist()
    again = Trace.from_json(run.to_json())
    assert again.to_json() == run.to_json()


def test_a_trace_goes_on_after_a_cycle():
    run = trace([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0], passes=50)
    assert (run.n_passes, len(run)) == (50, 200)
    assert run.n_mistakes == trace([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0], passes=49).n_mistakes + 4


def test_csv_json_and_frame_tell_the_same():
    run = trace(POINTS, LABELS, start=[-1, 0, 0])
    rows = list(csv.DictReader(io.StringIO(run.to_csv())))
    frame = run.to_frame()
    plain = json.loads(run.to_json())
    assert [float(row["score"]) for row in rows] == frame["score"].tolist() == [-1, -1, 14, 17, 12]
    assert [step["scores"][0] for step in plain["steps"]] == [-1, -1, 14, 17, 12]
    assert plain["version"] == 1
    assert plain["features"] == ["bias", "x0", "x1"]
    assert [step["after"] for step in plain["steps"]][-1] == [-1, 1, -1]


BAD = {
    "start": (lambda: trace(POINTS, LABELS, start=[0, 0]), "start must hold 3 finite numbers, the bias first; got 2"),
    "start NaN": (lambda: trace(POINTS, LABELS, start=[float("nan"), 0, 0]), "the bias first; got nan among them"),
    "rate": (lambda: trace(POINTS, LABELS, rate=0), "^rate must be above 0; got 0"),
    "no label": (lambda: trace(POINTS, [*LABELS[:4], None]), "y has no label in row 4: it contains None"),
    "labels": (lambda: trace(POINTS, LABELS[:3]), "X has 5 rows and y 3 labels"),
    "one class": (lambda: trace(POINTS, ["a"] * 5), "all 5 rows have the label 'a'. .* name all classes with classes="),
    "one class, 0": (lambda: trace(POINTS, [0] * 5), "all 5 rows have the label 0"),
    "unnamed": (lambda: trace([[1]], [3], classes=[1, 2]), "labels that were not named: .3.. Known are .1, 2."),
    "ties": (lambda: trace(POINTS, LABELS, ties="both"), "ties must be one of"),
    "passes": (lambda: trace(POINTS, LABELS, passes=0), "passes must be a whole number"),
    "seed": (lambda: trace(POINTS, LABELS, seed=2**64), f"seed must be a whole number from 0 to {2**64 - 1}; got"),
    "seed below 0": (lambda: trace(POINTS, LABELS, seed=-1), "seed must be a whole number from 0 to"),
    "too long": (lambda: trace(POINTS, LABELS, passes=10**6), "at most 1000000 are traced"),
    "words": (lambda: trace([["a"], ["b"]], [0, 1]), "which is no number"),
    "NaN": (lambda: trace([[1.0], [float("nan")]], [0, 1]), "NaN in row 1, column 0"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_clear_line(case):
    call, message = BAD[case]
    with pytest.raises(ValueError, match=message):
        call()


def recorded(n_classes=3, seed=0, **choice):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(-5, 6, (40, 3)).astype(float), rng.integers(0, n_classes, 40)
    problem = make_problem(dense_rows(X), y, n_classes)
    chosen = {"weights": "averaged", "max_iter": 6, "tol": None, "record": True, "seed": 4, **choice}
    return X, y, problem, learn(problem, Settings(**chosen))


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("choice", [{}, {"eta0": 0.5}, {"margin": 3.0}, {"shuffle": False, "ties": "positive"}])
def test_replay_gives_the_weights_at_every_step(n_classes, choice, monkeypatch):
    monkeypatch.setattr("rosenblatt.traces.replay.CHECKPOINT", 7)
    X, y, problem, run = recorded(n_classes, **choice)
    replay = Replay(run, problem)
    f = np.hstack([X, np.ones((len(X), 1))])
    weights = np.zeros_like(run.weights)
    updates = {int(s): (int(r), int(k)) for s, r, k in zip(replay.steps, replay.rows, replay.rivals, strict=True)}
    for step in range(1, run.steps + 1):
        if step - 1 in updates:
            row, rival = updates[step - 1]
            if n_classes == 2:
                weights = weights + (1 if y[row] else -1) * f[row]
            else:
                weights = weights.copy()
                weights[y[row]] += f[row]
                weights[rival] -= f[row]
        assert np.array_equal(replay.weights_after(step), weights * run.scale)
    assert np.array_equal(replay.weights_after(run.steps), run.weights_of("final"))
    verify(run, problem)


@settings(max_examples=60)
@given(st.sampled_from([2, 3]), st.sampled_from(["steps", "rows", "rivals"]), st.data())
def test_any_changed_entry_of_the_list_is_found(n_classes, field, data):
    _, _, problem, run = recorded(n_classes)
    listed = run.recording
    entry = data.draw(st.integers(0, len(listed.rows) - 1))
    most = {"steps": run.steps - 1, "rows": 39, "rivals": n_classes - 1}[field]
    changed = getattr(listed, field).copy()
    old = int(changed[entry])
    changed[entry] = data.draw(st.integers(0, most).filter(lambda value: value != old))
    tampered = replace(run, recorded=[listed._replace(**{field: changed})])
    with pytest.raises(ValueError, match=r"step \d+|do not give the weights"):
        verify(tampered, problem)


def test_a_missing_entry_and_other_rows_are_found():
    X, y, problem, run = recorded()
    short = run.recorded[2].part(slice(-1))
    with pytest.raises(ValueError, match=r"step \d+|do not give the weights"):
        verify(replace(run, recorded=[*run.recorded[:2], short, *run.recorded[3:]]), problem)
    other = make_problem(dense_rows(X + 1), y, 3)
    with pytest.raises(ValueError, match="not the rows that the run visited"):
        verify(run, other)
    with pytest.raises(ValueError, match="record=True"):
        verify(recorded(record=False)[3], problem)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("variant", ["final", "averaged"])
def test_shares_of_training_rows_sum_to_the_score(n_classes, variant):
    X, _, problem, run = recorded(n_classes)
    query = np.array([2.0, -3.0, 1.0, 1.0])
    for label in range(n_classes):
        shares, start = made_by(Replay(run, problem), query, label, variant)
        weights = run.weights_of(variant)
        score = float((weights if n_classes == 2 else weights[label]) @ query)
        total = start + sum(share.part for share in shares)
        assert total == pytest.approx(score, rel=1e-12, abs=1e-12)
        if variant == "final":
            assert total == score
        assert all(share.updates > 0 and 0 <= share.row < len(X) for share in shares)


def command(*arguments: str) -> str:
    done = CliRunner().invoke(commands, ["trace", *arguments])
    assert done.exit_code == 0, done.output
    return done.output


def test_the_command_prints_the_table_of_the_notes():
    assert command("notes", "--to", "markdown") == NOTES
    cells = [line.strip("| ").split(" | ") for line in NOTES.splitlines() if "---" not in line]
    lines = command().splitlines()
    assert [re.split(r" {2,}", line.strip()) for line in lines[: len(cells) - 1]] == cells[:-1]


def test_the_command_runs_on_to_the_clean_pass():
    shown = command("notes", "--passes", "300", "--ties", "positive", "--last", "1").splitlines()
    assert shown[-5].split(maxsplit=1)[1] == "[-24, 10, 1]"
    assert shown[-3] == "176 passes, 339 mistakes"
    assert shown[-2].startswith("Pass 176 changed nothing, but a row is right only by the rule for ties.")
    assert shown[-1] == "0/1 loss 0.6 → 0, perceptron loss 0.6 → 0 (--losses has each pass)"


def test_the_command_shows_that_xor_comes_back_to_zero():
    assert command("xor").splitlines()[-5].split(maxsplit=1)[1] == "[0, 0, 0]"


def test_the_command_reads_a_file_as_train_does(tmp_path):
    (tmp_path / "points.csv").write_text("1;1;-1\n3;2;1\n2;4;1\n3;4;1\n2;3;-1\n")
    how = ["--delimiter", ";", "--no-header", "--label", "c3", "--start", "-1,0,0"]
    assert command(str(tmp_path / "points.csv"), *how) == command("notes")


ENDS = {
    "limit": (LABELS, {}, "Stopped at the limit of 1 pass with 3 mistakes, 3 updates in the last pass."),
    "separated": (LABELS, {"passes": 300}, "Pass 230 got every row right: separated after 445 mistakes."),
    "clean pass": (
        LABELS,
        {"passes": 300, "ties": "positive"},
        "Pass 174 changed nothing, but a row is right only by the rule for ties. 338 mistakes so far.",
    ),
    "cycle": (
        [1, -1, -1, 1, 1],
        {"passes": 40},
        "After pass 18 and 59 mistakes: the weights are back where they were 3 passes ago. The updates in between "
        "cancel exactly (",
    ),
}


@pytest.mark.parametrize("kind", ENDS)
def test_a_trace_says_why_it_stopped(kind):
    labels, choice, words = ENDS[kind]
    run = trace(POINTS, labels, **choice)
    plain = json.loads(run.to_json())
    assert (run.stopped, plain["stopped"], plain["why"]) == (kind, kind, run.why())
    assert run.why().startswith(words)
    if kind == "cycle":
        signed = np.column_stack([np.ones(5), POINTS]) * np.array(labels)[:, None]
        cancelled = np.array(plain["cycle"]["updates"]) @ signed[plain["cycle"]["rows"]]
        assert cancelled.tolist() == [0, 0, 0]
    with pytest.raises(ValueError, match="the run ends otherwise than the trace says"):
        Trace.from_json(json.dumps(plain | {"stopped": "limit" if kind != "limit" else "separated"}))


def test_the_rows_that_cancel_are_named():
    corners = [[0, 0], [0, 1], [1, 0], [1, 1]]
    run = trace(corners, [0, 1, 1, 0], passes=9)
    assert run.cycle.rows.tolist() == [0, 1, 2, 3]
    assert "one pass ago. The updates in between cancel exactly (one on each of the rows 1, 2, 3, 4)" in run.why()
    assert "no boundary through the origin" in trace([[1], [1]], [0, 1], passes=9, bias=False).why()
