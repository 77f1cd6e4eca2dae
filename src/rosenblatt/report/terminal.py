"""The report on one screen: data, split, plan, what was tried, how it does on the test, why, what is proved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rosenblatt.features import Plan
from rosenblatt.features.lines import Line
from rosenblatt.model import Evaluation, Evidence, Model, Trial
from rosenblatt.report.figures import settled_by

WIDTH = 80
INDENT = 9
ACCENT, PLAIN = "\x1b[36m", "\x1b[0m"
FEW_CLASSES = 10  # shown one by one; of more, those with the lowest recall
SHOWN_CLASSES = 6
SHOWN_TRIALS = 5


def terminal_report(model: Model, evidence: Evidence, colour: bool = False) -> str:
    """The report as lines of at most 80 characters where the names in the data allow it."""
    card = model.card
    blocks = [
        [
            *data_lines(card),
            *_disk_lines(card, evidence.disk),
            *split_lines(card),
            *plan_lines(model.plan),
            *_labelled("note", card["notes"]),
        ],
        trial_lines(evidence.trials, card, colour),
        [*test_lines(card, colour), *class_lines(evidence.evaluation), *_goal_lines(card), *_spread_lines(card)],
        [*why_lines(evidence.heaviest), *proof_lines(card)],
        [
            *_labelled("wrote", [" · ".join(evidence.files)] if evidence.files else []),
            *_labelled("next", [evidence.next]),
        ],
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def data_lines(card: dict[str, Any]) -> list[str]:
    """Rows, classes, features and where they came from."""
    counts = card["class_counts"]
    classes = f"{len(counts)} classes"
    if len(counts) <= 4:
        classes += ": " + ", ".join(f"{name} {count:,}" for name, count in counts.items())
    parts = [
        f"{card['rows']:,} rows",
        classes,
        _counted(card["features"], "feature", "features"),
        _short(card["source"]),
    ]
    return _labelled("data", _wrapped(parts))


def _disk_lines(card: dict[str, Any], place: str) -> list[str]:
    """Where the rows lay while they did not fit into memory."""
    if "disk" not in card:
        return []
    size = card["disk"]["bytes"] / 1e6
    kept = [f"kept in {place}"] if place else []
    return _labelled("disk", _wrapped([f"trained out of core, {size:,.0f} MB on the disk", *kept]))


def split_lines(card: dict[str, Any]) -> list[str]:
    split = card["split"]
    parts = [f"train {split['train']:,}", f"validation {split['validation']:,}"]
    parts.append(f"test {split['test']:,}" if split["test"] else f"test {card['test']['rows']:,} given apart")
    if "copies_in_test" in split:  # the test then measures memory
        parts.append(f"{split['copies_in_test']:,} of them copies of training rows")
    if split["duplicates"] and "time" not in split["kind"]:
        parts.append(f"{_counted(split['duplicates'], 'copy', 'copies')} kept together")
    parts += [split["kind"]] if split["kind"] != "by class" else []
    return _labelled("split", _wrapped([*parts, f"seed {split['seed']}"]))


def plan_lines(plan: Plan) -> list[str]:
    """One line for each column where they are few, otherwise how many there are of each kind."""
    used = [line for line in plan.lines if line.width]
    dropped = [line for line in plan.lines if not line.width]
    if len(used) <= 4:
        unit = ", unit length" if plan.unit == "text" else ""
        shown = [f"{line.column} → {line.describe()}{unit if line.kind == 'text' else ''}" for line in used]
    else:
        kinds = Counter(line.kind for line in used)
        shown = [" · ".join(f"{count} {kind}" for kind, count in kinds.items()) + f" → {plan.width:,} features"]
    if plan.unit == "rows":
        shown[-1] += ", unit rows"
    if dropped:
        shown += [f"dropped: {', '.join(columns)}{reason}" for reason, columns in _by_reason(dropped).items()]
    return _labelled("plan", [_cut(line) for line in shown])


def _by_reason(lines: Sequence[Line]) -> dict[str, list[str]]:
    """The columns that were dropped, for each reason; what the user asked for needs none."""
    found: dict[str, list[str]] = {}
    for line in lines:
        found.setdefault("" if line.reason == "as asked" else f" ({line.reason})", []).append(line.column)
    return found


def trial_lines(trials: Sequence[Trial], card: dict[str, Any], colour: bool) -> list[str]:
    """The best trials in falling order, the chosen one and all finalists among them; and what settled the choice."""
    order = sorted(range(len(trials)), key=lambda i: (-trials[i].accuracy, not trials[i].chosen, i))
    top = [i for place, i in enumerate(order) if place < SHOWN_TRIALS or trials[i].chosen or trials[i].cv is not None]
    width = max([40, *(len(trials[i].name) for i in top)])
    settled = settled_by(card)
    heading = f"{card['choice']['cv']['folds']} folds" if settled else ""
    lines = [f"{'tried on validation rows':<{width + 2}}  accuracy  {heading:>8}".rstrip()]
    for i in top:
        line = f"  {trials[i].name:<{width}}  {trials[i].accuracy:>8.1%}"
        if settled:
            line += "  " + ("" if trials[i].cv is None else f"{trials[i].cv:.1%}").rjust(8)
        lines.append(_accent(f"{line}   ← chosen", colour) if trials[i].chosen else line.rstrip())
    rest = len(trials) - len(top)
    return [*lines, *([f"  and {rest} more, none better"] if rest > 0 else []), *([f"  {settled}"] if settled else [])]


def test_lines(card: dict[str, Any], colour: bool) -> list[str]:
    test = card["test"]
    accuracy = _accent(f"{test['accuracy']:.1%}", colour)
    line = f"{accuracy}  ({test['low'] * 100:.1f} – {test['high'] * 100:.1f})"
    lines = [f"{line}      always {card['majority']['class']!r} would get {test['always']:.1%}"]
    return _labelled("test", [*lines, *filter(None, [without_copies(card), test.get("no_better")])])


def without_copies(card: dict[str, Any]) -> str:
    """The accuracy on the test rows that are no copies of training rows; nothing where no row is one."""
    without = card["test"].get("without_copies")
    if not without:
        return ""
    if not without["rows"]:
        return "every test row is a copy of a training row: this measures memory alone"
    shown = f"{without['accuracy']:.1%}  ({without['low'] * 100:.1f} – {without['high'] * 100:.1f})"
    return f"{shown}  on the {without['rows']:,} rows that are no copies of training rows"


def training_lines(evaluation: Evaluation) -> list[str]:
    """How many of the rows the model was trained on, and how it does on the others; nothing where it has seen none."""
    count, fresh = evaluation.training_rows, evaluation.fresh
    if not count:
        return []
    line = f"{'' if evaluation.training_rows_exact else 'about '}{count:,} of these rows are training rows"
    if fresh is not None and fresh.n:
        low, high = fresh.interval
        line += f"; the other {fresh.n:,}: {fresh.accuracy:.1%}  ({low * 100:.1f} – {high * 100:.1f})"
    return _labelled("known", [line])


def class_lines(evaluation: Evaluation) -> list[str]:
    """Precision and recall of each class, and the confusions worth naming beside them."""
    order = list(range(len(evaluation.classes)))
    if len(order) > FEW_CLASSES:
        order = sorted(order, key=lambda c: (evaluation.recall[c], c))[:SHOWN_CLASSES]
    width = max([8, *(len(evaluation.classes[c]) for c in order)])
    lines = [f"  {'':<{width}}  precision  recall    rows"]
    for c in order:
        precision, recall = evaluation.precision[c], evaluation.recall[c]
        lines.append(f"  {evaluation.classes[c]:<{width}}  {precision:>9.1%}  {recall:>6.1%}  {evaluation.rows[c]:>6,}")
    named = [f"{true} taken for {predicted}: {count:,}" for true, predicted, count in evaluation.confusions()]
    beside = len(named) < len(lines) and all(len(lines[1]) + 3 + len(text) <= WIDTH for text in named)
    if beside:
        for place, text in enumerate(named, 1):
            lines[place] += f"   {text}"
    if len(order) < len(evaluation.classes):
        lines.append(f"  and {len(evaluation.classes) - len(order)} classes with higher recall")
    return lines if beside else [*lines, *(f"  {text}" for text in named)]


def why_lines(heaviest: dict[str, list[tuple[str, float]]]) -> list[str]:
    """The heaviest features of each class, as many as a line holds."""
    names = list(heaviest)[:SHOWN_CLASSES] if len(heaviest) > FEW_CLASSES else list(heaviest)
    width = max((len(name) for name in names), default=0)
    lines = []
    for name in names:
        line = f"{name:<{width}} "
        for feature, weight in heaviest[name]:
            part = f"  {feature} {_number(weight)}"
            if len(line) + len(part) > WIDTH - INDENT:
                break
            line += part
        lines.append(line)
    if len(names) < len(heaviest):
        lines.append(f"and {len(heaviest) - len(names)} more classes (rosenblatt inspect)")
    return _labelled("why", lines)


def proof_lines(card: dict[str, Any]) -> list[str]:
    """What the final run proves about the rows it learned from."""
    proof, margin = card["proof"], card["margin"]
    if proof is None:
        return _labelled("proof", ["none: naive Bayes counts, it does not separate"])
    facts = f"{_counted(proof['passes'], 'pass', 'passes')}, {_counted(proof['mistakes'], 'mistake', 'mistakes')}"
    if proof["separated"]:
        bounds = f"margin {margin['low']:.3g} to {margin['high']:.3g}"
        return _labelled("proof", _wrapped(["the final weights separate the training rows", facts, bounds]))
    bounds = "no bound" if margin["high"] is None else f"margin at most {margin['high']:.3g}"
    return _labelled("proof", _wrapped(["training rows not separated", facts, bounds]))


def _goal_lines(card: dict[str, Any]) -> list[str]:
    goal = card.get("goal")
    if not goal:
        return []
    lines = [f"  {goal['positive']:<10}  precision  recall     F1    AUC  false alarms"]
    for part in ("validation", "test"):
        found = goal[part]
        shares = f"{found['precision']:>9.1%}  {found['recall']:>6.1%}  {found['f1']:>5.3f}  {found['auc']:>5.3f}"
        lines.append(f"  {part:<10}  {shares}  {found['false_positives']:>12.2%}")
    return lines


def _spread_lines(card: dict[str, Any]) -> list[str]:
    spread = card.get("spread")
    if not spread:
        return []
    low, high = spread["lowest"], spread["highest"]
    return [f"  over {spread['seeds']} orders: {low:.1%} to {high:.1%}, median {spread['median']:.1%}"]


def _labelled(label: str, lines: Sequence[str]) -> list[str]:
    return [f"{label if number == 0 else '':<{INDENT}}{line}".rstrip() for number, line in enumerate(lines)]


def _wrapped(parts: Sequence[str]) -> list[str]:
    """The parts with dots between, over as many lines as they need."""
    lines = [parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + len(part) + 3 <= WIDTH - INDENT:
            lines[-1] += f" · {part}"
        else:
            lines.append(part)
    return lines


def _short(source: str) -> str:
    """The source, or its last name where the whole would not fit on a line."""
    return source if len(source) <= 40 else Path(source).name


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def _number(value: float) -> str:
    return f"{value:+.3g}".replace("-", "−")


def _cut(line: str) -> str:
    return line if len(line) <= WIDTH - INDENT else line[: WIDTH - INDENT - 1] + "…"


def _accent(text: str, colour: bool) -> str:
    return f"{ACCENT}{text}{PLAIN}" if colour else text
