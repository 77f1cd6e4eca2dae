"""Every worked number of NOTES sections 1 to 5, by the estimator and by the plain reference."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from rosenblatt import Perceptron
from rosenblatt.reference import perceptron as reference

POINTS = np.array([[1.0, 1], [3, 2], [2, 4], [3, 4], [2, 3]])
LABELS = np.array([-1, 1, 1, 1, -1])
CORNERS = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])


def notes_model(**settings) -> Perceptron:
    return Perceptron(weights="final", shuffle=False, tol=None, record=True, **settings)


def bias_first(model: Perceptron) -> list[float]:
    return [*model.intercept_, *model.coef_[0]]


def with_bias(points: np.ndarray) -> list[list[int]]:
    return [[1, *map(int, point)] for point in points]


def test_the_worked_pass_ends_at_the_weights_of_the_table():
    model = notes_model(max_iter=1).fit(POINTS, LABELS, coef_init=[0, 0], intercept_init=-1)
    assert bias_first(model) == [-1, 1, -1]
    assert model.mistakes_["step"].tolist() == [2, 5]
    assert model.mistakes_["pass"].tolist() == [1, 1]
    assert model.mistakes_["row"].tolist() == [1, 4]
    assert model.classes_[model.mistakes_["predicted"]].tolist() == [-1, 1]


def test_the_reference_walks_through_the_table():
    steps = list(reference.binary_pass(with_bias(POINTS), list(LABELS), [-1, 0, 0]))
    assert [mistake for mistake, _ in steps] == [False, True, False, False, True]
    assert [list(w) for _, w in steps] == [[-1, 0, 0], [0, 3, 2], [0, 3, 2], [0, 3, 2], [-1, 1, -1]]


CLEAN = {
    "mistake": (232, 446, 230, 445, [-31, 12, 2]),
    "positive": (176, 339, 174, 338, [-24, 10, 1]),
    "negative": (173, 332, 176, 339, [-23, 10, 1]),
}


@pytest.mark.parametrize("ties", CLEAN)
def test_the_run_to_a_clean_pass(ties):
    passes, mistakes, passes_from_0, mistakes_from_0, weights = CLEAN[ties]
    given = notes_model(ties=ties).fit(POINTS, LABELS, coef_init=[0, 0], intercept_init=-1)
    assert (given.n_iter_, given.n_mistakes_, bias_first(given)) == (passes, mistakes, weights)
    zero = notes_model(ties=ties).fit(POINTS, LABELS)
    assert (zero.n_iter_, zero.n_mistakes_, bias_first(zero)) == (passes_from_0, mistakes_from_0, weights)


@pytest.mark.parametrize("ties", CLEAN)
def test_a_clean_pass_proves_strict_separation_only_where_a_tie_is_a_mistake(ties):
    model = notes_model(ties=ties).fit(POINTS, LABELS)
    assert model.stopped_ == ("separated" if ties == "mistake" else "clean pass")
    assert model.separated_ == (ties == "mistake")
    assert np.count_nonzero(model.decision_function(POINTS) == 0) == (0 if ties == "mistake" else 1)
    assert model.score(POINTS, LABELS) == 1


def test_radius_margin_and_bound_of_the_five_points():
    model = notes_model().fit(POINTS, LABELS)
    low, high = model.margin_bracket_
    margin = 1 / np.sqrt(245)
    assert model.radius_**2 == pytest.approx(26)
    assert low <= margin <= high
    assert model.n_mistakes_ <= model.radius_**2 / margin**2 == pytest.approx(6370)


def test_shuffled_passes_on_the_five_points_have_a_median_near_89():
    passes = [
        Perceptron(weights="final", tol=None, random_state=seed).fit(POINTS, LABELS).n_iter_ for seed in range(500)
    ]
    # Another shuffling rule gives another sample: the standard error of this median is about 3.
    assert 80 <= np.median(passes) <= 98


def test_and_or_and_the_cycle_of_xor():
    conjunction = notes_model().fit(CORNERS, [-1, -1, -1, 1])
    assert (conjunction.n_iter_, conjunction.n_mistakes_, bias_first(conjunction)) == (9, 18, [-4, 3, 2])
    disjunction = notes_model().fit(CORNERS, [-1, 1, 1, 1])
    assert (disjunction.n_iter_, disjunction.n_mistakes_, bias_first(disjunction)) == (6, 9, [-1, 2, 2])
    xor = notes_model().fit(CORNERS, [-1, 1, 1, -1])
    assert (xor.n_iter_, xor.n_mistakes_, bias_first(xor), xor.stopped_) == (1, 4, [0, 0, 0], "cycle")
    assert xor.cycle_.rows.tolist() == [0, 1, 2, 3]
    assert xor.cycle_.updates.tolist() == [1, 1, 1, 1]


def test_one_update_on_a_large_feature_changes_its_weight_most():
    model = notes_model(max_iter=1, fit_intercept=False).fit([[4.0, 0, 1], [-1, -1, -1]], [-1, 1], coef_init=[2, 2, 2])
    # The second row scores 2 − 2 − 1 = −1 after the first update, a mistake: it takes [1, 1, 1] away again.
    first = model.mistakes_[0]
    assert (first["row"], model.classes_[first["predicted"]]) == (0, 1)
    after_first = model.coef_[0] + [1, 1, 1]
    assert after_first.tolist() == [-2, 2, 1]
    assert after_first @ [4, 0, 1] == 10 - 17


def test_the_multiclass_example():
    start = [[-2.0, 2, 1], [0, 3, 4], [1, 4, -2]]
    steps = list(reference.multiclass_pass([[-2, 3, 1]], [2], start))
    rival, weights = steps[0]
    assert rival == 1
    assert [list(w) for w in weights] == [[-2, 2, 1], [2, 0, 3], [-1, 7, -1]]
    assert [reference.dot(w, [-2, 3, 1]) for w in weights] == [11, -1, 22]
    # The other two rows only name the other classes; at length 0 they change nothing.
    model = notes_model(max_iter=1, fit_intercept=False)
    model.fit([[-2.0, 3, 1], [0, 0, 0], [0, 0, 0]], [2, 0, 1], coef_init=start)
    assert model.coef_.tolist() == [[-2, 2, 1], [2, 0, 3], [-1, 7, -1]]
    assert model.decision_function([[-2.0, 3, 1]]).tolist() == [[11, -1, 22]]


def test_the_rate_only_scales_from_a_start_at_zero():
    one = notes_model().fit(POINTS, LABELS)
    tenth = notes_model(eta0=0.1).fit(POINTS, LABELS)
    assert (tenth.n_iter_, tenth.n_mistakes_) == (one.n_iter_, one.n_mistakes_) == (230, 445)
    assert bias_first(tenth) == [0.1 * w for w in bias_first(one)]
    assert tenth.margin_bracket_ == one.margin_bracket_


def test_perceptron_loss_is_the_mean_of_how_far_wrong_rows_are():
    model = notes_model(max_iter=1).fit(POINTS, LABELS, coef_init=[0, 0], intercept_init=-1)  # ends at [-1, 1, -1]
    scores = [-1, 0, -3, -2, -2]
    assert model.decision_function(POINTS).tolist() == scores
    assert model.loss(POINTS, LABELS) == (0 + 0 + 3 + 2 + 0) / 5
    assert reference.loss(with_bias(POINTS), list(LABELS), [-1, 1, -1]) == 1


def test_the_update_is_a_subgradient_step():
    for predicted, y in ((1, -1), (-1, 1)):
        assert Fraction(-1, 2) * (predicted - y) == y


def test_one_tenth_as_a_rate_from_another_start_is_taken_as_it_is():
    model = notes_model(eta0=0.5, max_iter=1).fit(POINTS, LABELS, coef_init=[0, 0], intercept_init=-1)
    weights = [np.array([-1.0, 0, 0])]
    for f, y in zip(with_bias(POINTS), LABELS, strict=True):
        w = weights[-1]
        weights.append(w + 0.5 * y * np.array(f) if y * (w @ f) <= 0 else w)
    assert bias_first(model) == weights[-1].tolist()
    assert any(np.any(a != b) for a, b in pairwise(weights))
