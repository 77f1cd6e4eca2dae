"""A model as an ONNX graph: numbers in, scores and the class out.

The input X has one column for each number that the plan reads, in the plan's order, NaN where a value is missing.
With N the scaled numbers, M where they are missing, E which of the known values each column of few values has, and H
how near the numbers of a curve are to its knots:

    scores = (N · A + M · B + E · C + H · D) / length + constant

A, B, C and D hold the weights; length is 1, or that of the row where the plan asks for unit rows.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.data.values import NUMBER, normal
from rosenblatt.errors import SettingError
from rosenblatt.features.bent import Bent
from rosenblatt.features.category import Category, Ordered
from rosenblatt.features.lines import Line
from rosenblatt.features.moment import Moment
from rosenblatt.features.numeric import Numeric, Vector
from rosenblatt.model import Linear
from rosenblatt.store.export_sql import described

if TYPE_CHECKING:
    from rosenblatt.model import Decision, Model

OPSET = 17
IR_VERSION = 8  # what goes with the opset, so that older runtimes read the file too


@dataclass
class Inputs:
    """For each column of X how it is filled and scaled and what it weighs; for each known value what it weighs."""

    names: list[str] = field(default_factory=list)
    fill: list[float] = field(default_factory=list)
    centre: list[float] = field(default_factory=list)
    spread: list[float] = field(default_factory=list)
    a: list[np.ndarray] = field(default_factory=list)  # of the scaled number
    b: list[np.ndarray] = field(default_factory=list)  # of its being missing
    a_length: list[float] = field(default_factory=list)  # whether it counts in the length of the row
    b_length: list[float] = field(default_factory=list)
    place: list[int] = field(default_factory=list)  # for each known value: its column
    value: list[float] = field(default_factory=list)
    c: list[np.ndarray] = field(default_factory=list)
    c_length: list[float] = field(default_factory=list)  # what it adds to the squared length
    # For each curve its column, its knots, and the features at each of them.
    curves: list[tuple[int, np.ndarray, np.ndarray]] = field(default_factory=list)
    d: list[np.ndarray] = field(default_factory=list)  # for each feature of all curves

    def add(self, name: str, scaling: tuple[float, float, float], a: np.ndarray, b: np.ndarray | None) -> None:
        """One more column; b is None where there is no feature for its being missing."""
        self.names.append(name)
        for values, value in zip((self.fill, self.centre, self.spread), scaling, strict=True):
            values.append(value)
        self.a.append(a)
        self.b.append(np.zeros_like(a) if b is None else b)
        self.a_length.append(1.0)
        self.b_length.append(float(b is not None))


def to_onnx(model: Model) -> bytes:
    """The graph with the model's weights, as the bytes of an .onnx file."""
    onnx = _onnx()
    learner = model.learner.one_set("ONNX")
    if not isinstance(learner, Linear):
        raise SettingError(
            "ONNX can hold the weights of a perceptron; this model is naive Bayes. "
            "Use --to json, or train with --model perceptron."
        )
    weights = np.atleast_2d(learner.weights).astype(np.float64)
    inputs, start = Inputs(), 0
    for line in model.plan.lines:
        if line.width:
            _add_line(inputs, line, weights[:, start : start + line.width].T)
            start += line.width
    graph = Graph(onnx)
    _scores(graph, inputs, weights[:, -1], model.plan.unit == "rows", learner.weights.ndim == 1)
    _label(graph, model.decision, learner.weights.ndim == 1, model.classes.names)
    kinds = onnx.TensorProto
    width = [None] if learner.weights.ndim == 1 else [None, len(weights)]
    made = onnx.helper.make_graph(
        graph.nodes,
        "rosenblatt",
        [onnx.helper.make_tensor_value_info("X", kinds.DOUBLE, [None, len(inputs.names)])],
        [
            onnx.helper.make_tensor_value_info("scores", kinds.DOUBLE, width),
            onnx.helper.make_tensor_value_info("label", kinds.STRING, [None]),
        ],
        graph.constants,
    )
    file = onnx.helper.make_model(made, opset_imports=[onnx.helper.make_opsetid("", OPSET)], producer_name="rosenblatt")
    file.ir_version = IR_VERSION
    # JSON, because a name may hold any character that could separate names.
    onnx.helper.set_model_props(file, {"columns": _json(inputs.names), "classes": _json(model.classes.names)})
    onnx.checker.check_model(file)
    return bytes(file.SerializeToString())


