"""Plots show the numbers of the model, on the axes they are given."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest

from rosenblatt import Perceptron
from rosenblatt.data import read
from rosenblatt.errors import SettingError
from rosenblatt.features import Wishes
from rosenblatt.report.plots import plot_boundary, plot_passes, plot_weights
from sample_models import bayes_model, linear_model, table_of


@pytest.fixture(autouse=True)
def pyplot():
    mpl.use("agg")
    import matplotlib.pyplot as plt

    yield plt
    plt.close("all")


def test_the_boundary_of_the_notes_points_has_a_mark_for_every_point(pyplot):
    table = read("notes")
    model, _ = linear_model(table)
    own = pyplot.subplots()[1]
    ax = plot_boundary(model, table, ax=own)
    assert ax is own
    wrong = int(np.sum(model.codes(table) != model.classes.encode(table)))
    marks = [len(points.get_offsets()) for points in ax.collections if len(points.get_offsets())]
    assert sum(marks) >= table.n_rows + wrong
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x1", "x2")
    assert [entry.get_text() for entry in ax.get_legend().get_texts()] == list(model.classes.names)


def test_a_boundary_of_more_than_two_columns_is_refused():
    with pytest.raises(SettingError, match="a plane shows two columns of numbers"):
        plot_boundary(linear_model(read("iris"))[0], read("iris"))


def test_bars_are_the_heaviest_features():
    model, _ = linear_model(read("breast-cancer"))
    ax = plot_weights(model, count=5)
    heaviest = model.heaviest(5)["malignant"]
    assert [bar.get_width() for bar in ax.patches][::-1] == [weight for _, weight in heaviest]
    assert [label.get_text() for label in ax.get_yticklabels()][::-1] == [name for name, _ in heaviest]


def test_images_are_the_weights_of_the_pixels():
    model, _ = linear_model(read("digits"))
    every = plot_weights(model, shape=(8, 8))
    assert len(every) == 10
    for k, ax in enumerate(every):
        assert np.array_equal(ax.images[0].get_array(), model.learner.weights[k, :-1].reshape(8, 8))
    assert plot_weights(model, "3").get_title() == "3"


def test_wrong_shapes_and_names_are_refused(pyplot):
    model, _ = linear_model(read("digits"))
    with pytest.raises(SettingError, match="does not fit the 64 features"):
        plot_weights(model, shape=(7, 9))
    with pytest.raises(SettingError, match="no class named 'three'"):
        plot_weights(model, "three")
    with pytest.raises(SettingError, match="one axes cannot show 10 classes"):
        plot_weights(model, ax=pyplot.subplots()[1])
    words = table_of({"text": ["one two three four", "five six seven eight"] * 3, "label": ["x", "y"] * 3})
    with pytest.raises(SettingError, match="naive Bayes has no weight for each pixel"):
        plot_weights(bayes_model(words, Wishes(text=["text"])), shape=(2, 4))


def test_names_with_formulas_are_drawn_as_they_are(pyplot):
    make = np.random.default_rng(0)
    columns = {"$x^{": make.normal(size=20).tolist(), "_y$\x07": make.normal(size=20).tolist()}
    table = table_of({**columns, "label": ["_a$", "b$"] * 10})
    ax = plot_boundary(linear_model(table)[0], table)
    ax.figure.canvas.draw()  # a broken formula would be an error here
    assert len(ax.get_legend().get_texts()) == 2


def test_passes_are_the_mistakes_of_a_run():
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 0, 1])
    model = Perceptron(weights="final", tol=None).fit(X, y)
    line = plot_passes(model).lines[0]
    assert line.get_ydata().sum() == model.n_mistakes_
    assert len(line.get_xdata()) == model.n_iter_
    assert len(plot_passes([(5, 3), (2, 0)]).lines) == 2
    with pytest.raises(SettingError, match="no passes to show"):
        plot_passes([])
