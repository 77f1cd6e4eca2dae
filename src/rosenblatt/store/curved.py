"""The support rows of a kernel as arrays, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rosenblatt.claims import Misfit, array, number, whole
from rosenblatt.errors import SettingError
from rosenblatt.features import Plan
from rosenblatt.learn.kernel.choice import MOST_DEGREE, check_size
from rosenblatt.learn.kernel.grid import facts_of
from rosenblatt.learn.kernel.support import Support
from rosenblatt.learn.problem import square_lengths
from rosenblatt.loops.kernels import KERNELS, Kernel
from rosenblatt.loops.rows import Dense, n_rows
from rosenblatt.model import Curved
from rosenblatt.store.arrays import Tensors, lifted, narrow, only, settled
from rosenblatt.store.records import read_rows, rows_contents

WHOLE = "uint8 uint16 uint32"
ARRAYS = ("support.labels", "support.dual", "support.final")
NUMBERS = {"degree", "gamma", "coef0"}


def curve_contents(learner: Curved, tensors: Tensors) -> dict[str, Any]:
    """The plain values of a kernel; its rows and what they count go to the tensors."""
    rows, kernel = learner.support.rows, learner.support.kernel
    rows_contents(rows, "support", tensors)
    tensors["support.labels"], tensors["support.dual"] = narrow(learner.labels), np.ascontiguousarray(learner.dual)
    if learner.final is not None:
        tensors["support.final"] = np.ascontiguousarray(learner.final)
    return {
        "kernel": KERNELS[kernel.kind],
        "degree": kernel.degree,
        "gamma": kernel.gamma,
        "coef0": kernel.coef0,
        "dense": isinstance(rows, Dense),
        "origins": lifted(learner.origins, "support.origins", tensors),
        "shown": lifted(learner.shown, "support.shown", tensors),
    }


def read_curve(plain: Mapping[str, Any], free: Tensors, plan: Plan, n_classes: int, ties: str) -> Curved:
    """The kernel and its rows; DataError or Misfit where they do not fit the plan, the classes, or themselves."""
    only(plain, {"kind", "ties", "threshold", "kernel", "dense", "origins", "shown"} | NUMBERS, "the learner")
    if plain["kernel"] not in KERNELS or type(plain["dense"]) is not bool:
        raise Misfit("the learner does not say which kernel it has, or how its rows are stored")
    whole(1, MOST_DEGREE)(plain["degree"], "learner.degree")
    for name in ("gamma", "coef0"):
        number(0)(plain[name], f"learner.{name}")
    rows = read_rows("support", plain["dense"], free, plan.width)._replace(bias=0.0)
    given: Tensors = {name: free.pop(name) for name in list(ARRAYS) if name in free}
    count = n_rows(rows)
    labels = array(given, "support.labels", WHOLE, (count,), 0, n_classes - 1).astype(np.int32)
    shape = (1 if n_classes == 2 else n_classes, count)
    dual = _numbers(given, "support.dual", shape)
    final = _numbers(given, "support.final", shape) if "support.final" in given else None
    origins, shown = (tuple(settled(plain[name], free)) for name in ("origins", "shown"))
    if not len(origins) == len(shown) == count or not all(isinstance(each, str) for each in origins + shown):
        raise Misfit("the learner must say where each of its rows came from")
    kernel = Kernel(KERNELS.index(plain["kernel"]), plain["degree"], float(plain["gamma"]), float(plain["coef0"]))
    squares = square_lengths(rows)
    try:
        check_size(kernel, float(squares.max(initial=0.0)))
    except SettingError:
        raise Misfit("the kernel of the learner could overflow on its rows") from None
    return Curved(Support(kernel, rows, facts_of(rows, squares)), dual, labels, origins, shown, final)


def _numbers(given: Tensors, name: str, shape: tuple[int, int]) -> np.ndarray:
    found = given.get(name, np.zeros(0))
    if found.shape != shape or found.dtype != np.float64 or not np.isfinite(found).all():
        raise Misfit(f"the array {name} must have a finite number for each class and row")
    return found
