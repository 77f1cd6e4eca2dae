"""scikit-learn's linear classifiers and naive Bayes on ready rows."""

from __future__ import annotations

import io
from typing import Any, ClassVar

import numpy as np

from benchmarks.peers.contestant import Contestant, Settings
from benchmarks.peers.task import SEED, Part, Task

STRENGTHS = (0.01, 0.1, 1.0)  # alpha of naive Bayes
COSTS = {"sparse": (0.01, 0.1, 1.0, 10.0), "dense": (0.001, 0.01, 0.1, 1.0)}  # C of LIBLINEAR


class ScikitRows(Contestant):
    """Rows as they are or of unit length where sparse; dense ones as they are or between 0 and 1."""

    package, module = "scikit-learn", "sklearn"
    kinds = ("sparse", "dense")
    forms: ClassVar[dict[str, tuple[str, ...]]] = {
        "sparse": ("unit length", "as they are"),
        "dense": ("0 to 1", "as they are"),
    }

    def options(self, task: Task) -> list[Settings]:
        return [{"rows": form, **more} for form in self.forms[task.kind] for more in self.grid(task)]

    def grid(self, task: Task) -> list[Settings]:
        return [{}]

    def prepare(self, task: Task, part: Part, settings: Settings) -> Any:
        made = self.once((part.name, settings["rows"]), lambda: in_form(part.rows, settings["rows"], task))
        return made, part.codes

    def fit(self, given: Any, settings: Settings) -> Any:
        return self.estimator(settings).fit(*given)

    def estimator(self, settings: Settings) -> Any:
        raise NotImplementedError

    def predict(self, model: Any, given: Any) -> np.ndarray:
        return model.predict(given[0])

    def size(self, model: Any) -> int | None:
        return dumped_size(model)


class ScikitPerceptron(ScikitRows):
    """Its perceptron with its defaults: final weights, one against the rest."""

    name = "sklearn Perceptron"

    def estimator(self, settings: Settings) -> Any:
        from sklearn.linear_model import Perceptron

        return Perceptron(random_state=SEED, n_jobs=1)


class ScikitAveraged(ScikitRows):
    """The averaged perceptron, by way of SGDClassifier."""

    name = "sklearn SGD averaged"

    def estimator(self, settings: Settings) -> Any:
        return averaged_perceptron()


class ScikitLiblinear(ScikitRows):
    """LIBLINEAR, its C chosen on the validation rows."""

    name = "sklearn LinearSVC"
    most_searched = 20_000  # of 60,000 rows of 784 bytes some options take a minute
    # LIBLINEAR's guide: scale dense values first
    forms: ClassVar[dict[str, tuple[str, ...]]] = {"sparse": ("unit length", "as they are"), "dense": ("0 to 1",)}

    def grid(self, task: Task) -> list[Settings]:
        return [{"C": C} for C in COSTS[task.kind]]

    def estimator(self, settings: Settings) -> Any:
        from sklearn.svm import LinearSVC

        return LinearSVC(C=settings["C"], dual="auto", random_state=SEED)


class ScikitBernoulli(ScikitRows):
    """Naive Bayes over what is present, its smoothing chosen on the validation rows."""

    name = "sklearn BernoulliNB"
    family = "bayes"
    forms: ClassVar[dict[str, tuple[str, ...]]] = {"sparse": ("as they are",), "dense": ("as they are", "0 to 1")}

    def grid(self, task: Task) -> list[Settings]:
        return [{"alpha": alpha} for alpha in STRENGTHS]

    def estimator(self, settings: Settings) -> Any:
        from sklearn.naive_bayes import BernoulliNB

        return BernoulliNB(alpha=settings["alpha"], binarize=0.5 if settings["rows"] == "0 to 1" else 0.0)


class ScikitMultinomial(ScikitRows):
    """Naive Bayes over counts, its smoothing chosen on the validation rows."""

    name = "sklearn MultinomialNB"
    family = "bayes"

    def declines(self, task: Task) -> str:
        values = task.both.rows if task.kind == "dense" else task.both.rows.data
        return "needs values of at least 0" if values.min() < 0 else ""

    def grid(self, task: Task) -> list[Settings]:
        return [{"alpha": alpha} for alpha in STRENGTHS]

    def estimator(self, settings: Settings) -> Any:
        from sklearn.naive_bayes import MultinomialNB

        return MultinomialNB(alpha=settings["alpha"])


def averaged_perceptron() -> Any:
    """The perceptron of Freund and Schapire in scikit-learn's terms."""
    from sklearn.linear_model import SGDClassifier

    return SGDClassifier(
        loss="perceptron", learning_rate="constant", eta0=1.0, penalty=None, average=True, random_state=SEED, n_jobs=1
    )


def in_form(rows: Any, form: str, task: Task) -> Any:
    """The rows, scaled as the form says."""
    if form == "unit length":
        from sklearn.preprocessing import normalize

        scaled = normalize(rows)
        scaled.indices, scaled.indptr = scaled.indices.astype(np.int32), scaled.indptr.astype(np.int32)
        return scaled
    if form == "0 to 1":
        return rows / float(task.both.rows.max())
    return rows


def dumped_size(model: Any) -> int:
    """The bytes that joblib writes, which is how scikit-learn's users store models."""
    import joblib

    stream = io.BytesIO()
    joblib.dump(model, stream)
    return stream.getbuffer().nbytes
