"""The report on one screen: data, split, plan, what was tried, how it does on the test, why, what is proved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rosenblatt.features import Plan
from rosenblatt.features.lines import Line
from rosenblatt.harmless import LINE_ENDS
from rosenblatt.model import Card, Evaluation, Evidence, Model, Trial
from rosenblatt.report.facts import (
    Fact,
    Folded,
    GoalFacts,
    Result,
    belief_facts,
    compared_by,
    data_fact,
    disk_fact,
    folded,
    goal_facts,
    kept_fact,
    notes_of,
    proof_fact,
    pruned_fact,
    result_of,
    settled_by,
    split_fact,
    spread_sentence,
    training_sentence,
    tried,
    weights_fact,
)
from rosenblatt.report.growth import answer
from rosenblatt.report.thresholds import threshold_lines

WIDTH = 80
MOST_COLUMNS, LONGEST_NAME = 40, 24  # of a plan on a screen, and letters of a name
INDENT = 9
ACCENT, PLAIN = "\x1b[36m", "\x1b[0m"
FEW_CLASSES = 10  # shown one by one; of more, those with the lowest recall
SHOWN_CLASSES = 6


def terminal_report(model: Model, evidence: Evidence, colour: bool = False) -> str:
    """The report as lines of at most 80 characters where the names in the data allow it."""
    card, spread, folds = model.card, spread_sentence(model.card), folded(model.card)
    blocks = [
        [
            *fact_lines(data_fact(card)),
            *fact_lines(disk_fact(evidence.disk)),
            *fact_lines(split_fact(card)),
            *plan_lines(model.plan),
            *fact_lines(weights_fact(card)),
            *fact_lines(pruned_fact(card)),
            *_labelled("note", notes_of(card)),
        ],
        trial_lines(evidence.trials, card, colour),
        [
            *(test_lines(result_of(evidence.evaluation, card), colour) if folds is None else fold_lines(folds, colour)),
            *class_lines(evidence.evaluation),
            *([f"  {spread}"] if spread else []),
        ],
        [line for fact in belief_facts(card) for line in fact_lines(fact)],
        goal_lines(goal_facts(card)),
        threshold_lines(model, evidence.ranking),
        [*why_lines(evidence.heaviest), *fact_lines(proof_fact(card)), *fact_lines(kept_fact(model))],
        [
            *_labelled("rows", answer(evidence.growth).replace(": ", "; ").split("; ") if evidence.growth else []),
            *_labelled("hint", [part for part in evidence.hint.partition("; ")[::2] if part]),
            *_labelled("wrote", [" · ".join(evidence.files)] if evidence.files else []),
            *_labelled("next", [evidence.next]),
        ],
    ]
    return "\n\n".join("\n".join(_safe(line) for line in block) for block in blocks if block) + "\n"


def _safe(line: str) -> str:
    """The line without line ends, which a name from the data may hold; what else it may hold is for the screen."""
    return line.translate(LINE_ENDS)


def fact_lines(fact: Fact | None) -> list[str]:
    """A fact with its label, over as many lines as it needs."""
    return [] if fact is None else _labelled(fact.label, _wrapped(fact.parts))


def plan_lines(plan: Plan) -> list[str]:
    """A line for each column; of more than MOST_COLUMNS only how many there are of each kind. Then what is left out."""
    used = [line for line in plan.lines if line.width]
    dropped = [line for line in plan.lines if not line.width]
    if len(used) <= 4:
        unit = ", unit length" if plan.unit == "text" else ""
        shown = [f"{line.column} → {line.describe()}{unit if line.kind == 'text' else ''}" for line in used]
    else:
        kinds = Counter(line.kind for line in used)
        shown = [" · ".join(f"{count} {kind}" for kind, count in kinds.items()) + f" → {plan.plain.width:,} features"]
        shown += _columns(used) if len(used) <= MOST_COLUMNS else []
    if plan.unit == "rows":
        shown[-1] += ", unit rows"
    if plan.units is not None:
        shown.append(f"read by {plan.units.describe()}")
    if dropped:
        shown += [f"dropped: {', '.join(columns)}{reason}" for reason, columns in _by_reason(dropped).items()]
    return _labelled("plan", [_cut(line) for line in shown])


def _columns(lines: Sequence[Line]) -> list[str]:
    """Each column with its kind, the features it becomes, why, and its first values where they are names."""
    longest = min(LONGEST_NAME, max(len(line.column) for line in lines))
    shown = []
    for line in lines:
        first = f": {values}" if (values := line.first_values()) else ""
        shown.append(f"  {line.column[:LONGEST_NAME]:<{longest}}  {line.kind} ({line.reason}) → {line.width:,}{first}")
    return shown


def _by_reason(lines: Sequence[Line]) -> dict[str, list[str]]:
    """The columns that were dropped, for each reason; what the user asked for needs none."""
    found: dict[str, list[str]] = {}
    for line in lines:
        found.setdefault("" if line.reason == "as asked" else f" ({line.reason})", []).append(line.column)
    return found


def trial_lines(trials: Sequence[Trial], card: Card, colour: bool) -> list[str]:
    """The best trials in falling order, the chosen one and all finalists among them; and what settled the choice."""
    found, settled = tried(trials), settled_by(card)
    width = max([40, *(len(trial.name) for trial in found.shown)])
    heading = f"{card['choice']['cv']['folds']} folds" if settled else ""
    lines = [f"{'tried on validation rows':<{width + 2}}  {compared_by(card):>8}  {heading:>8}".rstrip()]
    for trial in found.shown:
        line = f"  {trial.name:<{width}}  {trial.accuracy:>8.1%}"
        if settled:
            line += "  " + ("" if trial.cv is None else f"{trial.cv:.1%}").rjust(8)
        mark = "   ← chosen" if len(line) + 11 <= WIDTH else "  ←"
        lines.append(_accent(f"{line}{mark}", colour) if trial.chosen else line.rstrip())
    lines += [f"  and {len(found.rest)} more, none better"] if found.rest else []
    return [*lines, *([f"  {settled}"] if settled else [])]


def test_lines(result: Result, colour: bool) -> list[str]:
    """The accuracy, its interval, and what always guessing would get."""
    accuracy = _accent(f"{result.accuracy:.1%}", colour)
    line = f"{accuracy}  ({result.low * 100:.1f} – {result.high * 100:.1f})"
    lines = [f"{line}      always {result.common!r} would get {result.always:.1%}"]
    return _labelled("test", [*lines, *filter(None, [result.no_better, result.without_copies])])


def fold_lines(found: Folded, colour: bool) -> list[str]:
    """The mean over the folds with its deviation, and what was chosen in each."""
    mean = _accent(f"{found.accuracy:.1%} ± {100 * found.deviation:.1f}", colour)
    guess = found.no_better or f"always {found.common!r} would get {found.always:.1%}"
    lines = _labelled("folds", [mean, *_wrapped(found.said.split("; ")), guess, *_wrapped(found.how.split("; "))])
    widths = [max(len(cells[place]) for cells in (found.head, *found.rows)) for place in range(len(found.head) - 1)]
    for cells in (found.head, *found.rows):
        numbers = "  ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=False))
        lines.append(_cut(f"  {numbers}  {cells[-1]}"))
    return lines


def training_lines(evaluation: Evaluation) -> list[str]:
    """How many of the rows the model was trained on, and how it does on the others; nothing where it has seen none."""
    return _labelled("known", [*filter(None, [training_sentence(evaluation)])])


def goal_lines(goal: GoalFacts | None) -> list[str]:
    """Where the line between two classes is, and what that gives for the positive one."""
    if goal is None:
        return []
    table = [(goal.positive, *goal.head), *goal.rows]
    widths = [max(len(cells[place]) for cells in table) for place in range(len(table[0]))]
    lines = [f"  {name:<{widths[0]}}" for name, *_ in table]
    for place, width in enumerate(widths[1:], 1):
        lines = [f"{line}  {cells[place]:>{width}}" for line, cells in zip(lines, table, strict=True)]
    return [*fact_lines(goal.line), *lines]


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


def _number(value: float) -> str:
    return f"{value:+.3g}".replace("-", "−")


def _cut(line: str) -> str:
    return line if len(line) <= WIDTH - INDENT else line[: WIDTH - INDENT - 1] + "…"


def _accent(text: str, colour: bool) -> str:
    return f"{ACCENT}{text}{PLAIN}" if colour else text
