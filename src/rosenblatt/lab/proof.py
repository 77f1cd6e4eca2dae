"""The call `proof`: the verdict about points for which the page has none; engine/proof.js says it in words."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rosenblatt.lab.bench import read_bench
from rosenblatt.lab.sessions import Session
from rosenblatt.proofs.clock import Clock
from rosenblatt.proofs.input import read_question
from rosenblatt.proofs.portfolio import answer
from rosenblatt.proofs.verdicts import Inseparable, Separable

SECONDS = 3.0


def proof(_: Session, body: dict[str, Any]) -> dict[str, Any]:
    """What is proved, as `prove` in engine/proof.js has it; whole numbers as text, since some have many digits."""
    verdict = answer(read_question(*read_bench(body)), Clock(SECONDS))
    if isinstance(verdict, Separable):
        best, (low, high) = verdict.best, verdict.best_margin
        return {
            "kind": verdict.kind,
            "foundBy": verdict.found_by,
            "weights": np.asarray(best.weights, np.float64).ravel().tolist(),
            "margin": low,
            "high": high if math.isfinite(high) else None,
            "gap": best.gap,
            "radius": best.radius,
            "bound": str(best.mistake_bound),
            "support": list(verdict.support),
        }
    if isinstance(verdict, Inseparable):
        return {
            "kind": verdict.kind,
            "foundBy": verdict.found_by,
            "rows": list(verdict.rows),
            "others": list(verdict.others),
            "multipliers": [str(m) for m in verdict.multipliers],
        }
    return {"kind": verdict.kind, "high": verdict.high if math.isfinite(verdict.high) else None, "seconds": SECONDS}
