"""scikit-learn from raw columns: one-hot categories, scaled numbers and a classifier, all inside the clock."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from benchmarks.peers.contestant import Contestant, Settings
from benchmarks.peers.contestants.scikit_rows import averaged_perceptron, dumped_size
from benchmarks.peers.task import SEED, Part, Task


class ScikitTable(Contestant):
    """The data frame is made outside the clock."""

    package, module = "scikit-learn", "sklearn"
    kinds = ("table",)

    def classifier(self, settings: Settings) -> Any:
        raise NotImplementedError

    def prepare(self, task: Task, part: Part, settings: Settings) -> Any:
        return self.once(part.name, lambda: as_frame(part.rows)), part.codes

    def fit(self, given: Any, settings: Settings) -> Any:
        from sklearn.pipeline import make_pipeline

        frame, codes = given
        return make_pipeline(encoder_for(frame, sparse=True), self.classifier(settings)).fit(frame, codes)

    def predict(self, model: Any, given: Any) -> np.ndarray:
        return model.predict(given[0])

    def size(self, model: Any) -> int | None:
        return dumped_size(model)


class TableLiblinear(ScikitTable):
    """LIBLINEAR, its C chosen on the validation rows."""

    name = "sklearn one-hot LinearSVC"

    def options(self, task: Task) -> list[Settings]:
        return [{"C": C} for C in (0.01, 0.1, 1.0)]

    def classifier(self, settings: Settings) -> Any:
        from sklearn.svm import LinearSVC

        return LinearSVC(C=settings["C"], dual="auto", random_state=SEED)


class TableLogistic(ScikitTable):
    """Logistic regression, its C chosen on the validation rows."""

    name = "sklearn one-hot logistic"

    def options(self, task: Task) -> list[Settings]:
        return [{"C": C} for C in (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)]

    def classifier(self, settings: Settings) -> Any:
        from sklearn.linear_model import LogisticRegression

        return LogisticRegression(C=settings["C"], max_iter=2_000)


class TablePerceptron(ScikitTable):
    """Its perceptron with its defaults."""

    name = "sklearn one-hot Perceptron"

    def classifier(self, settings: Settings) -> Any:
        from sklearn.linear_model import Perceptron

        return Perceptron(random_state=SEED, n_jobs=1)


class TableAveraged(ScikitTable):
    """The averaged perceptron, by way of SGDClassifier."""

    name = "sklearn one-hot SGD averaged"

    def classifier(self, settings: Settings) -> Any:
        return averaged_perceptron()


def encoder_for(frame: Any, sparse: bool) -> Any:
    """Numbers centred and scaled, categories one-hot."""
    from sklearn.compose import make_column_transformer
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    numbers = [name for name in frame.columns if frame[name].dtype.kind in "if"]
    kinds = [name for name in frame.columns if name not in numbers]
    return make_column_transformer(
        (StandardScaler(), numbers),
        (OneHotEncoder(handle_unknown="ignore", sparse_output=sparse), kinds),
        sparse_threshold=1.0 if sparse else 0.0,
    )


def as_frame(columns: pa.Table) -> Any:
    """The columns as a data frame of objects and numbers, missing strings as a value of their own."""
    frame = columns.to_pandas()
    for name in frame.columns:
        if frame[name].dtype.kind not in "if":
            frame[name] = frame[name].astype(object).where(frame[name].notna(), "?")
        else:
            frame[name] = frame[name].fillna(frame[name].mean())
    return frame
