"""scikit-learn where a line does not suffice: support vectors with a kernel, and gradient boosting of trees."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.peers.contestant import Contestant, Settings
from benchmarks.peers.contestants.ours import slow_curves
from benchmarks.peers.contestants.scikit_rows import dumped_size, in_form
from benchmarks.peers.contestants.scikit_table import as_frame, encoder_for
from benchmarks.peers.task import SEED, Part, Task

COSTS, GAMMAS = (1.0, 10.0, 100.0), (1.0, 2.0, 4.0)  # gamma in multiples of scikit-learn's "scale"
CACHE = 1_000  # MB: its guide advises 500 or 1,000 where memory allows


class Curved(Contestant):
    """Dense rows as they come or bytes between 0 and 1; tables as data frames, encoded inside the clock."""

    package, module = "scikit-learn", "sklearn"
    kinds = ("dense", "table")

    def prepare(self, task: Task, part: Part, settings: Settings) -> Any:
        return self.once(part.name, lambda: self._formed(task, part)), part.codes

    def _formed(self, task: Task, part: Part) -> Any:
        if task.kind == "table":
            return as_frame(part.rows)
        return in_form(part.rows, "0 to 1", task) if part.rows.dtype.kind == "u" else part.rows

    def fit(self, given: Any, settings: Settings) -> Any:
        raise NotImplementedError

    def predict(self, model: Any, given: Any) -> np.ndarray:
        return model.predict(given[0])

    def size(self, model: Any) -> int | None:
        return dumped_size(model)


class ScikitSVC(Curved):
    """LIBSVM with its rbf kernel: scaled inputs, and C and gamma by an exponential grid, as its guide advises."""

    name = "sklearn SVC"
    family = "curve"
    most_searched = 3_000

    def declines(self, task: Task) -> str:
        return slow_curves(task)

    def options(self, task: Task) -> list[Settings]:
        if task.kind == "table":
            return [{"C": C, "gamma": gamma} for C in (0.3, *COSTS) for gamma in ("scale", 0.003, 0.01, 0.03, 0.1)]
        rows = self.prepare(task, task.both, {})[0]
        scale = float(1 / (rows.shape[1] * rows.var()))
        return [{"C": C, "gamma": scale * times} for C in COSTS for times in GAMMAS]

    def fit(self, given: Any, settings: Settings) -> Any:
        from sklearn.pipeline import make_pipeline
        from sklearn.svm import SVC

        rows, codes = given
        machine = SVC(**settings, cache_size=CACHE)
        if isinstance(rows, np.ndarray):
            return machine.fit(rows, codes)
        return make_pipeline(encoder_for(rows, sparse=False), machine).fit(rows, codes)


class ScikitTrees(Curved):
    """Histogram gradient boosting: names as pandas' categories, no scaling, rate and leaves on the validation rows."""

    name = "sklearn HistGradientBoosting"
    family = "trees"
    most_searched = 10_000

    def declines(self, task: Task) -> str:
        return "takes many minutes over so many pixels" if task.curves == "only" else ""

    def options(self, task: Task) -> list[Settings]:
        ways = ((0.1, 31), (0.05, 31), (0.1, 15)) if task.n_classes == 2 else ((0.1, 31), (0.2, 31))
        return [{"learning_rate": rate, "max_leaf_nodes": leaves} for rate, leaves in ways]

    def _formed(self, task: Task, part: Part) -> Any:
        made = super()._formed(task, part)
        if isinstance(made, np.ndarray):
            return made
        names = [name for name in made.columns if made[name].dtype.kind not in "if"]
        return made.astype(dict.fromkeys(names, "category"))

    def fit(self, given: Any, settings: Settings) -> Any:
        from sklearn.ensemble import HistGradientBoostingClassifier

        return HistGradientBoostingClassifier(random_state=SEED, **settings).fit(*given)
