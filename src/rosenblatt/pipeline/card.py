"""Making the card of a model: of one that was searched for here, and of one that was made on a cluster."""

from __future__ import annotations

import math
import platform
import statistics
from collections.abc import Sequence
from dataclasses import asdict, replace
from importlib.metadata import version
from typing import Any

import numpy as np

from rosenblatt import __version__
from rosenblatt.data.table import Table
from rosenblatt.features import Classes, Plan, Split
from rosenblatt.features.contents import Contents
from rosenblatt.features.labels import alike
from rosenblatt.learn.kernel.run import KernelRun
from rosenblatt.learn.run import Run
from rosenblatt.model import Disk, Evaluation, Model, Reliability
from rosenblatt.model.card import (
    BeliefFacts,
    CalibrationFacts,
    Card,
    ChosenModel,
    ClassResult,
    FoldResult,
    Majority,
    MarginBounds,
    Measures,
    Receipt,
    ResultOfFolds,
    ResultOnTest,
    RunFacts,
    SplitCounts,
    ValidationResult,
    WithoutCopies,
)
from rosenblatt.pipeline.choices import Choices
from rosenblatt.pipeline.family import Final
from rosenblatt.pipeline.finalists import Settled
from rosenblatt.pipeline.operating import Goal, measures

FORMAT = 1
DRIFT = 4.0  # standard errors between the rows out of fold and those of the test, beyond which they are unlike


def describe(
    table: Table,
    source: str,
    classes: Classes,
    counts: np.ndarray,
    learned: np.ndarray,
    fingerprint: str,
    split: SplitCounts,
    notes: Sequence[str],
    plan: Plan,
    choice: ChosenModel,
    run: Run | KernelRun | None,
    validation: ValidationResult | None = None,
    config: dict[str, Any] | None = None,
) -> Card:
    """The card of any model; what the test shows is added later.

    table      the rows, or those on which plan and classes were learned
    counts     rows of each class, in all of the data; learned    and in what was learned from
    """
    most = int(learned.argmax())
    majority: Majority = {"class": classes.names[most], "share": float(learned[most] / learned.sum())}
    versions = {name: version(name) for name in ("numpy", "numba", "pyarrow")}
    card: Card = {
        "format": FORMAT,
        "source": source,
        "rows": int(counts.sum()),
        "columns": len(table.names),
        "features": plan.width,
        "label": table.label,
        "class_counts": {name: int(count) for name, count in zip(classes.names, counts, strict=True)},
        "majority": majority,
        "fingerprint": fingerprint,
        "split": split,
        "notes": [*notes, *plan.notes],
        "plan": str(plan).splitlines(),
        "choice": choice,
        "margin": _bracket(run),
        "proof": _proof(run),
        "versions": {**versions, "rosenblatt": __version__, "python": platform.python_version()},
        "updates": [],
    }
    if validation is not None:
        card["validation"] = validation
    if config is not None:
        card["config"] = config
    return card


def describe_search(
    table: Table,
    classes: Classes,
    codes: np.ndarray,
    split: Split,
    contents: Contents,
    choices: Choices,
    settled: Settled,
    final: Final,
    kind: str,
    config: dict[str, Any],
    judges: Table | None = None,
) -> Card:
    """The card of a model that was searched for on a split of the table, which is of this kind.

    judges    validation rows that were given apart
    """
    judged = len(split.validation) if judges is None else judges.n_rows
    learned = codes[np.concatenate([split.train, split.validation])]
    parted: SplitCounts = {
        "train": len(split.train), "validation": judged, "test": len(split.test),
        "seed": choices.seed, "duplicates": contents.copies, "kind": kind,
    }  # fmt: skip
    if not isinstance(choices.calibration, str):
        parted["calibration"] = len(codes) - len(split.train) - len(split.validation) - len(split.test)
    if judges is not None:
        parted["validation_source"] = judges.origin.source
    return describe(
        table,
        table.origin.source,
        classes,
        np.bincount(codes, minlength=len(classes.names)),
        np.bincount(learned, minlength=len(classes.names)),
        contents.fingerprint(codes),
        parted,
        [*table.notes, *alike(classes.names), *split.notes, *choices.notes],
        final.plan,
        _choice(settled, final, choices, settled.chosen.weighing.by_class(learned, len(classes.names))),
        final.run,
        {"accuracy": settled.chosen.accuracy, "rows": judged},
        config,
    )


