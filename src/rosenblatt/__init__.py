"""Linear classifiers that show their working: perceptrons and naive Bayes, fast, exact and explainable.

The public names load on first use, so that `import rosenblatt` costs neither numba nor scikit-learn.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt.estimators import AssociationUnits as AssociationUnits
    from rosenblatt.estimators import KernelPerceptron as KernelPerceptron
    from rosenblatt.estimators import NaiveBayes as NaiveBayes
    from rosenblatt.estimators import Perceptron as Perceptron
    from rosenblatt.estimators import estimator as estimator
    from rosenblatt.model.comparison import compare as compare
    from rosenblatt.pipeline import train as train
    from rosenblatt.pipeline.review import review as review
    from rosenblatt.proofs import prove as prove
    from rosenblatt.report.drawing import draw as draw
    from rosenblatt.report.estimate import estimate as estimate
    from rosenblatt.report.orders import compare_orders as compare_orders
    from rosenblatt.report.plots import plot_boundary as plot_boundary
    from rosenblatt.report.plots import plot_passes as plot_passes
    from rosenblatt.report.plots import plot_weights as plot_weights
    from rosenblatt.store import load as load
    from rosenblatt.store import save as save
    from rosenblatt.traces import trace as trace
    from rosenblatt.traces.descent import descend as descend

__version__ = "0.2.0.dev0"

_HOMES = {
    "AssociationUnits": "rosenblatt.estimators",
    "KernelPerceptron": "rosenblatt.estimators",
    "NaiveBayes": "rosenblatt.estimators",
    "Perceptron": "rosenblatt.estimators",
    "compare": "rosenblatt.model.comparison",
    "compare_orders": "rosenblatt.report.orders",
    "descend": "rosenblatt.traces.descent",
    "draw": "rosenblatt.report.drawing",
    "estimate": "rosenblatt.report.estimate",
    "estimator": "rosenblatt.estimators",
    "load": "rosenblatt.store",
    "plot_boundary": "rosenblatt.report.plots",
    "plot_passes": "rosenblatt.report.plots",
    "plot_weights": "rosenblatt.report.plots",
    "prove": "rosenblatt.proofs",
    "review": "rosenblatt.pipeline.review",
    "save": "rosenblatt.store",
    "show_lab": "rosenblatt.lab.notebook",  # not above: layers below the lab import this module for its version
    "trace": "rosenblatt.traces",
    "train": "rosenblatt.pipeline",
}

__all__ = [
    "AssociationUnits",
    "KernelPerceptron",
    "NaiveBayes",
    "Perceptron",
    "__version__",
    "compare",
    "compare_orders",
    "descend",
    "draw",
    "estimate",
    "estimator",
    "load",
    "plot_boundary",
    "plot_passes",
    "plot_weights",
    "prove",
    "review",
    "save",
    "show_lab",
    "trace",
    "train",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(
            f"module 'rosenblatt' has no attribute {name!r}. Public names: {', '.join(sorted(_HOMES))}."
        )
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
