"""How the scores of a model become probabilities and sets, as plain values and arrays, and back."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rosenblatt.claims import array, either, fields, number, truth, words
from rosenblatt.errors import DataError
from rosenblatt.learn.calibration import LEVELS, Calibration, Ranks
from rosenblatt.store.arrays import Tensors, narrow, written

FORM = fields(
    {"slope": number(0), "shift": number(), "limit": either(words("inf"), number(0)), "doubt": number(0, 1)},
    {"held_out": truth},
    others=False,
)


def calibration_contents(calibration: Calibration, tensors: Tensors) -> dict[str, Any]:
    """The plain values that JSON holds; ranks are arrays."""
    plain: dict[str, Any] = {
        "slope": calibration.slope,
        "shift": calibration.shift,
        "limit": written(calibration.limit),
        "doubt": calibration.doubt,
    }
    if calibration.ranks is not None:
        tensors["calibration.rows"] = narrow(calibration.ranks.rows)
        tensors["calibration.least"] = calibration.ranks.least
        plain["held_out"] = calibration.ranks.held_out
    return plain


def read_calibration(plain: Any, free: Tensors, n_classes: int) -> Calibration:
    """The calibration that a file holds; Misfit or DataError where it cannot be one."""
    FORM(plain, "the calibration")
    ranks = None
    if "held_out" in plain:
        rows = array(free, "calibration.rows", "uint8 uint16 uint32 uint64", (n_classes,), 0, 2**53)
        least = array(free, "calibration.least", "float32", (n_classes, len(LEVELS)), 0, 1)
        if (np.diff(least, axis=1) > 0).any():
            raise DataError("the model's calibration is not in order. Train it again.")
        del free["calibration.rows"], free["calibration.least"]
        ranks = Ranks(rows.astype(np.int64), least, plain["held_out"])
    limit = math.inf if plain["limit"] == "inf" else float(plain["limit"])
    return Calibration(float(plain["slope"]), float(plain["shift"]), limit, float(plain["doubt"]), ranks)
