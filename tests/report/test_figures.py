"""Figures of the notes with any data: what they say and where their marks are, read from the SVG."""

from __future__ import annotations

import math
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from rosenblatt import Perceptron, draw, trace
from rosenblatt.cli import commands

POINTS, LABELS = [[1, 1], [3, 2], [2, 4], [3, 4], [2, 3]], [-1, 1, 1, 1, -1]
SVG = "{http://www.w3.org/2000/svg}"


def parts(picture):
    tree = ElementTree.fromstring(picture)
    return tree, [text.text for text in tree.iter(f"{SVG}text")]


def test_the_three_panels_tell_score_and_angle_before_and_after():
    tree, texts = parts(draw(trace(POINTS, LABELS, start=[-1, 0, 0]), "update"))
    assert [text for text in texts if text in ("old w", "w + f(x)", "new w")] == ["old w", "w + f(x)", "new w"]
    assert {"score -1, angle 105.5°", "f(x) = [1, 3, 2]", "score 13, angle 15.5°"} <= set(texts)
    assert tree.find(f"{SVG}title").text.startswith("Step 2, an update on row 2 (1).")
    _, other = parts(draw(trace([[4, 0, 1]], [-1], start=[2, 2, 2], bias=False), "update"))
    assert {"w − f(x)", "score 10, angle 45.6°", "score -7, angle 124.5°"} <= set(other)


def test_angles_are_true_in_the_plane_of_w_and_the_row():
    run = trace(POINTS, LABELS, start=[-1, 0, 0])
    tree, _ = parts(draw(run, "update", step=5))
    arrows = [line for line in tree.iter(f"{SVG}line") if line.get("class") == "arrow"]
    row, old = (
        math.atan2(float(line.get("y2")) - float(line.get("y1")), float(line.get("x2")) - float(line.get("x1")))
        for line in arrows[:2]
    )
    assert abs(math.degrees(row - old)) == pytest.approx(run[4].angles()[0], abs=0.2)


def test_the_angle_is_told_with_the_product():
    _, texts = parts(draw(trace(POINTS, LABELS, start=[-1, 0, 0]), "angle", step=2))
    assert "|w| |f(x)| cos θ = 1 · 3.742 · cos 105.5° = -1" in texts


def test_a_threshold_on_a_line_is_where_the_estimator_has_it():
    X, y = [[1], [2], [4], [5]], [-1, -1, 1, 1]
    model = Perceptron(weights="final", shuffle=False, tol=None).fit(X, y)
    tree, texts = parts(draw(trace(X, y, passes=50), "line"))
    assert "3" in texts
    assert float(-model.intercept_[0] / model.coef_[0, 0]) == 3
    assert "predicted -1 from 0.4 to 3, 1 from 3 to 5.6" in tree.find(f"{SVG}title").text
    three = draw(trace([[1], [2], [4], [5], [8], [9]], [0, 0, 1, 1, 2, 2], passes=500), "line")
    assert parts(three)[0].find(f"{SVG}title").text.count(" from ") == 3  # no place where the class stays the same


def test_the_surface_is_lifted_by_the_bias():
    run = trace(POINTS, LABELS, passes=300)
    tree, texts = parts(draw(run, "surface"))
    assert {"without bias", "12·x0 + 2·x1", "with bias -31", "-31 + 12·x0 + 2·x1"} <= set(texts)
    assert len([line for line in tree.iter(f"{SVG}path") if line.get("class") == "line new"]) == 1
    _, alone = parts(draw(trace(POINTS, LABELS, bias=False), "surface"))
    assert "without bias" in alone
    assert not any(text.startswith("with bias") for text in alone)


def test_the_net_has_4n_plus_2_entries_for_n_binary_features():
    rows = [[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]]
    tree, texts = parts(draw(trace(rows, [0, 1, 1, 0]), "net"))
    assert tree.find(f"{SVG}title").text == (
        "Naive Bayes with 2 classes and 3 features: 14 entries in all; the joint table would have 16"
    )
    assert texts.count("2 × 2 = 4") == 3
    _, apples = parts(draw(trace([[0, 0], [0, 1], [1, 2]], [0, 1, 1]), "net"))
    assert {"2 × 2 = 4", "2 × 3 = 6"} <= set(apples)  # as many values as the rows have


def test_names_in_the_data_cannot_become_markup():
    picture = draw(trace([[1], [2]], ["<b>", "</svg>"], names=["<script>"], passes=9), "line")
    assert "<script>" not in picture
    ElementTree.fromstring(picture)


def test_the_command_writes_the_figure(tmp_path):
    file = tmp_path / "update.svg"
    done = CliRunner().invoke(commands, ["trace", "notes", "--figure", str(file)])
    assert (done.exit_code, done.output) == (0, f"wrote {file}\n")
    assert file.read_text(encoding="utf8") == draw(trace(POINTS, LABELS, start=[-1, 0, 0]), "update")
    done = CliRunner().invoke(commands, ["trace", "notes", "--figure", str(file), "--draw", "line"])
    assert str(done.exception) == (
        "a line shows 1 feature; these rows have 2. Give rows of that many, or draw something else."
    )


def test_a_recorded_model_has_no_figures():
    from rosenblatt import train
    from rosenblatt.traces.updates import trace_updates

    model = train("notes", model="perceptron", weights="final", record=True)
    with pytest.raises(ValueError, match="a model keeps only the rows it was updated on"):
        draw(trace_updates(model), "update")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: draw(trace(POINTS, LABELS, start=[-1, 0, 0]), "update", step=3), "step 3 changes nothing.* of step 2"),
        (lambda: draw(trace([[1]], [1], start=[0, 1]), "update"), "makes no update"),
        (lambda: draw(trace(POINTS, LABELS), "line"), "a line shows 1 feature; these rows have 2"),
        (lambda: draw(trace([[1, 2], [2, 1], [0, 0]], [0, 1, 2]), "surface"), "the score of two classes; got 3"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_line(call, message):
    with pytest.raises(ValueError, match=message):
        call()
