"""Real data, where it is at hand."""

from __future__ import annotations

from rosenblatt import Perceptron


def test_mnist_averaged_ten_passes_has_under_seven_and_a_half_per_cent_error(mnist):
    X, y = mnist["train"]
    model = Perceptron(max_iter=10, tol=None, random_state=0).fit(X, y)
    assert model.n_iter_ == 10
    assert 1 - model.score(*mnist["test"]) < 0.075
