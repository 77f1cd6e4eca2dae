"""What would turn a decision: the fewest words taken out, or values changed, after which another class is predicted.

Every row that is looked at is scored by the model itself, so what is said holds whatever the family. Where a score is a
sum over words present and values, none fewer can do it: of so many changes those that gain most against a rival do, and
the length that texts are scaled to depends on how many words are left alone. Otherwise sets of changes are tried, all
of them where they are few.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pyarrow as pa

from rosenblatt.data.table import Table
from rosenblatt.errors import SettingError
from rosenblatt.features.terms import Term
from rosenblatt.model.changes import Change, Number, changed_row, changes_of, nearest, plain_row

if TYPE_CHECKING:
    from rosenblatt.model.trained import Model

Looked: TypeAlias = Callable[[Sequence[Sequence[Change]]], np.ndarray]  # at the row with each set of changes
MOST_ROWS = 10_000  # that are scored; with more rivals only the nearest are tried
MOST_STEPS, NEAREST = 60, 3  # changes that are tried one after the other; of more the best, against so many rivals
ROUNDING = 1e-9  # of a sum: what is as close to a tie is left to the decision
MOST_SETS = 5_000  # of changes that are tried where scores are no sums


@dataclass(frozen=True, eq=False)
class Flip:
    """The changes, the class that is then predicted, and the row that has them."""

    predicted: str
    becomes: str
    changes: tuple[Change, ...]
    row: Table
    exact: bool  # whether it is known that no fewer changes of these kinds do it

    def __str__(self) -> str:
        return "\n".join([self.said, *(f"  {each}" for each in self.changes)])

    @property
    def said(self) -> str:
        """How many changes turn it, and whether fewer might."""
        count, several = len(self.changes), len(self.changes) > 1
        fewer = ("; no fewer do" if self.exact else "; fewer may do") if several else ""
        return f"{self.becomes} instead of {self.predicted} by {count} change{'s' if several else ''}{fewer}"

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values."""
        return {
            "predicted": self.predicted,
            "becomes": self.becomes,
            "exact": self.exact,
            "changes": [each.to_dict() for each in self.changes],
        }


