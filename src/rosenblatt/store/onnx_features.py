"""The features of rows as nodes of an ONNX graph: one block of them for each term of a formula.

The graph has two inputs, each with a column for every column of the table that it reads: X, doubles, NaN where a value
is missing; and names, strings, empty where it is missing. A moment is its seconds since 1970, a time those since
midnight.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rosenblatt.data.values import BOOLEANS, MISSING, NUMBER, ORDERS, WRITTEN, normal, spelled
from rosenblatt.errors import SettingError
from rosenblatt.features.terms import Arc, Curve, Listed, Named, Stepped, Straight, Term

DAY = 86_400.0
TEMPORAL = ("date", "time", "timestamp", "timestamp UTC", *ORDERS)


class Graph:
    """Nodes and constants in the making."""

    def __init__(self, onnx: Any) -> None:
        self.onnx = onnx
        self.double, self.whole = onnx.TensorProto.DOUBLE, onnx.TensorProto.INT64
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def constant(self, values: Any, kind: Any = np.float64) -> str:
        name = f"constant {len(self.constants)}"
        self.constants.append(self.onnx.numpy_helper.from_array(np.asarray(values, kind), name))
        return name

    def node(self, kind: str, inputs: list[str], output: str = "", **attributes: Any) -> str:
        name = output or f"{kind} {len(self.nodes)}"
        self.nodes.append(self.onnx.helper.make_node(kind, inputs, [name], name=name, **attributes))
        return name

    def add(self, a: str, b: str) -> str:
        return self.node("Add", [a, b])

    def less(self, a: str, b: str) -> str:
        return self.node("Sub", [a, b])

    def times(self, a: str, b: str) -> str:
        return self.node("Mul", [a, b])

    def over(self, a: str, b: str) -> str:
        return self.node("Div", [a, b])

    def dot(self, a: str, matrix: np.ndarray) -> str:
        return self.node("MatMul", [a, self.constant(matrix)])

    def number(self, what: str) -> str:
        """What is true or whole, as a double."""
        return self.node("Cast", [what], to=self.double)

    def floor(self, a: str, by: float) -> str:
        """The whole part of a / by: exact, as no quotient of whole numbers below 2^53 is rounded up to a whole one."""
        return self.node("Floor", [self.over(a, self.constant(by))])

    def columns(self, matrix: str, places: Any) -> str:
        return self.node("Gather", [matrix, self.constant(places, np.int64)], axis=1)


class Features:
    """The inputs that terms read, and their blocks of features."""

    def __init__(self, graph: Graph, terms: Sequence[Term]) -> None:
        self.graph = graph
        self.numbers: list[str] = []  # columns of X
        self.seconds: list[str] = []  # those of them that are moments or times
        self.names: list[str] = []  # columns of names
        self.blocks: list[str] = []
        self.order: list[int] = []  # the number of each feature, block after block
        self.places: dict[int, int] = {}  # where each term begins in its input, by its first feature
        for term in terms:
            self._place(term)
        self._scale([term for term in terms if isinstance(term, Straight)])
        for term in terms:
            self._add(term)

    def matrix(self) -> str:
        """All features, as they are ordered here."""
        return self.blocks[0] if len(self.blocks) == 1 else self.graph.node("Concat", self.blocks, axis=1)

    def _place(self, term: Term) -> None:
        """Finds the term a place among the columns of an input; SettingError where it can have none."""
        self.places[term.first] = len(self.names if _by_name(term) else self.numbers)
        if isinstance(term, Listed):
            self.numbers += term.names
        elif _by_name(term):
            self.names.append(term.column)
        elif isinstance(term, Straight | Curve | Named | Stepped):
            self.numbers.append(term.column)
            self.seconds += [term.column] if term.reads in TEMPORAL else []
        else:
            raise SettingError(
                f"ONNX can hold columns of numbers, of dates and of categories; {term.column!r} is {term.described}. "
                "Use --to json, or train without it."
            )

    def _own(self, term: Term) -> str:
        """The numbers of the column, as the model reads them."""
        found = self.graph.columns("X", [self.places[term.first]])
        if term.reads == "date" and not term.moment:  # a date that counts as a number does so in milliseconds
            found = self.graph.times(found, self.graph.constant(1e3))
        return found

    def _scale(self, terms: Sequence[Straight]) -> None:
        """All columns of scaled numbers in one block, and one of which of them are missing."""
        if not terms:
            return
        graph = self.graph
        milliseconds = [1e3 if term.reads == "date" else 1.0 for term in terms]
        own = graph.columns("X", [self.places[term.first] for term in terms])
        if max(milliseconds) > 1:
            own = graph.times(own, graph.constant(milliseconds))
        gone = graph.node("IsNaN", [own])
        filled = graph.node("Where", [gone, graph.constant([term.fill for term in terms]), own])
        centred = graph.less(filled, graph.constant([term.centre for term in terms]))
        self._take(graph.over(centred, graph.constant([term.spread for term in terms])), [t.first for t in terms])
        told = [place for place, term in enumerate(terms) if term.missing is not None]
        if told:
            missing = [terms[place].missing for place in told]
            self._take(graph.columns(graph.number(gone), told), [number for number in missing if number is not None])

    def _take(self, block: str, numbers: Sequence[int]) -> None:
        self.blocks.append(block)
        self.order += numbers

    def _add(self, term: Term) -> None:
        if isinstance(term, Listed):
            block = self.graph.columns("X", self.places[term.first] + np.arange(term.width))
            if len(term.centres):
                block = self.graph.less(block, self.graph.constant(term.centres))
                block = self.graph.over(block, self.graph.constant(term.spreads))
            self._take(block, term.numbers)
        elif isinstance(term, Curve):
            self._bend(term)
        elif isinstance(term, Named | Stepped):
            numbers = sorted({*term.numbers, *([] if term.other is None else [term.other])})
            places = self._spelt(term) if _by_name(term) else self._valued(term)
            table = self.graph.constant(_worth(term, numbers))
            self._take(self.graph.node("Gather", [table, places], axis=0), numbers)

    def _bend(self, term: Curve) -> None:
        """Features between knots: those of the first, and for each piece the share of the way times how they change."""
        graph, x = self.graph, self._own(term)
        gone = graph.node("IsNaN", [x])
        filled = graph.node("Where", [gone, graph.constant(0.0), x])
        parts = [self._arc(_in_moment(graph, filled, arc.name) if arc.name else filled, arc) for arc in term.arcs]
        block = parts[0] if len(parts) == 1 else graph.node("Sum", parts)
        missing = graph.number(gone)
        block = graph.times(block, graph.less(graph.constant(1.0), missing))
        if term.missing is not None:
            block = graph.node("Concat", [block, missing], axis=1)
        self._take(block, term.numbers)

    def _arc(self, x: str, arc: Arc) -> str:
        graph, knots = self.graph, np.array(arc.knots, np.float64)
        within = graph.node("Min", [x, graph.constant(knots[1:])])
        within = graph.node("Max", [within, graph.constant(knots[:-1])])
        share = graph.over(graph.less(within, graph.constant(knots[:-1])), graph.constant(np.diff(knots)))
        return graph.add(graph.dot(share, np.diff(arc.features, axis=0)), graph.constant(arc.features[:1]))

    def _spelt(self, term: Named | Stepped) -> str:
        """The line of the table for each name: see `_worth`."""
        graph, keys = self.graph, dict.fromkeys(("", "?") if term.reads == "text" else MISSING, 0)
        for place, value in enumerate(term.values, 2):
            name = spelled(str(value), term.reads) or str(value)
            same = [written for written, meant in BOOLEANS.items() if meant == name] if term.reads == "boolean" else []
            keys |= dict.fromkeys(
                [name, *same, *(each.title() for each in same), *(each.upper() for each in same)], place
            )
        own = graph.columns("names", [self.places[term.first]])
        ways: dict[str, Any] = {"keys_strings": list(keys), "values_int64s": list(keys.values()), "default_int64": 1}
        places = graph.node("LabelEncoder", [own], domain="ai.onnx.ml", **ways)
        return graph.node("Squeeze", [places, graph.constant([1], np.int64)])

    def _valued(self, term: Named | Stepped) -> str:
        """The same for each number."""
        graph, x = self.graph, self._own(term)
        if isinstance(term, Stepped) and term.cuts is not None:
            above = graph.number(graph.node("Greater", [x, graph.constant(term.cuts)]))
            place = graph.add(graph.dot(above, np.ones((len(term.cuts), 1))), graph.constant(2.0))
        else:
            same = graph.number(graph.node("Equal", [x, graph.constant([_double(term, v) for v in term.values])]))
            place = graph.add(graph.dot(same, np.arange(1.0, len(term.values) + 1)[:, None]), graph.constant(1.0))
        place = graph.node("Where", [graph.node("IsNaN", [x]), graph.constant(0.0), place])
        return graph.node("Squeeze", [graph.node("Cast", [place], to=graph.whole), graph.constant([1], np.int64)])


def _by_name(term: Term) -> bool:
    """Whether values are given as strings."""
    return isinstance(term, Named) and term.reads != "number" and term.reads not in WRITTEN


def _worth(term: Named | Stepped, numbers: list[int]) -> np.ndarray:
    """The features of a missing value, of one that is not known, and of each that is, a line for each."""
    table = np.zeros((2 + len(term.features), len(numbers)))
    own = [numbers.index(number) for number in range(term.first, term.first + term.width)]
    table[2:, own] = term.features
    if term.missing is not None:
        table[0, numbers.index(term.missing)] = 1
    if term.other is not None:
        table[1, numbers.index(term.other)] = 1
    return table


def _double(term: Term, value: str | float) -> float:
    if isinstance(value, str) and not (NUMBER.fullmatch(value) and normal(repr(float(value))) == normal(value)):
        raise SettingError(
            f"ONNX holds numbers as doubles, and none of these is {value}, a value of {term.column!r}. "
            "Use --to sql, or train without it."
        )
    return float(value)


def _in_moment(graph: Graph, seconds: str, part: str) -> str:
    """A number of the moment, as `features.moment.numbers_in` has it.

    Years are counted from March on, in eras of 400 years, so that a leap day is the last of its year.
    """
    day = graph.floor(seconds, DAY)
    if part == "day":
        return day
    if part == "hour":
        return graph.over(graph.less(seconds, graph.times(day, graph.constant(DAY))), graph.constant(3600.0))
    if part == "weekday":
        return _rest(graph, graph.add(day, graph.constant(3.0)), 7)
    since = graph.add(day, graph.constant(719_468.0))  # days since 0000-03-01
    era, of_era = graph.floor(since, 146_097), _rest(graph, since, 146_097)
    leap = graph.less(graph.floor(of_era, 36_524), graph.add(graph.floor(of_era, 1_460), graph.floor(of_era, 146_096)))
    year = graph.floor(graph.add(of_era, leap), 365)
    begun = graph.less(
        graph.add(graph.times(year, graph.constant(365.0)), graph.floor(year, 4)), graph.floor(year, 100)
    )
    of_year = graph.less(of_era, begun)
    fifths = graph.add(graph.times(of_year, graph.constant(5.0)), graph.constant(2.0))
    month = graph.floor(fifths, 153)  # from March on
    if part == "day of month":
        before = graph.floor(graph.add(graph.times(month, graph.constant(153.0)), graph.constant(2.0)), 5)
        return graph.add(graph.less(of_year, before), graph.constant(1.0))
    late = graph.number(graph.node("Greater", [month, graph.constant(9.5)]))  # January and February
    if part == "month":
        return graph.less(graph.add(month, graph.constant(3.0)), graph.times(late, graph.constant(12.0)))
    return graph.add(graph.add(year, graph.times(era, graph.constant(400.0))), late)


def _rest(graph: Graph, a: str, by: int) -> str:
    return graph.less(a, graph.times(graph.floor(a, by), graph.constant(float(by))))