def _onnx() -> Any:
    try:
        import onnx
        import onnx.checker
        import onnx.helper
        import onnx.numpy_helper
    except ImportError:
        raise SettingError(
            "ONNX needs the package onnx, which is not installed: pip install 'rosenblatt[onnx]'."
        ) from None
    return onnx


def _json(names: Any) -> str:
    import json

    return json.dumps(list(names), ensure_ascii=False)


def _add_line(inputs: Inputs, line: Line, weights: np.ndarray) -> None:
    """The columns of X that a line of the plan reads, with the weights of its features, one row of them each."""
    if isinstance(line, Numeric):
        gone = weights[1] if line.missing else None
        inputs.add(line.column, (line.mean, line.centre, line.spread), weights[0], gone)
    elif isinstance(line, Bent):
        features, gone = line.at_knots(), weights[-1] if line.missing else None
        inputs.add(line.column, (line.knots[0], 0.0, 1.0), np.zeros_like(weights[0]), gone)
        inputs.a_length[-1] = 0.0  # the number itself is no feature
        inputs.curves.append((len(inputs.names) - 1, np.array(line.knots), features))
        inputs.d += list(weights[: features.shape[1]])
    elif isinstance(line, Vector):
        centres, spreads = (
            (line.centres, line.spreads) if len(line.centres) else (np.zeros(line.width), np.ones(line.width))
        )
        for name, centre, spread, w in zip(line.feature_names, centres, spreads, weights, strict=True):
            # A vector has no missing numbers; should one come, the scores say so by being NaN.
            inputs.add(name, (np.nan, float(centre), float(spread)), w, None)
    elif isinstance(line, Category) and line.other:
        raise SettingError(
            f"ONNX can hold no feature that rare values of a column share, as those of {line.column!r} do. "
            "Use --to sql or json."
        )
    elif isinstance(line, Category | Ordered) and all(NUMBER.fullmatch(value) for value in line.values):
        steps = np.ones(len(line.values)) if isinstance(line, Category) else line.steps()
        worth = weights[: len(line.values)] if isinstance(line, Category) else steps[:, None] * weights[0]
        inputs.add(line.column, (0.0, 0.0, 1.0), np.zeros_like(weights[0]), weights[-1] if line.missing else None)
        inputs.a_length[-1] = 0.0  # the number itself is no feature, only which value it is
        for value, step, w in zip(line.values, steps.tolist(), worth, strict=True):
            if normal(repr(float(value))) != normal(value):
                raise SettingError(
                    f"ONNX holds numbers as doubles, and none of these is {value}, a value of {line.column!r}. "
                    "Use --to sql, or train without it."
                )
            inputs.place.append(len(inputs.names) - 1)
            inputs.value.append(float(value))
            inputs.c.append(w)
            inputs.c_length.append(step * step)
    else:
        raise SettingError(
            f"ONNX can hold columns of numbers; {line.column!r} is {described(line)}. "
            f"Use --to {'sql' if isinstance(line, Category | Ordered | Moment) else 'json'}, or train without it."
        )


