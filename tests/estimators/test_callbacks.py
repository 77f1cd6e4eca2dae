"""scikit-learn's callbacks, from 1.9 on: told of every pass, may end a run, and change nothing otherwise."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from rosenblatt import AssociationUnits, KernelPerceptron, NaiveBayes, Perceptron

callbacks = pytest.importorskip("sklearn.callback")
X, y = np.array([[1, 1], [3, 2], [2, 4], [3, 4], [2, 3]], float), np.array(["no", "yes", "yes", "yes", "no"])
NOTES = dict(shuffle=False, tol=None)


class Listener:
    """Writes down what it is told; asks to stop after so many passes, or fails there."""

    def __init__(self, stop_after=None, fail_after=None):
        self.told, self.fitted, self.stop_after, self.fail_after = [], [], stop_after, fail_after

    def setup(self, estimator, context):
        self.told.append("setup")

    def on_fit_task_begin(self, estimator, context):
        pass

    def on_fit_task_end(self, estimator, context, *, X, y, metadata, fitted_estimator):
        self.told.append(context.task_name)
        self.fitted.append(fitted_estimator)
        passes = self.told.count("pass")
        if passes == self.fail_after:
            raise RuntimeError("the callback fails")
        return context.task_name == "pass" and passes == self.stop_after

    def teardown(self, estimator, context):
        self.told.append("teardown")


@pytest.mark.parametrize("weights", ["final", "averaged", "pocket"])
def test_every_pass_is_told_with_the_perceptron_that_a_run_up_to_it_would_be(weights):
    listener = Listener()
    model = Perceptron(weights, **NOTES).set_callbacks(listener).fit(X, y)
    assert listener.told == ["setup", *["pass"] * model.n_iter_, "fit", "teardown"]
    for passes in (1, 7, 100):
        short = Perceptron(weights, max_iter=passes, **NOTES).fit(X, y)
        np.testing.assert_array_equal(listener.fitted[passes - 1].coef_, short.coef_)
        np.testing.assert_array_equal(listener.fitted[passes - 1].predict(X), short.predict(X))
    alone = Perceptron(weights, **NOTES).fit(X, y)
    np.testing.assert_array_equal(model.coef_, alone.coef_)
    assert (model.n_mistakes_, model.stopped_) == (alone.n_mistakes_, "separated")


def test_every_pass_of_a_kernel_is_told_with_the_list_so_far():
    listener = Listener()
    model = KernelPerceptron("poly", degree=2, gamma=1, shuffle=False).set_callbacks(listener).fit(X, y)
    alone = KernelPerceptron("poly", degree=2, gamma=1, shuffle=False).fit(X, y)
    np.testing.assert_array_equal(model.dual_coef_, alone.dual_coef_)
    short = KernelPerceptron("poly", degree=2, gamma=1, shuffle=False, max_iter=2).fit(X, y)
    np.testing.assert_array_equal(listener.fitted[1].dual_coef_, short.dual_coef_)
    np.testing.assert_array_equal(listener.fitted[1].decision_function(X), short.decision_function(X))


def test_a_callback_ends_a_run():
    for model in (Perceptron(weights="averaged", **NOTES), KernelPerceptron(gamma=9.0, degree=2, shuffle=False)):
        stopped = clone(model).set_callbacks(Listener(stop_after=1)).fit(X, y)
        assert (stopped.n_iter_, stopped.stopped_) == (1, "callback")
        once = clone(model).set_params(max_iter=1).fit(X, y)
        np.testing.assert_array_equal(stopped.decision_function(X), once.decision_function(X))


def test_a_callback_that_fails_is_torn_down_and_leaves_the_estimator_as_it_was():
    model = Perceptron(**NOTES).fit(X, y)
    before, listener = model.coef_.copy(), Listener(fail_after=2)
    with pytest.raises(RuntimeError, match="the callback fails"):
        model.set_callbacks(listener).fit(X[:, ::-1], y)
    assert listener.told == ["setup", "pass", "pass", "teardown"]
    np.testing.assert_array_equal(model.coef_, before)


def test_counting_is_one_task_and_votes_are_told_without_an_estimator():
    listener = Listener()
    NaiveBayes().set_callbacks(listener).fit(X, y)
    assert listener.told == ["setup", "fit", "teardown"]
    listener = Listener()
    model = Perceptron("voted", **NOTES).set_callbacks(listener).fit(X, y)
    assert listener.fitted[0] is None
    np.testing.assert_array_equal(listener.fitted[-1].predict(X), model.predict(X))


def test_the_progress_bar_shows_passes_also_within_a_pipeline(capsys):
    pytest.importorskip("rich")
    Perceptron(random_state=0).set_callbacks(callbacks.ProgressBar()).fit(X, y)
    assert "Perceptron" in capsys.readouterr().out
    pipeline = make_pipeline(AssociationUnits(20, fan_in=2), Perceptron(random_state=0))
    pipeline.set_callbacks(callbacks.ProgressBar(max_propagation_depth=None)).fit(X, y)
    assert "Perceptron" in capsys.readouterr().out


def test_the_scoring_monitor_follows_the_accuracy():
    monitor = callbacks.ScoringMonitor(scoring="accuracy")
    model = Perceptron("final", max_iter=5, **NOTES).set_callbacks(monitor).fit(X, y)
    rows = [row for row in monitor.get_logs().data if row["task_name"] == "pass"]
    wanted = [Perceptron("final", max_iter=k, **NOTES).fit(X, y).score(X, y) for k in range(1, 6)]
    assert [row["accuracy"] for row in rows] == wanted
    assert model.n_iter_ == 5
