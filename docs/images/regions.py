"""Draws the regions of a curve in a report again: python docs/images/regions.py"""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
from sklearn.datasets import make_moons

from rosenblatt import train
from rosenblatt.report.markup import Markup
from rosenblatt.report.regions import show_regions
from rosenblatt.report.scales import standing_alone

HERE = Path(__file__).parent


def main() -> None:
    """Two moons of 400 rows, learned as the command line does it."""
    X, y = make_moons(400, noise=0.2, random_state=0)
    moons = pa.table(
        {"east": X[:, 0].round(3), "north": X[:, 1].round(3), "bank": ["left" if c else "right" for c in y]}
    )
    shown = show_regions(train(moons, label="bank", model="kernel"))
    assert shown is not None
    start = shown.index("<svg")
    drawn = Markup(shown[start : shown.index("</svg>") + len("</svg>")])
    (HERE / "kernel_regions.svg").write_text(standing_alone(drawn), encoding="utf8")


if __name__ == "__main__":
    main()