class Graph:
    """Nodes and constants in the making."""

    def __init__(self, onnx: Any) -> None:
        self.onnx = onnx
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def constant(self, name: str, values: Any, kind: Any = np.float64) -> str:
        self.constants.append(self.onnx.numpy_helper.from_array(np.asarray(values, kind), name))
        return name

    def node(self, kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        self.nodes.append(self.onnx.helper.make_node(kind, inputs, [output], name=output, **attributes))
        return output


def _scores(graph: Graph, inputs: Inputs, constant: np.ndarray, unit: bool, flat: bool) -> None:
    double = graph.onnx.TensorProto.DOUBLE
    missing = graph.node("IsNaN", ["X"], "is_missing")
    filled = graph.node("Where", [missing, graph.constant("fill", inputs.fill), "X"], "filled")
    centred = graph.node("Sub", [filled, graph.constant("centre", inputs.centre)], "centred")
    scaled = graph.node("Div", [centred, graph.constant("spread", inputs.spread)], "scaled")
    gone = graph.node("Cast", [missing], "missing", to=double)
    parts = [(scaled, inputs.a, inputs.a_length, "numbers"), (gone, inputs.b, inputs.b_length, "absences")]
    if inputs.place:
        own = graph.node("Gather", ["X", graph.constant("place", inputs.place, np.int64)], "own", axis=1)
        same = graph.node("Equal", [own, graph.constant("value", inputs.value)], "same")
        parts.append((graph.node("Cast", [same], "known", to=double), inputs.c, inputs.c_length, "values"))
    if inputs.curves:
        near, features = _hats(graph, inputs, filled, gone), _joined([each for _, _, each in inputs.curves])
        values = graph.node("MatMul", [near, graph.constant("at_knots", features)], "curved")
        parts.append((values, inputs.d, [1.0] * len(inputs.d), "knots"))
    total = _sum(graph, [(values, np.array(weights), name) for values, weights, _, name in parts], "total")
    if unit:
        lengths = [
            (graph.node("Mul", [values, values], f"{name}_squared"), np.array(counted)[:, None], f"{name}_length")
            for values, _, counted, name in parts
        ]
        squared = _sum(graph, lengths, "squared")
        none = graph.node("Equal", [squared, graph.constant("zero", 0.0)], "is_zero")
        safe = graph.node("Where", [none, graph.constant("one", 1.0), squared], "squared_or_one")
        total = graph.node("Div", [total, graph.node("Sqrt", [safe], "length")], "unit_total")
    scores = graph.node("Add", [total, graph.constant("constant", constant)], "all_scores" if flat else "scores")
    if flat:
        graph.node("Squeeze", [scores, graph.constant("last", [1], np.int64)], "scores")


def _hats(graph: Graph, inputs: Inputs, filled: str, gone: str) -> str:
    """How near a number is to each knot: its share of the way there from the knot before, less that to the next."""
    curves = inputs.curves
    pieces = np.concatenate([np.full(len(knots) - 1, place) for place, knots, _ in curves])
    lefts = np.concatenate([knots[:-1] for _, knots, _ in curves])
    rights = np.concatenate([knots[1:] for _, knots, _ in curves])
    places = np.concatenate([np.full(len(knots), place) for place, knots, _ in curves])
    first = np.concatenate([np.arange(len(knots)) == 0 for _, knots, _ in curves])
    apart, later = np.zeros((len(pieces), len(places))), np.flatnonzero(~first)
    apart[np.arange(len(pieces)), later], apart[np.arange(len(pieces)), later - 1] = 1, -1
    own = graph.node("Gather", [filled, graph.constant("curve", pieces, np.int64)], "own_curve", axis=1)
    inside = graph.node("Min", [own, graph.constant("right", rights)], "below")
    inside = graph.node("Max", [inside, graph.constant("left", lefts)], "inside")
    way = graph.node("Sub", [inside, graph.constant("from", lefts)], "way")
    share = graph.node("Div", [way, graph.constant("whole", rights - lefts)], "share")
    steps = graph.node("MatMul", [share, graph.constant("apart", apart)], "steps")
    hats = graph.node("Add", [steps, graph.constant("first", first)], "hats")
    here = graph.node("Sub", [graph.constant("all", 1.0), gone], "present")
    kept = graph.node("Gather", [here, graph.constant("knot", places, np.int64)], "present_curve", axis=1)
    return graph.node("Mul", [hats, kept], "near")


def _joined(blocks: list[np.ndarray]) -> np.ndarray:
    """The blocks along the diagonal of one matrix of zeros."""
    joined = np.zeros(np.sum([block.shape for block in blocks], axis=0))
    row = column = 0
    for block in blocks:
        joined[row : row + len(block), column : column + block.shape[1]] = block
        row, column = row + len(block), column + block.shape[1]
    return joined


def _sum(graph: Graph, parts: list[tuple[str, np.ndarray, str]], output: str) -> str:
    """The sum over the parts of values times weights."""
    products = [
        graph.node("MatMul", [values, graph.constant(f"{name}_weights", weights)], f"{name}_part")
        for values, weights, name in parts
    ]
    return graph.node("Sum", products, output)


def _label(graph: Graph, decision: Decision, flat: bool, names: tuple[str, ...]) -> None:
    if flat:
        kind = "GreaterOrEqual" if decision.last else "Greater"
        above = graph.node(kind, ["scores", graph.constant("threshold", decision.threshold)], "above")
        best = graph.node("Cast", [above], "best", to=graph.onnx.TensorProto.INT64)
    else:
        best = graph.node("ArgMax", ["scores"], "best", axis=1, keepdims=0, select_last_index=int(decision.last))
    graph.node("Gather", [graph.constant("classes", names, object), best], "label")