def find_flip(model: Model, table: Table) -> Flip:
    """The fewest changes that turn the decision about the single row; SettingError where none of these kinds do."""
    # Of units a score is a sum, but no sum over the columns that are changed.
    formula = None if model.plan.units is not None else model.learner.summed_or_none(model.plan)
    terms: Sequence[Term] = model.plan.plain.terms() if formula is None else formula.terms
    unit = model.plan.unit if formula is None else formula.unit
    table = plain_row(model.plan, table)
    changes = changes_of(model.plan, terms, table, unit == "text")
    names = model.classes.names

    def scored(sets: Sequence[Sequence[Change]]) -> np.ndarray:
        """The scores of the row with each set of changes; of two classes both, with the line between them at 0."""
        rows = [changed_row(model.plan, table, each) for each in sets]
        scores = model.scores(joined(rows))
        if scores.ndim == 1:
            away = np.clip(scores, -1e300, 1e300) - np.clip(model.decision.threshold, -1e300, 1e300)
            return np.column_stack([-away / 2, away / 2])
        return np.nan_to_num(scores, neginf=-1e300)

    def decided(sets: Sequence[Sequence[Change]]) -> np.ndarray:
        return model.decision.decide(model.scores(joined([changed_row(model.plan, table, each) for each in sets])))

    before = int(decided([()])[0])
    if not changes:
        raise nothing_turns(names[before], "it has no word to take out and no value to change")
    first, singles = scored([()])[0], scored([[each] for each in changes])
    summed = partial(fewest_of_sum, changes, first, singles, scored, decided, before)
    if formula is not None and formula.unit != "rows" and all(each.exact for each in changes):
        found, exact = summed(unit == "text", max(1, MOST_ROWS // len(changes)))
    else:
        found, exact = exhausted(changes, before, decided)
        if not found and len(changes) > MOST_STEPS:  # as if they were sums
            found = summed(True, NEAREST)[0]
        elif not found:
            found = stepwise(changes, scored, before)
            found = pruned(found, before, decided) if decided([found])[0] != before else []
    if not found:
        raise nothing_turns(names[before], "not even by all words and values that speak for it")
    found = settled_numbers(found, changes, before, decided)
    turned = changed_row(model.plan, table, found)
    return Flip(names[before], model.predict(turned)[0], tuple(found), turned, exact or len(found) == 1)


def fewest_of_sum(
    changes: Sequence[Change],
    first: np.ndarray,
    singles: np.ndarray,
    scored: Looked,
    decided: Looked,
    before: int,
    scaled: bool,
    most: int,
) -> tuple[list[Change], bool]:
    """The fewest changes against the nearest rivals; and whether all rivals were tried, so that none fewer do.

    first, singles    the scores of the row, and of the row with each change
    scaled    whether words share a length; most    rivals that are tried
    """
    best: list[Change] = []
    rivals = [int(c) for c in np.argsort(-first, kind="stable") if c != before]
    for rival in rivals[:most]:
        lead = first[before] - first[rival]
        gains = lead - (singles[:, before] - singles[:, rival])
        sets = fewest(changes, gains, scored, before, rival, lead, len(best) or len(changes) + 1, scaled)
        best = next((found for found in sets if decided([found])[0] != before), best)
    return best, len(rivals) <= most


def exhausted(changes: Sequence[Change], before: int, decided: Looked) -> tuple[list[Change], bool]:
    """The fewest changes by trying all sets of them, as far as these are few; and whether they were found so."""
    left = MOST_SETS
    for count in range(1, len(changes) + 1):
        left -= math.comb(len(changes), count)
        if left < 0:
            break
        sets = [each for each in combinations(changes, count) if len({one.place for one in each}) == count]
        turned = np.flatnonzero(decided(sets) != before) if sets else np.empty(0, int)
        if len(turned):
            found = list(sets[int(turned[0])])
            return found, not any(isinstance(each, Number) for each in found)
    return [], False


def stepwise(changes: Sequence[Change], scored: Looked, before: int) -> list[Change]:
    """Changes one after the other, each the one after which the lead is smallest, until it is gone or none is left."""
    found, left = list[Change](), list(changes)
    while left:
        scores = scored([[*found, each] for each in left])
        rivals = np.delete(scores, before, axis=1).max(axis=1)
        best = int(np.argmin(scores[:, before] - rivals))
        found.append(left[best])
        if scores[best, before] <= rivals[best]:
            break
        left = [each for each in left if each.place != found[-1].place]
    return found


def joined(rows: Sequence[Table]) -> Table:
    """The rows as one table."""
    origin = rows[0].origin
    numbers = np.repeat(origin.numbers[:1], len(rows))
    columns = pa.concat_tables([row.columns for row in rows]).combine_chunks()
    where = replace(origin, numbers=numbers, paths=None)
    return replace(rows[0], columns=columns, labels=None, origin=where)


def nothing_turns(predicted: str, why: str) -> SettingError:
    """What is said where nothing turns the decision."""
    return SettingError(
        f"no word taken out and no known value put in its place turns {predicted!r} into another class: {why}."
    )


def fewest(
    changes: Sequence[Change],
    gains: np.ndarray,
    scored: Looked,
    before: int,
    rival: int,
    lead: float,
    limit: int,
    scaled: bool,
) -> Iterator[list[Change]]:
    """Sets of fewer than `limit` changes after which the rival is level or ahead, the smallest first.

    Of words and of values apart those that gain most; of both together the best parting of so many changes.
    """
    order = np.argsort(-gains, kind="stable").tolist()
    words = [changes[j] for j in order if changes[j].word]  # all: among fewer words, those that are left weigh more
    values, taken = list[tuple[float, Change]](), set[str]()
    for j in order:  # one change of each column, the best; each tag is one of its own
        if not changes[j].word and gains[j] > 0 and changes[j].place not in taken:
            taken.add(changes[j].place)
            values.append((float(gains[j]), changes[j]))
    by_values = np.cumsum([0.0, *(gain for gain, _ in values)])
    by_words = np.zeros(1)
    if words and not scaled:
        by_words = np.cumsum([0.0, *(gains[j] for j in order if changes[j].word)])
    elif words:
        found = scored([words[:count] for count in range(1, min(limit, len(words) + 1))])
        by_words = np.append(by_words, lead - (found[:, before] - found[:, rival]))
    least = lead - ROUNDING * (lead + float(np.abs(gains).sum()))
    for count in range(1, min(limit, len(words) + len(values) + 1)):
        for some in range(max(0, count - len(values)), min(count, len(by_words) - 1) + 1):
            if by_words[some] + by_values[count - some] >= least:
                yield [*words[:some], *(each for _, each in values[: count - some])]


def settled_numbers(
    chosen: list[Change],
    every: Sequence[Change],
    before: int,
    decided: Looked,
) -> list[Change]:
    """The changes with each number only as far away as it has to be; of single numbers the one that moves least."""
    if len(chosen) == 1 and isinstance(chosen[0], Number):
        turned = decided([[each] for each in every]) != before
        plain = [each for each, turns in zip(every, turned, strict=True) if turns and not isinstance(each, Number)]
        if plain:
            return plain[:1]
        numbers = {each.place: each for each, turns in zip(every, turned, strict=True) if turns}
        moved = [nearest(each, [], before, decided) for each in numbers.values() if isinstance(each, Number)]
        return [min(moved, key=lambda each: each.distance)]
    for place, each in enumerate(chosen):
        if isinstance(each, Number):
            others = [other for other in chosen if other is not each]
            chosen = [*chosen[:place], nearest(each, others, before, decided), *chosen[place + 1 :]]
    return chosen


def pruned(chosen: list[Change], before: int, decided: Looked) -> list[Change]:
    """The changes without those that are not needed."""
    while len(chosen) > 1:
        fewer = [[other for other in chosen if other is not each] for each in chosen]
        turned = np.flatnonzero(decided(fewer) != before)
        if not len(turned):
            break
        chosen = fewer[int(turned[0])]
    return chosen
