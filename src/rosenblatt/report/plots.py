"""Plots for notebooks and papers: functions that draw on matplotlib axes and return them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from rosenblatt.data.door import read_numbers, rows_of
from rosenblatt.data.door_labels import numbers_in, read_labels
from rosenblatt.data.table import Table, some
from rosenblatt.data.values import numbers_of
from rosenblatt.errors import SettingError
from rosenblatt.learn.problem import check_finite
from rosenblatt.model import Formula, Model
from rosenblatt.report.planes import as_table, span_of, two_columns

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's colours, which colour-blind eyes tell apart; classes differ by their marks too.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#f0e442")
MARKS = "osD^vP*X"
ACCENT, SOFT = "#6a3fb5", "#566271"
STEPS = 300  # points of the grid in each direction


class Plane(NamedTuple):
    """Rows of two columns of numbers, and what decides about every place between them."""

    columns: tuple[str, str]
    points: np.ndarray  # one line for each row
    label: str
    classes: list[str]
    truth: np.ndarray | None  # the number of each row's class, where it is known
    codes: Callable[[np.ndarray], np.ndarray]  # from points to the number of the class predicted there


def plot_boundary(model: Any, data: Any, labels: Any = None, *, ax: Axes | None = None) -> Axes:
    """The rows of a table of two columns of numbers, and which class the model predicts at every place between.

    model   what `train` returns, or a fitted Perceptron, KernelPerceptron or NaiveBayes
    data    a Table, or anything that `rosenblatt.data.read` takes; for an estimator, rows X as it was fitted with
    labels  the true class of each row, if the data does not hold it; rows that the model gets wrong have a ring
    """
    plane = _plane_of_model(model, data, labels) if isinstance(model, Model) else _plane_of(model, data, labels)
    ax = _axes(ax)
    across, up = (np.linspace(*span_of(values), STEPS) for values in plane.points.T)
    grid = np.meshgrid(across, up)
    codes = plane.codes(np.column_stack([side.ravel() for side in grid])).reshape(STEPS, STEPS)
    levels = np.arange(len(plane.classes) + 1) - 0.5
    colours = [_colour(k) for k in range(len(plane.classes))]
    ax.contourf(across, up, codes, levels=levels, colors=colours, alpha=0.14)
    if codes.min() < codes.max():
        ax.contour(across, up, codes, levels=levels[1:-1], colors=ACCENT, linewidths=1.5)
    if plane.truth is not None:
        _points(ax, plane, plane.truth)
        ax.legend(title=_label(plane.label), frameon=False, loc="best")
    else:
        ax.scatter(plane.points[:, 0], plane.points[:, 1], color=SOFT, s=24)
    ax.set_xlabel(_label(plane.columns[0]))
    ax.set_ylabel(_label(plane.columns[1]))
    return ax


def _plane_of_model(model: Model, data: Any, labels: Any) -> Plane:
    if isinstance(data, Table):
        if labels is not None:
            raise SettingError("plot_boundary: a Table has its labels with it. Leave labels out.")
    else:
        data = model.read(data, labels, labelled=False)
    columns = _two_columns(model)
    points = np.column_stack([numbers_of(data.columns[name], name, data.origin, "number") for name in columns])
    truth = None if data.labels is None else model.classes.encode(data)

    def codes(places: np.ndarray) -> np.ndarray:
        return model.codes(as_table(columns, places))

    return Plane(columns, points, data.label or "", list(model.classes.names), truth, codes)


def _plane_of(model: Any, X: Any, labels: Any) -> Plane:
    """The plane of a fitted estimator."""
    if not (hasattr(model, "predict") and hasattr(model, "classes_")):
        raise SettingError(
            f"plot_boundary takes what train returns, or a fitted Perceptron or NaiveBayes; got a "
            f"{type(model).__name__}. Call fit first."
        )
    given = read_numbers(X)
    if given.n_columns != 2 or model.n_features_in_ != 2:
        width = given.n_columns if given.n_columns != 2 else model.n_features_in_
        raise SettingError(f"plot_boundary: there are {width} columns; a plane shows two. Fit on two of them.")
    check_finite(rows_of(given, 0.0))
    names = getattr(model, "feature_names_in_", None)
    columns = tuple(map(str, given.names or ("x0", "x1") if names is None else names))
    points = np.asarray(given.sparse.toarray() if given.dense is None else given.dense, np.float64)
    truth = None if labels is None else numbers_in(model.classes_, read_labels(labels, given.n_rows).values)

    def codes(places: np.ndarray) -> np.ndarray:
        named = places if names is None else pa.table(dict(zip(columns, places.T, strict=True)))
        return np.searchsorted(model.classes_, model.predict(named))

    return Plane((columns[0], columns[1]), points, "", [str(c) for c in model.classes_], truth, codes)


def plot_weights(
    model: Model,
    name: str | None = None,
    *,
    count: int = 10,
    shape: tuple[int, int] | None = None,
    ax: Axes | None = None,
) -> Any:
    """The heaviest features of a class as bars; or with `shape`, height and width, all its weights as an image.

    name       the class; with two classes it may be left out, because one weight speaks for both
    Returns    the axes; without a name, and with more than two classes, an array of axes, one for each class
    """
    if not isinstance(model, Model):
        raise SettingError(
            f"plot_weights takes what train returns; got a {type(model).__name__}. See its coef_ or tables()."
        )
    formula = model.learner.of_features(model.plan, "plot_weights")
    names = model.classes.names
    if name is not None and name not in names:
        raise SettingError(f"plot_weights: no class named {name!r}. Classes are: {some(names)}.")
    if shape is not None:
        _check_shape(formula, shape)
    if name is None and len(names) > 2:
        if ax is not None:
            raise SettingError(f"plot_weights: one axes cannot show {len(names)} classes. Name one, or leave out ax.")
        many = _grid_of_axes(len(names), shape is not None)
        for one, each in zip(many, names, strict=True):
            _draw_weights(one, model, formula, each, count, shape)
        return many
    ax = _axes(ax)
    _draw_weights(ax, model, formula, name or names[1], count, shape)
    return ax


def plot_passes(run: Any, *, ax: Axes | None = None) -> Axes:
    """Mistakes of each pass, and its updates where a margin makes for more.

    run    a fitted Perceptron, its run_, the evidence of a training, or pairs (updates, mistakes)
    """
    pairs: Sequence[tuple[int, int]] = getattr(getattr(run, "run_", run), "per_pass", run)
    if not isinstance(pairs, Sequence) or not len(pairs):
        raise SettingError("plot_passes: there are no passes to show. Give a fitted Perceptron or its run_.")
    ax = _axes(ax)
    at = np.arange(1, len(pairs) + 1)
    updates, mistakes = np.array(pairs).T
    if (updates != mistakes).any():
        ax.plot(at, updates, color=SOFT, linestyle="--", label="updates")
    ax.plot(at, mistakes, color=ACCENT, marker="o" if len(pairs) <= 40 else None, markersize=4, label="mistakes")
    if (updates != mistakes).any():
        ax.legend(frameon=False)
    ax.set_xlabel("pass")
    ax.set_ylabel("mistakes")
    ax.set_ylim(bottom=0)
    ax.locator_params(axis="x", integer=True)
    return ax


def _axes(ax: Axes | None) -> Axes:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt  # half a second: only for those who plot

    return plt.subplots(layout="constrained")[1]


def _grid_of_axes(count: int, images: bool) -> np.ndarray:
    import matplotlib.pyplot as plt

    across = min(count, 5 if images else 3)
    down = -(-count // across)
    size = (2.0 * across, 2.2 * down) if images else (4.0 * across, 2.6 * down)
    found = plt.subplots(down, across, figsize=size, layout="constrained", squeeze=False)[1].ravel()
    for empty in found[count:]:
        empty.set_visible(False)
    return np.asarray(found[:count])


def _two_columns(model: Model) -> tuple[str, str]:
    used = two_columns(model)
    if used is None:
        shown = some([line.column for line in model.plan.lines if line.width])
        raise SettingError(
            f"plot_boundary: the model reads {shown}; a plane shows two columns of numbers. Train on two of them."
        )
    return used[0].column, used[1].column


def _points(ax: Axes, plane: Plane, truth: np.ndarray) -> None:
    for k, name in enumerate(plane.classes):
        here = plane.points[truth == k]
        ax.scatter(here[:, 0], here[:, 1], color=_colour(k), marker=MARKS[k % len(MARKS)], s=28, label=_label(name))
    wrong = plane.codes(plane.points) != truth
    if wrong.any():
        there = plane.points[wrong]
        ax.scatter(there[:, 0], there[:, 1], s=110, facecolors="none", edgecolors=ACCENT, linewidths=1.5)


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def _label(name: str | None) -> str:
    """A name as it is: matplotlib would read dollar signs as formulas, leave out what begins with _, and warn of
    characters that cannot be shown.
    """
    shown = "".join(c if c.isprintable() else "\ufffd" for c in name or "").replace("$", r"\$")
    return f" {shown}" if shown.startswith("_") else shown


def _check_shape(formula: Formula, shape: tuple[int, int]) -> None:
    if formula.logs:
        raise SettingError("plot_weights: naive Bayes has no weight for each pixel. Leave out shape.")
    if shape[0] * shape[1] != formula.weights.shape[1]:
        raise SettingError(
            f"plot_weights: shape {shape[0]} × {shape[1]} does not fit the {formula.weights.shape[1]} features of the "
            "model."
        )


def _draw_weights(
    ax: Axes, model: Model, formula: Formula, name: str, count: int, shape: tuple[int, int] | None
) -> None:
    ax.set_title(_label(name))
    if shape is None:
        found = model.heaviest(count)[name][::-1]
        values = [weight for _, weight in found]
        at = range(len(found))
        ax.barh(at, values, color=[COLOURS[0] if weight > 0 else COLOURS[1] for weight in values])
        ax.set_yticks(at, [_label(feature) for feature, _ in found])
        ax.axvline(0, color=SOFT, linewidth=0.8)
        ax.set_xlabel(formula.called)
        return
    weights, number = formula.weights, model.classes.names.index(name)
    line = weights[number] if len(weights) > 1 else weights[0] * (1 if number else -1)
    largest = float(np.abs(weights).max()) or 1.0
    from matplotlib.colors import LinearSegmentedColormap

    colours = LinearSegmentedColormap.from_list("weights", [COLOURS[1], "#ffffff", COLOURS[0]])
    ax.imshow(line.reshape(shape), cmap=colours, vmin=-largest, vmax=largest)
    ax.set_xticks([])
    ax.set_yticks([])
