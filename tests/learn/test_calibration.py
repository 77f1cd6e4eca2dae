"""Probabilities and sets by the formulas in plain Python, and what they promise."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rosenblatt.errors import DataError, SettingError
from rosenblatt.learn.calibration import LEVELS, Calibration, Ranks, learn_calibration, spread_of
from rosenblatt.learn.decide import Decision
from rosenblatt.reference import calibration as reference

NEAR = (0.99, 1.0, 1.01)


def two_classes(n=400, seed=3):
    """Rows whose second class has probability 1 / (1 + e^-(2 s - 0.5)): what a calibration should find again."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(0, 1.5, n)
    return scores, (rng.random(n) < 1 / (1 + np.exp(-(2 * scores - 0.5)))).astype(np.int64)


def many_classes(n=2000, doubt=0.0, seed=4):
    rng = np.random.default_rng(seed)
    scores = rng.normal(0, 1, (n, 4))
    parts = np.exp(3 * scores)
    shares = (1 - doubt) * parts / parts.sum(axis=1, keepdims=True) + doubt / 4
    return scores, (shares.cumsum(axis=1) > rng.random(n)[:, None]).argmax(axis=1)


class TestProbabilities:
    def test_they_are_those_of_the_reference(self):
        scores, _ = two_classes(20)
        found = Calibration(1.7, -0.3).probabilities(scores)
        assert found[:, 1] == pytest.approx([reference.sigmoid(s, 1.7, -0.3) for s in scores], abs=1e-15)
        assert found.sum(axis=1) == pytest.approx(1)
        rows, _ = many_classes(20)
        found = Calibration(2.5, doubt=0.02).probabilities(rows)
        assert found == pytest.approx(np.array([reference.softmax(row, 2.5, 0.02) for row in rows.tolist()]))

    def test_no_other_slope_and_shift_have_a_smaller_loss(self):
        scores, truth = two_classes()
        found = learn_calibration(scores, truth)
        best = reference.sigmoid_loss(scores, truth, found.slope, found.shift)
        around = [(found.slope * a, found.shift + b) for a in NEAR for b in (-0.01, 0, 0.01)]
        assert best == min(reference.sigmoid_loss(scores, truth, *each) for each in around)
        assert found.slope == pytest.approx(2, rel=0.2)
        assert found.shift == pytest.approx(-0.5, abs=0.3)

    @pytest.mark.parametrize("doubt", [0.0, 0.1])
    def test_no_other_temperature_and_doubt_have_a_smaller_loss(self, doubt):
        scores, truth = many_classes(doubt=doubt)
        found = learn_calibration(scores, truth)
        best = reference.softmax_loss(scores.tolist(), truth.tolist(), found.slope, found.doubt)
        for a in NEAR:
            for b in NEAR:
                other = reference.softmax_loss(scores.tolist(), truth.tolist(), found.slope * a, found.doubt * b)
                assert other >= best - 1e-6
        assert found.slope == pytest.approx(3, rel=0.1)
        assert found.doubt == pytest.approx(doubt, abs=0.04)

    def test_platts_targets_are_never_certain(self):
        assert reference.platt_targets([1, 1, 0]) == [3 / 4, 3 / 4, 1 / 3]
        found = learn_calibration(np.array([-1.0, 1.0]), np.array([0, 1]))
        assert 0 < found.slope < 10

    def test_scores_that_say_nothing_give_the_shares_of_the_classes(self):
        scores = np.linspace(-1, 1, 100)
        found = learn_calibration(scores, (scores < 0.2).astype(np.int64))  # the wrong way round
        assert found.slope == 0
        assert found.probabilities(np.array([-9.0, 9.0]))[:, 1] == pytest.approx(61 / 102)

    def test_one_class_alone_is_likely_and_not_certain(self):
        found = learn_calibration(np.arange(8.0), np.ones(8, np.int64))
        assert found.probabilities(np.array([3.0]))[0, 1] == pytest.approx(9 / 10)

    @pytest.mark.parametrize("two", [True, False])
    def test_infinite_scores_are_as_sure_as_the_surest_that_was_seen(self, two):
        scores, truth = two_classes() if two else many_classes()
        scores[:3] = np.inf if two else [0, -np.inf, -np.inf, -np.inf]
        truth[:3] = 0 if two else 1  # and wrong
        found = learn_calibration(scores, truth)
        sure = found.probabilities(scores[:1])
        assert np.isfinite(sure).all()
        assert (sure < 1).all()
        nothing = np.full((1, 4), -np.inf)
        assert two or found.probabilities(nothing) == pytest.approx(0.25)

    def test_a_larger_model_has_the_same_probabilities(self):
        scores, truth = two_classes()
        scores[:2] = math.inf
        found = learn_calibration(scores, truth)
        assert np.array_equal(found.of_model(8.0).probabilities(8 * scores), found.probabilities(scores))
        assert spread_of(np.array([3.0, -4.0, math.inf])) == pytest.approx(math.sqrt(12.5))

    def test_the_score_of_a_probability(self):
        found = Calibration(2.0, -0.5)
        assert found.probabilities(np.array([found.score_at(0.9)]))[0, 1] == pytest.approx(0.9)
        assert (found.score_at(0.0), found.score_at(1.0)) == (-math.inf, math.inf)
        assert Calibration(0.0, -0.5).score_at(0.9) == math.inf


