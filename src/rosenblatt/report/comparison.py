"""How two models compare, in lines for the terminal and as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rosenblatt.model import Comparison, Evaluation
from rosenblatt.model.comparison import Difference
from rosenblatt.model.statistics import mcnemar
from rosenblatt.report.facts import Fact
from rosenblatt.report.figures import MINUS, count, rows_of, shortened
from rosenblatt.report.terminal import WIDTH, fact_lines

SHOWN = 10  # rows that the two predict differently
TOLD = (  # of the cards on a screen: what a person set, gave or was told
    "source", "rows", "features", "label", "fingerprint", "split", "plan", "choice.name", "config", "goal",
    "validation.accuracy", "test.accuracy", "updates", "versions",
)  # fmt: skip
TELLING = 0.05  # below this p-value chance is an unlikely explanation


def comparison_lines(found: Comparison, names: Sequence[str]) -> list[str]:
    """The comparison in lines; `names` are what the person calls the two models."""
    lines = [line for fact in comparison_facts(found, names) for line in fact_lines(fact)]
    return [*lines, *_differing(found), *_cards(found.cards)]


def comparison_facts(found: Comparison, names: Sequence[str]) -> list[Fact]:
    """How either did, where they differ, which is ahead, and what they were trained on."""
    facts = [Fact("rows", (count(found.n), found.table.origin.source))]
    for sign, name, each in zip("AB", names, (found.a, found.b), strict=True):
        low, high = each.interval
        facts.append(Fact(sign, (f"{each.accuracy:.1%}  ({low * 100:.1f} – {high * 100:.1f})   {name}",)))
    facts += [Fact("differ", (differ_sentence(found),)), gap_fact(found)]
    known = known_fact(found)
    return facts if known is None else [*facts, known]


def differ_sentence(found: Comparison) -> str:
    """on 14 rows: 11 only A has right, 3 only B, 0 neither"""
    neither = len(found.differ) - found.only_a - found.only_b
    both = f"{count(found.only_a)} only A has right, {count(found.only_b)} only B, {count(neither)} neither"
    return f"on {rows_of(len(found.differ))}: {both}" if len(found.differ) else "nowhere: every row is predicted alike"


def gap_fact(found: Comparison) -> Fact:
    """How far one is ahead, between which bounds, and whether chance explains it."""
    low, high = found.interval
    return Fact("gap", (f"{_ahead(found.difference)} (95%: {_points(low)} to {_points(high)})", _told(found.p_value)))


def _ahead(difference: float) -> str:
    if not difference:
        return "neither is ahead"
    return f"{'B' if difference > 0 else 'A'} is ahead by {abs(difference) * 100:.1f} points"


def _told(p_value: float) -> str:
    shown = "p < 0.0001" if p_value < 0.0001 else f"p = {p_value:.2g}"
    return f"exact McNemar {shown}, {'more than chance' if p_value < TELLING else 'chance may explain it'}"


def _points(share: float) -> str:
    """+1.2, the second ahead, or −0.3, the first, in points of a hundred."""
    return f"{share * 100 + 0:+.1f}".replace("-", MINUS)


def known_fact(found: Comparison) -> Fact | None:
    """How many of the rows either was trained on, and how they compare on the others; None where there are none."""
    numbers = [each.training_rows for each in (found.a, found.b)]
    if not any(numbers) and None not in numbers:
        return None
    said = [_trained(sign, each) for sign, each in zip("AB", (found.a, found.b), strict=True)]
    parts = [", ".join(said)]
    known = found.known_to_either
    if known is not None and found.fresh is not None and known.any():
        parts.append(
            f"{count(known[found.differ].sum())} of the {rows_of(len(found.differ))} that differ are such rows"
        )
        rows, only_a, only_b = found.fresh
        told = (_ahead((only_b - only_a) / rows), _told(mcnemar(only_a, only_b))) if rows else ("nothing is measured",)
        parts += [f"on the {rows_of(rows)} new to both {told[0]}", *told[1:]]
    return Fact("known", tuple(parts))


def _trained(sign: str, found: Evaluation) -> str:
    if found.training_rows is None:
        return f"{sign} cannot tell which rows it was trained on"
    return f"{sign} was trained on {'' if found.training_rows_exact else 'about '}{rows_of(found.training_rows)}"


def differing(found: Comparison) -> list[tuple[str, ...]]:
    """Some of the rows that the two predict differently, each with its place; first the heads of the columns."""
    names = found.classes
    lines: list[tuple[str, ...]] = [("differ on", "label", "A", "B")]
    for row in found.differ[:SHOWN].tolist():
        codes = (found.truth[row], *(predicted[row] for predicted in found.predicted))
        lines.append((shortened(found.table.origin.of(row), 40), *(names[code] for code in codes)))
    return lines


def _differing(found: Comparison) -> list[str]:
    cells = differing(found)
    if len(cells) == 1:
        return []
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ["  ".join(map(str.ljust, line, widths)).rstrip() for line in cells]
    rest = len(found.differ) - SHOWN
    return ["", *lines, *([f"and {rows_of(rest)} more (--json has all)"] if rest > 0 else [])]


def told_of_cards(cards: Sequence[Difference], most: int) -> list[tuple[str, str, str]]:
    """What a person is told of the difference of two cards; values are cut to so many letters."""
    told = [each for each in cards if each.what in TOLD or each.what.partition(".")[0] in TOLD]
    return [(each.what, _shown(each.a, most), _shown(each.b, most)) for each in told]


def _cards(cards: Sequence[Difference]) -> list[str]:
    """What the cards say differently: the two values on a line, or on two where they are long."""
    if not cards:
        return ["", "cards    say the same of both"]
    first = max((len(what) for what, _, _ in told_of_cards(cards, 1)), default=0)
    table = told_of_cards(cards, WIDTH - first - 8)
    second = max((len(cells[1]) for cells in table if len(cells[1]) <= WIDTH // 3), default=0)
    lines = ["", "cards differ in"]
    for what, a, b in table:
        line = f"  {what:<{first}}  A {a:<{second}}  "
        lines += [f"{line}B {b}"] if len(line) + len(b) + 2 <= WIDTH else [line.rstrip(), f"{'':<{first + 2}}  B {b}"]
    rest = len(cards) - len(table)
    return [*lines, *([f"  and {count(rest)} more (--json has all)"] if rest else [])]


def _shown(value: Any, most: int) -> str:
    """A value of a card; of long ones the beginning, and of lists the first entry and how many there are."""
    if value is None or value == []:
        return "–"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        more = f" and {len(value) - 1} more" if len(value) > 1 else ""
        return f"{shortened(str(value[0]), most - len(more))}{more}"
    return shortened(str(value), most)


def comparison_values(found: Comparison) -> dict[str, Any]:
    """The comparison as plain values, for --json."""
    names, known = found.classes, found.known
    low, high = found.interval
    differ = [
        {
            "row": row + 1,
            "place": found.table.origin.of(row),
            "label": names[found.truth[row]],
            "a": names[found.predicted[0][row]],
            "b": names[found.predicted[1][row]],
            "known_to_a": None if known[0] is None else bool(known[0][row]),
            "known_to_b": None if known[1] is None else bool(known[1][row]),
        }
        for row in found.differ.tolist()
    ]
    fresh: dict[str, Any] | None = None
    if found.fresh is not None:
        fresh = dict(zip(("rows", "only_a", "only_b"), found.fresh, strict=True))
        fresh["p_value"] = mcnemar(fresh["only_a"], fresh["only_b"])
    return {
        "rows": found.n,
        "a": _values(found.a),
        "b": _values(found.b),
        "difference": found.difference,
        "low": low,
        "high": high,
        "p_value": found.p_value,
        "only_a": found.only_a,
        "only_b": found.only_b,
        "fresh": fresh,
        "differ": differ,
        "cards": [each._asdict() for each in found.cards],
    }


def _values(found: Evaluation) -> dict[str, Any]:
    low, high = found.interval
    known = {"training_rows": found.training_rows, "training_rows_exact": found.training_rows_exact}
    return {"accuracy": found.accuracy, "low": low, "high": high, **known}
