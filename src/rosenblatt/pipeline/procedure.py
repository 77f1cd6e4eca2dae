"""The whole procedure up to the test: search, choice, fit, line between two classes, probabilities.

`train` does it once with all rows outside the test, and with `cv` once more for each fold.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rosenblatt.data.table import Table
from rosenblatt.features.contents import Contents, columns_read
from rosenblatt.model import Card, Model, Seen, Trial
from rosenblatt.model.ranking import Ranking
from rosenblatt.pipeline.calibrated import calibrate
from rosenblatt.pipeline.card import describe_search
from rosenblatt.pipeline.config import Config
from rosenblatt.pipeline.family import Candidate, Final, Parts
from rosenblatt.pipeline.final import fit, record_of
from rosenblatt.pipeline.finalists import Settled, settle, trials
from rosenblatt.pipeline.operating import by_ranking, by_validation
from rosenblatt.pipeline.ready import Ready
from rosenblatt.pipeline.runs import Conduct
from rosenblatt.pipeline.search import search
from rosenblatt.pipeline.smaller import fewer_features, later_bytes, pruned_facts


@dataclass(frozen=True, eq=False)
class Made:
    """The model as the procedure makes it, before any test; and what was found on the way."""

    model: Model
    settled: Settled
    candidates: list[Candidate]
    chosen: Candidate  # as it was fitted in the end
    final: Final
    parts: Parts
    known: Contents  # what the rows hold that it learned from, in the columns that it reads
    tested: Table  # the test rows, which nothing has looked at yet; none where they are out of fold
    opened: Contents  # what they hold
    ranking: Ranking | None  # of two classes: what every line would give

    @property
    def trials(self) -> list[Trial]:
        """What was tried, as a report shows it."""
        return trials(self.candidates, self.settled)


def learn_whole(ready: Ready, asked: Config, conduct: Conduct) -> Made:
    """The procedure over the rows that are ready; it looks at no row of a test part."""
    table, classes, codes, choices, kept = ready.table, ready.classes, ready.codes, ready.choices, ready.kept
    group, time = asked.get("group"), asked.get("time")
    parts, learned = ready.parts, ready.learned
    settled, candidates = settle(
        search(parts, choices, conduct),
        len(parts.wanted),
        learned if ready.judges is None else None,
        choices,
        conduct,
    )
    chosen, rows = settled.chosen.lightened(parts, choices, conduct), learned.table
    kind = f"by group {group!r}" if group else f"by time {time!r}" if time else "by class"

    def fitted(one: Candidate) -> Final:
        return fit(one, rows, codes[kept], len(classes.names), choices.seed, conduct, choices.record)

    def described(final: Final) -> Card:
        return describe_search(
            table, classes, codes, ready.split, ready.contents, choices, settled, final, kind, asked.to_dict(),
            ready.judges,
        )  # fmt: skip

    final = fitted(chosen)
    part = np.isin(np.arange(table.n_rows), kept)
    record = record_of(final, rows, part, ready.contents.take(kept)) if choices.record else None
    whole = ready.contents.of_columns(table, columns_read(final.plan))
    known = whole.take(kept)
    tested = table.take(ready.split.test) if ready.apart is None else ready.apart
    opened = whole.take(ready.split.test) if ready.apart is None else Contents.of_plan(ready.apart, final.plan)
    card = described(final)
    card["notes"] += chosen.notes(final)
    card["notes"] += ready.copies_of_judges(final.plan, {"training": known, "test": opened})
    model = Model(final.plan, classes, final.learner, card, record, Seen.of(known), chosen.decision)
    if found := fewer_features(model, chosen, choices, later_bytes(model, choices), fitted):
        chosen, final = found
        told = pruned_facts(model, chosen, final, parts, choices, conduct)
        card = {**described(final), "notes": card["notes"], "pruned": told}
        model = replace(model, plan=final.plan, learner=final.learner, card=card)
    ranking, goal = None, asked.goal
    if choices.calibration != "none":
        held = None if ready.held is None else table.take(ready.held)
        scored = settled.scored if chosen is settled.chosen else None
        model, ranking = calibrate(model, chosen, final, learned, held, scored, conduct)
    if goal is not None and ranking is not None and ready.judges is None:
        model = by_ranking(model, goal, ranking)
    elif goal is not None:
        model = by_validation(model, goal, parts, chosen, choices.seed, conduct)
    return Made(model, settled, candidates, chosen, final, parts, known, tested, opened, ranking)
