"""The picture of a run: how many mistakes each pass made."""

from __future__ import annotations

from collections.abc import Sequence

from rosenblatt.report.figures import count
from rosenblatt.report.markup import Markup, card, numbers_of, table, tag
from rosenblatt.report.scales import Scale, frame, path, picture

WIDTH, HEIGHT = 560, 260
LEFT, RIGHT, TOP, BOTTOM = 56, 548, 34, 214
MOST_MARKS = 40  # more passes than this are a line without a mark for each


def show_passes(per_pass: Sequence[tuple[int, int]]) -> Markup | None:
    """Mistakes of each pass, and its updates where a margin asks for more; None where there was no run."""
    if not per_pass:
        return None
    last = len(per_pass)
    margin = any(updates != mistakes for updates, mistakes in per_pass)
    label = _sentence(per_pass)
    x = Scale(1, max(last, 2), LEFT, RIGHT)
    y = Scale(0, max(1, *(updates for updates, _ in per_pass)), BOTTOM, TOP)
    whole = [v for v in x.ticks() if v == int(v) and v >= 1]
    parts = frame(x, y, ("pass", "rows that changed the weights" if margin else "mistakes"), whole)
    if margin:
        parts += _line([u for u, _ in per_pass], x, y, "was")
    parts += _line([m for _, m in per_pass], x, y, "new")
    notes = [tag("p", label)]
    if margin:
        notes.append(
            tag("p", tag("i", "", class_="key new"), "mistakes ", tag("i", "", class_="key was"), "all updates: "
                "right, but by less than the margin asked for, counts too", class_="soft")
        )  # fmt: skip
    rows = [(str(k), count(mistakes), count(updates)) for k, (updates, mistakes) in enumerate(per_pass, 1)]
    twin = table(("pass", "mistakes", "updates"), rows, "Mistakes and updates of each pass", (1, 2))
    return card("Mistakes per pass", notes, picture(WIDTH, HEIGHT, label, parts), numbers_of("The passes", twin))


def _sentence(per_pass: Sequence[tuple[int, int]]) -> str:
    first, last = per_pass[0][1], per_pass[-1][1]
    if len(per_pass) == 1:
        return f"One pass, {count(first)} mistakes."
    end = "none in the last: a whole pass was right" if last == 0 else f"{count(last)} in the last"
    return f"{count(first)} mistakes in the first of {count(len(per_pass))} passes, {end}."


def _line(values: Sequence[int], x: Scale, y: Scale, kind: str) -> list[Markup]:
    points = [(x.place(k), y.place(v)) for k, v in enumerate(values, 1)]
    parts = [tag("path", d=path(points), class_=f"line {kind}")] if len(points) > 1 else []
    if len(points) <= MOST_MARKS:
        parts += [tag("circle", cx=a, cy=b, r=3, class_=f"mark {kind}") for a, b in points]
    return parts
