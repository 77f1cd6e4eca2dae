"""Short runs in several ways of encoding: which of them is searched in full, and what the others did."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from rosenblatt.learn.rules import RULES
from rosenblatt.learn.settings import Settings
from rosenblatt.pipeline.family import Parts, standard_error
from rosenblatt.pipeline.tries import PROBE_MARGIN, PROBE_PASSES
from rosenblatt.pipeline.ways import Encoded, Way

if TYPE_CHECKING:
    from rosenblatt.pipeline.choices import Choices
    from rosenblatt.pipeline.families.perceptron import Perceptron


class Probes:
    """The way whose short run does best, the first among equals; and the best candidates of the others, to be shown."""

    def __init__(
        self, first: Encoded, parts: Parts, choices: Choices, runs: Callable[[Encoded, Choices], list[Perceptron]]
    ) -> None:
        rule = RULES[choices.rule or Settings.rule]
        self.short = replace(choices, passes=choices.passes or PROBE_PASSES, weights=choices.weights or rule.decides)
        if rule.plain and choices.margin is None:
            self.short = replace(self.short, margin=PROBE_MARGIN)
        elif not rule.plain and choices.C is None:
            self.short = replace(self.short, C=Settings.C)
        self.rows, self.runs, self.best, self.two = len(parts.wanted), runs, first, parts.n_classes == 2
        self.asked = first.way.wishes.words.grams
        self.leader: Perceptron | None = None
        self.tried: list[Perceptron] = []

    def try_all(self, ways: Iterable[Encoded]) -> None:
        """Tries these ways too, one after the other, so that no more than two are in memory.

        Without a second way nothing is tried.
        """
        self.tried.sort(key=lambda each: each is self.leader)  # it is tried beside these
        for way in ways:
            if way is self.best:
                continue
            if self.leader is None:
                self.leader = self._run(self.best)
            found = self._run(way)
            if found.accuracy > self.leader.accuracy + self._lead(way.way):
                self.leader, self.best = found, way

    @property
    def others(self) -> list[Perceptron]:
        """The candidates that are not the best. N-grams are none then: they would have to be fitted in every fold."""
        return [each for each in self.tried if each is not self.leader and not self._adds(each.way)]

    def ahead(self, way: Way) -> bool:
        """Whether its short run did better than that of the way that the others are held against."""
        first, own = self.tried[0], next(each for each in self.tried if each.way == way)
        return own.accuracy > first.accuracy

    def worth(self, way: Way) -> bool:
        """Whether to try this one: triples only where pairs are the best so far."""
        return way.wishes.words.longest < 3 or self.best.way.wishes.words.longest == 2

    def _run(self, way: Encoded) -> Perceptron:
        self.tried.append(max(self.runs(way, self.short), key=lambda each: each.accuracy))
        return self.tried[-1]

    def _lead(self, way: Way) -> float:
        """How much better than the best a way must be: n-grams than words by a quarter of a standard error.

        Of more than two classes by a whole one: topics gain little by n-grams, and each has a weight for every class.
        So must association units, which nobody can read as weights of columns.
        """
        assert self.leader is not None
        if way.wishes.units:
            return standard_error(self.leader.accuracy, self.rows)
        if not self._adds(way) or self._adds(self.best.way):
            return 0.0
        return standard_error(self.leader.accuracy, self.rows) / (4 if self.two else 1)

    def _adds(self, way: Way) -> bool:
        """Whether a way has n-grams that nobody asked for."""
        return way.wishes.words.grams and not self.asked
