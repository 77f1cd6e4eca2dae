"""Two models on the same rows: where they differ, whether chance explains it, and how their cards differ."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.data.table import Table, some
from rosenblatt.errors import DataError, SettingError
from rosenblatt.features.contents import Contents
from rosenblatt.model.card import Card
from rosenblatt.model.evaluation import Evaluation, judge
from rosenblatt.model.statistics import mcnemar, paired_interval
from rosenblatt.model.trained import Model
from rosenblatt.notebook import InCell


class Difference(NamedTuple):
    """What two cards say differently."""

    what: str  # where in the card, such as choice.name
    a: Any  # None where the card does not have it
    b: Any


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(InCell):
    """How two models did on the same labelled rows; differences are the second's less the first's."""

    classes: tuple[str, ...]
    table: Table  # the rows, with where each came from
    truth: np.ndarray  # of each row the number of its class, as all below
    predicted: tuple[np.ndarray, np.ndarray]  # by either
    a: Evaluation
    b: Evaluation
    known: tuple[np.ndarray | None, np.ndarray | None]  # rows that either was trained on; None where nobody can tell
    cards: list[Difference]

    def __repr__(self) -> str:
        shares = f"{self.a.accuracy:.1%} and {self.b.accuracy:.1%}"
        return f"<Comparison: {shares} of {self.n:,} rows, {len(self.differ):,} predicted differently>"

    @property
    def n(self) -> int:
        """How many rows there are."""
        return len(self.truth)

    @cached_property
    def differ(self) -> np.ndarray:
        """The numbers of the rows that the two predict differently."""
        return np.flatnonzero(self.predicted[0] != self.predicted[1])

    @property
    def only_a(self) -> int:
        """How many rows the first alone has right."""
        return self._only(slice(None))[0]

    @property
    def only_b(self) -> int:
        """How many rows the second alone has right."""
        return self._only(slice(None))[1]

    @property
    def difference(self) -> float:
        """The accuracy of the second less that of the first; NaN where there are no rows."""
        return (self.only_b - self.only_a) / self.n if self.n else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the difference."""
        return paired_interval(self.only_a, self.only_b, self.n)

    @property
    def p_value(self) -> float:
        """How likely so uneven a division of the rows that one alone has right is, if both were equally good."""
        return mcnemar(self.only_a, self.only_b)

    @property
    def known_to_either(self) -> np.ndarray | None:
        """For each row whether one of the models was trained on it; None where that cannot be told row by row."""
        first, second = self.known
        return None if first is None or second is None else first | second

    @property
    def fresh(self) -> tuple[int, int, int] | None:
        """Of the rows that neither was trained on: how many, and how many the first and the second alone has right.

        None where nobody can tell which these are.
        """
        known = self.known_to_either
        return None if known is None else (int((~known).sum()), *self._only(~known))

    def _only(self, which: Any) -> tuple[int, int]:
        first, second = ((codes == self.truth)[which] for codes in self.predicted)
        return int((first & ~second).sum()), int((second & ~first).sum())


def compare(a: Model, b: Model, rows: Any) -> Comparison:
    """How two models do on the same labelled rows, a Table or anything that `rosenblatt.data.read` takes.

    Raises SettingError where the models do not tell the same classes apart.
    """
    _refuse_others(a, b)
    table = rows if isinstance(rows, Table) else a.read(rows)
    if not table.n_rows:
        raise DataError(f"{table.origin.source}: there are no rows to compare on. Give rows with labels.")
    truth = a.classes.encode(table), b.classes.encode(table)
    codes = a.codes(table), b.codes(table)
    place = np.array([a.classes.names.index(name) for name in b.classes.names])
    first, known_a = _seen(a, table, truth[0], codes[0])
    second, known_b = _seen(b, table, truth[1], codes[1])
    predicted = codes[0], place[codes[1]]
    cards = differences(a.card, b.card)
    return Comparison(a.classes.names, table, truth[0], predicted, first, second, (known_a, known_b), cards)


def _seen(model: Model, table: Table, truth: np.ndarray, codes: np.ndarray) -> tuple[Evaluation, np.ndarray | None]:
    """How the model's predictions do, and which rows it was trained on."""
    contents = Contents.of_plan(table, model.plan)
    found = judge(model.classes.names, truth, codes, model.seen, contents)
    return found, None if model.seen is None else model.seen.known(contents)


def _refuse_others(a: Model, b: Model) -> None:
    """SettingError where the models do not have the same classes, in whatever order."""
    first, second = a.classes.names, b.classes.names
    one, other = ([name for name in own if name not in others] for own, others in ((first, second), (second, first)))
    if one or other:
        only = [f"only the {who} knows {some(own, 5)}" for who, own in (("first", one), ("second", other)) if own]
        raise SettingError(
            f"the models tell different classes apart: {' and '.join(only)}. Compare models of the same classes."
        )


def differences(a: Card, b: Card) -> list[Difference]:
    """What the cards say differently, in the order of the first; of lists, what only one of them has."""
    one, other = _flat(a), _flat(b)
    found = [Difference(what, one.get(what), other.get(what)) for what in {**one, **other}]
    return [_apart(each) for each in found if each.a != each.b]


def _apart(found: Difference) -> Difference:
    """Of two lists the entries that the other does not have; as it is where only their order differs."""
    if not (isinstance(found.a, list) and isinstance(found.b, list)):
        return found
    first = [each for each in found.a if each not in found.b]
    second = [each for each in found.b if each not in found.a]
    return Difference(found.what, first, second) if first or second else found


def _flat(value: Any, name: str = "") -> dict[str, Any]:
    """The plain values of nested dictionaries under names such as split.train."""
    if not isinstance(value, dict):
        return {name: value}
    found: dict[str, Any] = {}
    for key, each in value.items():
        found |= _flat(each, f"{name}.{key}" if name else str(key))
    return found
