"""A picture that stands by itself as an SVG file: its own colours, and marks that tell classes apart without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rosenblatt.report.markup import Markup, tag

INK, SOFT, LINE = "#1d2530", "#566271", "#d9dfe6"
# As in the player and the lab: the first class a vermilion square, the second a blue circle.
COLOURS = ("#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
STYLE = f"""
text{{font:13px system-ui,sans-serif;fill:{SOFT}}}.name{{fill:{INK}}}.head{{font-size:15px;fill:{INK}}}
.g{{stroke:{LINE};stroke-width:1}}.axis{{stroke:{SOFT};stroke-width:1}}
.line{{fill:none;stroke-width:2.5;stroke:{INK}}}.old{{stroke:{SOFT};stroke-dasharray:6 4}}.new{{stroke:#6a3fb5}}
.arrow{{stroke-width:2.5;fill:none;stroke:{INK}}}
"""


@dataclass(frozen=True)
class Sheet:
    """What is on a picture, its size, and a sentence that says what it shows."""

    width: int
    height: int
    label: str
    parts: Sequence[Markup]

    def svg(self) -> str:
        """The file."""
        inner = [
            tag("title", self.label),
            tag("style", Markup(STYLE)),
            tag("rect", width=self.width, height=self.height, fill="#fff"),
            *self.parts,
        ]
        made = tag(
            "svg", *inner, xmlns="http://www.w3.org/2000/svg", role="img", width=self.width, height=self.height,
            viewBox=f"0 0 {self.width} {self.height}",
        )  # fmt: skip
        return f"{made}\n"


def colour(number: int) -> str:
    """The colour of a class."""
    return COLOURS[number % len(COLOURS)]


def mark(number: int, x: float, y: float, label: str = "", size: float = 6.0) -> list[Markup]:
    """The mark of a row of a class, and its number beside it."""
    fill = colour(number)
    if number == 1:
        shape = tag("circle", cx=x, cy=y, r=size, fill=fill)
    else:
        turn = f"rotate({45 * (number % 2 or number // 2)} {x:.1f} {y:.1f})" if number else None
        shape = tag("rect", x=x - size, y=y - size, width=2 * size, height=2 * size, fill=fill, transform=turn)
    beside = [tag("text", label, x=x + size + 3, y=y - size)] if label else []
    return [shape, *beside]


def arrow(tail: tuple[float, float], tip: tuple[float, float], stroke: str = INK, dashed: bool = False) -> list[Markup]:
    """An arrow with its head; nothing where it has no length."""
    dx, dy = tip[0] - tail[0], tip[1] - tail[1]
    length = (dx * dx + dy * dy) ** 0.5
    if length < 1e-9:
        return []
    ux, uy = dx / length, dy / length
    size = min(10.0, length)
    wings = [(tip[0] - size * (ux + s * uy / 2), tip[1] - size * (uy - s * ux / 2)) for s in (1, -1)]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (tip, *wings))
    dashes = "6 4" if dashed else None
    shaft = tag(
        "line", x1=tail[0], y1=tail[1], x2=tip[0], y2=tip[1], class_="arrow", style=f"stroke:{stroke}",
        stroke_dasharray=dashes,
    )  # fmt: skip
    return [shaft, tag("polygon", points=points, fill=stroke)]
