"""scikit-learn's API, a thin coat over learn/."""

from rosenblatt.estimators.perceptron import Perceptron

__all__ = ["Perceptron"]
