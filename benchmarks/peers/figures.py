"""Numbers as a person reads them, the same in the terminal and on the page."""

from __future__ import annotations

from benchmarks.peers.results import Result, Sheet, TaskResult

NEAR = 0.003  # accuracies that differ by no more count as equal: 0.3 points
HEADS = ("", "accuracy", "fit", "×", "whole", "×", "predict", "one row", "memory", "model")


def cells(result: Result, task: TaskResult) -> tuple[str, ...]:
    """One line of a task's table; ratios are the time of the peer over ours, so above 1 is in our favour."""
    ours = task.ours
    return (
        result.contestant,
        share(result.accuracy),
        seconds(result.fit),
        "" if result.ours else ratio(result.fit, ours.fit if ours else None),
        seconds(result.whole),
        "" if result.ours else ratio(result.whole, ours.whole if ours else None),
        seconds(result.predict),
        seconds(result.one_row),
        size(result.peak),
        size(result.size),
    )


def sheet_rows(sheet: Sheet) -> list[tuple[str, ...]]:
    """The lines of a section's table."""
    return [
        (line.what, line.who, *(figure(line.figures.get(name), unit) for name, unit in sheet.units.items()))
        for line in sheet.lines
    ]


def losses(task: TaskResult) -> str:
    """Who beats this project at what: said in words, so that nobody has to look for it."""
    ours = task.ours
    if ours is None or ours.accuracy is None:
        return "rosenblatt itself has no result here"
    found = []
    for peer in task.peers:
        better = (peer.accuracy or 0) > ours.accuracy + NEAR
        near = (peer.accuracy or 0) >= ours.accuracy - NEAR
        faster = near and peer.fit is not None and ours.fit is not None and peer.fit < ours.fit
        if better or faster:
            what = " and ".join(["more accurate"] * better + ["faster to fit"] * faster)
            found.append(f"{peer.contestant} ({what})")
    return f"ahead of rosenblatt: {', '.join(found)}" if found else "nobody near our accuracy is faster to fit"


def figure(value: float | None, unit: str) -> str:
    """A figure of a sheet in its unit."""
    if value is None:
        return "–"
    if unit == "seconds":
        return seconds(value)
    if unit == "share":
        return points(value)
    if unit == "times":
        return ratio(value, 1.0)
    if unit == "bytes":
        return size(round(value))
    return f"{value:,.0f}" if unit == "rate" else f"{value:.4g}"


def points(value: float) -> str:
    """A share with two places, since probabilities are off by little."""
    return f"{value:.2%}"


def share(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"


def seconds(value: float | None) -> str:
    """Three figures with a unit that suits them."""
    if value is None:
        return "–"
    for unit, factor in (("s", 1.0), ("ms", 1e3)):
        if value * factor >= 1:
            return f"{value * factor:.3g} {unit}" if value * factor < 999.5 else f"{value * factor:,.0f} {unit}"
    return f"{value * 1e6:.3g} µs"


def ratio(theirs: float | None, ours: float | None) -> str:
    if theirs is None or not ours:
        return "–"
    found = theirs / ours  # one place below 20: goals of 12 and 15 must not look met where they were missed
    return f"{found:.0f}×" if found >= 20 else f"{found:.1f}×" if found >= 1 else f"{found:.2f}×"


def size(value: int | None) -> str:
    if value is None:
        return "–"
    if value < 1e6:
        return f"{value / 1e3:.0f} kB"
    return f"{value / 1e6:.1f} MB" if value < 1e8 else f"{value / 1e6:.0f} MB"
