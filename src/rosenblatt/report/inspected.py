"""What is in a model file, for `inspect` and for a cell of a notebook."""

from __future__ import annotations

from rosenblatt.model import Model
from rosenblatt.report.facts import Fact, data_fact, proof_fact, pruned_fact


def model_facts(model: Model) -> list[Fact]:
    """What it was trained on, what was chosen, how it did, what it proves, and which training rows it holds."""
    card = model.card
    facts: list[Fact | None] = [data_fact(card), Fact("model", (card["choice"]["name"],))]
    if "test" in card:
        test = card["test"]
        facts.append(Fact("test", (f"{test['accuracy']:.1%} of {test['rows']:,} rows, when it was trained",)))
    if "cv" in card:
        cv = card["cv"]
        of = f"{cv['folds']} folds of {cv['rows']:,} rows"
        facts.append(
            Fact("folds", (f"{cv['accuracy']:.1%} ± {100 * cv['deviation']:.1f} over {of}, when it was trained",))
        )
    facts += [pruned_fact(card), proof_fact(card)]
    for update in card["updates"]:
        mistakes = f"{update['mistakes']:,} mistakes"
        facts.append(Fact("updated", (f"with {update['rows']:,} rows of {update['source']}, {mistakes}",)))
    if model.record is not None:
        rows = f"CONTAINS {len(model.record.origins):,} TRAINING ROWS, as they were in the data"
        facts.append(Fact("record", ("every update in its order" if model.learner.holds_rows else rows,)))
    if model.learner.kept:
        label, _, kept = model.learner.kept.partition(" ")
        facts.append(Fact(label, (kept.strip(),)))
    return [fact for fact in facts if fact is not None]
