"""`fit_all`: the choice fitted to all rows after the test part was opened; figures stay those of the model before."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rosenblatt.errors import SettingError
from rosenblatt.features.contents import columns_read
from rosenblatt.model import Model, Seen
from rosenblatt.pipeline.card import with_all
from rosenblatt.pipeline.crossfit import own_spread
from rosenblatt.pipeline.family import Candidate, Final
from rosenblatt.pipeline.final import fit, record_of
from rosenblatt.pipeline.ready import Ready
from rosenblatt.pipeline.runs import Conduct
from rosenblatt.pipeline.smaller import fewer_features

MORE = 1_000  # bytes of what its card says of it
NOTE = "fitted to all rows after the test: the test result is that of the model before, which had not seen these rows"


def check_all(ready: Ready) -> None:
    """Refuses test rows that are given apart: they are no rows of the data."""
    if ready.apart is not None:
        raise SettingError("fit_all is for a test part of the data. Put the test rows into the data, or leave it out.")


def fit_to_all(model: Model, chosen: Candidate, before: Final, ready: Ready, conduct: Conduct) -> Model:
    """The model of the same settings over all rows but those held out for calibration.

    Its scores are larger than those of the model before; line and calibration are moved as the spread of the scores is.
    """
    table, held = ready.table, np.empty(0, np.int64) if ready.held is None else ready.held
    rows = np.setdiff1d(np.arange(table.n_rows), held)
    everything, codes = table.take(rows), ready.codes[rows]
    seed, record = ready.choices.seed, ready.choices.record

    def fitted(one: Candidate) -> Final:
        return fit(one, everything, codes, len(ready.classes.names), seed, conduct, record, "fit to all rows")

    final = fitted(chosen)
    all_of = replace(model, plan=final.plan, learner=final.learner)
    if found := fewer_features(all_of, chosen, ready.choices, MORE, fitted):
        final = found[1]
    ratio = own_spread(final, everything) / own_spread(before, table.take(ready.kept))
    calibration = model.decision.calibration
    decision = replace(
        model.decision,
        threshold=model.decision.threshold * ratio,
        calibration=None if calibration is None else calibration.of_model(ratio),
    )
    part = np.isin(np.arange(table.n_rows), rows)
    contents = ready.contents.of_columns(table, columns_read(final.plan)).take(rows)
    return replace(
        model,
        plan=final.plan,
        learner=final.learner,
        card=with_all(model.card, final.plan, len(rows), NOTE),
        decision=decision,
        seen=Seen.of(contents),
        record=record_of(final, everything, part, ready.contents.take(rows)) if record else None,
    )