def describe_disk(table: Table) -> Disk | None:
    """How much of the rows lay on the disk, and where it is kept; None where they were in memory.

    What former runs left of them there is forgotten. The card does not hold it: where the rows lay changes no bit of
    the model, and so no byte of its file.
    """
    if table.spool is None:
        return None
    from rosenblatt.data.cache import prune, size_of

    prune(table.spool.folder)
    return Disk(size_of(table.spool.folder), str(table.spool.folder) if table.spool.keeper is None else "")


def with_test(model: Model, evaluation: Evaluation, tested: Table, goal: Goal | None) -> Model:
    """The model with a card that says how it did on the test rows."""
    card, common = model.card, model.card["majority"]["class"]
    low, high = evaluation.interval
    test: ResultOnTest = {
        "accuracy": evaluation.accuracy,
        "low": low,
        "high": high,
        "rows": evaluation.n,
        "source": tested.origin.source,
        "always": evaluation.always(common),
        "per_class": _per_class(evaluation),
    }
    if evaluation.accuracy <= test["always"]:
        test["no_better"] = _no_better(common, test["always"])
    split = card["split"]
    if evaluation.training_rows and evaluation.fresh is not None:  # the test then measures memory too
        split = {**split, "copies_in_test": evaluation.training_rows}
        test["without_copies"] = _without_copies(evaluation.fresh)
    card = {**card, "split": split, "test": test}
    if "calibration" in card and evaluation.reliability is not None:
        card = {**card, "calibration": _tested(card["calibration"], evaluation, evaluation.reliability)}
    if goal is not None:
        found = measures(model.scores(tested), model.classes.encode(tested), model.decision)
        card = {**card, "goal": {**card["goal"], "test": found}}
    return replace(model, card=card)


def with_folds(model: Model, each: list[FoldResult], evaluation: Evaluation, goal: Measures | None) -> Model:
    """The model with a card that says how the procedure did in each fold; evaluation    of all rows out of fold."""
    card, common = model.card, model.card["majority"]["class"]
    mean, deviation = _mean([fold["accuracy"] for fold in each])
    cv: ResultOfFolds = {
        "folds": len(each),
        "rows": evaluation.n,
        "accuracy": mean,
        "deviation": deviation,
        "always": evaluation.always(common),
        "per_class": _per_class(evaluation),
        "each": each,
    }
    merits = [fold["merit"] for fold in each if "merit" in fold]
    if merits:
        cv["merit"], cv["merit_deviation"] = _mean(merits)
    if evaluation.accuracy <= cv["always"]:
        cv["no_better"] = _no_better(common, cv["always"])
    card = {**card, "cv": cv}
    if "calibration" in card and evaluation.reliability is not None:
        believed = _believed(evaluation, evaluation.reliability)
        card = {**card, "calibration": {**card["calibration"], "cv": believed}}
    if goal is not None:
        card = {**card, "goal": {**card["goal"], "cv": goal}}
    return replace(model, card=card)


def _mean(values: Sequence[float]) -> tuple[float, float]:
    """The mean, and the standard deviation of which these are a sample."""
    return statistics.fmean(values), statistics.stdev(values)


def _no_better(common: str, always: float) -> str:
    return f"no better than always saying {common!r}, which gets {always:.1%}"


def _per_class(evaluation: Evaluation) -> dict[str, ClassResult]:
    shares = zip(evaluation.precision, evaluation.recall, evaluation.rows, strict=True)
    found: list[ClassResult] = [
        {"precision": float(precision), "recall": float(recall), "rows": int(rows)}
        for precision, recall, rows in shares
    ]
    return dict(zip(evaluation.classes, found, strict=True))