class TestSets:
    @pytest.mark.parametrize("n", [1, 18, 19, 40, 1234])
    def test_bounds_are_those_of_the_reference(self, n):
        own = np.random.default_rng(n).random(n)
        found = Ranks.of(np.column_stack([own, 1 - own]), np.zeros(n, np.int64), held_out=False)
        for coverage in (0.5, 0.9, 0.95, 0.999):
            wanted = reference.least_probability(own.tolist(), coverage)
            bound = found.bounds(coverage)[0]
            assert bound <= wanted
            assert bound == pytest.approx(wanted, rel=1e-6)

    def test_with_fewer_than_19_rows_a_class_is_in_every_set_of_95_percent(self):
        own = np.linspace(0.5, 1, 18)
        found = Ranks.of(np.column_stack([1 - own, own]), np.ones(18, np.int64), held_out=True)
        assert found.bounds(0.95).tolist() == [0, 0]
        assert found.bounds(0.94)[1] > 0
        calibration = Calibration(1.0, ranks=found)
        assert Decision(calibration=calibration).sets(np.array([-50.0, 50.0]), 0.95).all()

    def test_a_class_is_covered_as_often_as_asked_in_the_mean_over_draws(self):
        rng, hits = np.random.default_rng(5), []
        for _ in range(400):
            p = rng.random(100)
            found = Ranks.of(np.column_stack([p, 1 - p]), np.zeros(100, np.int64), held_out=True)
            hits.append(float(np.mean(rng.random(200) >= found.bounds(0.9)[0])))
        # ⌈101 · 0.9⌉ / 101 = 91 / 101 is the coverage that the theorem gives
        assert np.mean(hits) == pytest.approx(91 / 101, abs=4 * np.std(hits) / 20)

    def test_the_set_is_that_of_the_reference_and_may_be_empty(self):
        scores, truth = many_classes(3000)
        calibration = learn_calibration(scores, truth)
        shares = calibration.probabilities(scores)
        decision = Decision(calibration=Calibration(calibration.slope, ranks=Ranks.of(shares, truth, False)))
        members = decision.sets(scores, 0.6)
        shares = decision.probabilities(scores)
        least = decision.calibration.ranks.bounds(0.6).tolist()
        assert [np.flatnonzero(row).tolist() for row in members] == [
            reference.in_set(row, least) for row in shares.tolist()
        ]
        assert (~members.any(axis=1)).any()

    @pytest.mark.parametrize("coverage", [1.0, 0.4999, 95, float("nan"), "95%"])
    def test_other_coverages_are_refused(self, coverage):
        ranks = Ranks.of(np.full((40, 2), 0.5), np.tile([0, 1], 20), held_out=False)
        with pytest.raises(SettingError, match=r"coverage must be a share from 50% to 99.9%; got .*every class"):
            ranks.bounds(coverage)

    def test_a_coverage_between_two_levels_is_rounded_up(self):
        own = np.linspace(0, 1, 999)
        ranks = Ranks.of(np.column_stack([own, own]), np.zeros(999, np.int64), held_out=False)
        assert ranks.bounds(0.8501)[0] == ranks.bounds(0.86)[0] < ranks.bounds(0.85)[0]
        assert len(LEVELS) == 140


def test_a_model_without_a_calibration_says_so():
    with pytest.raises(DataError, match=r"the model has no probabilities: .* Train it again, or ask for its scores"):
        Decision().probabilities(np.zeros(2))
