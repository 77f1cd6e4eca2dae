"""scikit-learn's callbacks, which it has from 1.9 on and calls experimental: a task for a fit, and one for each pass.

Under older versions there is nothing to call, and estimators have no `set_callbacks`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self, TypeVar

try:
    import sklearn.callback as callbacks
except ImportError:  # before 1.9
    callbacks = None

Method = TypeVar("Method", bound=Callable[..., Any])


class Without:
    """In place of scikit-learn's mixin where there is none."""


TakesCallbacks: Any = Without if callbacks is None else callbacks.CallbackSupportMixin


def with_callbacks(method: Method) -> Method:
    """The method, after which callbacks are told that it has ended, well or not."""
    return method if callbacks is None else callbacks.with_callbacks(method)


class FitTask:
    """A fit as its callbacks see it; methods that call `begin` are decorated by `with_callbacks`, which ends it."""

    def __init__(self, estimator: Any, context: Any, given: dict[str, Any]) -> None:
        self.estimator, self.context, self.given = estimator, context, given

    @classmethod
    def begin(cls, estimator: Any, X: Any, y: Any, sample_weight: Any, most: Any = 0) -> Self | None:
        """The task, in which there will be at most so many passes; None where nobody listens."""
        if callbacks is None or not {"_skl_callbacks", "_parent_callback_ctx"} & vars(estimator).keys():
            return None
        metadata = None if sample_weight is None else {"sample_weight": sample_weight}
        given = {"estimator": estimator, "X": X, "y": y, "metadata": metadata}
        context = estimator._init_callback_context(max_subtasks=most if isinstance(most, int) else None)
        context.call_on_fit_task_begin(**given)
        return cls(estimator, context, given)

    def after_pass(self, so_far: Callable[[], dict[str, Any] | None]) -> bool:
        """Tells of a pass; true where a callback asks to stop. `so_far` gives attributes of a fit that ends with it."""
        context = self.context.subcontext(task_name="pass")
        context.call_on_fit_task_begin(**self.given)
        return bool(context.call_on_fit_task_end(**self.given, reconstruction_attributes=so_far))

    def end(self) -> None:
        """Tells that the estimator is fitted."""
        self.context.call_on_fit_task_end(**self.given, reconstruction_attributes=lambda: vars(self.estimator))