def with_all(card: Card, plan: Plan, rows: int, note: str) -> Card:
    """The card of a model that was fitted to all rows after its test."""
    plain = str(plan).splitlines()
    card = {**card, "features": plan.width, "plan": plain, "notes": [*card["notes"], note], "fit_all": rows}
    return {**card, "pruned": {**card["pruned"], "features": plan.width}} if "pruned" in card else card


def _believed(evaluation: Evaluation, reliability: Reliability) -> BeliefFacts:
    """What probabilities and sets were worth."""
    coverage = evaluation.coverage
    found: BeliefFacts = {
        "log_loss": reliability.log_loss, "brier": reliability.brier, "error": reliability.error,
    }  # fmt: skip
    if coverage is not None:
        covered = zip(evaluation.classes, map(list, coverage.per_class), strict=True)
        found |= {"coverage": coverage.covered, "covered": dict(covered)}
        found |= {"empty": coverage.empty, "single": coverage.single, "larger": coverage.larger}
    return found


def _tested(facts: CalibrationFacts, evaluation: Evaluation, reliability: Reliability) -> CalibrationFacts:
    """What the calibration was worth on the test rows; and whether they are unlike the rows that it is from."""
    before, here = facts["right"] / facts["rows"], evaluation.accuracy
    error = math.sqrt(before * (1 - before) * (1 / facts["rows"] + 1 / evaluation.n))
    facts = {**facts, "test": _believed(evaluation, reliability)}
    if before - here > DRIFT * error:
        apart = f"{before:.1%} right out of fold, {here:.1%} on the test rows"
        facts["drift"] = f"the test rows are not like the training rows ({apart}): probabilities claim too much of them"
    return facts


def _without_copies(fresh: Evaluation) -> WithoutCopies:
    low, high = fresh.interval
    return {"accuracy": fresh.accuracy if fresh.n else None, "low": low, "high": high, "rows": fresh.n}


def _choice(settled: Settled, final: Final, choices: Choices, weights: np.ndarray | None) -> ChosenModel:
    chosen = settled.chosen
    made: ChosenModel = {"model": chosen.model, "name": chosen.name, "unit": final.plan.unit}
    if choices.merit != "accuracy":
        made["by"] = choices.merit
    if weights is not None:
        made["class_weights"] = weights.tolist()
    made["words"] = asdict(chosen.way.wishes.words)["weight"] if chosen.way.name != "unit rows" else "presence"
    if settled.finalists:
        made["cv"] = {
            "folds": settled.folds,
            "rows": settled.rows,
            "finalists": [{"name": each.name, "accuracy": accuracy} for each, accuracy in settled.finalists],
        }
    facts: ChosenModel = {**made, **chosen.facts(final)}  # type: ignore[typeddict-item]
    return facts


def _bracket(run: Run | KernelRun | None) -> MarginBounds | None:
    if run is None:
        return None
    low, high = run.margin_bracket
    return {"low": low, "high": high if math.isfinite(high) else None}


def _proof(run: Run | KernelRun | None) -> RunFacts | None:
    if run is None:
        return None
    return {
        "separated": run.separated, "stopped": run.stopped, "passes": run.passes, "mistakes": run.mistakes,
        "updates": run.updates,
    }  # fmt: skip


def with_receipt(card: Card, plan: Plan, receipt: Receipt) -> Card:
    """The card of a model that has forgotten rows, and words with them."""
    receipts = [*card.get("forgotten", []), receipt]
    return {**card, "features": plan.width, "plan": str(plan).splitlines(), "forgotten": receipts}


def without_hashes(card: Card) -> Card:
    """The card with receipts that no longer tell a forgotten row by its hash; they cannot be checked any more."""
    card, bare = card.copy(), []
    for receipt in card.get("forgotten", []):
        bare.append(receipt.copy())
        bare[-1]["forgotten"] = []
    if bare:
        card["forgotten"] = bare
    return card
