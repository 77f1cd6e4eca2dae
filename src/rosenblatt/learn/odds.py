"""Why naive Bayes decides as it does: the log-odds of two classes as a sum over what the row holds."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rosenblatt.errors import SettingError
from rosenblatt.harmless import one_line
from rosenblatt.learn.decide import Decision
from rosenblatt.learn.explain import Factors
from rosenblatt.notebook import InCell


@dataclass(frozen=True)
class Term:
    """What one value of the row adds to the log-odds.

    `zeros` is not 0 only at k = 0, where a factor can be 0: how many more zero factors the other class has. The
    finite part of such a factor, 1 / total in the limit k -> 0+, is then in `log_odds`.
    """

    feature: str
    value: Any
    log_odds: float
    zeros: float = 0


@dataclass(frozen=True, repr=False)
class Explanation(InCell):
    """The predicted class against another one, and the terms that decided between them, the weightiest first.

    `factors` holds the products that the terms are made of, factor by factor and for every class, with P(y | row).
    """

    predicted: Any
    other: Any
    terms: tuple[Term, ...]
    factors: Factors = field(compare=False)

    @property
    def probabilities(self) -> dict[Any, float]:
        """P(y | row) by class."""
        return self.factors.probabilities

    @property
    def zeros(self) -> float:
        """How many more zero factors the other class has; any more make it impossible."""
        return sum(term.zeros for term in self.terms)

    @property
    def decision(self) -> float:
        """log P(predicted | row) - log P(other | row): the sum of all terms, rounded once."""
        certain = any(term.log_odds == math.inf for term in self.terms)  # the other class has a prior of 0
        if self.zeros or certain:
            return math.inf if certain else math.copysign(math.inf, self.zeros)
        return math.fsum(term.log_odds for term in self.terms)

    def told(self) -> tuple[str, list[tuple[str, float, str]]]:
        """The decision in a sentence, and of each term its name, what it adds, and a note."""
        terms = [
            (
                term.feature if term.value is None else f"{term.feature} = {term.value}",
                term.log_odds,
                f"{'other' if term.zeros > 0 else 'predicted'} class never has it" if term.zeros else "",
            )
            for term in self.terms
        ]
        return f"{self.predicted!r} rather than {self.other!r}: log-odds {self.decision:+.4f}", terms

    def __str__(self) -> str:
        head, terms = self.told()
        lines = [head]
        for shown, log_odds, note in terms:
            lines.append(f"  {log_odds:+10.4f}  {shown}{f'  ({note})' if note else ''}")
        return "\n".join([*lines, "", self.factors.shown()])

    def __repr__(self) -> str:
        return f"<Explanation: {one_line(self.told()[0])}>"


def explain(classes: list[Any], priors: np.ndarray, scores: np.ndarray, against: Any, factors: Factors) -> Explanation:
    """The terms for a single row, whose settled scores and factors are given; `against` None is the runner-up."""
    a, b = _pair(classes, scores, against)
    terms = [Term("prior", None, float(priors[a] - priors[b]) if a != b else 0.0)]
    for part in factors.parts():
        log_odds, zeros = part.between(a, b)
        value = _whole(part.value) if isinstance(part.value, float) else part.value
        terms.append(Term(part.feature, value, log_odds, _whole(zeros)))
    ordered = sorted(terms, key=lambda term: (-abs(term.zeros), -abs(term.log_odds)))
    return Explanation(classes[a], classes[b], tuple(ordered), factors)


def _pair(classes: list[Any], scores: np.ndarray, against: Any) -> tuple[int, int]:
    """The predicted class and the one it is compared with; with a single class, itself."""
    best = int(Decision().decide(scores[np.newaxis])[0])
    if against is None:
        rest = [c for c in range(len(classes)) if c != best]
        return best, max(rest, key=lambda c: (scores[c], -c)) if rest else best
    if against not in classes:
        raise SettingError(f"against must be one of the classes {classes}; got {against!r}.")
    return best, classes.index(against)


def _whole(value: float) -> float | int:
    return int(value) if value == int(value) else value
