"""scikit-learn's API, a thin coat over learn/."""

from rosenblatt.estimators.from_model import estimator
from rosenblatt.estimators.kernel import KernelPerceptron
from rosenblatt.estimators.naive_bayes import NaiveBayes
from rosenblatt.estimators.perceptron import Perceptron
from rosenblatt.estimators.units import AssociationUnits

__all__ = ["AssociationUnits", "KernelPerceptron", "NaiveBayes", "Perceptron", "estimator"]
