"""scikit-learn's API, a thin coat over learn/."""

from rosenblatt.estimators.from_model import estimator
from rosenblatt.estimators.kernel import KernelPerceptron
from rosenblatt.estimators.naive_bayes import NaiveBayes
from rosenblatt.estimators.perceptron import Perceptron

__all__ = ["KernelPerceptron", "NaiveBayes", "Perceptron", "estimator"]
