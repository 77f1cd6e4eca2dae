"""A model as an ONNX graph: numbers and names in; scores, probabilities and the class out.

`onnx_features` makes the features F of a row, a line of a matrix; where the plan asks for unit rows they are divided by
their length. With association units U, which are 1 where a signed sum of some of F is above a threshold:

    scores = F · W + constant, or U · W + constant
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.errors import SettingError
from rosenblatt.features.terms import Wired
from rosenblatt.store.onnx_features import Features, Graph

if TYPE_CHECKING:
    from rosenblatt.learn.calibration import Calibration
    from rosenblatt.model import Decision, Formula, Model

OPSET, ML_OPSET = 17, 3
IR_VERSION = 8  # what goes with the opset, so that older runtimes read the file too


def to_onnx(model: Model) -> bytes:
    """The graph with the model's weights, as the bytes of an .onnx file."""
    onnx = _onnx()
    formula = model.formula("ONNX")
    wired = next((term for term in formula.terms if isinstance(term, Wired)), None)
    graph = Graph(onnx)
    features = Features(graph, formula.terms if wired is None else wired.inputs)
    two, calibration = len(formula.weights) == 1, model.decision.calibration
    _scores(graph, features, formula, wired)
    _label(graph, model.decision, two, model.classes.names)
    shapes = {"scores": [None] if two else [None, len(formula.weights)]}
    if calibration is not None:
        _chances(graph, calibration, len(formula.weights))
        shapes["probabilities"] = [None, len(model.classes.names)]
    value, kinds = onnx.helper.make_tensor_value_info, onnx.TensorProto
    given = [("X", kinds.DOUBLE, features.numbers), ("names", kinds.STRING, features.names)]
    made = onnx.helper.make_graph(
        graph.nodes,
        "rosenblatt",
        [value(name, kind, [None, len(columns)]) for name, kind, columns in given if columns],
        [value(name, kinds.DOUBLE, shape) for name, shape in shapes.items()] + [value("label", kinds.STRING, [None])],
        graph.constants,
    )
    opsets = [onnx.helper.make_opsetid("", OPSET), onnx.helper.make_opsetid("ai.onnx.ml", ML_OPSET)]
    file = onnx.helper.make_model(made, opset_imports=opsets, producer_name="rosenblatt")
    file.ir_version = IR_VERSION
    # JSON, because a name may hold any character that could separate names.
    told = {"columns": features.numbers, "names": features.names, "seconds": features.seconds}
    told["classes"] = list(model.classes.names)
    onnx.helper.set_model_props(file, {key: _json(names) for key, names in told.items()})
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


def _json(names: list[str]) -> str:
    import json

    return json.dumps(names, ensure_ascii=False)


def _scores(graph: Graph, features: Features, formula: Formula, wired: Wired | None) -> None:
    matrix = features.matrix()
    if (formula if wired is None else wired).unit == "rows":
        squared = graph.node("ReduceSumSquare", [matrix], axes=[1], keepdims=1)
        none = graph.node("Equal", [squared, graph.constant(0.0)])
        matrix = graph.over(matrix, graph.node("Sqrt", [graph.node("Where", [none, graph.constant(1.0), squared])]))
    if formula.presence:
        matrix = graph.number(graph.node("Greater", [matrix, graph.constant(0.0)]))
    if wired is not None:
        matrix, order = _units(graph, matrix, features, wired), list(range(wired.width))
    else:
        order = features.order
    total = graph.add(graph.dot(matrix, formula.weights[:, order].T), graph.constant(formula.constant))
    if len(formula.weights) == 1:
        graph.node("Squeeze", [total, graph.constant([1], np.int64)], "scores")
    else:
        graph.node(
            "LogSoftmax" if formula.logs else "Identity", [total], "scores", **({"axis": 1} if formula.logs else {})
        )


def _units(graph: Graph, matrix: str, features: Features, wired: Wired) -> str:
    """Which units are on. Wires are added one after the other, as the model does, so that no sum differs."""
    place = np.zeros(max(features.order) + 1, np.int64)
    place[features.order] = np.arange(len(features.order))
    total = ""
    for wires, signs in zip(wired.wires.T, wired.signs.T, strict=True):
        signed = graph.times(graph.columns(matrix, place[wires]), graph.constant(signs))
        total = graph.add(total, signed) if total else signed
    return graph.number(graph.node("Greater", [total, graph.constant(wired.thresholds)]))


def _label(graph: Graph, decision: Decision, two: bool, names: tuple[str, ...]) -> None:
    if two:
        kind = "GreaterOrEqual" if decision.last else "Greater"
        best = graph.node("Cast", [graph.node(kind, ["scores", graph.constant(decision.threshold)])], to=graph.whole)
    else:
        best = graph.node("ArgMax", ["scores"], axis=1, keepdims=0, select_last_index=int(decision.last))
    graph.node("Gather", [graph.constant(names, object), best], "label")


def _chances(graph: Graph, calibration: Calibration, count: int) -> None:
    """Probabilities of scores: see `learn.calibration`."""
    slope, limit = graph.constant(calibration.slope), float(np.clip(calibration.limit, None, 1e300))
    low = graph.constant(-limit)
    if count == 1:
        within = graph.node("Max", [graph.node("Min", ["scores", graph.constant(limit)]), low])
        z = graph.add(graph.times(slope, within), graph.constant(calibration.shift))
        both = graph.node("Unsqueeze", [z, graph.constant([1], np.int64)])
        both = graph.times(both, graph.constant([[-1.0, 1.0]]))
        small = graph.node("Exp", [graph.node("Neg", [graph.node("Abs", [both])])])
        above = graph.node("GreaterOrEqual", [both, graph.constant(0.0)])
        top = graph.node("Where", [above, graph.constant(1.0), small])
        graph.node("Div", [top, graph.add(graph.constant(1.0), small)], "probabilities")
        return
    best = graph.node("ReduceMax", ["scores"], axes=[1], keepdims=1)
    parts = graph.node("Exp", [graph.times(slope, graph.node("Max", [graph.less("scores", best), low]))])
    total = graph.node("ReduceSum", [parts, graph.constant([1], np.int64)], keepdims=1)
    shares = graph.over(parts, total)
    doubted = graph.times(shares, graph.constant(calibration.doubt))  # ONNX Runtime takes a factor of 1 - 1e-9 for 1
    graph.node("Add", [graph.less(shares, doubted), graph.constant(calibration.doubt / count)], "probabilities")
