"""A model as an ONNX graph: numbers in, scores and the class out.

The input X has one column for each number that the plan reads, in the plan's order, NaN where a value is missing.
With N the scaled numbers, M where they are missing, E which of the known values each column of few values has, and H
how near the numbers of a curve are to its knots, and I which bin a number falls into:

    scores = (N · A + M · B + E · C + H · D + I · E) / length + constant

A to E hold the weights; length is 1, or that of the row where the plan asks for unit rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.data.values import NUMBER, normal
from rosenblatt.errors import SettingError
from rosenblatt.features.terms import Curve, Listed, Named, Stepped, Straight, Term

if TYPE_CHECKING:
    from rosenblatt.model import Decision, Formula, Model

OPSET = 17
IR_VERSION = 8  # what goes with the opset, so that older runtimes read the file too


@dataclass
class Inputs:
    """For each column of X how it is filled and scaled and what it weighs; for each known value what it weighs."""

    constant: np.ndarray
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
    bins: list[tuple[int, tuple[float, ...]]] = field(default_factory=list)  # columns that fall into bins, and cuts
    e: list[np.ndarray] = field(default_factory=list)  # for each bin of all of them

    def add(
        self,
        name: str,
        scaling: tuple[float, float, float],
        a: np.ndarray,
        b: np.ndarray | None,
        number: bool = True,
    ) -> None:
        """One more column; b is None where there is no feature for its being missing.

        number    whether the number itself is a feature
        """
        self.names.append(name)
        for values, value in zip((self.fill, self.centre, self.spread), scaling, strict=True):
            values.append(value)
        self.a.append(a)
        self.b.append(np.zeros_like(a) if b is None else b)
        self.a_length.append(float(number))
        self.b_length.append(float(b is not None))

    def add_bins(self, cuts: tuple[float, ...], worth: np.ndarray) -> None:
        """Bins of the last column, with the weights of each."""
        self.bins.append((len(self.names) - 1, cuts))
        self.e += list(worth)


def to_onnx(model: Model) -> bytes:
    """The graph with the model's weights, as the bytes of an .onnx file."""
    onnx = _onnx()
    formula = model.formula("ONNX")
    inputs = Inputs(formula.constant.copy())
    for term in formula.terms:
        _add_term(inputs, term, formula)
    two, graph = len(formula.weights) == 1, Graph(onnx)
    _scores(graph, inputs, formula, two)
    _label(graph, model.decision, two, model.classes.names)
    kinds = onnx.TensorProto
    width = [None] if two else [None, len(formula.weights)]
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


def _add_term(inputs: Inputs, term: Term, formula: Formula) -> None:
    """The columns of X that a term reads, with the weights of its features, one row of them each."""
    own, gone = term.own(formula.weights).T, term.when_missing(formula.weights) if term.missing is not None else None
    if isinstance(term, Straight):
        inputs.add(term.column, (term.fill, term.centre, term.spread), own[0], gone)
    elif isinstance(term, Curve) and not term.moment:
        (arc,) = term.arcs
        inputs.add(term.column, (arc.knots[0], 0.0, 1.0), np.zeros_like(inputs.constant), gone, number=False)
        inputs.curves.append((len(inputs.names) - 1, np.array(arc.knots), arc.features))
        inputs.d += list(own)
    elif isinstance(term, Listed):
        plain = not len(term.centres)
        centres, spreads = (np.zeros(term.width), np.ones(term.width)) if plain else (term.centres, term.spreads)
        for name, centre, spread, weights in zip(term.names, centres, spreads, own, strict=True):
            # A vector has no missing numbers; should one come, the scores say so by being NaN.
            scaling = np.nan, float(centre), float(spread)
            if formula.presence:
                inputs.add(name, scaling, np.zeros_like(inputs.constant), None)
                inputs.add_bins((0.0,), np.array([np.zeros_like(weights), weights]))
            else:
                inputs.add(name, scaling, weights, None)
    elif isinstance(term, Named) and term.other is not None:
        raise SettingError(
            f"ONNX can hold no feature that rare values of a column share, as those of {term.column!r} do. "
            "Use --to sql or json."
        )
    elif isinstance(term, Stepped) or (isinstance(term, Named) and all(map(NUMBER.fullmatch, term.values))):
        _add_values(inputs, term, term.features @ own, gone, formula)
    else:
        raise SettingError(
            f"ONNX can hold columns of numbers; {term.column!r} is {term.described}. "
            f"Use --to {'sql' if isinstance(term, Named | Curve) else 'json'}, or train without it."
        )


