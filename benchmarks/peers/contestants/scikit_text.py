"""scikit-learn from strings: a vectorizer and a classifier behind it, both inside the clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.peers.contestant import Contestant, Search, Settings
from benchmarks.peers.contestants.scikit_rows import averaged_perceptron, dumped_size
from benchmarks.peers.task import SEED, Part, Task


class ScikitText(Contestant):
    """The search makes the words once and tries the classifiers on them."""

    package, module = "scikit-learn", "sklearn"
    kinds = ("text",)

    def vectorizer(self) -> Any:
        raise NotImplementedError

    def classifier(self, settings: Settings) -> Any:
        raise NotImplementedError

    def prepare(self, task: Task, part: Part, settings: Settings) -> Any:
        return part.rows, part.codes

    def fit(self, given: Any, settings: Settings) -> Any:
        from sklearn.pipeline import make_pipeline

        return make_pipeline(self.vectorizer(), self.classifier(settings)).fit(*given)

    def predict(self, model: Any, given: Any) -> np.ndarray:
        return model.predict(given[0])

    def search(self, task: Task, tell: Callable[[Search], None] = lambda so_far: None) -> Search:
        options = self.options(task)
        if len(options) == 1:
            return Search(options[0], 0.0, 1)
        started = time.perf_counter()
        words = self.vectorizer()
        train, validation = words.fit_transform(task.train.rows), words.transform(task.validation.rows)
        found = Search(options[0], time.perf_counter() - started, 0, best=-1.0)
        for settings in options:
            started = time.perf_counter()
            accuracy = self.classifier(settings).fit(train, task.train.codes).score(validation, task.validation.codes)
            found = found.after(settings, float(accuracy), time.perf_counter() - started)
            tell(found)
        return found

    def size(self, model: Any) -> int | None:
        return dumped_size(model)


class TfidfLiblinear(ScikitText):
    """What most people would write: tf-idf and LIBLINEAR, its C chosen on the validation rows."""

    name = "sklearn tf-idf LinearSVC"

    def options(self, task: Task) -> list[Settings]:
        return [{"C": C} for C in (0.1, 1.0, 10.0)]

    def vectorizer(self) -> Any:
        from sklearn.feature_extraction.text import TfidfVectorizer

        return TfidfVectorizer()

    def classifier(self, settings: Settings) -> Any:
        from sklearn.svm import LinearSVC

        return LinearSVC(C=settings["C"], random_state=SEED)

    def cold_start(self, model: Any, message: str) -> str | None:
        if type(self) is not TfidfLiblinear:  # its relatives start in the same time
            return None
        import joblib

        path = self.folder / "pipeline.joblib"
        joblib.dump(model, path)
        return f"import joblib\nprint(joblib.load({str(path)!r}).predict([{message!r}]))"


class TfidfAveraged(TfidfLiblinear):
    """The averaged perceptron over tf-idf."""

    name = "sklearn tf-idf SGD averaged"

    def options(self, task: Task) -> list[Settings]:
        return [{}]

    def classifier(self, settings: Settings) -> Any:
        return averaged_perceptron()


class TfidfMultinomial(TfidfLiblinear):
    """Naive Bayes over tf-idf."""

    name = "sklearn tf-idf MultinomialNB"
    family = "bayes"

    def options(self, task: Task) -> list[Settings]:
        return [{"alpha": alpha} for alpha in (0.001, 0.01, 0.1, 1.0)]

    def classifier(self, settings: Settings) -> Any:
        from sklearn.naive_bayes import MultinomialNB

        return MultinomialNB(alpha=settings["alpha"])


class CountLiblinear(TfidfLiblinear):
    """LIBLINEAR over counted words."""

    name = "sklearn counts LinearSVC"

    def options(self, task: Task) -> list[Settings]:
        return [{"C": C} for C in (0.001, 0.01, 0.1)]

    def vectorizer(self) -> Any:
        from sklearn.feature_extraction.text import CountVectorizer

        return CountVectorizer(dtype=np.float64)


class CountMultinomial(TfidfMultinomial):
    """Naive Bayes over counted words."""

    name = "sklearn counts MultinomialNB"
    family = "bayes"

    def vectorizer(self) -> Any:
        from sklearn.feature_extraction.text import CountVectorizer

        return CountVectorizer()


class CountBernoulli(CountMultinomial):
    """Naive Bayes over words present or not."""

    name = "sklearn counts BernoulliNB"

    def classifier(self, settings: Settings) -> Any:
        from sklearn.naive_bayes import BernoulliNB

        return BernoulliNB(alpha=settings["alpha"])
