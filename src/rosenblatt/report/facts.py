"""What a report says, in plain words and numbers: `terminal` sets it in lines of text, `summary` on a page.

Whatever both show is made here, so that one cannot leave out or order otherwise what the other says. A fact is a label
and its parts, which stand one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from rosenblatt.data.memory import show_size
from rosenblatt.model import Card, Disk, Evaluation, Model, Trial
from rosenblatt.model.card import MarginBounds, WithoutCopies
from rosenblatt.report.figures import count, rows_of

FEW_CLASSES = 4  # named with their rows
DRAWN_BY = {"folds": ("out of fold", "rows out of fold"), "rows held out": ("held out", "rows held out")}
MOST_TRIALS = 5  # shown at once, the chosen one among them
LONGEST = 40  # characters of a source; of a longer one its last name


class Fact(NamedTuple):
    """One labelled line of a report."""

    label: str
    parts: tuple[str, ...]


@dataclass(frozen=True)
class Result:
    """How the model does on the test rows, and what always guessing the most common class would get."""

    accuracy: float
    low: float
    high: float
    rows: int
    common: str
    always: float
    without_copies: str = ""  # how it does on test rows that are no copies of training rows, where some are
    no_better: str = ""  # said where it does no better than always guessing


@dataclass(frozen=True)
class Folded:
    """How the whole procedure did out of fold, where that took the place of a test."""

    accuracy: float  # the mean over the folds
    deviation: float
    said: str  # 5 folds: mean and standard deviation
    how: str  # that there is no test part, and what the model is fitted to
    common: str
    always: float
    no_better: str
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]  # a line for each fold


@dataclass(frozen=True)
class Tried:
    """The trials in the order of the report: the most accurate first, the chosen one first among equals."""

    shown: list[Trial]
    rest: list[Trial]


@dataclass(frozen=True)
class GoalFacts:
    """What was asked for of the positive class, where the line is, and what that gives."""

    positive: str
    line: Fact
    drawn_by: str
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]  # a name and its numbers


def data_fact(card: Card, most: int = FEW_CLASSES) -> Fact:
    """Rows, classes (with their rows where there are at most so many), features and where they came from."""
    counts = card["class_counts"]
    classes = f"{len(counts)} classes"
    if len(counts) <= most:
        classes += ": " + ", ".join(f"{name} {count(rows)}" for name, rows in counts.items())
    features = counted(card["features"], "feature", "features")
    return Fact("data", (f"{count(card['rows'])} rows", classes, features, short_source(card["source"])))


def disk_fact(disk: Disk | None) -> Fact | None:
    """How much lay on the disk, and where it is kept."""
    if disk is None:
        return None
    kept = (f"kept in {disk.place}",) if disk.place else ()
    return Fact("disk", (f"trained out of core, {disk.bytes / 1e6:,.0f} MB on the disk", *kept))


def split_fact(card: Card) -> Fact:
    """How many rows were learned from, chosen by and tested on; test rows that came apart with their source."""
    split, test = card["split"], card.get("test")
    given = split.get("validation_source")
    apart = f" given apart ({short_source(given)})" if given is not None else ""
    parts = [f"train {count(split['train'])}", f"validation {count(split['validation'])}{apart}"]
    if "calibration" in split:
        parts.append(f"calibration {count(split['calibration'])}")
    if "cv" in card:
        parts.append("no test part")
    elif split["test"] or test is None:
        parts.append(f"test {count(split['test'])}")
    else:
        parts.append(f"test {count(test['rows'])} given apart ({short_source(test['source'])})")
    if "copies_in_test" in split:  # the test then measures memory
        parts.append(f"{count(split['copies_in_test'])} of them copies of training rows")
    if split.get("duplicates") and "time" not in split["kind"]:
        parts.append(f"{counted(split['duplicates'], 'copy', 'copies')} kept together")
    parts += [split["kind"]] if split["kind"] != "by class" else []
    return Fact("split", (*parts, f"seed {split['seed']}"))


def pruned_fact(card: Card) -> Fact | None:
    """How many features were left out to keep the file small, and what that costs; None where none were."""
    found = card.get("pruned")
    if found is None:
        return None
    before, after = found["validation"]
    left = f"{count(found['features'])} of {count(found['before'])} features fit into {show_size(found['size'])}"
    return Fact("pruned", (left, f"validation rows {before:.2%} → {after:.2%}"))


def weights_fact(card: Card) -> Fact | None:
    """What a row of each class counts in the fit; None where all count the same."""
    weights = card["choice"].get("class_weights")
    if weights is None:
        return None
    pairs = list(zip(card["class_counts"], weights, strict=False))
    said = ", ".join(f"{name} {weight:.3g}" for name, weight in pairs[:FEW_CLASSES])
    more = f" and {count(len(pairs) - FEW_CLASSES)} more" if len(pairs) > FEW_CLASSES else ""
    return Fact(
        "weights", (f"a row counts by its class: {said}{more}", "in the fit, and where candidates are compared")
    )


def notes_of(card: Card) -> list[str]:
    """What was noticed about the data or the choices."""
    return list(card.get("notes", ()))


def tried(trials: Sequence[Trial]) -> Tried:
    """The trials in their order, the first few apart; the chosen one and all finalists are always among these."""
    order = sorted(range(len(trials)), key=lambda i: (-trials[i].accuracy, not trials[i].chosen, i))
    top = [i for place, i in enumerate(order) if place < MOST_TRIALS or trials[i].chosen or trials[i].cv is not None]
    return Tried([trials[i] for i in top], [trials[i] for i in order if i not in top])


def compared_by(card: Card) -> str:
    """accuracy; or what else candidates were compared by"""
    by = card["choice"].get("by", "accuracy")
    return {"balanced-accuracy": "balanced", "f1": "F1", "auc": "AUC", "log-loss": "e^-loss", "cost": "1 - cost",
            "weighted-accuracy": "weighted"}.get(by, by)  # fmt: skip


def settled_by(card: Card) -> str:
    """settled by 5-fold cross-validation of 4,461 rows; nothing where validation rows alone decided"""
    cv = card["choice"].get("cv")
    return f"settled by {cv['folds']}-fold cross-validation of {rows_of(cv['rows'])}" if cv else ""


def result_of(evaluation: Evaluation, card: Card) -> Result:
    """The result on the test rows."""
    common, test = card["majority"]["class"], card.get("test")
    low, high = evaluation.interval
    always = evaluation.always(common)
    said = () if test is None else (_without_copies(test.get("without_copies")), test.get("no_better", ""))
    return Result(evaluation.accuracy, low, high, evaluation.n, common, always, *said)


def folded(card: Card) -> Folded | None:
    """The result out of fold; None where there was a test."""
    cv = card.get("cv")
    if not cv:
        return None
    by = compared_by(card)
    also = "merit" in cv
    rows = [
        (
            str(number), count(fold["rows"]), f"{fold['accuracy']:.1%}",
            *([f"{fold['merit']:.1%}"] if also else []), fold["choice"],
        )
        for number, fold in enumerate(cv["each"], 1)
    ]  # fmt: skip
    said = f"mean and standard deviation of {cv['folds']} folds, {rows_of(cv['rows'])} scored"
    if also:
        said += f"; {by} {cv['merit']:.1%} ± {100 * cv['merit_deviation']:.1f}"
    how = "no test part: in each fold plan, search, choice and fit were done anew; the model is fitted to all rows"
    head = ("fold", "rows", "accuracy", *([by] if also else []), "chosen")
    return Folded(
        cv["accuracy"], cv["deviation"], said, how, card["majority"]["class"], cv["always"], cv.get("no_better", ""),
        head, rows,
    )  # fmt: skip


def _without_copies(found: WithoutCopies | None) -> str:
    if not found:
        return ""
    if not found["rows"]:
        return "every test row is a copy of a training row: this measures memory alone"
    shown = f"{found['accuracy']:.1%}  ({found['low'] * 100:.1f} – {found['high'] * 100:.1f})"
    return f"{shown}  on the {count(found['rows'])} rows that are no copies of training rows"


def training_sentence(evaluation: Evaluation) -> str:
    """How many of the rows the model was trained on, and how it does on the others; nothing where it has seen none."""
    number, fresh = evaluation.training_rows, evaluation.fresh
    if not number:
        return ""
    line = f"{'' if evaluation.training_rows_exact else 'about '}{count(number)} of these rows are training rows"
    if fresh is not None and fresh.n:
        low, high = fresh.interval
        line += f"; the other {count(fresh.n)}: {fresh.accuracy:.1%}  ({low * 100:.1f} – {high * 100:.1f})"
    return line


def goal_facts(card: Card) -> GoalFacts | None:
    """What is known of the positive class; None where none was named."""
    goal = card.get("goal")
    if not goal:
        return None
    name, parts = str(goal["positive"]), [f"score {goal['positive']} above {goal['threshold']:.6g}"]
    if goal["max_false_positives"] is not None:
        parts.append(f"at most {goal['max_false_positives'] * 100:g}% of the others")
    elif any(cost is not None for cost in goal["costs"]):
        alarm, miss = (1.0 if cost is None else cost for cost in goal["costs"])
        parts.append(f"a false alarm costs {alarm:g}, a miss {miss:g}")
    rows = []
    short, drawn_by = DRAWN_BY.get(goal.get("by", ""), ("validation", "the validation rows"))
    parts_of = {short: goal["validation"], "test": goal.get("test"), "folds": goal.get("cv")}
    for part, found in parts_of.items():
        if found is None:
            continue
        shares = (f"{found['precision']:.1%}", f"{found['recall']:.1%}", f"{found['f1']:.3f}", _area(found["auc"]))
        rows.append((part, *shares, f"{found['false_positives']:.2%}"))
    head = ("precision", "recall", "F1", "AUC", "false alarms")
    return GoalFacts(name, Fact("goal", tuple(parts)), drawn_by, head, rows)


def _area(value: float | None) -> str:
    """The area under the curve; a file has null where there was only one class to rank."""
    return "–" if value is None or value != value else f"{value:.3f}"


def belief_facts(card: Card) -> list[Fact]:
    """What probabilities and sets were worth on test rows or out of fold; nothing of a model without them."""
    found = card.get("calibration")
    if not found:
        return []
    test, facts = found.get("test") or found.get("cv"), list[Fact]()
    if test is None:
        return []
    losses = f"log loss {test['log_loss']:.3f}", f"Brier {test['brier']:.3f}"
    facts.append(Fact("belief", (f"probabilities off by {test['error']:.1%}", *losses)))
    if "coverage" in test:
        sizes = ", ".join(f"{test[name]:.1%} {name}" for name in ("empty", "single", "larger"))
        promise = "guaranteed" if found["by"] != "folds" else "measured, not guaranteed"
        facts.append(Fact("sets", (f"those of 95% hold {test['coverage']:.1%} ({promise})", sizes)))
    return [*facts, *([Fact("drift", (found["drift"],))] if "drift" in found else [])]


def spread_sentence(card: Card) -> str:
    """How much the order of the rows matters; nothing where one order was tried."""
    spread = card.get("spread")
    if not spread:
        return ""
    low, high, median = spread["lowest"], spread["highest"], spread["median"]
    return f"over {spread['seeds']} orders: {low:.1%} to {high:.1%}, median {median:.1%}"


def proof_fact(card: Card) -> Fact:
    """What the final run proves about the rows it learned from."""
    proof, margin = card.get("proof"), card.get("margin") or MarginBounds(low=None, high=None)
    if proof is None:
        return Fact("proof", ("none: naive Bayes counts, it does not separate",))
    facts = f"{counted(proof['passes'], 'pass', 'passes')}, {counted(proof['mistakes'], 'mistake', 'mistakes')}"
    if proof["separated"]:
        high = "or more" if margin["high"] is None else f"to {margin['high']:.3g}"  # only one rule bounds it above
        bounds = f"margin {margin['low']:.3g} {high}"
        return Fact("proof", ("the final weights separate the training rows", facts, bounds))
    bounds = "no bound" if margin["high"] is None else f"margin at most {margin['high']:.3g}"
    return Fact("proof", ("training rows not separated", facts, bounds))


def kept_fact(model: Model) -> Fact | None:
    """How many training rows the model holds; None where it holds none."""
    choice = model.card["choice"]
    rows, before = choice.get("training_rows"), choice.get("updated_rows")
    if not rows:
        return None
    dropped = (
        (f"the weightiest of {count(before)} that it was updated on: as good on validation rows",) if before else ()
    )
    return Fact("holds", (f"{count(rows)} training rows: a curve is made of them", *dropped))


def counted(number: int, one: str, many: str) -> str:
    """12 features; 1 feature"""
    return f"{count(number)} {one if number == 1 else many}"


def short_source(source: str) -> str:
    """The source, or its last name where the whole would not fit on a line."""
    return source if len(source) <= LONGEST else Path(source).name