def _add_values(
    inputs: Inputs, term: Named | Stepped, worth: np.ndarray, gone: np.ndarray | None, formula: Formula
) -> None:
    """A column of few values or of bins: the number itself is no feature, only which value it is."""
    other = formula.weights[:, term.other] if term.other is not None else np.zeros_like(inputs.constant)
    inputs.constant += other  # of all, and taken from those that have a worth of their own
    missing = None if gone is None else gone - other
    inputs.add(term.column, (0.0, 0.0, 1.0), np.zeros_like(inputs.constant), missing, number=False)
    if isinstance(term, Stepped) and term.cuts is not None:
        inputs.add_bins(term.cuts, worth)
        return
    sizes = np.square(term.features).sum(axis=1).tolist()
    values: Sequence[str | float] = term.values
    for value, size, weights in zip(values, sizes, worth, strict=True):
        if isinstance(value, str) and normal(repr(float(value))) != normal(value):
            raise SettingError(
                f"ONNX holds numbers as doubles, and none of these is {value}, a value of {term.column!r}. "
                "Use --to sql, or train without it."
            )
        inputs.place.append(len(inputs.names) - 1)
        inputs.value.append(float(value))
        inputs.c.append(weights - other)
        inputs.c_length.append(size)


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


def _scores(graph: Graph, inputs: Inputs, formula: Formula, flat: bool) -> None:
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
    if inputs.bins:
        parts.append((_bins(graph, inputs, gone), inputs.e, [1.0] * len(inputs.e), "bins"))
    total = _sum(graph, [(values, np.array(weights), name) for values, weights, _, name in parts], "total")
    if formula.unit == "rows":
        lengths = [
            (graph.node("Mul", [values, values], f"{name}_squared"), np.array(counted)[:, None], f"{name}_length")
            for values, _, counted, name in parts
        ]
        squared = _sum(graph, lengths, "squared")
        none = graph.node("Equal", [squared, graph.constant("zero", 0.0)], "is_zero")
        safe = graph.node("Where", [none, graph.constant("one", 1.0), squared], "squared_or_one")
        total = graph.node("Div", [total, graph.node("Sqrt", [safe], "length")], "unit_total")
    name = "all_scores" if flat or formula.logs else "scores"
    scores = graph.node("Add", [total, graph.constant("constant", inputs.constant)], name)
    if flat:
        graph.node("Squeeze", [scores, graph.constant("last", [1], np.int64)], "scores")
    elif formula.logs:
        graph.node("LogSoftmax", [scores], "scores", axis=1)


def _bins(graph: Graph, inputs: Inputs, gone: str) -> str:
    """Which bin a number falls into: it is above the cut before, or there at all, and not above its own."""
    columns = np.array([place for place, _ in inputs.bins])
    places = np.concatenate([np.full(len(cuts), place) for place, cuts in inputs.bins])
    cuts = np.concatenate([each for _, each in inputs.bins])
    own = graph.node("Gather", ["X", graph.constant("binned", places, np.int64)], "own_bins", axis=1)
    above = graph.node("Greater", [own, graph.constant("cut", cuts)], "above_cut")
    beyond = graph.node("Cast", [above], "beyond", to=graph.onnx.TensorProto.DOUBLE)
    away = graph.node("Gather", [gone, graph.constant("binned_columns", columns, np.int64)], "gone_bins", axis=1)
    there = graph.node("Sub", [graph.constant("whole_bin", 1.0), away], "there")
    both = graph.node("Concat", [there, beyond], "bounds", axis=1)
    # A bin begins where the number is there, or above the cut before it, and ends at its own cut.
    apart = np.zeros((len(columns) + len(cuts), len(columns) + len(cuts)))
    bin_number, cut_number = 0, len(columns)
    for number, (_, each) in enumerate(inputs.bins):
        apart[number, bin_number] = 1
        for _ in each:
            apart[cut_number, bin_number], apart[cut_number, bin_number + 1] = -1, 1
            bin_number, cut_number = bin_number + 1, cut_number + 1
        bin_number += 1
    return graph.node("MatMul", [both, graph.constant("bin_bounds", apart)], "bins")


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
