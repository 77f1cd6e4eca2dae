"""From values to places in a picture, and the values worth a line across it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rosenblatt.report.figures import plain
from rosenblatt.report.markup import Markup, tag
from rosenblatt.report.style import picture_style

STEPS = (1, 2, 5, 10)


@dataclass(frozen=True)
class Scale:
    """Values from low to high at places from start to end; evenly spaced, or by their logarithms."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    def place(self, value: float) -> float:
        """Where the value is; values outside are at the nearer end."""
        inside = min(max(value, self.low), self.high)
        if self.logarithmic:
            share = math.log(inside / self.low) / (math.log(self.high / self.low) or 1.0)
        else:
            share = (inside - self.low) / ((self.high - self.low) or 1.0)
        return self.start + share * (self.end - self.start)

    def ticks(self, most: int = 6) -> list[float]:
        """Round values between low and high, at most so many."""
        return self._decades(most) if self.logarithmic else self._even(most)

    def _even(self, most: int) -> list[float]:
        span = self.high - self.low
        if span <= 0:
            return [self.low]
        unit = 10.0 ** math.floor(math.log10(span / most))
        step = next(unit * s for s in (*STEPS, 20) if span / (unit * s) <= most - 1)
        first = math.ceil(self.low / step - 1e-9)
        return [k * step for k in range(first, math.floor(self.high / step + 1e-9) + 1)]

    def _decades(self, most: int) -> list[float]:
        first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
        for parts in ((1, 2, 5), (1,)):
            values = [p * 10.0**e for e in range(first, last + 1) for p in parts]
            kept = [v for v in values if self.low * (1 - 1e-9) <= v <= self.high * (1 + 1e-9)]
            if 2 <= len(kept) <= most:
                return kept
        return kept[:: max(1, -(-len(kept) // most))] or [self.low]


def frame(x: Scale, y: Scale, names: tuple[str, str], x_ticks: Sequence[float] | None = None) -> list[Markup]:
    """Lines across the picture, their values, and what the two directions mean."""
    parts = [tag("line", class_="g", x1=x.start, x2=x.end, y1=y.place(v), y2=y.place(v)) for v in y.ticks()]
    parts += [tag("text", plain(v), x=x.start - 8, y=y.place(v) + 4, text_anchor="end") for v in y.ticks()]
    for v in x_ticks if x_ticks is not None else x.ticks():
        parts.append(tag("line", class_="g", x1=x.place(v), x2=x.place(v), y1=y.start, y2=y.start + 5))
        parts.append(tag("text", plain(v), x=x.place(v), y=y.start + 19, text_anchor="middle"))
    parts.append(tag("text", names[0], x=x.end, y=y.start + 36, text_anchor="end", class_="name"))
    parts.append(tag("text", names[1], x=x.start, y=y.end - 14, class_="name"))
    return parts


def picture(width: int, height: int, label: str, *parts: Markup | list[Markup]) -> Markup:
    """An SVG picture that a screen reader announces by its label."""
    return tag("svg", tag("title", label), *parts, viewBox=f"0 0 {width} {height}", role="img", class_="picture")


def standing_alone(drawn: Markup) -> str:
    """A picture as a file of its own, with the colours of the report."""
    return drawn.replace(
        "<svg", '<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg"', 1
    ).replace("<title>", f"<style>{picture_style()}</style><title>", 1)


def path(points: Sequence[tuple[float, float]], closed: bool = False) -> str:
    """The path through the points."""
    return "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in points) + ("Z" if closed else "")
