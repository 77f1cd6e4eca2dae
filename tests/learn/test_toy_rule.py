"""A rule is one file and one line: here a perceptron that adds rows of length 1, whatever their own length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from rosenblatt import Perceptron
from rosenblatt.learn.rule import Rule
from rosenblatt.learn.rules import RULES
from rosenblatt.learn.rules.mistakes import Mistakes
from rosenblatt.traces.replay import Replay, made_by, verify


@dataclass(frozen=True)
class Directions(Rule):
    """A wrong row moves the weights by 1 in its direction."""

    name: ClassVar[str] = "directions"

    @classmethod
    def of(cls, settings, scale):
        return cls()

    @classmethod
    def longest(cls, settings):
        return 1.0

    def visit(self, here, order, amounts, weights, kept, noted):
        return Mistakes().visit(here, order, amounts / np.sqrt(here.squares), weights, kept, noted)


@pytest.fixture(autouse=True)
def table(monkeypatch):
    monkeypatch.setitem(RULES, Directions.name, Directions)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("weights", ["final", "averaged", "voted", "pocket"])
def test_a_rule_of_one_file_learns_predicts_and_replays(weights, n_classes):
    draw = np.random.default_rng(0)
    X = draw.normal(size=(200, 5)) * draw.integers(1, 100, (200, 1))
    y = (X @ draw.normal(size=(5, n_classes))).argmax(axis=1)
    model = Perceptron(rule="directions", weights=weights, max_iter=5, tol=None, record=True, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.8
    verify(model, X, y)
    first = model.mistakes_[0]
    assert first["amount"] == pytest.approx(1 / np.sqrt(X[first["row"]] @ X[first["row"]] + 1))
    if weights in ("final", "averaged"):
        shares, start = made_by(Replay(model, X, y), X[3], y[3])
        scores = np.atleast_2d(model.decision_function(X[3:4]).T).T[0]
        wanted = scores[0] if n_classes == 2 else scores[y[3]]
        assert sum(share.part for share in shares) + start == pytest.approx(wanted)
